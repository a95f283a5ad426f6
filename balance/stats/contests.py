"""Two agents against each other: units, win shares with intervals and lower bounds.

The unit of a contest is one number of a pair in one cell (arena and teams): the same streams in every
seating and, with three or four sides, both ways round. Its share is the mean score of all that one of the
two agents played; equal agents have one half.

Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927), for
the intervals; E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected
number of positive counts estimated from survey data" (1998), for the effective number of units they are
taken at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.stats.batch import SUFFIXES, groups_of_parts, read_rows
from balance.stats.design import Cell, Design
from balance.stats.estimate import LEVEL, Estimate, interval, normal_quantile, t_quantile
from balance.stats.proportions import wilson_ends

if TYPE_CHECKING:
    import polars as pl

    from balance.store.read import Run

METHOD = "mean over {unit}, Wilson interval with their effective number"
COLUMNS = ("cell", "pair", "seating", "weight", "turns", "plies")
VALUES = ("share", "won", "tied", "lost", "turns", "plies", "games")  # columns of a unit's sums
SHARE, WON, TIED, LOST, TURNS, PLIES, GAMES = range(len(VALUES))


@dataclass(frozen=True)
class Contest:
    """Two agents that meet.

    Attributes
    ----------
    one, other : int
        Agents by their place in the ladder; `one` is listed later.
    levels : tuple of int
        Levels of the run in which they meet: one, or two where sides are more than two.
    """

    one: int
    other: int
    levels: tuple[int, ...]


@dataclass(frozen=True)
class Units:
    """The units of a contest.

    Attributes
    ----------
    arena : ndarray of int, shape (n,)
        Arena of each unit, as in ``Design.arenas``.
    place : ndarray of int, shape (n,)
        Cell of each unit, counted over arenas and teams: the stratum.
    key : ndarray of int, shape (n,)
        The unit across contests: same place and same pair have the same key and the same streams.
    values : ndarray, shape (n, 7)
        Share of `one`, then games won, tied and lost by `one`, then sums over games of turns and plies, then
        games (mirror matches by weight).
    """

    arena: np.ndarray
    place: np.ndarray
    key: np.ndarray
    values: np.ndarray

    def of(self, chosen: np.ndarray) -> Units:
        """Some of the units."""
        return Units(self.arena[chosen], self.place[chosen], self.key[chosen], self.values[chosen])

    @property
    def games(self) -> int:
        """Games in all."""
        return round(float(self.values[:, GAMES].sum()))


@dataclass(frozen=True)
class Share:
    """A share with its interval and what it is at least.

    Attributes
    ----------
    estimate : Estimate
        With the two-sided 95 % interval.
    lower, upper : float
        One-sided 95 % bounds.
    """

    estimate: Estimate
    lower: float
    upper: float


def contests_of(design: Design, agents: Sequence[str]) -> tuple[Contest, ...]:
    """Who meets whom at which levels, in the order of the levels."""
    found: dict[tuple[int, int], list[int]] = {}
    for cell in design.cells:
        other, one = sorted({agents.index(agent) for agent in cell.agents})
        levels = found.setdefault((one, other), [])
        if cell.level not in levels:
            levels.append(cell.level)
    return tuple(Contest(one, other, tuple(levels)) for (one, other), levels in found.items())


def collect_units(
    run: Run, design: Design, agents: Sequence[str], contests: Sequence[Contest]
) -> dict[Contest, Units]:
    """The units of every contest that has been played, from the rows of a run.

    Where two agents meet at two levels, only pairs that were played at both count.
    """
    cells = {cell.number: cell for cell in design.cells}
    places = _places(design)
    held: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
    wanted = [*COLUMNS, *(f"score_{SUFFIXES[seat]}" for seat in range(design.seats))]
    by_level = {level: contest for contest in contests for level in contest.levels}
    for number, parts in groups_of_parts(run.manifest):
        games, cell = read_rows(run, parts, "games", wanted), cells[number]
        if games.height:
            mine = agents[by_level[cell.level].one]
            held.setdefault(number, []).append(unit_sums(design, cell, mine, games))
    found = {contest: _joined(design, contest, held, places) for contest in contests}
    return {contest: units for contest, units in found.items() if len(units.key)}


def unit_sums(design: Design, cell: Cell, agent: str, games: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Pair numbers of a cell's games, and the sums over each pair as in :attr:`Units.values`."""
    pairs, index = np.unique(games["pair"].to_numpy(), return_inverse=True)
    weight = games["weight"].to_numpy().astype(float)
    scores = np.stack([games[f"score_{SUFFIXES[seat]}"].to_numpy() for seat in range(design.seats)], axis=1)
    own = (scores * _own_seats(design, cell, agent)[games["seating"].to_numpy()]).sum(axis=1)
    won, lost = own > 1 - 1e-9, own < 1e-9
    columns = [own, won, ~(won | lost), lost, games["turns"].to_numpy(), games["plies"].to_numpy()]
    columns.append(np.ones(len(own)))
    sums = np.stack([np.bincount(index, weight * column, len(pairs)) for column in columns], axis=1)
    sums[:, SHARE] = sums[:, SHARE] / sums[:, GAMES]
    return pairs, sums


def _own_seats(design: Design, cell: Cell, agent: str) -> np.ndarray:
    """Weights of the seats' scores that add up to an agent's score, shape (seatings, seats).

    Team-mates have the score of their side both, so that each counts half of it.
    """
    mask = np.zeros((len(design.seatings), design.seats))
    for number, seating in enumerate(design.seatings):
        for player, seat in enumerate(seating):
            mates = len(design.seats_of_side(design.side_of_seat[seat]))
            mask[number, seat] = (cell.agents[player] == agent) / mates
    return mask


def _places(design: Design) -> dict[int, int]:
    """Cell number to place: cells of different levels with the same arena and teams have the same place."""
    known: dict[tuple[str, tuple[str, ...]], int] = {}
    return {c.number: known.setdefault((c.arena, c.teams), len(known)) for c in design.cells}


def _joined(
    design: Design,
    contest: Contest,
    held: Mapping[int, list[tuple[np.ndarray, np.ndarray]]],
    places: Mapping[int, int],
) -> Units:
    """The units of a contest over its places; of two levels those pairs that both have."""
    by_place: dict[int, list[Cell]] = {}
    for cell in design.cells:
        if cell.level in contest.levels:
            by_place.setdefault(places[cell.number], []).append(cell)
    pieces = []
    for place, cells in by_place.items():
        if any(cell.number not in held for cell in cells):
            continue
        pairs, values = _both([_stacked(held[cell.number]) for cell in cells])
        arena = np.full(len(pairs), design.arenas.index(cells[0].arena))
        pieces.append(
            Units(arena, np.full(len(pairs), place), (place << 40) + pairs.astype(np.int64), values)
        )
    if not pieces:
        none = np.zeros(0, np.int64)
        return Units(none, none, none, np.zeros((0, len(VALUES))))
    columns = zip(*((p.arena, p.place, p.key, p.values) for p in pieces), strict=True)
    return Units(*(np.concatenate(column) for column in columns))


def _stacked(batches: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate([pairs for pairs, _ in batches]), np.concatenate([sums for _, sums in batches])


def _both(levels: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Pairs that all levels have, with sums added and shares averaged."""
    pairs = levels[0][0]
    for other, _ in levels[1:]:
        pairs = np.intersect1d(pairs, other)
    values = np.stack([sums[np.isin(own, pairs)] for own, sums in levels]).sum(axis=0)
    values[:, SHARE] = values[:, SHARE] / len(levels)
    return pairs, values


def share_of(units: Units, unit: str = "pairs") -> Share:
    """The win share of `one`: every cell counts alike."""
    return bounded(units.values[:, SHARE], units.place, unit)


def draws_of(units: Units, unit: str = "pairs") -> Share:
    """The share of games that neither won."""
    return bounded(units.values[:, TIED] / units.values[:, GAMES], units.place, unit)


def bounded(values: np.ndarray, strata: np.ndarray, unit: str = "pairs") -> Share:
    """Mean of unit values between 0 and 1 over strata that count alike, with interval and bounds.

    Wilson's interval with the effective number of units, n* = p (1 - p) / variance of the mean (Korn and
    Graubard 1998), and t quantiles: near 0 and 1 a symmetric interval would promise too much. Where all
    units are alike nothing is known of the variance: each then counts as one trial, whose variance is the
    largest that a value in [0, 1] can have.
    """
    value, variance, n, freedom = stratified(values, strata)
    method = METHOD.format(unit=unit)
    if not math.isfinite(variance):
        return Share(Estimate(value, math.nan, 0.0, 1.0, n, method), 0.0, 1.0)
    certain = variance < 1e-15
    effective = n if certain or not 0 < value < 1 else value * (1 - value) / variance

    def ends(tail: float) -> tuple[float, float]:
        reach = normal_quantile(1 - tail) if certain else t_quantile(1 - tail, freedom)
        return wilson_ends(value, effective, reach)

    tail = (1 - LEVEL) / 2
    estimate = Estimate(value, math.sqrt(max(variance, 0.0)), *ends(tail), n, method)
    return Share(estimate, *ends(2 * tail))


def stratified(values: np.ndarray, strata: np.ndarray) -> tuple[float, float, int, int]:
    """Mean over strata that count alike, its variance, units, and degrees of freedom.

    With a stratum of a single unit the spread inside strata is not known, and the spread over all units,
    which is no smaller on average, stands in.
    """
    _, index, counts = np.unique(strata, return_inverse=True, return_counts=True)
    n, k = len(values), len(counts)
    means = np.bincount(index, values, k) / counts
    value = min(max(float(means.mean()), 0.0), 1.0) if values.max() <= 1 else float(means.mean())
    if counts.min() >= 2:
        spread = np.bincount(index, (values - means[index]) ** 2, k) / (counts - 1)
        return value, float((spread / counts).sum()) / k**2, n, n - k
    if n < 2:
        return value, math.nan, n, 0
    return value, float(values.var(ddof=1)) / n, n, n - 1


def mean_per_game(units: Units, column: int, unit: str = "pairs") -> Estimate:
    """Mean of :data:`TURNS` or :data:`PLIES` a game."""
    value, variance, n, freedom = stratified(units.values[:, column] / units.values[:, GAMES], units.place)
    error = math.sqrt(variance) if variance >= 0 else math.nan
    return interval(value, error, n, f"mean over {unit}, t interval", freedom, (0.0, math.inf))


def outcome_table(
    units: Mapping[Contest, Units], contests: Sequence[Contest]
) -> tuple[np.ndarray, np.ndarray]:
    """Games won, tied and lost by contest, and by unit and contest: the clusters of errors.

    Returns
    -------
    counts : ndarray, shape (m, 3)
    clusters : ndarray, shape (units, m, 3)
        NaN where a contest lacks a unit that another has.
    """
    keys = np.unique(np.concatenate([units[contest].key for contest in contests]))
    clusters = np.full((len(keys), len(contests), 3), np.nan)
    for row, contest in enumerate(contests):
        own = units[contest]
        clusters[np.searchsorted(keys, own.key), row] = own.values[:, WON : LOST + 1]
    return np.nansum(clusters, axis=0), clusters


def by_arena(units: Units, arenas: Sequence[Any]) -> dict[Any, Units]:
    """The units of every arena that was played."""
    return {
        name: units.of(units.arena == place)
        for place, name in enumerate(arenas)
        if (units.arena == place).any()
    }
