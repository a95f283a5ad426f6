"""Which arena is nearest to even for who moves first, and which are shown to be farther from it."""

from __future__ import annotations

from collections.abc import Iterable

from balance.report.assumed import arena_numbers, rests_on
from balance.report.names import Context
from balance.report.view import Finding
from balance.report.words import listed, percent, share_range
from balance.stats.estimate import Estimate
from balance.stats.reach import UNCLEAR
from balance.stats.seats import less_even


def fairest_arena(context: Context) -> Iterable[Finding]:
    """The arena with the first seat's score nearest to even at the highest level, if there are several."""
    seat, even = context.analysis.seats[-1], 1 / context.analysis.design.sides
    scores = {arena: first for arena, first in seat.by_arena.items() if first.known}
    if len(scores) < 2:
        return
    fairest = min(scores, key=lambda arena: abs(scores[arena].value - even))
    farther = less_even(scores, fairest, even)
    level = context.level(seat.level)
    text = f"{context.arena(fairest)} is nearest to even: the first seat scores {_scored(scores[fairest])} "
    text += f"there at {level} play; {_others(context, scores, fairest, farther)}."
    rests = rests_on(arena_numbers(context, [fairest, *farther]))
    yield Finding("seats", text, "" if farther else UNCLEAR, level, 0.0, rests)


def _scored(first: Estimate) -> str:
    return f"{percent(first.value)} ({share_range(first)})"


def _others(context: Context, scores: dict[str, Estimate], fairest: str, farther: list[str]) -> str:
    """Which of the other arenas are shown to be less fair, and which are not."""
    told = [f"{context.arena(arena)} ({percent(scores[arena].value)})" for arena in farther]
    rest = len(scores) - 1 - len(farther)
    if not told:
        return (
            "no other arena is shown to be farther from it"
            if rest > 1
            else "the other is not shown to be farther"
        )
    shown = f"{listed(told)} {'is' if len(told) == 1 else 'are'} shown to be farther"
    return f"{shown}, {'the other is' if rest == 1 else f'the other {rest} are'} not" if rest else shown
