"""Steps and runs (section 6) on sets of nodes, with the twin rule of section 10 (JM73)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.board import (
    enter,
    first,
    free_nodes,
    has,
    in_own_zone,
    lift,
    pass_through,
    seat_of,
)
from balance.games.jump_masters.layout import VIA_SHIFT, Kind, node_of, pack, slot_of, via_of
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel

EMPTY = np.uint64(0)


@kernel
def walks(state, tables, slot):
    """Where one hero may walk, as six words: step ends, ends of runs by a plain via, by a via that pays.

    A via pays when it is a power node and the hero is below its maximum; only then can two runs to one
    end differ in energy. Ends that a step reaches with the same outcome are left out (JM73).
    """
    hero = state.hero[slot]
    free_low, free_high = free_nodes(state, tables, seat_of(slot), hero.node)
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
    """Ends of all two-step walks, by plain vias and by vias that pay; the start is occupied by the walker itself."""
    hero = state.hero[slot]
    seat = seat_of(slot)
    pays = tables.power_gain > 0 and hero.energy < tables.maximum[hero.kind]
    plain_low, plain_high, paid_low, paid_high = EMPTY, EMPTY, EMPTY, EMPTY
    left_low, left_high = step_low, step_high
    while left_low | left_high:
        via = first(left_low, left_high)
        left_low &= ~tables.bit[via, 0]
        left_high &= ~tables.bit[via, 1]
        end_low, end_high = free_low, free_high
        if tables.return_to_zone == 0:
            end_low, end_high = free_nodes(state, tables, seat, via)
        end_low &= tables.around[via, 0]
        end_high &= tables.around[via, 1]
        if hero.fresh and in_own_zone(state, tables, slot, via):
            # Inside the zone a run does what the step does.
            zone = state.zone[seat]
            end_low &= ~tables.corner_set[zone, 0]
            end_high &= ~tables.corner_set[zone, 1]
        if pays and tables.power[via]:
            paid_low |= end_low
            paid_high |= end_high
        else:
            plain_low |= end_low
            plain_high |= end_high
    return plain_low, plain_high, paid_low, paid_high


@kernel
def first_via(state, tables, slot, end, paid):
    """The VIA that names a run to `end`: the first in node order with the same outcome (JM73)."""
    hero = state.hero[slot]
    seat = seat_of(slot)
    pays = tables.power_gain > 0 and hero.energy < tables.maximum[hero.kind]
    filled = tables.power[end] and hero.energy + tables.power_gain >= tables.maximum[hero.kind]
    free_low, free_high = free_nodes(state, tables, seat, hero.node)
    left_low = free_low & tables.around[hero.node, 0] & tables.around[end, 0]
    left_high = free_high & tables.around[hero.node, 1] & tables.around[end, 1]
    while left_low | left_high:
        via = first(left_low, left_high)
        left_low &= ~tables.bit[via, 0]
        left_high &= ~tables.bit[via, 1]
        stays = hero.fresh and in_own_zone(state, tables, slot, via) and in_own_zone(state, tables, slot, end)
        matches = filled or (pays and tables.power[via] != 0) == paid
        if matches and not stays and may_follow(state, tables, seat, via, end):
            return via
    return NONE


@kernel
def may_follow(state, tables, seat, via, end):
    """Whether the second step of a run from `via` may enter `end` (matters with `return_to_zone: false` only)."""
    if tables.return_to_zone:
        return True
    low, high = free_nodes(state, tables, seat, via)
    return has(low, high, tables, end)


@kernel
def pack_run(state, tables, slot, end, paid):
    """The action of a run to `end`."""
    return pack(Kind.RUN, slot, end) | (np.int64(first_via(state, tables, slot, end, paid)) << VIA_SHIFT)


@kernel
def list_walks(state, tables, slot, actions, filled):
    """Append all steps and runs of one hero; returns the new number of actions."""
    step_low, step_high, plain_low, plain_high, paid_low, paid_high = walks(state, tables, slot)
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
