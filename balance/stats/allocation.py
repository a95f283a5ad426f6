"""Where the next games go, and what is known so far: rounds of pairs with intervals valid at every look.

A question's answers from successive rounds, given what went before, are independent and centred on the
truth, whatever decided how many pairs each cell got. With weights w_r that are fixed before round r, the sum
of w_r (answer_r - truth) is a martingale with intrinsic time v = sum w_r^2 V_r, and the normal-mixture
confidence sequence of :mod:`balance.stats.sequences` holds for it: estimate +- u(v) / sum w_r. The weights
are the information that the round was expected to bring, by the spreads seen in earlier rounds; the first
round has only its own. Validity is asymptotic in the pairs of a round.
Sources: Howard, Ramdas, McAuliffe and Sekhon (2021); Waudby-Smith et al. (2024); Neyman (1934) for the
allocation over the cells of one question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from balance.stats.estimate import Estimate
from balance.stats.questions import Answer
from balance.stats.sequences import ALPHA, METHOD, mixture_bound

GROWTH = 2.0  # a round brings at most so many times the information that there is
LEAST = 0.1  # and at least this share of it, so that the last looks are not many
SPARE = 1.02  # aimed for beyond what is needed, since spreads are estimates


def errors_per_half_width(alpha: float = ALPHA) -> float:
    """Standard errors in a half-width where the mixture is tightest: 3.03 at 95 % (1.96 for one look)."""
    twice = 2 * math.log(1 / alpha)
    ratio = twice + math.log1p(twice)  # v / rho at the tightest
    return math.sqrt((1 + 1 / ratio) * (twice + math.log1p(ratio)))


@dataclass
class Question:
    """What is known of one question.

    Attributes
    ----------
    name : str
    target : float
        Half-width wanted.
    weight, total, time : float
        Sums of w, w times answer, and w^2 V.
    pairs, spread : dict of int to float
        By cell: pairs, and pairs times spread.
    rounds : int
    """

    name: str
    target: float
    weight: float = 0.0
    total: float = 0.0
    time: float = 0.0
    pairs: dict[int, int] = field(default_factory=dict)
    spread: dict[int, float] = field(default_factory=dict)
    rounds: int = 0

    def add(self, answer: Answer, pairs: Mapping[int, int]) -> None:
        """Take one round's answer into account.

        Parameters
        ----------
        answer : Answer
        pairs : mapping of int to int
            Pairs of the round by cell.
        """
        before = self.spreads() if self.rounds else answer.spread
        weight = 1 / sum(before[cell] / pairs[cell] for cell in answer.spread)
        self.weight += weight
        self.total += weight * answer.value
        self.time += weight**2 * sum(square / pairs[cell] for cell, square in answer.spread.items())
        for cell, square in answer.spread.items():
            self.pairs[cell] = self.pairs.get(cell, 0) + pairs[cell]
            self.spread[cell] = self.spread.get(cell, 0.0) + square * pairs[cell]
        self.rounds += 1

    def spreads(self) -> dict[int, float]:
        """Mean spread by cell over the rounds so far."""
        return {cell: value / self.pairs[cell] for cell, value in self.spread.items()}

    def half_width(self) -> float:
        """Half of the always-valid interval; infinite before the first round."""
        if not self.weight:
            return math.inf
        best = (errors_per_half_width() / self.target) ** 2  # fixed before any look
        return float(mixture_bound(self.time, best)) / self.weight

    def open(self) -> bool:
        """Whether the interval is still wider than wanted."""
        return self.half_width() > self.target

    def estimate(self) -> Estimate:
        """What is known, with the always-valid interval."""
        value, half = self.total / self.weight, self.half_width()
        se = math.sqrt(self.time) / self.weight
        return Estimate(value, se, value - half, value + half, sum(self.pairs.values()), METHOD)

    def wants(self) -> dict[int, float]:
        """Pairs by cell that would bring the interval to its target, or a good way towards it."""
        if not self.open():
            return {}
        missing = SPARE * (self.half_width() / self.target) ** 2 - 1
        information = self.weight * min(max(missing, LEAST), GROWTH)
        errors = {cell: math.sqrt(square) for cell, square in self.spreads().items()}
        return {cell: information * sum(errors.values()) * error for cell, error in errors.items()}


def next_round(
    questions: Sequence[Question], sizes: Mapping[int, int], left: int, least: int
) -> dict[int, int]:
    """Pairs of the next round by cell; empty when every question is answered or nothing is left.

    Parameters
    ----------
    questions : sequence of Question
    sizes : mapping of int to int
        Pairs of a part by cell: a round gives whole parts.
    left : int
        Pairs that may still be played in all.
    least : int
        Fewest pairs of a cell that takes part in a round.
    """
    wanted: dict[int, float] = {}
    for question in questions:
        for cell, pairs in question.wants().items():
            wanted[cell] = max(wanted.get(cell, 0.0), pairs, float(least))
    parts = {cell: math.ceil(round(pairs / sizes[cell], 6)) for cell, pairs in sorted(wanted.items())}
    total = sum(count * sizes[cell] for cell, count in parts.items())
    if total > left:
        parts = {cell: int(count * left / total) for cell, count in parts.items()}
    return {cell: count * sizes[cell] for cell, count in parts.items() if count}
