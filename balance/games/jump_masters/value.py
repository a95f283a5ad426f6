"""What a position is worth to each side (section 15), squeezed into [0, 1]."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.board import (
    beyond,
    free_nodes,
    friends,
    hero_at,
    seat_of,
    sheltered,
)
from balance.games.jump_masters.jumps import able, may_land
from balance.games.jump_masters.layout import DIRECTIONS, SLOTS, Hero, Phase
from balance.games.jump_masters.turns import hill_holder
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel


@kernel
def position_values(state, tables, scores):
    """Value of a running position for each side, in points."""
    lead_values(state, tables, scores)
    if state.phase == Phase.TURN and state.to_move != NONE:
        scores[tables.side_of[state.to_move]] += tables.weights.turn
    hill_values(state, tables, scores)
    for slot in range(SLOTS):
        if state.hero[slot].kind != NONE and state.hero[slot].node != NONE:
            hero_values(state, tables, slot, scores)


@kernel
def lead_values(state, tables, scores):
    """VP of each side minus the largest VP of another."""
    for side in range(tables.sides):
        best = -1
        for other in range(tables.sides):
            if other != side and state.vp[other] > best:
                best = state.vp[other]
        scores[side] = tables.weights.lead * (state.vp[side] - best)


@kernel
def hill_values(state, tables, scores):
    """Who would get the Hill VP were its turn to begin now."""
    holder = hill_holder(state, tables)
    if holder == NONE:
        return
    owner = holder if tables.team_hill else tables.side_of[holder]
    for side in range(tables.sides):
        scores[side] += tables.weights.hill_own if side == owner else tables.weights.hill_other


@kernel
def hero_values(state, tables, slot, scores):
    """Energy, way to the Hill, exposure and threats of one hero on the board."""
    hero, weights = state.hero[slot], tables.weights
    owner = tables.side_of[seat_of(slot)]
    energy = weights.energy * hero.energy
    hunters = hunting_sides(state, tables, slot)
    worth = np.float64(tables.maximum[hero.kind])
    for side in range(tables.sides):
        if side == owner:
            scores[side] += energy + weights.hill_step * tables.hill_steps[hero.node]
            if hunters:
                scores[side] += weights.exposure * worth
        else:
            scores[side] -= energy / (tables.sides - 1)
            if hunters & (1 << side):
                scores[side] += weights.threat * worth


@kernel
def hunting_sides(state, tables, slot):
    """Sides with a hero that could remove this one, and live, by a plain jump; as bits."""
    sides = np.int64(0)
    node = state.hero[slot].node
    if sheltered(state, tables, node):
        return sides
    for direction in range(DIRECTIONS):
        near = beyond(tables, node, direction)
        if near == NONE or hero_at(state, near) == NONE:
            continue
        other = hero_at(state, near)
        if not friends(tables, slot, other) and could_remove(state, tables, other, slot, 7 - direction):
            sides |= 1 << np.int64(tables.side_of[seat_of(other)])
    return sides


@kernel
def could_remove(state, tables, slot, victim, direction):
    """Whether an adjacent hero would win this attack and can land; `direction` leads to the victim."""
    hero = state.hero[slot]
    energy = hero.energy
    if able(state, tables, slot, Hero.PARENA) and energy < tables.maximum[hero.kind]:
        energy += tables.windstorm_gain
    if energy <= state.hero[victim].energy or sheltered(state, tables, hero.node):
        return False
    low, high = free_nodes(state, tables, seat_of(slot), hero.node)
    return may_land(state, tables, beyond(tables, state.hero[victim].node, direction), low, high, True)


@kernel
def squeezed(points, scale):
    """A value in points as an estimate in (0, 1), increasing in it.

    Not a logistic curve: its tails are so flat that near targets of 100 points and more, values that
    differ would look equal.
    """
    share = points / scale
    return 0.5 + 0.5 * share / (1.0 + np.abs(share))


@kernel
def final_scores(state, tables, scores):
    """Score of each side at the end of a game: 1 for the winner, equal shares when nobody won."""
    for side in range(tables.sides):
        if state.winner == NONE:
            scores[side] = 1.0 / tables.sides
        else:
            scores[side] = 1.0 if state.winner == side else 0.0


@kernel
def estimates(state, tables, scores):
    """Estimate per side in [0, 1], for any position; 1/2 at a game that nobody won."""
    if state.status == OVER:
        for side in range(tables.sides):
            scores[side] = 0.5 if state.winner == NONE else np.float64(state.winner == side)
        return
    position_values(state, tables, scores)
    for side in range(tables.sides):
        scores[side] = squeezed(scores[side], tables.weights.scale)
