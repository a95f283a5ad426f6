"""Records and enums of Connect Four. An action is the number of a column."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from balance.kernel.contract import HEADER, SETUP_HEADER

WIDTH, HEIGHT = 7, 6
NODES = WIDTH * HEIGHT  # node = 6 * column + row: a1 is 0, a2 is 1, b1 is 6
# In a set of nodes a column takes seven bits: the seventh stays empty, so that no line runs on in the next.
STRIDE = HEIGHT + 1
FULL_SETS = 1 << WIDTH  # sets of columns


class Phase(IntEnum):
    DRAFT = 0  # never: there is nothing to draft
    TURN = 1
    OVER = 2


class Termination(IntEnum):
    RUNNING = 0
    LINE = 1
    FULL = 2


STATE = np.dtype(
    [
        *HEADER,
        ("stones", "u8", (2,)),  # where each seat's stones lie, as a set
        ("winner", "i4"),  # seat, NONE while running and after a draw
        ("unused", "i4"),  # keeps the record a whole number of words
    ]
)

TABLES = np.dtype(
    [
        ("nodes", "i4"),
        ("line", "i4"),
        ("second_wins_full", "i4"),  # 1: full_board is second
        ("open_count", "i4", (FULL_SETS,)),  # columns in each set of columns
        ("open_column", "i4", (FULL_SETS, WIDTH)),  # those columns, from the left
    ]
)

SETUP = np.dtype(SETUP_HEADER)


def bit_of(node: int) -> int:
    """Place of a node in a set."""
    return node // HEIGHT * STRIDE + node % HEIGHT


def node_name(node: int) -> str:
    """``a1`` for node 0: column letter, row number from the bottom."""
    return f"{chr(ord('a') + node // HEIGHT)}{node % HEIGHT + 1}"


NODE_NAMES = tuple(node_name(node) for node in range(NODES))
COLUMN_NAMES = "abcdefg"
