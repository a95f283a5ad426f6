"""Fields and lines of sight (sections 1 and 6)."""

from __future__ import annotations

from .base import listing, need, sign


class Field:
    """Trees, bushes, Glyph cells and start cells; never changes."""

    def __init__(self, rows):
        need(all(type(row) is str for row in listing(rows, "field")), "a field is a list of texts")
        need(3 <= len(rows) <= 20, "a field has 3 to 20 rows")
        need(all(3 <= len(row) <= 26 for row in rows), "a field has 3 to 26 columns")
        need(all(len(row) == len(rows[0]) for row in rows), "rows of different length")
        self.rows, self.width, self.height = list(rows), len(rows[0]), len(rows)
        self.cells, marks = set(), {mark: set() for mark in ".TBGab"}
        for top, row in enumerate(rows):
            for left, mark in enumerate(row):
                need(mark in marks, f"unknown field mark {mark!r}")
                cell = (left + 1, len(rows) - top)
                self.cells.add(cell)
                marks[mark].add(cell)
        self.trees, self.bushes, self.glyph_cells = marks["T"], marks["B"], marks["G"]
        self.starts = {"A": marks["a"], "B": marks["b"]}
        self.open = self.cells - self.trees - self.bushes


def sight(a, z, blocks, corner):
    """Whether the line between the middles of two cells is free (KB16); `blocks` is asked of cells."""
    dx, dy = z[0] - a[0], z[1] - a[1]
    e = abs(dx) + abs(dy)
    for x in range(min(a[0], z[0]), max(a[0], z[0]) + 1):
        for y in range(min(a[1], z[1]), max(a[1], z[1]) + 1):
            if (x, y) in (a, z) or not blocks((x, y)):
                continue
            c = 2 * (dx * (y - a[1]) - dy * (x - a[0]))
            if abs(c) < e:
                return False  # through the cell
            if abs(c) == e and corner == "block":
                return False
            if abs(c) == e and corner == "pair" and blocks(beyond_corner((x, y), dx, dy, c)):
                return False
    return True


def beyond_corner(p, dx, dy, c):
    """The other cell at the corner where the line touches p."""
    sx, sy = sign(dx), sign(dy)
    if c * sx * sy > 0:
        return (p[0] + sx, p[1] - sy)
    return (p[0] - sx, p[1] + sy)
