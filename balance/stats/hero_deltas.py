"""How hero strengths differ between two runs, with the error that common streams leave.

The strengths of a run are least-squares estimates, so each pair moves hero h's strength by B_h u, with u the
pair's score vector and B the centred inverse information. On a pair that both runs played on the same streams
the difference of strengths moves by psi = B_c u_c - B_b u_b, and the variance of the difference is the sum of
psi^2 over pairs: with equal rosters this is the fit of the paired differences of scores with its sandwich
clustered by pair, and it holds as well where drafts went otherwise. Pairs of only one of the runs move it by
their own part. Sources: the cluster sandwich (Liang and Zeger 1986); for few changes Agresti and Min (2005).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.batch import Batch
from balance.stats.deltas import FEW_CHANGES, FEW_PAIRS
from balance.stats.estimate import Estimate, Refusal, interval, normal_quantile, two_sided
from balance.stats.heroes import StrengthTable, agents_differ, strengths
from balance.stats.levels import Level, level_fit
from balance.stats.run_gaps import CellGap, Side, Twin, read_window, windows
from balance.stats.sums import CellSums, Columns, Sums

PAIRED = "difference of least-squares strengths, sandwich error clustered by common pair, t interval"
FEW = "difference of least-squares strengths, sandwich error widened by one changed pair, normal interval"
APART = "difference of least-squares strengths, independent sandwich errors, t interval"


@dataclass(frozen=True)
class HeroDelta:
    """One hero.

    Attributes
    ----------
    hero : str
    base, candidate : Estimate
        Strength in either run, against the mean of that run's heroes.
    difference : Estimate
        Candidate less base, against the mean of the heroes that both runs have.
    p : float
        For "no difference", not adjusted.
    error : float
        Standard error behind `p`; widened where few pairs changed.
    """

    hero: str
    base: Estimate
    candidate: Estimate
    difference: Estimate
    p: float
    error: float


@dataclass
class Group:
    """Cells whose heroes are fitted together, in both runs.

    Attributes
    ----------
    level : int
        Which of the common levels.
    arena : str
        Empty for all arenas.
    cells : list of CellGap
    tables : tuple of StrengthTable
    fits : tuple of Level
    heroes : tuple of str
        In both tables.
    sums : ndarray, shape (heroes,)
        Of psi^2.
    """

    level: int
    arena: str
    cells: list[CellGap]
    tables: tuple[StrengthTable, StrengthTable]
    fits: tuple[Level, Level]
    heroes: tuple[str, ...]
    sums: np.ndarray

    @property
    def paired(self) -> bool:
        """Whether every cell is."""
        return all(cell.twin.paired for cell in self.cells)


Result = dict[tuple[int, str], tuple[HeroDelta, ...] | Refusal]


def hero_deltas(
    base: Side, candidate: Side, cells: Sequence[CellGap], columns: Columns, by_arena: bool = True
) -> Result:
    """Differences of strengths at every common level, over all arenas and in each; reads the rows once more.

    Parameters
    ----------
    base, candidate : Side
    cells : sequence of CellGap
    columns : Columns
    by_arena : bool
        Whether each arena is fitted by itself as well.

    Returns
    -------
    dict of (int, str) to tuple of HeroDelta, or Refusal
        By level and arena (empty for all); a refusal where either run does not determine strengths.
    """
    found: Result = {}
    groups = []
    for key, held in grouped(cells, by_arena).items():
        group = _group(base, candidate, key, held, columns)
        if isinstance(group, Refusal):
            found[key] = group
        else:
            groups.append(group)
    _add_pairs(base, candidate, groups)
    return found | {(group.level, group.arena): _deltas(base, candidate, group) for group in groups}


def grouped(cells: Sequence[CellGap], by_arena: bool) -> Mapping[tuple[int, str], list[CellGap]]:
    """Cells by level, and by level and arena where there are several arenas."""
    found: dict[tuple[int, str], list[CellGap]] = {}
    several = by_arena and len({cell.base.cell.arena for cell in cells}) > 1
    for cell in cells:
        found.setdefault((cell.twin.level, ""), []).append(cell)
        if several:
            found.setdefault((cell.twin.level, cell.base.cell.arena), []).append(cell)
    return found


def _group(
    base: Side, candidate: Side, key: tuple[int, str], cells: list[CellGap], columns: Columns
) -> Group | Refusal:
    """Both fits of some cells, or why there are none."""
    tables, fits = [], []
    for side, sums in ((base, [c.base for c in cells]), (candidate, [c.candidate for c in cells])):
        held, level = Sums(side.design, columns, sums), sums[0].cell.level
        table, fit = strengths(held, level), level_fit(held, level)
        if isinstance(table, Refusal):
            return table
        if fit is None:
            return Refusal("Too few pairs for hero strengths.")
        tables.append(table)
        fits.append(fit)
    names = [side.design.heroes for side in (base, candidate)]
    known = [{names[k][int(hero)] for hero in fits[k].present} for k in (0, 1)]
    heroes = tuple(hero for hero in names[0] if hero in known[0] & known[1])
    if len(heroes) < 2:
        return Refusal("The two runs have fewer than two heroes in common.")
    return Group(*key, cells, tuple(tables), tuple(fits), heroes, np.zeros(len(heroes)))  # type: ignore[arg-type]


def _bread(side: Side, fit: Level, heroes: Sequence[str]) -> np.ndarray:
    """Rows of the fit's bread for some heroes, centred on their mean, shape (heroes, p)."""
    present = [side.design.heroes[int(hero)] for hero in fit.present]
    rows = fit.bread[[present.index(hero) for hero in heroes]]
    return np.asarray(rows - rows.mean(axis=0))


def _add_pairs(base: Side, candidate: Side, groups: Sequence[Group]) -> None:
    """Sum psi^2 over the pairs of all groups, window by window."""
    by_twin: dict[Twin, list[Group]] = {}
    for group in groups:
        for cell in group.cells:
            by_twin.setdefault(cell.twin, []).append(group)
    breads = {
        id(group): [_bread(s, f, group.heroes) for s, f in zip((base, candidate), group.fits, strict=True)]
        for group in groups
    }
    for window in windows(base, candidate, list(by_twin)):
        batches = read_window(base, candidate, window)
        for group in by_twin[window.twin]:
            parts = [
                _moved(side.design, fit, bread, batch)
                for side, fit, bread, batch in zip(
                    (base, candidate), group.fits, breads[id(group)], batches, strict=True
                )
                if batch is not None
            ]
            if window.twin.paired and len(parts) == 2:
                parts = [parts[1] - parts[0]]
            for psi in parts:
                group.sums += np.einsum("nh,nh->h", psi, psi)


def _moved(design, fit: Level, bread: np.ndarray, batch: Batch) -> np.ndarray:  # type: ignore[no-untyped-def]
    """By how much each pair moves each strength, shape (n, heroes)."""
    differ = agents_differ(design, CellSums(batch.cell))
    vectors = fit.vectors(batch.counts, batch.player_scores, batch.cell.number, differ)
    return np.asarray(np.einsum("np,hp->nh", vectors, bread))


def _deltas(base: Side, candidate: Side, group: Group) -> tuple[HeroDelta, ...]:
    """Estimates of one group, in the order of the heroes."""
    entries = [[table.of(hero) for hero in group.heroes] for table in group.tables]
    values = [np.array([entry.effect.value for entry in row]) for row in entries]  # type: ignore[union-attr]
    gap = (values[1] - values[1].mean()) - (values[0] - values[0].mean())
    gap[np.abs(gap) < 1e-12] = 0.0
    n = sum(cell.n for cell in group.cells)
    freedom = n - len(group.heroes) - len(group.cells) + 1
    squares = sum(float(cell.products[0, 0]) for cell in group.cells)
    few = group.paired and (squares < FEW_CHANGES or n < FEW_PAIRS)
    extra = _one_more(base, group, n) if few else np.zeros(len(gap))
    found = []
    for place, hero in enumerate(group.heroes):
        estimate, error = _estimate(float(gap[place]), group.sums[place], extra[place], n, freedom, group)
        p = two_sided(estimate.value, error, max(freedom, 1))
        found.append(
            HeroDelta(
                hero,
                entries[0][place].effect,  # type: ignore[union-attr]
                entries[1][place].effect,  # type: ignore[union-attr]
                estimate,
                p,
                error,
            )
        )
    return tuple(found)


def _estimate(
    value: float, square: float, extra: float, n: int, freedom: int, group: Group
) -> tuple[Estimate, float]:
    """The difference with its interval, and the standard error for the test."""
    se, wide = math.sqrt(square), math.sqrt(square + extra)
    if extra:
        reach = normal_quantile(0.975) * wide
        return Estimate(value, se, value - reach, value + reach, n, FEW), wide
    return interval(value, se, n, PAIRED if group.paired else APART, freedom), wide


def _one_more(base: Side, group: Group, n: int) -> np.ndarray:
    """What one changed pair more adds to the variance of each strength.

    No spread is not certainty: Agresti and Min add one pair to the table of changes. A pair whose score moves
    by one whole game moves hero h by B_h x; the mean of its square over the pairs is k / (k - 1) B_hh / n.
    """
    bread, sides = _bread(base, group.fits[0], group.heroes), base.design.sides
    present = [base.design.heroes[int(hero)] for hero in group.fits[0].present]
    own = [present.index(hero) for hero in group.heroes]
    return np.asarray(np.maximum(bread[np.arange(len(own)), own], 0.0) * sides / (sides - 1) / n)


def largest(deltas: Iterable[HeroDelta]) -> HeroDelta:
    """The hero whose strength differs most, by size."""
    return max(deltas, key=lambda delta: abs(delta.difference.value))
