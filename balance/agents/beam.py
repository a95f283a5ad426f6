"""The best ends of a turn that has too many to meet them all: layer by layer, keeping a few positions."""

from __future__ import annotations

import numpy as np

from balance.agents.limits import legal_for
from balance.agents.lookahead import (
    GRAIN,
    is_better,
    is_new,
    keep_end,
    order_ends,
    start_walk,
    walk_turn,
    write_way,
)
from balance.agents.workspace import DEPTH, MOST_ENDS, ROOT, SCRATCH
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import kernel
from balance.kernel.rng import next_u64

LAYERS = ROOT + DEPTH + 1  # where the positions of a beam stand in the workspace
MOST_MET = 20_000  # positions of a whole walk before a beam takes its place


@kernel
def find_ends(rules, work, tables, outlook, side, keep, width, stream):
    """The best `keep` ends of the turn in `states[ROOT]`: all of them looked at, or a beam of `width`."""
    if not walk_turn(rules, work, tables, outlook, side, keep, MOST_MET, stream):
        work.states[LAYERS] = work.states[ROOT]
        beam_turn(rules, work, tables, outlook, side, keep, width, stream)


@kernel
def room_in(ways, first, filled, width, value, tie):
    """Place in the next layer for a position of this worth; NONE when all there are better."""
    if filled < width:
        return first + filled
    least = first
    for place in range(first + 1, first + filled):
        if is_better(ways[least], ways[place]):
            least = place
    worse = ways[least].value < value or (ways[least].value == value and ways[least].tie < tie)
    return least if worse else NONE


@kernel
def keep_position(rules, work, outlook, side, length, first, filled, width, stream):
    """Put `states[ROOT]` in the next layer if it is good enough; returns the layer's new size.

    `first` is the layer's first place among `ways`; its positions stand in the same order after LAYERS.
    """
    ways = work.ways
    rules.evaluate(work.states[ROOT], outlook, work.scores)
    value = np.floor(work.scores[side] * GRAIN + 0.5)
    tie = next_u64(work.streams[stream])
    place = room_in(ways, first, filled, width, value, tie)
    if place == NONE:
        return filled
    write_way(ways[place], work.minds[SCRATCH], value, tie, length)
    work.states[LAYERS + place - MOST_ENDS] = work.states[ROOT]
    return filled + np.int64(place == first + filled)


@kernel
def beam_turn(rules, work, tables, outlook, side, keep, width, stream):
    """Ends of the turn that begins in ``states[LAYERS]``, each layer cut to its best `width` positions."""
    start_walk(work, work.walks[0], keep)
    segment = work.states[LAYERS].segment
    layer, size = 0, 1
    work.ways[MOST_ENDS].length = 0
    depth = 0
    while size > 0 and depth < DEPTH:
        size = grow_layer(
            rules, work, tables, outlook, side, width, stream, segment, layer, size, depth + 1 == DEPTH
        )
        layer = 1 - layer
        depth += 1
    order_ends(work)


@kernel
def grow_layer(rules, work, tables, outlook, side, width, stream, segment, layer, size, last):
    """Play every atom in every position of a layer; returns the size of the next layer."""
    walk, mind = work.walks[0], work.minds[SCRATCH]
    first = MOST_ENDS * (2 - layer)
    filled = np.int64(0)
    for index in range(size):
        place = layer * MOST_ENDS + index
        parent, way = work.states[LAYERS + place], work.ways[MOST_ENDS + place]
        length = way.length
        for atom in range(length):
            mind.action[atom], mind.expected[atom] = way.action[atom], way.expected[atom]
        mind.expected[length] = rules.key(parent, tables)
        count = legal_for(rules, work.limits, parent, tables, work.actions[0])
        for choice in range(count):
            mind.action[length] = work.actions[0, choice]
            work.states[ROOT] = work.states[LAYERS + place]
            child = work.states[ROOT]
            rules.step(child, tables, mind.action[length], work.streams[stream])
            if not is_new(work, walk, rules.key(child, tables)):
                continue
            if child.segment != segment or child.status == OVER or last:
                walk.ends += 1
                keep_end(rules, work, tables, outlook, child, side, length + 1, stream)
            else:
                filled = keep_position(rules, work, outlook, side, length + 1, first, filled, width, stream)
    return filled
