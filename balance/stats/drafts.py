"""What the order of a draft was worth in a run: drafting first against second, turn order averaged out.

Every draft is played in every seating, so that the order of turns cannot blur the order of picks.
Sources: stratified means, Cochran (1977), chapter 5; Schuirmann (1987) for two one-sided tests.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import Estimate, Refusal, detectable, interval
from balance.stats.fairness import MARGIN
from balance.stats.means import METHOD, UNIT, mean_of, spread
from balance.stats.sequences import Sample
from balance.stats.sums import CellSums, Sums
from balance.stats.verdicts import Verdict, fixed_verdict

GIVEN = Refusal(
    "The rosters of this run were given, so nobody drafted.",
    "A plan with `draft:` instead of teams lets them be drafted.",
)
TOO_FEW = Refusal("A draft needs at least two pairs in every cell.", "Play more pairs.")


@dataclass(frozen=True)
class DraftOrder:
    """The order of picks at one skill level.

    Attributes
    ----------
    level : int
    places : tuple of Estimate
        Mean score by side in the order of the draft.
    first : Estimate
        Score of drafting first less its even share, doubled with two sides: first less second.
    verdict : Verdict
        Two one-sided tests of `first` against the margin: PASS says fair within it.
    detectable : float
        Smallest true difference found with 80 % power.
    """

    level: int
    places: tuple[Estimate, ...]
    first: Estimate
    verdict: Verdict
    detectable: float


def draft_order(sums: Sums, level: int, margin: float = MARGIN) -> DraftOrder | Refusal:
    """What drafting first was worth at one level.

    With m the mean score of the side that drafts first and k sides: (k m - 1)/(k - 1), which is first less
    second with two sides; the mean over cells that count alike, its error from the spread of pairs.

    Parameters
    ----------
    sums : Sums
    level : int
    margin : float
        Difference below which the format counts as fair.

    Returns
    -------
    DraftOrder or Refusal
        A refusal where rosters were given, or with fewer than two pairs in a cell.
    """
    cells, k = sums.of(level), sums.design.sides
    if not cells or any(cell.cell.teams for cell in cells):
        return GIVEN
    if any(cell.moments.n < 2 for cell in cells):
        return TOO_FEW
    places = [mean_of(cells, f"player_{side}", UNIT) for side in range(k)]
    sample = scaled_sample(cells, "player_0", k / (k - 1), -1 / (k - 1))
    verdict = fixed_verdict(sample, margin, "drafting first", scale=1.0)
    first = verdict.difference
    if not isinstance(first, Estimate):
        first = interval(sample.mean, sample.se, sample.n, METHOD, sample.freedom, (-1.0, 1.0))
    kept = tuple(place for place in places if place is not None)
    return DraftOrder(level, kept, first, verdict, detectable(sample.se))


def scaled_sample(cells: list[CellSums], name: str, factor: float, shift: float) -> Sample:
    """factor times a pair value plus shift, as a sample whose mean lets every cell count alike.

    The deviation is what gives the stratified standard error back: SE^2 n (n - strata).
    Source: Cochran (1977), chapter 5.
    """
    k, n = len(cells), sum(cell.moments.n for cell in cells)
    mean = sum(cell.moments.total[name] / cell.moments.n for cell in cells) / k
    variance = sum(spread(cell, name) / cell.moments.n for cell in cells) / k**2
    deviation = factor**2 * variance * n * (n - k)
    return Sample(n, factor * mean + shift, float(np.maximum(deviation, 0.0)), k)
