"""The plan option ``restrict``: what the agents of some players must not do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from balance.config.agents import AgentSpec
from balance.config.models import SEATS

if TYPE_CHECKING:
    from balance.play.loader import Loader

Levels = tuple[tuple[AgentSpec, ...], ...]


def find_restrictions(loader: Loader) -> dict[int, tuple[str, ...]]:
    """What each player is forbidden, by the player's number; faults are noted with their places."""
    found = {}
    for seat, names in loader.plan.restrict.items():
        if seat not in SEATS[: loader.mode.seats]:
            loader.no_seat(("restrict", seat), seat)
            continue
        for place, name in enumerate(names):
            path = ("restrict", seat, place)
            if fault := loader.game.restriction_fault(name):
                loader.wrong(path, *fault)
            elif name in names[:place]:
                loader.wrong(path, f"the restriction {name} stands twice")
        found[SEATS.index(seat)] = names
    return found


def forbidding(levels: Sequence[Sequence[AgentSpec]], restrictions: Mapping[int, Sequence[str]]) -> Levels:
    """Agents by level and player, with restrictions by player added to those they have."""
    return tuple(
        tuple(forbidden(agent, restrictions.get(player, ())) for player, agent in enumerate(level))
        for level in levels
    )


def forbidden(agent: AgentSpec, names: Sequence[str]) -> AgentSpec:
    """An agent with further restrictions."""
    return replace(agent, restrict=tuple(sorted({*agent.restrict, *names})))
