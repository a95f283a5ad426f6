"""Hash words of what the canonical text shows: no slot number enters, as it shows none."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.enums import Phase, Tile
from balance.games.krosmaster_blast.layout import CELLS, PLAYERS, ROOM, SPELLS
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel
from balance.kernel.rng import mix


@kernel
def join(word, number):
    """Append a small number to a hash word; numbers from -32 on."""
    return mix(word * np.uint64(1000003) + np.uint64(np.int64(number) + 32))


@kernel
def fighters_word(state):
    """Every Fighter on the board, and those that wait to be deployed."""
    word = np.uint64(0)
    for seat in range(PLAYERS):
        for slot in range(seat * ROOM, seat * ROOM + state.top[seat]):
            fighter = state.fighter[slot]
            if fighter.figure == NONE or (fighter.cell == NONE and state.phase > Phase.DEPLOY):
                continue
            one = join(join(np.uint64(seat + 1), fighter.figure), fighter.cell)
            one = join(join(one, fighter.injuries), fighter.stage)
            word += join(mix(one + np.uint64(np.int64(fighter.ap) + (1 << 20))), fighter.mp)
    return word


@kernel
def cells_word(state, tables):
    """Glyph Tiles and other tiles."""
    word = np.uint64(0)
    if state.glyphs[0] + state.glyphs[1] > 0:
        for index in range(tables.glyph_cells):
            cell = tables.glyph[index]
            if state.owner[cell] != NONE:
                word += mix(np.uint64(4096 + np.int64(cell) * 4 + state.owner[cell]))
    left = state.lying[Tile.FIRE] + state.lying[Tile.FOG] + state.lying[Tile.ICE]
    cell = 0
    while left > 0 and cell < CELLS:
        if state.tile[cell] != Tile.BARE:
            word += mix(np.uint64(8192 + cell * 4 + np.int64(state.tile[cell])))
            left -= 1
        cell += 1
    return word


@kernel
def activation_word(state):
    """AP, MP, memory, boosts and pending tiles of the active Fighter."""
    word = join(join(np.uint64(7), state.ap), state.mp)
    word = join(join(join(word, state.next_range), state.next_damage), state.ignore_los)
    word = join(join(join(word, state.pending), state.pending_left), state.lifted)
    word = mix(word ^ state.bonuses)
    for spell in range(SPELLS):
        if state.casts[spell] > 0:
            word += mix(np.uint64(100 + spell * 10000 + state.casts[spell]))
        if state.run[spell] > 0:
            cell = state.fighter[state.last[spell]].cell
            word += join(join(np.uint64(spell + 1000), cell), state.run[spell])
    for index in range(state.aimed):
        entry = state.aim[index]
        cell = state.fighter[entry.target].cell
        word += join(join(np.uint64(entry.spell + 2000), cell), entry.casts)
    return word


@kernel
def table_word(state):
    """Turn, Dofus and favors."""
    word = join(join(np.uint64(state.phase), state.turn), state.dofus)
    for place in range(2):
        word = join(join(word, state.favor[place]), state.used[place])
    if state.phase == Phase.DRAFT or state.phase == Phase.DEPLOY:
        word = join(word, state.to_move)
    return mix(join(word, state.revealed) ^ mix(state.unseen))


@kernel
def position_key(state, tables):
    """Hash of the canonical text."""
    if state.phase == Phase.OVER:
        return join(join(np.uint64(11), state.winner), state.termination)
    word = table_word(state) + fighters_word(state) + cells_word(state, tables)
    if state.active != NONE:
        word ^= activation_word(state)
    return mix(word)
