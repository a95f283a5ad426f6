"""Steps, spells, favors and active bonuses of the active Fighter (section 5)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import direction_between, seat_of
from balance.games.krosmaster_blast.dice import roll_combat, roll_dodge, zone_dice
from balance.games.krosmaster_blast.effects import conditions, resolve
from balance.games.krosmaster_blast.enums import Direction, Dodge, Gain, Source
from balance.games.krosmaster_blast.harm import check_end, injure
from balance.games.krosmaster_blast.layout import (
    AIMED,
    NO_CELL,
    NO_DIRECTION,
    cell_of,
    direction_of,
    which_of,
)
from balance.games.krosmaster_blast.moving import travel
from balance.games.krosmaster_blast.passives import passive_gain
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel


@kernel
def do_move(state, tables, action, stream):
    """Step to an adjacent cell, after a dodge where one is due (KB40, KB42)."""
    slot, cell = np.int64(state.active), cell_of(action)
    dice = zone_dice(state, tables, slot)
    if dice > 0:
        result = roll_dodge(state, tables, slot, dice, stream)
        if result != Dodge.FREE:
            state.mp = 0
            if result == Dodge.TACKLED:
                state.ap = 0
            return
    state.mp -= tables.move_mp
    travel(state, tables, slot, cell, direction_between(tables, state.fighter[slot].cell, cell))
    check_end(state, tables)


@kernel
def shove_direction(tables, start, cell, named):
    """Direction of a shove: straight away from the caster, or the one that was named (KB28)."""
    if named != NO_DIRECTION:
        return named
    across = np.int64(tables.column[cell]) - tables.column[start]
    up = np.int64(tables.level[cell]) - tables.level[start]
    if abs(across) > abs(up):
        return np.int64(Direction.E) if across > 0 else np.int64(Direction.W)
    return np.int64(Direction.N) if up > 0 else np.int64(Direction.S)


@kernel
def away(state, tables, row, caster, action):
    """Direction of the shoves of a row, NO_DIRECTION for rows without."""
    if row.shoves == 0:
        return np.int64(NO_DIRECTION)
    return shove_direction(tables, state.fighter[caster].cell, cell_of(action), direction_of(action))


@kernel
def aimed_casts(state, spell, target):
    """Casts of a spell at a target in this activation."""
    for index in range(state.aimed):
        if state.aim[index].spell == spell and state.aim[index].target == target:
            return state.aim[index].casts
    return 0


@kernel
def record_aim(state, spell, target):
    """Remember one more cast of a spell with per_target."""
    for index in range(state.aimed):
        if state.aim[index].spell == spell and state.aim[index].target == target:
            state.aim[index].casts += 1
            return
    if state.aimed < AIMED:
        entry = state.aim[state.aimed]
        entry.spell, entry.target, entry.casts = spell, target, 1
        state.aimed += 1


@kernel
def record_cast(state, row, spell, target):
    """Remember a cast, as far as the spell has limits (section 4)."""
    if row.per_turn > 0:
        state.casts[spell] += 1
    if row.per_target > 0:
        record_aim(state, spell, target)
    if row.max_run > 0:
        state.run[spell] = state.run[spell] + 1 if state.last[spell] == target else 1
        state.last[spell] = target


@kernel
def take_boosts(state, row):
    """Boosts are spent by this spell; returns what they add to its damage (KB59)."""
    state.next_range, state.ignore_los = 0, 0
    added = 0
    if row.damage > 0:
        added = state.next_damage
        state.next_damage = 0
    return added


@kernel
def do_cast(state, tables, action, stream):
    """Cast a spell: pay, judge, remember, effects, then the roll (KB20)."""
    caster, spell, cell = np.int64(state.active), which_of(action), cell_of(action)
    row = tables.row[tables.figure[state.fighter[caster].figure].first_spell + spell]
    target = np.int64(state.at[cell]) if cell != NO_CELL else np.int64(NONE)
    direction = away(state, tables, row, caster, action)
    state.ap -= tables.spell_ap
    glyphs = state.glyphs[seat_of(caster)]
    damage = row.damage + passive_gain(state, tables, caster, glyphs, Gain.DAMAGE, np.int64(NONE))
    met = conditions(state, tables, row, caster, target)
    record_cast(state, row, spell, target)
    damage += take_boosts(state, row)
    damage += resolve(state, tables, row, caster, cell, direction, met, Source.SPELL)
    if row.damage > 0 and state.status != OVER:
        strike(state, tables, caster, target, damage, stream)


@kernel
def strike(state, tables, caster, target, damage, stream):
    """The combat roll, if both are still there (KB71); damage is never below 0 (KB22)."""
    if state.fighter[caster].cell == NONE or state.fighter[target].cell == NONE:
        return
    damage += roll_combat(state, tables, caster, seat_of(caster) == seat_of(target), stream)
    injure(state, tables, target, max(0, damage), Source.SPELL, caster)
    check_end(state, tables)


@kernel
def favor_cost(state, tables, seat):
    """AP of a favor; the Dofus is looked at when it is used (KB10)."""
    return tables.favor_ap_dofus if state.dofus == seat else tables.favor_ap


@kernel
def do_favor(state, tables, action):
    """Use the favor of one slot, once a turn (KB11)."""
    caster, place = np.int64(state.active), which_of(action)
    row = tables.row[tables.first_favor + state.favor[place]]
    state.ap -= favor_cost(state, tables, seat_of(caster))
    state.used[place] = 1
    use_row(state, tables, row, caster, action, Source.FAVOR)


@kernel
def do_bonus(state, tables, action):
    """Use an active bonus of a challenge, once an activation (KB47)."""
    caster = np.int64(state.active)
    row = tables.row[tables.first_bonus + which_of(action)]
    state.ap -= tables.bonus_ap
    state.bonuses |= np.uint64(1) << np.uint64(row.number)
    use_row(state, tables, row, caster, action, Source.BONUS)


@kernel
def use_row(state, tables, row, caster, action, source):
    """Resolve a favor or an active bonus."""
    cell = cell_of(action)
    target = np.int64(state.at[cell]) if cell != NO_CELL else np.int64(NONE)
    direction = away(state, tables, row, caster, action)
    met = conditions(state, tables, row, caster, target)
    resolve(state, tables, row, caster, cell, direction, met, source)
