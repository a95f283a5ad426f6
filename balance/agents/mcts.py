"""Open-loop search over single atoms: UCT and flat Monte Carlo.

The tree remembers actions, not positions: every simulation plays the game again from the root with its own
dice and its own guess of what is hidden, so no chance nodes are needed. What is legal is asked anew on the
way, and a child is considered only where its action is legal.
Source: Perez Liebana et al., "Open loop search for general video game playing" (2015).
"""

from __future__ import annotations

import numpy as np

from balance.agents.beam import find_ends
from balance.agents.limits import legal_for, sample_for
from balance.agents.lookahead import WON
from balance.agents.rollout import roll_out
from balance.agents.tree import append_child, back_up, clear_tree, go_to, keep_tree, start_path, worth
from balance.agents.workspace import FLAT, GAME, HORIZON_PLY, ROOT, SIMULATED
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel
from balance.kernel.rng import below

CHILDREN = 1  # row of `actions` that takes the children of the legal actions of row 2
LEGAL = 2
FIRSTS = 1 << 30  # flat Monte Carlo begins at one of so many places of the list of actions


@kernel
def search_atoms(rules, work, tables, outlook, agent, sides, seat, stream):
    """The action with the most simulations of `agent.budget`, in the position of the game.

    A turn that surely wins is played without a search; without room for a tree the action is random.
    """
    if wins_now(rules, work, tables, outlook, agent, sides[seat], seat, stream):
        return work.ways[0].action[0]
    if agent.kind == FLAT:
        clear_tree(work)
    else:
        keep_tree(work, work.states[GAME], seat, work.nodes.shape[0] // 2)
    first = below(work.streams[stream], FIRSTS)
    for index in range(agent.budget):
        work.states[SIMULATED] = work.states[GAME]
        rules.conceal(work.states[SIMULATED], tables, seat, work.streams[stream])
        start_path(work)
        if agent.kind == FLAT:
            try_next(rules, work, tables, sides, first + index, stream)
        else:
            descend(rules, work, tables, agent, sides, stream)
        roll_out(rules, work, tables, outlook, agent, sides, stream)
        back_up(work, agent.caution)
    work.states[SIMULATED] = work.states[GAME]
    count = match_children(rules, work, tables, work.trees[0].root, sides[seat])
    chosen = best_child(work, agent, count)
    work.trees[0].chosen = chosen
    if chosen == NONE:
        return sample_for(
            rules, work.limits, work.states[GAME], tables, work.actions[0], work.streams[stream]
        )
    return work.nodes[chosen].action


@kernel
def wins_now(rules, work, tables, outlook, agent, side, seat, stream):
    """Whether the way in ``ways[0]`` now wins this turn: for certain, with no die and no guess on it.

    A horizon of one ply leaves it to the search: where turns have many atoms with dice between them, looking
    through a turn costs more than the search itself and finds little that is certain.

    Source: Teytaud and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search
    algorithms" (2010).
    """
    if agent.horizon == HORIZON_PLY:
        return False
    state, words = work.states[ROOT], work.streams[stream]
    work.states[ROOT] = work.states[GAME]
    drawn = words[0]
    rules.conceal(state, tables, seat, words)
    if state.segment % 2 == 0 or words[0] != drawn:
        return False
    find_ends(rules, work, tables, outlook, side, 1, agent.beam, stream)
    if work.walks[0].kept == 0 or work.ways[0].value != WON:
        return False
    drawn = words[0]
    work.states[SIMULATED] = work.states[GAME]
    for index in range(work.ways[0].length):
        rules.step(work.states[SIMULATED], tables, work.ways[0].action[index], words)
    return words[0] == drawn


@kernel
def match_children(rules, work, tables, parent, side):
    """Find or make a child for every legal action of the simulated position; returns how many.

    Children stand in the order in which their actions were first seen, so in a game without chance each
    is found at once. A new node is given children only when there is room for all of them; an old one
    whose new actions find no room goes on with those that it has.
    """
    nodes, actions = work.nodes, work.actions[LEGAL]
    count = legal_for(rules, work.limits, work.states[SIMULATED], tables, actions)
    if nodes[parent].child == NONE and work.trees[0].nodes + count > nodes.shape[0]:
        return 0
    at, last, in_order, found = nodes[parent].child, np.int32(NONE), True, 0
    for index in range(count):
        if at == NONE or nodes[at].action != actions[index]:
            if at != NONE or not in_order:
                in_order = False
                at, last = find_child(nodes, parent, actions[index])
            if at == NONE:
                at = append_child(work, parent, last, actions[index], side)
        if at != NONE:
            work.actions[CHILDREN, found] = at
            found += 1
            last = at
            at = nodes[at].next
    return found


@kernel
def find_child(nodes, parent, action):
    """The child of an action, or NONE, and the child before it in the list."""
    at, last = nodes[parent].child, np.int32(NONE)
    while at != NONE and nodes[at].action != action:
        last = at
        at = nodes[at].next
    return at, last


@kernel
def descend(rules, work, tables, agent, sides, stream):
    """Go down the tree to a child that was never tried, playing its way in the simulated position."""
    state = work.states[SIMULATED]
    node, fresh = work.trees[0].root, False
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
    count = match_children(rules, work, tables, work.trees[0].root, sides[state.to_move])
    if count == 0:
        return
    child = np.int32(work.actions[CHILDREN, index % count])
    go_to(work, child)
    rules.step(state, tables, work.nodes[child].action, work.streams[stream])


@kernel
def best_child(work, agent, count):
    """Of the root's children whose actions are legal, the one to play; NONE when none was tried.

    The one with the most visits, the better mean among equals; for flat Monte Carlo the best mean.
    """
    nodes, best = work.nodes, np.int32(NONE)
    for index in range(count):
        child = np.int32(work.actions[CHILDREN, index])
        visits = nodes[child].visits
        if visits == 0:
            continue
        if best == NONE or (agent.kind != FLAT and visits > nodes[best].visits):
            best = child
        elif agent.kind == FLAT or visits == nodes[best].visits:
            if worth(nodes[child], 0.0) > worth(nodes[best], 0.0):
                best = child
    return best
