"""Intervals for proportions and their differences that hold near 0 and 1 and with small samples.

Sources: Wilson (1927); Newcombe (1998), Statistics in Medicine 17:857-890, methods 3, 4 and 10;
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
    if not n > 0 or not 0 <= successes <= n:
        raise ValueError(f"no interval for {successes} of {n}")
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


def proportion(successes: float, n: float, level: float = LEVEL) -> Estimate:
    """A proportion of independent units with Wilson's interval."""
    low, high = wilson(successes, n, level)
    p = successes / n
    return Estimate(p, math.sqrt(p * (1 - p) / n), low, high, int(n), "proportion, Wilson interval", level)


def newcombe(a: float, n: float, b: float, m: float, level: float = LEVEL) -> Estimate:
    """Difference a/n - b/m of two independent proportions, Newcombe's method 10 (square and add)."""
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
    """Difference of two proportions seen on the same units, Agresti and Min's interval.

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
    """McNemar's chi-square (no correction) and exact p-value from the discordant counts."""
    from scipy.special import bdtr

    n = first + second
    if n == 0:
        return 0.0, 1.0
    exact = min(1.0, 2 * float(bdtr(min(first, second), n, 0.5)))
    return (first - second) ** 2 / n, exact
