"""What a field of Krosmaster: Blast may look like (section 1)."""

from __future__ import annotations

from collections.abc import Sequence

LEGEND = ".TBGab"
COLUMNS, ROWS = (3, 26), (3, 20)


def map_faults(rows: Sequence[str], starts: int = 0) -> list[tuple[int, str]]:
    """Every fault of a field: (row from the top or -1 for the whole, message).

    Parameters
    ----------
    rows : sequence of str
        Top row first.
    starts : int
        Start cells that each seat needs; 0 where nobody is deployed.
    """
    if not ROWS[0] <= len(rows) <= ROWS[1]:
        return [(-1, f"the field is {len(rows)} rows high; it may be {ROWS[0]} to {ROWS[1]}")]
    found: list[tuple[int, str]] = []
    width = len(rows[0])
    if not COLUMNS[0] <= width <= COLUMNS[1]:
        found.append((0, f"the field is {width} columns wide; it may be {COLUMNS[0]} to {COLUMNS[1]}"))
    for number, row in enumerate(rows):
        if len(row) != width:
            found.append((number, f"row {number + 1} has {len(row)} cells, the first has {width}"))
        for mark in sorted(set(row) - set(LEGEND)):
            found.append((number, f"{mark!r} is no kind of cell; known: {' '.join(LEGEND)}"))
    for letter in "ab":
        count = sum(row.count(letter) for row in rows)
        if count < starts:
            found.append((-1, f"seat {letter.upper()} has {count} start cells for {starts} Krosmasters"))
    return found
