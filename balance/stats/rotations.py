"""Seat advantage with three or four seats: every place in the turn order against the others.

A rotation plays the same rosters and streams once in every seating, so rosters cancel within it. The places
of one rotation are correlated (their scores sum to one), which the covariance over rotations takes in.
Source: one-sample Hotelling test in its large-sample (Wald) form; Holm (1979) over places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.stats.estimate import Estimate, Refusal, detectable, interval, two_sided
from balance.stats.means import place_covariance, place_means
from balance.stats.multiple import holm
from balance.stats.sums import Sums

METHOD = "mean over rotations, t interval"
GAP = "difference of two places within rotations, t interval"
LEAST = 10  # rotations for each place, below which the joint test is refused


@dataclass(frozen=True)
class Places:
    """Places in the turn order.

    Attributes
    ----------
    places : tuple of Estimate
        Mean score by place, first mover first; they sum to 1.
    place_p : tuple of float
        For "worth 1/k", Holm over the places.
    gaps : dict of (int, int) to Estimate
        Place i less place j, i before j.
    gap_p : dict of (int, int) to float
        Holm over all pairs of places.
    statistic : float
        Wald's statistic of all places being equal; k - 1 degrees of freedom, F-scaled p-value.
    p : float
    detectable : float
        Smallest true advantage of the first place found with 80 % power.
    n : int
        Rotations.
    """

    places: tuple[Estimate, ...]
    place_p: tuple[float, ...]
    gaps: dict[tuple[int, int], Estimate]
    gap_p: dict[tuple[int, int], float]
    statistic: float
    p: float
    detectable: float
    n: int


def place_results(scores: Any) -> Places | Refusal:
    """Mean score of every place and whether the places are alike.

    T^2 = n d' S^-1 d with d the first k - 1 mean scores less 1/k and S their covariance over rotations;
    T^2 (n - k + 1) / ((k - 1)(n - 1)) against F(k - 1, n - k + 1) (Hotelling 1931).

    Parameters
    ----------
    scores : array_like, shape (n, k)
        Mean score by place in the turn order, one row a rotation.

    Returns
    -------
    Places or Refusal
        A refusal with fewer than ten rotations a place.
    """
    values = np.asarray(scores, dtype=float)
    n, k = values.shape
    if n:
        return place_summary(n, values.mean(axis=0), np.cov(values.T, ddof=1) if n > 1 else np.zeros((k, k)))
    return place_summary(0, np.full(k, 1 / k), np.zeros((k, k)))


def place_summary(n: int, means: np.ndarray, covariance: np.ndarray) -> Places | Refusal:
    """As :func:`place_results`, from the number of rotations, their mean and their covariance.

    Parameters
    ----------
    n : int
    means : ndarray, shape (k,)
    covariance : ndarray, shape (k, k)
        Of one rotation, sample form (n - 1).
    """
    k = len(means)
    if n < LEAST * k:
        return Refusal(
            f"{n} rotations are too few to compare {k} places; at least {LEAST * k} are needed.",
            "Play more pairs of this plan.",
        )
    errors = np.sqrt(np.maximum(np.diag(covariance), 0) / n)
    places = tuple(
        interval(float(m), float(e), n, METHOD, n - 1, (0.0, 1.0)) for m, e in zip(means, errors, strict=True)
    )
    raw = [two_sided(float(m) - 1 / k, float(e), n - 1) for m, e in zip(means, errors, strict=True)]
    gaps = _gaps(n, means, covariance)
    gap_raw = np.array([two_sided(gap.value, gap.se, n - 1) for gap in gaps.values()])
    statistic, p = _joint(n, means, covariance)
    return Places(
        places,
        tuple(float(x) for x in holm(np.array(raw))),
        gaps,
        {key: float(x) for key, x in zip(gaps, holm(gap_raw), strict=True)},
        statistic,
        p,
        detectable(float(errors[0])),
        n,
    )


def level_places(sums: Sums, level: int) -> Places | Refusal:
    """Places at one skill level of a run with more than two sides, stratified by cell.

    Cells count alike; the covariance is that within cells, because the plan fixes the cells.
    """
    k = sums.design.sides
    if k == 2:
        return Refusal("With two sides the first-seat advantage says everything about places.")
    cells = [cell for cell in sums.of(level) if cell.moments.n > 1]
    n = sum(cell.moments.n for cell in cells)
    if not n:
        return place_summary(0, np.full(k, 1 / k), np.zeros((k, k)))
    share = 1 / len(cells)
    means = sum(place_means(cell) * share for cell in cells)
    # Of one rotation, so that dividing by all n gives the variance of the mean over cells.
    within = n * sum(place_covariance(cell) * share**2 / cell.moments.n for cell in cells)
    return place_summary(n, np.asarray(means), np.asarray(within))


def _gaps(n: int, means: np.ndarray, covariance: np.ndarray) -> dict[tuple[int, int], Estimate]:
    found = {}
    for i in range(len(means)):
        for j in range(i + 1, len(means)):
            variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
            error = float(np.sqrt(max(variance, 0) / n))
            found[i, j] = interval(float(means[i] - means[j]), error, n, GAP, n - 1, (-1.0, 1.0))
    return found


def _joint(n: int, means: np.ndarray, covariance: np.ndarray) -> tuple[float, float]:
    """Hotelling's statistic and p-value; directions that never varied are left out."""
    from scipy.special import fdtrc

    k = len(means)
    values, vectors = np.linalg.eigh(covariance)
    held = values > 1e-12
    rank = int(held.sum())
    if not rank:
        return 0.0, 1.0
    along = vectors[:, held].T @ (means - 1 / k)
    statistic = float(n * (along**2 / values[held]).sum())
    scaled = statistic * (n - rank) / (rank * (n - 1))
    return statistic, float(fdtrc(rank, n - rank, scaled))
