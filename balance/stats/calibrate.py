"""Weights under which estimates of positions agree best with how the games ended.

Minimises the mean cross-entropy between a result y and its estimate v(w),

    L(w) = - mean of [ y ln v(w) + (1 - y) ln(1 - v(w)) ],

by Fisher scoring with Levenberg's damping: with J = dv/dw and the variance s = v (1 - v) of a result,
each step solves (J' J / s + damping) d = J' (y - v) / s. A step that does not lower L is taken back and the
damping raised. Sources: Levenberg (1944), Marquardt (1963); for weights of an evaluation fitted to results
of games, Buro, "From simple features to sophisticated evaluation functions" (1999).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ROUNDS = 60  # most steps that are tried
ENOUGH = 1e-9  # a step that lowers the loss by less is the last
STEP = 1e-3  # of a difference quotient, as a share of the weight's size
TINY = 1e-6  # an estimate is held so far from 0 and 1
START_DAMPING, MOST_DAMPING = 1e-3, 1e9


@dataclass(frozen=True)
class Calibration:
    """What came out.

    Attributes
    ----------
    weights : ndarray, shape (k,)
    loss, before : float
        Cross-entropy at the weights, and at the start.
    steps : int
        Steps that lowered it.
    """

    weights: np.ndarray
    loss: float
    before: float
    steps: int


Estimates = Callable[[np.ndarray], np.ndarray]  # weights (m, k) to estimates (m, n)


def calibrate(estimates: Estimates, results: np.ndarray, start: np.ndarray) -> Calibration:
    """Weights that make the estimates fit the results best, near `start` where the results do not say.

    Parameters
    ----------
    estimates : function
        Estimates in [0, 1] of n positions under m sets of k weights: shape (m, k) to (m, n).
    results : ndarray, shape (n,)
        What the positions led to, in [0, 1].
    start : ndarray, shape (k,)
        Weights to begin with.

    Raises
    ------
    ValueError
        There are no positions.
    """
    if not len(results):
        raise ValueError("no positions to fit to")
    weights, damping, steps = np.array(start, float), START_DAMPING, 0
    value = estimates(weights[None])[0]
    loss = before = cross_entropy(value, results)
    for _ in range(ROUNDS):
        slope, curvature = _equations(estimates, weights, value, results)
        lower = None
        while lower is None and damping <= MOST_DAMPING:
            lower = _tried(estimates, results, weights + _step(slope, curvature, damping), loss)
            damping = damping * 10 if lower is None else max(damping / 10, 1e-9)
        if lower is None:
            break
        gain, (weights, value, loss) = loss - lower[2], lower
        steps += 1
        if gain < ENOUGH:
            break
    return Calibration(weights, loss, before, steps)


def cross_entropy(estimates: np.ndarray, results: np.ndarray) -> float:
    """Mean cross-entropy of results in [0, 1] under estimates, in nats; infinite for what is no number."""
    held = np.clip(estimates, TINY, 1 - TINY)
    loss = -float(np.mean(results * np.log(held) + (1 - results) * np.log(1 - held)))
    return loss if np.isfinite(loss) else np.inf


def _equations(
    estimates: Estimates, weights: np.ndarray, value: np.ndarray, results: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Slope of the likelihood and its expected curvature, from two-sided difference quotients."""
    sizes = STEP * np.where(weights == 0, _typical(weights), np.abs(weights))
    moved = weights + np.concatenate([np.diag(sizes), -np.diag(sizes)])
    at = estimates(moved)
    count = len(weights)
    slopes = (at[:count] - at[count:]) / (2 * sizes[:, None])
    held = np.clip(value, TINY, 1 - TINY)
    spread = held * (1 - held)
    return slopes @ ((results - held) / spread), (slopes / spread) @ slopes.T


def _typical(weights: np.ndarray) -> float:
    """The median size of the weights that are not zero; 1 without any."""
    sizes = np.abs(weights[weights != 0])
    return float(np.median(sizes)) if len(sizes) else 1.0


def _step(slope: np.ndarray, curvature: np.ndarray, damping: float) -> np.ndarray:
    """The damped step; a weight that changes no estimate stays where it is."""
    size = np.diag(curvature)
    damped = curvature + np.diag(damping * size + (size <= 0))
    return np.linalg.solve(damped, np.where(size > 0, slope, 0.0))


def _tried(
    estimates: Estimates, results: np.ndarray, weights: np.ndarray, loss: float
) -> tuple[np.ndarray, np.ndarray, float] | None:
    """Weights, estimates and loss after a step, if it lowers the loss."""
    value = estimates(weights[None])[0]
    lower = cross_entropy(value, results)
    return (weights, value, lower) if lower < loss else None
