"""The page of ``balance value``: what each ability and hero power is worth, as report data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from balance.report.build import build_context, folder_name
from balance.report.findings import sure_size
from balance.report.names import Context
from balance.report.page import NAME, render
from balance.report.sections_method import notices, provenance
from balance.report.view import Block, Chart, Finding, Section, Table, View
from balance.report.words import NONE, count, number, p_value, percent, points, points_range, title
from balance.stats.deltas import METHOD
from balance.stats.reach import ALPHA
from balance.study.value import BASELINE, ItemValue, Value, ValueResult

DATA = "value.json"
LEAD = (
    "The same cells are played again with one ability forbidden for one player who has it, on the same "
    "random streams; the value is what that costs his side, in percentage points of score. Positive: it is "
    "better off with it."
)
ASSUMPTIONS = (
    "A value is that of being allowed the ability, for this agent: one that uses an ability badly can be "
    "better off without it. Where a restriction would leave no action it yields, and all are allowed.",
    "Where both sides have the ability, each is forbidden it in turn while the other may still use it, and "
    "the pair counts once, with the mean. What works by itself is switched off by the rules, and compared "
    "only where one player has it.",
    "p-values are adjusted over the abilities of a skill level (Holm); intervals hold 95 % each for itself. "
    "Cells of the plan are fixed: intervals speak of these rosters and arenas.",
    "Smallest found: the true value that a two-sided 5 % test finds with 80 % power, before adjusting. "
    "Where no pair differed: the mean difference that so many pairs can have missed.",
)


def write_value(result: ValueResult) -> Path:
    """Write ``value.json`` and ``report.html`` beside the runs; returns the page's path.

    Raises
    ------
    EnvironmentFault
        The disk cannot be written to.
    """
    from balance.store.write import disk_faults, write_atomic

    context = build_context(result.folder / BASELINE)
    with disk_faults(result.folder, "the games are kept; mend it and give the same command again"):
        write_atomic(result.folder / DATA, (as_json(result) + "\n").encode())
        write_atomic(result.folder / NAME, render(value_view(result, context)).encode())
    return result.folder / NAME


def value_view(result: ValueResult, context: Context) -> View:
    """All words and tables of the page."""
    manifest, folder = context.manifest, folder_name(result.folder)
    blocks = tuple(level_block(result, context, level) for level in reversed(levels_of(result)))
    sections = [Section("value", "What an ability is worth", LEAD, blocks, result.notes)]
    if len(levels_of(result)) > 1:
        sections.append(Section("skill", "From level to level", blocks=(skill_block(result, context),)))
    method = Block("What is assumed", "", text="\n".join(ASSUMPTIONS))
    sections.append(Section("method", "Method", f"Method: {METHOD}.", (method,)))
    return View(
        str(manifest.get("title") or manifest["game"]),
        f"{manifest.get('name') or 'run'}: value of abilities",
        _facts(result, context),
        notices(context),
        tuple(findings(result, context)),
        tuple(sections),
        (),
        (*provenance(context), *((f"Digest of {name}", digest) for name, digest in result.digests.items())),
        f"balance value PLAN -o {folder}",
        f"balance verify {folder}/{BASELINE}",
    )


def _facts(result: ValueResult, context: Context) -> tuple[tuple[str, str], ...]:
    return (
        ("Games", count(result.games)),
        ("Abilities", str(len(result.items))),
        ("Runs", str(len(result.digests))),
        ("Mode", str(context.manifest["mode"]["name"])),
        ("Skill", ", ".join(context.level(level) for level in levels_of(result))),
    )


def levels_of(result: ValueResult) -> list[int]:
    """Levels at which something was valued, by rising skill."""
    return sorted({value.level for item in result.items for value in item.values})


def label(item: ItemValue, context: Context) -> str:
    """``Frog bow (Hopper)``."""
    what = title(item.item.name.partition(":")[2])
    owners = ", ".join(context.hero(hero) for hero in item.item.heroes)
    return f"{what} ({owners})" if owners and owners.lower() != what.lower() else what


def at(item: ItemValue, level: int) -> Value | None:
    """The value at one level."""
    return next((value for value in item.values if value.level == level), None)


def ranked(result: ValueResult, level: int) -> list[tuple[ItemValue, Value]]:
    """Items of a level, the most valuable first."""
    found = [(item, value) for item in result.items if (value := at(item, level))]
    return sorted(found, key=lambda entry: -entry[1].estimate.value)


def level_block(result: ValueResult, context: Context, level: int) -> Block:
    """Forest plot and table of one skill level."""
    rows = ranked(result, level)
    series = [{"name": context.level(level), "points": [_point(label(i, context), v) for i, v in rows]}]
    best = rows[0]
    alt = f"Value of {len(rows)} abilities at {context.level(level)} play; the highest is "
    alt += f"{label(best[0], context)} with {points(best[1].estimate.value)}."
    chart = Chart("forest", {"series": series, "zero": 0.0, "unit": "pp of score"}, alt)
    return Block(
        f"{title(context.level(level))} play", caption(rows, context), value_table(rows, context), chart
    )


def _point(name: str, value: Value) -> dict[str, float | str]:
    one = value.estimate
    return {"label": name, "x": 100 * one.value, "low": 100 * one.low, "high": 100 * one.high}


def caption(rows: Sequence[tuple[ItemValue, Value]], context: Context) -> str:
    """Method, n, interval and smallest effect of one level."""
    sizes = sorted(value.estimate.n for _, value in rows)
    limits = sorted(value.delta.detectable for _, value in rows)
    spread = count(sizes[0]) if sizes[0] == sizes[-1] else f"{count(sizes[0])} to {count(sizes[-1])}"
    return (
        f"Dots: score with the ability minus score without; bars: 95 % intervals. {spread} {context.unit} "
        f"each. Method: {METHOD}; p: Holm over {len(rows)} abilities. Smallest effect found with 80 % power: "
        f"{_limit(limits[0])} to {_limit(limits[-1])}. Used, possible: share of its holder's games in the "
        "baseline in which the hero used an ability, or could have (of those whose turns were counted)."
    )


def value_table(rows: Sequence[tuple[ItemValue, Value]], context: Context) -> Table:
    """One row an item."""
    head = ("Ability", "Reach", "Value", "95 % interval", "SE", "p", "Smallest found", context.unit.title())
    lines = tuple(
        (
            label(item, context),
            context.reach(item.reach),
            points(value.estimate.value),
            points_range(value.estimate),
            number(100 * value.estimate.se, 2),
            p_value(value.p),
            _limit(value.delta.detectable),
            count(value.estimate.n),
            _share(value.used, value.games),
            _share(value.possible, value.counted),
        )
        for item, value in rows
    )
    return Table((*head, "Used", "Possible"), lines, text=2)


def _share(part: int | None, whole: int) -> str:
    return NONE if part is None or not whole else percent(part / whole)


def _limit(value: float) -> str:
    return points(value, 2).lstrip("+")


def skill_block(result: ValueResult, context: Context) -> Block:
    """Values over the skill levels."""
    levels = levels_of(result)
    lines = [
        {
            "name": label(item, context),
            "label": item.reach.label,
            "y": [100 * value.estimate.value if (value := at(item, level)) else None for level in levels],
        }
        for item in result.items
    ]
    said = "; ".join(f"{label(item, context)}: {context.reach(item.reach)}" for item in result.items)
    names = [context.level(level) for level in levels]
    chart = Chart(
        "slopes", {"x": names, "lines": lines, "unit": "pp of score"}, f"Values over skill. {said}."
    )
    rows = tuple(
        (label(item, context), context.reach(item.reach), *(_cell(at(item, level)) for level in levels))
        for item in result.items
    )
    text = "Robust: the sign of the surest level is shown at the neighbouring levels too; skill-dependent: a "
    text += (
        "neighbour shows the opposite or clearly less; open: a neighbour neither shows nor contradicts it."
    )
    return Block(
        "Values over skill",
        f"Method: {METHOD}.",
        Table(("Ability", "Reach", *names), rows, 2),
        chart,
        text=text,
    )


def _cell(value: Value | None) -> str:
    return f"{points(value.estimate.value)} ({points_range(value.estimate)})" if value else NONE


def findings(result: ValueResult, context: Context) -> list[Finding]:
    """Values that are beyond noise, surest and largest first; each at its most skilled level."""
    found = []
    for item in result.items:
        value = next((value for value in reversed(item.values) if value.p < ALPHA), None)
        if value is None:
            continue
        gain = value.estimate.value > 0
        text = f"{label(item, context)} {'is worth' if gain else 'costs its side'} "
        text += (
            f"{points(abs(value.estimate.value)).lstrip('+')} of score at {context.level(value.level)} play "
        )
        text += f"({points_range(value.estimate)})."
        tag = context.reach(item.reach)
        found.append(Finding("value", text, tag, context.level(value.level), sure_size(value.estimate)))
    found.sort(key=lambda finding: -finding.sure)
    return found or [Finding("value", "No ability's value is beyond noise.", "not shown", "", 0.0)]


def as_text(result: ValueResult) -> list[str]:
    """Tables and captions for a terminal."""
    from balance.report.terminal import block_lines

    context = build_context(result.folder / BASELINE)
    blocks = [level_block(result, context, level) for level in reversed(levels_of(result))]
    return [line for block in blocks for line in block_lines(block)][1:]


def as_data(result: ValueResult) -> dict[str, Any]:
    """The result as plain data; values in score (0.01 is one percentage point)."""
    return {
        "levels": list(result.levels),
        "games": result.games,
        "pairs": result.pairs,
        "method": METHOD,
        "items": [_item(item, result.levels) for item in result.items],
        "notes": list(result.notes),
        "digests": dict(result.digests),
    }


def _item(item: ItemValue, levels: Sequence[str]) -> dict[str, Any]:
    return {
        "name": item.item.name,
        "heroes": list(item.item.heroes),
        "reach": item.reach.label,
        "values": [_value(value, levels) for value in item.values],
    }


def _value(value: Value, levels: Sequence[str]) -> dict[str, Any]:
    one = value.estimate
    return {
        "level": levels[value.level],
        "value": one.value,
        "se": one.se,
        "low": one.low,
        "high": one.high,
        "pairs": one.n,
        "changed_pairs": value.delta.up + value.delta.down,
        "p_holm": value.p,
        "p": value.delta.p,
        "detectable": value.delta.detectable,
        "games": value.games,
        "games_used": value.used,
        "games_counted": value.counted,
        "games_possible": value.possible,
    }


def as_json(result: ValueResult) -> str:
    """The result as JSON text."""
    return json.dumps(as_data(result), indent=1, ensure_ascii=False)
