"""Figures of effects over numbers: curves with bands, tornado, Sobol bars.

As in ``figures``, traces name their colour by ``meta.tone`` and texts are escaped; bands are painted by the
page from the colour of their trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report.figure_base import make_figure, safe, ticks

TONES = 6  # colours of the page
ROW = 30  # pixels a row
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")


def curves(data: Mapping[str, Any]) -> Any:
    """Lines over a number, each with a band that holds its interval.

    `data` holds ``series`` (name, x, y, low, high), ``x`` and ``y`` (axis titles), ``at`` (the base's value,
    drawn as a line) and ``zero`` (the level of no effect, or None).
    """
    traces: list[Any] = []
    for tone, one in enumerate(data["series"]):
        traces += _curve(one, tone)
    shapes = [{"type": "line", "x0": data["at"], "x1": data["at"], "y0": 0, "y1": 1, "yref": "paper"}]
    if data["zero"] is not None:
        shapes.append(
            {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": data["zero"], "y1": data["zero"]}
        )
    values = sorted({x for one in data["series"] for x in one["x"]})
    marks = {"tickvals": values, "ticktext": [f"{x:g}" for x in values]} if len(values) <= 12 else {}
    return make_figure(
        traces,
        380,
        showlegend=len(data["series"]) > 1,
        shapes=shapes,
        margin={"l": 8, "r": 16, "t": 34 + 20 * (len(data["series"]) // 5), "b": 48},
        xaxis={"title": {"text": safe(data["x"])}, "zeroline": False, "showgrid": False, **marks},
        yaxis={"title": {"text": safe(data["y"])}, "zeroline": False, "automargin": True},
    )


def _curve(one: Mapping[str, Any], tone: int) -> list[Any]:
    """A line with its band, which goes there along the low ends and back along the high ones."""
    import plotly.graph_objects as go

    meta, texts = {"tone": tone % TONES}, []
    for x, y, low, high in zip(one["x"], one["y"], one["low"], one["high"], strict=True):
        texts.append(safe(f"{one['name']} at {x:g}: {y:.1f} ({low:.1f} to {high:.1f})"))
    band = go.Scatter(
        x=[*one["x"], *reversed(one["x"])],
        y=[*one["low"], *reversed(one["high"])],
        mode="lines",
        line={"width": 0},
        fill="toself",
        hoverinfo="skip",
        showlegend=False,
        legendgroup=str(tone),
        meta=meta,
    )
    line = go.Scatter(
        x=one["x"],
        y=one["y"],
        mode="lines+markers",
        line={"width": 2},
        marker={"size": 8, "symbol": SYMBOLS[tone % len(SYMBOLS)]},
        name=safe(one["name"]),
        legendgroup=str(tone),
        text=texts,
        hovertemplate="%{text}<extra></extra>",
        meta=meta,
    )
    return [band, line]


def tornado(data: Mapping[str, Any]) -> Any:
    """Lowest and highest change by number, the widest on top.

    `data` holds ``rows`` (label, low, high, at_low, at_high: the changes and the values that give them) and
    ``unit``.
    """
    import plotly.graph_objects as go

    rows = data["rows"]
    places = list(range(len(rows)))
    ends = [row[end] for row in rows for end in ("low", "high")] + [0.0]
    room = 0.05 * (max(ends) - min(ends)) or 1.0
    traces = [
        go.Bar(
            x=[row[end] for row in rows],
            y=places,
            orientation="h",
            name=name,
            text=[safe(row[f"at_{end}"]) if row[end] else "" for row in rows],
            textposition="auto",
            hovertext=[safe(f"{row['label']} = {row[f'at_{end}']}: {row[end]:+.1f}") for row in rows],
            hovertemplate="%{hovertext}<extra></extra>",
            meta={"tone": tone},
        )
        for end, name, tone in (("low", "Lowest", 1), ("high", "Highest", 0))
    ]
    return make_figure(
        traces,
        110 + 34 * len(rows),
        barmode="overlay",
        bargap=0.35,
        shapes=[{"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper"}],
        xaxis={
            "title": {"text": safe(data["unit"])},
            "zeroline": False,
            "range": [min(ends) - room, max(ends) + room],
        },
        yaxis={**ticks([row["label"] for row in rows]), "autorange": "reversed"},
    )


def sobol_bars(data: Mapping[str, Any]) -> Any:
    """Shares of variance by number: alone and with all interactions, with intervals.

    `data` holds ``labels`` and ``series`` (name, values, low, high), all shares from 0 to 1.
    """
    import plotly.graph_objects as go

    series: Sequence[Mapping[str, Any]] = data["series"]
    traces = [
        go.Bar(
            x=one["values"],
            y=list(range(len(data["labels"]))),
            orientation="h",
            name=safe(one["name"]),
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [max(high - v, 0) for v, high in zip(one["values"], one["high"], strict=True)],
                "arrayminus": [max(v - low, 0) for v, low in zip(one["values"], one["low"], strict=True)],
                "thickness": 1.6,
            },
            hoverinfo="skip",
            marker={"opacity": 0.5},  # intervals have the colour of their bar
            meta={"tone": tone},
        )
        for tone, one in enumerate(series)
    ]
    return make_figure(
        traces,
        110 + len(data["labels"]) * max(ROW, 24 * len(series)),
        bargap=0.35,
        xaxis={"title": {"text": "share of the variance"}, "zeroline": True},
        yaxis={**ticks(data["labels"]), "autorange": "reversed"},
    )


KINDS = {"curves": curves, "tornado": tornado, "sobol_bars": sobol_bars}
