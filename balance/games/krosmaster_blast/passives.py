"""What powers and challenges add (section 2, passive rows)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import is_minion, seat_of
from balance.games.krosmaster_blast.enums import Gain, Of
from balance.games.krosmaster_blast.layout import CHOSEN, ROOM
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel


@kernel
def amount_of(passive, gain, name):
    """How much a passive row gives; `name` is the spell's, for run bonuses."""
    if gain == Gain.DAMAGE:
        return passive.damage
    if gain == Gain.RANGE:
        return passive.max_range
    if gain == Gain.CAPTURE_MP:
        return passive.on_capture_mp
    return passive.run_amount if passive.run_name == name else 0


@kernel
def serves(passive, slot, owner):
    """Whether a row of `owner` (NONE: of a challenge) serves a Fighter of the same seat (KB23, KB56)."""
    if passive.whom == Of.SELF:
        return slot == owner
    return passive.whom == Of.ALL or not is_minion(slot)


@kernel
def sum_rows(tables, first, count, slot, owner, glyphs, gain, name):
    """What some passive rows give together."""
    total = 0
    for index in range(first, first + count):
        passive = tables.passive[index]
        if passive.glyphs <= glyphs and serves(passive, slot, owner):
            total += amount_of(passive, gain, name)
    return total


@kernel
def passive_gain(state, tables, slot, glyphs, gain, name):
    """Sum of one kind of gain for a Fighter, its seat controlling `glyphs` Glyph cells."""
    total, first = 0, seat_of(slot) * ROOM
    for owner in range(first, first + state.top[seat_of(slot)]):
        if state.fighter[owner].cell != NONE:
            figure = tables.figure[state.fighter[owner].figure]
            if figure.passives:
                total += sum_rows(
                    tables, figure.first_passive, figure.passives, slot, owner, glyphs, gain, name
                )
    for place in range(CHOSEN):
        if state.challenge[place] != NONE:
            challenge = tables.challenge[state.challenge[place]]
            total += sum_rows(
                tables, challenge.first_passive, challenge.passives, slot, np.int64(NONE), glyphs, gain, name
            )
    return total
