"""Means over pairs, and ratios over pairs, with standard errors stratified by cell.

The cells of a run are fixed by its plan, so only the spread of pairs inside a cell is sampling error:
with one cell this is exactly SE = sd / sqrt(pairs).

Sources: stratified means and ratios, Cochran (1977), Sampling Techniques, chapters 5 and 6; Wilson (1927).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from balance.stats.estimate import Estimate, interval
from balance.stats.proportions import wilson
from balance.stats.sums import CellSums

METHOD = "mean over pairs, t interval"
RATIO = "ratio over pairs, t interval"
UNIT = (0.0, 1.0)


def mean_of(
    cells: Sequence[CellSums], name: str, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Estimate | None:
    """Mean of a pair value over cells that count alike; None when no cell recorded it.

    Cells of a plan have equal numbers of pairs, unless a run was allocated adaptively or broken off; what is
    estimated must not depend on that.

    A value between 0 and 1 that never varied gets Wilson's interval, because a standard error of zero
    from few pairs says nothing.
    """
    held = [cell for cell in cells if name in cell.moments.total and cell.moments.n]
    return balanced_mean([(cell, name) for cell in held], bounds)


def balanced_mean(
    cells: Sequence[tuple[CellSums, str]], bounds: tuple[float, float] = UNIT
) -> Estimate | None:
    """Mean over cells that count alike, each with its own value; None without cells."""
    held = [(cell, name) for cell, name in cells if cell.moments.n]
    if not held:
        return None
    k, n = len(held), sum(cell.moments.n for cell, _ in held)
    value = sum(cell.moments.total[name] / cell.moments.n for cell, name in held) / k
    variance = sum(spread(cell, name) / cell.moments.n for cell, name in held) / k**2
    return finish(value, variance, n, n - k, bounds)


def spread(cell: CellSums, name: str) -> float:
    """Sample variance of a pair value in one cell; NaN with a single pair."""
    n = cell.moments.n
    if n < 2:
        return math.nan
    centred = cell.moments.square[name] - cell.moments.total[name] ** 2 / n
    # Rounding of the sums must not pass for spread, nor make a variance negative.
    tiny = 1e-12 * max(cell.moments.square[name], 1.0)
    return 0.0 if centred < tiny else centred / (n - 1)


def finish(
    value: float, variance: float, n: int, freedom: float, bounds: tuple[float, float], method: str = METHOD
) -> Estimate:
    """Interval around a mean of pairs; Wilson's when a share never varied."""
    if bounds == UNIT and variance == 0:
        low, high = wilson(min(max(value, 0.0), 1.0) * n, n)
        return Estimate(value, 0.0, min(low, value), max(high, value), n, "mean over pairs, Wilson interval")
    return interval(value, math.sqrt(variance) if variance >= 0 else math.nan, n, method, freedom, bounds)


def player_means(cell: CellSums) -> np.ndarray:
    """Mean score of every setup side of a cell, shape (sides,)."""
    n, total = cell.moments.n, cell.moments.total
    return np.array([total[f"player_{side}"] / n for side in range(_sides(cell))])


def player_covariance(cell: CellSums) -> np.ndarray:
    """Covariance over pairs of the setup sides' scores, shape (sides, sides); NaN with a single pair."""
    return _covariance(cell, "player")


def place_means(cell: CellSums) -> np.ndarray:
    """Mean score of every place in turn order of a cell, shape (sides,)."""
    n, total = cell.moments.n, cell.moments.total
    return np.array([total[f"place_{side}"] / n for side in range(_sides(cell))])


def place_covariance(cell: CellSums) -> np.ndarray:
    """Covariance over rotations of the scores by place in turn order (more than two sides only)."""
    return _covariance(cell, "place")


def _covariance(cell: CellSums, what: str) -> np.ndarray:
    """Sum of products less product of sums, over n - 1; rounding does not pass for spread."""
    n, total, k = cell.moments.n, cell.moments.total, _sides(cell)
    if n < 2:
        return np.full((k, k), math.nan)
    means = np.array([total[f"{what}_{side}"] / n for side in range(k)])
    products = np.array([[total[f"{what}s_{min(i, j)}_{max(i, j)}"] for j in range(k)] for i in range(k)])
    covariance = products / n - np.outer(means, means)
    return np.where(np.abs(covariance) < 1e-12, 0.0, covariance) * n / (n - 1)


def _sides(cell: CellSums) -> int:
    return sum(name.startswith("player_") for name in cell.moments.total)


def sd_of(cells: Sequence[CellSums], name: str) -> float:
    """Standard deviation of a pair's mean within cells (not a standard error)."""
    held = [cell for cell in cells if name in cell.moments.total and cell.moments.n > 1]
    n = sum(cell.moments.n for cell in held)
    return math.sqrt(sum(spread(cell, name) * cell.moments.n for cell in held) / n) if n else math.nan


def hero_ratio(cells: Sequence[CellSums], row: int, bounds: tuple[float, float]) -> list[Estimate | None]:
    """Ratio estimate of one row of :attr:`CellSums.hero` for every hero; None where it never played.

    Parameters
    ----------
    cells : sequence of CellSums
    row : int
        0 is the side's score, then the metrics in order.
    bounds : tuple of float
    """
    held = [cell for cell in cells if cell.hero is not None]
    return ratios([cell.hero[:, row] for cell in held], [cell.moments.n for cell in held], bounds)  # type: ignore[index]


def ratios(
    sums: Sequence[np.ndarray], pairs: Sequence[int], bounds: tuple[float, float]
) -> list[Estimate | None]:
    """Ratio estimates with errors stratified by cell; None where the divisor is zero.

    Parameters
    ----------
    sums : sequence of ndarray, shape (5, k)
        One a cell: sums over pairs of a, m, a a, a m, m m for k ratios of a to m.
    pairs : sequence of int
        Pairs behind them, one a cell.
    bounds : tuple of float
    """
    if not len(sums):
        return []
    stacked, n = np.stack(sums), int(sum(pairs))
    each, freedom = np.array(pairs)[:, None], n - len(sums)
    whole = stacked[:, 1].sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = stacked[:, 0].sum(axis=0) / whole
        error = stacked[:, 0] - ratio * stacked[:, 1]
        square = stacked[:, 2] - 2 * ratio * stacked[:, 3] + ratio**2 * stacked[:, 4]
        spread = (square - error**2 / each) * each / np.maximum(each - 1, 1)
        # Rounding of the sums must not pass for spread.
        spread = np.where(spread > 1e-12 * stacked[:, 2], spread, 0.0).sum(axis=0)
        variance = spread / whole**2
    return [
        finish(float(ratio[k]), float(variance[k]) if freedom > 0 else math.nan, n, freedom, bounds, RATIO)
        if whole[k]
        else None
        for k in range(len(whole))
    ]


def presence(cells: Sequence[CellSums]) -> list[Estimate]:
    """Share of sides that hold each hero; empty without heroes."""
    held = [cell for cell in cells if cell.presence is not None]
    if not held:
        return []
    n = sum(cell.moments.n for cell in held)
    total = np.sum([cell.presence[0] for cell in held], axis=0) / n  # type: ignore[index]
    if all(cell.cell.teams for cell in held):
        return [
            Estimate(float(share), 0.0, float(share), float(share), n, "fixed by the plan") for share in total
        ]
    spread = np.zeros_like(total)
    for cell in held:
        k, sums = cell.moments.n, cell.presence
        spread += np.maximum(sums[1] - sums[0] ** 2 / k, 0) * k / max(k - 1, 1)  # type: ignore[index]
    return [
        finish(float(share), float(variance) / n**2, n, n - len(held), UNIT)
        for share, variance in zip(total, spread, strict=True)
    ]
