"""What an arena map of Jump Masters may look like (section 1 of the rules specification)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LEGEND = ".#=*zh"
SIZES = (6, 8, 10)


class MapFault(NamedTuple):
    """One fault: the row of the map from the top (-1: the whole map), and what is wrong."""

    row: int
    message: str


def map_rows(drawn: str | Sequence[str]) -> tuple[str, ...]:
    """Rows of a map, top row first, without blanks; from text or from a list of rows."""
    lines = drawn.splitlines() if isinstance(drawn, str) else drawn
    rows = ["".join(line.split()) for line in lines]
    while rows and not rows[-1]:
        rows.pop()
    while rows and not rows[0]:
        rows.pop(0)
    return tuple(rows)


def check_map(drawn: str | Sequence[str]) -> list[str]:
    """Every fault of a map in words; an empty list means that it can be played on.

    Parameters
    ----------
    drawn : str or sequence of str
        Text or rows, top row first; blanks are ignored.
    """
    return [fault.message for fault in map_faults(map_rows(drawn))]


def map_faults(rows: Sequence[str]) -> list[MapFault]:
    """Every fault with its row; shape first, as nodes have no names before the shape is right."""
    return _shape(rows) or [*_nodes(rows), *_walls(rows)]


def _shape(rows: Sequence[str]) -> list[MapFault]:
    if not rows:
        return [MapFault(-1, "the map is empty")]
    found = []
    width = len(rows[0])
    if len(rows) not in SIZES:
        found.append(MapFault(-1, f"the map is {len(rows)} nodes high; it may be 6, 8 or 10"))
    if width not in SIZES:
        found.append(MapFault(0, f"the map is {width} nodes wide; it may be 6, 8 or 10"))
    for number, row in enumerate(rows):
        if len(row) != width:
            found.append(MapFault(number, f"row {number + 1} has {len(row)} nodes, the first has {width}"))
    return found


def _nodes(rows: Sequence[str]) -> list[MapFault]:
    found = []
    for number, row in enumerate(rows):
        for column, mark in enumerate(row):
            wrong = _node(mark, _corner(rows, number, column), _hill(rows, number, column))
            if wrong:
                name = f"{chr(ord('a') + column)}{len(rows) - number}"
                found.append(MapFault(number, f"{name} (row {number + 1}): {wrong}"))
    return found


def _node(mark: str, corner: bool, hill: bool) -> str:
    if mark not in LEGEND:
        return f"{mark!r} is no kind of node; known: {' '.join(LEGEND)}"
    if corner and mark not in ".z":
        return f"a corner zone cannot hold {mark!r}, only . or z"
    if mark == "z" and not corner:
        return "z is no corner-zone node here"
    if mark == "h" and not hill:
        return "h is no Hill node here"
    return ""


def _corner(rows: Sequence[str], row: int, column: int) -> bool:
    height, width = len(rows), len(rows[0])
    return row in (0, 1, height - 2, height - 1) and column in (0, 1, width - 2, width - 1)


def _hill(rows: Sequence[str], row: int, column: int) -> bool:
    height, width = len(rows), len(rows[0])
    return row in (height // 2 - 1, height // 2) and column in (width // 2 - 1, width // 2)


def _walls(rows: Sequence[str]) -> list[MapFault]:
    walls = sum(row.count("=") for row in rows)
    message = f"{walls} wall nodes: walls are two nodes long, so their number must be even"
    return [MapFault(-1, message)] if walls % 2 else []
