"""Charts of the report as plotly figures in JSON; colours are left to the page, which knows light from dark.

A trace says in ``meta.tone`` which colour of the page's palette it wants (a number for a series, or
``quiet``, ``diverging``). Names come from files that anybody may have written, and plotly reads a little HTML
in its texts, so every text is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from balance.report.figure_base import LABEL, make_figure, safe, ticks
from balance.report.figures_effects import KINDS as EFFECTS
from balance.report.figures_scatter import scatter
from balance.report.view import Chart

ROW = 30  # pixels a row
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")


def figure_json(chart: Chart) -> dict[str, Any]:
    """Data and layout of a chart as plain data for plotly.js.

    Raises
    ------
    KeyError
        There is no such kind of chart.
    """
    figure = KINDS[chart.kind](chart.data)
    data = json.loads(figure.to_json())
    data["layout"].pop("template", None)
    return {"data": data["data"], "layout": data["layout"]}


def _limits(series: Sequence[Mapping[str, Any]], zero: float) -> list[float]:
    """Range of an axis that shows every interval and the line of no effect, with a little room."""
    ends = [value for one in series for p in one["points"] for value in (p["low"], p["high"])] + [zero]
    room = 0.04 * (max(ends) - min(ends)) or 1.0
    return [min(ends) - room, max(ends) + room]


def forest(data: Mapping[str, Any]) -> Any:
    """Estimates with intervals, one row a label, one colour a series.

    `data` holds ``series`` (name and points with label, x, low, high), ``zero`` and ``unit``; ``digits`` are
    the decimals shown on hovering, 1 by default; ``labels`` the rows from the top, where series differ.
    """
    series, zero, digits = data["series"], data["zero"], data.get("digits", 1)
    labels = data.get("labels") or list(dict.fromkeys(p["label"] for one in series for p in one["points"]))
    places = {label: len(labels) - 1 - place for place, label in enumerate(labels)}
    step = 0.56 / max(len(series), 1)
    middle = (len(series) - 1) / 2
    traces = [_dots(one, tone, places, (middle - tone) * step, digits) for tone, one in enumerate(series)]
    rows = len(labels)
    yaxis = {"tickvals": list(places.values()), "ticktext": [safe(label) for label in places]}
    return make_figure(
        traces,
        90 + rows * max(ROW, 15 * len(series)),
        xaxis={"title": {"text": safe(data["unit"])}, "zeroline": False, "range": _limits(series, zero)},
        yaxis={
            **yaxis,
            "range": [-0.6, rows - 0.4],
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
        },
        shapes=[{"type": "line", "x0": zero, "x1": zero, "y0": 0, "y1": 1, "yref": "paper"}],
    )


def _dots(one: Mapping[str, Any], tone: int, places: Mapping[str, int], shift: float, digits: int) -> Any:
    """One series of a forest plot, moved a little so that series do not cover each other."""
    import plotly.graph_objects as go

    points = one["points"]
    reach = {
        "type": "data",
        "symmetric": False,
        "array": [p["high"] - p["x"] for p in points],
        "arrayminus": [p["x"] - p["low"] for p in points],
        "thickness": 1.6,
        "width": 0,
    }
    texts = [
        f"{p['label']}: {p['x']:.{digits}f} ({p['low']:.{digits}f} to {p['high']:.{digits}f})" for p in points
    ]
    return go.Scatter(
        x=[p["x"] for p in points],
        y=[places[p["label"]] + shift for p in points],
        error_x=reach,
        mode="markers",
        marker={"size": 9, "symbol": SYMBOLS[tone % len(SYMBOLS)]},
        name=safe(one["name"]),
        text=[safe(text) for text in texts],
        hovertemplate="%{text}<extra></extra>",
        meta={"tone": tone},
    )


def heatmap(data: Mapping[str, Any]) -> Any:
    """A matrix on a diverging scale that is centred on ``zero``.

    `data` holds ``rows``, ``columns``, ``values``, ``texts``, ``zero``, ``unit`` and ``reach``, the distance
    from zero that gets the full colour; ``hovers`` are longer texts shown on hovering, where given.
    """
    import plotly.graph_objects as go

    reach = data["reach"] or 1.0
    rows, columns = len(data["rows"]), len(data["columns"])
    hover = [
        [safe(f"{row} / {column}: {text}") for column, text in zip(data["columns"], texts, strict=True)]
        for row, texts in zip(data["rows"], _hovers(data), strict=True)
    ]
    # Cells are placed by number, because two titles may be alike.
    trace = go.Heatmap(
        z=data["values"],
        x=list(range(columns)),
        y=list(range(rows)),
        zmin=data["zero"] - reach,
        zmax=data["zero"] + reach,
        text=[[safe(text) for text in texts] for texts in data["texts"]],
        texttemplate="%{text}",
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        xgap=2,
        ygap=2,
        showscale=False,
        meta={"tone": "diverging"},
    )
    return make_figure(
        [trace],
        70 + rows * 34,
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
        xaxis={**ticks(data["columns"]), "side": "top"},
        yaxis={**ticks(data["rows"]), "autorange": "reversed"},
    )


def _hovers(data: Mapping[str, Any]) -> list[list[str]]:
    """What is shown on hovering over each cell of a matrix."""
    plain = [[f"{text} {data['unit']}" for text in texts] for texts in data["texts"]]
    return data.get("hovers", plain)


def slopes(data: Mapping[str, Any]) -> Any:
    """One line a hero over the skill levels; what is not shown beyond noise is drawn quietly.

    `data` holds ``x``, ``lines`` (name, label, y) and ``unit``.
    """
    lines, last = data["lines"], len(data["x"]) - 1
    height = 28 * len(lines) + 120
    first = {line["label"]: place for place, line in reversed(list(enumerate(lines)))}
    traces = [_line(line, first[line["label"]] == place) for place, line in enumerate(lines)]
    every = [y for line in lines for y in line["y"] if y is not None]
    ends = _spread([line["y"][last] for line in lines], max(every) - min(every) if every else 0.0, height)
    notes = [
        {"x": last, "y": y, "text": safe(line["name"]), "xanchor": "left", "xshift": 10, "showarrow": False}
        for line, y in zip(lines, ends, strict=True)
        if y is not None
    ]
    return make_figure(
        traces,
        height,
        annotations=notes,
        margin={"l": 8, "r": 110, "t": 34, "b": 30},
        xaxis={**ticks(data["x"]), "range": [-0.15, last + 0.15]},
        yaxis={"title": {"text": safe(data["unit"])}, "zeroline": True, "automargin": True},
        showlegend=True,
    )


TONES: Mapping[str, Any] = {"robust": 0, "skill-dependent": 1, "open": 3, "one skill level only": 0}
DASHES: Mapping[str, str] = {"skill-dependent": "dot", "open": "dash"}


def _line(line: Mapping[str, Any], in_legend: bool) -> Any:
    """One hero of a slope chart; the legend names each label once."""
    import plotly.graph_objects as go

    label = line["label"]
    return go.Scatter(
        x=list(range(len(line["y"]))),
        y=line["y"],
        mode="lines+markers",
        name=safe(label),
        legendgroup=safe(label),
        showlegend=in_legend,
        line={"width": 2, "dash": DASHES.get(label, "solid")},
        marker={"size": 7},
        # A name must not be read as a place holder, so it travels as text.
        text=[safe(line["name"])] * len(line["y"]),
        hovertemplate="%{text}: %{y:.1f}<extra></extra>",
        meta={"tone": TONES.get(label, "quiet")},
    )


def _spread(values: Sequence[float | None], reach: float, height: int) -> list[float | None]:
    """Heights of labels, moved apart so that they do not overlap; `reach` is what the axis spans."""
    known = sorted((value, place) for place, value in enumerate(values) if value is not None)
    if not known:
        return list(values)
    gap = max(reach, 1e-9) * 1.1 * LABEL / max(height - 64, 60)  # the axis has a margin of its own
    heights = [value for value, _ in known]
    for _ in range(200):
        for i in range(len(heights) - 1):
            lack = gap - (heights[i + 1] - heights[i])
            if lack > 1e-9:
                heights[i] -= lack / 2
                heights[i + 1] += lack / 2
    moved: list[float | None] = [None] * len(values)
    for (_, place), height_ in zip(known, heights, strict=True):
        moved[place] = height_
    return moved


def histogram(data: Mapping[str, Any]) -> Any:
    """Distributions as filled steps.

    `data` holds ``series`` (name, x, y), ``x``, ``y`` (axis titles) and ``width``.
    """
    import plotly.graph_objects as go

    width = data["width"]
    traces = [
        go.Scatter(
            x=[*one["x"], one["x"][-1] + width],
            y=[*one["y"], 0],
            mode="lines",
            line={"shape": "hv", "width": 1.6},
            fill="tozeroy",
            name=safe(one["name"]),
            hovertemplate="%{x} " + safe(data["x"]) + ": %{y:.2f} %<extra>" + safe(one["name"]) + "</extra>",
            meta={"tone": tone},
        )
        for tone, one in enumerate(data["series"])
    ]
    return make_figure(
        traces,
        300,
        xaxis={
            "title": {"text": safe(data["x"])},
            "zeroline": False,
            "showgrid": False,
            "rangemode": "tozero",
        },
        yaxis={
            "title": {"text": safe(data["y"])},
            "zeroline": True,
            "rangemode": "tozero",
            "automargin": True,
        },
    )


def bars(data: Mapping[str, Any]) -> Any:
    """Horizontal bars from zero: ``labels``, ``values``, ``unit``; ``lows`` and ``highs`` where given."""
    import plotly.graph_objects as go

    reach = {}
    if "lows" in data:
        up = [high - value for high, value in zip(data["highs"], data["values"], strict=True)]
        down = [value - low for low, value in zip(data["lows"], data["values"], strict=True)]
        sizes = {"array": up, "arrayminus": down, "thickness": 1.4, "width": 0}
        reach = {"error_x": {"type": "data", "symmetric": False, **sizes}}
    trace = go.Bar(
        **reach,
        x=data["values"],
        y=list(range(len(data["labels"]))),
        orientation="h",
        text=[f"{value:.1f}" for value in data["values"]],
        # With intervals, numbers stand at the foot of the bar, where no whisker crosses them.
        textposition="inside" if reach else "auto",
        insidetextanchor="start",
        hoverinfo="skip",
        meta={"tone": "quiet" if reach else 0},
    )
    return make_figure(
        [trace],
        70 + 26 * len(data["labels"]),
        xaxis={"title": {"text": safe(data["unit"])}, "rangemode": "tozero"},
        yaxis=ticks(data["labels"]),
        bargap=0.35,
    )


KINDS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "forest": forest,
    "heatmap": heatmap,
    "slopes": slopes,
    "histogram": histogram,
    "bars": bars,
    "scatter": scatter,
    **EFFECTS,
}
