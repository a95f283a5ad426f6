"""What a position of Connect Four is worth to each side: lines that can be completed, and the middle."""

from __future__ import annotations

import numpy as np

from balance.kernel.bits import count_bits
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel
from connect_four_game.lines import BOARD, EMPTY, completing

BOTTOM = np.uint64(0x0000040810204081)  # the lowest node of every column
ODD_ROWS = np.uint64(0x000054A952A54A95)
MIDDLE = np.uint64(0x0000000007E00000)  # column d
BESIDE = np.uint64(0x00000003F00FC000)  # columns c and e

COMPLETING = 1.0  # an empty node that would complete a line
PARITY = 0.5  # more, on a row that falls to the side when all other columns are full
PREPARING = 0.12  # an empty node that would bring a line within one stone
IN_MIDDLE, BESIDE_MIDDLE = 0.2, 0.1
SCALE = 3.0  # points that are worth an estimate of 3/4
WON = 0.98  # the side to move completes a line now, or the other one cannot be stopped in the next move


@kernel
def side_points(stones, lines, empty, rows, length):
    """Points of one side; `lines` are the nodes that complete one of its lines, `rows` those it hopes for."""
    found = lines & empty
    points = COMPLETING * np.float64(count_bits(found)) + PARITY * np.float64(count_bits(found & rows))
    points += PREPARING * np.float64(count_bits(completing(stones, length - 1) & empty))
    points += IN_MIDDLE * np.float64(count_bits(stones & MIDDLE))
    return points + BESIDE_MIDDLE * np.float64(count_bits(stones & BESIDE))


@kernel
def estimates(state, tables, scores):
    """Estimate per side in [0, 1], for any position."""
    if state.status == OVER:
        scores[0] = 0.5 if state.winner == NONE else np.float64(state.winner == 0)
    else:
        scores[0] = running_estimate(state, tables.line)
    scores[1] = 1.0 - scores[0]


@kernel
def running_estimate(state, length):
    """Estimate of seat A."""
    first, second = state.stones[0], state.stones[1]
    both = first | second
    empty, next_nodes = BOARD & ~both, (both + BOTTOM) & BOARD
    lines_a, lines_b = completing(first, length), completing(second, length)
    mine, theirs, won = lines_a, lines_b, WON
    if state.to_move == 1:
        mine, theirs, won = lines_b, lines_a, 1.0 - WON
    if mine & next_nodes != EMPTY:
        return won
    if count_bits(theirs & next_nodes) > 1:
        return 1.0 - won
    points = side_points(first, lines_a, empty, ODD_ROWS, length)
    points -= side_points(second, lines_b, empty, BOARD & ~ODD_ROWS, length)
    share = points / SCALE
    return 0.5 + (WON - 0.5) * share / (1.0 + np.abs(share))
