"""The course of a turn: reveal, activations, tiles, the end (sections 4, 7 and 8)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import note
from balance.games.krosmaster_blast.enums import Event, Kind, Phase, Stage, Termination, Tile
from balance.games.krosmaster_blast.harm import finish, forget_activation
from balance.games.krosmaster_blast.layout import PLAYERS, ROOM, cell_of, which_of
from balance.games.krosmaster_blast.moving import remove_tile
from balance.kernel.bits import count_bits, nth_bit
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel
from balance.kernel.rng import below


@kernel
def begin_turn(state, tables, stream):
    """The next turn: its seat, then the reveal of one unseen favor (KB50, KB68)."""
    state.turn += 1
    state.segment += 1
    state.to_move = (state.turn - 1) % PLAYERS
    state.phase = Phase.FAVOR
    favor = nth_bit(state.unseen, below(stream, count_bits(state.unseen)))
    state.revealed = favor
    state.unseen &= ~(np.uint64(1) << np.uint64(favor))
    if state.turn >= tables.turns:
        state.unseen = np.uint64(0)  # no draw is left
    note(state, Event.TURN_BEGAN, state.to_move, NONE, 0, NONE)
    note(state, Event.REVEALED, state.to_move, NONE, favor, NONE)


@kernel
def do_reveal(state, action):
    """Cover a slot with the revealed favor; it can be used at once (KB8, KB9)."""
    state.favor[which_of(action)] = state.revealed
    state.revealed = NONE
    state.used[0], state.used[1] = 0, 0
    state.phase = Phase.PLAY


@kernel
def do_activate(state, tables, action):
    """Make a Fighter active with what its card and its markers give (KB13)."""
    slot = which_of(action)
    fighter = state.fighter[slot]
    figure = tables.figure[fighter.figure]
    forget_activation(state)
    state.active = slot
    state.ap, state.mp = max(0, figure.ap + fighter.ap), max(0, figure.mp + fighter.mp)
    fighter.ap, fighter.mp, fighter.stage = 0, 0, Stage.ACTIVE


@kernel
def do_done(state):
    """The active Fighter has been played; what it did not use lapses."""
    state.fighter[state.active].stage = Stage.DONE
    forget_activation(state)


@kernel
def do_end(state, tables, stream):
    """End the turn: unplayed minions lose their markers (KB52), then the next turn or the count (KB27)."""
    seat = state.to_move
    for slot in range(seat * ROOM, seat * ROOM + state.top[seat]):
        fighter = state.fighter[slot]
        if fighter.cell != NONE and fighter.stage == Stage.READY:
            fighter.ap, fighter.mp = 0, 0
        fighter.stage = Stage.READY
    state.used[0], state.used[1] = 0, 0
    state.segment += 1
    note(state, Event.TURN_ENDED, seat, NONE, state.turn, NONE)
    if state.turn >= tables.turns:
        finish(state, glyph_leader(state), Termination.GLYPHS)
    else:
        begin_turn(state, tables, stream)


@kernel
def glyph_leader(state):
    """The seat with more Glyph cells, NONE when equal."""
    if state.glyphs[0] == state.glyphs[1]:
        return NONE
    return 0 if state.glyphs[0] > state.glyphs[1] else 1


@kernel
def do_tile(state, kind, action):
    """Place or lift a tile, or give up the rest (section 7)."""
    cell = cell_of(action)
    if kind == Kind.PLACE:
        state.tile[cell] = state.pending
        state.lying[state.pending] += 1
        note(state, Event.PLACED, state.active, NONE, state.pending, cell)
        state.pending_left -= 1
        state.lifted = 0
    elif kind == Kind.LIFT:
        remove_tile(state, cell)
        state.lifted = 1
    if kind == Kind.SKIP or state.pending_left == 0:
        state.pending, state.pending_left, state.lifted = Tile.BARE, 0, 0
