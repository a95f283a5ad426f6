"""Ratios in two runs, whose errors go together on common streams: what heroes did, how games went.

Source: ratio estimates, Cochran (1977), chapter 6; the difference of two of them by the delta method on the
four sums that they are made of.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from balance.stats.batch import Batch
from balance.stats.design import Design
from balance.stats.sums import Columns

Values = Mapping[str, np.ndarray]
#: Ratios of one number a game, of :class:`balance.stats.details.Details`.
PLAY = ("pace", "options", "forced", "branching", "swings", "behind", "comeback", "trailed", "sealed")


def hero_values(design: Design, batch: Batch | None, columns: Columns, heroes: Sequence[str]) -> Values:
    """Sums by pair of every averaged column of the heroes table, and the copies behind them.

    Returns
    -------
    dict of str to ndarray, shape (2, heroes, n)
        By column: what the hero did, and how many copies did it. Empty without heroes.
    """
    if batch is None or not batch.heroes.height or not heroes:
        return {}
    kinds, n = len(design.heroes), batch.n
    chosen = [design.heroes.index(hero) for hero in heroes]
    keys, weight = batch.heroes["hero"].to_numpy() * n + batch.hero_pair, batch.hero_weight

    def summed(values: np.ndarray | None) -> np.ndarray:
        weights = weight if values is None else values if weight is None else weight * values
        return np.bincount(keys, weights, kinds * n).reshape(kinds, n)[chosen].astype(float)

    copies = summed(None)
    return {
        name: np.stack([summed(batch.heroes[name].to_numpy()), copies])
        for name in columns.hero
        if name in batch.heroes.columns
    }


def play_values(
    base: Mapping[str, tuple[np.ndarray, np.ndarray]],
    candidate: Mapping[str, tuple[np.ndarray, np.ndarray]],
    paired: bool,
) -> tuple[Values, Values]:
    """The ratios of :data:`PLAY` in both runs, without pairs that have no divisor in either.

    Parameters
    ----------
    base, candidate : mapping of str to (ndarray, ndarray)
        The two parts of a ratio by pair, shape (n, 1) each.
    paired : bool
        Whether pairs stand in one order in both.
    """
    found: tuple[dict[str, np.ndarray], dict[str, np.ndarray]] = ({}, {})
    for name in PLAY:
        parts = [side.get(name) for side in (base, candidate)]
        held = [None if part is None else np.stack([part[0].T, part[1].T]) for part in parts]
        used = [None if values is None else values[1, 0] != 0 for values in held]
        if paired and used[0] is not None and used[1] is not None:
            used = [used[0] | used[1]] * 2
        for side, values, rows in zip(found, held, used, strict=True):
            if values is not None and rows is not None and rows.any():
                side[name] = values[:, :, rows].astype(float)
    return found


@dataclass
class Scatter:
    """Sums of a column's four values a hero: done and copies in the base, done and copies in the candidate.

    Attributes
    ----------
    n : ndarray of int, shape (2,)
        Pairs of either run.
    total : ndarray, shape (4, heroes)
    products : ndarray, shape (4, 4, heroes)
        Zero between the runs where they are not paired.
    """

    n: np.ndarray
    total: np.ndarray
    products: np.ndarray


@dataclass
class RatioGaps:
    """Scatters of one cell by column."""

    columns: dict[str, Scatter] = field(default_factory=dict)

    def add(self, base: Values, candidate: Values, paired: bool) -> None:
        """Add a window; one of the two may be empty where the cell is not paired."""
        for name in {**base, **candidate}:
            one, two = base.get(name), candidate.get(name)
            if paired and (one is None or two is None):
                continue
            self._merge(name, _scatter(one, two, paired))

    def merge(self, other: RatioGaps) -> None:
        """Add what another window gave."""
        for name, scatter in other.columns.items():
            self._merge(name, scatter)

    def _merge(self, name: str, more: Scatter) -> None:
        held = self.columns.get(name)
        if held is None:
            self.columns[name] = more
            return
        held.n += more.n
        held.total += more.total
        held.products += more.products


def _scatter(one: np.ndarray | None, two: np.ndarray | None, paired: bool) -> Scatter:
    known = one if one is not None else two
    assert known is not None  # the column was in one of them
    kinds = known.shape[1]
    n = np.array([0 if held is None else held.shape[2] for held in (one, two)])
    total, products = np.zeros((4, kinds)), np.zeros((4, 4, kinds))
    if paired:
        values = np.concatenate([one, two])  # type: ignore[list-item]
        return Scatter(n, values.sum(axis=2), np.einsum("ikn,jkn->ijk", values, values))
    for place, held in ((slice(0, 2), one), (slice(2, 4), two)):
        if held is not None:
            total[place] = held.sum(axis=2)
            products[place, place] = np.einsum("ikn,jkn->ijk", held, held)
    return Scatter(n, total, products)


@dataclass(frozen=True)
class RatioGap:
    """One column of one hero over some cells.

    Attributes
    ----------
    base, candidate : float
        Done a copy.
    variance : float
        Of their difference.
    n, freedom : int
    """

    base: float
    candidate: float
    variance: float
    n: int
    freedom: int


def ratio_gaps(cells: Sequence[tuple[RatioGaps, bool]], name: str) -> list[RatioGap | None]:
    """The difference of a ratio for every hero; None where one of the runs never had him.

    With R = A / M in either run, the difference moves with a pair by (a - R m) / M of the candidate less the
    same of the base; its variance is summed over cells.

    Parameters
    ----------
    cells : sequence of (RatioGaps, bool)
        With whether the cell is paired.
    name : str
    """
    held = [(gaps.columns[name], paired) for gaps, paired in cells if name in gaps.columns]
    if not held:
        return []
    total = np.sum([scatter.total for scatter, _ in held], axis=0)
    n = sum(int(scatter.n.min()) for scatter, _ in held)
    return [_ratio(held, total[:, hero], hero, n) for hero in range(total.shape[1])]


def _ratio(held: Sequence[tuple[Scatter, bool]], total: np.ndarray, hero: int, n: int) -> RatioGap | None:
    if not (total[1] and total[3]):
        return None
    base, candidate = total[0] / total[1], total[2] / total[3]
    weights = np.array([-1 / total[1], base / total[1], 1 / total[3], -candidate / total[3]])
    variance = sum(_spread(scatter, weights, hero, paired) for scatter, paired in held)
    freedom = n - len(held)
    return RatioGap(base, candidate, variance if freedom > 0 else math.nan, n, freedom)


def _spread(scatter: Scatter, weights: np.ndarray, hero: int, paired: bool) -> float:
    """n / (n - 1) times the sum of squares around the mean of the weighted sum of a pair's values."""
    products, total = scatter.products[:, :, hero], scatter.total[:, hero]
    groups = [slice(0, 4)] if paired else [slice(0, 2), slice(2, 4)]
    found = 0.0
    for place, n in zip(groups, scatter.n, strict=False):
        if n > 1:
            w = weights[place]
            square = float(w @ products[place, place] @ w)
            scale = float(np.abs(w) @ products[place, place] @ np.abs(w))
            centred = square - float(w @ total[place]) ** 2 / n
            # Rounding of the sums must not pass for spread.
            found += centred * n / (n - 1) if centred > 1e-12 * scale else 0.0
    return found
