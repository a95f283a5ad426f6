"""Sequential probability ratio of two strengths, as engine testers use it: for comparison with their tools.

The ratio is of the maximum likelihoods under two given strengths, with pairs (five results) or games (three)
as units. It tells *which* of two strengths fits better and stops early; its estimate is biased, so a separate
estimate of fixed size has to be reported, and verdicts here use :mod:`balance.stats.verdicts` instead.
Sources: Wald (1945); Van den Bergh (2017), generalised SPRT with the exact constrained maximum; Hunt (2004)
for the BayesElo model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import Refusal

EMPTY = 1e-3  # stands for a result that never occurred
ROUNDS = 60
LOGISTIC, NORMALIZED = "logistic", "normalized"
BAYES, BAYES_LEGACY, CUTECHESS = "bayeselo", "bayeselo_legacy", "cutechess"


@dataclass(frozen=True)
class SprtResult:
    """State of the test.

    Attributes
    ----------
    llr : float
        Log-likelihood ratio of the second strength to the first.
    lower, upper : float
        Wald's bounds ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
    state : str
        ``H0``, ``H1`` or ``open``.
    n : int
        Units: pairs with five kinds of result, games with three.
    method : str
    """

    llr: float
    lower: float
    upper: float
    state: str
    n: int
    method: str


@dataclass(frozen=True)
class Operating:
    """What a test does on the long run: chance to accept the second strength, and mean number of units."""

    accept: float
    units: float
    method: str = "Brownian approximation of a SPRT"


def sprt(
    results: np.ndarray,
    elo0: float,
    elo1: float,
    model: str = NORMALIZED,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> SprtResult | Refusal:
    """Generalised SPRT of two strengths.

    LLR = sum n_k ln(p1_k / p0_k), p_i the most likely distribution under strength i.

    Parameters
    ----------
    results : ndarray, shape (3,) or (5,)
        Units by result, worst first.
    elo0, elo1 : float
    model : str
        ``logistic``: mean score 1 / (1 + 10^(-elo/400)); ``normalized``: (mean - 1/2) / sd of a game equals
        elo ln(10) / 800; ``bayeselo`` and ``bayeselo_legacy``: Hunt's model with a draw parameter (games
        only); ``cutechess``: the same with one half added to every count and logistic strengths.
    alpha, beta : float

    Returns
    -------
    SprtResult or Refusal
        A refusal without results, or when the model cannot take them.
    """
    counts = np.asarray(results, dtype=float)
    if counts.sum() <= 0:
        return Refusal("No games were played, so no ratio can be formed.", "Play some games first.")
    if model in (BAYES, BAYES_LEGACY, CUTECHESS) and len(counts) != 3:
        return Refusal(
            f"The model {model} knows games, not pairs.", "Use the logistic or the normalized model."
        )
    llr = _ratio(counts, elo0, elo1, model)
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    state = "H1" if llr >= upper else "H0" if llr <= lower else "open"
    return SprtResult(llr, lower, upper, state, int(counts.sum()), f"generalised SPRT, {model} strength")


def operating(drift: float, variance: float, lower: float, upper: float) -> Operating:
    """Chance to reach `upper` first and mean number of units of a walk between two bounds.

    With h = 2 drift / variance: accept = (1 - e^{-h lower}) / (e^{-h upper} - e^{-h lower}) ... units =
    (accept upper + (1 - accept) lower) / drift; Wald (1945), Brownian limit.

    Parameters
    ----------
    drift, variance : float
        Mean and variance of one unit's step of the log-likelihood ratio.
    lower, upper : float
    """
    h = 2 * drift / variance
    if abs(h) * (upper - lower) < 1e-6:
        return Operating(-lower / (upper - lower), -lower * upper / variance)
    accept = math.expm1(-h * lower) / (math.exp(-h * lower) - math.exp(-h * upper))
    return Operating(accept, (accept * upper + (1 - accept) * lower) / drift)


def _ratio(counts: np.ndarray, elo0: float, elo1: float, model: str) -> float:
    if model == CUTECHESS:
        counts = counts + 0.5
        draw = _bayes_strength(counts)[1]
        x = 10 ** (-draw / 400)
        scale = 4 * x / (1 + x) ** 2
        return _bayes_ratio(counts, draw, elo0 / scale, elo1 / scale)
    if model == BAYES_LEGACY:
        return _bayes_ratio(counts, _bayes_strength(counts)[1], elo0, elo1)
    counts = np.where(counts == 0, EMPTY, counts)
    if model == BAYES:
        return _bayes_ratio(counts, _bayes_strength(counts)[1], elo0, elo1)
    if model == LOGISTIC:
        return _tilted(counts, _logistic(elo0), _logistic(elo1))
    if model == NORMALIZED:
        per_unit = math.log(10) / 800 * (math.sqrt(2) if len(counts) == 5 else 1.0)
        return _standardised(counts, elo0 * per_unit, elo1 * per_unit)
    raise ValueError(f"no such model of strength: {model}")


def _logistic(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def _bayes_strength(counts: np.ndarray) -> tuple[float, float]:
    """Strength and draw parameter that fit losses, draws and wins exactly."""
    lost, _, won = counts / counts.sum()
    return (
        200 * math.log10(won / lost * (1 - lost) / (1 - won)),
        200 * math.log10((1 - lost) / lost * (1 - won) / won),
    )


def _bayes_chances(elo: float, draw: float) -> np.ndarray:
    won, lost = 1 / (1 + 10 ** ((draw - elo) / 400)), 1 / (1 + 10 ** ((draw + elo) / 400))
    return np.array([lost, 1 - won - lost, won])


def _bayes_ratio(counts: np.ndarray, draw: float, elo0: float, elo1: float) -> float:
    return float((counts * np.log(_bayes_chances(elo1, draw) / _bayes_chances(elo0, draw))).sum())


def _tilted(counts: np.ndarray, score0: float, score1: float) -> float:
    """Ratio of the likelihoods whose means are given."""
    total, scores = counts.sum(), np.linspace(0, 1, len(counts))
    shares = counts / total
    p0, p1 = (shares / (1 + _root(shares, scores - s) * (scores - s)) for s in (score0, score1))
    return float(total * (shares * np.log(p1 / p0)).sum())


def _standardised(counts: np.ndarray, t0: float, t1: float) -> float:
    """Ratio of the likelihoods whose (mean - 1/2) / sd are given."""
    total, scores = counts.sum(), np.linspace(0, 1, len(counts))
    shares = counts / total
    p0, p1 = (_most_likely(shares, scores, t) for t in (t0, t1))
    return float(total * (shares * np.log(p1 / p0)).sum())


def _most_likely(shares: np.ndarray, scores: np.ndarray, t: float) -> np.ndarray:
    """Maximum of sum share ln p subject to mean - 1/2 = t sd, by linearising the constraint repeatedly."""
    p = np.full(len(shares), 1 / len(shares))
    for _ in range(ROUNDS):
        mean = float(p @ scores)
        sd = math.sqrt(float(p @ (scores - mean) ** 2))
        slope = scores - 0.5 - t * sd * (1 + ((scores - mean) / sd) ** 2) / 2
        after = shares / (1 + _root(shares, slope) * slope)
        done = np.abs(after - p).max() < 1e-12
        p = after
        if done:
            break
    return p


def _root(shares: np.ndarray, slope: np.ndarray) -> float:
    """The x with sum share slope / (1 + x slope) = 0 that keeps every 1 + x slope above 0."""
    low, high = -1 / slope.max(), -1 / slope.min()
    for _ in range(200):
        middle = (low + high) / 2
        if (shares * slope / (1 + middle * slope)).sum() > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
