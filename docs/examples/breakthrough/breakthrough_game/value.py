"""What a position of Breakthrough is worth to each side: pieces, how far they are, and what wins at once."""

from __future__ import annotations

import numpy as np

from balance.kernel.bits import count_bits
from balance.kernel.contract import OVER
from balance.kernel.jit import kernel

ROW = np.uint64(0xFF)
NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)
SEVEN, EIGHT, NINE = np.uint64(7), np.uint64(8), np.uint64(9)
EMPTY = np.uint64(0)

PIECE = 1.0
ADVANCE = 0.1  # a step ahead
RUNNER = 0.6  # a piece past every opposing one, on the row before the middle; more on later rows
SCALE = 4.0  # points that are worth an estimate of 3/4
WON = 0.98  # the side to move wins with this move, or the other one cannot be stopped in the next


@kernel
def flipped(word):
    """The board upside down: row 1 becomes row 8."""
    word = ((word >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF)) | (
        (word & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8)
    )
    word = ((word >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF)) | (
        (word & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16)
    )
    return (word >> np.uint64(32)) | (word << np.uint64(32))


@kernel
def hits(pieces):
    """Nodes that pieces moving up can capture on."""
    return ((pieces & NOT_A) << SEVEN) | ((pieces & NOT_H) << NINE)


@kernel
def guarded(others):
    """Nodes from which a piece moving up could still meet one of these, that is: not past them."""
    reach = others >> EIGHT
    for _ in range(6):
        reach |= (reach >> EIGHT) | ((reach & NOT_A) >> NINE) | ((reach & NOT_H) >> SEVEN)
    return reach | ((others & NOT_A) >> NINE) | ((others & NOT_H) >> SEVEN)


@kernel
def side_points(own, other):
    """Points of a side that moves up the board."""
    free = own & ~guarded(other)
    points = PIECE * np.float64(count_bits(own))
    for row in range(1, 7):
        shift = np.uint64(8 * row)
        points += ADVANCE * row * np.float64(count_bits((own >> shift) & ROW))
        if row > 2:
            points += RUNNER * (row - 2) * np.float64(count_bits((free >> shift) & ROW))
    return points


@kernel
def mover_estimate(own, other):
    """Estimate of the side to move, which moves up the board."""
    if own >> np.uint64(48) != EMPTY:
        return WON
    threats = other & (ROW << EIGHT)
    caught = threats & hits(own)
    if threats != caught or count_bits(threats) > 1:
        return 1.0 - WON
    share = (side_points(own, other) - side_points(flipped(other), flipped(own))) / SCALE
    return 0.5 + (WON - 0.5) * share / (1.0 + np.abs(share))


@kernel
def estimates(state, scores):
    """Estimate per side in [0, 1], for any position."""
    if state.status == OVER:
        scores[0] = np.float64(state.winner == 0)
    elif state.to_move == 0:
        scores[0] = mover_estimate(state.pieces[0], state.pieces[1])
    else:
        scores[0] = 1.0 - mover_estimate(flipped(state.pieces[1]), flipped(state.pieces[0]))
    scores[1] = 1.0 - scores[0]
