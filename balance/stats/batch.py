"""A handful of a cell's pairs as arrays: the only place where rows become sampling units.

Everything is summed over the rows of a pair with their weight (mirror matches are played once and stand for
several games), so that no later step can treat games of one pair as independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.stats.design import Cell, Design

if TYPE_CHECKING:
    import polars as pl

    from balance.store.read import Run

BATCH = 25_000  # pairs read at a time: bounds the memory, whatever the size of the run
SUFFIXES = "abcd"


@dataclass(frozen=True)
class Batch:
    """n pairs of one cell.

    Attributes
    ----------
    cell : Cell
    n : int
    games : polars.DataFrame
        Rows of the batch.
    pair : ndarray of int, shape (rows,)
        Which of the n pairs a row belongs to.
    stride : int
        Rows of every pair when all pairs have as many, stand together and in order; 0 otherwise.
    weight : ndarray, shape (rows,)
        Games that a row stands for.
    total : ndarray, shape (n,)
        Games of each pair.
    place_scores : ndarray, shape (n, sides)
        Mean score by place in turn order (the side of seat A first).
    player_scores : ndarray, shape (n, sides)
        Mean score by setup side: the same rosters in every seating.
    heroes : polars.DataFrame
        Rows of the heroes table.
    hero_pair : ndarray of int
        Which of the n pairs a heroes row belongs to.
    counts : ndarray of int16, shape (n, sides, heroes)
        Copies of each hero on each setup side.
    """

    cell: Cell
    n: int
    games: pl.DataFrame
    pair: np.ndarray
    stride: int
    weight: np.ndarray
    total: np.ndarray
    place_scores: np.ndarray
    player_scores: np.ndarray
    heroes: pl.DataFrame
    hero_pair: np.ndarray
    counts: np.ndarray

    def sum(self, values: np.ndarray) -> np.ndarray:
        """Weighted sum of a row value within each pair; shape (rows,) to (n,)."""
        weighted = values if self.plain else self.weight * values
        return _summed(weighted, self.pair, self.stride, self.n)

    @cached_property
    def plain(self) -> bool:
        """Whether every row stands for one game."""
        return bool((self.weight == 1).all())

    @property
    def hero_weight(self) -> np.ndarray | None:
        """Weight of every heroes row; None when all are 1."""
        return None if self.plain else self.heroes["weight"].to_numpy().astype(float)

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Mean of a row value within each pair; shape (rows,) to (n,)."""
        return self.sum(values) / self.total


def _summed(values: np.ndarray, pair: np.ndarray, stride: int, n: int) -> np.ndarray:
    """Sums by pair: whole columns at once where the rows of a pair stand together."""
    if not stride:
        return np.bincount(pair, values, n)
    found = values[::stride].astype(float)
    for place in range(1, stride):
        found += values[place::stride]
    return found


def make_batch(design: Design, cell: Cell, games: pl.DataFrame, heroes: pl.DataFrame) -> Batch:
    """Arrays of one cell's rows; pairs that are not in `games` do not exist."""
    pairs, index, stride = _numbered(games["pair"].to_numpy())
    n, weight = len(pairs), games["weight"].to_numpy().astype(float)
    total = _summed(weight, index, stride, n)
    scores = np.stack([games[f"score_{SUFFIXES[seat]}"].to_numpy() for seat in range(design.seats)], axis=1)
    by_place = np.take_along_axis(_by_side(design, scores, np.min), _turn_order(design, games), axis=1)
    seat = np.array(design.seatings)[games["seating"].to_numpy()]  # rows x players
    first = [design.seats_of_side(side)[0] for side in range(design.sides)]
    by_player = np.take_along_axis(scores, seat[:, first], axis=1)
    hero_pair = _places(pairs, heroes["pair"].to_numpy()) if heroes.height else np.zeros(0, int)

    def means(values: np.ndarray) -> np.ndarray:
        columns = [_summed(weight * column, index, stride, n) / total for column in values.T]
        return np.stack(columns, axis=1)

    counts = _roster_counts(design, heroes, hero_pair, n)
    means_of = means(by_place), means(by_player)
    return Batch(cell, n, games, index, stride, weight, total, *means_of, heroes, hero_pair, counts)


def _numbered(column: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Pairs that occur, the place of every row among them, and the stride of :class:`Batch`."""
    first = np.flatnonzero(np.r_[True, column[1:] != column[:-1]])
    pairs = column[first]
    if not (pairs[1:] > pairs[:-1]).all():
        pairs, index = np.unique(column, return_inverse=True)
        return pairs, index, 0
    each = np.diff(np.r_[first, len(column)])
    stride = int(each[0]) if (each == each[0]).all() else 0
    return pairs, np.repeat(np.arange(len(pairs)), each), stride


def _places(pairs: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where the wanted pairs stand among all, which are sorted."""
    if pairs[-1] - pairs[0] + 1 == len(pairs):  # no gaps
        return wanted - pairs[0]
    return np.searchsorted(pairs, wanted)


def _by_side(design: Design, values: np.ndarray, fold: Any) -> np.ndarray:
    """One column a side from one column a seat; shape (rows, seats) to (rows, sides)."""
    seats = [design.seats_of_side(side) for side in range(design.sides)]
    if all(len(held) == 1 for held in seats):  # the usual case, and a fast one
        return values[:, [held[0] for held in seats]]
    return np.stack([fold(values[:, held], axis=1) for held in seats], axis=1)


def _turn_order(design: Design, games: pl.DataFrame) -> np.ndarray:
    """Sides by the place of their first seat in the turn order, shape (rows, sides).

    A seat that never acted (place -1) comes after those that did, in the order of the letters; so do all
    seats of rows that were stored without places.
    """
    if "place_a" not in games.columns:
        return np.broadcast_to(np.arange(design.sides), (games.height, design.sides))
    places = np.stack([games[f"place_{SUFFIXES[seat]}"].to_numpy() for seat in range(design.seats)], axis=1)
    return np.argsort(
        _by_side(design, np.where(places < 0, design.seats, places), np.min), axis=1, kind="stable"
    )


def _roster_counts(design: Design, heroes: pl.DataFrame, pair: np.ndarray, n: int) -> np.ndarray:
    """Copies by pair, setup side and hero; seating 0 is always played and rosters do not change."""
    sides, kinds = design.sides, len(design.heroes)
    if not heroes.height or not kinds:
        return np.zeros((n, sides, kinds), np.int16)
    first = heroes["seating"].to_numpy() == 0
    side = np.array(design.side_of_seat)[heroes["player"].to_numpy()[first]]
    flat = (pair[first] * sides + side) * kinds + heroes["hero"].to_numpy()[first]
    return np.bincount(flat, minlength=n * sides * kinds).astype(np.int16).reshape(n, sides, kinds)


def groups_of_parts(
    manifest: dict[str, Any], size: int = BATCH
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Cell number and parts of each batch, in the order of the manifest."""
    batch: list[dict[str, Any]] = []
    for part in manifest["parts"]:
        full = sum(held["pairs"] for held in batch) + part["pairs"] > size
        if batch and (full or part["cell"] != batch[0]["cell"]):
            yield batch[0]["cell"], batch
            batch = []
        batch.append(part)
    if batch:
        yield batch[0]["cell"], batch


def read_batch(
    run: Run, design: Design, hero_columns: Sequence[str], number: int, parts: list[dict[str, Any]]
) -> Batch | None:
    """Some parts of one cell as a batch; None when they hold no rows.

    Parameters
    ----------
    run : Run
    design : Design
    hero_columns : sequence of str
        Columns wanted from the heroes table beside the keys, where they were recorded.
    number : int
        Number of the cell.
    parts : list of dict
        Their entries in the manifest.

    Raises
    ------
    EnvironmentFault
        A part is damaged.
    """
    cell = next(cell for cell in design.cells if cell.number == number)
    games = read_rows(run, parts, "games", leave=("cell", "stream"))
    if not games.height:
        return None
    keys = ["pair", "seating", "weight", "player", "hero"]
    return make_batch(design, cell, games, read_rows(run, parts, "heroes", [*keys, *hero_columns]))


def read_batches(run: Run, design: Design, hero_columns: Sequence[str]) -> Iterator[Batch]:
    """The rows of a run, a batch at a time; see :func:`read_batch`."""
    for number, parts in groups_of_parts(run.manifest):
        batch = read_batch(run, design, hero_columns, number, parts)
        if batch is not None:
            yield batch


def read_rows(
    run: Run,
    parts: list[dict[str, Any]],
    table: str,
    wanted: Sequence[str] = (),
    leave: Sequence[str] = (),
) -> pl.DataFrame:
    """Rows of one table of some parts; all columns but `leave`, or those of `wanted` that exist."""
    import polars

    from balance.store.read import listed_file, reading

    files = [run.folder / name for part in parts if (name := listed_file(part, table))]
    if not files:
        return polars.DataFrame()
    with reading(run.folder):
        frame = polars.scan_parquet(files, glob=False)
        known = frame.collect_schema().names()
        frame = frame.select([name for name in wanted or known if name in known and name not in leave])
        return frame.collect()
