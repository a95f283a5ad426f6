"""What a playout of Breakthrough records beside the result, and what each column means."""

from __future__ import annotations

import numpy as np

from balance.games.metric import Column
from balance.kernel.bits import count_bits
from balance.kernel.contract import SEATS
from balance.kernel.jit import kernel
from breakthrough_game.layout import NODES, TO_SHIFT

ONE = np.uint64(1)

GAME = np.dtype(
    [
        ("captures", "i4", (SEATS,)),
        ("pieces_left", "i4", (SEATS,)),
        ("first_capture", "i4"),
    ]
)
HERO = np.dtype([("unused", "i4")])  # there are no heroes; a record has at least one field
NODE = np.dtype([("visits", "i8"), ("captures", "i8")])
TALLY = np.dtype([("game", GAME), ("hero", HERO, (SEATS,)), ("node", NODE, (NODES,))])

COLUMNS: dict[str, dict[str, Column]] = {
    "games": {
        "captures": Column("Captures", "per game", "pieces that each seat took", "seat"),
        "pieces_left": Column("Pieces left", "pieces", "pieces of each seat at the end", "seat"),
        "first_capture": Column("First capture", "turn", "turn of the first capture, 0 for none", "mean"),
    },
    "heroes": {},
    "board": {
        "visits": Column("Visits", "per game", "pieces that entered the node", "mean"),
        "captures": Column("Captures", "per game", "pieces taken on the node", "mean"),
    },
}


@kernel
def count_move(before, action, after, tally):
    """Count one move."""
    seat = before.to_move
    node = action >> TO_SHIFT
    taken = np.int32((before.pieces[1 - seat] >> np.uint64(node)) & ONE)
    tally.game.captures[seat] += taken
    tally.node[node].visits += 1
    tally.node[node].captures += taken
    if taken and tally.game.first_capture == 0:
        tally.game.first_capture = before.turn
    for one in range(2):
        tally.game.pieces_left[one] = count_bits(after.pieces[one])
