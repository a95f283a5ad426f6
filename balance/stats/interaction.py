"""Where heroes are better or worse than elsewhere: hero by arena.

Per-arena strengths come from separate fits on the same roster distribution; arenas have their own streams, so
their fits are independent. Source: Cochran (1954) for the test of one hero, Benjamini and Hochberg (1995) for
the many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import Estimate, Refusal, cochran, detectable, interval, two_sided
from balance.stats.multiple import benjamini_hochberg

METHOD = "strength in one arena less the mean over arenas, normal interval"
Q = 0.05  # share of false findings among those that are named


@dataclass(frozen=True)
class Interaction:
    """One hero.

    Attributes
    ----------
    hero : str
    effects : dict of str to Estimate
        Strength by arena.
    departures : dict of str to Estimate
        The same less the mean over the arenas; they sum to zero.
    departure_p : dict of str to float
        For "as elsewhere", Benjamini-Hochberg over all heroes and arenas.
    q : float
        Cochran's Q over the arenas.
    freedom : int
    p : float
        Its p-value, Benjamini-Hochberg over the heroes.
    """

    hero: str
    effects: dict[str, Estimate]
    departures: dict[str, Estimate]
    departure_p: dict[str, float]
    q: float
    freedom: int
    p: float


@dataclass(frozen=True)
class Interactions:
    """All heroes over all arenas.

    Attributes
    ----------
    heroes : tuple of Interaction
        Those that depend most on the arena first.
    arenas : tuple of str
    spread : float
        Standard deviation of the true departures, noise taken out (not a standard error).
    detectable : float
        Smallest true departure found with 80 % power (median hero and arena, unadjusted).
    n : int
        Pairs over all arenas.
    method : str
    """

    heroes: tuple[Interaction, ...]
    arenas: tuple[str, ...]
    spread: float
    detectable: float
    n: int
    method: str = f"{METHOD}; Cochran's Q a hero, Benjamini-Hochberg"


def interactions(effects: Mapping[str, Mapping[str, Estimate]]) -> Interactions | Refusal:
    """Heroes whose strength differs between arenas.

    Departure d_m = h_m - mean_l h_l with variance (1 - 1/M)^2 s_m^2 + sum_{l != m} s_l^2 / M^2. Q = sum
    (h_m - weighted mean)^2 / s_m^2 against chi-square with M - 1 degrees of freedom (Cochran 1954), then
    Benjamini-Hochberg. Spread^2 = mean(d^2 - SE^2), at least 0.

    Parameters
    ----------
    effects : mapping of str to mapping of str to Estimate
        By hero, then by arena.

    Returns
    -------
    Interactions or Refusal
        A refusal with fewer than two arenas or without any hero that was measured in two.
    """
    arenas = tuple(dict.fromkeys(arena for by_arena in effects.values() for arena in by_arena))
    if len(arenas) < 2:
        return Refusal(
            "The run has one arena only, so nothing can differ between arenas.", "Add an arena to the plan."
        )
    found = [(hero, _usable(by_arena)) for hero, by_arena in effects.items()]
    found = [(hero, held) for hero, held in found if len(held) > 1]
    if not found:
        return Refusal(
            "No hero was measured in two arenas.", "Play the same rosters in every arena, and more pairs."
        )
    tests = [cochran(_values(held), _errors(held)) for _, held in found]
    adjusted = benjamini_hochberg(np.array([p for _, p, _ in tests]))
    departures = [_departures(held) for _, held in found]
    raw = [two_sided(d.value, d.se) for held in departures for d in held.values()]
    single = iter(benjamini_hochberg(np.array(raw)))
    rows = [
        Interaction(hero, held, apart, {arena: float(next(single)) for arena in apart}, q, freedom, float(p))
        for (hero, held), apart, (q, _, freedom), p in zip(found, departures, tests, adjusted, strict=True)
    ]
    rows.sort(key=lambda row: (row.p, -row.q))
    flat = [d for held in departures for d in held.values()]
    return Interactions(
        tuple(rows),
        arenas,
        math.sqrt(max(0.0, float(np.mean([d.value**2 - d.se**2 for d in flat])))),
        detectable(float(np.median([d.se for d in flat]))),
        max(sum(e.n for e in held.values()) for _, held in found),
    )


def _usable(by_arena: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Arenas with a number and an error; a fit that never varied has none."""
    return {a: e for a, e in by_arena.items() if math.isfinite(e.value) and e.se > 0}


def _values(held: Mapping[str, Estimate]) -> np.ndarray:
    return np.array([e.value for e in held.values()])


def _errors(held: Mapping[str, Estimate]) -> np.ndarray:
    return np.array([e.se for e in held.values()])


def _departures(held: Mapping[str, Estimate]) -> dict[str, Estimate]:
    values, variances, m = _values(held), _errors(held) ** 2, len(held)
    away = variances * (1 - 1 / m) ** 2 + (variances.sum() - variances) / m**2
    gaps, n = values - values.mean(), sum(e.n for e in held.values())
    return {
        arena: interval(float(gap), float(np.sqrt(variance)), n, METHOD)
        for arena, gap, variance in zip(held, gaps, away, strict=True)
    }


def named(found: Interactions) -> Sequence[tuple[str, str, Estimate]]:
    """Hero, arena and departure of everything that stays below the share of false findings, largest first."""
    rows = [
        (row.hero, arena, departure)
        for row in found.heroes
        for arena, departure in row.departures.items()
        if row.departure_p[arena] <= Q
    ]
    return sorted(rows, key=lambda item: -abs(item[2].value))
