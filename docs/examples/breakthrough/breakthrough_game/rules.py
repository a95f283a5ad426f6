"""The rules of Breakthrough on sets of nodes: one word a seat.

Seat A moves up the board and seat B down it. A piece goes one step straight or diagonally ahead to an empty
node, or captures one step diagonally. Who reaches the far row, or takes the last piece, has won.
"""

from __future__ import annotations

import numpy as np

from balance.kernel.bits import count_bits, lowest_bit, nth_bit
from balance.kernel.contract import NONE, OVER, RUNNING, Contract
from balance.kernel.jit import kernel
from balance.kernel.rng import GOLDEN, below, mix
from breakthrough_game.layout import NODE_MASK, SETUP, STATE, TABLES, TO_SHIFT, Kind, Phase, Termination
from breakthrough_game.metrics import TALLY, count_move
from breakthrough_game.value import estimates

CONTRACT = Contract(STATE, TABLES, SETUP, TALLY)

ONE, SEVEN, EIGHT, NINE = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)
EMPTY = np.uint64(0)
NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)  # all columns but a
NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)
FAR_ROWS = np.uint64(0xFF000000000000FF)


@kernel
def targets(state, tables):
    """Nodes that the seat to move can enter, as three sets: straight ahead, towards a, towards h."""
    seat = state.to_move
    own, other = state.pieces[seat], state.pieces[1 - seat]
    closed = own if tables.straight_captures else own | other
    if seat == 0:
        return (own << EIGHT) & ~closed, ((own & NOT_A) << SEVEN) & ~own, ((own & NOT_H) << NINE) & ~own
    return (own >> EIGHT) & ~closed, ((own & NOT_A) >> NINE) & ~own, ((own & NOT_H) >> SEVEN) & ~own


@kernel
def action_to(seat, node, side):
    """The action that enters `node`; `side` is -1 towards a, 0 straight, 1 towards h."""
    origin = (node - 8 if seat == 0 else node + 8) - side
    return np.int64(origin | (node << TO_SHIFT))


@kernel
def fill(actions, filled, nodes, seat, side):
    """Append the actions that enter a set of nodes; returns the new number of actions."""
    while nodes != EMPTY:
        actions[filled] = action_to(seat, lowest_bit(nodes), side)
        nodes &= nodes - ONE
        filled += 1
    return filled


@kernel
def win(state, seat, termination):
    """End the game."""
    state.winner = seat
    state.phase, state.status, state.termination, state.to_move = Phase.OVER, OVER, termination, NONE


@CONTRACT.rule
def setup(state, tables, setup, stream):
    """Both armies in their rows, seat A to move."""
    state.to_move, state.seats, state.phase, state.ply = 0, 2, Phase.TURN, 0
    state.turn, state.segment, state.status, state.termination = 1, 1, RUNNING, Termination.RUNNING
    state.pieces[0], state.pieces[1] = tables.start[0], tables.start[1]
    state.winner, state.unused = NONE, 0


@CONTRACT.rule
def legal(state, tables, actions):
    """All moves: straight ones, those towards a, those towards h."""
    straight, left, right = targets(state, tables)
    seat = state.to_move
    filled = fill(actions, 0, straight, seat, 0)
    filled = fill(actions, filled, left, seat, -1)
    return fill(actions, filled, right, seat, 1)


@CONTRACT.rule
def sample(state, tables, actions, stream):
    """One move, uniform: the nodes are counted, and only the chosen move is made."""
    straight, left, right = targets(state, tables)
    ahead, leftward = count_bits(straight), count_bits(left)
    index = below(stream, ahead + leftward + count_bits(right))
    nodes, side = straight, 0
    if index >= ahead:
        index -= ahead
        nodes, side = left, -1
        if index >= leftward:
            index -= leftward
            nodes, side = right, 1
    return action_to(state.to_move, nth_bit(nodes, index), side)


@CONTRACT.rule
def step(state, tables, action, stream):
    """Move a piece, take what stands there, and see who has won."""
    seat = state.to_move
    entered = ONE << np.uint64(action >> TO_SHIFT)
    state.pieces[seat] ^= entered | (ONE << np.uint64(action & NODE_MASK))
    others = state.pieces[1 - seat] & ~entered
    state.pieces[1 - seat] = others
    state.ply += 1
    state.segment += 2
    if entered & FAR_ROWS:
        win(state, seat, Termination.HOME)
    elif others == EMPTY:
        win(state, seat, Termination.CAPTURED)
    else:
        state.turn += 1
        state.to_move = 1 - seat


@CONTRACT.rule
def score(state, tables, scores):
    """1 for the winner; there are no draws."""
    scores[0], scores[1] = np.float64(state.winner == 0), np.float64(state.winner == 1)


@CONTRACT.rule
def evaluate(state, tables, scores):
    """Estimate for both sides."""
    estimates(state, scores)


@CONTRACT.rule
def conceal(state, tables, seat, stream):
    """Nothing is hidden."""


@CONTRACT.rule
def tag(state, tables, action):
    """Bit of the kind of move."""
    entered, left = action >> TO_SHIFT, action & NODE_MASK
    if state.pieces[1 - state.to_move] & (ONE << np.uint64(entered)):
        return ONE << np.uint64(Kind.CAPTURE)
    straight = (entered - left) % 8 == 0
    return ONE << np.uint64(Kind.STRAIGHT if straight else Kind.DIAGONAL)


@CONTRACT.rule
def key(state, tables):
    """Hash of the pieces, of who is to move, and of how it ended."""
    head = np.uint64((state.to_move + 1) * 4 + state.termination)
    return mix(mix(state.pieces[0] + GOLDEN * head) ^ (state.pieces[1] * GOLDEN))


@CONTRACT.rule
def observe(before, action, after, tables, tally):
    """Count this move."""
    count_move(before, action, after, tally)


@CONTRACT.rule
def rosters(state, tables, rosters):
    """Nobody has heroes."""
    rosters[:] = NONE
