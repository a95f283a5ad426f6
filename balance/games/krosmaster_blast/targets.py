"""What a row may aim at: kinds of targets, range, sight, limits (section 5)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import distance, is_free, living, seat_of, sees
from balance.games.krosmaster_blast.casting import aimed_casts
from balance.games.krosmaster_blast.enums import Direction, Gain, Kind, Target
from balance.games.krosmaster_blast.layout import NO_CELL, NO_DIRECTION, ROOM, pack
from balance.games.krosmaster_blast.passives import passive_gain
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel


@kernel
def append(actions, filled, action):
    """Append an action while there is room; returns how many there are now."""
    if filled == actions.shape[0]:
        return filled
    actions[filled] = action
    return filled + 1


@kernel
def append_aimed(tables, row, kind, which, start, cell, actions, filled):
    """Append a row aimed at a cell; on an exact diagonal a shove is two actions (KB28)."""
    if row.shoves:
        across = np.int64(tables.column[cell]) - tables.column[start]
        up = np.int64(tables.level[cell]) - tables.level[start]
        if abs(across) == abs(up) and across != 0:
            flat = Direction.E if across > 0 else Direction.W
            steep = Direction.N if up > 0 else Direction.S
            filled = append(actions, filled, pack(kind, which, cell, flat))
            return append(actions, filled, pack(kind, which, cell, steep))
    return append(actions, filled, pack(kind, which, cell, NO_DIRECTION))


@kernel
def right_side(tables, row, caster, slot):
    """Whether a row may aim at a Fighter of that seat, at the caster itself included."""
    own = seat_of(slot) == seat_of(caster)
    if row.target == Target.ENEMY:
        return not own
    if row.target == Target.ALLY:
        return own
    return slot != caster and (not own or tables.friendly_fire != 0 or row.harms == 0)


@kernel
def within_limits(state, tables, row, kind, spell, caster, slot):
    """Whether a spell may be cast at this Fighter once more (KB37)."""
    if kind != Kind.CAST:
        return True
    if row.per_target > 0 and aimed_casts(state, spell, slot) >= row.per_target:
        return False
    if row.max_run > 0:
        glyphs = state.glyphs[seat_of(caster)]
        longest = row.max_run + passive_gain(state, tables, caster, glyphs, Gain.RUN, np.int64(row.name))
        run = state.run[spell] + 1 if state.last[spell] == slot else 1
        return run <= longest
    return True


@kernel
def list_fighters(state, tables, row, kind, which, high, sight, actions, filled):
    """Append a row aimed at every Fighter that it can reach."""
    caster = np.int64(state.active)
    start = np.int64(state.fighter[caster].cell)
    for seat in range(2):
        for slot in range(seat * ROOM, seat * ROOM + state.top[seat]):
            cell = np.int64(state.fighter[slot].cell)
            if cell == NONE or not right_side(tables, row, caster, slot):
                continue
            far = distance(tables, start, cell)
            if far < row.low or far > high:
                continue
            if sight and not sees(state, tables, start, cell):
                continue
            if within_limits(state, tables, row, kind, which, caster, slot):
                filled = append_aimed(tables, row, kind, which, start, cell, actions, filled)
    return filled


@kernel
def aims_at(state, tables, row, cell, seat):
    """Whether a cell is of the kind that a row aims at."""
    if row.target == Target.FREE_CELL:
        return is_free(state, tables, cell)
    return state.owner[cell] == 1 - seat


@kernel
def list_cells(state, tables, row, kind, which, high, sight, actions, filled):
    """Append a row aimed at every cell that it can reach: the cells of a diamond."""
    start = np.int64(state.fighter[state.active].cell)
    column, level = np.int64(tables.column[start]), np.int64(tables.level[start])
    seat = seat_of(state.active)
    for x in range(max(0, column - high), min(tables.width - 1, column + high) + 1):
        left = high - abs(x - column)
        for y in range(max(0, level - left), min(tables.height - 1, level + left) + 1):
            cell = x * tables.height + y
            if abs(x - column) + abs(y - level) < row.low or not aims_at(state, tables, row, cell, seat):
                continue
            if sight and not sees(state, tables, start, cell):
                continue
            filled = append_aimed(tables, row, kind, which, start, cell, actions, filled)
    return filled


@kernel
def list_row(state, tables, row, kind, which, high, sight, actions, filled):
    """Append every use of one row; `high` is its longest range with all boosts."""
    if row.limit > 0 and living(state, seat_of(state.active), row.summons) >= row.limit:
        return filled
    if row.target == Target.NO_CELL:
        return append(actions, filled, pack(kind, which, NO_CELL, NO_DIRECTION))
    if row.target <= Target.ALLY:
        return list_fighters(state, tables, row, kind, which, high, sight, actions, filled)
    return list_cells(state, tables, row, kind, which, high, sight, actions, filled)
