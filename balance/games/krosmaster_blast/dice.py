"""The die: combat and dodge rolls (section 5). Every roll is one draw from the stream.

``notation.chances`` tells how many equally likely results that draw has.
"""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import is_minion, note, seat_of
from balance.games.krosmaster_blast.enums import Dodge, Event, Face
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel
from balance.kernel.rng import below


@kernel
def combat_modifier(tables, face, own):
    """What a face adds to the damage; the roller chooses what suits it (KB64)."""
    if face == Face.BURST:
        return tables.crit_bonus
    if face == Face.SHIELD:
        return -tables.shield_block
    if face == Face.DOFUS and tables.jokers:
        return -tables.shield_block if own else tables.crit_bonus
    if face == Face.BURST_BOOT:
        return 0 if own and tables.jokers else tables.crit_bonus
    return 0


@kernel
def dodge_result(tables, face):
    """What a face means in a dodge (KB43)."""
    if face == Face.BOOT or face == Face.BURST_BOOT:
        return np.int64(Dodge.FREE)
    if face == Face.DOFUS and tables.jokers:
        return np.int64(Dodge.FREE)
    return np.int64(Dodge.TACKLED) if face == Face.MAGNET else np.int64(Dodge.CAUGHT)


@kernel
def roll_combat(state, tables, caster, own, stream):
    """Roll for damage; `own` when the target is of the caster's seat."""
    modifier = combat_modifier(tables, tables.die[below(stream, tables.faces)], own)
    note(state, Event.ROLLED, caster, NONE, modifier, NONE)
    return modifier


@kernel
def zone_dice(state, tables, slot):
    """Dice of a dodge: enemy Krosmasters beside the Fighter, at most dodge_dice_cap (KB39)."""
    if tables.tackle_zones == 0:
        return 0
    cell, dice = state.fighter[slot].cell, 0
    for direction in range(4):
        near = tables.beside[cell, direction]
        if near != NONE:
            other = state.at[near]
            if other != NONE and seat_of(other) != seat_of(slot) and not is_minion(other):
                dice += 1
    return min(dice, tables.dodge_dice_cap)


@kernel
def roll_dodge(state, tables, slot, dice, stream):
    """The worst of some dice (section 5): all must be free; one magnet tackles."""
    results = 1
    for _ in range(dice):
        results *= tables.faces
    drawn, worst = below(stream, results), np.int64(Dodge.FREE)
    for _ in range(dice):
        worst = max(worst, dodge_result(tables, tables.die[drawn % tables.faces]))
        drawn //= tables.faces
    note(state, Event.DODGED, slot, NONE, dice, worst)
    return worst
