"""The numbers of Breakthrough as the record that the kernels read, and set-up records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.games.game import Ruleset
from balance.kernel.contract import NONE
from balance.kernel.jit import new_record
from breakthrough_game.layout import NODES, SETUP, SIZE, TABLES


def compile_tables(ruleset: Ruleset, mode: str, arena: str | Sequence[str]) -> Any:
    """One record of dtype ``layout.TABLES``; there is one mode, and all arenas are the same board."""
    tables = new_record(TABLES)
    tables.nodes = NODES
    tables.straight_captures = ruleset.values["straight_captures"]
    filled = SIZE * ruleset.values["piece_rows"]
    low = (1 << filled) - 1
    tables.start[:] = (low, low << (NODES - filled))
    return tables


def make_setup(
    ruleset: Ruleset, mode: str, draft: str, rosters: Sequence[Sequence[str]] | None = None
) -> Any:
    """A set-up record: nobody has heroes, nothing is drafted."""
    setup = new_record(SETUP)
    setup.roster[:] = NONE
    return setup
