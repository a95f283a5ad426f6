"""One decision of one agent."""

from __future__ import annotations

import numpy as np

from balance.agents.lookahead import ROOT, walk_turn
from balance.agents.workspace import AGENTS, RANDOM
from balance.kernel.jit import kernel
from balance.kernel.rng import uniform


@kernel
def choose(rules, work, tables, agent, side, seat):
    """The action that an agent on `seat` plays for `side` in `states[0]`.

    `random` is uniform over legal atoms. `greedy` plans whole turns and is uniform elsewhere.
    """
    if agent.kind == RANDOM or work.states[0].segment % 2 == 0:
        return rules.sample(work.states[0], tables, work.actions[0], work.streams[AGENTS + seat])
    return choose_greedy(rules, work, tables, agent, side, seat)


@kernel
def choose_greedy(rules, work, tables, agent, side, seat):
    """Plan at a turn's first decision and follow the plan; play at random with the chance `agent.number`."""
    state, mind = work.states[0], work.minds[seat]
    if mind.segment != state.segment:
        mind.segment = state.segment
        mind.planned = 0
        mind.played = 0
        if uniform(work.streams[AGENTS + seat]) >= agent.number:
            plan_turn(rules, work, tables, side, seat)
    if mind.played < mind.planned and mind.expected[mind.played] == rules.key(state, tables):
        mind.played += 1
        return mind.action[mind.played - 1]
    mind.planned = 0
    return rules.sample(state, tables, work.actions[0], work.streams[AGENTS + seat])


@kernel
def plan_turn(rules, work, tables, side, seat):
    """Look at every end of this turn and keep the way to one of the best."""
    walk, mind = work.walks[0], work.minds[seat]
    work.states[ROOT] = work.states[0]
    walk_turn(rules, work, tables, side, seat)
    mind.planned = walk.planned
    mind.played = np.int32(0)
    for index in range(walk.planned):
        mind.action[index] = walk.action[index]
        mind.expected[index] = walk.expected[index]
