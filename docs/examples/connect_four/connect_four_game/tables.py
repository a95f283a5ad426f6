"""The numbers of Connect Four as the record that the kernels read, and set-up records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.games.game import Ruleset
from balance.kernel.contract import NONE
from balance.kernel.jit import new_record
from connect_four_game.layout import FULL_SETS, NODES, SETUP, TABLES, WIDTH


def compile_tables(ruleset: Ruleset, mode: str, arena: str | Sequence[str]) -> Any:
    """One record of dtype ``layout.TABLES``; there is one mode, and all arenas are the same board."""
    tables = new_record(TABLES)
    tables.nodes = NODES
    tables.line = ruleset.values["line"]
    tables.second_wins_full = ruleset.values["full_board"] == "second"
    for columns in range(FULL_SETS):
        inside = [column for column in range(WIDTH) if columns >> column & 1]
        tables["open_count"][columns] = len(inside)
        tables["open_column"][columns, : len(inside)] = inside
    return tables


def make_setup(
    ruleset: Ruleset, mode: str, draft: str, rosters: Sequence[Sequence[str]] | None = None
) -> Any:
    """A set-up record: nobody has heroes, nothing is drafted."""
    setup = new_record(SETUP)
    setup.roster[:] = NONE
    return setup
