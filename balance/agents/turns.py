"""Search over whole turns: an edge of the tree is a turn, and only the best turns by the estimate are tried.

A visit of a new node looks at every end of the turn there and keeps the best few as children, so the
value that goes back is that after the mover's best reply: a simulation costs one walk through a turn.
Where a decision belongs to no turn (preparation, clean-up), an edge is one atom.
The root has more children than the candidates; these are looked at only while all that was tried is lost.
Macro actions and priors from an evaluation: see Coulom, "Computing Elo ratings of move patterns" (2007),
and Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search" (2008).
"""

from __future__ import annotations

import numpy as np

from balance.agents.beam import find_ends
from balance.agents.lookahead import walk_atoms
from balance.agents.rollout import follow, roll_out
from balance.agents.tree import append_child, back_up, clear_tree, go_to, most_visited, start_path, worth
from balance.agents.workspace import DEPTH, GAME, MOST_ENDS, ROOT, SIMULATED
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel


@kernel
def search_turns(rules, work, tables, outlook, agent, sides, seat, stream):
    """Search the game's position and leave the best turn in the mind of `seat`; False without room."""
    clear_tree(work)
    for _ in range(agent.budget):
        work.states[SIMULATED] = work.states[GAME]
        rules.conceal(work.states[SIMULATED], tables, seat, work.streams[stream])
        start_path(work)
        simulate(rules, work, tables, outlook, agent, sides, stream)
        back_up(work, agent.caution)
    chosen = most_visited(work.nodes, 0)
    if chosen != NONE:
        keep_plan(work, work.minds[seat], chosen)
        return True
    return False


@kernel
def keep_plan(work, mind, chosen):
    """Let a mind plan the turn that an edge stands for."""
    edge, length = work.nodes[chosen], work.nodes[chosen].length
    mind.planned = length
    mind.played = 0
    for index in range(length):
        mind.action[index] = work.moves[edge.first + index]
        mind.expected[index] = work.words[edge.first + index]


@kernel
def simulate(rules, work, tables, outlook, agent, sides, stream):
    """One way down the tree and out of it; leaves the scores in `scores`."""
    state, nodes = work.states[SIMULATED], work.nodes
    node = np.int32(0)
    while state.status != OVER:
        if nodes[node].child == NONE:
            if grow(rules, work, tables, outlook, agent, node, sides[state.to_move], stream):
                best = nodes[nodes[node].child]
                if agent.depth > 0:
                    play_edge(rules, work, tables, best, stream)
                    roll_out(rules, work, tables, outlook, agent, sides, stream)
                else:
                    way = work.ways[work.walks[0].order[0]]
                    for side in range(work.scores.shape[0]):
                        work.scores[side] = way.score[side]
                return
            break
        node = pick_turn(work, agent, node)
        if not go_to(work, node):
            break
        play_edge(rules, work, tables, nodes[node], stream)
    roll_out(rules, work, tables, outlook, agent, sides, stream)


@kernel
def play_edge(rules, work, tables, edge, stream):
    """Play the turn of an edge in the simulated position."""
    follow(rules, work, tables, work.moves, work.words, edge.first, edge.length, stream)


@kernel
def grow(rules, work, tables, outlook, agent, node, side, stream):
    """Make children of the best turns in the simulated position, best first; False without room."""
    tree = work.trees[0]
    wide = agent.candidates if node > 0 else MOST_ENDS
    if tree.nodes + wide > work.nodes.shape[0] or tree.moves + wide * DEPTH > work.moves.shape[0]:
        return False
    work.states[ROOT] = work.states[SIMULATED]
    if work.states[ROOT].segment % 2 == 1:
        find_ends(rules, work, tables, outlook, side, wide, agent.beam, stream)
    else:
        walk_atoms(rules, work, tables, outlook, side, wide, stream)
    last = np.int32(NONE)
    for rank in range(work.walks[0].kept):
        last = add_edge(work, node, last, work.ways[work.walks[0].order[rank]], side)
    return last != NONE


@kernel
def add_edge(work, parent, last, way, side):
    """Append a child for a way through the turn; returns it."""
    tree = work.trees[0]
    made = append_child(work, parent, last, way.action[0], side)
    child = work.nodes[made]
    child.first, child.length, child.prior = tree.moves, way.length, way.score[side]
    for index in range(way.length):
        work.moves[tree.moves + index] = way.action[index]
        work.words[tree.moves + index] = way.expected[index]
    tree.moves += way.length
    return made


@kernel
def all_lost(nodes, parent):
    """Whether no visited child has ever scored for whoever moves here."""
    at = nodes[parent].child
    while at != NONE:
        if nodes[at].visits > 0 and nodes[at].total[nodes[at].side] > 0.0:
            return False
        at = nodes[at].next
    return True


@kernel
def pick_turn(work, agent, parent):
    """The candidate with the highest upper bound; one never tried counts as the node's mean less what its
    estimate is below that of the best child.

    While all that was tried is lost, that mean says nothing about the rest: then it counts as its estimate,
    and children beyond the candidates are looked at too.
    """
    nodes = work.nodes
    at = nodes[parent].child
    visits = nodes[parent].visits
    lost = all_lost(nodes, parent)
    shift = 0.0 if lost else nodes[parent].total[nodes[at].side] / visits - nodes[at].prior
    logarithm = np.log(np.float64(visits) + 1.0)
    chosen, highest, rank = at, -1e300, 0
    while at != NONE and (rank < agent.candidates or lost or nodes[at].visits > 0):
        child = nodes[at]
        value = worth(child, agent.caution) if child.visits > 0 else child.prior + shift
        bound = value + agent.exploration * np.sqrt(logarithm / (child.visits + 1))
        if bound > highest:
            chosen, highest = at, bound
        rank += 1
        at = child.next
    return chosen
