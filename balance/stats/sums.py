"""Everything the statistics need from the rows, summed in one pass over a run.

Memory is bounded by the number of cells and, for hero strength, by the rosters that differ; neither the
tables nor the pairs are ever held.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from balance.stats.batch import SUFFIXES, Batch
from balance.stats.design import Cell, Design
from balance.stats.details import Details, add_details, products
from balance.stats.play_sums import add_play
from balance.stats.rosters import Rosters

HISTOGRAM_TOP = 1 << 20  # whole numbers beyond this get no histogram


@dataclass(frozen=True)
class Columns:
    """Which columns of a run are averaged, and how.

    Attributes
    ----------
    game : tuple of str
        Columns of ``games`` averaged as they are.
    spread : tuple of str
        Base names of columns with one value a seat or side.
    codes : tuple of (str, int)
        Columns of ``games`` whose values are labels, with how many labels there are.
    hero : tuple of str
        Columns of ``heroes`` averaged a copy.
    wholes : tuple of (str, str, tuple of str)
        Name, role and base names of columns that are parts of one whole.
    pick : str
        Column of ``heroes`` with the number of the pick; empty when there is none.
    shares : tuple of str
        Columns of ``heroes`` that are compared with the sum of their side.
    caps : tuple of str or None
        Labels of terminations that are caps; None when nobody can say.
    """

    game: tuple[str, ...] = ()
    spread: tuple[tuple[str, str], ...] = ()
    codes: tuple[tuple[str, int], ...] = ()
    hero: tuple[str, ...] = ()
    wholes: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    pick: str = ""
    shares: tuple[str, ...] = ()
    caps: tuple[str, ...] | None = None


@dataclass
class Moments:
    """Count, sum and sum of squares of named pair values within one cell."""

    n: int = 0
    total: dict[str, float] = field(default_factory=dict)
    square: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, values: np.ndarray) -> None:
        """Add one value a pair."""
        self.total[name] = self.total.get(name, 0.0) + float(values.sum())
        self.square[name] = self.square.get(name, 0.0) + float(np.einsum("i,i->", values, values))

    def merge(self, other: Moments) -> None:
        """Add the pairs of another."""
        self.n += other.n
        for mine, theirs in ((self.total, other.total), (self.square, other.square)):
            for name, value in theirs.items():
                mine[name] = mine.get(name, 0.0) + value


@dataclass
class CellSums:
    """Sums of one cell.

    Attributes
    ----------
    cell : Cell
    rows, games : int
        Rows stored, and games they stand for.
    moments : Moments
        Of all pair values by name: ``place_0``, ``player_0``, ``nobody``, ``end_2``, ``turns`` ...
    outcomes : ndarray, shape (3,)
        Won, tied and lost games of setup side 0.
    outcome_products : ndarray, shape (3, 3)
        Sum over pairs of the outer product of a pair's three counts.
    quarters : ndarray, shape (5,)
        Pairs by score of setup side 0 in quarters (two sides only).
    hero : ndarray, shape (5, 1 + metrics, heroes)
        Sums over pairs of a, m, a a, a m, m m: a is a hero's score (row 0) or metric, m its copies.
    hero_columns : tuple of str
        Names of those metrics: of the game's columns the ones that the rows hold, as older rows lack some.
    presence : ndarray, shape (2, heroes)
        Sum and sum of squares of the share of sides that hold a hero.
    rosters : Rosters or None
        Pairs folded by their rosters, as the fits of heroes need them; None without heroes.
    details : Details
    """

    cell: Cell
    rows: int = 0
    games: int = 0
    moments: Moments = field(default_factory=Moments)
    outcomes: np.ndarray = field(default_factory=lambda: np.zeros(3))
    outcome_products: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    quarters: np.ndarray = field(default_factory=lambda: np.zeros(5))
    hero: np.ndarray | None = None
    hero_columns: tuple[str, ...] = ()
    presence: np.ndarray | None = None
    rosters: Rosters | None = None
    details: Details = field(default_factory=Details)

    def merge(self, other: CellSums) -> None:
        """Add the pairs of another, which must not be used afterwards."""
        self.rows += other.rows
        self.games += other.games
        self.moments.merge(other.moments)
        self.details.merge(other.details)
        self.outcomes += other.outcomes
        self.outcome_products += other.outcome_products
        self.quarters += other.quarters
        if other.rosters is None:
            return
        if self.rosters is None:
            self.hero, self.presence, self.rosters = other.hero, other.presence, other.rosters
            self.hero_columns = other.hero_columns
            return
        self.hero += other.hero  # type: ignore[operator]
        self.presence += other.presence  # type: ignore[operator]
        self.rosters.merge(other.rosters)


@dataclass
class Sums:
    """Sums of a run.

    Attributes
    ----------
    design : Design
    columns : Columns
    cells : list of CellSums
    histograms : dict
        ``(level, column)`` to games by value, for columns of whole numbers.
    """

    design: Design
    columns: Columns
    cells: list[CellSums]
    histograms: dict[tuple[int, str], np.ndarray] = field(default_factory=dict)

    def merge(self, other: Sums) -> None:
        """Add the pairs of another of the same design, which must not be used afterwards."""
        for mine, theirs in zip(self.cells, other.cells, strict=True):
            if theirs.moments.n:
                mine.merge(theirs)
        for key, counts in other.histograms.items():
            self.histograms[key] = _longer(self.histograms.get(key, np.zeros(0)), counts)

    def of(self, level: int, arena: str | None = None) -> list[CellSums]:
        """Cells of one skill level, optionally of one arena, that have been played."""
        return [
            sums
            for sums in self.cells
            if sums.cell.level == level and arena in (None, sums.cell.arena) and sums.moments.n
        ]


def collect(design: Design, batches: Iterable[Batch], columns: Columns) -> Sums:
    """Sum a stream of batches.

    Parameters
    ----------
    design : Design
    batches : iterable of Batch
    columns : Columns
        Columns that are not in the rows are left out.
    """
    result = empty(design, columns)
    for batch in batches:
        add_batch(result, batch)
    return result


def empty(design: Design, columns: Columns) -> Sums:
    """Sums of no rows."""
    return Sums(design, columns, [CellSums(cell) for cell in design.cells])


def add_batch(result: Sums, batch: Batch) -> None:
    """Add the pairs of one batch."""
    design, columns = result.design, result.columns
    sums = next(sums for sums in result.cells if sums.cell.number == batch.cell.number)
    sums.rows += batch.games.height
    sums.games += int(batch.weight.sum())
    _add_pairs(design, sums, batch, columns)
    _add_outcomes(sums, batch)
    _add_heroes(sums, batch, columns)
    add_details(design, sums.details, sums.moments, batch, columns)
    add_play(design, sums.details, sums.moments, batch, columns)
    _add_histograms(result, batch)


def _add_pairs(design: Design, sums: CellSums, batch: Batch, columns: Columns) -> None:
    moments = sums.moments
    moments.n += batch.n
    for side in range(design.sides):
        moments.add(f"place_{side}", batch.place_scores[:, side])
        moments.add(f"player_{side}", batch.player_scores[:, side])
        for other in range(side, design.sides):
            product = batch.player_scores[:, side] * batch.player_scores[:, other]
            moments.add(f"players_{side}_{other}", product)
            if design.sides > 2:
                product = batch.place_scores[:, side] * batch.place_scores[:, other]
                moments.add(f"places_{side}_{other}", product)
    moments.add("nobody", batch.mean(batch.games["winner"].to_numpy() < 0))
    ends = batch.games["termination"].to_numpy()
    for code in range(len(design.terminations)):
        moments.add(f"end_{code}", batch.mean(ends == code))
    for name in ("turns", "plies", *columns.game):
        if name in batch.games.columns:
            moments.add(name, batch.mean(batch.games[name].to_numpy()))
    _add_spread(design, moments, batch, columns)


def _add_spread(design: Design, moments: Moments, batch: Batch, columns: Columns) -> None:
    """Columns with one value a seat or side: the mean over them, and what the first one has."""
    for name, role in columns.spread:
        width = design.sides if role == "side" else design.seats
        names = [f"{name}_{SUFFIXES[i]}" for i in range(width)]
        if all(column in batch.games.columns for column in names):
            first, *others = [batch.games[column].to_numpy() for column in names]
            rest = sum(others) if others else np.zeros(len(first))
            moments.add(name, batch.mean((first + rest) / width))
            moments.add(f"{name}_first", batch.mean(first - rest / max(width - 1, 1)))


def _add_outcomes(sums: CellSums, batch: Batch) -> None:
    """Won, tied and lost games of setup side 0 in each pair (two sides only)."""
    if batch.player_scores.shape[1] != 2:
        return
    own = _own_score(batch)
    kinds = (own == 1, (own > 0) & (own < 1), own == 0)
    counts = np.stack([batch.sum(kind) for kind in kinds], axis=1)
    sums.outcomes += counts.sum(axis=0)
    sums.outcome_products += counts.T @ counts
    quarters = np.clip(np.rint(4 * batch.player_scores[:, 0]), 0, 4).astype(int)
    sums.quarters += np.bincount(quarters, minlength=5)


def _own_score(batch: Batch) -> np.ndarray:
    first = batch.games["score_a"].to_numpy()
    return np.where(batch.games["seating"].to_numpy() == 0, first, 1 - first)


def _add_heroes(sums: CellSums, batch: Batch, columns: Columns) -> None:
    kinds = batch.counts.shape[2]
    if not kinds or not batch.heroes.height:
        return
    metrics = tuple(name for name in columns.hero if name in batch.heroes.columns)
    if sums.hero is None:
        sums.hero_columns = metrics
        sums.hero = np.zeros((5, 1 + len(metrics), kinds))
        sums.presence = np.zeros((2, kinds))
    if sums.rosters is None:
        sums.rosters = Rosters(batch.counts.shape[1], kinds)
    sums.rosters.add(batch.counts, batch.player_scores)
    # Heroes first, pairs last: sums over pairs then run along memory.
    held = np.ascontiguousarray((batch.counts > 0).transpose(1, 2, 0)).astype(float)
    sides = held.sum(axis=0)
    share = sides / len(held)
    sums.presence += np.stack([share.sum(axis=1), np.einsum("kn,kn->k", share, share)])  # type: ignore[operator]
    scores = sum(held[side] * batch.player_scores[:, side] for side in range(len(held)))
    sums.hero[:, 0] += products(scores, sides)
    keys, weight = batch.heroes["hero"].to_numpy() * batch.n + batch.hero_pair, batch.hero_weight
    copies = np.bincount(keys, weight, batch.n * kinds).reshape(kinds, batch.n)
    of_copies = copies.sum(axis=1), np.einsum("kn,kn->k", copies, copies)
    for place, name in enumerate(metrics, start=1):
        column = batch.heroes[name].to_numpy()
        values = np.bincount(keys, column if weight is None else weight * column, batch.n * kinds)
        sums.hero[:, place] += products(values.reshape(kinds, batch.n), copies, of_copies)


def _add_histograms(result: Sums, batch: Batch) -> None:
    """Games by value of every averaged column of whole numbers."""
    for name in ("turns", "plies", *result.columns.game):
        if name not in batch.games.columns or not batch.games[name].dtype.is_integer():
            continue
        values = batch.games[name].to_numpy()
        if values.min() < 0 or values.max() >= HISTOGRAM_TOP:
            continue
        counts = np.bincount(values, batch.weight)
        key = (batch.cell.level, name)
        result.histograms[key] = _longer(result.histograms.get(key, np.zeros(0)), counts)


def _longer(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """The sum of two histograms, as long as the longer one."""
    longer, shorter = (one, two) if len(one) > len(two) else (two, one)
    longer = longer.copy()
    longer[: len(shorter)] += shorter
    return longer
