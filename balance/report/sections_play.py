"""Sections on seats and draws, and on game length and pace."""

from __future__ import annotations

from collections.abc import Mapping

from balance.report.names import Context
from balance.report.needs import seat_need
from balance.report.sections_model import power_note
from balance.report.sections_records import NOT_COUNTED, NOT_LISTED, record_blocks
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import NONE, count, listed, number, percent, plain, share_range, value_range
from balance.stats.estimate import Estimate
from balance.stats.lengths import Histogram
from balance.stats.reach import ALPHA
from balance.stats.seats import SeatResult, arena_tests

BINS = 60  # most bars of a histogram
ONLY_COMMON = (
    "Only the common columns were recorded; a plan with `record: basic` stores the game's own as well."
)


def seats_section(context: Context) -> Section:
    """First-seat advantage by skill and arena, and how games end."""
    design = context.analysis.design
    even = 1 / design.sides
    lead = (
        "What the place in the turn order is worth. Every setup was played from every seat "
        "with the same rosters, "
        f"so rosters cannot blur the comparison. Even is {percent(even)}."
    )
    blocks = (_places(context, even), _endings(context))
    return Section("seats", "Seats and draws", lead, blocks, need=seat_need(context))


def _places(context: Context, even: float) -> Block:
    series, rows = [], []
    for seat in context.analysis.seats:
        points = [("All arenas", seat.places[0])] if len(seat.by_arena) > 1 else []
        points += [(context.arena(arena), estimate) for arena, estimate in seat.by_arena.items()]
        series.append({"name": context.level(seat.level), "points": [_point(*point) for point in points]})
        for label, estimate in points:
            cells = (f"{percent(estimate.value)}", share_range(estimate), count(estimate.n))
            rows.append((context.level(seat.level), label, "first", *cells))
        for place, estimate in enumerate(seat.places[1:], start=2):
            cells = (percent(estimate.value), share_range(estimate), count(estimate.n))
            where = "All arenas" if len(seat.by_arena) > 1 else points[0][0]
            rows.append((context.level(seat.level), where, _place_word(place), *cells))
    top = context.analysis.seats[-1].places[0]
    alt = f"Mean score of the first seat; {percent(top.value)} ({share_range(top)}) at "
    alt += f"{context.level(context.top)} play."
    chart = Chart("forest", {"series": series, "zero": 100 * even, "unit": "% score of the first seat"}, alt)
    caption = f"Dots: mean score of the first seat; bars: 95 % intervals. {context.samples()}. "
    caption += (
        f"Method: {top.method}; whether an arena differs from even: Holm over the arenas, which asks for "
    )
    caption += "more than its own interval. Over all arenas: "
    caption += power_note(max(seat.detectable for seat in context.analysis.seats))
    head = ("Skill", "Arena", "Place", "Score", "95 % interval", context.unit.title())
    text = _arenas_text(context, context.analysis.seats[-1], even)
    return Block("Score of the first seat", caption, Table(head, tuple(rows), text=3), chart, text=text)


def _arenas_text(context: Context, seat: SeatResult, even: float) -> str:
    """The arenas in which moving first matters beyond noise, in one sentence; empty with one arena."""
    if len(seat.by_arena) < 2:
        return ""
    found = [arena for arena, p in arena_tests(seat, even).items() if p < ALPHA]
    start = f"At {context.level(seat.level)} play"
    if not found:
        widest = max(seat.by_arena, key=lambda arena: abs(seat.by_arena[arena].value - even))
        widest_text = _scored(context, seat, widest)
        return f"{start} no arena differs from even beyond noise; the widest is {widest_text}."
    parts = []
    for one, many, above in (("favours", "favour", True), ("puts", "put", False)):
        names = [_scored(context, seat, a) for a in found if (seat.by_arena[a].value > even) == above]
        if names:
            verb = one if len(names) == 1 else many
            parts.append(f"{listed(names)} {verb} the first seat{'' if above else ' at a disadvantage'}")
    return f"{start}, beyond noise, {listed(parts)}."


def _scored(context: Context, seat: SeatResult, arena: str) -> str:
    first = seat.by_arena[arena]
    return f"{context.arena(arena)} at {percent(first.value)} ({share_range(first)})"


def _place_word(place: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth"}.get(place, str(place))


def _point(label: str, estimate: Estimate) -> dict[str, float | str]:
    scale = 100
    return {
        "label": label,
        "x": scale * estimate.value,
        "low": scale * estimate.low,
        "high": scale * estimate.high,
    }


def _endings(context: Context) -> Block:
    rows = []
    for seat in context.analysis.seats:
        level, nobody = context.level(seat.level), seat.nobody
        rows.append((level, "No winner", percent(nobody.value), share_range(nobody), count(nobody.n)))
        for label, share in seat.endings.items():
            rows.append(
                (
                    level,
                    f"Ended by: {context.ending(label)}",
                    percent(share.value),
                    share_range(share),
                    count(share.n),
                )
            )
    caption = f"Share of games. {context.samples()}. Method: {context.analysis.seats[-1].nobody.method}."
    head = ("Skill", "Ending", "Share", "95 % interval", context.unit.title())
    return Block("How games end", caption, Table(head, tuple(rows), text=2))


def record_tables(context: Context) -> list[Block]:
    """Every averaged column, then what games are made of."""
    return [*_metric_tables(context), *record_blocks(context)]


def missing_records(context: Context) -> tuple[str, ...]:
    """What a fuller recording would have shown there."""
    if not context.columns or len(context.analysis.metrics) <= 2 * len(context.played):
        return (ONLY_COMMON,)
    if context.analysis.recorded.branching:
        return ()
    return (NOT_COUNTED if context.listed_turns else NOT_LISTED,)


def turns_block(context: Context) -> Block | None:
    """Distribution of the number of turns."""
    found = [histogram for histogram in context.analysis.histograms if histogram.name == "turns"]
    if not found:
        return None
    width = max(1, -(-max(len(histogram.counts) for histogram in found) // BINS))
    series = [_bars(context, histogram, width) for histogram in found]
    metrics = [metric for metric in context.analysis.metrics if metric.name == "turns"]
    rows = tuple(
        (
            context.level(metric.level),
            plain(metric.mean.value),
            value_range(metric.mean),
            plain(metric.sd),
            *(number(value, 0) for value in metric.quantiles),
            count(metric.mean.n),
        )
        for metric in metrics
    )
    head = (
        "Skill",
        "Mean",
        "95 % interval",
        "SD of pairs",
        "5 %",
        "25 %",
        "50 %",
        "75 %",
        "95 %",
        context.unit.title(),
    )
    alt = "Distribution of the number of turns: " + "; ".join(
        f"{context.level(metric.level)} mean {plain(metric.mean.value)}" for metric in metrics
    )
    chart = Chart("histogram", {"series": series, "x": "turns", "y": "% of games", "width": width}, alt + ".")
    caption = (
        f"Games by number of turns, {'each' if width == 1 else f'in steps of {width}'}. {context.samples()}. "
    )
    caption += f"Mean: {metrics[0].mean.method}; quantiles of single games."
    return Block("Turns in a game", caption, Table(head, rows), chart)


def _bars(context: Context, histogram: Histogram, width: int) -> dict[str, object]:
    """Shares by bin, trimmed to the bins that hold games."""
    counts, total = histogram.counts, histogram.counts.sum()
    bins = [float(counts[start : start + width].sum()) for start in range(0, len(counts), width)]
    used = [place for place, value in enumerate(bins) if value]
    first, last = used[0], used[-1]
    return {
        "name": context.level(histogram.level),
        "x": [place * width for place in range(first, last + 1)],
        "y": [100 * bins[place] / total for place in range(first, last + 1)],
    }


def _metric_tables(context: Context) -> list[Block]:
    """Means of all columns, then what the first seat or side has more of than the others."""
    plain_, surplus = _described(context)
    method = "mean over pairs, t interval"
    means = "Mean of a game (95 % interval); columns kept a side or seat are averaged over them. "
    more = "What the first has more than the mean of the others (95 % interval); an interval "
    more += "without 0 is a difference. "
    blocks = [
        _metric_table(context, "What happens in a game", plain_, means, method),
        _metric_table(context, "What the first seat has more of", surplus, more, method),
    ]
    return [block for block in blocks if block]


def _metric_table(
    context: Context, name: str, described: Mapping[str, tuple[str, str]], caption: str, method: str
) -> Block | None:
    found = {(metric.name, metric.level): metric.mean for metric in context.analysis.metrics}
    stored = [name for name in described if any((name, level) in found for level in context.played)]
    never = [name for name in stored if all(_nothing(found.get((name, level))) for level in context.played)]
    rows = tuple(
        (*described[name], *(_mean_cell(found.get((name, level))) for level in context.played))
        for name in stored
        if name not in never
    )
    if not rows:
        return None
    if never:
        caption += f"Left out, as 0 in every game: {listed([described[name][0] for name in never])}. "
    head = ("Quantity", "Unit", *(context.level(level).capitalize() for level in context.played))
    return Block(name, f"{caption}{context.samples()}. Method: {method}.", Table(head, rows, text=2))


def _nothing(mean: Estimate | None) -> bool:
    """Whether a value was the same 0 in every game."""
    return mean is None or (mean.value == 0 and not mean.se > 0)


def _mean_cell(mean: Estimate | None) -> str:
    return f"{plain(mean.value)} ({value_range(mean)})" if mean else NONE


def _described(context: Context) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]]:
    """Label and unit by value name: of the means, and of the surpluses of the first seat or side."""
    means, surplus = {"plies": ("Decisions", "per game")}, {}
    for name, column in context.columns.get("games", {}).items():
        if column.role == "mean":
            means[name] = (column.label, column.unit)
        elif column.role in ("side", "seat"):
            means[name] = (f"{column.label}, per {column.role}", column.unit)
            surplus[f"{name}_first"] = (column.label, column.unit)
    return means, surplus
