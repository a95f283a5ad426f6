"""What all figures share: escaped texts, the frame of a figure, axes with names."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

LABEL = 16  # pixels that a line of text takes


def safe(text: object) -> str:
    """A text that plotly shows as it stands."""
    return html.escape(str(text), quote=False)


def make_figure(traces: Sequence[Any], height: int, **layout: Any) -> Any:
    """A plotly figure from traces, with the margins and the legend that all charts have."""
    import plotly.graph_objects as go

    base = {"height": height, "margin": {"l": 8, "r": 16, "t": 8, "b": 44}, "showlegend": len(traces) > 1}
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "xanchor": "left"}
    if len(traces) > 1:
        base["margin"]["t"] = 34  # type: ignore[index]
    return go.Figure(list(traces), {**base, "legend": legend, "template": None, **layout})


def ticks(labels: Sequence[str]) -> dict[str, Any]:
    """An axis that shows names at 0, 1, 2, ..."""
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": [safe(label) for label in labels],
        "ticks": "",
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
    }
