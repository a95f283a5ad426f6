"""Section on drafts: is drafting first an advantage, when is who picked, and what is a pick worth."""

from __future__ import annotations

from collections.abc import Sequence

from balance.report.names import Context
from balance.report.sections_abilities import pick_blocks
from balance.report.sections_model import power_note
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import count, number, percent, points, points_range, refusal_lines, share_range
from balance.stats.drafts import DraftOrder
from balance.stats.fairness import MARGIN
from balance.stats.verdicts import FAIL, PASS

LEAD = (
    "Whether the order of the draft matters. Every draft was played from every seat, so that moving first "
    "cannot blur drafting first. The answer holds for whoever drafted here: {picker}, in the format {format}."
)
GIVEN = "Every player of a match brings a team here; what teams are worth stands under Teams."


DEALT = "Rosters were dealt at random: nobody picked, so there is no order of a draft to be fair or not."


def dealt(context: Context) -> bool:
    """Whether picks would have been recorded, and there were none."""
    described = context.columns.get("heroes", {}).values()
    counted = context.manifest["record"] != "none" and any(column.role == "pick" for column in described)
    return counted and not context.analysis.recorded.picks


def drafts_section(context: Context) -> Section:
    """The draft, or why there was none."""
    if not context.analysis.design.heroes:
        return Section("drafts", "Drafts", refusal=("This game has no heroes, so nobody drafts.",))
    found = [order for order in context.analysis.drafts if isinstance(order, DraftOrder)]
    refusal = refusal_lines(context.analysis.drafts)
    if not found:
        return Section("drafts", "Drafts", GIVEN, refusal=refusal)
    if dealt(context):
        return Section("drafts", "Drafts", DEALT)
    plan = (context.manifest.get("plan") or {}).get("plan") or {}
    draft = plan.get("draft") or {}
    picker = f"a {draft.get('picker', 'random')} picker"
    words = {"picker": picker, "format": draft.get("format", "of the plan")}
    blocks = (_order(context, found), *pick_blocks(context))
    return Section("drafts", "Drafts", LEAD.format(**words), blocks, refusal)


def _order(context: Context, found: Sequence[DraftOrder]) -> Block:
    even = 100 / context.analysis.design.sides
    series = [
        {
            "name": context.level(order.level),
            "points": [
                {"label": _place(k), "x": 100 * e.value, "low": 100 * e.low, "high": 100 * e.high}
                for k, e in enumerate(order.places)
            ],
        }
        for order in found
    ]
    rows = tuple(
        (
            _place(k),
            context.level(order.level),
            percent(e.value),
            share_range(e),
            points(order.first.value) if k == 0 else "",
            points_range(order.first) if k == 0 else "",
            count(e.n),
        )
        for order in reversed(found)
        for k, e in enumerate(order.places)
    )
    top = found[-1]
    alt = f"Score by place in the draft; drafting first scores {percent(top.places[0].value)} at "
    alt += f"{context.level(top.level)} play, even is {number(even)} %."
    head = ("Drafts", "Skill", "Score", "95 % interval", "First against the others", "95 % interval")
    caption = f"{context.samples()}. First against the others: score of the first side "
    caption += "less the mean score of the others. Method: "
    caption += f"{top.places[0].method}; fair: two one-sided tests against {points(MARGIN, 0).lstrip('+')}. "
    caption += "Of that difference: " + power_note(max(order.detectable for order in found))
    chart = Chart("forest", {"series": series, "zero": even, "unit": "% score"}, alt)
    table = Table((*head, context.unit.title()), rows, text=2)
    return Block("Drafting first", caption, table, chart, text=_verdicts(context, found))


def _place(place: int) -> str:
    return ("First", "Second", "Third", "Fourth")[place]


def _verdicts(context: Context, found: Sequence[DraftOrder]) -> str:
    """One line a level: fair within the margin, unfair, or not known yet."""
    limit = points(MARGIN, 0).lstrip("+")
    lines = []
    words = {
        PASS: f"the order of the draft is fair within {limit}",
        FAIL: f"the order of the draft is worth more than {limit}",
    }
    open_ = f"it is not known yet whether the order of the draft is fair within {limit}"
    for order in found:
        lines.append(f"At {context.level(order.level)} play {words.get(order.verdict.verdict, open_)}.")
    return "\n".join(lines)
