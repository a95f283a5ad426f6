"""Seat advantage: what the place in the turn order is worth, and how games end.

Sources: stratified means, Cochran (1977), chapter 5; Holm (1979) over levels and arenas.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from balance.stats.estimate import LEVEL, Estimate, detectable, holm, normal_quantile, p_against
from balance.stats.means import UNIT, mean_of
from balance.stats.sums import Sums


@dataclass(frozen=True)
class SeatResult:
    """Seats and endings at one skill level.

    Attributes
    ----------
    level : int
    places : tuple of Estimate
        Mean score by side in turn order.
    by_arena : dict of str to Estimate
        Mean score of the first side.
    nobody : Estimate
        Share of games without a winner.
    endings : dict of str to Estimate
        Share of games by termination label, only those that occurred.
    detectable : float
        Smallest true first-seat advantage that this level would find with 80 % power.
    p : float
        Holm over the levels, for "moving first makes no difference".
    """

    level: int
    places: tuple[Estimate, ...]
    by_arena: dict[str, Estimate]
    nobody: Estimate
    endings: dict[str, Estimate]
    detectable: float
    p: float


def seat_results(sums: Sums) -> tuple[SeatResult, ...]:
    """Seat advantage at every skill level that has games."""
    found = [_level(sums, level) for level in range(len(sums.design.levels)) if sums.of(level)]
    adjusted = holm(np.array([seat.p for seat in found]))
    return tuple(replace(seat, p=float(p)) for seat, p in zip(found, adjusted, strict=True))


def arena_tests(seat: SeatResult, even: float) -> dict[str, float]:
    """p-value of every arena for "moving first makes no difference here", Holm over the arenas.

    Parameters
    ----------
    seat : SeatResult
    even : float
        Score of a side when the order does not matter.
    """
    adjusted = holm(np.array([p_against(first, even) for first in seat.by_arena.values()]))
    return {arena: float(p) for arena, p in zip(seat.by_arena, adjusted, strict=True)}


def less_even(scores: Mapping[str, Estimate], fairest: str, even: float) -> list[str]:
    """Arenas whose score is shown to be farther from even than that of the one nearest to it.

    The distances |score - even| of independent samples are compared at a level divided by the number of
    ordered pairs, since the nearest was chosen by its value: Dunn (1961), Multiple comparisons among means,
    JASA 56. That distances near 0 are folded makes the rule more careful, not less.

    Parameters
    ----------
    scores : mapping of str to Estimate
        Mean score of the first side by arena.
    fairest : str
        The one of them with the least distance.
    even : float
        Score of a side when the order does not matter.
    """
    base, others = scores[fairest], [arena for arena in scores if arena != fairest]
    critical = normal_quantile(1 - (1 - LEVEL) / (len(scores) * len(others))) if others else math.inf
    return [
        arena
        for arena in others
        if abs(scores[arena].value - even) - abs(base.value - even)
        > critical * math.hypot(scores[arena].se, base.se)
    ]


def _level(sums: Sums, level: int) -> SeatResult:
    cells, design = sums.of(level), sums.design
    places = tuple(_share(cells, f"place_{side}") for side in range(design.sides))
    endings = {
        label: _share(cells, f"end_{code}")
        for code, label in enumerate(design.terminations)
        if any(cell.moments.total.get(f"end_{code}") for cell in cells)
    }
    arenas = {arena: _share(held, "place_0") for arena in design.arenas if (held := sums.of(level, arena))}
    smallest, p = detectable(places[0].se), p_against(places[0], 1 / design.sides)
    return SeatResult(level, places, arenas, _share(cells, "nobody"), endings, smallest, p)


def _share(cells: list, name: str) -> Estimate:
    estimate = mean_of(cells, name, UNIT)
    assert estimate is not None  # every game has a place, an ending and a winner or none
    return estimate
