"""A search tree in arrays: nodes, the choice among children, the way back of a score.

Each node carries scores of every side, and whoever moves prefers its own (max^n); with two sides this is
the usual search. Sources: Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); Sturtevant,
"An analysis of UCT in multi-player games" (2008); Lanctot et al., "Monte Carlo tree search with heuristic
evaluations using implicit minimax backups" (2014).
"""

from __future__ import annotations

import numpy as np

from balance.agents.workspace import PATH
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel


@kernel
def clear_tree(work):
    """A tree of its root alone."""
    tree = work.trees[0]
    tree.nodes, tree.moves, tree.root, tree.chosen = 0, 0, 0, NONE
    add_node(work, 0, NONE)


@kernel
def keep_tree(work, state, seat, room):
    """Go on below the action just played when the same turn goes on and there is room, else begin anew.

    The tree remembers actions: what it knows below one holds whatever the dice then brought.
    """
    tree = work.trees[0]
    same_turn = tree.seat == seat and tree.segment == state.segment and tree.ply + 1 == state.ply
    if same_turn and tree.chosen != NONE and tree.nodes + room <= work.nodes.shape[0]:
        tree.root, tree.chosen = tree.chosen, NONE
    else:
        clear_tree(work)
    tree.seat, tree.segment, tree.ply = seat, state.segment, state.ply


@kernel
def add_node(work, action, side):
    """A new node without children; NONE when there is no room."""
    tree, nodes = work.trees[0], work.nodes
    number = tree.nodes
    if number >= nodes.shape[0]:
        return np.int32(NONE)
    node = nodes[number]
    node.action, node.side = action, side
    node.first, node.length, node.child, node.next, node.visits = 0, 0, NONE, NONE, 0
    node.prior = 0.0
    for index in range(work.scores.shape[0]):
        node.total[index] = 0.0
        node.best[index] = 0.0
    tree.nodes += 1
    return number


@kernel
def append_child(work, parent, last, action, side):
    """A new child after `last`, the end of the list; NONE without room."""
    made = add_node(work, action, side)
    if made != NONE:
        if last == NONE:
            work.nodes[parent].child = made
        else:
            work.nodes[last].next = made
    return made


@kernel
def start_path(work):
    """Stand at the root."""
    work.trees[0].depth = 0
    work.trees[0].path[0] = work.trees[0].root


@kernel
def go_to(work, node):
    """Take an edge; False when the path is as long as it may be."""
    tree = work.trees[0]
    if tree.depth >= PATH:
        return False
    tree.depth += 1
    tree.path[tree.depth] = node
    return True


@kernel
def back_up(work, caution):
    """Add the scores in `scores` to every node of the path, and renew its best replies."""
    tree, nodes, scores = work.trees[0], work.nodes, work.scores
    for step in range(tree.depth, -1, -1):
        node = nodes[tree.path[step]]
        node.visits += 1
        for side in range(scores.shape[0]):
            node.total[side] += scores[side]
        if caution > 0.0:
            renew_best(nodes, node, scores)


@kernel
def renew_best(nodes, node, scores):
    """Scores of the child that whoever moves here likes best among those visited; without one, the mean."""
    best, at = NONE, node.child
    while at != NONE:
        side = nodes[at].side
        if nodes[at].visits > 0 and (best == NONE or nodes[at].best[side] > nodes[best].best[side]):
            best = at
        at = nodes[at].next
    for side in range(scores.shape[0]):
        node.best[side] = nodes[best].best[side] if best != NONE else node.total[side] / node.visits


@kernel
def worth(node, caution):
    """Mean score of a visited node for whoever chose it, mixed with that under best replies."""
    side = node.side
    mean = node.total[side] / node.visits
    return mean if caution == 0.0 else (1.0 - caution) * mean + caution * node.best[side]


@kernel
def most_visited(nodes, parent):
    """The child with the most visits, the better one of equals; NONE without children."""
    best, at = np.int32(NONE), nodes[parent].child
    while at != NONE:
        if best == NONE or nodes[at].visits > nodes[best].visits:
            best = at
        elif nodes[at].visits == nodes[best].visits and nodes[at].visits > 0:
            side = nodes[at].side
            if nodes[at].total[side] > nodes[best].total[side]:
                best = at
        at = nodes[at].next
    return best
