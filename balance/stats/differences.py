"""Score intervals for the difference of two independent proportions, beside Newcombe's.

Sources: Mee (1984) and Miettinen and Nurminen (1985), the maximum under a given difference by the closed
root of its cubic (Farrington and Manning 1990); Agresti and Caffo (2000). Statsmodels' interval of the same
name must not be used: its cubic is wrong (statsmodels issue 10269).
"""

from __future__ import annotations

import math

from balance.stats.estimate import LEVEL, Estimate, normal_quantile

HALVINGS = 100


def score_difference(
    a: float, n: float, b: float, m: float, level: float = LEVEL, correction: bool = True
) -> Estimate:
    """Difference a/n - b/m by inverting the score test.

    All D with (a/n - b/m - D)^2 <= z^2 V(D), V from the likelihood's maximum under that difference.

    Parameters
    ----------
    a, n, b, m : float
        Successes and units of either sample.
    level : float
    correction : bool
        Times N / (N - 1), as Miettinen and Nurminen; without it Mee's interval.

    Raises
    ------
    ValueError
        Counts that are impossible.
    """
    _possible(a, n, b, m)
    value, limit = a / n - b / m, normal_quantile(0.5 + level / 2) ** 2
    factor = (n + m) / (n + m - 1) if correction else 1.0

    def beyond(difference: float) -> bool:
        gap, variance = value - difference, factor * _variance(a, n, b, m, difference)
        return gap * gap > limit * variance

    low, high = _edge(value, -1.0, beyond), _edge(value, 1.0, beyond)
    name = "difference, Miettinen-Nurminen interval" if correction else "difference, Mee interval"
    return Estimate(value, _plain_error(a, n, b, m), low, high, int(n + m), name, level)


def agresti_caffo(a: float, n: float, b: float, m: float, level: float = LEVEL) -> Estimate:
    """Difference a/n - b/m; the interval is Wald's after one success and one failure in each sample.

    Source: Agresti and Caffo (2000), The American Statistician 54:280-288.
    """
    _possible(a, n, b, m)
    centre = (a + 1) / (n + 2) - (b + 1) / (m + 2)
    reach = normal_quantile(0.5 + level / 2) * _plain_error(a + 1, n + 2, b + 1, m + 2)
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    error, name = _plain_error(a, n, b, m), "difference, Agresti-Caffo interval"
    return Estimate(a / n - b / m, error, low, high, int(n + m), name, level)


def wald_difference(a: float, n: float, b: float, m: float, level: float = LEVEL) -> Estimate:
    """a/n - b/m +- z sqrt(p q / n + r s / m): only for large samples (Newcombe 1998, method 1)."""
    _possible(a, n, b, m)
    value, error = a / n - b / m, _plain_error(a, n, b, m)
    reach = normal_quantile(0.5 + level / 2) * error
    low, high = max(-1.0, value - reach), min(1.0, value + reach)
    return Estimate(value, error, low, high, int(n + m), "difference, Wald interval", level)


def _possible(a: float, n: float, b: float, m: float) -> None:
    if not (n > 0 and m > 0 and 0 <= a <= n and 0 <= b <= m):
        raise ValueError(f"no difference of {a} of {n} and {b} of {m}")


def _plain_error(a: float, n: float, b: float, m: float) -> float:
    p, q = a / n, b / m
    return math.sqrt(p * (1 - p) / n + q * (1 - q) / m)


def _variance(a: float, n: float, b: float, m: float, difference: float) -> float:
    """Variance of a/n - b/m at the likelihood's maximum with the given difference."""
    q = _constrained(a, n, b, m, difference)
    p = min(max(q + difference, 0.0), 1.0)
    return max(p * (1 - p) / n + q * (1 - q) / m, 0.0)


def _constrained(a: float, n: float, b: float, m: float, d: float) -> float:
    """Second proportion at the maximum: a root of a cubic, in trigonometric form."""
    total = n + m
    square = (n + 2 * m) * d - total - a - b
    linear = (m * d - total - 2 * b) * d + a + b
    constant = b * d * (1 - d)
    third = square / (3 * total)
    q = third**3 - linear * square / (6 * total**2) + constant / (2 * total)
    p = math.copysign(math.sqrt(max(third**2 - linear / (3 * total), 0.0)), q)
    angle = (math.pi + math.acos(min(max(q / p**3, -1.0), 1.0))) / 3 if p else 0.0
    root = 2 * p * math.cos(angle) - third
    return min(max(root, max(0.0, -d)), min(1.0, 1.0 - d))


def _edge(inside: float, outside: float, beyond) -> float:  # type: ignore[no-untyped-def]
    """Where `beyond` turns true between a point that is in the interval and the end of the range."""
    if not beyond(outside):
        return outside
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if beyond(middle) else (middle, outside)
    return (inside + outside) / 2
