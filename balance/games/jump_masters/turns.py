"""The course of a turn: the Hill, what follows an action, clean-up, the next seat (sections 4 and 9)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.abilities import any_blood_boon, any_ensnare, any_frog_bow
from balance.games.jump_masters.board import (
    check_target,
    finish,
    hero_at,
    note,
    put,
)
from balance.games.jump_masters.jumps import any_jump
from balance.games.jump_masters.layout import (
    SLOTS,
    TEAM,
    Event,
    Kind,
    Mode,
    Phase,
    Termination,
    node_of,
    pack,
    slot_of,
)
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel


@kernel
def place_of(state, tables, seat):
    """Place of a seat in the turn order."""
    for place in range(tables.seats):
        if state.order[place] == seat:
            return place
    return 0


@kernel
def next_seat(state, tables, seat):
    """The seat whose turn follows (JM67)."""
    return state.order[(place_of(state, tables, seat) + 1) % tables.seats]


@kernel
def hill_energy(state, tables, unit, by_side):
    """Current energy on the Hill of one seat, or of one side (JM9, JM65)."""
    total = 0
    for index in range(4):
        slot = hero_at(state, tables.hill_node[index])
        if slot != NONE:
            seat = slot // TEAM
            owner = tables.side_of[seat] if by_side else seat
            if owner == unit:
                total += state.hero[slot].energy
    return total


@kernel
def hill_holder(state, tables):
    """The seat (with `team_hill: team`, the side) with strictly most energy on the Hill, else NONE (JM8)."""
    if ((state.occupied[0] & tables.hills[0]) | (state.occupied[1] & tables.hills[1])) == np.uint64(0):
        return NONE
    by_side = tables.team_hill != 0
    units = tables.sides if by_side else tables.seats
    best, holder = 0, NONE
    for unit in range(units):
        energy = hill_energy(state, tables, unit, by_side)
        if energy > best:
            best, holder = energy, unit
        elif energy == best:
            holder = NONE
    return holder


@kernel
def begin_turn(state, tables, seat):
    """Start the turn of a seat: count it, then the Hill (JM7), which can win the game (JM10)."""
    state.turn += 1
    state.segment += 1
    state.active = seat
    state.to_move = seat
    state.phase = Phase.TURN
    state.acting = NONE
    state.used = 0
    side = tables.side_of[seat]
    holder = hill_holder(state, tables)
    controls = holder == (side if tables.team_hill else seat)
    note(state, Event.TURN_BEGAN, seat, NONE, np.int64(controls), NONE)
    if controls:
        state.vp[side] += tables.hill_vp
        note(state, Event.HILL, seat, NONE, tables.hill_vp, NONE)
        check_target(state, tables, side)


@kernel
def after_step(state, tables, slot):
    """After a step the turn goes on only for a Hopper or Katula with a target (section 10)."""
    if any_frog_bow(state, tables, slot) or any_blood_boon(state, tables, slot):
        state.phase = Phase.STEPPED
        state.acting = slot
    else:
        end_turn(state, tables)


@kernel
def after_jump(state, tables, slot):
    """After a jump or an Ensnare the turn goes on if the hero can jump again or ensnare (JM32, JM33)."""
    if state.hero[slot].node != NONE and (any_jump(state, tables, slot) or any_ensnare(state, tables, slot)):
        state.phase = Phase.JUMPING
        state.acting = slot
    else:
        end_turn(state, tables)


@kernel
def end_turn(state, tables):
    """The seat's last atom is played: marks vanish, the cap is looked at (JM60), clean-up begins."""
    state.segment += 1
    if state.acting != NONE:
        forget_jumps(state)
    state.acting = NONE
    state.used = 0
    if state.turn >= tables.turn_cap:
        finish(state, leader(state, tables), Termination.CAP)
    else:
        clean_up(state, tables)


@kernel
def forget_jumps(state):
    """The marks of one turn vanish."""
    for slot in range(SLOTS):
        state.hero[slot].jumped = 0


@kernel
def leader(state, tables):
    """Side that wins at the cap: strictly most VP, unless `cap_result` is draw."""
    if tables.cap_draw:
        return NONE
    best, ahead = -1, NONE
    for side in range(tables.sides):
        if state.vp[side] > best:
            best, ahead = state.vp[side], side
        elif state.vp[side] == best:
            ahead = NONE
    return ahead


@kernel
def clean_up(state, tables):
    """Let the next seat with a defeated hero redeploy, the active one first; then the next turn begins."""
    start = place_of(state, tables, state.active)
    for step in range(tables.seats):
        seat = state.order[(start + step) % tables.seats]
        if waiting(state, seat) != NONE:
            state.phase = Phase.REDEPLOY
            state.to_move = seat
            return
    begin_turn(state, tables, next_seat(state, tables, state.active))


@kernel
def waiting(state, seat):
    """Slot of the seat's first hero in name order that is off the board (JM71), NONE when all stand."""
    for slot in range(seat * TEAM, seat * TEAM + state.count[seat]):
        if state.hero[slot].node == NONE:
            return slot
    return NONE


@kernel
def redeploy_zone(state, tables, seat):
    """Corner where the seat redeploys: its own, or the team-mate's when its own is full (JM14)."""
    own = state.zone[seat]
    for index in range(4):
        if hero_at(state, tables.corner_node[own, index]) == NONE:
            return own
    mate = (seat + 2) % 4
    return state.zone[mate] if tables.mode == Mode.TEAM else own


@kernel
def list_redeploys(state, tables, actions, filled):
    """Append the nodes where the deciding seat may put its next defeated hero."""
    slot = waiting(state, state.to_move)
    corner = redeploy_zone(state, tables, state.to_move)
    return list_corner(state, tables, Kind.REDEPLOY, slot, corner, actions, filled)


@kernel
def list_corner(state, tables, kind, slot, corner, actions, filled):
    """Append one action for each empty node of a corner."""
    for index in range(4):
        node = tables.corner_node[corner, index]
        if hero_at(state, node) == NONE:
            actions[filled] = pack(kind, slot, node)
            filled += 1
    return filled


@kernel
def do_redeploy(state, tables, action):
    """Put a defeated hero back; fresh in its own zone only (JM14, JM41)."""
    place_hero(state, tables, slot_of(action), node_of(action))
    note(state, Event.REDEPLOYED, slot_of(action), NONE, 0, node_of(action))
    clean_up(state, tables)


@kernel
def place_hero(state, tables, slot, node):
    """Stand a hero at its lowest energy on a node of a zone, fresh if the zone is its own."""
    hero = state.hero[slot]
    put(state, tables, slot, node)
    hero.energy = tables.lowest[hero.kind]
    hero.jumped = 0
    hero.fresh = np.int32(tables.corner[node] == state.zone[slot // TEAM])
