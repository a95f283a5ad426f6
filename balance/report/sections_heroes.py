"""Sections on hero strength, by arena, and what heroes do."""

from __future__ import annotations

from collections.abc import Sequence

from balance.report.names import Context
from balance.report.needs import hero_need
from balance.report.sections_abilities import ability_blocks
from balance.report.sections_model import power_note
from balance.report.sections_presence import presence_section
from balance.report.sections_shares import share_blocks
from balance.report.sections_skill import skill_section
from balance.report.sections_spells import spell_blocks
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import (
    AS_ABOVE,
    listed,
    number,
    p_value,
    percent,
    plain,
    points,
    points_range,
    refusal_lines,
    value_range,
)
from balance.stats.analysis import Usage
from balance.stats.estimate import Estimate, Refusal
from balance.stats.heroes import METHOD, StrengthTable
from balance.stats.interaction import Interaction
from balance.stats.reach import ALPHA

NO_HEROES = "This game has no heroes, or none were recorded."
MEANING = (
    "How much one copy of a hero moves the expected score of the side that holds it, in "
    "percentage points (pp), "
    "against the mean of all heroes that played, with everybody else on the board accounted for."
)


def hero_sections(context: Context) -> tuple[Section, ...]:
    """All sections on heroes; a single one that says so when there are none."""
    if not context.analysis.design.heroes:
        return (Section("heroes", "Hero strength", refusal=(NO_HEROES,)),)
    return (
        _strength(context),
        _by_arena(context),
        presence_section(context),
        _deeds(context),
        skill_section(context),
    )


def _strength(context: Context) -> Section:
    tables = context.strengths
    refusal = refusal_lines(context.analysis.strengths)
    if not tables:
        return Section("heroes", "Hero strength", MEANING, refusal=refusal)
    order = [entry.hero for entry in tables[-1].heroes]
    series = [
        {
            "name": context.level(table.level),
            "points": [_point(context.hero(hero), e.effect) for hero in order if (e := table.of(hero))],
        }
        for table in tables
    ]
    best = tables[-1].heroes[0]
    alt = f"Hero strengths; the highest is {context.hero(best.hero)} with {points(best.effect.value)}."
    chart = Chart("forest", {"series": series, "zero": 0.0, "unit": "pp of score per copy"}, alt)
    caption = f"Dots: effect per copy; bars: 95 % intervals, each for itself. {context.samples()}. "
    caption += f"Method: {METHOD}; "
    caption += "p-values adjusted for the number of heroes (Holm). "
    caption += power_note(max(table.detectable for table in tables))
    absent = sorted({hero for table in tables for hero in table.absent})
    if absent:
        caption += f" Never played: {listed([context.hero(hero) for hero in absent])}."
    rows = tuple(row for table in reversed(tables) for row in _strength_rows(context, table))
    head = ("Hero", "Skill", "Strength", "95 % interval", "p", "Not distinguishable from")
    block = Block(
        "Strength of each hero",
        caption,
        Table(head, rows, text=2, words=(5,)),
        chart,
        text=_groups_text(context, tables),
    )
    return Section("heroes", "Hero strength", MEANING, (block,), refusal, hero_need(context))


def _groups_text(context: Context, tables: Sequence[StrengthTable]) -> str:
    """Who cannot be told apart from the leader."""
    top = tables[-1]
    best = top.heroes[0]
    if not best.alike:
        return (
            f"At {context.level(top.level)} play {context.hero(best.hero)} is ahead of every "
            "other hero beyond noise."
        )
    names = listed([context.hero(hero) for hero in best.alike])
    return (
        f"At {context.level(top.level)} play {context.hero(best.hero)} is ahead, but not beyond "
        f"noise of {names}."
    )


def _strength_rows(context: Context, table: StrengthTable) -> list[tuple[str, ...]]:
    return [
        (
            context.hero(entry.hero),
            context.level(table.level),
            points(entry.effect.value),
            points_range(entry.effect),
            p_value(entry.p),
            ", ".join(context.hero(hero) for hero in entry.alike) or "nobody: stands alone",
        )
        for entry in table.heroes
    ]


def _point(label: str, estimate: Estimate) -> dict[str, float | str]:
    return {"label": label, "x": 100 * estimate.value, "low": 100 * estimate.low, "high": 100 * estimate.high}


def _with_title(context: Context, line: str) -> str:
    """A reason that begins with an arena's slug, with its title instead."""
    slug, colon, rest = line.partition(": ")
    return f"{context.arena(slug)}: {rest}" if colon and slug in context.analysis.design.arenas else line


def _by_arena(context: Context) -> Section:
    title, lead = "Heroes by arena", "The same effect, fitted in each arena by itself."
    if not context.strengths:
        return Section("heroes-arenas", title, lead, refusal=(AS_ABOVE,))
    refusal = tuple(_with_title(context, line) for line in refusal_lines(context.analysis.arenas))
    blocks, reach = [], _reach(context)
    for level in reversed(context.played):
        entries = context.analysis.arenas[level]
        if isinstance(entries, Refusal):
            continue
        table = context.analysis.strengths[level]
        order = [entry.hero for entry in table.heroes] if isinstance(table, StrengthTable) else []
        by_hero = {entry.hero: entry for entry in entries}
        blocks.append(
            _arena_block(context, level, [by_hero[hero] for hero in order if hero in by_hero], reach)
        )
    return Section("heroes-arenas", title, lead, tuple(blocks), refusal)


def _reach(context: Context) -> float:
    """Largest effect in any arena at any level: one colour scale for all."""
    found = [entries for entries in context.analysis.arenas if not isinstance(entries, Refusal)]
    values = [abs(e.value) for entries in found for entry in entries for e in entry.effects.values()]
    return 100 * max(values, default=0.0)


def _arena_block(context: Context, level: int, entries: Sequence[Interaction], reach: float) -> Block:
    arenas = context.analysis.design.arenas
    values = [[100 * e.effects[a].value if a in e.effects else None for a in arenas] for e in entries]
    texts = [[number(v, 1, True) if v is not None else "" for v in row] for row in values]
    heroes = [context.hero(entry.hero) for entry in entries]
    marked = [context.hero(entry.hero) for entry in entries if entry.p < ALPHA]
    widest = max((e.half_width for entry in entries for e in entry.effects.values()), default=0.0)
    alt = f"Hero strength by arena at {context.level(level)} play; "
    alt += (
        f"depends on the arena: {listed(marked)}." if marked else "no hero depends on the arena beyond noise."
    )
    data = {"rows": heroes, "columns": [context.arena(a) for a in arenas], "values": values, "texts": texts}
    chart = Chart("heatmap", {**data, "zero": 0.0, "unit": "pp", "reach": reach}, alt)
    rows = tuple(
        (
            hero,
            *(
                f"{points(e.effects[a].value)} ({points_range(e.effects[a])})" if a in e.effects else ""
                for a in arenas
            ),
            p_value(e.p),
        )
        for hero, e in zip(heroes, entries, strict=True)
    )
    head = ("Hero", *(context.arena(arena) for arena in arenas), "p")
    caption = f"pp of score per copy; intervals are at most \u00b1{number(100 * widest)} pp. "
    caption += f"{context.sample(level)}. "
    caption += f"Method: {METHOD}; p: Cochran's Q that a hero is the same everywhere, "
    caption += "Benjamini-Hochberg over heroes. "
    found = context.analysis.interactions[level]
    caption += "" if isinstance(found, Refusal) else power_note(found.detectable)
    return Block(
        f"By arena: {context.level(level)} play",
        caption,
        Table(head, rows),
        chart,
        text=alt if marked else "",
    )


def _deeds(context: Context) -> Section:
    title, lead = (
        "What heroes do",
        "Means per game and copy; the bar in a cell shows the value against the column's largest.",
    )
    blocks = [block for use in reversed(context.analysis.usage) if (block := _deeds_block(context, use))]
    blocks += [*spell_blocks(context), *share_blocks(context), *ability_blocks(context)]
    refusal = (
        ()
        if blocks
        else ("Nothing beside results was recorded; a plan with `record: basic` stores what heroes do.",)
    )
    return Section("deeds", title, lead, tuple(blocks), refusal)


def _deeds_block(context: Context, use: Usage) -> Block | None:
    described = context.columns.get("heroes", {})
    names = [
        name
        for name, values in use.metrics.items()
        if values and name in described and not described[name].ability
    ]
    if not names:
        return None
    heroes = sorted(
        {hero for name in names for hero in use.metrics[name]}, key=context.analysis.design.heroes.index
    )
    rows = tuple((context.hero(h), *(plain(use.metrics[n][h].value) for n in names)) for h in heroes)
    bars = {
        place: tuple(_shares([use.metrics[name][hero].value for hero in heroes]))
        for place, name in enumerate(names, start=1)
    }
    widest = max(
        (e.half_width / abs(e.value) for name in names for e in use.metrics[name].values() if e.value),
        default=0.0,
    )
    example = use.metrics[names[0]][heroes[0]]
    caption = f"{context.sample(use.level)}. Method: {example.method}; the widest 95 % interval is "
    caption += f"\u00b1{percent(widest, 0)} of its value (first cell: {plain(example.value)}, "
    caption += f"{value_range(example)})."
    head = ("Hero", *(described[name].label for name in names))
    return Block(f"Deeds: {context.level(use.level)} play", caption, Table(head, rows, bars=bars))


def _shares(values: Sequence[float]) -> list[float]:
    top = max((abs(value) for value in values), default=0.0)
    return [abs(value) / top if top else 0.0 for value in values]
