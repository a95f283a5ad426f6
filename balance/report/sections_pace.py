"""Section on pace: how long games are, how much there is to decide, and how many are cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from balance.report.names import Context
from balance.report.sections_play import missing_records, record_tables, turns_block
from balance.report.view import Block, Section, Table
from balance.report.words import NONE, count, percent, plain, share_range, value_range
from balance.stats.estimate import Estimate, Refusal
from balance.stats.pace import Pace

LEAD = (
    "How long games are and how much there is to decide in them. A decision with one legal action is forced: "
    "many of them slow a game down without making it deeper. A game that a cap ended was not decided, only "
    "stopped: more than a few of those mean that the game, or its players, do not get to an end."
)
MEANING = (
    "Decisions a turn: choices that a player makes before the next one is on. Actions a decision: what the "
    "rules allow at each of them, the width of the game. Forced: a single action was allowed. "
    "Capped: a limit and no rule of winning ended the game."
)

Entry = Estimate | Refusal | None


def pace_section(context: Context) -> Section:
    """Length, decisions, branching, forced and capped shares, and all that was recorded."""
    blocks = [turns_block(context), _pace_block(context), _arena_block(context)]
    missing = dict.fromkeys([*_refusals(context), *missing_records(context)])
    held = [block for block in blocks if block] + record_tables(context)
    return Section("pace", "Pace", LEAD, tuple(held), tuple(missing))


def refused(found: Sequence[object]) -> tuple[str, ...]:
    """The sentences of those that are refusals, each once."""
    texts = [f"{item.reason} {item.instead}".strip() for item in found if isinstance(item, Refusal)]
    return tuple(dict.fromkeys(texts))


def _refusals(context: Context) -> tuple[str, ...]:
    entries = [entry for pace in _whole(context) for entry in (pace.options, pace.forced, pace.capped)]
    return refused(entries)


def _whole(context: Context) -> list[Pace]:
    return [pace for pace in context.analysis.pace if not pace.arena]


#: Name of a measure, which it is, whether it is a share.
MEASURES: tuple[tuple[str, Callable[[Pace], Entry], bool], ...] = (
    ("Decisions a turn", lambda pace: pace.per_turn, False),
    ("Actions a decision", lambda pace: pace.options, False),
    ("Forced decisions", lambda pace: pace.forced, True),
    ("Capped games", lambda pace: pace.capped, True),
)


def measured(estimate: Estimate, share: bool) -> tuple[str, str]:
    """A value and its interval, as shares or as plain numbers."""
    if share:
        return percent(estimate.value), share_range(estimate)
    return plain(estimate.value), value_range(estimate)


def methods(found: Sequence[Estimate]) -> str:
    """The methods of some numbers, each once."""
    return " or ".join(dict.fromkeys(estimate.method for estimate in found))


def _pace_block(context: Context) -> Block:
    lengths = {(m.name, m.level): m.mean for m in context.analysis.metrics if m.name in ("turns", "plies")}
    found: list[tuple[str, int, Estimate, bool]] = []
    for name, label in (("turns", "Turns a game"), ("plies", "Decisions a game")):
        found += [(label, level, lengths[name, level], False) for level in context.played]
    for label, get, share in MEASURES:
        entries = [(pace.level, get(pace)) for pace in _whole(context)]
        found += [(label, level, entry, share) for level, entry in entries if isinstance(entry, Estimate)]
    rows = tuple(
        (label, context.level(level), *measured(estimate, share), count(estimate.n))
        for label, level, estimate, share in found
    )
    caption = f"95 % intervals; {context.unit}: those behind each number. {context.samples()}. "
    caption += f"Method: {methods([row[2] for row in found])}."
    head = ("Quantity", "Skill", "Value", "95 % interval", context.unit.title())
    return Block("Decisions and choices", caption, Table(head, rows, text=2), text=MEANING)


def _arena_block(context: Context) -> Block | None:
    """The same in every arena, at the highest level; None with one arena."""
    places = [pace for pace in context.analysis.pace if pace.arena and pace.level == context.top]
    shown = [m for m in MEASURES if any(isinstance(m[1](pace), Estimate) for pace in places)]
    if not places:
        return None
    rows = tuple(
        (context.arena(pace.arena), *(_cell(get(pace), share) for _, get, share in shown)) for pace in places
    )
    found = [entry for pace in places for _, get, _ in shown if isinstance(entry := get(pace), Estimate)]
    caption = f"At {context.level(context.top)} play, with 95 % intervals. {context.sample(context.top)}. "
    caption += f"Method: {methods(found)}."
    head = ("Arena", *(label for label, _, _ in shown))
    return Block("Pace by arena", caption, Table(head, rows))


def _cell(entry: Entry, share: bool) -> str:
    if not isinstance(entry, Estimate):
        return NONE
    value, reach = measured(entry, share)
    return f"{value} ({reach})"
