"""Many questions at once: Holm's and Benjamini and Hochberg's adjusted p-values."""

from __future__ import annotations

import numpy as np

from balance.stats.estimate import holm

__all__ = ["benjamini_hochberg", "holm"]


def benjamini_hochberg(pvalues: np.ndarray) -> np.ndarray:
    """Adjusted p-values that control the false discovery rate, in the order given; shape (m,) to (m,).

    q_(i) = min over j >= i of m p_(j) / j, at most 1; NaN stays NaN and is not counted.
    Source: Benjamini and Hochberg (1995), JRSS B 57:289-300.
    """
    pvalues = np.asarray(pvalues, dtype=float)
    adjusted, known = np.full(pvalues.shape, np.nan), np.isfinite(pvalues)
    held = pvalues[known]
    m, order = len(held), np.argsort(held, kind="stable")
    steps = held[order] * m / np.arange(1, m + 1)
    falling = np.minimum.accumulate(steps[::-1])[::-1]
    result = np.empty(m)
    result[order] = np.minimum(falling, 1.0)
    adjusted[known] = result
    return adjusted
