"""Two runs side by side: the same pairs of the same cells, and what differs between them.

A cell that both runs played on the same random streams is compared pair by pair; a cell that they played on
other streams is compared as two samples. Everything is summed in one pass, window by window, so that memory
does not grow with the runs.

Sources: common random numbers as in Law and Kelton (2000), section 11.2; stratified means, Cochran (1977),
chapter 5.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.stats.batch import BATCH, Batch, make_batch, read_rows
from balance.stats.design import Cell, Design
from balance.stats.details import Details
from balance.stats.hero_gaps import RatioGaps, hero_values, play_values
from balance.stats.scan import in_order, usable_threads
from balance.stats.sums import CellSums, Columns, Moments, Sums, add_batch

if TYPE_CHECKING:
    import polars as pl

    from balance.store.read import Run

KEYS = ("pair", "seating", "weight", "player", "hero")
RESULTS = ("place_", "player_")  # pair values that are scores


@dataclass(frozen=True)
class Side:
    """One of the two runs.

    Attributes
    ----------
    run : Run
    design : Design
    """

    run: Run
    design: Design

    def cell(self, number: int) -> Cell:
        """One of its cells."""
        return next(cell for cell in self.design.cells if cell.number == number)

    def parts(self, number: int) -> list[dict[str, Any]]:
        """Stored parts of a cell, by their first pair."""
        found = [part for part in self.run.manifest["parts"] if part["cell"] == number]
        return sorted(found, key=lambda part: part["first_pair"])


@dataclass(frozen=True)
class Twin:
    """A cell that both runs have.

    Attributes
    ----------
    base, candidate : int
        Its number in either run.
    level : int
        Which of the common levels it belongs to.
    paired : bool
        Whether both played it on the same random streams.
    """

    base: int
    candidate: int
    level: int
    paired: bool


class Kept(Moments):
    """Moments that remember the values added last."""

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, np.ndarray] = {}

    def add(self, name: str, values: np.ndarray) -> None:
        """See :meth:`Moments.add`."""
        super().add(name, values)
        self.last[name] = np.asarray(values, dtype=float)


class KeptDetails(Details):
    """Details that remember the two parts of each ratio added last, shape (n, k) each."""

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def add(self, name: str, a: np.ndarray, m: np.ndarray) -> None:
        """See :meth:`Details.add`."""
        super().add(name, a, m)
        self.last[name] = (a, m)


@dataclass
class CellGap:
    """One cell of both runs.

    Attributes
    ----------
    twin : Twin
    base, candidate : CellSums
        Of the pairs that are compared.
    gaps : Moments
        Of candidate less base by pair, where the cell is paired.
    products : ndarray, shape (sides, sides)
        Sum over pairs of the products of the sides' differences in score.
    changed, altered : int
        Pairs in which anything differs, and pairs whose score does.
    heroes : RatioGaps
        What each hero did, a copy.
    play : RatioGaps
        Ratios that say how games went.
    """

    twin: Twin
    base: CellSums
    candidate: CellSums
    gaps: Moments
    products: np.ndarray
    changed: int = 0
    altered: int = 0
    heroes: RatioGaps = field(default_factory=RatioGaps)
    play: RatioGaps = field(default_factory=RatioGaps)

    @property
    def played(self) -> bool:
        """Whether both runs have pairs here."""
        return bool(self.base.moments.n and self.candidate.moments.n)

    @property
    def n(self) -> int:
        """Sampling units: common pairs, or the smaller of two samples."""
        return min(self.base.moments.n, self.candidate.moments.n)

    def merge(self, other: CellGap) -> None:
        """Add what another window gave."""
        self.base.merge(other.base)
        self.candidate.merge(other.candidate)
        self.gaps.merge(other.gaps)
        self.products += other.products
        self.changed += other.changed
        self.altered += other.altered
        self.heroes.merge(other.heroes)
        self.play.merge(other.play)


@dataclass(frozen=True)
class Window:
    """Some parts of a cell in either run; of unpaired cells one of the two is empty."""

    twin: Twin
    base: tuple[dict[str, Any], ...]
    candidate: tuple[dict[str, Any], ...]


def windows(base: Side, candidate: Side, twins: Sequence[Twin]) -> Iterator[Window]:
    """What is read together, some 25,000 pairs at a time."""
    for twin in twins:
        one, two = base.parts(twin.base), candidate.parts(twin.candidate)
        if twin.paired:
            yield from (Window(twin, *held) for held in aligned(one, two))
        else:
            yield from (Window(twin, held, ()) for held in _batches(one))
            yield from (Window(twin, (), held) for held in _batches(two))


def aligned(
    one: Sequence[dict[str, Any]], two: Sequence[dict[str, Any]], size: int = BATCH
) -> Iterator[tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]]:
    """Parts of two runs that cover the same pairs; the runs may cut their pairs differently.

    Parameters
    ----------
    one, two : sequence of dict
        By first pair.
    size : int
        Pairs that a window holds at least, but for the last.
    """
    edges = [{edge for part in parts for edge in _ends(part)} for parts in (one, two)]
    if not all(edges):
        return
    cuts, low = sorted(edges[0] & edges[1]), 0
    chosen = [0]
    for cut in cuts:
        if cut - low >= size:
            chosen.append(cut)
            low = cut
    chosen.append(max(max(side) for side in edges) + 1)
    for start, end in pairwise(sorted(set(chosen))):
        held = [tuple(part for part in parts if start <= part["first_pair"] < end) for parts in (one, two)]
        if all(held):
            yield held[0], held[1]


def _ends(part: dict[str, Any]) -> tuple[int, int]:
    return part["first_pair"], part["first_pair"] + part["pairs"]


def _batches(parts: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    held: list[dict[str, Any]] = []
    for part in parts:
        held.append(part)
        if sum(one["pairs"] for one in held) >= BATCH:
            yield tuple(held)
            held = []
    if held:
        yield tuple(held)


def read_window(
    base: Side, candidate: Side, window: Window, hero_columns: Sequence[str] = ()
) -> tuple[Batch | None, Batch | None]:
    """The pairs of a window in either run, in one order; of paired cells only those that both have.

    Raises
    ------
    EnvironmentFault
        A part is damaged.
    """
    wanted = [*KEYS, *hero_columns]
    one = _rows(base, window.base, wanted)
    two = _rows(candidate, window.candidate, wanted)
    if window.twin.paired:
        if one is None or two is None:
            return None, None
        mine, theirs = (np.unique(games["pair"].to_numpy()) for games, _ in (one, two))
        if not np.array_equal(mine, theirs):
            common = np.intersect1d(mine, theirs)
            one, two = _chosen(one, common), _chosen(two, common)
    return _batch(base, window.twin.base, one), _batch(candidate, window.twin.candidate, two)


Frames = tuple["pl.DataFrame", "pl.DataFrame"]


def _rows(side: Side, parts: Sequence[dict[str, Any]], wanted: Sequence[str]) -> Frames | None:
    games = read_rows(side.run, list(parts), "games", leave=("cell", "stream"))
    return (games, read_rows(side.run, list(parts), "heroes", wanted)) if games.height else None


def _chosen(frames: Frames, pairs: np.ndarray) -> Frames:
    return tuple(  # type: ignore[return-value]
        frame.filter(np.isin(frame["pair"].to_numpy(), pairs)) if frame.height else frame for frame in frames
    )


def _batch(side: Side, number: int, frames: Frames | None) -> Batch | None:
    if frames is None or not frames[0].height:
        return None
    return make_batch(side.design, side.cell(number), *frames)


def collect_gaps(
    base: Side, candidate: Side, twins: Sequence[Twin], columns: Columns, threads: int | None = None
) -> list[CellGap]:
    """Sum the common cells of two runs, in the order of `twins`; those without pairs are left out.

    Parameters
    ----------
    base, candidate : Side
    twins : sequence of Twin
    columns : Columns
        Columns that are not in the rows are left out.
    threads : int, optional
        Changes no digit.
    """
    found = {twin: _empty(base, candidate, twin) for twin in twins}
    common = [name for name in base.design.heroes if name in candidate.design.heroes]
    wanted = [*columns.hero, "seat", "chances", *([columns.pick] if columns.pick else [])]

    def summed(window: Window) -> CellGap:
        batches = read_window(base, candidate, window, wanted)
        return _summed(base, candidate, window.twin, columns, common, batches)

    with ThreadPoolExecutor(threads or usable_threads(), thread_name_prefix="balance-compare") as pool:
        for part in in_order(pool, summed, windows(base, candidate, twins)):
            found[part.twin].merge(part)
    return [cell for cell in found.values() if cell.played]


def _empty(base: Side, candidate: Side, twin: Twin) -> CellGap:
    sums = CellSums(base.cell(twin.base)), CellSums(candidate.cell(twin.candidate))
    return CellGap(twin, *sums, Moments(), np.zeros((base.design.sides, base.design.sides)))


def _summed(
    base: Side,
    candidate: Side,
    twin: Twin,
    columns: Columns,
    heroes: Sequence[str],
    batches: tuple[Batch | None, Batch | None],
) -> CellGap:
    """The sums of one window."""
    result = _empty(base, candidate, twin)
    kept, details = [], []
    for side, sums, batch in zip((base, candidate), (result.base, result.candidate), batches, strict=True):
        sums.moments, sums.details = Kept(), KeptDetails()
        if batch is not None:
            add_batch(Sums(side.design, columns, [sums]), batch)
        kept.append(sums.moments.last)
        details.append(sums.details.last)
    values = [
        hero_values(side.design, batch, columns, heroes)
        for side, batch in zip((base, candidate), batches, strict=True)
    ]
    result.heroes.add(values[0], values[1], twin.paired)
    result.play.add(*play_values(details[0], details[1], twin.paired), twin.paired)
    if twin.paired and batches[0] is not None:
        _add_gaps(result, kept[0], kept[1], batches[0].n)
    return result


def _add_gaps(cell: CellGap, base: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray], n: int) -> None:
    """Differences by pair of everything that both runs recorded."""
    cell.gaps.n += n
    changed, altered = np.zeros((2, n), bool)
    for name in base.keys() & other.keys():
        if name.startswith(("players_", "places_")):
            continue
        gap = other[name] - base[name]
        cell.gaps.add(name, gap)
        changed |= gap != 0
        if name.startswith(RESULTS):
            altered |= gap != 0
    cell.changed += int(changed.sum())
    cell.altered += int(altered.sum())
    players = np.stack([other[f"player_{k}"] - base[f"player_{k}"] for k in range(len(cell.products))])
    cell.products += np.einsum("in,jn->ij", players, players)


@dataclass(frozen=True)
class Gap:
    """One value in one cell.

    Attributes
    ----------
    base, candidate : float
        Means over pairs.
    variance : float
        Of the difference of the two means; NaN when it is not known.
    squares : float
        Sum over pairs of squared differences; NaN where the cell is not paired.
    """

    base: float
    candidate: float
    variance: float
    squares: float


def gap_of(cell: CellGap, name: str) -> Gap | None:
    """A pair value in one cell; None when one of the runs did not record it.

    Paired: V = s^2(d) / n with d the differences of pairs. Otherwise V = s_b^2 / n_b + s_c^2 / n_c.
    """
    sides = (cell.base.moments, cell.candidate.moments)
    if not all(name in moments.total for moments in sides):
        return None
    base, candidate = (moments.total[name] / moments.n for moments in sides)
    if cell.twin.paired:
        variance = _variance(cell.gaps, name) / cell.gaps.n
        return Gap(base, candidate, variance, cell.gaps.square[name])
    variance = sum(_variance(moments, name) / moments.n for moments in sides)
    return Gap(base, candidate, variance, math.nan)


def _variance(moments: Moments, name: str) -> float:
    """Sample variance of a pair value; NaN with a single pair."""
    n = moments.n
    if n < 2:
        return math.nan
    centred = moments.square[name] - moments.total[name] ** 2 / n
    # Rounding of the sums must not pass for spread, nor make a variance negative.
    return 0.0 if centred < 1e-12 * max(moments.square[name], 1.0) else centred / (n - 1)
