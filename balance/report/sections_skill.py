"""Sections on what better play changes: heroes by skill, and skill against luck."""

from __future__ import annotations

from collections.abc import Sequence

from balance.report.names import Context
from balance.report.sections_model import power_note
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import (
    AS_ABOVE,
    count,
    p_value,
    percent,
    points,
    points_range,
    refusal_lines,
    share_range,
)
from balance.stats.estimate import Refusal
from balance.stats.heroes import METHOD, StrengthTable
from balance.stats.luck import SHARE, SkillStep
from balance.stats.skill import SLOPE, SkillEntry

REACH = (
    "Whether a hero's strength survives better play. Robust: the sign of the surest finding is shown at the "
    "neighbouring skill levels too; skill-dependent: a neighbour shows the opposite or clearly less; open: "
    "a neighbour neither shows nor contradicts it; not shown: no level differs from zero beyond noise."
)
ONE_LEVEL = "One skill level was played; give the plan several agents to compare."


def skill_section(context: Context) -> Section:
    """Hero strength over the skill levels."""
    slug, title, skill, tables = "heroes-skill", "Heroes by skill", context.analysis.skill, context.strengths
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


LUCK = (
    "If the better of two players wins some games for sure and luck shares out the rest evenly, this is the "
    "share that skill decides. Only agents that met each other can tell."
)


def luck_section(context: Context) -> Section:
    """Share of games decided by skill, where agents met."""
    found = context.analysis.met
    if isinstance(found, Refusal):
        return Section("luck", "Skill against luck", LUCK, refusal=refusal_lines([found]))
    return Section("luck", "Skill against luck", LUCK, (_luck(context, found),))


def _luck(context: Context, steps: Sequence[SkillStep]) -> Block:
    rows = tuple(
        (
            step.stronger,
            step.weaker,
            percent(step.score.value),
            share_range(step.score),
            percent(step.decided.value),
            share_range(step.decided),
            p_value(step.p),
            count(step.score.n),
        )
        for step in steps
    )
    head = ("Stronger", "Weaker", "Score", "95 % interval", "Decided by skill", "95 % interval", "p")
    caption = f"Method: {SHARE} ({steps[0].score.method}); p: equally strong, Holm over the encounters. "
    caption += power_note(max(step.detectable for step in steps))
    table = Table((*head, context.unit.title()), rows, text=2)
    points_ = [
        {
            "label": f"{step.stronger} against {step.weaker}",
            "x": 100 * step.decided.value,
            "low": 100 * step.decided.low,
            "high": 100 * step.decided.high,
        }
        for step in steps
    ]
    alt = "Share of games that skill decides: " + "; ".join(
        f"{step.stronger} against {step.weaker} {percent(step.decided.value)}" for step in steps
    )
    series = [{"name": "Decided by skill", "points": points_}]
    chart = Chart("forest", {"series": series, "zero": 0.0, "unit": "% of games"}, alt + ".")
    return Block("What skill decides", caption, table, chart)
