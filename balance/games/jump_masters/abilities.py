"""Abilities outside jumps: Frog Bow, Blood Boon, Ensnare, Missile Go (section 8)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.board import (
    beyond,
    can_enter,
    check_target,
    enter,
    friends,
    hero_at,
    lift,
    note,
    remove,
    seat_of,
    sheltered,
)
from balance.games.jump_masters.jumps import able, stalwart, steal
from balance.games.jump_masters.layout import (
    DIRECTIONS,
    SLOTS,
    Event,
    Hero,
    Kind,
    node_of,
    pack,
    slot_of,
)
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel


@kernel
def distance(tables, node, other):
    """King steps between two nodes."""
    columns = abs(tables.column[node] - tables.column[other])
    rows = abs(tables.row[node] - tables.row[other])
    return max(columns, rows)


@kernel
def harm(tables, state, slot, damage):
    """What an ability of this damage takes from a hero (JM46)."""
    return max(0, damage - stalwart(state, tables, slot))


@kernel
def blocks_ability(state, tables, slot):
    """Whether no ability that takes energy can be used on this hero (`stalwart_mode: blocks`)."""
    return tables.stalwart_blocks != 0 and stalwart(state, tables, slot) > 0


@kernel
def opposing_target(state, tables, slot, other):
    """Whether `other` is an opposing hero on the board outside the zones."""
    hero = state.hero[other]
    if hero.kind == NONE or hero.node == NONE or friends(tables, slot, other):
        return False
    return not sheltered(state, tables, hero.node)


@kernel
def hurt(state, tables, slot, victim, damage):
    """Take energy by an ability, remove the hero at 0, score if it is opposing (JM53); no target check."""
    hero = state.hero[victim]
    node = hero.node
    loss = min(hero.energy, harm(tables, state, victim, damage))
    hero.energy -= loss
    note(state, Event.ABILITY_LOSS, victim, slot, loss, node)
    if hero.energy == 0:
        worth = 0 if friends(tables, slot, victim) else tables.maximum[hero.kind]
        note(state, Event.REMOVED, victim, slot, worth, node)
        remove(state, tables, victim)
        state.vp[tables.side_of[seat_of(slot)]] += worth


@kernel
def pay(state, slot, cost):
    """Spend energy on an ability."""
    state.hero[slot].energy -= cost
    note(state, Event.USED, slot, NONE, 0, NONE)
    note(state, Event.PAID, slot, NONE, cost, NONE)


# --- Frog Bow, Blood Boon: after a step ----------------------------------------------------------


@kernel
def line_target(state, tables, slot, direction, reach):
    """Nodes along a line up to `reach` or a blocked node (JM52): the number of nodes that are open."""
    node = state.hero[slot].node
    for far in range(reach):
        node = beyond(tables, node, direction)
        if node == NONE or tables.blocked[node]:
            return far
    return reach


@kernel
def may_frog_bow(state, tables, slot, other):
    """Whether Hopper may shoot this hero, line and range apart (JM46, JM51)."""
    if sheltered(state, tables, state.hero[other].node) or blocks_ability(state, tables, other):
        return False
    if friends(tables, slot, other) and tables.friendly_fire == 0:
        return False
    return harm(tables, state, other, tables.frog_bow_damage) > 0


@kernel
def list_frog_bows(state, tables, slot, actions, filled):
    """Append all Frog Bow shots; returns the new number of actions."""
    hero = state.hero[slot]
    if not able(state, tables, slot, Hero.HOPPER) or sheltered(state, tables, hero.node):
        return filled
    for direction in range(DIRECTIONS):
        node = hero.node
        for _ in range(line_target(state, tables, slot, direction, tables.frog_bow_range)):
            node = beyond(tables, node, direction)
            other = hero_at(state, node)
            if other != NONE and may_frog_bow(state, tables, slot, other):
                actions[filled] = pack(Kind.FROG_BOW, slot, node)
                filled += 1
    return filled


@kernel
def any_frog_bow(state, tables, slot):
    """Whether Hopper has a target."""
    hero = state.hero[slot]
    if not able(state, tables, slot, Hero.HOPPER) or sheltered(state, tables, hero.node):
        return False
    for direction in range(DIRECTIONS):
        node = hero.node
        for _ in range(line_target(state, tables, slot, direction, tables.frog_bow_range)):
            node = beyond(tables, node, direction)
            if hero_at(state, node) != NONE and may_frog_bow(state, tables, slot, hero_at(state, node)):
                return True
    return False


@kernel
def may_blood_boon(state, tables, slot, other):
    """Whether Katula may steal from this adjacent hero in full (JM45, JM54)."""
    if not opposing_target(state, tables, slot, other) or stalwart(state, tables, other) > 0:
        return False
    return state.hero[other].energy >= tables.blood_boon_steal


@kernel
def has_blood_boon(state, tables, slot):
    """Whether Katula's ability is open to her where she stands."""
    hero = state.hero[slot]
    if not able(state, tables, slot, Hero.KATULA) or sheltered(state, tables, hero.node):
        return False
    return hero.energy + tables.blood_boon_steal <= tables.maximum[hero.kind]


@kernel
def list_blood_boons(state, tables, slot, actions, filled):
    """Append all Blood Boons; returns the new number of actions."""
    if not has_blood_boon(state, tables, slot):
        return filled
    for direction in range(DIRECTIONS):
        node = beyond(tables, state.hero[slot].node, direction)
        if (
            node != NONE
            and hero_at(state, node) != NONE
            and may_blood_boon(state, tables, slot, hero_at(state, node))
        ):
            actions[filled] = pack(Kind.BLOOD_BOON, slot, node)
            filled += 1
    return filled


@kernel
def any_blood_boon(state, tables, slot):
    """Whether Katula has a target."""
    if not has_blood_boon(state, tables, slot):
        return False
    for direction in range(DIRECTIONS):
        node = beyond(tables, state.hero[slot].node, direction)
        if (
            node != NONE
            and hero_at(state, node) != NONE
            and may_blood_boon(state, tables, slot, hero_at(state, node))
        ):
            return True
    return False


@kernel
def do_frog_bow(state, tables, action):
    """Play a Frog Bow shot."""
    slot = slot_of(action)
    note(state, Event.USED, slot, NONE, 0, NONE)
    hurt(state, tables, slot, hero_at(state, node_of(action)), tables.frog_bow_damage)
    check_target(state, tables, tables.side_of[seat_of(slot)])


@kernel
def do_blood_boon(state, tables, action):
    """Play a Blood Boon; it may remove the victim."""
    slot = slot_of(action)
    victim = hero_at(state, node_of(action))
    note(state, Event.USED, slot, NONE, 0, NONE)
    steal(state, tables, slot, victim, tables.blood_boon_steal)
    if state.hero[victim].energy == 0:
        worth = tables.maximum[state.hero[victim].kind]
        note(state, Event.REMOVED, victim, slot, worth, node_of(action))
        remove(state, tables, victim)
        side = tables.side_of[seat_of(slot)]
        state.vp[side] += worth
        check_target(state, tables, side)


# --- Ensnare: after a jump -----------------------------------------------------------------------


@kernel
def may_ensnare(state, tables, slot, other, towards):
    """Whether Roara may pull this hero onto `towards`, the next node to her (JM56)."""
    if not opposing_target(state, tables, slot, other) or hero_at(state, towards) != NONE:
        return False
    return can_enter(state, tables, seat_of(other), state.hero[other].node, towards)


@kernel
def has_ensnare(state, tables, slot):
    """Whether Roara's ability is open to her where she stands."""
    return (
        state.used == 0
        and able(state, tables, slot, Hero.ROARA)
        and not sheltered(state, tables, state.hero[slot].node)
    )


@kernel
def list_ensnares(state, tables, slot, actions, filled):
    """Append all Ensnares; returns the new number of actions."""
    if not has_ensnare(state, tables, slot):
        return filled
    for direction in range(DIRECTIONS):
        node = state.hero[slot].node
        for _ in range(line_target(state, tables, slot, direction, tables.ensnare_range)):
            towards = node
            node = beyond(tables, node, direction)
            if hero_at(state, node) != NONE and may_ensnare(
                state, tables, slot, hero_at(state, node), towards
            ):
                actions[filled] = pack(Kind.ENSNARE, slot, node)
                filled += 1
    return filled


@kernel
def any_ensnare(state, tables, slot):
    """Whether Roara has a target."""
    if not has_ensnare(state, tables, slot):
        return False
    for direction in range(DIRECTIONS):
        node = state.hero[slot].node
        for _ in range(line_target(state, tables, slot, direction, tables.ensnare_range)):
            towards = node
            node = beyond(tables, node, direction)
            if hero_at(state, node) != NONE and may_ensnare(
                state, tables, slot, hero_at(state, node), towards
            ):
                return True
    return False


@kernel
def do_ensnare(state, tables, action):
    """Play an Ensnare: the target is put one node nearer."""
    slot, node = slot_of(action), node_of(action)
    state.used = 1
    note(state, Event.USED, slot, NONE, 0, NONE)
    target = hero_at(state, node)
    column = sign(tables.column[state.hero[slot].node] - tables.column[node])
    row = sign(tables.row[state.hero[slot].node] - tables.row[node])
    lift(state, tables, target)
    enter(state, tables, target, node + column * tables.height + row)


@kernel
def sign(number):
    """-1, 0 or 1."""
    return np.int64(number > 0) - np.int64(number < 0)


# --- Missile Go ----------------------------------------------------------------------------------


@kernel
def list_missiles(state, tables, slot, actions, filled):
    """Append all Missile Go shots (JM57); returns the new number of actions."""
    hero = state.hero[slot]
    if not able(state, tables, slot, Hero.UNNI) or sheltered(state, tables, hero.node):
        return filled
    if hero.energy <= tables.missile_go_cost:
        return filled
    for other in range(SLOTS):
        if opposing_target(state, tables, slot, other) and not blocks_ability(state, tables, other):
            node = state.hero[other].node
            if distance(tables, hero.node, node) <= tables.missile_go_range:
                actions[filled] = pack(Kind.MISSILE_GO, slot, node)
                filled += 1
    return filled


@kernel
def do_missile_go(state, tables, action):
    """Play a Missile Go."""
    slot = slot_of(action)
    pay(state, slot, tables.missile_go_cost)
    hurt(state, tables, slot, hero_at(state, node_of(action)), tables.missile_go_damage)
    check_target(state, tables, tables.side_of[seat_of(slot)])
