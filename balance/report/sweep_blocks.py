"""Exhibits of a sweep: effect curves, tornado, and the table of runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from balance.report.compare_context import CompareContext
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import (
    count,
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
from balance.stats.estimate import Estimate
from balance.study.sweep_data import Metric, Middle, Point, SweepCell, SweepData

MOST_LINES = 6  # of one figure: the page has as many colours
MOST_TARGETS = 3
TITLES = {
    "seats": "Score of the first seat",
    "heroes": "Hero strength",
    "teams": "Team scores",
    "length": "Turns in a game",
}
UNITS = {"heroes": "pp of score", "length": "turns"}
ONE_LINE = ("seats", "length")  # a line a level; of the others a line each at the highest level


@dataclass(frozen=True)
class SweepContext:
    """A sweep with its words.

    Attributes
    ----------
    data : SweepData
    words : CompareContext
        Of the first comparison.
    """

    data: SweepData
    words: CompareContext

    def label(self, metric: Metric) -> str:
        """What a metric is about."""
        name, alone = metric.name[0], {"seats": "First seat", "length": "Turns"}
        if metric.topic in alone:
            return alone[metric.topic]
        return self.words.team(name) if metric.topic == "teams" else self.words.named("heroes", name)

    def full_label(self, metric: Metric) -> str:
        """The same with its level, where there are several."""
        level = f", {self.words.level(metric.level)}" if len(self.words.comparison.levels) > 1 else ""
        return self.label(metric) + level

    @property
    def top(self) -> int:
        """The highest level."""
        return self.words.comparison.top

    def metrics(self, topic: str, level: int | None = None) -> list[Metric]:
        """Followed metrics of a topic."""
        return [m for m in self.data.metrics() if m.topic == topic and level in (None, m.level)]

    def value(self, metric: Metric, estimate: Estimate) -> str:
        """A metric in a run."""
        if metric.topic == "length":
            return plain(estimate.value)
        return points(estimate.value) if metric.topic == "heroes" else percent(estimate.value)

    def value_range(self, metric: Metric, estimate: Estimate) -> str:
        """Its interval."""
        if metric.topic == "length":
            return value_range(estimate)
        return points_range(estimate) if metric.topic == "heroes" else share_range(estimate)

    def change(self, metric: Metric, point: Point) -> tuple[str, str]:
        """The change from the base and its interval, as texts; ``base`` for the base."""
        if point.difference is None:
            return "base", ""
        if metric.topic != "length":
            return points(point.difference.value), points_range(point.difference)
        one = point.difference
        value, low, high = (number(x, 2, signed=True) for x in (one.value, one.low, one.high))
        return value, f"{low} to {high}"

    def targets(self) -> list[Metric]:
        """The metrics that change most surely at the highest level; the first seat is one of them."""
        found = self.metrics("seats", self.top)[:1]
        others = [*self.metrics("heroes", self.top), *self.metrics("teams", self.top)]
        others.sort(key=lambda metric: -self.surely(metric))
        return (found + others)[:MOST_TARGETS]

    def surely(self, metric: Metric, cells: Sequence[SweepCell] | None = None) -> float:
        """The largest sure change over some runs, in score."""
        sizes = [
            max(0.0, point.difference.low, -point.difference.high)
            for point in self.data.points(metric)
            if point.difference and (cells is None or point.cell in cells)
        ]
        return max(sizes, default=0.0)


def effects_section(context: SweepContext) -> Section:
    """Curves over each number, from the runs that differ from the base in it alone."""
    blocks: list[Block] = []
    refused = []
    for parameter in context.data.parameters:
        cells = context.data.slice(parameter)
        if len(cells) < 2:
            refused.append(f"No run differs from the base in {parameter} alone, so its effect has no curve.")
            continue
        for topic in ("heroes", "teams", "seats", "length"):
            block = _curve_block(context, parameter, cells, topic)
            blocks += [block] if block else []
    lead = "Each line goes through the runs that differ from the base in one number only; bands are 95 % "
    lead += "intervals of each run, tables have the change from the base."
    return Section("effects", "Effects", lead if blocks else "", tuple(blocks), tuple(refused))


def _curve_block(
    context: SweepContext, parameter: str, cells: Sequence[SweepCell], topic: str
) -> Block | None:
    """One figure: heroes or teams at the highest level, or the first seat or turns at all levels."""
    metrics = context.metrics(topic, None if topic in ONE_LINE else context.top)
    if not metrics:
        return None
    metrics.sort(key=lambda metric: -context.surely(metric, cells))
    if topic in ONE_LINE:
        metrics.sort(key=lambda metric: metric.level)
    drawn = metrics[:MOST_LINES]
    place = context.data.parameters.index(parameter)
    rows = {metric: _along(context, metric, cells) for metric in metrics}
    name = context.full_label if topic in ONE_LINE else context.label
    series = [_series(name(m), rows[m], place, 1 if topic == "length" else 100) for m in drawn]
    values = [number_words(cell.values[place]) for cell in cells]
    title = f"{TITLES[topic]} over {parameter}"
    alt = f"{title} at {listed(values)}. {_alt(context, drawn[0], rows[drawn[0]])}"
    data = {
        "series": series,
        "x": f"middle of {parameter}" if isinstance(cells[0].values[place], Middle) else parameter,
        "y": UNITS.get(topic, "score, %"),
        "at": context.data.base.values[place],
        "zero": _even(context, topic),
    }
    text = ""
    if len(metrics) > len(drawn):
        text = f"The chart shows the {len(drawn)} of {len(metrics)} that change most; the table holds all."
    table = _curve_table(context, parameter, metrics, rows, place)
    return Block(title, _caption(context, rows), table, Chart("curves", data, alt), text=text)


def _even(context: SweepContext, topic: str) -> float | None:
    """Where there is no effect, on the axis of a topic."""
    sides = context.words.comparison.base.design.sides
    return {"heroes": 0.0, "length": None}.get(topic, 100 / sides)


def _along(context: SweepContext, metric: Metric, cells: Sequence[SweepCell]) -> list[Point]:
    """The metric in the runs of a slice, in their order."""
    found = {point.cell.folder: point for point in context.data.points(metric)}
    return [found[cell.folder] for cell in cells]


def _series(name: str, along: Sequence[Point], place: int, scale: float) -> dict[str, object]:
    def ends(point: Point) -> tuple[float, float]:
        one = point.value
        return (one.low, one.high) if math.isfinite(one.low + one.high) else (one.value, one.value)

    return {
        "name": name,
        "x": [point.cell.values[place] for point in along],
        "y": [scale * point.value.value for point in along],
        "low": [scale * ends(point)[0] for point in along],
        "high": [scale * ends(point)[1] for point in along],
    }


def _alt(context: SweepContext, metric: Metric, along: Sequence[Point]) -> str:
    first, last = along[0], along[-1]
    return f"{context.label(metric)} goes from {context.value(metric, first.value)} to " \
        f"{context.value(metric, last.value)}."  # fmt: skip


def _curve_table(
    context: SweepContext,
    parameter: str,
    metrics: Sequence[Metric],
    rows: dict[Metric, list[Point]],
    place: int,
) -> Table:
    lines = tuple(
        (
            context.label(metric),
            context.words.level(metric.level),
            number_words(point.cell.values[place]),
            context.value(metric, point.value),
            context.value_range(metric, point.value),
            *context.change(metric, point),
            p_value(point.p) if point.difference else "",
            count(point.value.n),
        )
        for metric in metrics
        for point in rows[metric]
    )
    head = ("What", "Skill", parameter, "In the run", "95 % interval", "Change", "95 % interval", "p")
    return Table((*head, context.words.unit.title()), lines, text=2)


def _caption(context: SweepContext, rows: dict[Metric, list[Point]]) -> str:
    along = [point for points_ in rows.values() for point in points_]
    sizes = sorted({point.value.n for point in along})
    spread = count(sizes[0]) if sizes[0] == sizes[-1] else f"{count(sizes[0])} to {count(sizes[-1])}"
    methods = {point.value.method for point in along}
    methods |= {point.difference.method for point in along if point.difference}
    return (
        f"{spread} {context.words.unit} a run and skill level; intervals 95 %. Method: "
        f"{'; '.join(sorted(methods))}. p: Benjamini-Hochberg over all metrics and runs of the sweep."
    )


def number_words(value: float) -> str:
    """A swept number as it stands in a plan; a range with its ends."""
    return value.text if isinstance(value, Middle) else f"{value:g}"


def tornado_section(context: SweepContext) -> Section:
    """Lowest and highest change of a few metrics by number."""
    known = [p for p in context.data.parameters if len(context.data.slice(p)) > 1]
    if not known:
        text = "The runs differ in several numbers at once, so what one of them does alone cannot be ranked."
        return Section("tornado", "Which number matters", "", (), (text,))
    blocks = tuple(_tornado(context, metric, known) for metric in context.targets())
    lead = "How far each number, moved alone over the runs that were given, takes a metric from the base."
    return Section("tornado", "Which number matters", lead, blocks)


def _tornado(context: SweepContext, metric: Metric, parameters: Sequence[str]) -> Block:
    rows = []
    for parameter in parameters:
        place = context.data.parameters.index(parameter)
        along = _along(context, metric, context.data.slice(parameter))
        ends = [min(along, key=_moved), max(along, key=_moved)]
        rows.append((parameter, place, ends))
    rows.sort(key=lambda row: _moved(row[2][0]) - _moved(row[2][1]))
    drawn = [
        {
            "label": parameter,
            "low": 100 * _moved(low),
            "high": 100 * _moved(high),
            "at_low": number_words(low.cell.values[place]),
            "at_high": number_words(high.cell.values[place]),
        }
        for parameter, place, (low, high) in rows
    ]
    head = ("Number", "Base", "Lowest change", "at", "95 % interval", "Highest change", "at", "95 % interval")
    lines = tuple(
        (
            parameter,
            number_words(context.data.base.values[place]),
            *(cell for end in ends for cell in _end_cells(end, place)),
        )
        for parameter, place, ends in rows
    )
    label = context.full_label(metric)
    widest = rows[0]
    alt = f"Lowest and highest change of {label} by number; {widest[0]} moves it most, from "
    alt += f"{points(_moved(widest[2][0]))} to {points(_moved(widest[2][1]))}."
    ns = [end.difference.n for _, _, ends in rows for end in ends if end.difference]
    caption = f"Change from the base, in pp; beside the bars the values that give it. n: {count(min(ns))} "
    caption += f"{context.words.unit} or more. Intervals 95 %, of the difference to the base. The lowest and "
    caption += "highest of several estimates are a little too far apart."
    chart = Chart("tornado", {"rows": drawn, "unit": "pp, change from the base"}, alt)
    return Block(f"Range of change: {label}", caption, Table(head, lines), chart)


def _moved(point: Point) -> float:
    return point.difference.value if point.difference else 0.0


def _end_cells(point: Point, place: int) -> tuple[str, str, str]:
    at = number_words(point.cell.values[place])
    if point.difference is None:
        return points(0.0), at, "base"
    return points(point.difference.value), at, points_range(point.difference)


def cells_section(context: SweepContext) -> Section:
    """Every run with its numbers and main metrics."""
    data = context.data
    chosen = [
        *context.metrics("seats"),
        *context.metrics("length"),
        *(m for m in context.targets() if m.topic != "seats"),
    ]
    held = {metric: data.points(metric) for metric in chosen}
    lines = tuple(
        (
            cell.folder.name,
            *(number_words(value) for value in cell.values),
            *(text for metric in chosen for text in _cell_texts(context, metric, held[metric][place])),
        )
        for place, cell in enumerate(data.cells)
    )
    head = (
        "Run",
        *data.parameters,
        *(word for metric in chosen for word in (context.full_label(metric), "Change (95 % interval)")),
    )
    caption = "The base is the first run; changes are the run less the base. "
    caption += _caption(context, {metric: list(found) for metric, found in held.items()})
    return Section("runs", "All runs", "", (Block("Runs", caption, Table(head, lines)),))


def _cell_texts(context: SweepContext, metric: Metric, point: Point) -> tuple[str, str]:
    value, (change, reach) = context.value(metric, point.value), context.change(metric, point)
    return value, f"{change} ({reach})" if reach else change
