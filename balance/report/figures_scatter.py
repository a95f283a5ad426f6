"""Dots with two numbers each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report.figure_base import LABEL, make_figure, safe


def scatter(data: Mapping[str, Any]) -> Any:
    """Two numbers of everybody, the second with its interval, and a line through those on the front.

    `data` holds ``points`` (label, x, y, low, high, front), ``line`` (pairs of x and y), and the titles
    ``x`` and ``y`` of the axes.
    """
    import plotly.graph_objects as go

    points = data["points"]
    line = go.Scatter(
        x=[x for x, _ in data["line"]],
        y=[y for _, y in data["line"]],
        mode="lines",
        line={"width": 1.4, "dash": "dot"},
        hoverinfo="skip",
        meta={"tone": "quiet"},
    )
    texts = [
        f"{p['label']}: {p['x']:.1f} %, {p['y']:+.1f} pp ({p['low']:+.1f} to {p['high']:+.1f})"
        for p in points
    ]
    dots = go.Scatter(
        x=[p["x"] for p in points],
        y=[p["y"] for p in points],
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [p["high"] - p["y"] for p in points],
            "arrayminus": [p["y"] - p["low"] for p in points],
            "thickness": 1.4,
            "width": 0,
        },
        mode="markers+text",
        marker={"size": 9, "symbol": ["diamond" if p["front"] else "circle" for p in points]},
        text=[safe(p["label"]) for p in points],
        textposition=_beside([(p["x"], p["y"], p["label"]) for p in points]),
        hovertext=[safe(text) for text in texts],
        hovertemplate="%{hovertext}<extra></extra>",
        meta={"tone": 0},
    )
    wide = [p["x"] for p in points]
    room = 0.25 * (max(wide) - min(wide)) or 1.0
    return make_figure(
        [line, dots],
        420,
        showlegend=False,
        margin={"l": 8, "r": 16, "t": 8, "b": 44},
        xaxis={
            "title": {"text": safe(data["x"])},
            "zeroline": False,
            "range": [min(wide) - 0.3 * room, max(wide) + room],
        },
        yaxis={"title": {"text": safe(data["y"])}, "zeroline": True, "automargin": True},
    )


WIDE, HIGH, LETTER = 820, 360, 7.5  # pixels of a scatter plot on a wide page, and of a letter
BESIDE = {  # where a label begins, in its own widths and in lines, from its dot
    "middle right": (0.0, 0.0),
    "top right": (0.0, 1.0),
    "bottom right": (0.0, -1.0),
    "middle left": (-1.0, 0.0),
    "top left": (-1.0, 1.0),
    "bottom left": (-1.0, -1.0),
}


def _beside(dots: Sequence[tuple[float, float, str]]) -> list[str]:
    """Where each dot's label stands so that labels cover each other as little as can be."""
    xs, ys = [x for x, _, _ in dots], [y for _, y, _ in dots]
    across = WIDE / ((max(xs) - min(xs)) or 1.0)
    up = HIGH / ((max(ys) - min(ys)) or 1.0)
    boxes: list[tuple[float, float, float]] = []  # left, middle height, width
    chosen = []
    for x, y, label in dots:
        width = LETTER * len(label) + 16
        tries = {
            name: (across * x + right * width, up * y + LABEL * high, width)
            for name, (right, high) in BESIDE.items()
        }
        best = min(tries, key=lambda name: sum(_covered(tries[name], box) for box in boxes))
        boxes.append(tries[best])
        chosen.append(best)
    return chosen


def _covered(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Area that two labels share."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    return max(0.0, wide) * max(0.0, LABEL - abs(one[1] - other[1]))
