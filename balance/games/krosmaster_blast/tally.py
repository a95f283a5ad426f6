"""Counts of one game, from what each ply wrote down (section 12)."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.board import distance, is_minion, seat_of, sees
from balance.games.krosmaster_blast.carrying import carry_over
from balance.games.krosmaster_blast.casting import favor_cost
from balance.games.krosmaster_blast.enums import Dodge, Event, Gain, Kind, Source, Target
from balance.games.krosmaster_blast.layout import PLAYERS, ROOM, TEAM, kind_of, which_of
from balance.games.krosmaster_blast.passives import passive_gain
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel

LAST_SPELL = 2  # spells from this one on share columns


@kernel
def hero_of(slot):
    """Place of a Krosmaster among the tally's heroes."""
    return seat_of(slot) * TEAM + slot % ROOM


@kernel
def record_ply(before, action, after, tables, tally):
    """Add one ply to the tally; `before.ply` 0 begins a new game."""
    if before.ply == 0:
        tally.scratch.leader = NONE
        first = after.challenge[0]
        tally.game.challenge = 0 if first == NONE else tables.challenge[first].measured + 1
    kind = kind_of(action)
    if kind >= Kind.ACTIVATE and kind <= Kind.DONE:
        record_action(before, action, kind, after, tables, tally)
    for index in range(after.events):
        record_event(before, after, tables, tally, after.event[index], action)
    if after.status == OVER:
        record_end(after, tables, tally)


@kernel
def record_action(before, action, kind, after, tables, tally):
    """Count what the active Fighter spent."""
    seat, game = before.to_move, tally.game
    if kind == Kind.ACTIVATE:
        record_activation(before, which_of(action), tables, tally)
    elif kind == Kind.MOVE:
        record_step(before, after, tables, tally)
    elif kind == Kind.CAST:
        game.ap_spells[seat] += tables.spell_ap
        record_cast(before, which_of(action), tally)
    elif kind == Kind.USE:
        record_favor(before, which_of(action), tables, tally)
    elif kind == Kind.BONUS:
        game.ap_bonuses[seat] += tables.bonus_ap
        game.bonuses_used[seat] += 1
    elif kind == Kind.DONE:
        game.ap_unused[seat] += before.ap
        game.mp_unused[seat] += before.mp
        record_sight(before, tables, tally)


@kernel
def record_activation(before, slot, tables, tally):
    """Count who was played."""
    if is_minion(slot):
        kind = tables.figure[before.fighter[slot].figure].measured
        tally.scratch.played[kind, seat_of(slot)] += 1
    else:
        tally.hero[hero_of(slot)].activations += 1


@kernel
def record_step(before, after, tables, tally):
    """Count a step, or the MP that a failed dodge cost."""
    seat = before.to_move
    for index in range(after.events):
        event = after.event[index]
        if event.what == Event.DODGED and event.cell != Dodge.FREE:
            tally.game.mp_lost[seat] += before.mp
            return
    tally.game.mp_spent[seat] += tables.move_mp
    if not is_minion(before.active):
        tally.hero[hero_of(before.active)].steps += 1


@kernel
def record_cast(before, spell, tally):
    """Count a spell of a Krosmaster."""
    if is_minion(before.active):
        return
    hero = tally.hero[hero_of(before.active)]
    hero.ability_uses += 1
    if spell == 0:
        hero.casts_1 += 1
    elif spell == 1:
        hero.casts_2 += 1
    else:
        hero.casts_3 += 1


@kernel
def record_favor(before, place, tables, tally):
    """Count a favor, with and without cost."""
    seat, game = before.to_move, tally.game
    cost = favor_cost(before, tables, seat)
    game.ap_favors[seat] += cost
    if cost > 0:
        game.favors_paid[seat] += 1
    else:
        game.favors_free[seat] += 1
    row = tables.row[tables.first_favor + before.favor[place]]
    tally.scratch.used[row.measured, seat] += 1
    tally.hero[hero_of(before.active)].favors += 1


@kernel
def record_sight(before, tables, tally):
    """Count enemies in range of damage spells of a Fighter that is done, and those it could not see.

    Range is what a cast would have, bonuses and boosts too (KB46); spells that need no sight or cannot aim at
    enemies are left out.
    """
    caster = np.int64(before.active)
    figure = tables.figure[before.fighter[caster].figure]
    glyphs = before.glyphs[seat_of(caster)]
    longer = before.next_range + passive_gain(before, tables, caster, glyphs, Gain.RANGE, np.int64(NONE))
    if before.ignore_los:
        return
    for spell in range(figure.first_spell, figure.first_spell + figure.spells):
        row = tables.row[spell]
        if row.damage > 0 and row.los and (row.target == Target.FIGHTER or row.target == Target.ENEMY):
            record_seen(before, tables, tally, row.low, row.high + longer)


@kernel
def record_seen(before, tables, tally, low, high):
    """Count the enemies at a distance from the active Fighter, and those that it does not see."""
    here, other = np.int64(before.fighter[before.active].cell), 1 - seat_of(before.active)
    node = tally.node[here]
    for slot in range(other * ROOM, other * ROOM + before.top[other]):
        cell = np.int64(before.fighter[slot].cell)
        if cell != NONE:
            away = distance(tables, here, cell)
            if low <= away and away <= high:
                node.in_range += 1
                node.out_of_sight += np.int64(not sees(before, tables, here, cell))


@kernel
def record_event(before, after, tables, tally, event, action):
    """Count one happening."""
    what = event.what
    if what == Event.ENTERED:
        tally.node[event.cell].visits += 1
    elif what == Event.INJURED:
        record_injury(tally, event, action)
    elif what == Event.KNOCKED_OUT:
        record_knock_out(after, tally, event)
    elif what == Event.HEALED:
        if not is_minion(event.whom):
            tally.hero[hero_of(event.whom)].healing += event.amount
    elif what == Event.CAPTURED:
        record_capture(tally, event)
    elif what == Event.ROLLED:
        if not is_minion(event.who):
            record_roll(tally.hero[hero_of(event.who)], event.amount)
    elif what == Event.DODGED:
        record_dodge(tally, event)
    elif what == Event.SUMMONED:
        tally.scratch.summoned[tables.figure[event.amount].measured, seat_of(event.who)] += 1
    elif what == Event.PLACED:
        tally.scratch.tiles[event.amount, seat_of(event.who)] += 1
        tally.node[event.cell].tiles += 1
    else:
        record_turn(after, tables, tally, event)


@kernel
def record_roll(hero, modifier):
    """Count a combat roll and what it did to the damage."""
    hero.rolls += 1
    hero.modifiers += modifier
    hero.raised += np.int32(modifier > 0)
    hero.lowered += np.int32(modifier < 0)


@kernel
def record_injury(tally, event, action):
    """Count an injury for who took it and for who dealt it."""
    who, by, amount = event.who, event.whom, event.amount
    if not is_minion(who):
        hero = tally.hero[hero_of(who)]
        if event.cell == Source.SPELL:
            hero.taken_spell += amount
        elif event.cell == Source.FIRE:
            hero.taken_fire += amount
        elif event.cell == Source.FAVOR:
            hero.taken_favor += amount
        else:
            hero.taken_bonus += amount
    if by == NONE or is_minion(by):
        return
    dealer = tally.hero[hero_of(by)]
    if seat_of(who) == seat_of(by):
        dealer.damage_own_side += amount
    elif event.cell == Source.SPELL:
        record_damage(dealer, min(LAST_SPELL, which_of(action)), amount)


@kernel
def record_damage(dealer, spell, amount):
    """Count damage by the number of the spell."""
    if spell == 0:
        dealer.damage_1 += amount
    elif spell == 1:
        dealer.damage_2 += amount
    else:
        dealer.damage_3 += amount


@kernel
def record_knock_out(after, tally, event):
    """Count a knock-out."""
    who, by = event.who, event.whom
    tally.node[event.cell].knock_outs += 1
    if is_minion(who):
        tally.game.minions_killed[seat_of(who)] += 1
        return
    hero = tally.hero[hero_of(who)]
    hero.knocked_out, hero.ko_turn = 1, after.turn
    tally.game.kos += 1
    if tally.game.first_ko_turn == 0:
        tally.game.first_ko_turn = after.turn
    if by != NONE and not is_minion(by) and seat_of(by) != seat_of(who):
        tally.hero[hero_of(by)].kos_made += 1


@kernel
def record_capture(tally, event):
    """Count a capture; `amount` 1 for one from the other seat."""
    seat = seat_of(event.who)
    tally.game.captures[seat] += 1
    tally.game.recaptures[seat] += event.amount
    tally.hero[hero_of(event.who)].captures += 1
    tally.node[event.cell].captures += 1


@kernel
def record_dodge(tally, event):
    """Count a dodge roll by its dice and its result."""
    seat, game = seat_of(event.who), tally.game
    if event.amount == 1:
        game.dodges_1[seat] += 1
    elif event.amount == 2:
        game.dodges_2[seat] += 1
    else:
        game.dodges_3[seat] += 1
    if event.cell == Dodge.FREE:
        game.dodged[seat] += 1
    elif event.cell == Dodge.CAUGHT:
        game.caught[seat] += 1
    else:
        game.tackled[seat] += 1


@kernel
def record_turn(after, tables, tally, event):
    """Count reveals, turns begun, and where everything stands when a turn ends."""
    if event.what == Event.REVEALED:
        tally.scratch.shown[tables.row[tables.first_favor + event.amount].measured] += 1
    elif event.what == Event.TURN_BEGAN:
        tally.game.turns_begun[event.who] += 1
        tally.game.dofus_turns[event.who] += np.int32(after.dofus == event.who)
    else:
        record_turn_end(after, tally, event.amount)


@kernel
def record_turn_end(after, tally, turn):
    """Count Glyph cells, lead changes and occupied cells at the end of a turn."""
    for seat in range(PLAYERS):
        tally.scratch.glyphs[turn - 1, seat] = after.glyphs[seat]
        for slot in range(seat * ROOM, seat * ROOM + after.top[seat]):
            if after.fighter[slot].cell != NONE:
                tally.node[after.fighter[slot].cell].occupied += 1
    if after.glyphs[0] != after.glyphs[1]:
        leader = 0 if after.glyphs[0] > after.glyphs[1] else 1
        tally.game.lead_changes += np.int32(tally.scratch.leader == 1 - leader)
        tally.scratch.leader = leader


@kernel
def record_end(after, tables, tally):
    """Facts of the finished game."""
    tally.game.neutral_glyphs = tables.glyph_cells - after.glyphs[0] - after.glyphs[1]
    for turn in range(
        after.turn - 1, tables.turns
    ):  # who held what when the game ended holds it to the last turn
        for seat in range(PLAYERS):
            tally.scratch.glyphs[turn, seat] = after.glyphs[seat]
    carry_over(tally)
