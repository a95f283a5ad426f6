"""Sensitivity from runs that have been played: is a set of points a design, and what do its values say?

Sources: Saltelli et al. (2010) for the design and the first-order estimator, Jansen (1999) for the total one;
Morris (1991). Intervals are the percentile bootstrap over the design's points, which stays defined where
nothing varies.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.stats.estimate import LEVEL, Estimate, Refusal
from balance.stats.sensitivity import SobolIndex

METHOD = "Sobol index (Saltelli design), bootstrap percentile interval"
DRAWS = 1000
LEAST = 4  # points of a design: fewer say nothing about shares of variance


def find_saltelli(grid: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray] | Refusal:
    """Which rows of a set of points are the matrices A, B and A with one column of B.

    Each point belongs to one place of the design, in the order of the rows (Saltelli et al. 2010).

    Parameters
    ----------
    grid : ndarray, shape (m, d)

    Returns
    -------
    tuple of ndarray, shapes (n,), (n,) and (d, n); or Refusal
        Row numbers; a refusal when the points are no such design with n a power of two.
    """
    m, d = grid.shape
    n = m // (d + 2)
    refusal = Refusal(
        f"{m} runs are no Saltelli design of {d} numbers, which takes n x {d + 2} runs, n = 4, 8, 16 ...: "
        "two samples, and the first of them with each number taken from the second.",
        "Sobol indices need such a set of runs.",
    )
    if d < 2 or m != n * (d + 2) or n < LEAST or n & (n - 1):
        return refusal
    places: dict[tuple[float, ...], list[int]] = {}
    for row, point in enumerate(grid):
        places.setdefault(tuple(point), []).append(row)
    found: list[tuple[int, int, list[int]]] = []
    free = set(range(m))
    for a in range(m):
        for b in range(m):
            mixed = _mixed(grid, places, free, a, b)
            if mixed:
                found.append((a, b, mixed))
                free -= {a, b, *mixed}
                break
    if len(found) != n:
        return refusal
    return (
        np.array([a for a, _, _ in found]),
        np.array([b for _, b, _ in found]),
        np.array([mixed for _, _, mixed in found]).T,
    )


def _mixed(
    grid: np.ndarray, places: dict[tuple[float, ...], list[int]], free: set[int], a: int, b: int
) -> list[int]:
    """Rows that are point a with one number of point b, one a number; empty when some are missing."""
    if a not in free or b not in free or a == b or (grid[a] == grid[b]).any():
        return []
    rows: list[int] = []
    for column in range(grid.shape[1]):
        point = grid[a].copy()
        point[column] = grid[b, column]
        row = next((r for r in places.get(tuple(point), ()) if r in free and r not in (a, b, *rows)), None)
        if row is None:
            return []
        rows.append(row)
    return rows


def sobol_of_design(
    names: Sequence[str], values: np.ndarray, a: np.ndarray, b: np.ndarray, mixed: np.ndarray, seed: int = 0
) -> tuple[SobolIndex, ...] | Refusal:
    """Sobol indices from values that have been computed.

    S_i = mean(f_B (f_ABi - f_A)) / Var f and S_Ti = mean((f_A - f_ABi)^2) / (2 Var f), with f centred and Var
    over both samples.

    Parameters
    ----------
    names : sequence of str, length d
    values : ndarray, shape (m,)
    a, b, mixed : ndarray
        As :func:`find_saltelli` finds them.
    seed : int
        Of the bootstrap behind the intervals.

    Returns
    -------
    tuple of SobolIndex, or Refusal
        A refusal when the values never vary.
    """
    if np.ptp(values) == 0:
        return Refusal("The result did not change over the range of the numbers.", "Widen the ranges.")
    n, random = len(a), np.random.default_rng(seed)
    draws = random.integers(n, size=(DRAWS, n))
    found = _indices(values[a][None], values[b][None], values[mixed][:, None])
    spread = _indices(values[a][draws], values[b][draws], values[mixed][:, draws])
    rows = []
    for place, name in enumerate(names):
        first, total = (
            _percentile(float(one[place, 0]), many[place], n) for one, many in zip(found, spread, strict=True)
        )
        rows.append(SobolIndex(name, first, total, *(min(max(x.value, 0.0), 1.0) for x in (first, total))))
    return tuple(rows)


def _indices(a: np.ndarray, b: np.ndarray, mixed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and total indices, shape (d, draws), from values of shape (draws, n) and (d, draws, n)."""
    both = np.concatenate([a, b], axis=1)
    centre, variance = both.mean(axis=1, keepdims=True), both.var(axis=1)
    variance = np.where(variance > 0, variance, np.nan)  # a draw without spread says nothing
    first = ((b - centre) * (mixed - a)).mean(axis=2) / variance
    return first, ((a - mixed) ** 2).mean(axis=2) / (2 * variance)


def _percentile(value: float, draws: np.ndarray, n: int) -> Estimate:
    known = draws[np.isfinite(draws)]
    low, high = np.quantile(known, [0.5 - LEVEL / 2, 0.5 + LEVEL / 2]) if len(known) else (np.nan, np.nan)
    se = float(known.std(ddof=1)) if len(known) > 1 else np.nan
    return Estimate(value, se, min(float(low), value), max(float(high), value), n, METHOD)


def find_walks(grid: np.ndarray) -> np.ndarray | Refusal:
    """Morris' walks among points in the order given: each step moves one parameter, each parameter once.

    Parameters
    ----------
    grid : ndarray, shape (m, d)

    Returns
    -------
    ndarray of int, shape (count, d + 1); or Refusal
    """
    m, d = grid.shape
    refusal = Refusal(
        f"{m} runs in this order are no walks of Morris' design, which changes one of the {d} numbers at a "
        f"time, each once in {d + 1} runs, at least twice over.",
        "Elementary effects need such a set of runs, in the order of the walks.",
    )
    if d < 2 or m % (d + 1) or m < 2 * (d + 1):
        return refusal
    rows = np.arange(m).reshape(-1, d + 1)
    moved = np.diff(grid[rows], axis=1) != 0
    once = (moved.sum(axis=2) == 1).all() and (moved.sum(axis=1) == 1).all()
    return rows if once else refusal
