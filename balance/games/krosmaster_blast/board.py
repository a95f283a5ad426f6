"""The board: who stands where, distances, lines of sight (sections 1 and 6)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.enums import Corner, Ground, Tile
from balance.games.krosmaster_blast.layout import EVENTS, ROOM, STATE, TEAM
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel, record_type, typed


@kernel
def seat_of(slot):
    """The seat that a slot belongs to."""
    return slot // ROOM


@kernel
def is_minion(slot):
    """Whether a slot is one for minions."""
    return slot % ROOM >= TEAM


@kernel
def on_board(state, slot):
    """Whether a Fighter stands on the board."""
    return state.fighter[slot].cell != NONE


@kernel
def is_free(state, tables, cell):
    """Neither tree, bush nor Fighter."""
    return tables.ground[cell] < Ground.TREE and state.at[cell] == NONE


@kernel
def distance(tables, one, other):
    """Manhattan distance, obstacles ignored (KB15)."""
    across = np.int64(tables.column[one]) - tables.column[other]
    return abs(across) + abs(np.int64(tables.level[one]) - tables.level[other])


@kernel
def direction_between(tables, start, cell):
    """Direction from a cell to one beside it, NONE for any other."""
    for direction in range(4):
        if tables.beside[start, direction] == cell:
            return direction
    return NONE


@kernel
def stand(state, slot, cell):
    """Put a Fighter on a cell; where it came from is not looked at."""
    state.fighter[slot].cell = cell
    state.at[cell] = slot


@kernel
def leave(state, slot):
    """Take a Fighter off its cell."""
    state.at[state.fighter[slot].cell] = NONE


@kernel
def beside_fighter(state, tables, cell, seat, caster, target):
    """Whether a Fighter of the seat, neither caster nor target, is adjacent to the cell."""
    for direction in range(4):
        near = tables.beside[cell, direction]
        if near != NONE:
            slot = state.at[near]
            if slot != NONE and slot // ROOM == seat and slot != caster and slot != target:
                return True
    return False


@kernel
def living(state, seat, figure):
    """Minions of a kind that the seat has on the board (KB35)."""
    found = 0
    for slot in range(seat * ROOM + TEAM, seat * ROOM + state.top[seat]):
        fighter = state.fighter[slot]
        if fighter.cell != NONE and fighter.figure == figure:
            found += 1
    return found


# --- Lines of sight ------------------------------------------------------------------------------


@kernel
def blocks(state, tables, cell):
    """Whether a cell holds something that blocks lines of sight."""
    if tables.opaque[cell]:
        return True
    if tables.fighter_blocks and state.at[cell] != NONE:
        return True
    return tables.fog_blocks != 0 and state.tile[cell] == Tile.FOG


@kernel
def sign(number):
    """-1, 0 or 1."""
    return np.int64(number > 0) - np.int64(number < 0)


@kernel
def corner_blocks(state, tables, column, level, side, across, up):
    """Whether a line that touches a corner of a blocking cell is stopped there (KB16)."""
    if tables.los_corner == Corner.FREE:
        return False
    if tables.los_corner == Corner.BLOCK:
        return True
    if side * across * up > 0:
        return blocks(state, tables, (column + across) * tables.height + level - up)
    return blocks(state, tables, (column - across) * tables.height + level + up)


@kernel
def sees(state, tables, start, end):
    """Whether there is a line of sight from one cell to another; symmetric (section 6)."""
    left, low = np.int64(tables.column[start]), np.int64(tables.level[start])
    dx, dy = tables.column[end] - left, tables.level[end] - low
    span = abs(dx) + abs(dy)
    if span < 2:
        return True
    across, up = sign(dx), sign(dy)
    for i in range(abs(dx) + 1):
        for j in range(abs(dy) + 1):
            cross = 2 * (dx * up * j - dy * across * i)
            if abs(cross) > span or i + j == 0 or i + j == span:
                continue
            column, level = left + across * i, low + up * j
            if not blocks(state, tables, column * tables.height + level):
                continue
            if abs(cross) < span or corner_blocks(state, tables, column, level, cross, across, up):
                return False
    return True


# --- What happened, for the metrics --------------------------------------------------------------


@typed(
    lambda types: types.void(record_type(STATE), *[types.int64] * 5)
)  # else compiled for 18 mixtures of types
def note(state, what, who, whom, amount, cell):
    """Write down one thing that this ply did."""
    if state.events < EVENTS:
        event = state.event[state.events]
        event.what, event.who, event.whom, event.amount, event.cell = what, who, whom, amount, cell
        state.events += 1
