"""How many games a question needs, and what a number of games can find: formulas only, nothing is read.

Every size is a real number; round it up to plan. Sources: Connor (1987), Biometrics 43:207-211 for paired
shares; Fleiss, Levin and Paik (2003), section 4.2 for two shares; Schuirmann (1987) for two one-sided tests;
the variances of hero, synergy and counter under random rosters are in :mod:`balance.stats.roster_power`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from balance.stats.estimate import LEVEL, POWER, normal_quantile

SIGMA = 0.5  # standard deviation of one game's score: the most that it can be
MARGIN_ALPHA = 0.05  # of each one-sided test of an equivalence


@dataclass(frozen=True)
class SampleSize:
    """Units that a question needs.

    Attributes
    ----------
    n : float
        Not rounded.
    unit : str
        ``games``, ``pairs``, or ``games per arm``.
    method : str
    effect : float
        Half-width, difference or margin that was asked for, in score.
    power : float
        Chance of finding it; 0.5 for a half-width, which asks for none.
    level : float
        Confidence.
    """

    n: float
    unit: str
    method: str
    effect: float
    power: float
    level: float = LEVEL

    @property
    def whole(self) -> int:
        """Rounded up; a hair above a whole number is that number."""
        return math.ceil(self.n - 1e-9)


def _z(level: float) -> float:
    """Two-sided normal quantile."""
    return normal_quantile(0.5 + level / 2)


def _phi(x: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(x))


def _positive(**values: float) -> None:
    for name, value in values.items():
        if not value > 0 or not math.isfinite(value):
            raise ValueError(f"{name} has to be above 0 and finite, not {value}")


def half_width_size(
    half_width: float, variance: float, level: float = LEVEL, unit: str = "games"
) -> SampleSize:
    """Units for an interval of estimate +- `half_width`: n = z^2 variance / half_width^2.

    Parameters
    ----------
    half_width : float
        In score; 0.01 is one percentage point.
    variance : float
        Variance of the estimate times n, such as 0.25 for a share, or what
        :mod:`balance.stats.roster_power` gives.
    level : float
    unit : str

    Raises
    ------
    ValueError
        A number that is not above 0.
    """
    _positive(half_width=half_width, variance=variance)
    n = _z(level) ** 2 * variance / half_width**2
    return SampleSize(n, unit, "normal interval, z^2 V / w^2", half_width, 0.5, level)


def wilson_half_width_size(half_width: float, level: float = LEVEL) -> SampleSize:
    """Games for Wilson's interval of a share near one half: n = z^2 / (4 w^2) - z^2.

    Source: Wilson (1927) solved for n at p = 1/2.
    """
    _positive(half_width=half_width)
    n = _z(level) ** 2 * (1 / (4 * half_width**2) - 1)
    return SampleSize(max(n, 0.0), "games", "Wilson interval at one half", half_width, 0.5, level)


def two_share_size(p1: float, p2: float, power: float = POWER, level: float = LEVEL) -> SampleSize:
    """Games an arm to tell two independent shares apart.

    n = (z sqrt(2 m (1 - m)) + z' sqrt(p1 q1 + p2 q2))^2 / (p1 - p2)^2 with m = (p1 + p2) / 2 (Fleiss et al.).
    """
    _positive(difference=abs(p1 - p2))
    pooled, own = _two_share_spread(p1, p2)
    n = ((_z(level) * pooled + normal_quantile(power) * own) / (p1 - p2)) ** 2
    return SampleSize(n, "games per arm", "two independent shares, z test", abs(p1 - p2), power, level)


def two_share_power(n: float, p1: float, p2: float, level: float = LEVEL) -> float:
    """Power of the z test of two independent shares with n games an arm, by the same formula."""
    _positive(n=n)
    pooled, own = _two_share_spread(p1, p2)
    if own == 0:
        return float(p1 != p2)
    return _phi((math.sqrt(n) * abs(p1 - p2) - _z(level) * pooled) / own)


def _two_share_spread(p1: float, p2: float) -> tuple[float, float]:
    return math.sqrt((p1 + p2) * (1 - (p1 + p2) / 2)), math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))


def paired_share_size(
    difference: float, discordance: float, power: float = POWER, level: float = LEVEL
) -> SampleSize:
    """Pairs to find a paired difference of shares by McNemar's test.

    n = (z sqrt(D) + z' sqrt(D - d^2))^2 / d^2, D the share of discordant pairs (Connor 1987).

    Raises
    ------
    ValueError
        A difference larger than the discordance is impossible.
    """
    _positive(difference=abs(difference), discordance=discordance)
    if abs(difference) > discordance:
        raise ValueError("a paired difference cannot exceed the share of discordant pairs")
    null, own = math.sqrt(discordance), math.sqrt(discordance - difference**2)
    n = ((_z(level) * null + normal_quantile(power) * own) / difference) ** 2
    return SampleSize(n, "pairs", "paired shares, McNemar test (Connor)", abs(difference), power, level)


def paired_share_power(n: float, difference: float, discordance: float, level: float = LEVEL) -> float:
    """Power of McNemar's test with n pairs (inverse of :func:`paired_share_size`; Connor 1987)."""
    _positive(n=n, discordance=discordance)
    own = math.sqrt(max(discordance - difference**2, 0.0))
    reach = math.sqrt(n) * abs(difference) - _z(level) * math.sqrt(discordance)
    return _phi(reach / own) if own else float(reach > 0)


def difference_size(
    difference: float, sd: float, power: float = POWER, level: float = LEVEL, unit: str = "pairs"
) -> SampleSize:
    """Units for a mean `difference` of values with standard deviation `sd`: n = (z + z')^2 sd^2 / d^2.

    Source: the normal test of one mean, two-sided, without the far tail. For two independent arms give `sd` =
    sqrt(2) times that of one game; the answer is then games an arm.
    """
    _positive(difference=abs(difference), sd=sd)
    n = ((_z(level) + normal_quantile(power)) * sd / difference) ** 2
    return SampleSize(n, unit, "mean of pairs, z test", abs(difference), power, level)


def difference_power(n: float, difference: float, sd: float, level: float = LEVEL) -> float:
    """Power of the two-sided z test of a mean over n units, both tails counted."""
    _positive(n=n)
    return normal_power(difference, sd / math.sqrt(n), level)


def normal_power(effect: float, se: float, level: float = LEVEL) -> float:
    """Chance that a two-sided z test finds `effect` when the standard error is `se`.

    Phi(e/se - z) + Phi(-e/se - z). With no error at all any effect is found.
    """
    if se == 0:
        return float(effect != 0)
    ratio = abs(effect) / se
    return _phi(ratio - _z(level)) + _phi(-ratio - _z(level))


def detectable_effect(n: float, variance: float, power: float = POWER, level: float = LEVEL) -> float:
    """Smallest true effect found with `power`: (z + z') sqrt(variance / n).

    Parameters
    ----------
    n : float
    variance : float
        Variance of the estimate times n.
    """
    _positive(n=n)
    return (_z(level) + normal_quantile(power)) * math.sqrt(variance / n)


def equivalence_size(
    margin: float, sd: float, power: float = 0.9, alpha: float = MARGIN_ALPHA, unit: str = "pairs"
) -> SampleSize:
    """Units to show that a mean lies within +- `margin` when it is zero: N = (z_a + z_{1-b/2})^2 sd^2 / m^2.

    Source: Schuirmann (1987), two one-sided tests at `alpha` each; b = 1 - power is shared by both ends.
    For two independent arms give `sd` = sqrt(2) times that of one game.
    """
    _positive(margin=margin, sd=sd)
    quantiles = normal_quantile(1 - alpha) + normal_quantile(0.5 + power / 2)
    n = (quantiles * sd / margin) ** 2
    return SampleSize(n, unit, "two one-sided tests", margin, power, 1 - 2 * alpha)


def equivalence_power(
    n: float, margin: float, sd: float, truth: float = 0.0, alpha: float = MARGIN_ALPHA
) -> float:
    """Chance that two one-sided tests with n units show a mean of `truth` to lie within +- `margin`.

    max(0, Phi((m - t)/se - z_a) - Phi(z_a - (m + t)/se)), se = sd / sqrt(n); Schuirmann (1987).
    """
    _positive(n=n, margin=margin)
    if sd == 0:
        return float(abs(truth) < margin)
    se, z = sd / math.sqrt(n), normal_quantile(1 - alpha)
    return max(0.0, _phi((margin - truth) / se - z) - _phi(z - (margin + truth) / se))
