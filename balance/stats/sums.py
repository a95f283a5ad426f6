"""Everything the statistics need from the rows, summed in one pass over a run.

Memory is bounded by the number of cells and, for hero strength, by one small row a pair; the tables
themselves are never held.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from balance.stats.batch import SUFFIXES, Batch
from balance.stats.design import Cell, Design
from balance.stats.details import Details, add_details

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
    """

    game: tuple[str, ...] = ()
    spread: tuple[tuple[str, str], ...] = ()
    codes: tuple[tuple[str, int], ...] = ()
    hero: tuple[str, ...] = ()
    wholes: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    pick: str = ""


@dataclass
class Moments:
    """Count, sum and sum of squares of named pair values within one cell."""

    n: int = 0
    total: dict[str, float] = field(default_factory=dict)
    square: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, values: np.ndarray) -> None:
        """Add one value a pair."""
        self.total[name] = self.total.get(name, 0.0) + float(values.sum())
        self.square[name] = self.square.get(name, 0.0) + float((values * values).sum())


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
    hero : ndarray, shape (5, 1 + metrics, heroes)
        Sums over pairs of a, m, a a, a m, m m: a is a hero's score (row 0) or metric, m its copies.
    presence : ndarray, shape (2, heroes)
        Sum and sum of squares of the share of sides that hold a hero.
    counts, scores : list of ndarray
        Rosters (pairs, sides, heroes) and player scores (pairs, sides), as the strength fit needs them.
    details : Details
    """

    cell: Cell
    rows: int = 0
    games: int = 0
    moments: Moments = field(default_factory=Moments)
    outcomes: np.ndarray = field(default_factory=lambda: np.zeros(3))
    outcome_products: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    hero: np.ndarray | None = None
    presence: np.ndarray | None = None
    counts: list[np.ndarray] = field(default_factory=list)
    scores: list[np.ndarray] = field(default_factory=list)
    details: Details = field(default_factory=Details)


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
    by_number = {cell.number: CellSums(cell) for cell in design.cells}
    result = Sums(design, columns, list(by_number.values()))
    for batch in batches:
        sums = by_number[batch.cell.number]
        sums.rows += batch.games.height
        sums.games += int(batch.weight.sum())
        _add_pairs(design, sums, batch, columns)
        _add_outcomes(sums, batch)
        _add_heroes(sums, batch, columns)
        add_details(design, sums.details, sums.moments, batch, columns)
        _add_histograms(result, batch)
    return result


def _add_pairs(design: Design, sums: CellSums, batch: Batch, columns: Columns) -> None:
    moments = sums.moments
    moments.n += batch.n
    for side in range(design.sides):
        moments.add(f"place_{side}", batch.place_scores[:, side])
        moments.add(f"player_{side}", batch.player_scores[:, side])
        for other in range(side, design.sides):
            product = batch.player_scores[:, side] * batch.player_scores[:, other]
            moments.add(f"players_{side}_{other}", product)
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
            values = np.stack([batch.games[column].to_numpy() for column in names])
            moments.add(name, batch.mean(values.mean(axis=0)))
            moments.add(f"{name}_first", batch.mean(values[0] - values[1:].mean(axis=0)))


def _add_outcomes(sums: CellSums, batch: Batch) -> None:
    """Won, tied and lost games of setup side 0 in each pair (two sides only)."""
    if batch.player_scores.shape[1] != 2:
        return
    own = _own_score(batch)
    kinds = np.stack([own == 1, (own > 0) & (own < 1), own == 0], axis=1).astype(float)
    counts = np.stack([np.bincount(batch.pair, batch.weight * kind, batch.n) for kind in kinds.T], axis=1)
    sums.outcomes += counts.sum(axis=0)
    sums.outcome_products += counts.T @ counts


def _own_score(batch: Batch) -> np.ndarray:
    first = batch.games["score_a"].to_numpy()
    return np.where(batch.games["seating"].to_numpy() == 0, first, 1 - first)


def _add_heroes(sums: CellSums, batch: Batch, columns: Columns) -> None:
    kinds = batch.counts.shape[2]
    if not kinds or not batch.heroes.height:
        return
    metrics = [name for name in columns.hero if name in batch.heroes.columns]
    if sums.hero is None:
        sums.hero = np.zeros((5, 1 + len(metrics), kinds))
        sums.presence = np.zeros((2, kinds))
    held = (batch.counts > 0).astype(float)
    share = held.mean(axis=1)
    sums.presence += np.stack([share.sum(axis=0), (share * share).sum(axis=0)])  # type: ignore[operator]
    sides, scores = held.sum(axis=1), np.einsum("psh,ps->ph", held, batch.player_scores)
    sums.hero[:, 0] += _products(scores, sides)
    keys = batch.hero_pair * kinds + batch.heroes["hero"].to_numpy()
    weight = batch.heroes["weight"].to_numpy().astype(float)
    copies = np.bincount(keys, weight, batch.n * kinds).reshape(batch.n, kinds)
    for place, name in enumerate(metrics, start=1):
        values = np.bincount(keys, weight * batch.heroes[name].to_numpy(), batch.n * kinds)
        sums.hero[:, place] += _products(values.reshape(batch.n, kinds), copies)
    sums.counts.append(batch.counts.astype(np.int8))
    sums.scores.append(batch.player_scores)


def _products(a: np.ndarray, m: np.ndarray) -> np.ndarray:
    return np.stack([a.sum(0), m.sum(0), (a * a).sum(0), (a * m).sum(0), (m * m).sum(0)])


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
        held = result.histograms.get(key, np.zeros(0))
        longer, shorter = (counts, held) if len(counts) > len(held) else (held, counts)
        longer = longer.copy()
        longer[: len(shorter)] += shorter
        result.histograms[key] = longer
