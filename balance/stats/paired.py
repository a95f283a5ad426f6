"""Differences between two runs that shared their streams, pair by pair.

The mean of the differences with Student's t interval. Source: Student, "The probable error of a mean" (1908).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import LEVEL, Estimate, detectable, interval, two_sided

METHOD = "mean paired difference on common streams, t interval"


@dataclass(frozen=True)
class Paired:
    """A mean difference.

    Attributes
    ----------
    estimate : Estimate
        Of first minus second, in score (0.01 is one percentage point); `n` counts pairs.
    p : float
        Two-sided, for "no difference".
    detectable : float
        Smallest true difference that such a sample finds in four runs of five.
    changed : int
        Pairs whose score differs at all.
    """

    estimate: Estimate
    p: float
    detectable: float
    changed: int


def paired_difference(first: np.ndarray, second: np.ndarray, stratum: np.ndarray | None = None) -> Paired:
    """Mean of first - second over pairs.

    d = mean(first - second); SE = sqrt(SSW / (n - k) / n), SSW the squares of the differences around the
    means of their k strata: with one stratum the textbook sd / sqrt(n) of a paired comparison. When no
    difference varies that error is zero and proves nothing; the interval then reaches as far as the
    95 % limit 1 - 0.05^(1/n) for the share of pairs that could have differed (by 1 at most) unseen, and
    the p-value is that of the sign test.

    Parameters
    ----------
    first, second : ndarray, shape (n,)
        Scores of the same pairs, in [0, 1].
    stratum : ndarray of int, shape (n,)
        Cell of each pair, when several cells with about equally many pairs are put together.

    Raises
    ------
    ValueError
        The arrays are empty or not of one length.
    """
    if len(first) != len(second) or not len(first):
        raise ValueError(f"{len(first)} and {len(second)} scores are no pairs")
    difference = np.asarray(first, float) - np.asarray(second, float)
    n, value, changed = len(difference), float(difference.mean()), int((difference != 0).sum())
    within, freedom = _spread(difference, stratum)
    if within <= 0:
        return _constant(value, n, changed)
    se = math.sqrt(within / freedom / n) if freedom > 0 else math.nan
    estimate = interval(value, se, n, METHOD, freedom, (-1.0, 1.0))
    return Paired(estimate, two_sided(value, se, max(freedom, 1)), detectable(se), changed)


def _spread(difference: np.ndarray, stratum: np.ndarray | None) -> tuple[float, int]:
    """Squares around the means of the strata, and their degrees of freedom."""
    places = np.zeros(len(difference), int) if stratum is None else np.unique(stratum, return_inverse=True)[1]
    size = np.bincount(places)
    centre = np.bincount(places, difference) / size
    return float(((difference - centre[places]) ** 2).sum()), len(difference) - len(size)


def _constant(value: float, n: int, changed: int) -> Paired:
    reach = 1 - (1 - LEVEL) ** (1 / n)
    estimate = Estimate(value, 0.0, max(-1.0, value - reach), min(1.0, value + reach), n, METHOD)
    return Paired(estimate, min(1.0, 2 * 0.5**changed), reach, changed)
