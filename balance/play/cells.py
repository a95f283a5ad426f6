"""A plan cut into cells: one match configuration each, with the streams that it shares with others."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from balance.games.game import Mode

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan

FIXED = "fixed"  # the draft format of given rosters, in every game


@dataclass(frozen=True)
class Cell:
    """One match configuration.

    Attributes
    ----------
    number, level : int
        Place among the cells and among the plan's skill levels, from 0.
    arena : str
    teams : tuple of str or None
        Team names by player; None when the rosters are drafted.
    rosters : tuple of tuple of str or None
        Heroes by player in name order; None when they are drafted.
    draft : str
        Draft format; ``fixed`` when the rosters are given.
    agents : tuple
        Agent specifications by player.
    pairs : int
    setup_key, stream_key : int
        64 bits; see :func:`setup_key_of`.
    seatings : tuple of int
        The seatings that are different games (mirror matches repeat themselves).
    all_seatings : int
        Seatings of the mode: the games that a pair counts.
    """

    number: int
    level: int
    arena: str
    teams: tuple[str, ...] | None
    rosters: tuple[tuple[str, ...], ...] | None
    draft: str
    agents: tuple[Any, ...]
    pairs: int
    setup_key: int
    stream_key: int
    seatings: tuple[int, ...]
    all_seatings: int

    @property
    def games(self) -> int:
        """Games that count; mirror matches are counted as often as they weigh."""
        return self.pairs * self.all_seatings

    @property
    def rows(self) -> int:
        """Games that are played and stored."""
        return self.pairs * len(self.seatings)


def expand(plan: LoadedPlan) -> tuple[Cell, ...]:
    """The cells of a plan in order of level, arena, matchup."""
    matchups: Sequence[tuple[str, ...] | None] = plan.matchups or (None,)
    cells: list[Cell] = []
    for level, agents in enumerate(plan.levels):
        for arena in plan.arenas:
            for teams in matchups:
                cells.append(_cell(plan, len(cells), level, arena, teams, tuple(agents)))
    return tuple(cells)


def _cell(
    plan: LoadedPlan,
    number: int,
    level: int,
    arena: str,
    teams: tuple[str, ...] | None,
    agents: tuple[Any, ...],
) -> Cell:
    drafted = teams is None
    draft = draft_definition(plan) if drafted else {"format": FIXED}
    rosters = None if teams is None else tuple(tuple(sorted(plan.rosters[team])) for team in teams)
    setup = setup_key_of(plan.game.slug, plan.mode.name, arena, rosters, draft)
    return Cell(
        number=number,
        level=level,
        arena=arena,
        teams=None if teams is None else tuple(teams),
        rosters=rosters,
        draft=draft["format"],
        agents=agents,
        pairs=plan.plan.pairs,
        setup_key=setup,
        stream_key=key_of("stream", plan.plan.seed, setup),
        seatings=different_seatings(plan.mode, rosters, agents),
        all_seatings=len(plan.mode.seatings),
    )


def draft_definition(plan: LoadedPlan) -> dict[str, Any]:
    """What defines a draft beside the rules: all of the plan's ``draft`` but who picks.

    The picker is an agent, and agents share their streams.
    """
    draft = plan.plan.draft
    if draft is None:  # a game without heroes has neither teams nor a draft
        return {"format": FIXED}
    return {key: value for key, value in draft.model_dump().items() if key != "picker"}


def setup_key_of(
    game: str,
    mode: str,
    arena: str,
    rosters: tuple[tuple[str, ...], ...] | None,
    draft: dict[str, Any],
) -> int:
    """Key of what is dealt: never of agents, skill levels or rules.

    So baseline and variant, and all skill levels, share their random streams.
    """
    dealt = ";".join(f"{key}={draft[key]}" for key in sorted(draft))
    seats = "|".join(",".join(roster) for roster in rosters) if rosters is not None else ""
    return key_of("setup", game, mode, arena, dealt, seats)


def key_of(*parts: object) -> int:
    """A 64-bit key of printable parts, the same on every machine (as ``kernel.rng.text_key``).

    Stands here because a dry run must not load the compiler.
    """
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def different_seatings(
    mode: Mode, rosters: tuple[tuple[str, ...], ...] | None, agents: tuple[Any, ...]
) -> tuple[int, ...]:
    """Indices of the seatings that put other rosters or agents on some seat than an earlier one did.

    Drafted rosters are not known here and count as different.
    """
    seen: set[tuple[Any, ...]] = set()
    different = []
    for index, seats in enumerate(mode.seatings):
        held = [None] * mode.seats
        for player, seat in enumerate(seats):
            roster = rosters[player] if rosters is not None else player
            held[seat] = (roster, agents[player])  # type: ignore[call-overload]
        if tuple(held) not in seen:
            seen.add(tuple(held))
            different.append(index)
    return tuple(different)
