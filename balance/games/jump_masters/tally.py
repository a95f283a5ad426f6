"""Counts of one game, from what each ply wrote down (section 14)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.board import (
    friends,
    hero_at,
    in_own_zone,
    seat_of,
)
from balance.games.jump_masters.layout import (
    SLOTS,
    Event,
    Kind,
    Phase,
    WinBy,
    kind_of,
    slot_of,
)
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel


@kernel
def record_ply(before, action, after, tables, tally):
    """Add one ply to the tally; `before.ply` 0 begins a new game."""
    if before.ply == 0:
        tally.scratch.leader = NONE
    kind = kind_of(action)
    if kind >= Kind.STEP and kind <= Kind.JUMP:
        record_action(before, kind, slot_of(action), tally)
    elif kind == Kind.PASS:
        tally.game.passes += 1
    for index in range(after.events):
        record_event(before, after, tables, tally, after.event[index], kind)
    record_lead(after, tables, tally)
    if after.status == OVER:
        record_end(before, after, tables, tally)


@kernel
def record_action(before, kind, slot, tally):
    """Count the action of a hero, and the turns in which it acted or jumped."""
    hero = tally.hero[slot]
    if before.phase == Phase.TURN:
        hero.turns_acted += 1
        if kind == Kind.JUMP:
            tally.game.jump_turns += 1
    if kind == Kind.STEP:
        hero.steps += 1
    elif kind == Kind.RUN:
        hero.runs += 1


@kernel
def record_event(before, after, tables, tally, event, kind):
    """Count one happening."""
    what = event.what
    if what == Event.ENTERED:
        tally.node[event.node].visits += 1
        tally.node[event.node].power_entries += tables.power[event.node]
    elif what == Event.JUMPED:
        tally.game.jumps += 1
        tally.hero[event.who].jumps += 1
    elif what == Event.USED:
        tally.hero[event.who].ability_uses += 1
    elif what == Event.PAID:
        tally.hero[event.who].energy_spent += event.amount
    elif what <= Event.ABILITY_GAIN:
        record_gain(tally, event)
    elif what <= Event.ABILITY_LOSS:
        record_loss(tables, tally, event, kind)
    elif what <= Event.ATTACKER_LOST:
        record_removal(tables, tally, event, kind)
    elif what == Event.REDEPLOYED:
        tally.node[event.node].visits += 1
        tally.game.redeployments += np.int32(before.turn > 0)
    elif what == Event.TURN_BEGAN:
        record_turn(after, tables, tally, event)
    elif what == Event.HILL:
        record_hill(after, tables, tally, event)


@kernel
def record_gain(tally, event):
    """Count energy gained, by source."""
    seat = seat_of(event.who)
    tally.hero[event.who].energy_gained += event.amount
    if event.what == Event.ENERGIZED:
        tally.game.energized[seat] += event.amount
    elif event.what == Event.FIRST_JUMP:
        tally.game.first_jump_energy[seat] += event.amount
    elif event.what == Event.POWERED:
        tally.game.power_energy[seat] += event.amount
        tally.node[event.node].energy += event.amount
    else:
        tally.game.ability_energy[seat] += event.amount


@kernel
def record_loss(tables, tally, event, kind):
    """Count energy lost, and friends hit by Frog Bow (JM51)."""
    tally.game.energy_lost[seat_of(event.who)] += event.amount
    if kind == Kind.FROG_BOW and friends(tables, event.who, event.whom):
        tally.game.friends_hit += 1


@kernel
def record_removal(tables, tally, event, kind):
    """Count a removal and the VP it gave, by source."""
    loser, winner = event.who, event.whom
    tally.node[event.node].removals += 1
    tally.hero[loser].removals_suffered += 1
    tally.hero[loser].vp_conceded += event.amount
    if friends(tables, loser, winner):
        tally.game.friends_removed += 1
        return
    side = tables.side_of[seat_of(winner)]
    tally.hero[winner].removals_made += 1
    tally.hero[winner].vp_earned += event.amount
    if event.what == Event.ATTACKER_LOST:
        tally.game.attackers_lost += 1
        tally.game.vp_lost_attack[side] += event.amount
    elif kind == Kind.JUMP:
        tally.game.vp_attack[side] += event.amount
        tally.game.double_removals += np.int32(event.amount == 0)
    elif kind == Kind.FIRE_STEP:
        tally.game.vp_fire_step[side] += event.amount
    elif kind == Kind.FROG_BOW:
        tally.game.vp_frog_bow[side] += event.amount
    elif kind == Kind.BLOOD_BOON:
        tally.game.vp_blood_boon[side] += event.amount
    else:
        tally.game.vp_missile_go[side] += event.amount


@kernel
def record_turn(after, tables, tally, event):
    """Count where everybody stands when a turn begins."""
    seat = event.who
    tally.game.turns_begun[seat] += 1
    tally.game.hill_turns[seat] += event.amount
    for slot in range(SLOTS):
        hero = after.hero[slot]
        if hero.kind == NONE or hero.node == NONE:
            continue
        tally.node[hero.node].occupied += 1
        if seat_of(slot) == seat:
            tally.game.board_energy[seat] += hero.energy
            record_start(after, tables, tally, slot)


@kernel
def record_start(after, tables, tally, slot):
    """Count whether a hero begins its seat's turn on the Hill, in its zone, or elsewhere."""
    node = after.hero[slot].node
    if tables.hill[node]:
        tally.hero[slot].starts_on_hill += 1
    if in_own_zone(after, tables, slot, node):
        tally.hero[slot].starts_in_zone += 1
    else:
        tally.hero[slot].starts_off_zone += 1


@kernel
def record_hill(after, tables, tally, event):
    """Count a Hill VP, and the nodes from which it was held."""
    side = tables.side_of[event.who]
    tally.game.vp_hill[side] += event.amount
    for index in range(4):
        node = tables.hill_node[index]
        slot = hero_at(after, node)
        if slot != NONE:
            holds = tables.side_of[seat_of(slot)] == side if tables.team_hill else seat_of(slot) == event.who
            if holds:
                tally.node[node].hill_vp += event.amount


@kernel
def record_lead(after, tables, tally):
    """Follow who leads by how much."""
    best, leader = -1, NONE
    for side in range(tables.sides):
        if after.vp[side] > best:
            best, leader = after.vp[side], side
        elif after.vp[side] == best:
            leader = NONE
    for side in range(tables.sides):
        deficit = best - after.vp[side]
        if deficit > tally.scratch.behind[side]:
            tally.scratch.behind[side] = deficit
    if leader != NONE and leader != tally.scratch.leader:
        tally.game.lead_changes += np.int32(tally.scratch.leader != NONE)
        tally.scratch.leader = leader
        tally.scratch.lead_turn = after.turn


@kernel
def record_end(before, after, tables, tally):
    """Facts of the finished game."""
    game = tally.game
    for seat in range(tables.seats):
        game.zone[seat] = after.zone[seat]
        game.vp[seat] = after.vp[seat]
    if after.winner != NONE:
        game.comeback = tally.scratch.behind[after.winner]
        game.decided_turn = tally.scratch.lead_turn
        game.win_by = winning_kind(after, tables)
    for slot in range(SLOTS):
        hero = after.hero[slot]
        if hero.kind != NONE:
            tally.hero[slot].second = hero.second


@kernel
def winning_kind(after, tables):
    """What brought the winning VP: the last thing in the ply that scored."""
    for index in range(after.events - 1, -1, -1):
        event = after.event[index]
        if event.what == Event.HILL:
            return np.int64(WinBy.HILL)
        if event.what == Event.ATTACKER_LOST:
            return np.int64(WinBy.LOST_ATTACK)
        if event.what == Event.REMOVED and event.amount > 0:
            by_jump = index > 0 and after.event[0].what == Event.JUMPED
            return np.int64(WinBy.ATTACK) if by_jump else np.int64(WinBy.ABILITY)
    return np.int64(WinBy.NONE)
