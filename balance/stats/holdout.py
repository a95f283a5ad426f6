"""Is the sum of hero strengths enough? Fitted on half of the matchups, checked on the other half.

A matchup is a set of rosters that face each other. All its pairs go to one half, by a hash of the rosters in
which sides and seats make no difference, so the check is on matchups that the fit has never seen.
Sources: Cox (1958) for the calibration slope; Brier (1950); pure-error lack of fit (Fisher 1922) for the part
that strengths leave open; delete-a-group jackknife over matchups (Quenouille 1956, Kott 2001) for the errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from balance.stats.estimate import Estimate, Refusal, interval, t_quantile
from balance.stats.least_squares import contrast_rows, fit
from balance.stats.pair_effects import PairFit, fit_pairs, pair_columns, shrinkage
from balance.stats.rosters import Piece

GROUPS = 24  # of the jackknife
ENOUGH, NOT_ENOUGH, OPEN = "enough", "not enough", "open"
EXPLAINED = 0.8  # share of what rosters decide that strengths have to explain
NEGLIGIBLE = 0.01  # standard deviation, in score, that does not matter
SLOPE_LIMITS = (0.8, 1.25)
LEAST_MATCHUPS = 50  # held-out matchups, and repeated ones for the share
METHOD = "delete-a-group jackknife over matchups, t interval"
WIDEST = 24  # heroes up to which pairs of heroes are fitted as well
PAIRS_A_PARAMETER = 3


@dataclass(frozen=True)
class Holdout:
    """The check on the half that was not fitted.

    Attributes
    ----------
    slope : Estimate
        Calibration slope: observed on predicted advantage, noise of the fit taken out; 1 is right, less than
        1 means exaggerated predictions.
    brier : Estimate
        Mean squared distance of a pair's score from its prediction.
    skill : Estimate
        Brier score of "even" less that of the strengths; above zero when they predict at all.
    explained : Estimate or Refusal
        Share of what rosters decide that strengths explain; needs matchups that were played repeatedly.
    stray : float
        Standard deviation of matchups about the prediction, noise taken out, in score; 0 when none was seen
        beyond noise, NaN when not known.
    gain : Estimate or Refusal
        Brier score of the strengths less that of strengths with shrunk synergies and counters.
    verdict : str
        ``enough``, ``not enough`` or ``open``.
    reason : str
        One sentence.
    matchups, n : int
        Held-out matchups and pairs.
    fitted : int
        Pairs of the fit.
    """

    slope: Estimate
    brier: Estimate
    skill: Estimate
    explained: Estimate | Refusal
    stray: float
    gain: Estimate | Refusal
    verdict: str
    reason: str
    matchups: int
    n: int
    fitted: int


def holdout(pieces: Iterable[Piece], heroes: int, pairs: bool = True) -> Holdout | Refusal:
    """Fit strengths on half of the matchups and calibrate them on the other half.

    slope = sum f y / (sum f^2 - sum x' S x) with f the predicted and y the observed advantage; Brier = mean
    (s - p)^2; explained = 1 - sum (n (y - f)^2 - s^2 - n x' S x) / sum (n y^2 - s^2) over matchups played at
    least twice, s^2 the variance within one and S the covariance of the fit.

    Parameters
    ----------
    pieces : iterable of Piece
        Rosters complete, not cancelled; gone through several times.
    heroes : int
    pairs : bool
        Whether synergies and counters are tried as well.

    Returns
    -------
    Holdout or Refusal
        A refusal when half of the matchups do not determine strengths, or are too few.
    """
    if any(piece.agents_differ for piece in pieces):
        return Refusal(
            "The sides are played by different agents, so the roster model cannot be checked by itself.",
            "Check it at a level where every seat has the same agent.",
        )
    train, test = _Half(pieces, 0), _Half(pieces, 1)
    trained, tested = sum(1 for _ in train.rows()), sum(1 for _ in test.rows())
    if tested < LEAST_MATCHUPS or trained < LEAST_MATCHUPS:
        return Refusal(
            f"{trained + tested} different matchups are too few to fit half and check the rest; "
            f"about {2 * LEAST_MATCHUPS} are needed.",
            "Draft rosters at random, or play more teams against each other.",
        )
    found = fit(train)
    if not found.estimable or found.freedom <= 0:
        return Refusal(
            "Half of the matchups do not determine the strength of every hero, so nothing can be checked.",
            "Draft rosters at random, or play more pairs.",
        )
    richer = _richer(train, heroes) if pairs else Refusal("Synergies and counters were not tried.")
    predict = None if isinstance(richer, Refusal) else richer
    sums = _collect(test, found.effects, found.covariance, predict)
    return _judged(sums, found.effects, found.covariance, richer, found.n)


@dataclass(frozen=True)
class _Half:
    """The matchups of one half, in pieces."""

    pieces: Iterable[Piece]
    half: int

    def __iter__(self) -> Iterator[Piece]:
        for piece in self.pieces:
            held = np.flatnonzero(matchup_hash(piece.counts) % np.uint64(2) == self.half)
            if len(held):
                yield taken(piece, held)

    def rows(self) -> Iterator[int]:
        """One item a folded row."""
        for piece in self:
            yield from range(len(piece.counts))


def taken(piece: Piece, rows: np.ndarray) -> Piece:
    """Some rows of a piece."""
    return replace(
        piece,
        counts=piece.counts[rows],
        scores=piece.scores[rows],
        pairs=None if piece.pairs is None else piece.pairs[rows],
        products=None if piece.products is None else piece.products[rows],
    )


def matchup_hash(counts: np.ndarray) -> np.ndarray:
    """A number for every matchup in which the order of the sides makes no difference.

    Parameters
    ----------
    counts : ndarray, shape (n, k, v)

    Returns
    -------
    ndarray of uint64, shape (n,)
        Finalised as splitmix64 does (Steele, Lea and Flood 2014).
    """
    weights = np.random.default_rng(20_261).integers(1, 2**63, counts.shape[2], dtype=np.uint64)
    with np.errstate(over="ignore"):
        sides = (counts.astype(np.uint64) * weights).sum(axis=2, dtype=np.uint64)
        mixed = _mix(sides).sum(axis=1, dtype=np.uint64)
        return _mix(mixed)


def _mix(x: np.ndarray) -> np.ndarray:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


Predict = Callable[[np.ndarray], np.ndarray]


def _richer(train: Iterable[Piece], heroes: int) -> Predict | Refusal:
    """Predictions with shrunk synergies and counters, if the design determines any."""
    if heroes > WIDEST:
        return Refusal(f"Pairs of more than {WIDEST} heroes are not tried in this check.")
    found = fit_pairs(train, heroes)
    if not found.fitted:
        return Refusal("The rosters of this run do not determine synergies and counters.")
    if found.n < PAIRS_A_PARAMETER * (found.n - found.freedom):
        return Refusal("There are too few pairs to fit synergies and counters on half of them.")
    weights = _weights(found, heroes)
    return lambda counts: pair_columns(counts) @ weights


def _weights(found: PairFit, v: int) -> np.ndarray:
    i, j = np.triu_indices(v, 1)
    parts = [found.strengths]
    for values, errors in (
        (found.synergies[i, j], found.synergy_errors[i, j]),
        (found.counters[i, j], found.counter_errors[i, j]),
    ):
        parts.append(values * shrinkage(values, errors)[1] if errors.any() else values)
    return np.concatenate(parts)


NAMES = ("n", "rows", "ff", "fy", "noise", "brier", "even", "pairs", "again", "left", "whole")


def _collect(
    test: Iterable[Piece], effects: np.ndarray, covariance: np.ndarray, richer: Predict | None
) -> np.ndarray:
    """Sums by jackknife group, shape (groups, len(NAMES)); one side a pair when there are two."""
    found = np.zeros((GROUPS, len(NAMES)))
    for piece in test:
        k, n = piece.scores.shape[1], piece.weight
        sides = 1 if k == 2 else k
        group = ((matchup_hash(piece.counts) >> np.uint64(8)) % np.uint64(GROUPS)).astype(int)
        rows = contrast_rows(piece.counts, False)
        better = richer(piece.counts) if richer else None
        for side in range(sides):
            f = rows[:, side] @ effects
            noise = np.einsum("np,pq,nq->n", rows[:, side], covariance, rows[:, side])
            columns = _row_sums(piece, side, n, f, noise, None if better is None else better[:, side])
            for place, column in enumerate(columns):
                found[:, place] += np.bincount(group, column / sides, GROUPS)
    return found


def _row_sums(
    piece: Piece, side: int, n: np.ndarray, f: np.ndarray, noise: np.ndarray, better: np.ndarray | None
) -> tuple[np.ndarray, ...]:
    """What :data:`NAMES` names, for every matchup."""
    even = 1 / piece.scores.shape[1]
    y = piece.scores[:, side] - even
    square = piece.squares[:, side, side] - 2 * even * n * piece.scores[:, side] + n * even**2
    within = np.where(n > 1, np.maximum(square - n * y * y, 0) / np.maximum(n - 1, 1), 0.0)
    again = (n > 1).astype(float)

    def distance(p: np.ndarray) -> np.ndarray:
        return square - 2 * p * n * y + n * p * p

    return (
        n,
        np.ones(len(n)),
        n * f * f,
        n * f * y,
        n * noise,
        distance(f),
        square,
        distance(f if better is None else better),
        again * n,
        again * (n * (y - f) ** 2 - within - n * noise),
        again * (n * y * y - within),
    )


def _jackknife(
    sums: np.ndarray, statistic: Callable[[np.ndarray], float], n: int, extra: float = 0.0
) -> Estimate:
    """A function of summed columns with its error from leaving out one group of matchups at a time."""
    held = sums[sums[:, 0] > 0]
    total, g = held.sum(axis=0), len(held)
    value = statistic(total)
    without = np.array([statistic(total - row) for row in held])
    variance = (g - 1) / g * float(((without - without.mean()) ** 2).sum()) + extra
    return interval(value, math.sqrt(variance), n, METHOD, g - 1)


def _judged(
    sums: np.ndarray,
    effects: np.ndarray,
    covariance: np.ndarray,
    richer: Predict | Refusal,
    fitted: int,
) -> Holdout:
    col = {name: place for place, name in enumerate(NAMES)}
    total = sums.sum(axis=0)
    n, matchups = round(float(total[col["n"]])), round(float(total[col["rows"]]))

    def slope_of(t: np.ndarray) -> float:
        signal = t[col["ff"]] - t[col["noise"]]
        return float(t[col["fy"]] / signal) if signal > 0 else math.nan

    signal = total[col["ff"]] - total[col["noise"]]
    shaky = _training_variance(effects, covariance, signal)
    slope = _jackknife(sums, slope_of, n, shaky)
    brier = _jackknife(sums, lambda t: float(t[col["brier"]] / t[col["n"]]), n)
    skill = _jackknife(sums, lambda t: float((t[col["even"]] - t[col["brier"]]) / t[col["n"]]), n)
    gain: Estimate | Refusal
    if isinstance(richer, Refusal):
        gain = richer
    else:
        gain = _jackknife(sums, lambda t: float((t[col["brier"]] - t[col["pairs"]]) / t[col["n"]]), n)
    explained, stray = _explained(sums, col)
    steady = total[col["noise"]] < total[col["ff"]] / 2  # else the slope is a ratio of noise
    verdict, reason = _verdict(slope if steady else None, skill, explained, stray, gain)
    return Holdout(slope, brier, skill, explained, stray, gain, verdict, reason, matchups, n, fitted)


def _training_variance(effects: np.ndarray, covariance: np.ndarray, signal: float) -> float:
    """Part of the slope's variance that the fit brings: h' S h / |h|^4 (G near a multiple of 1)."""
    size = float(effects @ effects)
    if size <= 0 or signal <= 0:
        return 0.0
    return float(effects @ covariance @ effects) / size**2


def _explained(sums: np.ndarray, col: dict[str, int]) -> tuple[Estimate | Refusal, float]:
    total = sums.sum(axis=0)
    pairs = round(float(total[col["again"]]))
    if pairs < 2 * LEAST_MATCHUPS:
        return (
            Refusal(
                "Hardly any matchup was played twice, so chance and the model's gaps cannot be told apart.",
                "Play more pairs, or fewer different rosters.",
            ),
            math.nan,
        )
    stray = _above_zero(sums, col["left"], col["again"], pairs)
    if not _above_zero(sums, col["whole"], col["again"], pairs):
        return Refusal(
            "Rosters decide nothing beyond noise that could be explained.", "Play more pairs."
        ), stray

    def share(t: np.ndarray) -> float:
        return 1 - float(t[col["left"]] / t[col["whole"]]) if t[col["whole"]] > 0 else math.nan

    found = _jackknife(sums, share, pairs)
    if not math.isfinite(found.se):
        return Refusal("What rosters decide is lost in noise.", "Play more pairs."), stray
    return replace(found, high=min(1.0, max(found.high, found.value))), stray


def _above_zero(sums: np.ndarray, part: int, pairs: int, n: int) -> float:
    """Root of a mean square beyond noise; 0 when its 99 % interval holds zero."""
    found = _jackknife(sums, lambda t: float(t[part] / t[pairs]), n)
    reach = t_quantile(0.995, max(int((sums[:, 0] > 0).sum()) - 1, 1)) * found.se
    return math.sqrt(found.value) if found.value > reach else 0.0


def _verdict(
    slope: Estimate | None,
    skill: Estimate,
    explained: Estimate | Refusal,
    stray: float,
    gain: Estimate | Refusal,
) -> tuple[str, str]:
    if slope and math.isfinite(slope.se) and (slope.high < SLOPE_LIMITS[0] or slope.low > SLOPE_LIMITS[1]):
        word = "exaggerates" if slope.value < 1 else "understates"
        return NOT_ENOUGH, f"The sum of strengths {word} advantages: calibration slope {slope.value:.2f}."
    if isinstance(explained, Estimate):
        said = f"Strengths explain {100 * min(explained.value, 1):.0f} % of what rosters decide"
        if explained.high < EXPLAINED and stray > NEGLIGIBLE:
            return NOT_ENOUGH, f"{said}; matchups stray {100 * stray:.1f} pp from their sum."
        if explained.low >= EXPLAINED:
            return ENOUGH, f"{said}."
    if isinstance(gain, Estimate) and skill.value > 0:
        limit = f"{100 * (1 - EXPLAINED):.0f} %"
        allowed = (1 - EXPLAINED) * (skill.value + max(gain.value, 0))
        if gain.low > allowed:
            return NOT_ENOUGH, f"Synergies and counters add more than {limit} of what rosters predict."
        if gain.high < allowed and skill.low > 0:
            return ENOUGH, f"Synergies and counters add less than {limit} of what rosters predict."
    return OPEN, "This run cannot tell whether the sum of strengths is enough; more pairs would."
