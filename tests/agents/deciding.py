"""One decision, or one turn, of the compiled agents in a position of our choice, many times over."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from balance.agents.choose import choose
from balance.agents.workspace import AGENT, DICE, KINDS, MIND, WALK, Workspace, lend
from balance.config.agents import AgentSpec
from balance.games.position import Position
from balance.kernel import jit
from balance.kernel.contract import OVER, bundle
from balance.kernel.rng import seed_stream


def decide(
    functions, tables, states, actions, scores, seen, streams, minds, walks, agents, side, whole_turn,
    chosen, ends,
):  # fmt: skip
    """Let an agent decide in `states[0]` once a row of `ends`, on a stream of its own each time.

    `chosen` gets the first action of each row, `ends` the position after it, or after the whole turn.
    """
    rules = bundle(functions)
    work = lend(states, actions, scores, seen, streams, minds, walks)
    for row in range(ends.shape[0]):
        states[0] = states[1]
        minds[0].segment = -1
        for purpose in range(streams.shape[0]):
            seed_stream(streams[purpose], 99, row, purpose)
        segment, first = states[0].segment, True
        while first or (whole_turn and states[0].segment == segment and states[0].status != OVER):
            action = choose(rules, work, tables, agents[0], side, 0)
            if first:
                chosen[row] = action
                first = False
            rules.step(states[0], tables, action, streams[DICE])
        ends[row] = states[0]


@cache
def compiled_decide(contract: Any) -> Any:
    """The loop above for one game."""
    if jit.PURE_PYTHON:
        return decide
    t, record = jit.types, jit.record_type
    state = record(contract.state)[::1]
    signature = t.void(
        contract.rules_type(),
        record(contract.tables),
        state,
        t.int64[:, ::1],
        t.float64[::1],
        t.uint64[::1],
        t.uint64[:, ::1],
        record(MIND)[::1],
        record(WALK)[::1],
        record(AGENT)[::1],
        t.int64,
        t.int64,
        t.int64[::1],
        state,
    )
    return jit.compiled(decide, signature)


def decisions(
    position: Position, agent: AgentSpec, times: int, whole_turn: bool = True
) -> tuple[list[int], Any]:
    """First actions, and the positions they or the whole turn led to."""
    contract = position.game.part("rules").CONTRACT
    work, agents = Workspace.make(contract, position.game.max_actions), jit.new_records(1, AGENT)
    agents[0].kind, agents[0].number = KINDS[agent.kind], agent.number
    work.states[1] = position.state
    chosen, ends = np.zeros(times, np.int64), jit.new_records(times, contract.state)
    side = position.mode.side_of_seat[int(position.state["to_move"])]
    compiled_decide(contract)(
        contract.rules(), position.tables, work.states, work.actions, work.scores, work.seen, work.streams,
        work.minds, work.walks, agents, side, int(whole_turn), chosen, ends,
    )  # fmt: skip
    return chosen.tolist(), [position.with_state(ends[row]) for row in range(times)]
