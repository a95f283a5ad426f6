"""What a position is worth to each seat (section 13), squeezed into [0, 1]."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import distance
from balance.games.krosmaster_blast.enums import Phase
from balance.games.krosmaster_blast.layout import PLAYERS, ROOM, TEAM
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel


@kernel
def nearest_enemy(state, tables, seat, cell):
    """Distance to the nearest Krosmaster of the other seat, 0 when none is on the board."""
    nearest = 1000
    first = (1 - seat) * ROOM
    for slot in range(first, first + state.count[1 - seat]):
        if state.fighter[slot].cell != NONE:
            nearest = min(nearest, distance(tables, cell, state.fighter[slot].cell))
    return 0 if nearest == 1000 else nearest


@kernel
def nearest_glyph(state, tables, seat, cell):
    """Distance to the nearest Glyph cell that is not the seat's own, 0 when there is none."""
    nearest = 1000
    for index in range(tables.glyph_cells):
        there = tables.glyph[index]
        if state.owner[there] != seat:
            nearest = min(nearest, distance(tables, cell, there))
    return 0 if nearest == 1000 else nearest


@kernel
def krosmaster_value(state, tables, seat, fighter):
    """Worth of one Krosmaster on the board."""
    weights = tables.weights
    share = fighter.injuries / np.float64(tables.figure[fighter.figure].hp)
    value = weights.injury * fighter.injuries + weights.wound * share * share
    value += weights.ap * fighter.ap + weights.mp * fighter.mp
    value += weights.enemy_step * nearest_enemy(state, tables, seat, fighter.cell)
    return value + weights.glyph_step * nearest_glyph(state, tables, seat, fighter.cell)


@kernel
def minion_value(tables, fighter):
    """Worth of one minion."""
    weights = tables.weights
    left = tables.figure[fighter.figure].hp - fighter.injuries
    return weights.minion + weights.minion_hp * left + weights.ap * fighter.ap + weights.mp * fighter.mp


@kernel
def seat_value(state, tables, seat):
    """V(seat) of a running position, in points."""
    weights, first = tables.weights, seat * ROOM
    value = weights.ko * state.lost[seat]
    for slot in range(first, first + state.top[seat]):
        fighter = state.fighter[slot]
        if fighter.cell != NONE:
            if slot - first < TEAM:
                value += krosmaster_value(state, tables, seat, fighter)
            else:
                value += minion_value(tables, fighter)
    begun = state.turn - (state.phase == Phase.FAVOR)  # ending a turn is worth as much as standing still
    late = begun / np.float64(tables.turns)
    value += (weights.glyph + weights.glyph_late * late) * state.glyphs[seat]
    if state.dofus == seat:
        value += weights.dofus
    if state.active != NONE and state.active // ROOM == seat:
        value += boost_value(state, tables)
    return value


@kernel
def boost_value(state, tables):
    """Worth of an active Fighter's boosts and of what it can still do; in ties any action before `done`."""
    weights = tables.weights
    value = weights.next_damage * state.next_damage + weights.next_range * state.next_range
    value += weights.ignore_los * state.ignore_los + weights.active
    return value + weights.ap_left * state.ap + weights.mp_left * state.mp


@kernel
def squeezed(points, scale):
    """A value in points as an estimate in (0, 1), increasing in it (decision 0001)."""
    share = points / scale
    return 0.5 + 0.5 * share / (1.0 + np.abs(share))


@kernel
def final_scores(state, tables, scores):
    """1 for the winner, 1/2 each when nobody won."""
    for seat in range(PLAYERS):
        scores[seat] = 0.5 if state.winner == NONE else np.float64(state.winner == seat)


@kernel
def estimates(state, tables, scores):
    """Estimate per seat in [0, 1], for any position."""
    if state.status == OVER:
        final_scores(state, tables, scores)
        return
    lead = seat_value(state, tables, np.int64(0)) - seat_value(state, tables, np.int64(1))
    scores[0] = squeezed(lead, tables.weights.scale)
    scores[1] = 1.0 - scores[0]
