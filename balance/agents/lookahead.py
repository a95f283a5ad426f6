"""Every end of the present turn, over the contract: for the greedy agent and for counting legal turns.

A depth-first walk over the atoms of one turn. It stops where `segment` changes or the game is over, and
meets each position once (by the game's `key`).
"""

from __future__ import annotations

import numpy as np

from balance.agents.workspace import AGENTS, DEPTH, SEARCH, SEEN
from balance.kernel.contract import OVER
from balance.kernel.jit import kernel
from balance.kernel.rng import below

ROOT = 2  # index of the walk's first state in the workspace
SAME = 1e-9  # values closer than this are ties


@kernel
def is_new(seen, walk, word):
    """Remember a position; whether it was not met before. A table three quarters full learns no more."""
    if word == np.uint64(0):
        word = np.uint64(1)
    place = np.int64(word & np.uint64(SEEN - 1))
    while seen[place] != np.uint64(0):
        if seen[place] == word:
            return False
        place = (place + 1) % SEEN
    if 4 * walk.filled < 3 * SEEN:
        seen[place] = word
        walk.filled += 1
    return True


@kernel
def start_walk(seen, walk):
    """Forget the last walk."""
    if walk.filled > 0:
        seen[:] = np.uint64(0)
    walk.ends = 0
    walk.ties = 0
    walk.best = -1.0
    walk.tags = np.uint64(0)
    walk.filled = 0
    walk.planned = 0


@kernel
def weigh(rules, work, tables, side, seat, depth):
    """Compare the end at `depth` with the best so far; ties are broken by chance, each with equal odds."""
    walk, mind = work.walks[0], work.minds[seat]
    rules.evaluate(work.states[ROOT + depth], tables, work.scores)
    value = work.scores[side]
    if value > walk.best + SAME:
        walk.best = value
        walk.ties = 1
    elif value > walk.best - SAME:
        walk.ties += 1
        if below(work.streams[AGENTS + seat], walk.ties) > 0:
            return
    else:
        return
    walk.planned = depth
    for index in range(depth):
        walk.action[index] = mind.action[index]
        walk.expected[index] = mind.expected[index]


@kernel
def walk_turn(rules, work, tables, side, seat):
    """Meet every end of the turn that `states[ROOT]` is in; `side` below 0 counts without weighing.

    The seat's mind lends its arrays for the path being tried; the best path is left in `walks[0]`.
    """
    states, actions = work.states, work.actions
    walk, mind = work.walks[0], work.minds[seat]
    start_walk(work.seen, walk)
    segment = states[ROOT].segment
    depth = 0
    walk.at[0] = 0
    walk.count[0] = rules.legal(states[ROOT], tables, actions[0])
    while depth >= 0:
        if walk.at[depth] == walk.count[depth]:
            depth -= 1
            continue
        parent, child = states[ROOT + depth], states[ROOT + depth + 1]
        action = actions[depth, walk.at[depth]]
        walk.at[depth] += 1
        mind.action[depth] = action
        mind.expected[depth] = rules.key(parent, tables)
        walk.tags |= rules.tag(parent, tables, action)
        states[ROOT + depth + 1] = states[ROOT + depth]
        rules.step(child, tables, action, work.streams[SEARCH])
        if not is_new(work.seen, walk, rules.key(child, tables)):
            continue
        ended = child.segment != segment or child.status == OVER
        walk.ends += np.int32(ended)
        if not ended and depth + 1 < DEPTH:
            depth += 1
            walk.at[depth] = 0
            walk.count[depth] = rules.legal(child, tables, actions[depth])
        elif side >= 0:
            weigh(rules, work, tables, side, seat, depth + 1)
