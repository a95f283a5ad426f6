"""Effects of cards, one after the other (section 5)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import (
    beside_fighter,
    direction_between,
    distance,
    is_minion,
    note,
    seat_of,
    stand,
)
from balance.games.krosmaster_blast.enums import Event, Stage, Verb, Who
from balance.games.krosmaster_blast.harm import check_end, heal, injure, mark_ap, mark_mp
from balance.games.krosmaster_blast.layout import NO_CELL, ROOM, SLOTS, TEAM
from balance.games.krosmaster_blast.moving import arrive, own_glyph, shove, swap, travel
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel

ONE = np.uint64(1)


@kernel
def holds(state, tables, effect, caster, target):
    """Whether the conditions of an effect hold now."""
    seat = seat_of(caster)
    if state.glyphs[seat] < effect.if_glyphs:
        return False
    if effect.if_ally or effect.if_bush:
        cell = state.fighter[target].cell
        if effect.if_ally and not beside_fighter(state, tables, cell, seat, caster, target):
            return False
        if effect.if_bush and tables.bushes[cell] == 0:
            return False
    return True


@kernel
def conditions(state, tables, row, caster, target):
    """Which effects of a row will happen, as a set; judged once, before the first (KB38, KB60)."""
    met = np.uint64(0)
    for index in range(row.effects):
        if holds(state, tables, tables.effect[row.first_effect + index], caster, target):
            met |= ONE << np.uint64(index)
    return met


@kernel
def resolve(state, tables, row, caster, cell, direction, met, source):
    """Resolve the effects of a row; returns what they add to the damage of this cast.

    An effect on a target that left the board is skipped; without the caster the rest is (KB71).
    """
    target = state.at[cell] if cell != NO_CELL else NONE
    bonus = 0
    for index in range(row.effects):
        if state.status == OVER or state.fighter[caster].cell == NONE:
            return bonus
        effect = tables.effect[row.first_effect + index]
        if (met >> np.uint64(index)) & ONE == np.uint64(0):
            continue
        if effect.verb == Verb.BONUS:
            bonus += effect.amount
        elif effect.verb <= Verb.INJURE:
            change_fighters(state, tables, effect, caster, target, source)
        elif effect.verb <= Verb.SWAP:
            move_fighters(state, tables, effect, caster, target, cell, direction)
        elif effect.verb == Verb.SUMMON:
            summon(state, tables, effect.amount, seat_of(caster), cell)
        else:
            change_table(state, tables, effect, caster, cell)
        check_end(state, tables)
    return bonus


@kernel
def change_fighters(state, tables, effect, caster, target, source):
    """Markers, healing and injuries of one Fighter or of several."""
    if effect.who == Who.TARGET:
        if state.fighter[target].cell != NONE:
            change_fighter(state, tables, effect, caster, target, source)
    elif effect.who == Who.CASTER:
        change_fighter(state, tables, effect, caster, caster, source)
    else:
        change_many(state, tables, effect, caster, source)


@kernel
def change_many(state, tables, effect, caster, source):
    """All Fighters around, or all Krosmasters of a seat (KB66)."""
    here, seat = state.fighter[caster].cell, seat_of(caster)
    for slot in range(SLOTS):
        if state.fighter[slot].cell == NONE:
            continue
        if effect.who == Who.AROUND:
            away = distance(tables, here, state.fighter[slot].cell)
            chosen = slot != caster and effect.low <= away and away <= effect.high
        else:
            own = seat_of(slot) == seat
            chosen = not is_minion(slot) and own == (effect.who == Who.OWN_KROSMASTERS)
        if chosen:
            change_fighter(state, tables, effect, caster, slot, source)


@kernel
def change_fighter(state, tables, effect, caster, slot, source):
    """One marker, healing or injury."""
    if effect.verb == Verb.AP:
        mark_ap(state, slot, effect.amount)
    elif effect.verb == Verb.MP:
        mark_mp(state, slot, np.int64(effect.amount))
    elif effect.verb == Verb.HEAL:
        heal(state, slot, effect.amount, caster)
    else:
        injure(state, tables, slot, np.int64(effect.amount), source, caster)


@kernel
def move_fighters(state, tables, effect, caster, target, cell, direction):
    """Shove, leap or swap; a caster that shoves or swaps itself stays."""
    if effect.verb == Verb.LEAP:
        start = state.fighter[caster].cell
        travel(state, tables, caster, cell, direction_between(tables, start, cell))
    elif target != caster and state.fighter[target].cell != NONE:
        if effect.verb == Verb.SHOVE:
            shove(state, tables, target, direction, effect.amount)
        else:
            swap(state, tables, caster, target)


@kernel
def free_place(state, seat):
    """A slot for one more minion, NONE when the seat has as many as there is room for."""
    for slot in range(seat * ROOM + TEAM, (seat + 1) * ROOM):
        if state.fighter[slot].figure == NONE:
            return slot
    return NONE


@kernel
def summon(state, tables, figure, seat, cell):
    """A new minion on a free cell (KB34, KB62)."""
    slot = free_place(state, seat)
    if slot == NONE:
        return
    fighter = state.fighter[slot]
    fighter.figure = figure
    fighter.injuries, fighter.ap, fighter.mp = 0, 0, 0
    fighter.stage = Stage.DONE if tables.summon_waits else Stage.READY
    state.top[seat] = max(state.top[seat], slot - seat * ROOM + 1)
    stand(state, slot, cell)
    note(state, Event.SUMMONED, slot, NONE, figure, cell)
    arrive(state, tables, slot, np.int64(NONE))


@kernel
def change_table(state, tables, effect, caster, cell):
    """Tiles to place, a Glyph Tile turned (KB70), boosts of the active Fighter."""
    if effect.verb == Verb.TILE:
        state.pending, state.pending_left, state.lifted = effect.amount, effect.tiles, 0
    elif effect.verb == Verb.FLIP_GLYPH:
        own_glyph(state, cell, seat_of(caster))
    elif effect.verb == Verb.NEXT_RANGE:
        state.next_range += effect.amount
    elif effect.verb == Verb.NEXT_DAMAGE:
        state.next_damage += effect.amount
    else:
        state.ignore_los = 1
