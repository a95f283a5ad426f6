"""Sections on hero strength, by arena, by skill, presence, and what heroes do."""

from __future__ import annotations

from collections.abc import Sequence

from balance.report.names import Context
from balance.report.sections_abilities import ability_blocks, pick_blocks
from balance.report.sections_model import power_note
from balance.report.sections_shares import share_blocks
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import (
    NONE,
    listed,
    number,
    p_value,
    percent,
    plain,
    points,
    points_range,
    share_range,
    value_range,
)
from balance.stats.analysis import Usage
from balance.stats.estimate import Estimate, Refusal
from balance.stats.heroes import METHOD, StrengthTable
from balance.stats.interaction import Interaction
from balance.stats.reach import ALPHA
from balance.stats.skill import SLOPE, SkillEntry

NO_HEROES = "This game has no heroes, or none were recorded."
AS_ABOVE = "Not available, for the reason given under hero strength."
MEANING = (
    "How much one copy of a hero moves the expected score of the side that holds it, in "
    "percentage points (pp), "
    "against the mean of all heroes that played, with everybody else on the board accounted for."
)


def hero_sections(context: Context) -> tuple[Section, ...]:
    """All sections on heroes; a single one that says so when there are none."""
    if not context.analysis.design.heroes:
        return (Section("heroes", "Hero strength", refusal=(NO_HEROES,)),)
    return (_strength(context), _by_arena(context), _by_skill(context), _presence(context), _deeds(context))


def _tables(context: Context) -> list[StrengthTable]:
    return [table for table in context.analysis.strengths if isinstance(table, StrengthTable)]


def _refusals(found: Sequence[object]) -> tuple[str, ...]:
    texts = [f"{item.reason} {item.instead}".strip() for item in found if isinstance(item, Refusal)]
    return tuple(dict.fromkeys(texts))


def _strength(context: Context) -> Section:
    tables = _tables(context)
    refusal = _refusals(context.analysis.strengths)
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
    return Section("heroes", "Hero strength", MEANING, (block,), refusal)


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


def _by_arena(context: Context) -> Section:
    title, lead = "Heroes by arena", "The same effect, fitted in each arena by itself."
    if not _tables(context):
        return Section("heroes-arenas", title, lead, refusal=(AS_ABOVE,))
    refusal = _refusals(context.analysis.arenas)
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


REACH = (
    "Whether a hero's strength survives better play. Robust: the sign of the surest finding is shown at the "
    "neighbouring skill levels too; skill-dependent: a neighbour shows the opposite or clearly less; open: "
    "a neighbour neither shows nor contradicts it; not shown: no level differs from zero beyond noise."
)
ONE_LEVEL = "One skill level was played; give the plan several agents to compare."


def _by_skill(context: Context) -> Section:
    slug, title, skill, tables = "heroes-skill", "Heroes by skill", context.analysis.skill, _tables(context)
    if isinstance(skill, Refusal):
        return Section(slug, title, REACH, refusal=(AS_ABOVE,))
    if len(tables) < 2:
        return Section(slug, title, REACH, refusal=(ONE_LEVEL,))
    return Section(slug, title, REACH, (_skill_block(context, skill, tables),))


def _skill_block(context: Context, skill: Sequence[SkillEntry], tables: Sequence[StrengthTable]) -> Block:
    levels = [table.level for table in tables]
    lines = [
        {
            "name": context.hero(entry.hero),
            "label": entry.reach.label,
            "y": [100 * entry.effects[level].value if level in entry.effects else None for level in levels],
        }
        for entry in skill
    ]
    said = "; ".join(f"{context.hero(entry.hero)}: {context.reach(entry.reach)}" for entry in skill)
    data = {"x": [context.level(level) for level in levels], "lines": lines, "unit": "pp of score per copy"}
    order = {entry.hero: place for place, entry in enumerate(tables[-1].heroes)}
    ranked = sorted(skill, key=lambda entry: order.get(entry.hero, len(order)))
    rows = tuple(_skill_row(context, entry, levels) for entry in ranked)
    head = ("Hero", "Reach", *(context.level(level) for level in levels), "a level", "p")
    smallest = max((entry.detectable for entry in skill if entry.steps), default=0.0)
    caption = f"{context.samples()}. Method: {METHOD}; a level: {SLOPE}, {skill[0].method}; p: Wald's test "
    caption += "that the effect has the same size at all levels, Holm over heroes. A change of "
    caption += f"{points(smallest, 2).lstrip('+')} between neighbouring levels is found with 80 % power."
    chart = Chart("slopes", data, f"Hero strength over skill levels. {said}.")
    return Block("From level to level", caption, Table(head, rows, text=2), chart)


def _skill_row(context: Context, entry: SkillEntry, levels: Sequence[int]) -> tuple[str, ...]:
    effects = [entry.effects.get(level) for level in levels]
    texts = [f"{points(e.value)} ({points_range(e)})" if e else "" for e in effects]
    slope = entry.slope
    texts.append("" if isinstance(slope, Refusal) else f"{points(slope.value)} ({points_range(slope)})")
    return (context.hero(entry.hero), context.reach(entry.reach), *texts, p_value(entry.p))


def _presence(context: Context) -> Section:
    title, lead = (
        "Presence",
        "How often heroes were there. With random rosters this describes the deal, not taste.",
    )
    usage = context.analysis.usage
    blocks, refusal = [], _refusals([use.raw for use in usage])
    if usage and usage[-1].presence:
        blocks.append(_presence_block(context, usage))
    blocks += pick_blocks(context)
    return Section("presence", title, lead, tuple(blocks), refusal)


def _presence_block(context: Context, usage: Sequence[Usage]) -> Block:
    rows = tuple(row for use in reversed(usage) for row in _presence_rows(context, use))
    top = usage[-1]
    bars = [(context.hero(hero), 100 * share.value) for hero, share in top.presence.items()]
    bars.sort(key=lambda bar: bar[1])
    lowest, highest = percent(bars[0][1] / 100), percent(bars[-1][1] / 100)
    data = {"labels": [b[0] for b in bars], "values": [b[1] for b in bars], "unit": "% of sides"}
    chart = Chart("bars", data, f"Share of sides holding each hero, {lowest} to {highest}.")
    level, some = context.level(top.level), next(iter(top.presence.values()))
    caption = f"Share of sides that held a hero at {level} play. {context.samples()}. Method: {some.method}."
    head: tuple[str, ...] = ("Hero", "Skill", "Presence", "95 % interval")
    if not isinstance(top.raw, Refusal):
        head = (*head, "Raw score with it", "95 % interval")
        caption += " The raw score does not account for the other heroes: prefer strength."
    return Block("Share of sides", caption, Table(head, rows, text=2), chart)


def _presence_rows(context: Context, use: Usage) -> list[tuple[str, ...]]:
    rows = []
    for hero, share in use.presence.items():
        reach = share_range(share) if share.se > 0 else "fixed"
        raw = _raw_cells(use, hero)
        rows.append((context.hero(hero), context.level(use.level), percent(share.value), reach, *raw))
    return rows


def _raw_cells(use: Usage, hero: str) -> tuple[str, ...]:
    """Raw score and interval of a hero; nothing when raw scores were refused."""
    if isinstance(use.raw, Refusal):
        return ()
    raw = use.raw.get(hero)
    return (percent(raw.value), share_range(raw)) if raw else (NONE, NONE)


def _deeds(context: Context) -> Section:
    title, lead = (
        "What heroes do",
        "Means per game and copy; the bar in a cell shows the value against the column's largest.",
    )
    blocks = [block for use in reversed(context.analysis.usage) if (block := _deeds_block(context, use))]
    blocks += [*share_blocks(context), *ability_blocks(context)]
    refusal = (
        ()
        if blocks
        else ("Nothing beside results was recorded; a plan with `record: basic` stores what heroes do.",)
    )
    return Section("deeds", title, lead, tuple(blocks), refusal)


def _deeds_block(context: Context, use: Usage) -> Block | None:
    described = context.columns.get("heroes", {})
    names = [name for name, values in use.metrics.items() if values and name in described]
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
