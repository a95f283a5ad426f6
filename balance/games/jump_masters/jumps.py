"""Jumps: energizing, attacking, and the abilities that are part of a jump (sections 7 and 8)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.board import (
    beyond,
    check_target,
    enter,
    first,
    free_for,
    free_nodes,
    friends,
    gain,
    has,
    hero_at,
    in_own_zone,
    lift,
    note,
    remove,
    seat_of,
    sheltered,
)
from balance.games.jump_masters.layout import (
    DIRECTIONS,
    EXTRA_SHIFT,
    LENGTH_SHIFT,
    PATH_SHIFT,
    Event,
    Extra,
    Hero,
    Kind,
    direction_of,
    extra_of,
    length_of,
    node_of,
    pack,
    slot_of,
)
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel

LONG = 4  # bit of Off the Top Rope in `jump_options`, after one bit for each Extra


@kernel
def able(state, tables, slot, kind):
    """Whether the hero is of this kind and its ability is not switched off."""
    return state.hero[slot].kind == kind and tables.able[kind] != 0


@kernel
def stalwart(state, tables, slot):
    """How much of each loss by an ability this hero prevents (JM46)."""
    return tables.stalwart_prevention if able(state, tables, slot, Hero.TORTURN) else 0


@kernel
def may_jump_over(state, tables, slot, other):
    """Whether section 7 lets a hero jump over another that stands next in line (JM25, JM35, JM37)."""
    if state.hero[other].jumped:
        return False
    if friends(tables, slot, other):
        return True
    return not sheltered(state, tables, state.hero[slot].node) and not sheltered(
        state, tables, state.hero[other].node
    )


@kernel
def may_land(state, tables, node, free_low, free_high, attacking):
    """Whether a jumper may land: on a free node (JM23), outside used zones if `end_in_zone` is off (JM36)."""
    if node == NONE or not has(free_low, free_high, tables, node):
        return False
    return not attacking or tables.end_in_zone != 0 or not sheltered(state, tables, node)


@kernel
def energizes_over(state, tables, slot, friend):
    """Whether a jump over this friend gives energy (JM24): friend outside zones, or a first jump (JM38)."""
    hero = state.hero[slot]
    if hero.energy >= tables.maximum[hero.kind]:
        return False
    node = state.hero[friend].node
    return not sheltered(state, tables, node) or (hero.fresh != 0 and in_own_zone(state, tables, slot, node))


@kernel
def jump_options(state, tables, slot, direction, free_low, free_high):
    """The jumps in one direction where a node follows, as bits: one for each Extra, then LONG."""
    hero = state.hero[slot]
    near = beyond(tables, hero.node, direction)
    other = hero_at(state, near)
    options = 0
    if other != NONE and may_jump_over(state, tables, slot, other):
        attacking = not friends(tables, slot, other)
        if may_land(state, tables, beyond(tables, near, direction), free_low, free_high, attacking):
            options = 1 << Extra.PLAIN
            if state.used == 0:
                options |= extra_options(state, tables, slot, other, attacking)
    if leaps(state, tables, slot):
        options |= long_option(state, tables, slot, direction, free_low, free_high)
    return options


@kernel
def extra_options(state, tables, slot, other, attacking):
    """Which ability may be part of a plain jump over `other`, as bits."""
    hero = state.hero[slot]
    room = tables.maximum[hero.kind] - hero.energy
    if not attacking:
        return aura_option(state, tables, slot, other)
    if able(state, tables, slot, Hero.PARENA) and room >= tables.windstorm_gain:  # JM45, JM59
        return 1 << Extra.WINDSTORM
    if able(state, tables, slot, Hero.WUFFRYDER) and room >= tables.swipe_out_steal:  # JM45
        kept = state.hero[other].energy > tables.swipe_out_steal  # JM58
        if kept and stalwart(state, tables, other) == 0:
            return 1 << Extra.SWIPE_OUT
    return 0


@kernel
def aura_option(state, tables, slot, friend):
    """Aura: Freeda outside zones, energizing by this jump, and room for all of it (JM44, JM45, JM68)."""
    if not able(state, tables, slot, Hero.FREEDA) or sheltered(state, tables, state.hero[slot].node):
        return 0
    other = state.hero[friend]
    room = tables.maximum[other.kind] - other.energy
    if energizes_over(state, tables, slot, friend) and room >= tables.aura_gain:
        return 1 << Extra.AURA
    return 0


@kernel
def long_option(state, tables, slot, direction, free_low, free_high):
    """Off the Top Rope: over two nodes, at least one with an opposing hero (JM55)."""
    origin = state.hero[slot].node
    near = beyond(tables, origin, direction)
    far = beyond(tables, near, direction)
    if far == NONE or tables.blocked[near] or tables.blocked[far]:
        return 0
    if not may_land(state, tables, beyond(tables, far, direction), free_low, free_high, True):
        return 0
    opposing = 0
    for node in (near, far):
        other = hero_at(state, node)
        if other != NONE:
            if not may_jump_over(state, tables, slot, other):
                return 0
            opposing += 0 if friends(tables, slot, other) else 1
    return 1 << LONG if opposing else 0


@kernel
def leaps(state, tables, slot):
    """Whether the hero is a Pinkbeary that may use its ability here and now."""
    if not able(state, tables, slot, Hero.PINKBEARY) or state.used != 0:
        return False
    return not sheltered(state, tables, state.hero[slot].node)


@kernel
def heroes_beside(state, tables, slot):
    """Nodes next to the hero where somebody stands, as a set."""
    node = state.hero[slot].node
    return tables.around[node, 0] & state.occupied[0], tables.around[node, 1] & state.occupied[1]


@kernel
def direction_to(tables, node, near):
    """Direction from a node to a neighbour: STEPS run in node order."""
    columns = np.int64(tables.column[near] - tables.column[node])
    rows = np.int64(tables.row[near] - tables.row[node])
    number = 3 * columns + rows + 4
    return number - np.int64(number > 4)


@kernel
def worth_a_leap(state, tables, node, direction):
    """Whether somebody stands next in line or second."""
    near = beyond(tables, node, direction)
    if near == NONE:
        return False
    if hero_at(state, near) != NONE:
        return True
    far = beyond(tables, near, direction)
    return far != NONE and hero_at(state, far) != NONE


@kernel
def any_jump(state, tables, slot):
    """Whether the hero has any jump."""
    node = state.hero[slot].node
    near_low, near_high = heroes_beside(state, tables, slot)
    leaper = leaps(state, tables, slot)
    if not leaper and not (near_low | near_high):
        return False
    low, high = free_nodes(state, tables, seat_of(slot), node)
    for direction in range(DIRECTIONS):
        if worth_a_leap(state, tables, node, direction):
            if jump_options(state, tables, slot, direction, low, high):
                return True
    return False


@kernel
def list_jumps(state, tables, slot, low, high, actions, filled):
    """Append all jumps of one hero of a seat with these free nodes; returns the new number of actions."""
    near_low, near_high = heroes_beside(state, tables, slot)
    if leaps(state, tables, slot):
        return list_leaps(state, tables, slot, low, high, actions, filled)
    if not (near_low | near_high):
        return filled
    node = state.hero[slot].node
    low, high = free_for(state, tables, slot, low, high)
    while near_low | near_high:
        near = first(near_low, near_high)
        near_low &= ~tables.bit[near, 0]
        near_high &= ~tables.bit[near, 1]
        direction = direction_to(tables, node, near)
        options = jump_options(state, tables, slot, direction, low, high)
        if options:
            filled = list_direction(state, tables, slot, direction, options, actions, filled)
    return filled


@kernel
def list_leaps(state, tables, slot, low, high, actions, filled):
    """Append the jumps of a Pinkbeary, over one node or two; returns the new number of actions."""
    node = state.hero[slot].node
    low, high = free_for(state, tables, slot, low, high)
    for direction in range(DIRECTIONS):
        if worth_a_leap(state, tables, node, direction):
            options = jump_options(state, tables, slot, direction, low, high)
            if options:
                filled = list_direction(state, tables, slot, direction, options, actions, filled)
    return filled


@kernel
def list_direction(state, tables, slot, direction, options, actions, filled):
    """Append the jumps of one hero in one direction; returns the new number of actions."""
    near = beyond(tables, state.hero[slot].node, direction)
    landing = beyond(tables, near, direction)
    for extra in range(LONG):
        if options & (1 << extra):
            actions[filled] = pack_jump(slot, landing, extra, 2, direction)
            filled += 1
    if options & (1 << LONG):
        actions[filled] = pack_jump(slot, beyond(tables, landing, direction), Extra.PLAIN, 3, direction)
        filled += 1
    return filled


@kernel
def pack_jump(slot, landing, extra, length, direction):
    """The action of one jump."""
    more = (np.int64(extra) << EXTRA_SHIFT) | (np.int64(length) << LENGTH_SHIFT)
    return pack(Kind.JUMP, slot, landing) | more | (np.int64(direction) << PATH_SHIFT)


@kernel
def do_jump(state, tables, action):
    """Play a jump up to and including the landing; the hero is off the board after a lost attack (JM29)."""
    slot, extra, length = slot_of(action), extra_of(action), length_of(action)
    direction = direction_of(action, 0)
    state.acting = slot
    note(state, Event.JUMPED, slot, NONE, 0, node_of(action))
    if extra != Extra.PLAIN or length > 2:
        state.used = 1
        note(state, Event.USED, slot, NONE, 0, NONE)
    over = beyond(tables, state.hero[slot].node, direction)
    lift(state, tables, slot)
    for _ in range(length - 1):
        other = hero_at(state, over)
        if other != NONE:
            jump_over(state, tables, slot, other, extra)
        if state.status == OVER or state.hero[slot].energy == 0:
            return
        over = beyond(tables, over, direction)
    enter(state, tables, slot, node_of(action))  # JM31: the landing comes last


@kernel
def jump_over(state, tables, slot, other, extra):
    """What passing one hero does: energize, attack, or Swipe Out."""
    state.hero[other].jumped = 1
    if friends(tables, slot, other):
        energize(state, tables, slot, other)
        if extra == Extra.AURA:
            amount = gain(state, tables, other, tables.aura_gain)
            note(state, Event.ABILITY_GAIN, other, slot, amount, state.hero[other].node)
    elif extra == Extra.SWIPE_OUT:
        steal(state, tables, slot, other, tables.swipe_out_steal)
    else:
        if extra == Extra.WINDSTORM:
            amount = gain(state, tables, slot, tables.windstorm_gain)
            note(state, Event.ABILITY_GAIN, slot, slot, amount, NONE)
        attack(state, tables, slot, other)


@kernel
def energize(state, tables, slot, friend):
    """Gain energy over a friend, or just pass (JM24, JM38, JM39)."""
    if energizes_over(state, tables, slot, friend):
        amount = gain(state, tables, slot, tables.energize_gain)
        first_jump = sheltered(state, tables, state.hero[friend].node)
        what = np.int64(Event.FIRST_JUMP) if first_jump else np.int64(Event.ENERGIZED)
        note(state, what, slot, friend, amount, state.hero[friend].node)


@kernel
def steal(state, tables, slot, victim, amount):
    """Move energy from one hero to another."""
    state.hero[victim].energy -= amount
    state.hero[slot].energy += amount
    note(state, Event.ABILITY_LOSS, victim, slot, amount, state.hero[victim].node)
    note(state, Event.ABILITY_GAIN, slot, slot, amount, state.hero[slot].node)


@kernel
def attack(state, tables, slot, target):
    """Both lose the smaller energy; who is at 0 is removed and the other side scores (JM28, JM63)."""
    attacker, victim = state.hero[slot], state.hero[target]
    node = victim.node
    loss = min(attacker.energy, victim.energy)
    attacker.energy -= loss
    victim.energy -= loss
    note(state, Event.ATTACK_LOSS, slot, target, loss, node)
    note(state, Event.ATTACK_LOSS, target, slot, loss, node)
    winner, loser = slot, target
    what = np.int64(Event.REMOVED)
    if attacker.energy == 0:
        winner, loser = target, slot
        what = np.int64(Event.ATTACKER_LOST)
    elif victim.energy > 0:
        return
    worth = tables.maximum[state.hero[loser].kind]
    side = tables.side_of[seat_of(winner)]
    note(state, what, loser, winner, worth, node)
    remove(state, tables, loser)
    if state.hero[winner].energy == 0:  # both gone: only the target's side scores
        note(state, Event.REMOVED, winner, loser, 0, node)
        remove(state, tables, winner)
    state.vp[side] += worth
    check_target(state, tables, side)
