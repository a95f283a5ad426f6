"""Did a change keep a metric where it was? PASS, FAIL or INCONCLUSIVE against a margin declared beforehand.

PASS: the interval lies within +- margin. FAIL: it lies wholly outside. Otherwise INCONCLUSIVE, with the
number of pairs that would settle it. Nothing is asked about zero: with enough games all differs from zero.
Sources: Schuirmann (1987) for two one-sided tests; Howard et al. (2021) for looking more than once;
Holm (1979) and Berger (1982, intersection-union) for many metrics.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.stats.deltas import difference_estimate
from balance.stats.estimate import Estimate, Refusal, t_quantile
from balance.stats.multiple import holm
from balance.stats.power import equivalence_size
from balance.stats.sequences import Sample, sequence_interval, sequence_p

PASS, FAIL, INCONCLUSIVE = "PASS", "FAIL", "INCONCLUSIVE"
ALPHA = 0.05
LEAST_ALIKE = 30  # pairs that never differed, needed before an unbounded metric passes
FIXED = "two one-sided tests of fixed size: 90 % interval to pass, 95 % to fail"
SEQUENCE = "normal-mixture confidence sequence, 95 % over all looks"
ALIKE = "no pair differed at all"


@dataclass(frozen=True)
class Verdict:
    """One metric.

    Attributes
    ----------
    metric : str
    verdict : str
        ``PASS``, ``FAIL`` or ``INCONCLUSIVE``.
    difference : Estimate or Refusal
        Candidate less baseline with its 95 % interval; a refusal without pairs.
    low, high : float
        Ends of the interval that PASS is decided on (90 % for the fixed size).
    margin : float
    p : float
        For "within the margin": small means outside. Adjusted in :func:`judge`.
    needed : float
        Pairs that would pass with 90 % chance if the truth were zero; NaN when that is not known.
    method : str
    """

    metric: str
    verdict: str
    difference: Estimate | Refusal
    low: float
    high: float
    margin: float
    p: float
    needed: float
    method: str


@dataclass(frozen=True)
class Judgement:
    """Many metrics together.

    Attributes
    ----------
    verdict : str
        FAIL when a metric fails after Holm's adjustment; PASS when every metric passes; else INCONCLUSIVE.
    metrics : tuple of Verdict
        In the order given, `p` adjusted.
    failed, open : tuple of str
        Metrics that failed after adjustment, and those that neither failed nor passed.
    reason : str
        One sentence.
    """

    verdict: str
    metrics: tuple[Verdict, ...]
    failed: tuple[str, ...]
    open: tuple[str, ...]
    reason: str


def decide(low: float, high: float, wide_low: float, wide_high: float, margin: float) -> str:
    """PASS if (low, high) lies within +- margin, FAIL if (wide_low, wide_high) lies outside, else neither."""
    if -margin < low and high < margin:
        return PASS
    return FAIL if wide_low > margin or wide_high < -margin else INCONCLUSIVE


def fixed_verdict(
    sample: Sample, margin: float, metric: str = "", scale: float | None = 1.0, alpha: float = ALPHA
) -> Verdict:
    """Verdict from a number of pairs that was fixed beforehand.

    PASS if d +- t_{1-alpha} SE lies within +- margin, FAIL if d +- t_{1-alpha/2} SE lies outside.

    Parameters
    ----------
    sample : Sample
        Candidate less baseline of each pair, summed.
    margin : float
        Above 0, in the metric's unit.
    metric : str
    scale : float or None
        Largest possible difference, 1 for scores; None for a metric without bound.
    alpha : float

    Raises
    ------
    ValueError
        The margin is not above 0.
    """
    _margin(margin)
    if sample.n < 1:
        return _nothing(metric, margin, FIXED)
    needed = _needed(sample, margin)
    if scale is None and sample.deviation == 0:
        return _never_varied(sample, margin, metric)
    narrow, wide = (_interval(sample, scale, 1 - 2 * alpha), _interval(sample, scale, 1 - alpha))
    verdict = decide(narrow.low, narrow.high, wide.low, wide.high, margin)
    p = _outside_p(sample, wide, margin)
    return Verdict(metric, verdict, wide, narrow.low, narrow.high, margin, p, needed, FIXED)


def sequence_verdict(
    sample: Sample, margin: float, v_opt: float, metric: str = "", alpha: float = ALPHA
) -> Verdict:
    """Verdict that may be asked after every look, with one error rate over all of them.

    PASS if the confidence sequence lies within +- margin, FAIL if wholly outside.

    Parameters
    ----------
    sample : Sample
        All pairs so far.
    margin : float
    v_opt : float
        Sum of squared deviations expected at the look that matters, fixed beforehand; for example the
        planned number of pairs times the variance guessed for one.
    metric : str
    alpha : float
    """
    _margin(margin)
    found = sequence_interval(sample, v_opt, alpha)
    if isinstance(found, Refusal):
        return _nothing(metric, margin, SEQUENCE)
    verdict = decide(found.low, found.high, found.low, found.high, margin)
    p = sequence_p(sample, max(abs(sample.mean) - margin, 0.0), v_opt, alpha)
    return Verdict(
        metric, verdict, found, found.low, found.high, margin, p, _needed(sample, margin), SEQUENCE
    )


def judge(verdicts: Sequence[Verdict], alpha: float = ALPHA) -> Judgement:
    """One verdict over many metrics.

    FAIL: some metric lies outside its margin after Holm's adjustment (1979), so that a candidate which keeps
    every margin fails with probability `alpha` at most. PASS: every metric passes; by the intersection-union
    argument (Berger 1982) no adjustment is needed. No metrics at all do not pass.
    """
    if not verdicts:
        return Judgement(INCONCLUSIVE, (), (), (), "No metric was judged.")
    adjusted = holm(np.array([verdict.p for verdict in verdicts]))
    metrics = []
    for verdict, p in zip(verdicts, adjusted, strict=True):
        kept = INCONCLUSIVE if verdict.verdict == FAIL and p > alpha else verdict.verdict
        metrics.append(replace(verdict, p=float(p), verdict=kept))
    failed = tuple(verdict.metric for verdict in metrics if verdict.verdict == FAIL)
    unclear = tuple(verdict.metric for verdict in metrics if verdict.verdict == INCONCLUSIVE)
    if failed:
        return Judgement(FAIL, tuple(metrics), failed, unclear, f"Outside the margin: {', '.join(failed)}.")
    if unclear:
        return Judgement(INCONCLUSIVE, tuple(metrics), (), unclear, f"Not settled: {', '.join(unclear)}.")
    return Judgement(PASS, tuple(metrics), (), (), "Every metric lies within its margin.")


def _margin(margin: float) -> None:
    if not margin > 0 or not math.isfinite(margin):
        raise ValueError(f"a margin has to be above 0, not {margin}")


def _nothing(metric: str, margin: float, method: str) -> Verdict:
    refusal = Refusal("No pair was played, so there is no verdict.", "Play some games first.")
    return Verdict(metric, INCONCLUSIVE, refusal, -math.inf, math.inf, margin, 1.0, math.nan, method)


def _never_varied(sample: Sample, margin: float, metric: str) -> Verdict:
    """A metric without bound whose difference is the same in every pair: its error cannot be estimated."""
    value, n = sample.mean, sample.n
    inside = n >= LEAST_ALIKE and abs(value) < margin
    reach = 0.0 if inside else math.inf
    estimate = Estimate(value, 0.0, value - reach, value + reach, n, f"{FIXED}; {ALIKE}")
    verdict = PASS if inside else INCONCLUSIVE
    return Verdict(
        metric, verdict, estimate, estimate.low, estimate.high, margin, 1.0, float(LEAST_ALIKE), FIXED
    )


def _interval(sample: Sample, scale: float | None, level: float) -> Estimate:
    if scale is not None:
        return difference_estimate(sample, scale, level)
    if sample.n < 2:
        return Estimate(sample.mean, math.nan, -math.inf, math.inf, sample.n, "one pair", level)
    reach = t_quantile(0.5 + level / 2, sample.n - 1) * sample.se
    low, high = sample.mean - reach, sample.mean + reach
    return Estimate(sample.mean, sample.se, low, high, sample.n, "paired difference, t interval", level)


def _outside_p(sample: Sample, wide: Estimate, margin: float) -> float:
    """Twice the tail beyond the margin, from the interval's own half-width; 1 inside the margin.

    It is at most alpha exactly when the 1 - alpha interval lies outside.
    """
    from scipy.special import ndtr, stdtr

    if not math.isfinite(wide.half_width) or wide.half_width == 0:
        return 1.0
    centre = (wide.low + wide.high) / 2
    gap = abs(centre) - margin
    if gap <= 0:
        return 1.0
    freedom = sample.n - 1 if "t interval" in wide.method else math.inf
    se = wide.half_width / t_quantile(0.5 + wide.level / 2, freedom)
    tail = ndtr(-gap / se) if math.isinf(freedom) else stdtr(freedom, -gap / se)
    return min(1.0, 2 * float(tail))


def _needed(sample: Sample, margin: float) -> float:
    if sample.n < 2 or sample.deviation <= 0:
        return math.nan
    return equivalence_size(margin, math.sqrt(sample.deviation / (sample.n - 1))).n
