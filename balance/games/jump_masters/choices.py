"""What the deciding seat may do, phase by phase (section 10)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.abilities import (
    list_blood_boons,
    list_ensnares,
    list_frog_bows,
    list_missiles,
)
from balance.games.jump_masters.board import count, free_nodes, nth
from balance.games.jump_masters.fire_step import list_fire_steps
from balance.games.jump_masters.jumps import list_jumps
from balance.games.jump_masters.layout import NOBODY, TEAM, Kind, Phase, pack
from balance.games.jump_masters.preparation import list_deploys, list_picks, list_zones
from balance.games.jump_masters.turns import list_redeploys
from balance.games.jump_masters.walks import pack_run, walks
from balance.kernel.jit import kernel


@kernel
def seat_free(state, tables):
    """Free nodes of the deciding seat (where heroes may not return, each hero asks for its own)."""
    return free_nodes(state, tables, np.int64(state.to_move), 0)


@kernel
def list_specials(state, tables, low, high, actions):
    """Everything but walks and passes at the start of a turn; `low, high` are the seat's free nodes."""
    filled = 0
    for slot in range(state.to_move * TEAM, state.to_move * TEAM + state.count[state.to_move]):
        filled = list_jumps(state, tables, slot, low, high, actions, filled)
        filled = list_fire_steps(state, tables, slot, actions, filled)
        filled = list_missiles(state, tables, slot, actions, filled)
    return filled


@kernel
def add_pass(tables, actions, filled):
    """A pass when there is nothing else, or when the rules allow one (JM11)."""
    if filled == 0 or tables.allow_pass:
        actions[filled] = pack(Kind.PASS, NOBODY, 0)
        filled += 1
    return filled


@kernel
def count_walks(state, tables, slot, low, high):
    """Number of steps and runs of one hero."""
    step_low, step_high, plain_low, plain_high, paid_low, paid_high = walks(state, tables, slot, low, high)
    return count(step_low, step_high) + count(plain_low, plain_high) + count(paid_low, paid_high)


@kernel
def walk_counts(state, tables, first_slot, low, high):
    """Numbers of steps and runs of a seat's heroes, 16 bits each, in one int64."""
    counts = np.int64(0)
    for index in range(state.count[first_slot // TEAM]):
        counts |= count_walks(state, tables, first_slot + index, low, high) << (16 * index)
    return counts


@kernel
def total_walks(counts):
    """Sum of four packed numbers."""
    return (counts & 65535) + ((counts >> 16) & 65535) + ((counts >> 32) & 65535) + ((counts >> 48) & 65535)


@kernel
def nth_walk(state, tables, first_slot, low, high, counts, index):
    """Step or run number `index` of a seat's heroes, counted from its first hero."""
    slot = first_slot
    while index >= counts & 65535:
        index -= counts & 65535
        counts >>= 16
        slot += 1
    step_low, step_high, plain_low, plain_high, paid_low, paid_high = walks(state, tables, slot, low, high)
    steps, plain = count(step_low, step_high), count(plain_low, plain_high)
    if index < steps:
        return pack(Kind.STEP, slot, nth(step_low, step_high, index))
    if index < steps + plain:
        return pack_run(state, tables, slot, nth(plain_low, plain_high, index - steps), False)
    return pack_run(state, tables, slot, nth(paid_low, paid_high, index - steps - plain), True)


@kernel
def add_end(state, actions, filled):
    """The choice to stop (JM32)."""
    actions[filled] = pack(Kind.END, state.acting, 0)
    return filled + 1


@kernel
def list_others(state, tables, actions):
    """Legal actions of every phase but the start of a turn."""
    if state.phase == Phase.JUMPING:
        low, high = seat_free(state, tables)
        filled = list_jumps(state, tables, np.int64(state.acting), low, high, actions, 0)
        return add_end(state, actions, list_ensnares(state, tables, np.int64(state.acting), actions, filled))
    if state.phase == Phase.STEPPED:
        filled = list_frog_bows(state, tables, np.int64(state.acting), actions, 0)
        return add_end(
            state, actions, list_blood_boons(state, tables, np.int64(state.acting), actions, filled)
        )
    if state.phase == Phase.REDEPLOY:
        return list_redeploys(state, tables, actions, 0)
    if state.phase == Phase.DEPLOY:
        return list_deploys(state, tables, actions, 0)
    if state.phase == Phase.ZONE:
        return list_zones(state, tables, actions, 0)
    return list_picks(state, tables, actions, 0) if state.phase == Phase.DRAFT else 0
