"""Lists of legal actions in every state of a turn (section 4)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import distance, is_free, is_minion, seat_of
from balance.games.krosmaster_blast.casting import favor_cost
from balance.games.krosmaster_blast.enums import Gain, Ground, Kind, Phase, Stage, Tile
from balance.games.krosmaster_blast.layout import CHOSEN, NO_CELL, NO_DIRECTION, ROOM, TEAM, pack
from balance.games.krosmaster_blast.passives import passive_gain
from balance.games.krosmaster_blast.preparation import list_deploys, list_picks
from balance.games.krosmaster_blast.targets import append, list_row
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel


@kernel
def plain(kind):
    """An action that is a word alone."""
    return pack(kind, 0, NO_CELL, NO_DIRECTION)


@kernel
def list_legal(state, tables, actions):
    """All legal actions of the seat to move."""
    if state.phase == Phase.PLAY:
        if state.active == NONE:
            return list_activations(state, actions)
        if state.pending != Tile.BARE:
            return list_tiles(state, tables, actions)
        return list_play(state, tables, actions)
    if state.phase == Phase.FAVOR:
        actions[0] = pack(Kind.FAVOR, 0, NO_CELL, NO_DIRECTION)
        actions[1] = pack(Kind.FAVOR, 1, NO_CELL, NO_DIRECTION)
        return 2
    if state.phase == Phase.DEPLOY:
        return list_deploys(state, tables, actions)
    return list_picks(state, tables, actions)


@kernel
def list_ready(state, low, high, actions, filled):
    """Append the activation of every ready Fighter in some slots."""
    for slot in range(low, high):
        fighter = state.fighter[slot]
        if fighter.cell != NONE and fighter.stage == Stage.READY:
            filled = append(actions, filled, pack(Kind.ACTIVATE, slot, fighter.cell, NO_DIRECTION))
    return filled


@kernel
def list_activations(state, actions):
    """Ready Krosmasters; when there are none, ready minions and the end of the turn (KB58)."""
    first = state.to_move * ROOM
    filled = list_ready(state, first, first + TEAM, actions, 0)
    if filled > 0:
        return filled
    filled = list_ready(state, first + TEAM, first + state.top[state.to_move], actions, 0)
    return append(actions, filled, plain(Kind.END))


@kernel
def list_play(state, tables, actions):
    """Everything that the active Fighter may do."""
    filled = list_moves(state, tables, actions, 0)
    if state.ap >= tables.spell_ap:
        filled = list_spells(state, tables, actions, filled)
    if not is_minion(state.active):
        filled = list_favors(state, tables, actions, filled)
        if state.ap >= tables.bonus_ap:
            filled = list_bonuses(state, tables, actions, filled)
    return append(actions, filled, plain(Kind.DONE))


@kernel
def list_moves(state, tables, actions, filled):
    """Steps to adjacent free cells."""
    if state.mp < tables.move_mp:
        return filled
    here = state.fighter[state.active].cell
    for direction in range(4):
        near = tables.beside[here, direction]
        if near != NONE and is_free(state, tables, near):
            filled = append(actions, filled, pack(Kind.MOVE, 0, near, NO_DIRECTION))
    return filled


@kernel
def list_spells(state, tables, actions, filled):
    """Spells of the active Fighter at everything that they can reach (KB46)."""
    figure = tables.figure[state.fighter[state.active].figure]
    glyphs = state.glyphs[seat_of(state.active)]
    longer = state.next_range + passive_gain(
        state, tables, np.int64(state.active), glyphs, Gain.RANGE, np.int64(NONE)
    )
    for spell in range(figure.spells):
        row = tables.row[figure.first_spell + spell]
        if row.per_turn > 0 and state.casts[spell] >= row.per_turn:
            continue
        sight = row.los != 0 and state.ignore_los == 0
        filled = list_row(state, tables, row, Kind.CAST, spell, row.high + longer, sight, actions, filled)
    return filled


@kernel
def list_favors(state, tables, actions, filled):
    """Favors face up that the seat has not used this turn."""
    if state.ap < favor_cost(state, tables, state.to_move):
        return filled
    for place in range(2):
        if state.favor[place] != NONE and state.used[place] == 0:
            row = tables.row[tables.first_favor + state.favor[place]]
            sight = row.los != 0
            filled = list_row(state, tables, row, Kind.USE, place, np.int64(row.high), sight, actions, filled)
    return filled


@kernel
def list_bonuses(state, tables, actions, filled):
    """Active bonuses whose Glyph cells the seat controls, once an activation."""
    glyphs = state.glyphs[state.to_move]
    for place in range(CHOSEN):
        if state.challenge[place] == NONE:
            break
        challenge = tables.challenge[state.challenge[place]]
        for index in range(challenge.first_bonus, challenge.first_bonus + challenge.bonuses):
            row = tables.row[index]
            used = (state.bonuses >> np.uint64(row.number)) & np.uint64(1)
            if row.glyphs <= glyphs and used == np.uint64(0):
                sight = row.los != 0
                which, high = np.int64(row.number), np.int64(row.high)
                filled = list_row(state, tables, row, Kind.BONUS, which, high, sight, actions, filled)
    return filled


@kernel
def may_lie(state, tables, cell):
    """Whether a tile may be placed on a cell (section 7)."""
    if tables.ground[cell] == Ground.GLYPH or state.tile[cell] != Tile.BARE:
        return False
    if not is_free(state, tables, cell):
        return False
    here = state.fighter[state.active].cell
    return tables.tile_reach == 0 or distance(tables, here, cell) <= tables.tile_reach


@kernel
def list_tiles(state, tables, actions):
    """Places for the tile that is due, or tiles of its kind to lift when too many lie (KB61)."""
    filled = 0
    full = state.lying[state.pending] >= tables.tile_limit
    for cell in range(tables.nodes):
        if full and state.tile[cell] == state.pending:
            filled = append(actions, filled, pack(Kind.LIFT, 0, cell, NO_DIRECTION))
        elif not full and may_lie(state, tables, cell):
            filled = append(actions, filled, pack(Kind.PLACE, 0, cell, NO_DIRECTION))
    if state.lifted == 0 or filled == 0:
        filled = append(actions, filled, plain(Kind.SKIP))
    return filled
