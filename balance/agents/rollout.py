"""Rollouts: how a search plays on beyond its tree, and what it makes of where that ends."""

from __future__ import annotations

from balance.agents.beam import find_ends
from balance.agents.limits import legal_for, sample_for
from balance.agents.workspace import ROLLOUT_RANDOM, ROOT, SIMULATED
from balance.kernel.contract import OVER
from balance.kernel.jit import kernel


@kernel
def value_here(rules, work, tables, outlook):
    """Scores per side of the simulated position: exact when it is over, else the estimate."""
    state = work.states[SIMULATED]
    if state.status == OVER:
        rules.score(state, tables, work.scores)
    else:
        rules.evaluate(state, outlook, work.scores)


@kernel
def roll_out(rules, work, tables, outlook, agent, sides, stream):
    """Play the simulated position on, at most `agent.depth` turns, and leave the scores in `scores`."""
    state = work.states[SIMULATED]
    turns = 0
    while state.status != OVER and turns < agent.depth:
        if agent.rollout == ROLLOUT_RANDOM or state.segment % 2 == 0:
            segment = state.segment
            action = sample_for(rules, work.limits, state, tables, work.actions[0], work.streams[stream])
            rules.step(state, tables, action, work.streams[stream])
            turns += segment % 2 == 1 and state.segment != segment
        else:
            play_greedy(rules, work, tables, outlook, agent, sides[state.to_move], stream)
            turns += 1
    value_here(rules, work, tables, outlook)


@kernel
def play_greedy(rules, work, tables, outlook, agent, side, stream):
    """Play a best whole turn in the simulated position."""
    work.states[ROOT] = work.states[SIMULATED]
    find_ends(rules, work, tables, outlook, side, 1, agent.beam, stream)
    way = work.ways[0]
    length = way.length if work.walks[0].kept > 0 else 0
    follow(rules, work, tables, way.action, way.expected, 0, length, stream)


@kernel
def is_legal(rules, work, tables, state, action):
    """Whether the seat to move may play an action."""
    for index in range(legal_for(rules, work.limits, state, tables, work.actions[0])):
        if work.actions[0, index] == action:
            return True
    return False


@kernel
def follow(rules, work, tables, atoms, expected, first, length, stream):
    """Play planned atoms in the simulated position.

    Chance, or another guess of what is hidden, may bring another position than was planned in: the plan
    goes on while its atoms are legal, and what is left of the turn then is played at random.
    """
    state = work.states[SIMULATED]
    segment = state.segment
    for index in range(first, first + length):
        if state.segment != segment or state.status == OVER:
            break
        planned = rules.key(state, tables) == expected[index]
        if not planned and not is_legal(rules, work, tables, state, atoms[index]):
            break
        rules.step(state, tables, atoms[index], work.streams[stream])
    while state.segment == segment and state.status != OVER:
        action = sample_for(rules, work.limits, state, tables, work.actions[0], work.streams[stream])
        rules.step(state, tables, action, work.streams[stream])
