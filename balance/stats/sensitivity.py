"""Which assumed numbers matter: Sobol indices and Morris' elementary effects.

Sources: Sobol' (1993), Saltelli et al. (2010) and Jansen (1999) through ``scipy.stats.sobol_indices``; Morris
(1991) and Campolongo, Cariboni and Saltelli (2007) for the mean absolute effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.stats.estimate import Estimate, Refusal

SOBOL = "Sobol index (Saltelli design), BCa bootstrap interval"
MORRIS = "Morris mean absolute elementary effect, normal interval over trajectories"
Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class SobolIndex:
    """One parameter.

    Attributes
    ----------
    name : str
    first : Estimate
        Share of the output's variance from this parameter alone; may lie slightly below zero by noise.
    total : Estimate
        Share with all its interactions.
    shown_first, shown_total : float
        The same within 0 and 1, for display only.
    """

    name: str
    first: Estimate
    total: Estimate
    shown_first: float
    shown_total: float


@dataclass(frozen=True)
class Effect:
    """Elementary effects of one parameter, over its whole range.

    Attributes
    ----------
    name : str
    mean_absolute : Estimate
        mu*: mean of the absolute effects.
    mean : float
        mu: mean with sign.
    sd : float
        sigma: standard deviation (not a standard error); large when the effect bends or interacts.
    """

    name: str
    mean_absolute: Estimate
    mean: float
    sd: float


def sobol(
    function: Function, ranges: Sequence[tuple[str, float, float]], n: int, seed: int = 0, draws: int = 200
) -> tuple[SobolIndex, ...] | Refusal:
    """Sobol indices of a function of independent, uniform parameters.

    S_i = Var(E[f | x_i]) / Var f; S_Ti = E[Var(f | all but x_i)] / Var f.

    Parameters
    ----------
    function : callable
        Takes points, shape (d, m), and returns values, shape (m,).
    ranges : sequence of (str, float, float)
        Name, lower and upper end.
    n : int
        A power of two; the function is evaluated n (d + 2) times.
    seed : int
    draws : int
        Of the bootstrap behind the intervals.

    Returns
    -------
    tuple of SobolIndex, or Refusal
        A refusal without parameters, or when the function never varies.
    """
    from scipy.stats import sobol_indices, uniform

    if not ranges or any(not low < high for _, low, high in ranges):
        return Refusal("A sensitivity needs parameters whose range is not empty.", "Vary at least one.")
    if n < 2 or n & (n - 1):
        raise ValueError(f"n has to be a power of two, not {n}")
    dists = [uniform(low, high - low) for _, low, high in ranges]
    random = np.random.default_rng(seed)
    values = function(np.array([dist.ppf(random.random(64)) for dist in dists]))
    if np.ptp(values) == 0:
        return Refusal("The result did not change over the range of the parameters.", "Widen the ranges.")

    def scalar(x: np.ndarray) -> np.ndarray:
        return np.asarray(function(x), dtype=float)[None, :]

    found = sobol_indices(func=scalar, n=n, dists=dists, rng=random)
    spread = found.bootstrap(confidence_level=0.95, n_resamples=draws)
    rows = []
    for place, (name, _, _) in enumerate(ranges):
        first = _estimate(found.first_order, spread.first_order, place, n)
        total = _estimate(found.total_order, spread.total_order, place, n)
        rows.append(SobolIndex(name, first, total, _clip(first.value), _clip(total.value)))
    return tuple(rows)


def _estimate(values: Any, spread: Any, place: int, n: int) -> Estimate:
    value = float(np.ravel(values)[place])
    low, high = (
        float(np.ravel(end)[place])
        for end in (spread.confidence_interval.low, spread.confidence_interval.high)
    )
    return Estimate(value, float(np.ravel(spread.standard_error)[place]), low, high, n, SOBOL)


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def trajectories(d: int, count: int, levels: int = 4, seed: int = 0) -> np.ndarray:
    """Morris' design on the unit cube: `count` walks that change one parameter at a time.

    Every step is levels / (2 (levels - 1)), which visits all levels equally often (Morris 1991).

    Returns
    -------
    ndarray, shape (count, d + 1, d)
    """
    if d < 1 or count < 1 or levels < 2 or levels % 2:
        raise ValueError("a design needs parameters, walks and an even number of levels")
    random, step = np.random.default_rng(seed), levels / (2 * (levels - 1))
    grid = np.arange(levels // 2) / (levels - 1)
    walks = np.empty((count, d + 1, d))
    for walk in walks:
        start, up = random.choice(grid, d), random.random(d) < 0.5
        point = np.where(up, start, start + step)
        walk[0] = point
        for place, parameter in enumerate(random.permutation(d), start=1):
            point = point.copy()
            point[parameter] += step if up[parameter] else -step
            walk[place] = point
    return walks


def morris_effects(
    names: Sequence[str], walks: np.ndarray, values: np.ndarray
) -> tuple[Effect, ...] | Refusal:
    """Elementary effects from evaluated walks: change of the value over change of the parameter's share.

    mu* = mean |e|, mu = mean e, sigma = sd e over the walks (Campolongo et al. 2007).

    Parameters
    ----------
    names : sequence of str
    walks : ndarray, shape (count, d + 1, d)
        As :func:`trajectories` made them.
    values : ndarray, shape (count, d + 1)

    Returns
    -------
    tuple of Effect, or Refusal
        A refusal with fewer than two walks.
    """
    from balance.stats.estimate import interval
    from balance.stats.sequences import sample_of

    if len(walks) < 2:
        return Refusal("Elementary effects need at least two walks.", "Ask for more trajectories.")
    moved = np.diff(walks, axis=1)
    which = np.abs(moved).argmax(axis=2)
    size = np.take_along_axis(moved, which[:, :, None], axis=2)[:, :, 0]
    effects = np.empty((len(walks), len(names)))
    np.put_along_axis(effects, which, np.diff(values, axis=1) / size, axis=1)
    found = []
    for place, name in enumerate(names):
        column = effects[:, place]
        absolute = sample_of(np.abs(column))
        estimate = interval(absolute.mean, absolute.se, absolute.n, MORRIS, absolute.n - 1, (0.0, np.inf))
        found.append(Effect(name, estimate, float(column.mean()), float(column.std(ddof=1))))
    return tuple(found)


def morris(
    function: Function,
    ranges: Sequence[tuple[str, float, float]],
    count: int = 50,
    levels: int = 4,
    seed: int = 0,
) -> tuple[Effect, ...] | Refusal:
    """Morris' screening of a function; effects are over a parameter's whole range.

    Parameters
    ----------
    function, ranges
        As in :func:`sobol`.
    count : int
        Walks; the function is evaluated count (d + 1) times.
    levels : int
        Even.
    seed : int
    """
    if not ranges:
        return Refusal("A sensitivity needs at least one parameter.", "Vary at least one.")
    low = np.array([row[1] for row in ranges])
    width = np.array([row[2] for row in ranges]) - low
    walks = trajectories(len(ranges), count, levels, seed)
    points = low + walks.reshape(-1, len(ranges)) * width
    values = np.asarray(function(points.T), dtype=float).reshape(walks.shape[:2])
    return morris_effects([row[0] for row in ranges], walks, values)
