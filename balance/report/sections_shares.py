"""Exhibits on what part of its side's deeds each hero had, such as kill participation."""

from __future__ import annotations

from balance.report.names import Context
from balance.report.view import Block, Chart, Table
from balance.report.words import count, listed, percent, share_range
from balance.stats.estimate import Estimate


def share_blocks(context: Context) -> list[Block]:
    """One block for every hero column that its game compares with the sum of the side."""
    described = context.columns.get("heroes", {})
    names = dict.fromkeys(name for use in context.analysis.usage for name in use.shares)
    return [_shares(context, name) for name in names if name in described]


def _shares(context: Context, name: str) -> Block:
    column = context.columns["heroes"][name]
    found = [(use.level, use.shares[name]) for use in reversed(context.analysis.usage) if name in use.shares]
    level, top = found[0]
    order = sorted(top, key=lambda hero: -top[hero].value)
    series = [
        {
            "name": context.level(lv),
            "points": [_point(context.hero(h), shares[h]) for h in order if h in shares],
        }
        for lv, shares in reversed(found)
    ]
    rows = tuple(
        (context.hero(hero), context.level(lv), percent(share.value), share_range(share), count(share.n))
        for lv, shares in found
        for hero, share in sorted(shares.items(), key=lambda item: -item[1].value)
    )
    best = order[0]
    alt = f"{column.whole} by hero; the highest at {context.level(level)} play is {context.hero(best)} with "
    alt += f"{percent(top[best].value)}."
    chart = Chart("forest", {"series": series, "zero": 0.0, "unit": "% of the side's sum"}, alt)
    methods = dict.fromkeys(share.method for _, shares in found for share in shares.values())
    caption = (
        f"{column.label} by a copy of the hero, over those of its whole side in the games that it was in "
    )
    caption += f"(95 % interval). {context.samples()}. Method: {listed(list(methods))}."
    head = ("Hero", "Skill", "Share", "95 % interval", context.unit.title())
    return Block(column.whole, caption, Table(head, rows, text=2), chart, text=_text(context, name))


def _text(context: Context, name: str) -> str:
    column = context.columns["heroes"][name]
    return (
        f"Share of its side's total ({column.text}) that is a hero's own. With teams of equal heroes each "
        "would have one part in as many as the team has heroes."
    )


def _point(label: str, share: Estimate) -> dict[str, float | str]:
    return {"label": label, "x": 100 * share.value, "low": 100 * share.low, "high": 100 * share.high}
