"""What differs between two runs, in plain words: the surest and largest differences first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from balance.report.compare_context import CompareContext, gap_text, side_text, size_words
from balance.report.view import Finding
from balance.report.words import count, listed, points
from balance.stats.reach import ALPHA, UNCLEAR
from balance.stats.run_deltas import SCORES, Change, by_name

#: Differences put into words, by topic; the rest stand in the tables.
MOST: Mapping[str, int] = {
    "seats": 1, "heroes": 6, "teams": 6, "length": 1, "endings": 2, "arena seats": 2, "matchups": 2,
    "hero arenas": 2, "play": 2, "metrics": 3, "kinds": 1, "hero metrics": 2, "leads": 0,
}  # fmt: skip
SECTIONS: Mapping[str, str] = {
    "seats": "seats", "arena seats": "seats", "endings": "seats", "heroes": "heroes", "hero arenas": "heroes",
    "hero metrics": "heroes", "teams": "teams", "matchups": "teams", "length": "length", "play": "length",
    "metrics": "length", "leads": "length", "kinds": "length",
}  # fmt: skip
SEEN = "would have been found in four runs of five"
#: Topics whose smallest effect is told when nothing was found, and what it is a change of.
ASKED = {"seats": "the first seat's score", "heroes": "a hero's strength", "teams": "a team's score"}


def compare_findings(context: CompareContext) -> tuple[Finding, ...]:
    """Differences of scores by the size that is sure, then the others, then what was not found."""
    comparison = context.comparison
    if comparison.sizes.identical:
        return (_identical(context),)
    found = [_finding(context, change, held) for change, held in shown(context)]
    scores = [finding for finding, topic in found if topic in SCORES]
    rest = [finding for finding, topic in found if topic not in SCORES]
    scores.sort(key=lambda finding: -finding.sure)
    return (*scores, *rest, _rest(context, bool(found)))


def shown(context: CompareContext) -> Iterator[tuple[Change, Sequence[Change]]]:
    """The differences that are put into words, each at its highest level that shows it."""
    for topic, most in MOST.items():
        yield from _significant(context, topic)[:most]


def cut(context: CompareContext) -> str:
    """How many differences beyond noise the list has no room for; empty when it holds them all."""
    if context.comparison.sizes.identical:
        return ""
    left = sum(max(0, len(_significant(context, topic)) - most) for topic, most in MOST.items())
    verb = "differs" if left == 1 else "differ"
    return f"{count(left)} more {verb} beyond noise: see the tables below." if left else ""


def _significant(context: CompareContext, topic: str) -> list[tuple[Change, Sequence[Change]]]:
    """What differs beyond noise at some level, surest first: of all levels the highest that shows it."""
    found: list[tuple[Change, Sequence[Change]]] = []
    for held in by_name(context.comparison.changes, topic).values():
        beyond = [change for change in held if change.p < ALPHA]
        if beyond:
            found.append((beyond[-1], held))
    if topic == "length":  # turns before decisions, which say the same
        return found
    return sorted(found, key=lambda entry: -_surely(entry[0]))


def _surely(change: Change) -> float:
    """Sure size; of numbers without a common scale in standard errors."""
    if change.is_share:
        return change.sure
    se = change.difference.se
    return abs(change.difference.value) / se if se and math.isfinite(se) else 0.0


def _finding(context: CompareContext, change: Change, held: Sequence[Change]) -> tuple[Finding, str]:
    level = context.level(change.level)
    text = _sentence(context, change)
    others = [
        f"{gap_text(other)} at {context.level(other.level)}" for other in held if other.level != change.level
    ]
    text += f" (difference {listed(others)})." if others else "."
    tag = context.reach_words(context.reach(held))
    sure, section = (change.sure if change.is_share else 0.0), SECTIONS[change.topic]
    return Finding(change.topic, text, tag, level, sure, section=section), change.topic


def _sentence(context: CompareContext, change: Change) -> str:
    """``Hopper loses 2.1 pp (1.4 to 2.8) of strength at greedy play: +10.1 pp in the base, +8.0 pp ...``."""
    up, size, name = change.difference.value > 0, size_words(change), context.label(change)
    gains = "gains" if up else "loses"
    words: Mapping[str, Callable[[], str]] = {
        "seats": lambda: f"The first seat {gains} {size} of score",
        "heroes": lambda: f"{name} {gains} {size} of strength",
        "hero arenas": lambda: f"{name} {gains} {size} of strength",
        "teams": lambda: f"{name} {gains} {size} of score",
        "matchups": lambda: f"{name} {gains} {size} of score",
        "arena seats": lambda: f"{name} {gains} {size} of score",
        "length": lambda: f"Games get {'longer' if up else 'shorter'} by {size} {name.lower()}",
        "endings": lambda: f"{name}: {'more' if up else 'less'} often by {size}",
        "play": lambda: f"{name}: {'up' if up else 'down'} by {size}",
        "kinds": lambda: f"{name}: {'more' if up else 'less'} often by {size}",
    }
    other = f"{name}: {'up' if up else 'down'} by {size}{_unit(context, change)}"
    start = words.get(change.topic, lambda: other)()
    base, candidate = (side_text(change, estimate) for estimate in (change.base, change.candidate))
    return f"{start} at {context.level(change.level)} play: {base} in the base, {candidate} in the candidate"


def _unit(context: CompareContext, change: Change) -> str:
    table = "heroes" if change.topic == "hero metrics" else "games"
    unit = context.column(table, change.name[-1])[1]
    return f" {unit}" if unit else ""


def _identical(context: CompareContext) -> Finding:
    sizes, comparison = context.comparison.sizes, context.comparison
    text = f"Nothing differs: all {count(sizes.common)} common {context.unit} ended alike in every recorded "
    text += "number, so every difference is exactly zero."
    changed = [entry for entry in comparison.changed if entry.group != "plan"]
    if changed:
        text += f" What was changed (see below) was not felt in these {context.unit}."
    return Finding("none", text, "", context.level(comparison.top), 0.0)


def _rest(context: CompareContext, some: bool) -> Finding:
    """What would have been found, had it been there."""
    level = context.comparison.top
    limits = []
    for topic, what in ASKED.items():
        errors = sorted(
            change.detectable
            for change in context.comparison.of(topic, level)
            if math.isfinite(change.detectable)
        )
        if errors:
            limits.append(f"{points(errors[len(errors) // 2], 1).lstrip('+')} in {what}")
    text = "Nothing else differs beyond noise" if some else "Nothing differs beyond noise"
    text = "" if cut(context) else f"{text}; "
    if limits:
        text += f"at {context.level(level)} play a change of {listed(limits)} {SEEN} (before adjusting)"
    text = text.removesuffix("; ") + "."
    return Finding("none", text[:1].upper() + text[1:], "" if some else UNCLEAR, context.level(level), 0.0)
