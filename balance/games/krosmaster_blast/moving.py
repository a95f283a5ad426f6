"""Moving onto cells: captures, tiles, shoves, leaps, swaps (section 6)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import (
    is_free,
    is_minion,
    leave,
    note,
    seat_of,
    stand,
)
from balance.games.krosmaster_blast.enums import Event, Gain, Ground, Source, Tile
from balance.games.krosmaster_blast.harm import injure, mark_mp
from balance.games.krosmaster_blast.passives import passive_gain
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel


@kernel
def take_dofus(state, tables, seat):
    """Give the Dofus to a seat, not in the first turns (KB3, KB4)."""
    if state.turn > tables.dofus_lock_turns:
        state.dofus = seat


@kernel
def own_glyph(state, cell, seat):
    """Put the seat's Glyph Tile on a Glyph cell."""
    if state.owner[cell] != NONE:
        state.glyphs[state.owner[cell]] -= 1
    state.owner[cell] = seat
    state.glyphs[seat] += 1


@kernel
def capture(state, tables, slot):
    """Capture the Glyph cell under a Krosmaster where it may (KB5, KB6); gains use the old count (KB55)."""
    cell, seat = state.fighter[slot].cell, seat_of(slot)
    if tables.ground[cell] != Ground.GLYPH or is_minion(slot):
        return
    if seat != state.to_move and tables.capture_always == 0:
        return
    if state.owner[cell] == seat:
        if tables.dofus_entry:
            take_dofus(state, tables, seat)
        return
    before = state.glyphs[seat]
    note(state, Event.CAPTURED, slot, NONE, np.int64(state.owner[cell] != NONE), cell)
    own_glyph(state, cell, seat)
    take_dofus(state, tables, seat)
    gain = passive_gain(state, tables, slot, before, Gain.CAPTURE_MP, np.int64(NONE))
    if gain != 0:
        mark_mp(state, slot, gain)


@kernel
def arrive(state, tables, slot, direction):
    """What happens to a Fighter on the cell where it stands now, coming in a direction or NONE.

    Ice carries on cell by cell while the next one is free (KB30).
    """
    while True:
        cell = state.fighter[slot].cell
        note(state, Event.ENTERED, slot, NONE, 0, cell)
        capture(state, tables, slot)
        tile = state.tile[cell]
        if tile == Tile.FIRE:
            injure(state, tables, slot, np.int64(tables.fire_damage), Source.FIRE, np.int64(NONE))
        elif tile == Tile.FOG:
            remove_tile(state, cell)
        if tile != Tile.ICE or direction == NONE:
            return
        beyond = tables.beside[cell, direction]
        if beyond == NONE or not is_free(state, tables, beyond):
            return
        leave(state, slot)
        stand(state, slot, beyond)


@kernel
def remove_tile(state, cell):
    """Take a tile off the board."""
    state.lying[state.tile[cell]] -= 1
    state.tile[cell] = Tile.BARE


@kernel
def travel(state, tables, slot, cell, direction):
    """Move a Fighter to a free cell."""
    leave(state, slot)
    stand(state, slot, cell)
    arrive(state, tables, slot, direction)


@kernel
def shove(state, tables, slot, direction, amount):
    """Move a Fighter cell by cell while it lives and the next cell is free (KB69)."""
    for _ in range(amount):
        if state.fighter[slot].cell == NONE:
            return
        beyond = tables.beside[state.fighter[slot].cell, direction]
        if beyond == NONE or not is_free(state, tables, beyond):
            return
        travel(state, tables, slot, np.int64(beyond), direction)


@kernel
def swap(state, tables, caster, target):
    """Exchange two Fighters, then let the caster arrive, then the target (KB54)."""
    here, there = state.fighter[caster].cell, state.fighter[target].cell
    stand(state, caster, there)
    stand(state, target, here)
    arrive(state, tables, caster, np.int64(NONE))
    if state.fighter[target].cell != NONE:
        arrive(state, tables, target, np.int64(NONE))
