"""Sections of a ladder on shares: who beats whom, step by step, arena by arena."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.report.ladder_context import LadderContext
from balance.report.ladder_words import bound, flipped, measured
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import NONE, count, number, percent, share_range
from balance.stats.contests import Share
from balance.study.ladder import Encounter, Ladder


def contests_section(context: LadderContext) -> Section:
    """Who beats whom: matrix and table."""
    ladder = context.ladder
    lead = "Share of the score of the agent in the row against the one in the column."
    if not ladder.encounters:
        return Section("contests", "Who beats whom", lead)
    head = (
        "Agent",
        "Against",
        "Share",
        "95 % interval",
        "At least",
        "By strengths",
        "Draws",
        ladder.unit.capitalize(),
    )
    rows = tuple(_contest_row(context, met) for met in reversed(ladder.encounters))
    caption = f"Score in %, a draw one half. {context.sample()}. By strengths: the share that the fitted "
    caption += "strengths imply. At least: lower one-sided 95 % bound. "
    caption += f"Method: {ladder.encounters[0].share.estimate.method}, cells alike; each for itself."
    block = Block("Shares of the score", caption, Table(head, rows, text=2), _matrix(context))
    return Section("contests", "Who beats whom", lead, (block,))


def _contest_row(context: LadderContext, met: Encounter) -> tuple[str, ...]:
    share = met.share
    return (
        context.name(met.one),
        context.name(met.other),
        percent(share.estimate.value),
        share_range(share.estimate),
        bound(share.lower),
        NONE if met.fitted is None else percent(met.fitted),
        f"{percent(met.draws.estimate.value)} ({share_range(met.draws.estimate)})",
        count(met.pairs),
    )


def _matrix(context: LadderContext) -> Chart:
    ladder = context.ladder
    agents = list(reversed(ladder.agents))
    shares = [[_seen(ladder, row, column) for column in agents] for row in agents]
    names = [context.name(agent) for agent in agents]
    top = max(ladder.encounters, key=lambda met: abs(met.share.estimate.value - 0.5))
    alt = f"Shares of the score; the most one-sided encounter is {context.words.over(top)}, "
    alt += f"{percent(top.share.estimate.value)}."
    return Chart("heatmap", {"rows": names, "columns": names, **_cells(shares, ladder.unit)}, alt)


def _seen(ladder: Ladder, row: str, column: str) -> Share | None:
    """The share of one agent against another."""
    met = ladder.between(row, column) if row != column else None
    if met is None:
        return None
    return met.share if met.one == row else flipped(met.share)


def _cells(shares: Sequence[Sequence[Share | None]], unit: str) -> dict[str, Any]:
    """Values, texts and hover texts of a matrix of shares."""
    values = [[None if s is None else 100 * s.estimate.value for s in row] for row in shares]
    known = [abs(value - 50) for row in values for value in row if value is not None]
    return {
        "values": values,
        "texts": [["" if value is None else number(value) for value in row] for row in values],
        "hovers": [[_hover(share, unit) for share in row] for row in shares],
        "zero": 50.0,
        "unit": "% of the score",
        "reach": max(known, default=1.0),
    }


def _hover(share: Share | None, unit: str) -> str:
    if share is None:
        return "have not met"
    return f"{measured(share)}, at least {bound(share.lower)}, {count(share.estimate.n)} {unit}"


def steps_section(context: LadderContext) -> Section:
    """Each agent against the one below it, and what was required."""
    ladder, words = context.ladder, context.words
    steps = ladder.steps()
    lead = "Each agent against the one listed before it."
    blocks = [_claims_block(context)] if context.claims else []
    if not steps:
        return Section("steps", "Steps", lead, tuple(blocks))
    points = [_share_point(words.over(step), step.share) for step in reversed(steps)]
    alt = "Share of each agent against the one below it. " + " ".join(words.step(step) for step in steps)
    chart = Chart(
        "forest",
        {"series": [{"name": "share", "points": points}], "zero": 50.0, "unit": "% of the score"},
        alt,
    )
    head = ("Step", "Share", "95 % interval", "At least", "Verdict", ladder.unit.capitalize())
    rows = tuple(
        (
            words.over(step),
            percent(step.share.estimate.value),
            share_range(step.share.estimate),
            bound(step.share.lower),
            step.verdict,
            count(step.pairs),
        )
        for step in steps
    )
    caption = (
        "Dots: share of the score; bars: 95 % intervals. Ahead: the lower one-sided 95 % bound is above "
    )
    caption += f"50 %. {context.sample()} in all. Method: {steps[0].share.estimate.method}."
    blocks.append(Block("From step to step", caption, Table(head, rows, words=(4,)), chart))
    return Section("steps", "Steps", lead, tuple(blocks))


def _claims_block(context: LadderContext) -> Block:
    rows = tuple(
        (
            context.words.claim(one).partition(": ")[0],
            percent(one.share),
            bound(one.lower),
            "holds" if one.holds else "does not hold",
        )
        for one in context.claims
    )
    head = ("Required", "Share", "Lower bound", "Answer")
    caption = "Lower one-sided 95 % bounds, each for itself; a requirement holds when its bound reaches it."
    return Block("What was required", caption, Table(head, rows, words=(3,)))


def _share_point(label: str, share: Share) -> dict[str, Any]:
    own = share.estimate
    return {"label": label, "x": 100 * own.value, "low": 100 * own.low, "high": 100 * own.high}


def arenas_section(context: LadderContext) -> Section:
    """Shares arena by arena."""
    ladder, words = context.ladder, context.words
    arenas = ladder.design.arenas
    lead = "The same shares in each arena by itself."
    met = list(reversed(ladder.encounters))
    if not met or len(arenas) < 2:
        return Section("by-arena", "Arenas", lead, refusal=("One arena was played.",) if met else ())
    titles = [context.arena(arena) for arena in arenas]
    shares = [[one.arenas.get(arena) for arena in arenas] for one in met]
    names = [words.over(one) for one in met]
    chart = Chart(
        "heatmap", {"rows": names, "columns": titles, **_cells(shares, ladder.unit)}, _arena_alt(context)
    )
    rows = tuple(
        (name, *(NONE if share is None else measured(share) for share in row))
        for name, row in zip(names, shares, strict=True)
    )
    caption = (
        f"Share of the first-named agent in %, with 95 % intervals, each for itself. {context.sample()}. "
    )
    caption += f"Method: {met[0].share.estimate.method}, matchups alike."
    return Section(
        "by-arena",
        "Arenas",
        lead,
        (Block("Shares by arena", caption, Table(("Encounter", *titles), rows), chart),),
    )


def _arena_alt(context: LadderContext) -> str:
    found = [
        (abs(share.estimate.value - met.share.estimate.value), met, arena, share)
        for met in context.ladder.encounters
        for arena, share in met.arenas.items()
    ]
    _, met, arena, share = max(found, key=lambda item: item[0])
    text = f"Shares by arena; farthest from its mean is {context.words.over(met)} in {context.arena(arena)}, "
    return text + f"{percent(share.estimate.value)}."
