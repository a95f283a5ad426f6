"""Steps and runs (section 6) on sets of nodes, with the twin rule of section 10 (JM73)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.board import (
    enter,
    first,
    free_for,
    free_nodes,
    has,
    in_own_zone,
    lift,
    neighbours,
    pass_through,
    seat_of,
    sheltered,
)
from balance.games.jump_masters.layout import VIA_SHIFT, Kind, node_of, pack, slot_of, via_of
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel

EMPTY = np.uint64(0)


@kernel
def walks(state, tables, slot, free_low, free_high):
    """Where one hero may walk, as six words: step ends, ends of runs by a plain via, by a via that pays.

    A via pays when it is a power node and the hero is below its maximum; only then can two runs to one
    end differ in energy. Ends that a step reaches with the same outcome are left out (JM73).
    """
    hero = state.hero[slot]
    free_low, free_high = free_for(state, tables, slot, free_low, free_high)
    near_low = tables.around[hero.node, 0]
    near_high = tables.around[hero.node, 1]
    step_low = near_low & free_low
    step_high = near_high & free_high
    plain_low, plain_high, paid_low, paid_high = run_reach(
        state, tables, slot, step_low, step_high, free_low, free_high
    )
    # Where the end is a power node that fills the hero up, the via makes no difference.
    if hero.energy + tables.power_gain >= tables.maximum[hero.kind]:
        paid_low &= ~(tables.powers[0] & (plain_low | near_low))
        paid_high &= ~(tables.powers[1] & (plain_high | near_high))
    if tables.run_distance:  # JM16, the strict reading
        plain_low &= ~near_low
        plain_high &= ~near_high
        paid_low &= ~near_low
        paid_high &= ~near_high
    else:
        twin_low, twin_high = same_as_step(state, tables, slot, near_low, near_high)
        plain_low &= ~twin_low
        plain_high &= ~twin_high
    return step_low, step_high, plain_low, plain_high, paid_low, paid_high


@kernel
def same_as_step(state, tables, slot, near_low, near_high):
    """Adjacent nodes where a run by a plain via ends just as the step does.

    All of them, but for a fresh hero's own zone: a run that came back there has lost the mark (JM69).
    """
    if state.hero[slot].fresh:
        zone = state.zone[seat_of(slot)]
        near_low &= ~tables.corner_set[zone, 0]
        near_high &= ~tables.corner_set[zone, 1]
    return near_low, near_high


@kernel
def run_reach(state, tables, slot, step_low, step_high, free_low, free_high):
    """Ends of all two-step walks, by plain vias and by vias that pay.

    The start is no end: the walker itself stands there. Vias inside the used zone where the hero stands
    are looked at apart: a fresh hero's run that stays inside does what the step does (JM69), and with
    `return_to_zone` off only those lead back inside (JM5). Zones hold no power nodes.
    """
    zone_low, zone_high = zone_of(state, tables, state.hero[slot].node)
    inner_low, inner_high = step_low & zone_low, step_high & zone_high
    outer_low, outer_high = step_low & ~zone_low, step_high & ~zone_high
    paid_low, paid_high = EMPTY, EMPTY
    if pays(state, tables, slot):
        paid_low, paid_high = outer_low & tables.powers[0], outer_high & tables.powers[1]
        if paid_low | paid_high:
            outer_low &= ~tables.powers[0]
            outer_high &= ~tables.powers[1]
            paid_low, paid_high = neighbours(paid_low, paid_high, tables)
            paid_low &= free_low
            paid_high &= free_high
    plain_low, plain_high = neighbours(outer_low, outer_high, tables)
    if tables.return_to_zone == 0:
        paid_low, paid_high = paid_low & ~zone_low, paid_high & ~zone_high
        plain_low, plain_high = plain_low & ~zone_low, plain_high & ~zone_high
    if inner_low | inner_high:
        inner_low, inner_high = neighbours(inner_low, inner_high, tables)
        if state.hero[slot].fresh:
            inner_low, inner_high = inner_low & ~zone_low, inner_high & ~zone_high
        plain_low, plain_high = plain_low | inner_low, plain_high | inner_high
    return plain_low & free_low, plain_high & free_high, paid_low, paid_high


@kernel
def zone_of(state, tables, node):
    """The used zone that a node lies in, as a set; empty outside."""
    if sheltered(state, tables, node):
        corner = tables.corner[node]
        return tables.corner_set[corner, 0], tables.corner_set[corner, 1]
    return EMPTY, EMPTY


@kernel
def pays(state, tables, slot):
    """Whether a power node on the way would give the hero energy."""
    hero = state.hero[slot]
    return tables.power_gain > 0 and hero.energy < tables.maximum[hero.kind]


@kernel
def first_via(state, tables, slot, end, paid):
    """The VIA that names a run to `end`: the first in node order with the same outcome (JM73)."""
    hero = state.hero[slot]
    seat = seat_of(slot)
    gains = pays(state, tables, slot)
    filled = tables.power[end] and hero.energy + tables.power_gain >= tables.maximum[hero.kind]
    free_low, free_high = free_nodes(state, tables, seat, hero.node)
    left_low = free_low & tables.around[hero.node, 0] & tables.around[end, 0]
    left_high = free_high & tables.around[hero.node, 1] & tables.around[end, 1]
    while left_low | left_high:
        via = first(left_low, left_high)
        left_low &= ~tables.bit[via, 0]
        left_high &= ~tables.bit[via, 1]
        stays = hero.fresh and in_own_zone(state, tables, slot, via) and in_own_zone(state, tables, slot, end)
        matches = filled or (gains and tables.power[via] != 0) == paid
        if matches and not stays and may_follow(state, tables, seat, via, end):
            return via
    return NONE


@kernel
def may_follow(state, tables, seat, via, end):
    """Whether the second step of a run from `via` may enter `end` (JM5: matters without return)."""
    if tables.return_to_zone:
        return True
    low, high = free_nodes(state, tables, seat, via)
    return has(low, high, tables, end)


@kernel
def pack_run(state, tables, slot, end, paid):
    """The action of a run to `end`."""
    return pack(Kind.RUN, slot, end) | (np.int64(first_via(state, tables, slot, end, paid)) << VIA_SHIFT)


@kernel
def list_walks(state, tables, slot, low, high, actions, filled):
    """Append all steps and runs of one hero; returns the new number of actions."""
    step_low, step_high, plain_low, plain_high, paid_low, paid_high = walks(state, tables, slot, low, high)
    while step_low | step_high:
        end = first(step_low, step_high)
        step_low &= ~tables.bit[end, 0]
        step_high &= ~tables.bit[end, 1]
        actions[filled] = pack(Kind.STEP, slot, end)
        filled += 1
    filled = list_runs(state, tables, slot, plain_low, plain_high, False, actions, filled)
    return list_runs(state, tables, slot, paid_low, paid_high, True, actions, filled)


@kernel
def list_runs(state, tables, slot, low, high, paid, actions, filled):
    """Append the runs to a set of ends; returns the new number of actions."""
    while low | high:
        end = first(low, high)
        low &= ~tables.bit[end, 0]
        high &= ~tables.bit[end, 1]
        actions[filled] = pack_run(state, tables, slot, end, paid)
        filled += 1
    return filled


@kernel
def do_step(state, tables, action):
    """Play a step."""
    lift(state, tables, slot_of(action))
    enter(state, tables, slot_of(action), node_of(action))


@kernel
def do_run(state, tables, action):
    """Play a run: both nodes are entered (JM19)."""
    lift(state, tables, slot_of(action))
    pass_through(state, tables, slot_of(action), via_of(action))
    enter(state, tables, slot_of(action), node_of(action))
