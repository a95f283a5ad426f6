"""Section on how often heroes are there, alone and against how strong they are."""

from __future__ import annotations

from collections.abc import Sequence

from balance.report.names import Context
from balance.report.sections_model import power_note
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import NONE, listed, percent, points, points_range, refusal_lines, share_range
from balance.stats.analysis import Usage
from balance.stats.estimate import Refusal
from balance.stats.heroes import METHOD, HeroStrength


def presence_section(context: Context) -> Section:
    """Presence, raw scores, and strength against presence."""
    title, lead = (
        "Presence",
        "How often heroes were there. With random rosters this describes the deal, not taste.",
    )
    usage = context.analysis.usage
    blocks, refusal = [], refusal_lines([use.raw for use in usage])
    if usage and usage[-1].presence:
        blocks.append(_presence_block(context, usage))
    blocks += _against(context)
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


def _against(context: Context) -> list[Block]:
    """Strength against presence at the highest level that has both."""
    tables = {table.level: table for table in context.strengths}
    both = [use for use in context.analysis.usage if use.level in tables and use.presence]
    if not both:
        return []
    use, table = both[-1], tables[both[-1].level]
    entries = [entry for entry in table.heroes if entry.hero in use.presence]
    front = pareto({e.hero: (use.presence[e.hero].value, e.effect.value) for e in entries})
    return [_pareto_block(context, use, entries, front, table.detectable)]


def pareto(places: dict[str, tuple[float, float]]) -> tuple[str, ...]:
    """Names that no other one beats in both numbers, from the most present to the strongest."""
    ordered = sorted(places, key=lambda name: (-places[name][0], -places[name][1]))
    front: list[str] = []
    best = float("-inf")
    for name in ordered:
        if places[name][1] > best:
            front.append(name)
            best = places[name][1]
    return tuple(front)


def _pareto_block(
    context: Context, use: Usage, entries: Sequence[HeroStrength], front: Sequence[str], smallest: float
) -> Block:
    level = context.level(use.level)
    points_ = [
        {
            "label": context.hero(entry.hero),
            "x": 100 * use.presence[entry.hero].value,
            "y": 100 * entry.effect.value,
            "low": 100 * entry.effect.low,
            "high": 100 * entry.effect.high,
            "front": entry.hero in front,
        }
        for entry in entries
    ]
    line = [[p["x"], p["y"]] for hero in front for p in points_ if p["label"] == context.hero(hero)]
    names = listed([context.hero(hero) for hero in front])
    data = {"points": points_, "line": line, "x": "% of sides that held it", "y": "pp of score per copy"}
    alt = f"Strength against presence at {level} play. No hero is both stronger and more often there than "
    chart = Chart("scatter", data, f"{alt}{names}.")
    rows = tuple(
        (
            context.hero(entry.hero),
            "yes" if entry.hero in front else "no",
            percent(use.presence[entry.hero].value),
            points(entry.effect.value),
            points_range(entry.effect),
        )
        for entry in entries
    )
    caption = f"At {level} play, {context.sample(use.level)}. Across: share of sides that held the hero; up: "
    caption += "strength with its 95 % interval. The line joins the heroes that no other one beats in both: "
    caption += "strong and often there is what shapes a game. Drafted at random, all are there alike, and "
    caption += f"only the height counts. Method: {METHOD}. {power_note(smallest)}"
    head = ("Hero", "On the line", "Presence", "Strength", "95 % interval")
    return Block("Strength against presence", caption, Table(head, rows, text=2), chart)
