"""Skill against luck: how many games the better player decides, and how many the dice and the deal do.

Sources: the share 2w - 1 of games that skill decides if the rest are coin flips; one-way random-effects
analysis of variance with Searle's interval (Searle 1971, chapter 9) for the share of the deal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from balance.stats.estimate import LEVEL, Estimate, Refusal, detectable, interval, two_sided
from balance.stats.multiple import holm
from balance.stats.proportions import wilson
from balance.stats.sequences import Sample, sample_of

SHARE = "twice the mean pair score of the stronger agent less one"
REPEAT = "one-way random-effects variance share, F interval"
NEVER_MET = Refusal(
    "No two agents met each other, so skill and luck cannot be told apart.",
    "A plan with agents by seat lets them meet; `balance ladder PLAN` plays all against all.",
)


@dataclass(frozen=True)
class SkillStep:
    """One agent against the next weaker one.

    Attributes
    ----------
    stronger, weaker : str
    score : Estimate
        Mean pair score of the stronger agent.
    decided : Estimate
        Share of games that the skill gap decides; negative when the ladder is in the wrong order.
    p : float
        For "the same strength", Holm over the steps.
    detectable : float
        Smallest true share found with 80 % power.
    """

    stronger: str
    weaker: str
    score: Estimate
    decided: Estimate
    p: float
    detectable: float


def skill_steps(agents: Sequence[str], scores: Sequence[Any]) -> tuple[SkillStep, ...] | Refusal:
    """Share of games decided by skill at every step of a ladder.

    If a share s of games goes to the stronger agent and luck shares the rest evenly, its score is
    w = s + (1 - s)/2, so s = 2w - 1; SE(s) = 2 SE(w), by pair.

    Parameters
    ----------
    agents : sequence of str
        Weakest first.
    scores : sequence of array_like
        Pair scores of agent k + 1 against agent k, in mirrored pairs; one fewer than agents.

    Returns
    -------
    tuple of SkillStep, or Refusal
        A refusal when no step was played.
    """
    if len(scores) != max(len(agents) - 1, 0):
        raise ValueError("one set of scores is needed for every two neighbouring agents")
    steps = [
        skill_step(agents[k + 1], agents[k], sample_of(np.asarray(s, dtype=float)))
        for k, s in enumerate(scores)
        if len(s)
    ]
    return adjusted_steps(steps) if steps else NEVER_MET


def adjusted_steps(steps: Sequence[SkillStep]) -> tuple[SkillStep, ...]:
    """The same with their p-values adjusted together.

    Source: Holm (1979).
    """
    adjusted = holm(np.array([step.p for step in steps]))
    return tuple(replace(step, p=float(p)) for step, p in zip(steps, adjusted, strict=True))


def skill_step(stronger: str, weaker: str, sample: Sample) -> SkillStep:
    """One step of a ladder: s = 2w - 1 with w the mean pair score of the stronger agent.

    Source: two players of whom the better wins a share s for sure and half of the rest; t interval over
    pairs, Wilson (1927) where every pair ended alike.

    Parameters
    ----------
    stronger, weaker : str
    sample : Sample
        Pair scores of the stronger agent.
    """
    error = sample.se
    if sample.deviation == 0:  # every pair alike: Wilson's limits instead of certainty
        low, high = wilson(sample.mean * sample.n, sample.n)
        score = Estimate(sample.mean, error, low, high, sample.n, "mean over pairs, Wilson interval")
        error = math.sqrt(0.25 / sample.n)
    else:
        score = interval(
            sample.mean, error, sample.n, "mean over pairs, t interval", sample.freedom, (0.0, 1.0)
        )
    decided = Estimate(
        2 * score.value - 1,
        2 * score.se,
        2 * score.low - 1,
        2 * score.high - 1,
        score.n,
        f"{SHARE} ({score.method})",
    )
    p = two_sided(sample.mean - 0.5, error, max(sample.freedom, 1))
    return SkillStep(stronger, weaker, score, decided, p, detectable(2 * error))


@dataclass(frozen=True)
class DealShare:
    """Games with dice, every deal played several times.

    Attributes
    ----------
    deal : Estimate
        Share of the variance of a game's score that its deal (rosters, arena, setup) decides; the rest is
        dice and play.
    p : float
        F test of "the deal decides nothing".
    deals, games : int
    """

    deal: Estimate
    p: float
    deals: int
    games: int


def deal_share(deals: Any, scores: Any) -> DealShare | Refusal:
    """Variance share of the deal, from repeated games of each.

    rho = (MSB - MSW) / (MSB + (n0 - 1) MSW); limits (F/F_u - 1) / (F/F_u + n0 - 1), F = MSB / MSW and n0 the
    mean group size less its variance over its sum (Searle 1971; exact with equal groups).

    Parameters
    ----------
    deals : array_like, shape (n,)
        Which deal each game repeats.
    scores : array_like, shape (n,)
        Score of the first seat.

    Returns
    -------
    DealShare or Refusal
        A refusal when no deal was repeated, or there is only one.
    """
    _, index, sizes = np.unique(np.asarray(deals), return_inverse=True, return_counts=True)
    values = np.asarray(scores, dtype=float)
    a, n = len(sizes), len(values)
    if a < 2 or n <= a:
        return Refusal(
            "Luck of the deal needs at least two deals, one of them played twice.",
            "Repeat the same deals with other dice streams.",
        )
    means = np.bincount(index, values) / sizes
    within = float(((values - means[index]) ** 2).sum()) / (n - a)
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (a - 1)
    size = (n - (sizes**2).sum() / n) / (a - 1)
    if within <= 1e-15:
        share = 1.0 if between > 1e-15 else math.nan
        if math.isnan(share):
            return Refusal("Every game ended alike, so there is no variance to share.", "Play more games.")
        return DealShare(Estimate(share, math.nan, 0.0, 1.0, a, f"{REPEAT}; deals never varied"), 0.0, a, n)
    return _shared(between / within, size, a, n)


def _shared(ratio: float, size: float, a: int, n: int) -> DealShare:
    from scipy.special import fdtrc, fdtri

    tail = (1 - LEVEL) / 2
    low, high = ((ratio / float(fdtri(a - 1, n - a, level)) - 1) for level in (1 - tail, tail))
    value = (ratio - 1) / (ratio + size - 1)
    spread = (
        2 * (1 - value) ** 2 * (1 + (size - 1) * value) ** 2 / (size * (size - 1) * (a - 1))
        if size > 1
        else math.nan
    )
    estimate = Estimate(
        max(value, 0.0),
        math.sqrt(spread) if spread >= 0 else math.nan,
        max(0.0, low / (low + size)),
        min(1.0, max(0.0, high / (high + size))),
        a,
        REPEAT,
    )
    return DealShare(estimate, float(fdtrc(a - 1, n - a, ratio)), a, n)
