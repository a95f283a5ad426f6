"""Exhibits of a comparison: forest plots of differences, and base, candidate and difference side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from balance.report.compare_context import (
    CompareContext,
    gap_range,
    gap_text,
    limit_text,
    side_text,
    value_words,
)
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import NONE, count, number, p_value, percent, plural, points, points_range
from balance.stats.reach import ALPHA
from balance.stats.run_deltas import GRIDS, Change

MOST_ROWS = 60  # of a grid that is looked through
FIRST_ROWS = 15  # of the numbers without a common scale, in the first section
MOST_DOTS = 24
UNIT = "pp, candidate less base"
HEAD = ("Base", "Candidate", "Difference", "95 % interval", "SE", "p", "Smallest found")


def differences_section(context: CompareContext) -> Section:
    """Everything that differs beyond noise, surest first."""
    found = [change for change in context.comparison.changes if change.p < ALPHA]
    lead = "Candidate less base, for everything that differs beyond noise; scores first, by the size that is "
    lead += "sure of them."
    if not found:
        return Section("differences", "What differs", "", (), (_nothing(context),))
    scores = sorted((c for c in found if c.is_share), key=lambda change: -change.sure)
    rest = sorted((c for c in found if not c.is_share), key=lambda change: change.raw)
    blocks = []
    if scores:
        blocks.append(
            forest_block(context, "Scores and shares that differ", scores[:MOST_DOTS], scores, True)
        )
    if rest:
        blocks.append(table_block(context, "Other numbers that differ", rest[:FIRST_ROWS], len(rest), True))
    return Section("differences", "What differs", lead, tuple(blocks))


def _nothing(context: CompareContext) -> str:
    if context.comparison.sizes.identical:
        return "Nothing: every common pair ended alike, so there is no difference to show."
    return "No difference is beyond noise; the tables below hold all that was asked, with what would have "\
        "been found."  # fmt: skip


def heroes_section(context: CompareContext) -> Section | None:
    """Strengths, heroes by arena, and what heroes did."""
    comparison = context.comparison
    if not comparison.base.design.heroes:
        return None
    blocks = []
    heroes = comparison.of("heroes")
    if heroes:
        blocks.append(forest_block(context, "Change of hero strength", _by_level(heroes), heroes))
    if comparison.of("hero arenas", comparison.top):
        blocks.append(grid_block(context, "hero arenas", "Change of hero strength by arena"))
    did = sorted(comparison.of("hero metrics"), key=lambda change: change.raw)
    if did:
        blocks.append(table_block(context, "What heroes did", did[:MOST_ROWS], len(did), True))
    lead = "Strength is the effect on the score of the side, a copy, against the mean hero of the run."
    return Section("heroes", "Heroes", lead, tuple(blocks), _refusals(context, "heroes"))


def _refusals(context: CompareContext, topic: str) -> tuple[str, ...]:
    found = []
    for (name, level), refusal in context.comparison.refused.items():
        if name == topic:
            text = f"{refusal.reason} {refusal.instead}".strip()
            found.append(text if len(context.levels) == 1 else f"At {context.level(level)} play: {text}")
    return tuple(found)


def seats_section(context: CompareContext) -> Section:
    """First seat, and how games end."""
    comparison = context.comparison
    seats = (*comparison.of("seats"), *comparison.of("arena seats"))
    blocks = [
        forest_block(context, "Change of the first seat's score", seats, seats),
        table_block(context, "How games end", comparison.of("endings"), None),
    ]
    return Section(
        "seats", "Seats and draws", "What moving first is worth, and how games end.", tuple(blocks)
    )


def teams_section(context: CompareContext) -> Section | None:
    """Teams and matchups, when teams were given."""
    comparison = context.comparison
    teams = comparison.of("teams")
    if not teams:
        return None
    blocks = [forest_block(context, "Change of team scores", _by_level(teams), teams)]
    matchups = sorted(comparison.of("matchups"), key=lambda change: change.raw)
    if matchups:
        blocks.append(
            table_block(context, "Change of matchups", matchups[:MOST_ROWS], len(matchups), len(matchups) > 6)
        )
    return Section("teams", "Teams", "Mean scores over the matches of the common cells.", tuple(blocks))


def play_section(context: CompareContext) -> Section:
    """Length and all other columns."""
    comparison = context.comparison
    blocks = [table_block(context, "Length", comparison.of("length"), None)]
    for topic, name in (
        ("play", "Pace and drama"),
        ("metrics", "What happens in a game"),
        ("leads", "What the first seat has more of"),
        ("kinds", "Kinds"),
    ):
        found = comparison.of(topic)
        if found:
            blocks.append(table_block(context, name, found, None))
    return Section("length", "Length and pace", "How long games are and what happens in them.", tuple(blocks))


def _by_level(changes: Sequence[Change]) -> list[Change]:
    """The labels in the order of the difference at the highest level, the largest first."""
    top = max(change.level for change in changes)
    value = {change.name: change.difference.value for change in changes if change.level == top}
    return sorted(changes, key=lambda change: (-value.get(change.name, 0.0), change.level))


def forest_block(
    context: CompareContext,
    title: str,
    dots: Sequence[Change],
    rows: Sequence[Change],
    mixed: bool = False,
) -> Block:
    """Differences with intervals, one colour a level, and the table behind them."""
    levels = sorted({change.level for change in dots})
    series = [
        {
            "name": context.level(level),
            "points": [point(context.label(c), c) for c in dots if c.level == level],
        }
        for level in levels
    ]
    order = list(dict.fromkeys(context.label(change) for change in dots))
    best = max(dots, key=lambda change: abs(change.difference.value))
    alt = f"{title}: {len(order)} rows; the largest is {context.label(best)} with {gap_text(best)} at "
    alt += f"{context.level(best.level)} play."
    chart = Chart("forest", {"series": series, "labels": order, "zero": 0.0, "unit": UNIT}, alt)
    text = ""
    if len(dots) < len(rows):
        text = f"The chart shows the {len(dots)} surest of {len(rows)}; the table holds them all."
    return Block(title, caption(context, rows, mixed), change_table(context, rows, mixed), chart, text=text)


def point(label: str, change: Change) -> dict[str, float | str]:
    """One dot of a forest plot, in percentage points; unknown ends are drawn at the dot."""
    one = change.difference
    low, high = (end if math.isfinite(end) else one.value for end in (one.low, one.high))
    return {"label": label, "x": 100 * one.value, "low": 100 * low, "high": 100 * high}


def table_block(
    context: CompareContext, title: str, rows: Sequence[Change], whole: int | None, mixed: bool = False
) -> Block:
    """A table of differences; `whole` is how many were asked when it shows the first of them only."""
    text = ""
    if whole is not None and whole > len(rows):
        text = f"The {len(rows)} of {whole} with the smallest p-values; compare.json holds them all."
    return Block(title, caption(context, rows, mixed), change_table(context, rows, mixed), text=text)


def change_table(context: CompareContext, rows: Sequence[Change], mixed: bool = False) -> Table:
    """Base, candidate and difference side by side."""
    lines = tuple(
        (
            context.label(change),
            context.level(change.level),
            side_text(change, change.base),
            side_text(change, change.candidate),
            gap_text(change),
            gap_range(change),
            number(100 * change.difference.se, 2) if change.is_share else number(change.difference.se, 3),
            p_value(change.p),
            limit_text(change),
            count(change.difference.n),
        )
        for change in rows
    )
    return Table(("What", "Skill", *HEAD, context.unit.title()), lines, text=2)


def caption(context: CompareContext, rows: Sequence[Change], mixed: bool = False) -> str:
    """n, interval, method and adjustment of some differences."""
    sizes = "; ".join(
        f"{context.level(level)}: {_sizes([c.difference.n for c in rows if c.level == level])} {context.unit}"
        for level in sorted({change.level for change in rows})
    )
    methods = list(dict.fromkeys(change.difference.method for change in rows))
    shown = "; ".join(methods[:3]) + (" ..." if len(methods) > 3 else "")
    grid = {change.topic in GRIDS for change in rows}
    adjust = "Holm, or Benjamini-Hochberg in grids" if len(grid) > 1 or mixed else (
        "Benjamini-Hochberg" if grid == {True} else "Holm"
    )  # fmt: skip
    return (
        f"Candidate less base; intervals 95 %, each for itself. {sizes}. Method: {shown}. "
        f"p: {adjust}, within each kind of question and skill level. Smallest found: the true difference "
        "that a two-sided 5 % test finds with 80 % power, before adjusting."
    )


def _sizes(found: Sequence[int]) -> str:
    """Smallest and largest sample."""
    low, high = min(found), max(found)
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def grid_block(context: CompareContext, topic: str, title: str) -> Block:
    """Two-way names as a heat map of differences, at the highest level."""
    comparison = context.comparison
    found = {change.name: change for change in comparison.of(topic, comparison.top)}
    rows = list(dict.fromkeys(name[0] for name in found))
    columns = list(dict.fromkeys(name[-1] for name in found))
    held = [[found.get((row, column)) for column in columns] for row in rows]
    names = [context.named("heroes", row) for row in rows]
    arenas = [context.named("arenas", column) for column in columns]
    data = {
        "rows": names,
        "columns": arenas,
        "values": [[100 * c.difference.value if c else None for c in line] for line in held],
        "texts": [[number(100 * c.difference.value, 1, True) if c else NONE for c in line] for line in held],
        "hovers": [[_hover(c) for c in line] for line in held],
        "zero": 0.0,
        "unit": "pp",
        "reach": max((abs(100 * c.difference.value) for c in found.values()), default=1.0),
    }
    worst = min(found.values(), key=lambda change: change.raw)
    alt = f"{title} at {context.level(comparison.top)} play; the surest is {context.label(worst)} with "
    alt += f"{gap_text(worst)}."
    changes = tuple(found.values())
    return Block(
        f"{title}, {context.level(comparison.top)} play",
        caption(context, changes),
        change_table(context, changes),
        Chart("heatmap", data, alt),
    )


def _hover(change: Change | None) -> str:
    if change is None:
        return NONE
    one = change.difference
    return f"{points(one.value)} ({points_range(one)}), p {p_value(change.p)}"


def changed_section(context: CompareContext) -> Section:
    """What the two plans do differently."""
    changed = context.comparison.changed
    if not changed:
        text = "The two runs have the same rules, cards, arenas, agents and plan."
        return Section("changed", "What was changed", "", (), (text,))
    rows = tuple(
        (WORDS.get(entry.group, entry.group), entry.path, value_words(entry.before), value_words(entry.after))
        for entry in changed
    )
    caption_ = "Paths as --set takes them, where they can be set; a dash: only one of the runs has it."
    table = Table(("Kind", "Path", "Base", "Candidate"), rows, text=4)
    lead = (
        f"{plural(len(changed), 'setting')} {'differs' if len(changed) == 1 else 'differ'} between the runs."
    )
    return Section("changed", "What was changed", lead, (Block("Before and after", caption_, table),))


WORDS: Mapping[str, str] = {
    "rules": "Rule",
    "heroes": "Hero",
    "arenas": "Arena",
    "teams": "Team",
    "agents": "Agents",
    "plan": "Plan",
}


def overlap_block(context: CompareContext) -> Block:
    """How much the two runs have in common."""
    sizes, common = context.comparison.sizes, context.comparison.common
    unit = context.unit
    rows = [
        ("Cells on the same random streams", count(sizes.paired)),
        ("Common cells on other streams", count(sizes.apart)),
        (f"{unit.capitalize()} compared", count(sizes.pairs)),
        (f"All {unit} of the base", count(sizes.base_pairs)),
        (f"All {unit} of the candidate", count(sizes.candidate_pairs)),
    ]
    if sizes.common:
        changed, altered = sizes.changed / sizes.common, sizes.altered / sizes.common
        rows += [
            (f"Common {unit} in which anything differs", f"{count(sizes.changed)} ({percent(changed)})"),
            (f"Common {unit} in which a score differs", f"{count(sizes.altered)} ({percent(altered)})"),
        ]
    lines = [
        f"{title} only: {'; '.join(alone[:12])}{' ...' if len(alone) > 12 else ''} ({len(alone)})."
        for title, alone in (("In the base", common.only_base), ("In the candidate", common.only_candidate))
        if alone
    ]
    caption_ = (
        f"A cell is a skill level, an arena and the teams. {unit.capitalize()} on the same streams are "
    )
    caption_ += "compared with themselves; only what both runs played is compared."
    return Block("What is compared", caption_, Table(("What", "Number"), tuple(rows)), text="\n".join(lines))
