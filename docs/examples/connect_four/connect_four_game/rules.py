"""The rules of Connect Four on sets of nodes: one word a seat."""

from __future__ import annotations

import numpy as np

from balance.kernel.contract import NONE, OVER, RUNNING, Contract
from balance.kernel.jit import kernel
from balance.kernel.rng import GOLDEN, below, mix
from connect_four_game.layout import SETUP, STATE, STRIDE, TABLES, Phase, Termination
from connect_four_game.lines import has_line
from connect_four_game.metrics import TALLY, count_move
from connect_four_game.value import estimates

CONTRACT = Contract(STATE, TABLES, SETUP, TALLY)

ONE = np.uint64(1)
COLUMN = np.uint64(0x3F)
TOPS = np.uint64(0x0000810204081020)  # the highest node of every column
# The seven tops times this word lie side by side, without a carry, from bit 47 on.
GATHER = np.uint64(0x0000001041041041)
GATHERED, SET_OF_COLUMNS = np.uint64(41), np.uint64(127)


@kernel
def open_columns(state):
    """Columns with an empty node, as a set."""
    tops = ~(state.stones[0] | state.stones[1]) & TOPS
    return np.int64(((tops * GATHER) >> GATHERED) & SET_OF_COLUMNS)


@kernel
def finish(state, winner, termination):
    """End the game."""
    state.winner = winner
    state.phase, state.status, state.termination, state.to_move = Phase.OVER, OVER, termination, NONE


@CONTRACT.rule
def setup(state, tables, setup, stream):
    """An empty board, seat A to move."""
    state.to_move, state.seats, state.phase, state.ply = 0, 2, Phase.TURN, 0
    state.turn, state.segment, state.status, state.termination = 1, 1, RUNNING, Termination.RUNNING
    state.stones[0], state.stones[1] = np.uint64(0), np.uint64(0)
    state.winner, state.unused = NONE, 0


@CONTRACT.rule
def legal(state, tables, actions):
    """All columns that are not full."""
    columns = open_columns(state)
    count = tables.open_count[columns]
    for index in range(count):
        actions[index] = tables.open_column[columns, index]
    return count


@CONTRACT.rule
def sample(state, tables, actions, stream):
    """One open column, uniform."""
    columns = open_columns(state)
    return tables.open_column[columns, below(stream, tables.open_count[columns])]


@CONTRACT.rule
def step(state, tables, action, stream):
    """Drop a stone, and see who has won."""
    seat = state.to_move
    own, other = state.stones[seat], state.stones[1 - seat]
    start = np.uint64(STRIDE) * np.uint64(action)
    both = own | other
    # Adding the column's lowest bit carries up to its lowest empty node.
    own |= (both + (ONE << start)) & ~both & (COLUMN << start)
    state.stones[seat] = own
    state.ply += 1
    state.segment += 2
    if has_line(own, tables.line):
        finish(state, seat, Termination.LINE)
    elif (own | other) & TOPS == TOPS:
        finish(state, 1 if tables.second_wins_full else NONE, Termination.FULL)
    else:
        state.turn += 1
        state.to_move = 1 - seat


@CONTRACT.rule
def score(state, tables, scores):
    """1 for the winner, a half each when nobody has won."""
    scores[0] = 0.5 if state.winner == NONE else np.float64(state.winner == 0)
    scores[1] = 1.0 - scores[0]


@CONTRACT.rule
def evaluate(state, tables, scores):
    """Estimate for both sides."""
    estimates(state, tables, scores)


@CONTRACT.rule
def conceal(state, tables, seat, stream):
    """Nothing is hidden."""


@CONTRACT.rule
def tag(state, tables, action):
    """Bit of the column."""
    return ONE << np.uint64(action)


@CONTRACT.rule
def key(state, tables):
    """Hash of the stones, and of how it ended."""
    return mix(mix(state.stones[0] + GOLDEN * np.uint64(state.termination + 1)) ^ (state.stones[1] * GOLDEN))


@CONTRACT.rule
def observe(before, action, after, tables, tally):
    """Count this move."""
    count_move(before, action, after, tables, tally)


@CONTRACT.rule
def rosters(state, tables, rosters):
    """Nobody has heroes."""
    rosters[:] = NONE
