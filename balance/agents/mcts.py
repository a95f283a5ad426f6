"""Open-loop search over single atoms: UCT and flat Monte Carlo.

The tree remembers actions, not positions: every simulation plays the game again from the root with its own
dice and its own guess of what is hidden, so no chance nodes are needed. What is legal is asked anew on the
way, and a child is considered only where its action is legal.
Source: Perez Liebana et al., "Open loop search for general video game playing" (2015).
"""

from __future__ import annotations

import numpy as np

from balance.agents.limits import legal_for
from balance.agents.rollout import roll_out
from balance.agents.tree import add_node, back_up, clear_tree, go_to, most_visited, start_path, worth
from balance.agents.workspace import FLAT, GAME, SIMULATED
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel
from balance.kernel.rng import below

CHILDREN = 1  # row of `actions` that takes the children of the legal actions of row 2
LEGAL = 2


@kernel
def search_atoms(rules, work, tables, outlook, agent, sides, seat, stream):
    """The action with the most simulations of `agent.budget`, in the position of the game."""
    clear_tree(work)
    for index in range(agent.budget):
        work.states[SIMULATED] = work.states[GAME]
        rules.conceal(work.states[SIMULATED], tables, seat, work.streams[stream])
        start_path(work)
        if agent.kind == FLAT:
            try_next(rules, work, tables, sides, index, stream)
        else:
            descend(rules, work, tables, agent, sides, stream)
        roll_out(rules, work, tables, outlook, agent, sides, stream)
        back_up(work, agent.caution)
    if agent.kind == FLAT:
        return work.nodes[best_mean(work.nodes)].action
    return work.nodes[most_visited(work.nodes, 0)].action


@kernel
def match_children(rules, work, tables, parent, side):
    """Find or make a child for every legal action of the simulated position; returns how many.

    Children stand in the order in which their actions were first seen, so in a game without chance each
    is found at once. Without room for all of them nothing is made and the answer is 0.
    """
    nodes, actions = work.nodes, work.actions[LEGAL]
    count = legal_for(rules, work.limits, work.states[SIMULATED], tables, actions)
    at, last = nodes[parent].child, np.int32(NONE)
    for index in range(count):
        if at == NONE or nodes[at].action != actions[index]:
            at, last = find_child(work, parent, actions[index], side, last)
            if at == NONE:
                return 0
        work.actions[CHILDREN, index] = at
        last = at
        at = nodes[at].next
    return count


@kernel
def find_child(work, parent, action, side, last):
    """The child of an action, made when it is missing, and the node before it.

    `last` is a child known to stand near the end of the list.
    """
    nodes = work.nodes
    at = nodes[parent].child
    if last != NONE and nodes[last].next == NONE:
        at = NONE  # all that exist were met in order: this one is new
    else:
        last = np.int32(NONE)
        while at != NONE and nodes[at].action != action:
            last = at
            at = nodes[at].next
    if at != NONE:
        return at, last
    made = add_node(work, action, side)
    if made != NONE and last == NONE:
        nodes[parent].child = made
    elif made != NONE:
        nodes[last].next = made
    return made, last


@kernel
def descend(rules, work, tables, agent, sides, stream):
    """Go down the tree to a child that was never tried, playing its way in the simulated position."""
    state = work.states[SIMULATED]
    node, fresh = np.int32(0), False
    while state.status != OVER and not fresh:
        count = match_children(rules, work, tables, node, sides[state.to_move])
        if count == 0:
            return
        node = np.int32(work.actions[CHILDREN, pick_child(work, agent, node, count, stream)])
        fresh = work.nodes[node].visits == 0
        if not go_to(work, node):
            return
        rules.step(state, tables, work.nodes[node].action, work.streams[stream])


@kernel
def pick_child(work, agent, parent, count, stream):
    """Index of a child never tried, by chance among those, else the one with the highest upper bound."""
    nodes, children = work.nodes, work.actions[CHILDREN]
    untried = 0
    for index in range(count):
        untried += nodes[children[index]].visits == 0
    if untried > 0:
        wanted = below(work.streams[stream], untried)
        for index in range(count):
            if nodes[children[index]].visits == 0:
                if wanted == 0:
                    return index
                wanted -= 1
    chosen, highest = 0, -1e300
    logarithm = np.log(np.float64(nodes[parent].visits))
    for index in range(count):
        child = nodes[children[index]]
        bound = worth(child, agent.caution) + agent.exploration * np.sqrt(logarithm / child.visits)
        if bound > highest:
            chosen, highest = index, bound
    return chosen


@kernel
def try_next(rules, work, tables, sides, index, stream):
    """Play the legal actions of the root in turn, one a simulation."""
    state = work.states[SIMULATED]
    count = match_children(rules, work, tables, 0, sides[state.to_move])
    child = np.int32(work.actions[CHILDREN, index % count])
    go_to(work, child)
    rules.step(state, tables, work.nodes[child].action, work.streams[stream])


@kernel
def best_mean(nodes):
    """The root's child with the highest mean score among those tried."""
    best, at = np.int32(NONE), nodes[0].child
    while at != NONE:
        if nodes[at].visits > 0 and (best == NONE or worth(nodes[at], 0.0) > worth(nodes[best], 0.0)):
            best = at
        at = nodes[at].next
    return best
