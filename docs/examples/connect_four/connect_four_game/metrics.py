"""What a playout of Connect Four records beside the result, and what each column means."""

from __future__ import annotations

import numpy as np

from balance.games.metric import Column
from balance.kernel.bits import count_bits, lowest_bit
from balance.kernel.contract import SEATS
from balance.kernel.jit import kernel
from connect_four_game.layout import HEIGHT, NODES, STRIDE, WIDTH
from connect_four_game.lines import BOARD, completing

GAME = np.dtype(
    [
        ("threats", "i4", (SEATS,)),
        ("first_column", "i4"),
        ("last_column", "i4"),
    ]
)
HERO = np.dtype([("unused", "i4")])  # there are no heroes; a record has at least one field
NODE = np.dtype([("visits", "i8"), ("winning", "i8")])
TALLY = np.dtype([("game", GAME), ("hero", HERO, (SEATS,)), ("node", NODE, (NODES,))])

NAMES = tuple("abcdefg"[:WIDTH])

COLUMNS: dict[str, dict[str, Column]] = {
    "games": {
        "threats": Column(
            "Winning nodes", "nodes", "empty nodes that would complete a line of the seat, at the end", "seat"
        ),
        "first_column": Column("First column", "column", "where the first stone fell", "label", NAMES),
        "last_column": Column("Last column", "column", "where the last stone fell", "label", NAMES),
    },
    "heroes": {},
    "board": {
        "visits": Column("Stones", "per game", "stones that came to lie on the node", "mean"),
        "winning": Column("Last stones", "per game", "games that a stone on the node won", "mean"),
    },
}


@kernel
def count_move(before, action, after, tables, tally):
    """Count one move."""
    seat = before.to_move
    place = lowest_bit(after.stones[seat] & ~before.stones[seat])
    node = place // STRIDE * HEIGHT + place % STRIDE
    tally.node[node].visits += 1
    tally.node[node].winning += np.int64(after.winner == seat)
    if before.ply == 0:
        tally.game.first_column = action
    tally.game.last_column = action
    empty = BOARD & ~(after.stones[0] | after.stones[1])
    for one in range(2):
        tally.game.threats[one] = count_bits(completing(after.stones[one], tables.line) & empty)
