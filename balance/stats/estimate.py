"""What every statistic returns: a number with its error, or a refusal that says why there is none.

Sources: Student (1908); Holm (1979); Cochran (1954); Bloom (1995) for detectable effects.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

LEVEL = 0.95  # confidence of every interval unless said otherwise
POWER = 0.80  # power behind every minimum detectable effect


@dataclass(frozen=True)
class Estimate:
    """A number with its uncertainty.

    Attributes
    ----------
    value : float
        The point estimate.
    se : float
        Standard error of `value` (never a standard deviation); NaN with fewer than two units.
    low, high : float
        Ends of the interval.
    n : int
        Sampling units behind it: pairs or rotations, never single games.
    method : str
        Name of the estimator and of the interval.
    level : float
        Confidence of the interval.
    """

    value: float
    se: float
    low: float
    high: float
    n: int
    method: str
    level: float = LEVEL

    @property
    def known(self) -> bool:
        """Whether there is a number at all."""
        return math.isfinite(self.value)

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Refusal:
    """No number, and why.

    Attributes
    ----------
    reason : str
        One sentence for people.
    instead : str
        What the run can say in its place; may be empty.
    """

    reason: str
    instead: str = ""


def normal_quantile(probability: float) -> float:
    """Quantile z of the standard normal distribution: Phi(z) = probability (scipy.special.ndtri)."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def t_quantile(probability: float, freedom: float) -> float:
    """Quantile of Student's t (1908), scipy.special.stdtrit; the normal one when `freedom` is infinite."""
    from scipy.special import stdtrit

    return normal_quantile(probability) if math.isinf(freedom) else float(stdtrit(freedom, probability))


def two_sided(value: float, se: float, freedom: float = math.inf) -> float:
    """Two-sided p-value 2 F(-|value| / se) against zero; 1 when the standard error is not known.

    F is Student's t with `freedom` degrees of freedom (Student 1908), or normal when they are infinite.
    """
    from scipy.special import ndtr, stdtr

    if not se > 0 or not math.isfinite(value):
        return 1.0
    score = -abs(value) / se
    return float(2 * (ndtr(score) if math.isinf(freedom) else stdtr(freedom, score)))


def p_against(share: Estimate, even: float) -> float:
    """Two-sided p-value of a mean of pair scores against `even`.

    When the pairs never varied the score test of a proportion stands in, with the variance that a share of
    `even` has at most: from a standard error of zero nothing follows.
    """
    if share.se == 0:
        return two_sided(share.value - even, math.sqrt(even * (1 - even) / share.n))
    return two_sided(share.value - even, share.se, max(share.n - 1, 1))


def interval(
    value: float,
    se: float,
    n: int,
    method: str,
    freedom: float = math.inf,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Estimate:
    """Symmetric t interval value +- t se (Student 1908), clipped to `bounds`.

    Parameters
    ----------
    value, se : float
    n : int
        Sampling units.
    method : str
    freedom : float
        Degrees of freedom of the standard error.
    bounds : tuple of float
        What the number can be at all.
    """
    if not math.isfinite(se) or freedom <= 0:
        return Estimate(value, math.nan, bounds[0], bounds[1], n, method)
    reach = t_quantile(0.5 + LEVEL / 2, freedom) * se
    return Estimate(value, se, max(bounds[0], value - reach), min(bounds[1], value + reach), n, method)


def detectable(se: float, power: float = POWER) -> float:
    """Smallest true effect that a two-sided 5 % test finds with the given power: (z_.975 + z_power) se.

    Source: Bloom (1995), Evaluation Review 19:547-556.
    """
    return (normal_quantile(0.5 + LEVEL / 2) + normal_quantile(power)) * se


def holm(pvalues: np.ndarray) -> np.ndarray:
    """Adjusted p-values that control the family-wise error, in the order given; shape (m,) to (m,).

    p'_(i) = max over j <= i of min(1, (m - j + 1) p_(j)). Source: Holm (1979), Scand. J. Statist. 6:65-70.
    """
    pvalues = np.asarray(pvalues, dtype=float)
    order = np.argsort(pvalues, kind="stable")
    steps = pvalues[order] * np.arange(len(pvalues), 0, -1)
    adjusted = np.empty_like(pvalues)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def cochran(values: np.ndarray, errors: np.ndarray) -> tuple[float, float, int]:
    """Cochran's Q for equal values, with its p-value and degrees of freedom.

    Q = sum w (x - weighted mean)^2, w = 1 / SE^2, against chi-square with m - 1. Source: Cochran (1954),
    Biometrics 10:101-129.

    Parameters
    ----------
    values, errors : ndarray, shape (m,)
        Independent estimates and their standard errors; unusable ones (error not above 0) are left out.
    """
    from scipy.special import chdtrc

    usable = np.isfinite(values) & (errors > 0)
    values, weights = values[usable], 1 / errors[usable] ** 2
    if len(values) < 2:
        return 0.0, 1.0, 0
    centre = (weights * values).sum() / weights.sum()
    q = float((weights * (values - centre) ** 2).sum())
    return q, float(chdtrc(len(values) - 1, q)), len(values) - 1
