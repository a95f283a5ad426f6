"""How far a finding reaches over skill: whether its sign holds at the neighbouring levels.

Source: a rule of this project; the intervals it compares are Student's (1908) t intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from balance.stats.estimate import Estimate

ALPHA = 0.05

ROBUST = "robust"
DEPENDENT = "skill-dependent"
OPEN = "open"
SINGLE = "one skill level only"
UNCLEAR = "not shown"


@dataclass(frozen=True)
class Effect:
    """One effect at one skill level.

    Attributes
    ----------
    level : int
    value, low, high : float
        Estimate and 95 % interval, as differences from no effect.
    p : float
        Adjusted for the questions asked together.
    """

    level: int
    value: float
    low: float
    high: float
    p: float

    @property
    def decided(self) -> bool:
        """Whether the interval leaves no effect out."""
        return self.low > 0 or self.high < 0

    def overlaps(self, other: Effect) -> bool:
        """Whether the two intervals share a value; unknown ends reach everywhere."""
        return not (self.high < other.low or other.high < self.low)


@dataclass(frozen=True)
class Reach:
    """The label of a finding.

    Attributes
    ----------
    label : str
        ``robust``, ``skill-dependent``, ``open``, ``one skill level only`` or ``not shown``.
    open_at : tuple of int
        Neighbouring levels that leave the sign open; empty unless the label is ``open``.
    """

    label: str
    open_at: tuple[int, ...] = ()


def effect_of(level: int, estimate: Estimate, p: float, even: float = 0.0) -> Effect:
    """An estimate as an effect against `even`."""
    return Effect(level, estimate.value - even, estimate.low - even, estimate.high - even, p)


def reach(effects: Sequence[Effect]) -> Reach:
    """Label a finding by its neighbours in skill.

    The finding is the level with the smallest p-value. At a neighbouring level its sign *holds* when the
    estimate there has the same sign and an interval without zero. Where that interval holds zero, the sign is
    *open* as long as the two intervals overlap: the neighbour then contradicts nothing and shows nothing.
    Otherwise the finding is of its own level only.

    Parameters
    ----------
    effects : sequence of Effect
        By rising skill.
    """
    best = min(range(len(effects)), key=lambda place: effects[place].p, default=None)
    if best is None or effects[best].p >= ALPHA:
        return Reach(UNCLEAR)
    if len(effects) == 1:
        return Reach(SINGLE)
    near = [effects[place] for place in (best - 1, best + 1) if 0 <= place < len(effects)]
    answers = [_holds(effects[best], other) for other in near]
    if False in answers:
        return Reach(DEPENDENT)
    unclear = tuple(other.level for other, answer in zip(near, answers, strict=True) if answer is None)
    return Reach(OPEN, unclear) if unclear else Reach(ROBUST)


def _holds(finding: Effect, other: Effect) -> bool | None:
    """Whether the sign of a finding holds at a neighbour; None when the neighbour leaves it open."""
    if other.decided:
        return math.copysign(1, other.value) == math.copysign(1, finding.value)
    return None if finding.overlaps(other) else False
