"""The spec's table of uniformly random play (section 16, fact 6) and how far ours is from it."""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any

import numpy as np

from tests.games.jump_masters.plain_play import plain_rows

SEED = 20_161  # key of the first row; the others follow
FAMILY = 0.01  # chance of any false alarm in the whole table


@dataclass(frozen=True)
class Match:
    """One row of the spec's table."""

    mode: str
    arena: str
    draft: str  # or the team of both sides
    games: int
    turns: float
    turns_error: float
    spread: float
    first: float
    first_error: float
    atoms: float
    starts: float
    vp: float

    @property
    def label(self) -> str:
        """As the spec calls it."""
        return f"{self.mode} {self.draft} {self.arena}"


MATCHES = [
    Match("duel", "pillars", "starters", 1000, 110.3, 1.1, 35.3, 0.519, 0.016, 126.9, 61.4, 30.5),
    Match("duel", "pillars_b", "starters", 1000, 111.1, 1.1, 34.5, 0.505, 0.016, 127.0, 62.8, 31.3),
    Match("duel", "ruins", "starters", 1000, 98.7, 0.9, 29.9, 0.506, 0.016, 115.0, 37.4, 30.5),
    Match("duel", "divide", "starters", 1000, 110.7, 1.2, 36.6, 0.496, 0.016, 126.4, 56.5, 30.6),
    Match("duel", "mill", "starters", 400, 114.7, 2.0, 39.8, 0.477, 0.025, 132.0, 41.8, 29.7),
    Match("duel", "pillars", "steppers_and_stealers", 400, 123.2, 1.9, 38.0, 0.5, 0.025, 136.3, 61.7, 30.8),
    Match("duel", "pillars", "crowd_control", 400, 114.2, 1.8, 36.7, 0.52, 0.025, 132.1, 59.3, 30.7),
    Match("duel", "pillars", "big_hitters", 400, 106.5, 1.8, 36.7, 0.507, 0.025, 118.1, 60.8, 31.0),
    Match("team", "ruins", "blind", 150, 160.2, 3.1, 38.2, 0.467, 0.041, 197.8, 30.6, 48.1),
    Match("ffa3", "mill", "blind", 150, 127.3, 2.9, 36.0, 0.38, 0.04, 152.9, 37.2, 37.4),
    Match("ffa4", "pillars_b", "pass", 150, 131.5, 3.2, 38.9, 0.247, 0.035, 182.6, 49.9, 48.4),
]


@dataclass(frozen=True)
class Difference:
    """One number of the table: the spec's, ours, and the standard error of the difference."""

    match: str
    what: str
    spec: float
    ours: float
    error: float

    @property
    def errors(self) -> float:
        """The difference in standard errors."""
        return (self.ours - self.spec) / self.error

    @property
    def chance(self) -> float:
        """Two-sided p-value."""
        return erfc(abs(self.errors) / sqrt(2))


def sample(number: int, games: int, overrides: Any = None) -> np.ndarray:
    """Our games of one row of the table, on that row's own seed."""
    match = MATCHES[number]
    return plain_rows(match.mode, match.arena, match.draft, SEED + number, games, overrides)


def compare(match: Match, rows: np.ndarray) -> list[Difference]:
    """The six numbers of a row.

    Where the spec gives no standard error, its games spread as ours do. A printed number is rounded, which
    adds a twelfth of its last digit squared.
    """
    turns, first = rows["turns"].astype(float), (rows["winner"] == 0).astype(float)
    starts = rows["atoms"] / rows["starts"]  # each game's mean, as the reference averages
    columns = [
        ("turns", turns, match.turns, match.turns_error, 0.1),
        ("first side won", first, match.first, match.first_error, 0.001),
        ("atoms per game", rows["plies"].astype(float), match.atoms, None, 0.1),
        ("atoms at a turn's start", starts, match.starts, None, 0.1),
        ("final VP", rows["vp"].astype(float), match.vp, None, 0.1),
    ]
    found = []
    for what, values, spec, error, digit in columns:
        spread = values.std(ddof=1)
        theirs = spread / sqrt(match.games) if error is None else error
        error = sqrt(theirs**2 + spread**2 / len(values) + digit**2 / 12)
        found.append(Difference(match.label, what, spec, values.mean(), error))
    return [*found, compare_spread(match, turns)]


def compare_spread(match: Match, turns: np.ndarray) -> Difference:
    """The standard deviation of turns; its standard error comes from the fourth moment."""
    spread = turns.std(ddof=1)
    kurtosis = ((turns - turns.mean()) ** 4).mean() / turns.var() ** 2
    unit = spread * sqrt((kurtosis - 1) / 4)
    error = sqrt(unit**2 / match.games + unit**2 / len(turns) + 0.1**2 / 12)
    return Difference(match.label, "sd of turns", match.spread, spread, error)


def refuted(differences: list[Difference], family: float = FAMILY) -> list[Difference]:
    """Differences that chance does not explain (Holm's step-down over all of them)."""
    ordered = sorted(differences, key=lambda one: one.chance)
    found: list[Difference] = []
    for place, one in enumerate(ordered):
        if one.chance > family / (len(ordered) - place):
            break
        found.append(one)
    return found


def line(one: Difference) -> str:
    """A difference as a row of text."""
    return f"{one.match}: {one.what} {one.spec:g} in the spec, {one.ours:.4g} here ({one.errors:+.1f} errors)"
