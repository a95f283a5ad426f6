"""Injuries, knock-outs, markers, and the end of the game (sections 4, 5 and 8)."""

from __future__ import annotations

from balance.games.krosmaster_blast.board import is_minion, leave, note, seat_of
from balance.games.krosmaster_blast.enums import Double, Event, Phase, Stage, Termination, Tile
from balance.games.krosmaster_blast.layout import SPELLS
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel


@kernel
def mark_ap(state, slot, amount):
    """An AP marker: at once on the active Fighter, else on the card (KB13)."""
    if slot == state.active:
        state.ap = max(0, state.ap + amount)
    else:
        state.fighter[slot].ap += amount


@kernel
def mark_mp(state, slot, amount):
    """An MP marker: at once on the active Fighter, else on the card (KB13)."""
    if slot == state.active:
        state.mp = max(0, state.mp + amount)
    else:
        state.fighter[slot].mp += amount


@kernel
def heal(state, slot, amount, healer):
    """Remove injuries, not below 0 (KB51)."""
    fighter = state.fighter[slot]
    taken = min(amount, fighter.injuries)
    fighter.injuries -= taken
    note(state, Event.HEALED, slot, healer, taken, fighter.cell)


@kernel
def injure(state, tables, slot, amount, source, by):
    """Add injuries; as many as HP knock out."""
    fighter = state.fighter[slot]
    fighter.injuries += amount
    note(state, Event.INJURED, slot, by, amount, source)
    if fighter.injuries >= tables.figure[fighter.figure].hp:
        knock_out(state, slot, by)


@kernel
def knock_out(state, slot, by):
    """Take a Fighter off the board; its Glyph Tiles and minions stay (KB7, KB53)."""
    fighter = state.fighter[slot]
    note(state, Event.KNOCKED_OUT, slot, by, fighter.figure, fighter.cell)
    leave(state, slot)
    fighter.cell, fighter.injuries, fighter.ap, fighter.mp, fighter.stage = NONE, 0, 0, 0, Stage.READY
    forget_target(state, slot)
    if is_minion(slot):
        fighter.figure = NONE
    else:
        state.lost[seat_of(slot)] += 1
    if slot == state.active:
        forget_activation(state)


@kernel
def forget_target(state, slot):
    """Drop what the activation remembers about a Fighter that left the board."""
    for spell in range(SPELLS):
        if state.last[spell] == slot:
            state.last[spell], state.run[spell] = NONE, 0
    kept = 0
    for index in range(state.aimed):
        if state.aim[index].target != slot:
            entry = state.aim[kept]
            entry.spell, entry.target = state.aim[index].spell, state.aim[index].target
            entry.casts = state.aim[index].casts
            kept += 1
    state.aimed = kept


@kernel
def forget_activation(state):
    """Nobody is active: AP, MP and everything that was remembered lapse."""
    state.active, state.ap, state.mp, state.aimed = NONE, 0, 0, 0
    state.next_range, state.next_damage, state.ignore_los, state.bonuses = 0, 0, 0, 0
    state.pending, state.pending_left, state.lifted = Tile.BARE, 0, 0
    for spell in range(SPELLS):
        state.casts[spell], state.last[spell], state.run[spell] = 0, NONE, 0


@kernel
def finish(state, winner, termination):
    """The game is over."""
    state.status, state.phase, state.to_move = OVER, Phase.OVER, NONE
    state.winner, state.termination = winner, termination


@kernel
def check_end(state, tables):
    """Whether a seat has lost enough Krosmasters; both at once are a case of their own (KB25)."""
    if state.status == OVER:
        return
    first, second = state.lost[0] >= tables.kos, state.lost[1] >= tables.kos
    if first and second:
        winner = NONE
        if tables.double_ko == Double.ACTIVE_WINS:
            winner = state.to_move
        elif tables.double_ko == Double.ACTIVE_LOSES:
            winner = 1 - state.to_move
        finish(state, winner, Termination.DOUBLE_KO)
    elif first or second:
        finish(state, 1 if first else 0, Termination.KO)
