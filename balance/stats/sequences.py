"""Intervals that stay valid however often one looks: confidence sequences.

Sources: Robbins (1970) and Howard, Ramdas, McAuliffe and Sekhon (2021), Annals of Statistics 49:1055-1080,
for the normal mixture; Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024) for its use with the running
variance, where validity is asymptotic; Howard et al., section 3.3, for the beta mixture of binary outcomes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.stats.estimate import Estimate, Refusal

ALPHA = 0.05
METHOD = "normal-mixture confidence sequence (valid at every look)"
BINARY = "beta-mixture confidence sequence (valid at every look)"
HALVINGS = 80


@dataclass(frozen=True)
class Sample:
    """A mean and its spread, which can be added to.

    Attributes
    ----------
    n : int
        Units.
    mean : float
        0 without units.
    deviation : float
        Sum of squared deviations from the mean, or from the means of the strata.
    strata : int
        Cells that were put together; what differs between them is no error.
    """

    n: int = 0
    mean: float = 0.0
    deviation: float = 0.0
    strata: int = 1

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the deviation."""
        return self.n - self.strata

    @property
    def se(self) -> float:
        """Standard error of the mean; NaN without degrees of freedom."""
        return math.sqrt(self.deviation / self.freedom / self.n) if self.freedom > 0 else math.nan

    def plus(self, other: Sample) -> Sample:
        """Both together (Chan, Golub and LeVeque 1979)."""
        n = self.n + other.n
        if not n:
            return self
        gap = other.mean - self.mean
        deviation = self.deviation + other.deviation + gap * gap * self.n * other.n / n
        return Sample(n, self.mean + gap * other.n / n, deviation)


def sample_of(values: Any, stratum: Any = None) -> Sample:
    """The sample of some values, shape (n,); `stratum` is the cell of each, when several are put together."""
    values = np.asarray(values, dtype=float)
    if not len(values):
        return Sample()
    places = np.zeros(len(values), int) if stratum is None else np.unique(stratum, return_inverse=True)[1]
    sizes = np.bincount(places)
    means = np.bincount(places, values) / sizes
    return Sample(len(values), float(values.mean()), float(((values - means[places]) ** 2).sum()), len(sizes))


def mixture_rho(v_opt: float, alpha: float = ALPHA) -> float:
    """Width of the mixture that is tightest at intrinsic time `v_opt`.

    rho = v_opt / (2 ln(1/alpha) + ln(1 + 2 ln(1/alpha))); Howard et al. (2021), equation 27 there.
    """
    if not v_opt > 0 or not 0 < alpha < 1:
        raise ValueError(f"v_opt has to be above 0 and alpha between 0 and 1, not {v_opt} and {alpha}")
    twice = 2 * math.log(1 / alpha)
    return v_opt / (twice + math.log1p(twice))


def mixture_bound(v: Any, v_opt: float, alpha: float = ALPHA, tuned: float | None = None) -> Any:
    """How far a sum of centred values with intrinsic time v can be from zero, at any time.

    u(v) = sqrt((v + rho) (2 ln(1/alpha) + ln((v + rho) / rho))); Robbins (1970), Howard et al. (2021).

    Parameters
    ----------
    v : float or ndarray
        Sum of squared deviations so far.
    v_opt : float
        Where it is tightest; to be fixed before the first look.
    alpha : float
        Two-sided error over all looks together.
    tuned : float, optional
        The alpha for which it is tightest at `v_opt`, when that is another one.
    """
    rho = mixture_rho(v_opt, tuned or alpha)
    wide = np.asarray(v, dtype=float) + rho
    bound = np.sqrt(wide * (2 * math.log(1 / alpha) + np.log(wide / rho)))
    return float(bound) if bound.ndim == 0 else bound


def sequence_interval(
    sample: Sample,
    v_opt: float,
    alpha: float = ALPHA,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Estimate | Refusal:
    """Mean +- u(v) / n with v the sum of squared deviations: valid at every look together.

    Parameters
    ----------
    sample : Sample
    v_opt : float
        As in :func:`mixture_bound`.
    alpha : float
    bounds : tuple of float
        What the mean can be at all.

    Returns
    -------
    Estimate or Refusal
        A refusal without any unit.
    """
    if sample.n < 1:
        return Refusal("No games were played, so there is nothing to say.", "Play some games first.")
    reach = mixture_bound(sample.deviation, v_opt, alpha) / sample.n
    low, high = max(bounds[0], sample.mean - reach), min(bounds[1], sample.mean + reach)
    return Estimate(sample.mean, sample.se, low, high, sample.n, METHOD, 1 - alpha)


def sequence_p(sample: Sample, distance: float, v_opt: float, alpha: float = ALPHA) -> float:
    """Always-valid p-value for a mean that lies `distance` from what is asked.

    The smallest a at which the sequence with the width rho of `alpha` leaves the value out:
    ln(1/a) = ((n d)^2 / (v + rho) - ln((v + rho) / rho)) / 2; Howard et al. (2021), section 6.
    """
    if sample.n < 1:
        return 1.0
    rho = mixture_rho(v_opt, alpha)
    wide = sample.deviation + rho
    exponent = ((sample.n * distance) ** 2 / wide - math.log(wide / rho)) / 2
    return math.exp(-exponent) if exponent > 0 else 1.0


def binary_sequence(
    successes: float, n: int, t_opt: float, alpha: float = ALPHA, tuned: float | None = None
) -> Estimate | Refusal:
    """Confidence sequence for the share of successes of independent units.

    All p at which the beta mixture of likelihood ratios stays below 1/alpha:
    B(k + p s, n - k + (1-p) s) / B(p s, (1-p) s) <= p^k (1-p)^(n-k) / alpha, with
    s = t_opt / (2 ln(1/alpha) + ln(1 + 2 ln(1/alpha))) - 1.
    Source: Howard et al. (2021), beta-binomial boundary.

    Parameters
    ----------
    successes : float
    n : int
    t_opt : float
        Number of units at which it is tightest, to be fixed before the first look.
    alpha : float
    tuned : float, optional
        As in :func:`mixture_bound`.
    """
    if n < 1:
        return Refusal("No games were played, so there is nothing to say.", "Play some games first.")
    if not 0 <= successes <= n:
        raise ValueError(f"no interval for {successes} of {n}")
    share, weight = successes / n, max(mixture_rho(t_opt, tuned or alpha) - 1, 1e-3)

    def outside(p: float) -> bool:
        return _log_mixture(p, successes, n, weight) > math.log(1 / alpha)

    low = 0.0 if successes == 0 else _turning(outside, 1e-15, share)
    high = 1.0 if successes == n else _turning(outside, 1 - 1e-15, share)
    se = math.sqrt(share * (1 - share) / n)
    return Estimate(share, se, low, high, n, BINARY, 1 - alpha)


def _log_mixture(p: float, k: float, n: float, weight: float) -> float:
    from scipy.special import betaln

    a, b = p * weight, (1 - p) * weight
    return float(betaln(k + a, n - k + b) - betaln(a, b)) - k * math.log(p) - (n - k) * math.log1p(-p)


def _turning(outside: Any, far: float, near: float) -> float:
    """Where `outside` turns true on the way from `near`, which is inside, to `far`."""
    near = min(max(near, 1e-12), 1 - 1e-12)
    if not outside(far):
        return round(far, 12)
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        near, far = (near, middle) if outside(middle) else (middle, far)
    return (near + far) / 2
