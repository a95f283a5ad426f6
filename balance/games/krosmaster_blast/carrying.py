"""Counts by card of one game, carried over to the columns that have the cards' names.

A compiled field is known by its name only, so every card that we ship has a line here.
"""

from __future__ import annotations

from balance.games.krosmaster_blast.enums import Tile
from balance.games.krosmaster_blast.layout import PLAYERS
from balance.kernel.jit import kernel


@kernel
def carry_over(tally):
    """Write the columns that have the names of cards and turns."""
    carry_reveals(tally.game, tally.scratch)
    for seat in range(PLAYERS):
        carry_uses(tally.game, tally.scratch, seat)
        carry_minions(tally.game, tally.scratch, seat)
        carry_turns(tally.game, tally.scratch, seat)


@kernel
def carry_reveals(game, scratch):
    """How often each favor was revealed."""
    game.shown_balm = scratch.shown[0]
    game.shown_bolt = scratch.shown[1]
    game.shown_brazier = scratch.shown[2]
    game.shown_cold_wave = scratch.shown[3]
    game.shown_farsight = scratch.shown[4]
    game.shown_fog_bank = scratch.shown[5]
    game.shown_haste = scratch.shown[6]
    game.shown_precision = scratch.shown[7]
    game.shown_push = scratch.shown[8]
    game.shown_snare = scratch.shown[9]
    game.shown_surge = scratch.shown[10]
    game.shown_trade_places = scratch.shown[11]
    game.shown_usurp = scratch.shown[12]
    game.shown_wabbit_invasion = scratch.shown[13]
    game.shown_others = scratch.shown[14]


@kernel
def carry_uses(game, scratch, seat):
    """How often a seat used each favor."""
    game.used_balm[seat] = scratch.used[0, seat]
    game.used_bolt[seat] = scratch.used[1, seat]
    game.used_brazier[seat] = scratch.used[2, seat]
    game.used_cold_wave[seat] = scratch.used[3, seat]
    game.used_farsight[seat] = scratch.used[4, seat]
    game.used_fog_bank[seat] = scratch.used[5, seat]
    game.used_haste[seat] = scratch.used[6, seat]
    game.used_precision[seat] = scratch.used[7, seat]
    game.used_push[seat] = scratch.used[8, seat]
    game.used_snare[seat] = scratch.used[9, seat]
    game.used_surge[seat] = scratch.used[10, seat]
    game.used_trade_places[seat] = scratch.used[11, seat]
    game.used_usurp[seat] = scratch.used[12, seat]
    game.used_wabbit_invasion[seat] = scratch.used[13, seat]
    game.used_others[seat] = scratch.used[14, seat]


@kernel
def carry_minions(game, scratch, seat):
    """Summons and activations of each minion, tiles of each kind."""
    game.summoned_black_tiwabbit[seat] = scratch.summoned[0, seat]
    game.summoned_block_doll[seat] = scratch.summoned[1, seat]
    game.summoned_fleeflee[seat] = scratch.summoned[2, seat]
    game.summoned_others[seat] = scratch.summoned[3, seat]
    game.played_black_tiwabbit[seat] = scratch.played[0, seat]
    game.played_block_doll[seat] = scratch.played[1, seat]
    game.played_fleeflee[seat] = scratch.played[2, seat]
    game.played_others[seat] = scratch.played[3, seat]
    game.tiles_fire[seat] = scratch.tiles[Tile.FIRE, seat]
    game.tiles_fog[seat] = scratch.tiles[Tile.FOG, seat]
    game.tiles_ice[seat] = scratch.tiles[Tile.ICE, seat]


@kernel
def carry_turns(game, scratch, seat):
    """Glyph cells of a seat at the end of every turn."""
    game.glyphs_turn_1[seat] = scratch.glyphs[0, seat]
    game.glyphs_turn_2[seat] = scratch.glyphs[1, seat]
    game.glyphs_turn_3[seat] = scratch.glyphs[2, seat]
    game.glyphs_turn_4[seat] = scratch.glyphs[3, seat]
    game.glyphs_turn_5[seat] = scratch.glyphs[4, seat]
    game.glyphs_turn_6[seat] = scratch.glyphs[5, seat]
    game.glyphs_turn_7[seat] = scratch.glyphs[6, seat]
    game.glyphs_turn_8[seat] = scratch.glyphs[7, seat]
    game.glyphs_turn_9[seat] = scratch.glyphs[8, seat]
    game.glyphs_turn_10[seat] = scratch.glyphs[9, seat]
    game.glyphs_turn_11[seat] = scratch.glyphs[10, seat]
    game.glyphs_turn_12[seat] = scratch.glyphs[11, seat]
    game.glyphs_turn_13[seat] = scratch.glyphs[12, seat]
    game.glyphs_turn_14[seat] = scratch.glyphs[13, seat]
