"""What a seat may do under the restrictions of its agent.

A restricted seat uses the list of legal actions without those whose tag it is forbidden, never `sample`.
When that leaves nothing, the restriction yields and the whole list holds.
"""

from __future__ import annotations

import numpy as np

from balance.kernel.jit import kernel
from balance.kernel.rng import below


@kernel
def legal_for(rules, limits, state, tables, actions):
    """Fill `actions` with what the seat to move may do; returns how many."""
    count = rules.legal(state, tables, actions)
    limit = limits[state.to_move]
    if limit == np.uint64(0):
        return count
    kept = 0
    for index in range(count):
        if rules.tag(state, tables, actions[index]) & limit == np.uint64(0):
            actions[kept] = actions[index]
            kept += 1
    return kept if kept > 0 else count  # nothing was overwritten when nothing was kept


@kernel
def sample_for(rules, limits, state, tables, actions, stream):
    """One uniformly random action of those that the seat to move may play."""
    if limits[state.to_move] == np.uint64(0):
        return rules.sample(state, tables, actions, stream)
    return actions[below(stream, legal_for(rules, limits, state, tables, actions))]
