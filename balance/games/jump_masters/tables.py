"""The numbers of Jump Masters compiled into one record for the kernels, and set-up records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    for name, weight in ruleset.weights.items():
        tables["weights"][name] = weight
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
    count = width * height
    tables.width, tables.height, tables.nodes = width, height, count
    # Nodes run up the columns: turn the rows over, then read column by column.
    characters = np.array([list(row) for row in reversed(rows)]).T.reshape(-1)
    column, row = np.divmod(np.arange(count), height)
    for name, values in (
        ("column", column),
        ("row", row),
        ("blocked", np.isin(characters, ("#", "="))),
        ("power", characters == "*"),
    ):
        tables[name][:count] = values
    for node in range(count):
        tables["bit"][node] = _node_set([node])
    _fill_zones(tables, column, row)
    _fill_neighbours(tables, column, row)
    _fill_sets(tables)


def _fill_zones(tables: Any, column: np.ndarray, row: np.ndarray) -> None:
    """Corner blocks and the Hill; `column` and `row` of each node, shape (nodes,)."""
    width, height = int(tables.width), int(tables.height)
    left, right, low, high = column < 2, column >= width - 2, row < 2, row >= height - 2
    blocks = {Corner.NW: left & high, Corner.NE: right & high, Corner.SE: right & low, Corner.SW: left & low}
    tables["corner"][:] = NONE
    for corner, inside in blocks.items():
        members = np.flatnonzero(inside)
        tables["corner_node"][corner] = members
        tables["corner"][members] = corner
        tables["corner_set"][corner] = _node_set(members)
    columns, rows = (width // 2 - 1, width // 2), (height // 2 - 1, height // 2)
    hill = np.flatnonzero(np.isin(column, columns) & np.isin(row, rows))
    tables["hill_node"][:] = hill
    tables["hill"][hill] = 1
    steps = np.maximum(abs(column[:, None] - column[hill]), abs(row[:, None] - row[hill]))
    tables["hill_steps"][: len(column)] = steps.min(axis=1)


def _fill_neighbours(tables: Any, column: np.ndarray, row: np.ndarray) -> None:
    """The node one step on in every direction, and the open ones of them as a set."""
    width, height = int(tables.width), int(tables.height)
    blocked = tables["blocked"]
    tables["beside"][:] = NONE
    for direction, (right, up) in enumerate(STEPS):
        there_column, there_row = column + right, row + up
        inside = (there_column >= 0) & (there_column < width) & (there_row >= 0) & (there_row < height)
        tables["beside"][: len(column), direction] = np.where(inside, there_column * height + there_row, NONE)
    for node in range(len(column)):
        near = tables["beside"][node]
        tables["around"][node] = _node_set(
            [there for there in near.tolist() if there != NONE and not blocked[there]]
        )


def _fill_sets(tables: Any) -> None:
    """Sets of nodes of one kind."""
    nodes = slice(0, int(tables.nodes))
    row = tables["row"][nodes]
    kinds = {
        "open": tables["blocked"][nodes] == 0,
        "powers": tables["power"][nodes] != 0,
        "hills": tables["hill"][nodes] != 0,
        "not_low": row > 0,
        "not_high": row < tables.height - 1,
    }
    for name, inside in kinds.items():
        tables[name][:] = _node_set(np.flatnonzero(inside))


def _node_set(nodes: Iterable[int]) -> list[int]:
    """Nodes as a set of bits, one number a word."""
    words = [0] * layout.WORDS
    for node in nodes:
        words[node // 64] |= 1 << (int(node) % 64)
    return words
