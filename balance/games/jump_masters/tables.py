"""The numbers of Jump Masters compiled into one record for the kernels, and set-up records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.games.game import Ruleset
from balance.games.jump_masters import layout
from balance.games.jump_masters.layout import HERO_NAMES, STEPS, Corner, Draft, Mode
from balance.kernel.contract import NONE
from balance.kernel.jit import new_record

SIDES = {Mode.DUEL: (0, 1), Mode.TEAM: (0, 1, 0, 1), Mode.FFA3: (0, 1, 2), Mode.FFA4: (0, 1, 2, 3)}

# Parameters that are words in the configuration and 0 or 1 in the tables: name, word that means 1.
SWITCHES = {
    "team_hill": ("team_hill", "team"),
    "fire_step_bent": ("fire_step_path", "bent"),
    "stalwart_blocks": ("stalwart_mode", "blocks"),
    "run_distance": ("run_end", "distance"),
    "corner_order": ("ffa_turn_order", "corners"),
    "cap_draw": ("cap_result", "draw"),
}


def compile_tables(ruleset: Ruleset, mode: str, arena: str | Sequence[str]) -> Any:
    """One tables record for a mode and an arena.

    Parameters
    ----------
    ruleset : Ruleset
    mode : str
    arena : str or sequence of str
        An arena of the ruleset, or map rows, top row first; blanks are ignored.

    Returns
    -------
    numpy.record
        Of dtype ``layout.TABLES``.
    """
    rows = ruleset.arenas[arena].rows if isinstance(arena, str) else arena
    tables = new_record(layout.TABLES)
    _fill_mode(tables, ruleset, Mode[mode.upper()])
    _fill_parameters(tables, ruleset)
    _fill_board(tables, ["".join(row.split()) for row in rows])
    return tables


def make_setup(
    ruleset: Ruleset, mode: str, draft: str, rosters: Sequence[Sequence[str]] | None = None
) -> Any:
    """A set-up record; `rosters` (a list of hero names per seat) only with the draft ``fixed``."""
    setup = new_record(layout.SETUP)
    setup.mode, setup.draft = Mode[mode.upper()], Draft[draft.upper()]
    setup.roster[:] = NONE
    for seat, names in enumerate(rosters or ()):
        setup.given[seat] = len(names)
        setup.roster[seat, : len(names)] = [HERO_NAMES.index(name) for name in names]
    return setup


def _fill_mode(tables: Any, ruleset: Ruleset, mode: Mode) -> None:
    sides = SIDES[mode]
    tables.mode, tables.seats, tables.sides = mode, len(sides), max(sides) + 1
    tables.side_of[:] = NONE
    tables.side_of[: len(sides)] = sides
    tables.target = ruleset.values["vp_to_win_team" if mode == Mode.TEAM else "vp_to_win"]


def _fill_parameters(tables: Any, ruleset: Ruleset) -> None:
    values = ruleset.values
    for name in layout.PARAMETERS:
        if name in SWITCHES:
            source, word = SWITCHES[name]
            tables[name] = int(values[source] == word)
        else:
            tables[name] = int(values[name])
    for kind, name in enumerate(HERO_NAMES):
        tables.maximum[kind] = values["hero_max"][name]
        tables.lowest[kind] = values["hero_min"][name]
        tables.able[kind] = int(name not in values["disabled_abilities"])


def _fill_board(tables: Any, rows: list[str]) -> None:
    width, height = len(rows[0]), len(rows)
    tables.width, tables.height, tables.nodes = width, height, width * height
    tables.corner[:] = NONE
    tables.beside[:] = NONE
    for node in range(width * height):
        column, row = divmod(node, height)
        tables.column[node], tables.row[node] = column, row
        character = rows[height - 1 - row][column]
        tables.blocked[node] = character in "#="
        tables.power[node] = character == "*"
        tables.bit[node] = _node_set([node])
    _fill_zones(tables, width, height)
    _fill_neighbours(tables, width, height)


def _fill_zones(tables: Any, width: int, height: int) -> None:
    nodes = range(tables.nodes)
    left, right, low, high = (0, 1), (width - 2, width - 1), (0, 1), (height - 2, height - 1)
    blocks = {
        Corner.NW: (left, high),
        Corner.NE: (right, high),
        Corner.SE: (right, low),
        Corner.SW: (left, low),
    }
    for corner, (columns, rows) in blocks.items():
        members = [node for node in nodes if tables.column[node] in columns and tables.row[node] in rows]
        tables.corner_node[corner] = members
        tables.corner[members] = corner
        tables.corner_set[corner] = _node_set(members)
    columns, rows = (width // 2 - 1, width // 2), (height // 2 - 1, height // 2)
    hill = [node for node in nodes if tables.column[node] in columns and tables.row[node] in rows]
    tables.hill_node[:] = hill
    tables.hill[hill] = 1
    for node in nodes:
        tables.hill_steps[node] = min(
            max(abs(tables.column[node] - tables.column[top]), abs(tables.row[node] - tables.row[top]))
            for top in hill
        )


def _fill_neighbours(tables: Any, width: int, height: int) -> None:
    for node in range(tables.nodes):
        around = []
        for direction, (right, up) in enumerate(STEPS):
            column, row = tables.column[node] + right, tables.row[node] + up
            if 0 <= column < width and 0 <= row < height:
                there = int(column * height + row)
                tables.beside[node, direction] = there
                if not tables.blocked[there]:
                    around.append(there)
        tables.around[node] = _node_set(around)
    nodes = range(tables.nodes)
    tables.hills[:] = _node_set([node for node in nodes if tables.hill[node]])
    tables.not_low[:] = _node_set([node for node in nodes if tables.row[node] > 0])
    tables.not_high[:] = _node_set([node for node in nodes if tables.row[node] < height - 1])
    tables.open[:] = _node_set([node for node in nodes if not tables.blocked[node]])
    tables.powers[:] = _node_set([node for node in nodes if tables.power[node]])


def _node_set(nodes: Sequence[int]) -> np.ndarray:
    """Nodes as a set of bits, shape (WORDS,), uint64."""
    words = [0] * layout.WORDS
    for node in nodes:
        words[node // 64] |= 1 << (node % 64)
    return np.array(words, np.uint64)
