"""One decision of one agent."""

from __future__ import annotations

import numpy as np

from balance.agents.lookahead import ROOT, walk_turn
from balance.agents.workspace import RANDOM
from balance.kernel.jit import kernel
from balance.kernel.rng import uniform


@kernel
def choose(rules, agent, side, states, tables, actions, scores, seen, stream, dice, mind, walk):
    """The action that an agent plays in `states[0]`; `side` is the one it plays for.

    `random` is uniform over legal atoms. `greedy` plans whole turns and is uniform elsewhere.
    """
    if agent.kind == RANDOM or states[0].segment % 2 == 0:
        return rules.sample(states[0], tables, actions[0], stream)
    return choose_greedy(rules, agent, side, states, tables, actions, scores, seen, stream, dice, mind, walk)


@kernel
def choose_greedy(rules, agent, side, states, tables, actions, scores, seen, stream, dice, mind, walk):
    """Plan at the first decision of a turn, then follow the plan; at random with the chance `agent.number`."""
    state = states[0]
    if mind.segment != state.segment:
        mind.segment = state.segment
        mind.planned = 0
        mind.played = 0
        if uniform(stream) >= agent.number:
            plan_turn(rules, side, states, tables, actions, scores, seen, stream, dice, mind, walk)
    if mind.played < mind.planned and mind.expected[mind.played] == rules.key(state, tables):
        mind.played += 1
        return mind.action[mind.played - 1]
    mind.planned = 0
    return rules.sample(state, tables, actions[0], stream)


@kernel
def plan_turn(rules, side, states, tables, actions, scores, seen, stream, dice, mind, walk):
    """Look at every end of this turn and keep the way to one of the best."""
    states[ROOT] = states[0]
    walk_turn(rules, states, tables, actions, scores, seen, stream, dice, side, walk, mind)
    mind.planned = walk.planned
    mind.played = np.int32(0)
    for index in range(walk.planned):
        mind.action[index] = walk.action[index]
        mind.expected[index] = walk.expected[index]
