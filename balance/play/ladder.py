"""Agents against each other: a plan whose levels are encounters of two agents.

How agents meet in each kind of mode, and why that is fair to both, stands in decision 0006.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from balance.config.agents import AgentSpec
from balance.config.overrides import apply
from balance.config.yaml_lines import Document, load_yaml, load_yaml_text
from balance.errors import ConfigError
from balance.games.game import Mode
from balance.play.matchups import Matchup
from balance.play.plan import LoadedPlan, load_document, overrides_of, sized

FEWEST = 2
ONE_AGENT = "a ladder needs at least two agents; the plan names one"
BY_SEAT = "a ladder needs a list of agents, and this plan names one for every seat"
RESTRICTED = "a ladder compares whole agents, and restrict changes the agent of a seat"
LIST_HINT = "for example `agents: [random, greedy]`, weakest first"


def load_ladder(
    path: str | Path, sets: Sequence[str] = (), *, neighbours: bool = False, **flags: Any
) -> LoadedPlan:
    """Read a plan file as a ladder.

    Parameters
    ----------
    path, sets, **flags
        As of ``play.plan.load_plan``; ``games`` counts the games of the ladder.
    neighbours : bool
        Whether only agents that stand beside each other in the plan meet.

    Raises
    ------
    ConfigError
        Faults of the plan; fewer than two agents, or agents that are named by seat.
    """
    return _ladder(load_yaml(path), Path(path).parent, sets, neighbours, flags)


def load_ladder_text(
    text: str, name: str = "plan.yaml", sets: Sequence[str] = (), *, neighbours: bool = False, **flags: Any
) -> LoadedPlan:
    """As :func:`load_ladder` from text; paths in it are relative to the current folder."""
    return _ladder(load_yaml_text(text, name), Path(), sets, neighbours, flags)


def _ladder(
    document: Document, folder: Path, sets: Sequence[str], neighbours: bool, flags: dict[str, Any]
) -> LoadedPlan:
    games = flags.pop("games", None)
    loaded = load_document(document, folder, sets, **flags)
    refuse(loaded, apply(document, overrides_of(sets, flags)))
    return sized(as_ladder(loaded, neighbours), document, games)


def refuse(loaded: LoadedPlan, document: Document) -> None:
    """Raise ConfigError when the plan's agents cannot form a ladder."""
    plan = loaded.plan
    if isinstance(plan.agents, dict):
        raise ConfigError([document.problem("agents", BY_SEAT, LIST_HINT, key=True)])
    if len(plan.agents) < FEWEST:
        raise ConfigError([document.problem("agents", ONE_AGENT, LIST_HINT, key=True)])
    if plan.restrict:
        hint = f"write it after an agent: `{plan.agents[0]} without=NAME`"
        raise ConfigError([document.problem("restrict", RESTRICTED, hint, key=True)])


def as_ladder(loaded: LoadedPlan, neighbours: bool = False) -> LoadedPlan:
    """The plan with encounters of its agents in place of its levels.

    Parameters
    ----------
    loaded : LoadedPlan
        Every level has one agent on all seats.
    neighbours : bool
    """
    agents = [level[0] for level in loaded.levels]
    meetings = pairwise(agents) if neighbours else combinations(agents, 2)
    levels = [level for weak, strong in meetings for level in encounters(loaded.mode, strong, weak)]
    return replace(
        loaded,
        levels=tuple(levels),
        matchups=arrangements(loaded.matchups, loaded.mode),
        ladder=tuple(agent.label for agent in agents),
    )


def encounters(mode: Mode, one: AgentSpec, other: AgentSpec) -> Iterator[tuple[AgentSpec, ...]]:
    """Agents by player of the levels in which two agents meet.

    With two sides `one` has side 0. With more, `one` is alone against the rest, and then the rest against
    one: over both, equal agents have half of the score each.
    """
    yield tuple(one if side == 0 else other for side in mode.side_of_seat)
    if mode.sides > FEWEST:
        yield tuple(other if side == 0 else one for side in mode.side_of_seat)


def arrangements(matchups: Sequence[Matchup], mode: Mode) -> tuple[Matchup, ...]:
    """Every matchup with its teams moved on through the players as seatings move the players.

    So each agent has each team as often as the other has it, also where a plan lists its matchups.
    """
    found: dict[Matchup, None] = {}
    for matchup in matchups:
        for seating in mode.seatings:
            moved = list(matchup)
            for player, place in enumerate(seating):
                moved[place] = matchup[player]
            found[tuple(moved)] = None
    return tuple(found)


def is_ladder(manifest: Mapping[str, object]) -> bool:
    """Whether a run holds a ladder."""
    plan = manifest.get("plan")
    return isinstance(plan, Mapping) and bool(plan.get("ladder"))
