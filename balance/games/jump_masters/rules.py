"""The rule functions of Jump Masters: the contract over the phases."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.abilities import do_blood_boon, do_ensnare, do_frog_bow, do_missile_go
from balance.games.jump_masters.choices import (
    add_pass,
    list_others,
    list_specials,
    nth_walk,
    seat_free,
    total_walks,
    walk_counts,
)
from balance.games.jump_masters.fire_step import do_fire_step
from balance.games.jump_masters.hidden import conceal_draft
from balance.games.jump_masters.jumps import do_jump
from balance.games.jump_masters.keys import ability_owner, draft_word, position_word, vp_word
from balance.games.jump_masters.layout import (
    SETUP,
    STATE,
    TABLES,
    TEAM,
    Kind,
    Phase,
    extra_of,
    kind_of,
    length_of,
    slot_of,
)
from balance.games.jump_masters.metrics import TALLY
from balance.games.jump_masters.preparation import do_deploy, do_pick, do_zone, prepare
from balance.games.jump_masters.tally import record_ply
from balance.games.jump_masters.turns import after_jump, after_step, do_redeploy, end_turn
from balance.games.jump_masters.value import estimates, final_scores
from balance.games.jump_masters.walks import do_run, do_step, list_walks
from balance.kernel.contract import NONE, OVER, Contract
from balance.kernel.jit import kernel
from balance.kernel.rng import below, mix

CONTRACT = Contract(STATE, TABLES, SETUP, TALLY)
ABILITY_BIT = 16  # tag bit of the first hero's ability, after one bit for each Kind


@kernel
def prepare_step(state, tables, kind, action):
    """Play a decision before turn 1."""
    if kind == Kind.PICK:
        do_pick(state, tables, action)
    elif kind == Kind.ZONE:
        do_zone(state, tables, action)
    else:
        do_deploy(state, tables, action)


@kernel
def use_ability(state, tables, kind, action):
    """Play an ability that ends the turn."""
    if kind == Kind.FIRE_STEP:
        do_fire_step(state, tables, action)
    elif kind == Kind.MISSILE_GO:
        do_missile_go(state, tables, action)
    elif kind == Kind.FROG_BOW:
        do_frog_bow(state, tables, action)
    else:
        do_blood_boon(state, tables, action)
    if state.status != OVER:
        end_turn(state, tables)


@CONTRACT.rule
def setup(state, tables, setup, stream):
    """Position before the first decision."""
    prepare(state, tables, setup, stream)


@CONTRACT.rule
def legal(state, tables, actions):
    """All legal actions of the seat to move."""
    if state.phase == Phase.TURN:
        low, high = seat_free(state, tables)
        filled = list_specials(state, tables, low, high, actions)
        for slot in range(state.to_move * TEAM, state.to_move * TEAM + state.count[state.to_move]):
            filled = list_walks(state, tables, slot, low, high, actions, filled)
        return add_pass(tables, actions, filled)
    return list_others(state, tables, actions)


@CONTRACT.rule
def sample(state, tables, actions, stream):
    """One legal action, uniform: walks are counted as sets of nodes, and only the chosen one is made."""
    if state.phase != Phase.TURN:
        return actions[below(stream, list_others(state, tables, actions))]
    low, high = seat_free(state, tables)
    specials = list_specials(state, tables, low, high, actions)
    first_slot = state.to_move * TEAM
    walking = walk_counts(state, tables, first_slot, low, high)
    total = specials + total_walks(walking)
    if total == 0 or tables.allow_pass:
        specials = add_pass(tables, actions, specials)
        total += 1
    index = below(stream, total)
    if index < specials:
        return actions[index]
    return nth_walk(state, tables, first_slot, low, high, walking, index - specials)


@CONTRACT.rule
def step(state, tables, action, stream):
    """Play one action."""
    state.events = 0
    state.ply += 1
    kind = kind_of(action)
    if kind == Kind.STEP:
        do_step(state, tables, action)
        after_step(state, tables, slot_of(action))
    elif kind == Kind.RUN:
        do_run(state, tables, action)
        end_turn(state, tables)
    elif kind == Kind.JUMP:
        do_jump(state, tables, action)
        if state.status != OVER:
            after_jump(state, tables, slot_of(action))
    elif kind == Kind.REDEPLOY:
        do_redeploy(state, tables, action)
    elif kind == Kind.END or kind == Kind.PASS:
        end_turn(state, tables)
    elif kind == Kind.ENSNARE:
        do_ensnare(state, tables, action)
        after_jump(state, tables, slot_of(action))
    elif kind <= Kind.DEPLOY:
        prepare_step(state, tables, kind, action)
    else:
        use_ability(state, tables, kind, action)


@CONTRACT.rule
def score(state, tables, scores):
    """Score per side of a finished game."""
    final_scores(state, tables, scores)


@CONTRACT.rule
def evaluate(state, tables, scores):
    """Estimate per side (section 15)."""
    estimates(state, tables, scores)


@CONTRACT.rule
def conceal(state, tables, seat, stream):
    """Redraw hidden hands and picks."""
    conceal_draft(state, tables, seat, stream)


@CONTRACT.rule
def tag(state, tables, action):
    """Bit of the kind of action, and the bit of the hero whose ability it uses."""
    kind = kind_of(action)
    word = np.uint64(1) << np.uint64(kind)
    owner = ability_owner(kind, extra_of(action), length_of(action))
    if owner != NONE:
        word |= np.uint64(1) << np.uint64(ABILITY_BIT + owner)
    return word


@CONTRACT.rule
def key(state, tables):
    """Hash of what the canonical text shows."""
    word = mix(np.uint64(state.phase * 64 + state.to_move + 1))
    if state.phase == Phase.OVER:
        return mix(word + vp_word(state) + np.uint64((state.winner + 1) * 8 + state.termination))
    if state.phase == Phase.DRAFT:
        return mix(word + draft_word(state, tables))
    return mix(word + vp_word(state)) ^ position_word(state, tables)


@CONTRACT.rule
def observe(before, action, after, tables, tally):
    """Count what this ply did."""
    record_ply(before, action, after, tables, tally)


@CONTRACT.rule
def rosters(state, tables, rosters):
    """Heroes of each seat, by number; NONE beyond its count."""
    for seat in range(tables.seats):
        for index in range(rosters.shape[1]):
            given = index < state.count[seat]
            rosters[seat, index] = state.hero[seat * TEAM + index].kind if given else NONE
