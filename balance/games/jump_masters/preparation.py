"""From the cards to turn 1: draft, zones, deployment (section 3)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.board import note
from balance.games.jump_masters.layout import (
    CELLS,
    COPIES,
    CORNERS,
    HEROES,
    NOBODY,
    SLOTS,
    TEAM,
    Draft,
    Event,
    Kind,
    Mode,
    Phase,
    Termination,
    node_of,
    pack,
    slot_of,
)
from balance.games.jump_masters.turns import begin_turn, list_corner, place_hero, waiting
from balance.kernel.contract import NONE, RUNNING, SEATS
from balance.kernel.jit import kernel
from balance.kernel.rng import below


@kernel
def clear(state, tables):
    """An empty position before anything is decided."""
    state.to_move, state.seats, state.phase, state.ply = 0, tables.seats, Phase.DRAFT, 0
    state.turn, state.segment, state.status, state.termination = 0, 0, RUNNING, Termination.RUNNING
    state.draft, state.active, state.acting, state.used = Draft.FIXED, NONE, NONE, 0
    state.winner, state.events = NONE, 0
    state.occupied[0] = np.uint64(0)
    state.occupied[1] = np.uint64(0)
    for seat in range(SEATS):
        state.order[seat] = seat if seat < tables.seats else NONE
        state.count[seat] = 0
        state.zone[seat] = NONE
        state.holder[seat] = NONE
        state.vp[seat] = 0
        for kind in range(HEROES):
            state.hand[seat, kind] = 0
    for kind in range(HEROES):
        state.pool[kind] = 0
    for node in range(CELLS):
        state.at[node] = NONE
    for slot in range(SLOTS):
        clear_hero(state.hero[slot])


@kernel
def clear_hero(hero):
    """An empty slot."""
    hero.kind = NONE
    hero.second = 0
    hero.node = NONE
    hero.energy = 0
    hero.fresh = 0
    hero.jumped = 0


@kernel
def prepare(state, tables, setup, stream):
    """The position before the first decision, from given rosters or a draft format."""
    clear(state, tables)
    state.draft = setup.draft
    if setup.draft == Draft.FIXED:
        for seat in range(tables.seats):
            for index in range(setup.given[seat]):
                add_pick(state, seat, setup.roster[seat, index])
        end_draft(state, tables)
        return
    for kind in range(HEROES):
        state.pool[kind] = COPIES
    if setup.draft == Draft.BLIND:
        deal_blind(state, tables, stream)
        end_draft(state, tables)
    elif setup.draft == Draft.PASS:
        for seat in range(tables.seats):
            for _ in range(tables.pass_hand):
                kind = draw_card(state, stream, NONE)
                state.hand[seat, kind] += 1


@kernel
def draw_card(state, stream, seat):
    """Draw a random card from the pool; with a `seat`, only heroes that it does not have yet."""
    total = 0
    for kind in range(HEROES):
        if seat == NONE or not holds(state, seat, kind):
            total += state.pool[kind]
    card = below(stream, total)
    for kind in range(HEROES):
        if seat == NONE or not holds(state, seat, kind):
            card -= state.pool[kind]
            if card < 0:
                state.pool[kind] -= 1
                return kind
    return NONE


@kernel
def holds(state, seat, kind):
    """Whether the seat has picked this hero already."""
    for slot in range(seat * TEAM, seat * TEAM + state.count[seat]):
        if state.hero[slot].kind == kind:
            return True
    return False


@kernel
def deal_blind(state, tables, stream):
    """Blind draft: each seat in turn draws; a double is laid aside where it is not allowed (JM75)."""
    for seat in range(tables.seats):
        for _ in range(tables.team_size):
            kind = draw_card(state, stream, NONE if tables.both_copies else seat)
            add_pick(state, seat, kind)


@kernel
def add_pick(state, seat, kind):
    """Give a hero to a seat."""
    slot = seat * TEAM + state.count[seat]
    hero = state.hero[slot]
    hero.second = np.int32(holds(state, seat, kind))
    hero.kind = kind
    state.count[seat] += 1


@kernel
def end_draft(state, tables):
    """Put each roster in name order (section 3), forget the cards, go on with the zones."""
    for seat in range(tables.seats):
        sort_roster(state, seat)
        for kind in range(HEROES):
            state.hand[seat, kind] = 0
    for kind in range(HEROES):
        state.pool[kind] = 0
    state.phase = Phase.ZONE
    state.to_move = 0


@kernel
def sort_roster(state, seat):
    """Insertion sort of a seat's heroes by name, the second copy after the first."""
    for last in range(1, state.count[seat]):
        slot = seat * TEAM + last
        while slot > seat * TEAM and name_rank(state.hero[slot - 1]) > name_rank(state.hero[slot]):
            kind, second = state.hero[slot].kind, state.hero[slot].second
            state.hero[slot].kind = state.hero[slot - 1].kind
            state.hero[slot].second = state.hero[slot - 1].second
            state.hero[slot - 1].kind = kind
            state.hero[slot - 1].second = second
            slot -= 1


@kernel
def name_rank(hero):
    """Number that sorts heroes of a seat as their names do."""
    return hero.kind * COPIES + hero.second


# --- Draft ---------------------------------------------------------------------------------------


@kernel
def picks_made(state, tables):
    """Picks of all seats together."""
    total = 0
    for seat in range(tables.seats):
        total += state.count[seat]
    return total


@kernel
def picking_seat(tables, draft, pick):
    """Seat that makes pick number `pick` (from 0); every second round runs backwards in a snake (JM2)."""
    place = pick % tables.seats
    if draft == Draft.SNAKE and (pick // tables.seats) % 2 == 1:
        return tables.seats - 1 - place
    return place


@kernel
def offered(state, seat, kind):
    """Cards of a hero that the seat could take, before the rule on doubles."""
    return state.hand[seat, kind] if state.draft == Draft.PASS else state.pool[kind]


@kernel
def list_picks(state, tables, actions, filled):
    """Append the heroes that the seat may pick; doubles only where allowed or unavoidable (JM1, JM75)."""
    seat = state.to_move
    begun = filled
    for kind in range(HEROES):
        if offered(state, seat, kind) > 0 and (tables.both_copies or not holds(state, seat, kind)):
            actions[filled] = pack(Kind.PICK, NOBODY, kind)
            filled += 1
    if filled == begun:
        for kind in range(HEROES):
            if offered(state, seat, kind) > 0:
                actions[filled] = pack(Kind.PICK, NOBODY, kind)
                filled += 1
    return filled


@kernel
def do_pick(state, tables, action):
    """Take a hero; hands of a pass draft move on when the last seat has chosen (JM74)."""
    seat, kind = state.to_move, node_of(action)
    if state.draft == Draft.PASS:
        state.hand[seat, kind] -= 1
    else:
        state.pool[kind] -= 1
    add_pick(state, seat, kind)
    made = picks_made(state, tables)
    if made == tables.seats * tables.team_size:
        end_draft(state, tables)
        return
    if state.draft == Draft.PASS and made % tables.seats == 0:
        pass_hands(state, tables)
    state.to_move = picking_seat(tables, state.draft, made)


@kernel
def pass_hands(state, tables):
    """Every hand goes to the next seat, the last one's to A."""
    last = tables.seats - 1
    for kind in range(HEROES):
        kept = state.hand[last, kind]
        for seat in range(last, 0, -1):
            state.hand[seat, kind] = state.hand[seat - 1, kind]
        state.hand[0, kind] = kept


# --- Zones and deployment ------------------------------------------------------------------------


@kernel
def may_take_corner(state, tables, seat, corner):
    """Whether the corner is free and, in team mode, next to the team-mate's (JM66)."""
    if state.holder[corner] != NONE:
        return False
    if tables.mode != Mode.TEAM or state.zone[(seat + 2) % 4] == NONE:
        return True
    return (state.zone[(seat + 2) % 4] - corner) % 2 != 0


@kernel
def list_zones(state, tables, actions, filled):
    """Append the corners that the deciding seat may choose."""
    for corner in range(CORNERS):
        if may_take_corner(state, tables, state.to_move, corner):
            actions[filled] = pack(Kind.ZONE, NOBODY, corner)
            filled += 1
    return filled


@kernel
def take_corner(state, seat, corner):
    """Give a corner to a seat."""
    state.zone[seat] = corner
    state.holder[corner] = seat


@kernel
def do_zone(state, tables, action):
    """Choose a corner; in a duel the opponent gets the opposite one."""
    take_corner(state, state.to_move, node_of(action))
    if tables.mode == Mode.DUEL:
        take_corner(state, 1, (node_of(action) + 2) % CORNERS)
    for seat in range(tables.seats):
        if state.zone[seat] == NONE:
            state.to_move = seat
            return
    set_order(state, tables)
    next_deployment(state, tables)


@kernel
def set_order(state, tables):
    """Turn order: by seat letter, or in ffa clockwise from A's corner (JM67)."""
    if tables.mode < Mode.FFA3 or tables.corner_order == 0:
        return
    place = 0
    for step in range(CORNERS):
        seat = state.holder[(state.zone[0] + step) % CORNERS]
        if seat != NONE:
            state.order[place] = seat
            place += 1


@kernel
def next_deployment(state, tables):
    """The next seat in turn order with a hero to deploy decides (JM66); then turn 1 begins."""
    for place in range(tables.seats):
        seat = state.order[place]
        if waiting(state, seat) != NONE:
            state.phase = Phase.DEPLOY
            state.to_move = seat
            return
    begin_turn(state, tables, state.order[0])


@kernel
def list_deploys(state, tables, actions, filled):
    """Append the nodes for the deciding seat's next hero in name order."""
    seat = state.to_move
    return list_corner(state, tables, Kind.DEPLOY, waiting(state, seat), state.zone[seat], actions, filled)


@kernel
def do_deploy(state, tables, action):
    """Deploy a hero, fresh and at its lowest energy."""
    place_hero(state, tables, slot_of(action), node_of(action))
    note(state, Event.REDEPLOYED, slot_of(action), NONE, 0, node_of(action))
    next_deployment(state, tables)
