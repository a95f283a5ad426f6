"""Intervals for proportions and their differences that hold near 0 and 1 and with small samples.

Sources: Wilson (1927); Clopper and Pearson (1934); Newcombe (1998), Statistics in Medicine 17:857-890,
methods 1, 3, 4, 5 and 10; Agresti and Coull (1998); Brown, Cai and DasGupta (2001) for Jeffreys' interval;
Agresti and Min (2005) for paired differences.
"""

from __future__ import annotations

import math

from balance.stats.estimate import LEVEL, Estimate, normal_quantile


def wilson(successes: float, n: float, level: float = LEVEL, correction: bool = False) -> tuple[float, float]:
    """Wilson's score interval for a proportion, optionally with continuity correction.

    Parameters
    ----------
    successes, n : float
        May be fractional (a draw counts one half); `n` above 0.

    Raises
    ------
    ValueError
        `n` is not above 0 or `successes` is outside 0..n.
    """
    _possible(successes, n)
    z, p = normal_quantile(0.5 + level / 2), successes / n
    if correction:
        return _wilson_corrected(p, n, z)
    low, high = wilson_ends(p, n, z)
    return (0.0 if successes == 0 else low), (1.0 if successes == n else high)


def wilson_ends(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's ends for a share `p` of `n` trials (which may be an effective number) and a quantile `z`."""
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if p == 0 else max(0.0, centre - reach)
    return low, (1.0 if p == 1 else min(1.0, centre + reach))


def _wilson_corrected(p: float, n: float, z: float) -> tuple[float, float]:
    base, divisor = 2 * n * p + z * z, 2 * (n + z * z)
    below = z * math.sqrt(max(0.0, z * z - 2 - 1 / n + 4 * p * (n * (1 - p) + 1)))
    above = z * math.sqrt(max(0.0, z * z + 2 - 1 / n + 4 * p * (n * (1 - p) - 1)))
    low = 0.0 if p == 0 else max(0.0, (base - 1 - below) / divisor)
    return low, (1.0 if p == 1 else min(1.0, (base + 1 + above) / divisor))


def clopper_pearson(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Exact interval: beta quantiles at (k, n - k + 1) and (k + 1, n - k); Clopper and Pearson (1934)."""
    _possible(successes, n)
    alpha, k = 1 - level, successes
    low = _beta_quantile(k, n - k + 1, alpha / 2) if k > 0 else 0.0
    return low, (_beta_quantile(k + 1, n - k, 1 - alpha / 2) if k < n else 1.0)


def jeffreys(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Equal-tailed interval of Beta(k + 1/2, n - k + 1/2); Brown, Cai and DasGupta (2001)."""
    _possible(successes, n)
    a, b, alpha = successes + 0.5, n - successes + 0.5, 1 - level
    return _beta_quantile(a, b, alpha / 2), _beta_quantile(a, b, 1 - alpha / 2)


def agresti_coull(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """p' +- z sqrt(p' q' / n') with z^2/2 successes and z^2/2 failures added; Agresti and Coull (1998)."""
    _possible(successes, n)
    z = normal_quantile(0.5 + level / 2)
    larger = n + z * z
    p = (successes + z * z / 2) / larger
    reach = z * math.sqrt(p * (1 - p) / larger)
    return max(0.0, p - reach), min(1.0, p + reach)


def wald(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """p +- z sqrt(p q / n): only for comparison, it is too short near 0 and 1 (Newcombe 1998, method 1)."""
    _possible(successes, n)
    p = successes / n
    reach = normal_quantile(0.5 + level / 2) * math.sqrt(p * (1 - p) / n)
    return max(0.0, p - reach), min(1.0, p + reach)


def _possible(successes: float, n: float) -> None:
    if not n > 0 or not 0 <= successes <= n:
        raise ValueError(f"no interval for {successes} of {n}")


def _beta_quantile(a: float, b: float, probability: float) -> float:
    from scipy.special import betaincinv

    return float(betaincinv(a, b, probability))


def proportion(successes: float, n: float, level: float = LEVEL) -> Estimate:
    """A proportion k/n of independent units with Wilson's interval (Wilson 1927)."""
    low, high = wilson(successes, n, level)
    p = successes / n
    return Estimate(p, math.sqrt(p * (1 - p) / n), low, high, int(n), "proportion, Wilson interval", level)


def newcombe(a: float, n: float, b: float, m: float, level: float = LEVEL) -> Estimate:
    """Difference a/n - b/m of two independent proportions, square and add (Newcombe 1998, method 10).

    p - q - sqrt((p - l_p)^2 + (u_q - q)^2) and its mirror image, from the Wilson limits of both.
    """
    p, q = a / n, b / m
    low_p, high_p = wilson(a, n, level)
    low_q, high_q = wilson(b, m, level)
    low = p - q - math.hypot(p - low_p, high_q - q)
    high = p - q + math.hypot(high_p - p, q - low_q)
    se = math.sqrt(p * (1 - p) / n + q * (1 - q) / m)
    return Estimate(
        p - q, se, max(-1.0, low), min(1.0, high), int(n + m), "difference, Newcombe interval", level
    )


def paired_difference(
    both: float, first: float, second: float, neither: float, level: float = LEVEL
) -> Estimate:
    """Difference of two proportions seen on the same units: one half is added to every cell.

    Source: Agresti and Min (2005), Statistics in Medicine 24:729-740.

    Parameters
    ----------
    both, first, second, neither : float
        Units with success under both conditions, only the first, only the second, neither.
    """
    n = both + first + second + neither
    value = (first - second) / n
    centre, error = _paired(first + 0.5, second + 0.5, n + 2)
    reach = normal_quantile(0.5 + level / 2) * error
    se = _paired(first, second, n)[1]
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    return Estimate(value, se, low, high, int(n), "paired difference, Agresti-Min interval", level)


def _paired(first: float, second: float, n: float) -> tuple[float, float]:
    difference = (first - second) / n
    return difference, math.sqrt(max(0.0, (first + second) / n - difference**2) / n)


def mcnemar(first: int, second: int) -> tuple[float, float]:
    """McNemar's chi-square (b - c)^2 / (b + c) and the exact binomial p-value; McNemar (1947).

    Parameters
    ----------
    first, second : int
        Discordant units; without any the p-value is 1.
    """
    from scipy.special import bdtr

    n = first + second
    if n == 0:
        return 0.0, 1.0
    exact = min(1.0, 2 * float(bdtr(min(first, second), n, 0.5)))
    return (first - second) ** 2 / n, exact
