"""Every end of the present turn, over the contract: for greedy, for turn searches, for counting legal turns.

A depth-first walk over the atoms of one turn. It stops where `segment` changes or the game is over, and
meets each position once (by the game's `key`). A walk that met too many positions gives up; a beam
(see ``beam``) then takes its place.
"""

from __future__ import annotations

import numpy as np

from balance.agents.limits import legal_for
from balance.agents.workspace import DEPTH, MOST_ENDS, ROOT, SCRATCH, SEEN
from balance.kernel.contract import OVER
from balance.kernel.jit import kernel
from balance.kernel.rng import next_u64

GRAIN = 1e9  # values are compared on a grid of one billionth: sums in another order are ties
WON, LOST = 2e9, -1.0  # values of ends at which the game is won or lost: beyond those of all estimates
ALL = 1 << 30  # no limit to the positions of a walk
THROWS = 24  # plays of an atom with dice over which its value is averaged


@kernel
def is_new(work, walk, word):
    """Remember a position; whether it was not met before. A table three quarters full learns no more."""
    seen = work.seen
    if word == np.uint64(0):
        word = np.uint64(1)
    place = np.int64(word & np.uint64(SEEN - 1))
    while seen[place] != np.uint64(0):
        if seen[place] == word:
            return False
        place = (place + 1) % SEEN
    if 4 * walk.filled < 3 * SEEN:
        seen[place] = word
        work.places[walk.filled] = place
        walk.filled += 1
    return True


@kernel
def start_walk(work, walk, keep):
    """Forget the last walk; `keep` the best so many ends of the next."""
    for index in range(walk.filled):
        work.seen[work.places[index]] = np.uint64(0)
    walk.ends = 0
    walk.tags = np.uint64(0)
    walk.filled = 0
    walk.met = 0
    walk.keep = keep
    walk.kept = 0


@kernel
def is_better(one, other):
    """Whether one way is worth more than another; chance decides between equals."""
    return one.value > other.value or (one.value == other.value and one.tie > other.tie)


@kernel
def find_least(ways, walk):
    """Note which kept end is the worst."""
    walk.least = 0
    for index in range(1, walk.kept):
        if is_better(ways[walk.least], ways[index]):
            walk.least = index


@kernel
def value_end(rules, work, tables, outlook, state, side):
    """What the end of a turn is worth to a side; leaves the scores of all sides in `scores`.

    Where the game is over the scores are those of the game; a draw still stands among the other ends
    where the estimate puts it.
    """
    rules.evaluate(state, outlook, work.scores)
    value = np.floor(work.scores[side] * GRAIN + 0.5)
    if state.status == OVER:
        rules.score(state, tables, work.scores)
        if work.scores[side] == 1.0:
            return WON
        if work.scores[side] == 0.0:
            return LOST
    return value


@kernel
def write_way(way, mind, value, tie, length):
    """Write the way that stands in a mind, and what it is worth."""
    way.value, way.tie, way.length = value, tie, length
    for index in range(length):
        way.action[index] = mind.action[index]
        way.expected[index] = mind.expected[index]


@kernel
def keep_end(rules, work, tables, outlook, state, side, length, stream):
    """Keep the end of a turn if it is among the best; its way stands in the scratch mind."""
    value = value_end(rules, work, tables, outlook, state, side)
    keep_way(work, value, length, stream)


@kernel
def keep_way(work, value, length, stream):
    """Keep the way in the scratch mind if its value is among the best; its scores stand in `scores`."""
    walk, ways = work.walks[0], work.ways
    tie = next_u64(work.streams[stream])
    if walk.kept < walk.keep:
        place = walk.kept
        walk.kept += 1
    else:
        place = walk.least
        worst = ways[place]
        if value < worst.value or (value == worst.value and tie <= worst.tie):
            return
    write_way(ways[place], work.minds[SCRATCH], value, tie, length)
    for index in range(work.scores.shape[0]):
        ways[place].score[index] = work.scores[index]
    if walk.kept == walk.keep:
        find_least(ways, walk)


@kernel
def order_ends(work):
    """Order the kept ends from best to worst."""
    walk, ways = work.walks[0], work.ways
    for index in range(walk.kept):
        place = index
        while place > 0 and is_better(ways[index], ways[walk.order[place - 1]]):
            walk.order[place] = walk.order[place - 1]
            place -= 1
        walk.order[place] = index


@kernel
def walk_turn(rules, work, tables, outlook, side, keep, limit, stream):
    """Meet every end of the turn that `states[ROOT]` is in; False when `limit` positions were not enough.

    The best `keep` ends for `side` by the estimate under `outlook` are left in `ways`, ordered by
    ``walks[0].order``; with 0 ends are only counted.
    """
    states, actions = work.states, work.actions
    walk, mind = work.walks[0], work.minds[SCRATCH]
    start_walk(work, walk, keep)
    segment = states[ROOT].segment
    depth = 0
    walk.at[0] = 0
    walk.count[0] = legal_for(rules, work.limits, states[ROOT], tables, actions[0])
    mind.expected[0] = rules.key(states[ROOT], tables)
    while depth >= 0:
        if walk.at[depth] == walk.count[depth]:
            depth -= 1
            continue
        parent, child = states[ROOT + depth], states[ROOT + depth + 1]
        action = actions[depth, walk.at[depth]]
        walk.at[depth] += 1
        mind.action[depth] = action
        walk.tags |= rules.tag(parent, tables, action)
        states[ROOT + depth + 1] = states[ROOT + depth]
        rules.step(child, tables, action, work.streams[stream])
        walk.met += 1
        word = rules.key(child, tables)
        if not is_new(work, walk, word):
            continue
        if walk.met > limit:
            return False
        ended = child.segment != segment or child.status == OVER
        walk.ends += np.int32(ended)
        if not ended and depth + 1 < DEPTH:
            depth += 1
            walk.at[depth] = 0
            walk.count[depth] = legal_for(rules, work.limits, child, tables, actions[depth])
            mind.expected[depth] = word
        elif keep > 0:
            keep_end(rules, work, tables, outlook, child, side, depth + 1, stream)
    order_ends(work)
    return True


@kernel
def value_atom(rules, work, tables, outlook, side, action, stream):
    """What an atom is worth to a side, on the average of its dice; leaves the mean scores in `scores`.

    Whether it throws any shows in the stream. The mean is taken of values, so a chance to win counts for
    more than any estimate does.
    """
    states, words, scores = work.states, work.streams[stream], work.scores
    drawn = words[0]
    states[ROOT + 1] = states[ROOT]
    rules.step(states[ROOT + 1], tables, action, words)
    value = value_end(rules, work, tables, outlook, states[ROOT + 1], side)
    if words[0] == drawn:
        return value
    kept = work.ways[MOST_ENDS].score  # of no use but to a beam
    for place in range(kept.shape[0]):
        kept[place] = scores[place]
    for _ in range(THROWS - 1):
        states[ROOT + 1] = states[ROOT]
        rules.step(states[ROOT + 1], tables, action, words)
        value += value_end(rules, work, tables, outlook, states[ROOT + 1], side)
        for place in range(kept.shape[0]):
            kept[place] += scores[place]
    for place in range(kept.shape[0]):
        scores[place] = kept[place] / THROWS
    return np.floor(value / THROWS + 0.5)


@kernel
def walk_atoms(rules, work, tables, outlook, side, keep, stream):
    """As :func:`walk_turn`, but only one atom far: where a decision belongs to no turn."""
    states, walk, mind = work.states, work.walks[0], work.minds[SCRATCH]
    start_walk(work, walk, keep)
    count = legal_for(rules, work.limits, states[ROOT], tables, work.actions[0])
    mind.expected[0] = rules.key(states[ROOT], tables)
    for index in range(count):
        mind.action[0] = work.actions[0, index]
        value = value_atom(rules, work, tables, outlook, side, mind.action[0], stream)
        keep_way(work, value, 1, stream)
    walk.ends = count
    order_ends(work)
