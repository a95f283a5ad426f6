"""Records, enums and action packing of Breakthrough."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from balance.kernel.contract import HEADER, SETUP_HEADER

SIZE = 8
NODES = SIZE * SIZE  # node = 8 * row + column: a1 is 0, b1 is 1, a2 is 8


class Phase(IntEnum):
    DRAFT = 0  # never: there is nothing to draft
    TURN = 1
    OVER = 2


class Termination(IntEnum):
    RUNNING = 0
    HOME = 1
    CAPTURED = 2


class Kind(IntEnum):
    """What a move does; the bit of its tag."""

    STRAIGHT = 0
    DIAGONAL = 1
    CAPTURE = 2


STATE = np.dtype(
    [
        *HEADER,
        ("pieces", "u8", (2,)),  # nodes that each seat's pieces stand on, as a set
        ("winner", "i4"),  # seat, NONE while running
        ("unused", "i4"),  # keeps the record a whole number of words
    ]
)

TABLES = np.dtype(
    [
        ("nodes", "i4"),
        ("straight_captures", "i4"),
        ("start", "u8", (2,)),  # nodes of each seat's pieces before the first move
    ]
)

SETUP = np.dtype(SETUP_HEADER)

# An action is an int64: the node it leaves, 6 bits, then the node it enters.
TO_SHIFT = 6
NODE_MASK = 63


def node_name(node: int) -> str:
    """``a1`` for node 0: column letter, row number from the bottom."""
    return f"{chr(ord('a') + node % SIZE)}{node // SIZE + 1}"


NODE_NAMES = tuple(node_name(node) for node in range(NODES))
