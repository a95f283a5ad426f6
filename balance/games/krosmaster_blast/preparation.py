"""From the box to turn 1: teams, challenges, deployment (section 3)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import stand
from balance.games.krosmaster_blast.enums import Draft, Kind, Phase, Stage, Termination, Tile
from balance.games.krosmaster_blast.harm import forget_activation
from balance.games.krosmaster_blast.layout import (
    CELLS,
    CHOSEN,
    NO_CELL,
    NO_DIRECTION,
    PLAYERS,
    ROOM,
    SLOTS,
    cell_of,
    pack,
    which_of,
)
from balance.games.krosmaster_blast.turns import begin_turn
from balance.kernel.contract import NONE, RUNNING
from balance.kernel.jit import kernel
from balance.kernel.rng import below


@kernel
def clear(state, tables):
    """A position before anything is decided."""
    state.to_move, state.seats, state.phase, state.ply = 0, PLAYERS, Phase.DRAFT, 0
    state.turn, state.segment, state.status, state.termination = 0, 0, RUNNING, Termination.RUNNING
    state.draft, state.winner, state.dofus, state.events = Draft.FIXED, NONE, tables.dofus_start, 0
    state.revealed, state.unseen = NONE, tables.pool
    for place in range(CHOSEN):
        state.challenge[place] = NONE
    for seat in range(PLAYERS):
        state.glyphs[seat], state.count[seat], state.top[seat], state.lost[seat] = 0, 0, 0, 0
        state.favor[seat], state.used[seat] = NONE, 0
    for kind in range(4):
        state.lying[kind] = 0
    for cell in range(CELLS):
        state.at[cell], state.owner[cell], state.tile[cell] = NONE, NONE, Tile.BARE
    for slot in range(SLOTS):
        clear_fighter(state.fighter[slot])
    forget_activation(state)


@kernel
def clear_fighter(fighter):
    """An empty slot."""
    fighter.figure, fighter.cell, fighter.injuries = NONE, NONE, 0
    fighter.ap, fighter.mp, fighter.stage = 0, 0, Stage.READY


@kernel
def prepare(state, tables, setup, stream):
    """The position before the first decision.

    Teams are dealt before challenges are drawn, so that both are the same whatever the other's rules say.
    """
    clear(state, tables)
    state.draft = setup.draft
    if setup.draft == Draft.RANDOM:
        deal_teams(state, tables, stream)
    elif setup.draft == Draft.FIXED:
        for seat in range(PLAYERS):
            for index in range(setup.given[seat]):
                add_pick(state, seat, setup.roster[seat, index])
    draw_challenges(state, tables, stream)
    if setup.draft != Draft.DRAFT:
        end_draft(state)


@kernel
def draw_challenges(state, tables, stream):
    """Draw divine challenges without repetition."""
    drawn = np.uint64(0)
    for place in range(tables.challenge_count):
        left = below(stream, tables.offers - place)
        for index in range(tables.offers):
            bit = np.uint64(1) << np.uint64(index)
            if drawn & bit == np.uint64(0):
                if left == 0:
                    drawn |= bit
                    state.challenge[place] = tables.offered[index]
                    break
                left -= 1


@kernel
def deal_teams(state, tables, stream):
    """Random teams: every figure exists once (KB36, KB48)."""
    for deal in range(PLAYERS * tables.team_size):
        left = below(stream, tables.rostered - deal)
        for index in range(tables.rostered):
            if not taken(state, tables.roster[index]):
                if left == 0:
                    add_pick(state, deal % PLAYERS, tables.roster[index])
                    break
                left -= 1


@kernel
def add_pick(state, seat, figure):
    """Give a Krosmaster to a seat."""
    state.fighter[seat * ROOM + state.count[seat]].figure = figure
    state.count[seat] += 1
    state.top[seat] = state.count[seat]


@kernel
def taken(state, figure):
    """Whether a seat has picked this Krosmaster."""
    for seat in range(PLAYERS):
        for slot in range(seat * ROOM, seat * ROOM + state.count[seat]):
            if state.fighter[slot].figure == figure:
                return True
    return False


@kernel
def end_draft(state):
    """Put teams in name order (figures are numbered by name), then A deploys (KB49, KB74)."""
    for seat in range(PLAYERS):
        first = seat * ROOM
        for last in range(first + 1, first + state.count[seat]):
            slot = last
            while slot > first and state.fighter[slot - 1].figure > state.fighter[slot].figure:
                figure = state.fighter[slot].figure
                state.fighter[slot].figure = state.fighter[slot - 1].figure
                state.fighter[slot - 1].figure = figure
                slot -= 1
    state.phase = Phase.DEPLOY
    state.to_move = 0


# --- Draft ---------------------------------------------------------------------------------------


@kernel
def picking_seat(tables, pick):
    """Seat of pick number `pick` from 0: A B B A A B ..., or A B A B ... (KB73)."""
    place = pick % PLAYERS
    if tables.alternate == 0 and (pick // PLAYERS) % 2 == 1:
        return 1 - place
    return place


@kernel
def list_picks(state, tables, actions):
    """Names that are left."""
    filled = 0
    for index in range(tables.rostered):
        if not taken(state, tables.roster[index]):
            actions[filled] = pack(Kind.PICK, tables.roster[index], NO_CELL, NO_DIRECTION)
            filled += 1
    return filled


@kernel
def do_pick(state, tables, action):
    """Take a Krosmaster."""
    add_pick(state, state.to_move, which_of(action))
    made = state.count[0] + state.count[1]
    if made == PLAYERS * tables.team_size:
        end_draft(state)
    else:
        state.to_move = picking_seat(tables, made)


# --- Deployment ----------------------------------------------------------------------------------


@kernel
def waiting(state, seat):
    """The seat's first Krosmaster that is not deployed, NONE when all are."""
    for slot in range(seat * ROOM, seat * ROOM + state.count[seat]):
        if state.fighter[slot].cell == NONE:
            return slot
    return NONE


@kernel
def list_deploys(state, tables, actions):
    """Free start cells of the seat for its next Krosmaster."""
    filled, seat = 0, state.to_move
    slot = waiting(state, seat)
    for index in range(tables.starts[seat]):
        cell = tables.start[seat, index]
        if state.at[cell] == NONE:
            actions[filled] = pack(Kind.DEPLOY, slot, cell, NO_DIRECTION)
            filled += 1
    return filled


@kernel
def do_deploy(state, tables, action, stream):
    """Place a Krosmaster; after the last one turn 1 begins."""
    stand(state, which_of(action), cell_of(action))
    if waiting(state, state.to_move) != NONE:
        return
    if state.to_move == 0:
        state.to_move = 1
    else:
        begin_turn(state, tables, stream)
