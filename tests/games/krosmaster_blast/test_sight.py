"""Lines of sight and ranges on all fields: the kernels, plain geometry, and the counts of section 14."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from balance.games import get_game
from balance.study import oracle
from tests.games.krosmaster_blast.placing import document

RULESET = get_game("krosmaster_blast").part("schema").load_ruleset()
ARENAS = sorted(RULESET.arenas)
MODES = ("pair", "free", "block")
#: Ordered pairs of different cells with sight, trees only (fact 3 of section 14): field, word of los_corner.
COUNTS = {
    ("fields", "pair"): 3244,
    ("fields", "free"): 3244,
    ("fields", "block"): 2826,
    ("grove", "pair"): 3232,
    ("grove", "free"): 3256,
    ("grove", "block"): 2884,
}
SURVEYOR = {
    "mp": 0,
    "hp": 9,
    "ap": 1,
    "spells": {"probe": {"range": [0, 30], "target": "free_cell", "effects": [{"do": "leap"}]}},
}
Cell = tuple[int, int]


@cache
def ground(arena: str) -> dict[Cell, str]:
    """Character of every cell, by column and row from the bottom."""
    rows = RULESET.arenas[arena].rows
    return {(x, len(rows) - 1 - y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}


def name(cell: Cell) -> str:
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def touches(start: Cell, end: Cell, tree: Cell) -> tuple[bool, set[tuple[Fraction, Fraction]]]:
    """Whether the line between two centres crosses the inside of a cell, and the corners it meets."""
    low, high = Fraction(0), Fraction(1)
    for axis in range(2):
        step = end[axis] - start[axis]
        near = Fraction(tree[axis] * 2 - 1, 2) - start[axis]
        if step == 0:
            if not near < 0 < near + 1:
                return False, set()
            continue
        ends = sorted((near / step, (near + 1) / step))
        low, high = max(low, ends[0]), min(high, ends[1])
    if low < high:
        return True, set()
    point = tuple(start[axis] + low * (end[axis] - start[axis]) for axis in range(2))
    return False, {point} if low == high else set()  # type: ignore[arg-type]


def sight(arena: str, start: Cell, end: Cell, mode: str) -> bool:
    """Whether trees leave the line free: by plain geometry, not by the integers of section 6."""
    trees = [cell for cell, mark in ground(arena).items() if mark == "T" and cell not in (start, end)]
    corners: list[tuple[Fraction, Fraction]] = []
    for tree in trees:
        inside, met = touches(start, end, tree)
        if inside:
            return False
        corners += met
    if mode == "block":
        return not corners
    return mode == "free" or all(corners.count(corner) < 2 for corner in corners)


def open_cells(arena: str) -> list[Cell]:
    return [cell for cell, mark in ground(arena).items() if mark not in "TB"]


def seen(arena: str, start: Cell, mode: str) -> set[str]:
    """Cells that the kernels see from `start`; the others are placed in two ways, to leave no cell out."""
    cells = [cell for cell in open_cells(arena) if cell != start]
    found: set[str] = set()
    for others in (cells[:3], cells[-3:]):
        names = [name(cell) for cell in others]
        place = document(
            arena=arena,
            data={"krosmasters": {"surveyor": SURVEYOR}},
            rules={"los_corner": mode, "los_blockers": ["tree"]},
            unseen=None,
            fighters={
                "A": [
                    {"name": "surveyor", "cell": name(start), "state": "active"},
                    {"name": "mender", "cell": names[0]},
                ],
                "B": [{"name": "agate", "cell": names[1]}, {"name": "oone", "cell": names[2]}],
            },
        )
        found |= {text.split()[2] for text in oracle.legal(oracle.load(place)) if text.startswith("cast")}
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("arena", ARENAS)
def test_kernels_see_what_geometry_sees(arena: str, mode: str) -> None:
    total = 0
    for start in open_cells(arena):
        expected = {name(end) for end in open_cells(arena) if end != start and sight(arena, start, end, mode)}
        assert seen(arena, start, mode) == expected, f"from {name(start)}"
        total += len(expected)
    assert total == COUNTS[arena.split("_")[0], mode]


@pytest.mark.parametrize("arena", ARENAS)
def test_sight_is_symmetric(arena: str) -> None:
    for start, end in combinations(open_cells(arena)[::3], 2):
        for mode in MODES:
            assert sight(arena, start, end, mode) == sight(arena, end, start, mode)


#: How many targets of each spell's range, with sight, the start cells of A and B have together (trees only).
def in_reach(arena: str, span: tuple[int, int]) -> int:
    starts = [cell for cell, mark in ground(arena).items() if mark in "ab"]
    return sum(
        span[0] <= abs(end[0] - start[0]) + abs(end[1] - start[1]) <= span[1]
        and sight(arena, start, end, "pair")
        for start in starts
        for end in open_cells(arena)
        if end != start
    )


@pytest.mark.parametrize("span", [(1, 1), (2, 2), (2, 3), (1, 4), (3, 5)])
@pytest.mark.parametrize("arena", ARENAS)
def test_spells_reach_their_range_and_no_further(arena: str, span: tuple[int, int]) -> None:
    row = {"range": list(span), "target": "free_cell", "effects": [{"do": "leap"}]}
    total = 0
    for start in [cell for cell, mark in ground(arena).items() if mark in "ab"]:
        found: set[str] = set()
        cells = [cell for cell in open_cells(arena) if cell != start]
        for others in (cells[:3], cells[-3:]):
            names = [name(cell) for cell in others]
            place = document(
                arena=arena,
                data={"krosmasters": {"surveyor": SURVEYOR | {"spells": {"probe": row}}}},
                rules={"los_blockers": ["tree"]},
                fighters={
                    "A": [
                        {"name": "surveyor", "cell": name(start), "state": "active"},
                        {"name": "mender", "cell": names[0]},
                    ],
                    "B": [{"name": "agate", "cell": names[1]}, {"name": "oone", "cell": names[2]}],
                },
            )
            found |= {text.split()[2] for text in oracle.legal(oracle.load(place)) if text.startswith("cast")}
        total += len(found)
    assert total == in_reach(arena, span)
