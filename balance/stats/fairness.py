"""Is a draft format fair? Drafting first against drafting second, apart from moving first.

Every draft is played in both seatings, so draft order and turn order form a 2 x 2 factorial within the pair.
Fair means equivalent: the difference has to be shown to lie within a margin, not merely to be insignificant.
The answer holds for the agent that drafted.
Sources: Fisher (1935) for the factorial; Schuirmann (1987) for two one-sided tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.stats.estimate import Estimate, Refusal, detectable, interval
from balance.stats.sequences import Sample, sample_of
from balance.stats.verdicts import PASS, Verdict, fixed_verdict

MARGIN = 0.02  # two percentage points
METHOD = "2 x 2 factorial within pairs (draft order x turn order), t interval"


@dataclass(frozen=True)
class DraftFairness:
    """One draft format.

    Attributes
    ----------
    agent : str
        Who drafted: the answer holds for it.
    draft : Estimate
        Score of drafting first less score of drafting second, turn order averaged out.
    turn : Estimate
        Score of moving first less score of moving second, draft order averaged out.
    moving_first, moving_second : Estimate
        Score of the first drafter by its turn order.
    verdict : Verdict
        Two one-sided tests of `draft` against the margin.
    fair : bool
        Whether the verdict is PASS.
    detectable : float
        Smallest true difference found with 80 % power.
    n : int
        Pairs.
    """

    agent: str
    draft: Estimate
    turn: Estimate
    moving_first: Estimate
    moving_second: Estimate
    verdict: Verdict
    fair: bool
    detectable: float
    n: int


def draft_fairness(
    moving_first: Any, moving_second: Any, agent: str, margin: float = MARGIN
) -> DraftFairness | Refusal:
    """What drafting first is worth.

    With y1 and y2 the first drafter's scores when it moves first and second, and scores that sum to 1 between
    the sides: draft = mean(y1 + y2 - 1), turn = mean(y1 - y2). In a zero-sum game the interaction of the two
    factors is zero by symmetry.

    Parameters
    ----------
    moving_first, moving_second : array_like, shape (n,)
        Scores of the side that drafted first, one draft a row.
    agent : str
        Name of the drafting agent.
    margin : float
        Difference below which the format counts as fair.

    Returns
    -------
    DraftFairness or Refusal
        A refusal with fewer than two pairs, or without an agent to name.
    """
    one, two = np.asarray(moving_first, dtype=float), np.asarray(moving_second, dtype=float)
    if one.shape != two.shape:
        raise ValueError("every draft has to be played in both seatings")
    if len(one) < 2:
        return Refusal(
            "A draft format needs at least two drafts that were played in both seatings.", "Play more pairs."
        )
    if not agent:
        return Refusal("A draft is only as fair as its drafters, and none was named.", "Name the picker.")
    gap = sample_of(one + two - 1)
    verdict = fixed_verdict(gap, margin, f"drafting first, drafted by {agent}", scale=1.0)
    return DraftFairness(
        agent,
        _estimate(gap, (-1.0, 1.0), verdict),
        _estimate(sample_of(one - two), (-1.0, 1.0)),
        _estimate(sample_of(one), (0.0, 1.0)),
        _estimate(sample_of(two), (0.0, 1.0)),
        verdict,
        verdict.verdict == PASS,
        detectable(gap.se),
        gap.n,
    )


def _estimate(sample: Sample, bounds: tuple[float, float], verdict: Verdict | None = None) -> Estimate:
    """A t interval; for the draft effect the verdict's own, which is careful with few pairs."""
    if verdict is not None and isinstance(verdict.difference, Estimate):
        return verdict.difference
    return interval(sample.mean, sample.se, sample.n, METHOD, sample.n - 1, bounds)
