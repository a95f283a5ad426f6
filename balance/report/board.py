"""Board pictures as SVG: terrain from the arena's rows, heat from counts per node.

Nothing here knows a game: the look of a legend character is a word of the game's ``notation.LEGEND``, and
the page's style sheet colours the words it knows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from markupsafe import Markup, escape

from balance.report.view import Board

SIDE = 24  # units a node
GAP = 1
SHAPES = ("pillar", "wall", "power", "zone", "hill")


def look_class(look: str) -> str:
    """A CSS class for a legend look; anything that is no plain word becomes ``other``."""
    return f"t-{look}" if re.fullmatch(r"[a-z][a-z-]{0,20}", look) else "t-other"


def draw(board: Board, legend: Mapping[str, str]) -> Markup:
    """The picture as an SVG element.

    Parameters
    ----------
    board : Board
    legend : mapping
        Legend character to look.
    """
    width = max(len(row) for row in board.rows) * SIDE
    height = len(board.rows) * SIDE
    head = Markup('<svg class="board" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(
        width, height, board.alt
    )
    return head + Markup("").join(_nodes(board, legend)) + Markup("</svg>")


def _nodes(board: Board, legend: Mapping[str, str]) -> Iterator[Markup]:
    top = max((v for row in board.values for v in row if math.isfinite(v)), default=0.0)
    for y, row in enumerate(board.rows):
        for x, char in enumerate(row):
            heat = board.values[y][x]
            share = heat / top if top > 0 and math.isfinite(heat) else 0.0
            yield _node(x, y, legend.get(char, "other"), share, board.labels[y][x], heat)


def _node(x: int, y: int, look: str, share: float, name: str, heat: float) -> Markup:
    left, upper, size = x * SIDE + GAP, y * SIDE + GAP, SIDE - 2 * GAP
    square = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="2"/>').format(
        look_class(look), left, upper, size, size
    )
    if share <= 0:
        return square
    title = Markup("<title>{}: {}</title>").format(name, f"{heat:.3g}")
    warm = Markup(
        '<rect class="heat" x="{}" y="{}" width="{}" height="{}" rx="2" fill-opacity="{}">{}</rect>'
    )
    drawn = square + warm.format(left, upper, size, size, f"{share:.2f}", title)
    return drawn + (_mark(look, left, upper, size) if look in SHAPES else Markup(""))


def _mark(look: str, left: int, upper: int, size: int) -> Markup:
    """A thin frame that keeps terrain legible under the heat."""
    return Markup('<rect class="mark m-{}" x="{}" y="{}" width="{}" height="{}" rx="2"/>').format(
        escape(look), left + 1, upper + 1, size - 2, size - 2
    )
