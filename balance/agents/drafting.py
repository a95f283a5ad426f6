"""Drafts inside the playout loop: once a pair, by random picks, with what was picked when."""

from __future__ import annotations

import numpy as np

from balance.agents.workspace import DEAL, DRAFT, GAME
from balance.kernel.contract import DRAFT as DRAFT_PHASE
from balance.kernel.contract import FIXED, NONE, OVER, ROSTER, SEATS
from balance.kernel.jit import inlined, kernel
from balance.kernel.rng import DEAL as DEAL_PURPOSE
from balance.kernel.rng import DRAFT as DRAFT_PURPOSE
from balance.kernel.rng import seed_stream

DRAFTED, SEATED = 0, 1  # tables of `rosters`: heroes by player; by seat, in the order of the tally's slots


@inlined
def draft_rosters(rules, work, tables, cell, index):
    """Rosters of this pair: given, or drafted once by uniformly random picks and used in every seating."""
    setup, part, state = cell.setups[0], cell.part, work.states[GAME]
    part.picks = 0
    for seat in range(SEATS):
        for place in range(ROSTER):
            part.pick[seat, place] = NONE
    if setup.draft == FIXED:
        for seat in range(SEATS):
            part.given[seat] = setup.given[seat]
            for place in range(ROSTER):
                cell.rosters[DRAFTED, seat, place] = setup.roster[seat, place]
        return
    seed_stream(work.streams[DEAL], part.stream_key, index, DEAL_PURPOSE)
    seed_stream(work.streams[DRAFT], part.stream_key, index, DRAFT_PURPOSE)
    rules.setup(state, tables, setup, work.streams[DEAL])
    while state.phase == DRAFT_PHASE and state.status != OVER:
        seat = state.to_move
        rules.rosters(state, tables, cell.rosters[SEATED])
        action = rules.sample(state, tables, work.actions[0], work.streams[DRAFT])
        rules.step(state, tables, action, work.streams[DEAL])
        rules.rosters(state, tables, cell.rosters[DRAFTED])
        note_pick(part, cell.rosters, seat)
    rules.rosters(state, tables, cell.rosters[DRAFTED])
    for seat in range(state.seats):
        part.given[seat] = 0
        while part.given[seat] < ROSTER and cell.rosters[DRAFTED, seat, part.given[seat]] != NONE:
            part.given[seat] += 1


@kernel
def copies(rosters, table, seat, hero, places):
    """How often a hero stands in the first places of a seat's roster."""
    found = np.int64(0)
    for place in range(places):
        found += np.int64(rosters[table, seat, place] == hero)
    return found


@kernel
def note_pick(part, rosters, seat):
    """Remember the hero that the seat holds once more than before its pick."""
    part.picks += 1
    for place in range(ROSTER):
        hero = rosters[DRAFTED, seat, place]
        if hero != NONE and copies(rosters, DRAFTED, seat, hero, ROSTER) > copies(
            rosters, SEATED, seat, hero, ROSTER
        ):
            free = 0
            while part.pick[seat, free] != NONE:
                free += 1
            part.pick[seat, free] = hero
            part.pick_number[seat, free] = part.picks
            return


@kernel
def pick_number(part, player, hero, copy):
    """Which pick of all the player's copy number `copy` (from 0) of a hero was; 0 when nobody picked it."""
    for place in range(ROSTER):
        if part.pick[player, place] == hero:
            if copy == 0:
                return part.pick_number[player, place]
            copy -= 1
    return np.int32(0)
