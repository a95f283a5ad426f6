"""What a seat may do under the restrictions of its agent.

A restricted seat uses the list of legal actions without those whose tag it is forbidden.
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
    """One uniformly random action of those that the seat to move may play.

    Drawn from all and, when it is forbidden, once more from the others: each of these has the chance
    1/n + (n - m)/n 1/m = 1/m. So a restricted game stays the unrestricted one, on the same stream, up to
    the first action that the restriction changes.
    """
    action = rules.sample(state, tables, actions, stream)
    limit = limits[state.to_move]
    if limit == np.uint64(0) or rules.tag(state, tables, action) & limit == np.uint64(0):
        return action
    return actions[below(stream, legal_for(rules, limits, state, tables, actions))]
