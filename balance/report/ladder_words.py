"""A ladder in words: short names of agents, verdicts, findings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from balance.config.agents import AGENTS
from balance.report.view import Finding
from balance.report.words import NONE, count, listed, number, percent, share_range
from balance.stats.contests import Share
from balance.stats.estimate import Estimate
from balance.stats.ladder import NOT_PLAYED
from balance.study.ladder import AHEAD, BEHIND, EVEN, Checked, Encounter, Ladder

READING = (
    "Shares are of the score: a win 1, a draw one half. At least: the lower one-sided 95 % bound. Ordered as "
    "the plan lists the agents, weakest first."
)
SEPARATED = (
    "No single scale holds all agents, because some never lost a game against the rest: their strengths "
    "have no finite estimate. Strengths are comparable inside a group only; between groups the lower bounds "
    "of the win shares say how far they are apart at least."
)


def short_names(labels: Sequence[str]) -> dict[str, str]:
    """Names that are as short as they can be without being alike: ``greedy``, ``mcts:256``."""
    forms = [[_kind(label), label.split()[0], label] for label in labels]
    names = {}
    for label, own in zip(labels, forms, strict=True):
        others = [form for other in forms if other is not own for form in other]
        names[label] = next((form for form in own if form not in others), label)
    return names


def _kind(label: str) -> str:
    """The kind where its number is the usual one, else kind and number."""
    head = label.split()[0]
    kind, _, value = head.partition(":")
    taken = AGENTS.get(kind)
    searches = taken is not None and taken.whole  # their number is what they are known by
    return kind if taken and not searches and value == f"{taken.default:g}" else head


class Words:
    """Sentences about one ladder."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self.names = short_names(ladder.agents)

    def over(self, met: Encounter) -> str:
        """``mcts:64 over greedy``."""
        return f"{self.names[met.one]} over {self.names[met.other]}"

    def step(self, met: Encounter) -> str:
        """Who is ahead, by how much, how surely."""
        one, other, share = self.names[met.one], self.names[met.other], met.share
        sample = f"{count(met.pairs)} {self.ladder.unit}"
        if met.unanimous:
            one, other = (one, other) if met.unanimous == "won" else (other, one)
            least = bound(share.lower if met.unanimous == "won" else 1 - share.upper)
            return f"{one} won all {count(met.games)} games against {other} ({sample}): at least {least}."
        if met.verdict == AHEAD:
            return f"{one} beats {other}: {measured(share)}, at least {bound(share.lower)}; {sample}."
        if met.verdict == BEHIND:
            text = f"{one} loses to {other}, though listed above it: {measured(share)}, "
            return text + f"{other} at least {bound(1 - share.upper)}; {sample}."
        return f"{one} and {other} are not told apart: {measured(share)}; {sample}."

    def claim(self, checked: Checked) -> str:
        """A requirement and whether it holds."""
        claim = checked.claim
        text = f"{self.names[claim.one]} beats {self.names[claim.other]} at least {plain_share(claim.least)}"
        if not math.isfinite(checked.share):
            return f"{text}: not known, they have not met yet."
        word = "holds" if checked.holds else "does not hold"
        return f"{text}: {word}, lower bound {bound(checked.lower)}."

    def groups(self) -> str:
        """Which agents can be compared; empty when all can."""
        scale = self.ladder.scale
        if not scale.separated:
            return ""
        found: dict[int, list[str]] = {}
        for one in scale.strengths:
            if one.note != NOT_PLAYED:
                found.setdefault(one.group, []).append(self.names[self.ladder.agents[one.agent]])
        groups = "; ".join(listed(names) for names in found.values())
        return f"{SEPARATED}\nGroups: {groups}."

    def findings(self, claims: Sequence[Checked]) -> tuple[Finding, ...]:
        """Requirements first, then every step."""
        found = [
            Finding("claims", self.claim(one), "", "", abs(one.lower - one.claim.least)) for one in claims
        ]
        for step in self.ladder.steps():
            sure = max(step.share.lower - EVEN, EVEN - step.share.upper, 0.0)
            found.append(Finding("steps", self.step(step), "", "", sure))
        return tuple(found)


def measured(share: Share) -> str:
    """``66.1 % (63.4 to 68.7)``."""
    return f"{percent(share.estimate.value)} ({share_range(share.estimate)})"


def bound(value: float) -> str:
    """A one-sided bound in per cent, cut and not rounded, so that it promises no more than it is."""
    return percent(math.floor(value * 1000 + 1e-9) / 1000)


def plain_share(value: float) -> str:
    """A required share as it was written: ``60 %``, ``99.5 %``."""
    return f"{100 * value:g} %"


def flipped(share: Share) -> Share:
    """The same share seen from the other agent."""
    own = share.estimate
    turned = Estimate(1 - own.value, own.se, 1 - own.high, 1 - own.low, own.n, own.method, own.level)
    return Share(turned, 1 - share.upper, 1 - share.lower)


def seconds(value: float) -> str:
    """Processor time with a unit that fits: ``0.41 µs``, ``12 ms``, ``3.4 s``."""
    if not math.isfinite(value):
        return NONE
    units = ((1.0, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"))
    size, unit = next((one for one in units if value >= one[0]), units[-1])
    scaled = value / size
    return f"{number(scaled, 0 if scaled >= 100 else 1 if scaled >= 10 else 2)} {unit}"
