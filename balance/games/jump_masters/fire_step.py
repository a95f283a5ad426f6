"""Fire Step: Burnny walks through opposing heroes (section 8)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.abilities import blocks_ability, hurt, pay
from balance.games.jump_masters.board import (
    beyond,
    can_enter,
    check_target,
    enter,
    friends,
    hero_at,
    lift,
    pass_through,
    seat_of,
    sheltered,
)
from balance.games.jump_masters.jumps import able
from balance.games.jump_masters.layout import (
    DIRECTIONS,
    LENGTH_SHIFT,
    PATH_SHIFT,
    Hero,
    Kind,
    direction_of,
    length_of,
    node_of,
    pack,
    slot_of,
)
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel


@kernel
def may_fire_step(state, tables, slot):
    """Whether Burnny may start a Fire Step: outside zones (JM70), keeping at least 1."""
    if not able(state, tables, slot, Hero.BURNNY) or sheltered(state, tables, state.hero[slot].node):
        return False
    return state.hero[slot].energy > tables.fire_step_cost


@kernel
def fire_passes(state, tables, slot, origin, node):
    """Whether a Fire Step may go through `node`: no zone, no friend, no Torturn that blocks (JM70, JM46)."""
    if not can_enter(state, tables, seat_of(slot), origin, node) or sheltered(state, tables, node):
        return False
    other = hero_at(state, node)
    return other == NONE or (not friends(tables, slot, other) and not blocks_ability(state, tables, other))


@kernel
def fire_ends(state, tables, slot, origin, node):
    """Whether a Fire Step may end on `node`: the own start node cannot be met (it is occupied)."""
    if not can_enter(state, tables, seat_of(slot), origin, node) or hero_at(state, node) != NONE:
        return False
    return tables.end_in_zone != 0 or not sheltered(state, tables, node)


@kernel
def list_fire_steps(state, tables, slot, actions, filled):
    """Append all Fire Steps of one hero; returns the new number of actions."""
    if not may_fire_step(state, tables, slot):
        return filled
    if tables.fire_step_bent:
        return list_bent(state, tables, slot, actions, filled)
    for direction in range(DIRECTIONS):
        filled = list_straight(state, tables, slot, direction, actions, filled)
    return filled


@kernel
def list_straight(state, tables, slot, direction, actions, filled):
    """Append the straight Fire Steps in one direction (JM48, JM49)."""
    node = state.hero[slot].node
    path = np.int64(0)
    for length in range(1, tables.fire_step_steps + 1):
        origin = node
        node = beyond(tables, origin, direction)
        path |= np.int64(direction) << (PATH_SHIFT + 3 * (length - 1))
        if length >= tables.fire_step_min_steps and fire_ends(state, tables, slot, origin, node):
            actions[filled] = pack(Kind.FIRE_STEP, slot, node) | (np.int64(length) << LENGTH_SHIFT) | path
            filled += 1
        if not fire_passes(state, tables, slot, origin, node):
            break
    return filled


@kernel
def list_bent(state, tables, slot, actions, filled):
    """Append the bent Fire Steps, walking all paths in node order, so that the first twin comes first (JM73).

    The upper half of `actions` keeps a signature (end, energy, heroes passed) of each one listed.
    """
    begun = filled
    steps = tables.fire_step_steps
    path = np.int64(0)  # directions so far, three bits each
    turn = np.int64(0)  # next direction to try at each depth, four bits each
    depth = 0
    while depth >= 0:
        tried = (turn >> (4 * depth)) & 15
        if tried == DIRECTIONS or depth == steps:
            turn &= ~(np.int64(15) << (4 * depth))
            depth -= 1
            path &= ~(np.int64(7) << (3 * depth)) if depth >= 0 else np.int64(-1)
            continue
        turn += np.int64(1) << (4 * depth)
        longer = path | (np.int64(tried) << (3 * depth))
        if not path_is_new(state, tables, slot, longer, depth + 1):
            continue
        filled = offer_bent(state, tables, slot, longer, depth + 1, actions, begun, filled)
        if goes_through(state, tables, slot, longer, depth + 1):
            path = longer
            depth += 1
    return filled


@kernel
def path_node(state, tables, slot, path, length):
    """The node that a path of directions leads to, NONE when it leaves the board."""
    node = state.hero[slot].node
    for index in range(length):
        if node != NONE:
            node = beyond(tables, node, (path >> (3 * index)) & 7)
    return node


@kernel
def path_is_new(state, tables, slot, path, length):
    """Whether the last node of a path is on the board, not the start and not met before."""
    node = path_node(state, tables, slot, path, length)
    if node == NONE:
        return False
    for shorter in range(length):
        if path_node(state, tables, slot, path, shorter) == node:
            return False
    return True


@kernel
def goes_through(state, tables, slot, path, length):
    """Whether the walk may go on beyond the last node of the path."""
    origin = path_node(state, tables, slot, path, length - 1)
    return fire_passes(state, tables, slot, origin, path_node(state, tables, slot, path, length))


@kernel
def offer_bent(state, tables, slot, path, length, actions, begun, filled):
    """Append one bent path if it may end here and is no twin of a listed one."""
    end = path_node(state, tables, slot, path, length)
    origin = path_node(state, tables, slot, path, length - 1)
    if length < tables.fire_step_min_steps or not fire_ends(state, tables, slot, origin, end):
        return filled
    half = len(actions) // 2
    signature = bent_signature(state, tables, slot, path, length)
    for index in range(begun, filled):
        if actions[half + index] == signature:
            return filled
    actions[filled] = (
        pack(Kind.FIRE_STEP, slot, end) | (np.int64(length) << LENGTH_SHIFT) | (path << PATH_SHIFT)
    )
    actions[half + filled] = signature
    return filled + 1


@kernel
def bent_signature(state, tables, slot, path, length):
    """Outcome of a bent Fire Step as one number: end node, energy after it, heroes passed."""
    hero = state.hero[slot]
    energy = hero.energy - tables.fire_step_cost
    passed = np.int64(0)
    node = hero.node
    for index in range(length):
        node = beyond(tables, node, (path >> (3 * index)) & 7)
        if tables.power[node]:
            energy = min(energy + tables.power_gain, tables.maximum[hero.kind])
        if hero_at(state, node) != NONE:
            passed |= np.int64(1) << np.int64(hero_at(state, node))
    return np.int64(node) | (np.int64(energy) << 8) | (passed << 16)


@kernel
def do_fire_step(state, tables, action):
    """Play a Fire Step: pay, walk, then all heroes passed are hurt at the same time (JM50, JM70)."""
    slot, length = slot_of(action), length_of(action)
    pay(state, slot, tables.fire_step_cost)
    origin = state.hero[slot].node
    lift(state, tables, slot)
    node = origin
    for index in range(length - 1):
        node = beyond(tables, node, direction_of(action, index))
        pass_through(state, tables, slot, node)
    enter(state, tables, slot, node_of(action))
    node = origin
    for index in range(length - 1):
        node = beyond(tables, node, direction_of(action, index))
        other = hero_at(state, node)
        if other != NONE:
            hurt(state, tables, slot, other, tables.fire_step_damage)
    check_target(state, tables, tables.side_of[seat_of(slot)])
