"""How one game went: its first position and its actions, kept by the playout loop when it is asked to."""

from __future__ import annotations

from balance.agents.workspace import GAME
from balance.kernel.jit import kernel


@kernel
def begin_trace(work, cell):
    """Keep the first position of a game whose actions are to be kept."""
    cell.part.traced = 0
    cell.origins[0] = work.states[GAME]


@kernel
def keep_action(part, trace, action):
    """Keep an action while there is room, and count it."""
    if part.traced < len(trace):
        trace[part.traced] = action
    part.traced += 1
