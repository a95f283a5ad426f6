"""One decision of one agent."""

from __future__ import annotations

import numpy as np

from balance.agents.beam import find_ends
from balance.agents.limits import legal_for, sample_for
from balance.agents.lookahead import walk_atoms
from balance.agents.mcts import search_atoms
from balance.agents.turns import search_turns
from balance.agents.workspace import (
    AGENTS,
    GAME,
    GREEDY,
    HORIZON_PLY,
    MCTS,
    RANDOM,
    ROOT,
    SEARCH,
    TREE_TURNS,
)
from balance.kernel.jit import kernel
from balance.kernel.rng import uniform


@kernel
def choose(rules, work, tables, outlook, agent, sides, seat):
    """The action that an agent on `seat` plays in the position of the game.

    `outlook` is the tables that the agent's evaluation reads, `sides` the side of every seat.
    """
    if agent.kind == RANDOM:
        return choose_random(rules, work, tables, seat)
    if agent.kind == GREEDY:
        return choose_greedy(rules, work, tables, outlook, agent, sides, seat)
    if agent.kind == MCTS and agent.tree == TREE_TURNS:
        return choose_turn(rules, work, tables, outlook, agent, sides, seat)
    if legal_for(rules, work.limits, work.states[GAME], tables, work.actions[0]) == 1:
        return work.actions[0, 0]
    return search_atoms(rules, work, tables, outlook, agent, sides, seat, SEARCH + seat)


@kernel
def choose_random(rules, work, tables, seat):
    """Uniform over the legal atoms."""
    stream = work.streams[AGENTS + seat]
    return sample_for(rules, work.limits, work.states[GAME], tables, work.actions[0], stream)


@kernel
def planned(rules, work, tables, mind):
    """Index of the planned atom for this position, -1 when there is none."""
    if mind.played < mind.planned and mind.expected[mind.played] == rules.key(work.states[GAME], tables):
        mind.played += 1
        return np.int64(mind.played - 1)
    mind.planned = 0
    return np.int64(-1)


@kernel
def choose_greedy(rules, work, tables, outlook, agent, sides, seat):
    """Plan at a turn's first decision, follow the plan, and plan anew where chance has broken it.

    With the chance `agent.noise` the whole turn is played at random; so are decisions that belong to no turn.
    """
    state, mind = work.states[GAME], work.minds[seat]
    if state.segment % 2 == 0:
        return choose_random(rules, work, tables, seat)
    if mind.segment != state.segment or agent.horizon == HORIZON_PLY:
        mind.segment = state.segment
        mind.planned = 0
        mind.played = 0
        mind.astray = np.int32(uniform(work.streams[AGENTS + seat]) < agent.noise)
    if mind.astray:
        return choose_random(rules, work, tables, seat)
    place = planned(rules, work, tables, mind)
    if place < 0:
        plan_greedy(rules, work, tables, outlook, agent, sides[seat], seat)
        if mind.planned == 0:
            return choose_random(rules, work, tables, seat)
        place = np.int64(0)
    return mind.action[place]


@kernel
def plan_greedy(rules, work, tables, outlook, agent, side, seat):
    """Look at the ends of this turn, or of this atom, and keep the way to one of the best, if any is met.

    Its first atom counts as played.
    """
    stream = SEARCH + seat
    work.states[ROOT] = work.states[GAME]
    rules.conceal(work.states[ROOT], tables, seat, work.streams[stream])
    if agent.horizon == HORIZON_PLY:
        walk_atoms(rules, work, tables, outlook, side, 1, stream)
    else:
        find_ends(rules, work, tables, outlook, side, 1, agent.beam, stream)
    way, mind = work.ways[0], work.minds[seat]
    mind.planned = way.length if work.walks[0].kept > 0 else 0
    mind.played = 1
    for index in range(mind.planned):
        mind.action[index] = way.action[index]
        mind.expected[index] = way.expected[index]


@kernel
def choose_turn(rules, work, tables, outlook, agent, sides, seat):
    """Follow the turn that was searched while the game goes as planned, else search from here."""
    state, mind, stream = work.states[GAME], work.minds[seat], SEARCH + seat
    if mind.segment != state.segment:
        mind.segment = state.segment
        mind.planned = 0
    place = planned(rules, work, tables, mind)
    if place >= 0:
        return mind.action[place]
    if legal_for(rules, work.limits, state, tables, work.actions[0]) == 1:
        return work.actions[0, 0]
    if not search_turns(rules, work, tables, outlook, agent, sides, seat, stream):
        return sample_for(rules, work.limits, state, tables, work.actions[0], work.streams[stream])
    mind.played = 1
    return mind.action[0]
