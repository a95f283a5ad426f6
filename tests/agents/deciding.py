"""One decision, or one turn, of the compiled agents in a position of our choice, many times over."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from balance.agents.choose import choose
from balance.agents.settings import Given, fill_agent, tree_size
from balance.agents.workspace import AGENT, BEFORE, DICE, GAME, Workspace, lend, lent_type
from balance.config.agents import AgentSpec
from balance.games.position import Position
from balance.kernel import jit
from balance.kernel.contract import OVER, SEATS, bundle
from balance.kernel.rng import seed_stream


def decide(functions, tables, arrays, agents, sides, whole_turn, chosen, ends):
    """Let an agent decide in the position at BEFORE once a row of `ends`, on a stream of its own each time.

    `chosen` gets the first action of each row, `ends` the position after it, or after the whole turn.
    """
    rules = bundle(functions)
    work = lend(arrays)
    states, streams = work.states, work.streams
    seat = states[BEFORE].to_move
    work.limits[seat] = agents[0].forbidden
    for row in range(ends.shape[0]):
        states[GAME] = states[BEFORE]
        work.minds[seat].segment = -1
        work.minds[seat].planned = 0
        for purpose in range(streams.shape[0]):
            seed_stream(streams[purpose], 99, row, purpose)
        segment, first = states[GAME].segment, True
        while first or (whole_turn and states[GAME].segment == segment and states[GAME].status != OVER):
            action = choose(rules, work, tables, tables, agents[0], sides, seat)
            if first:
                chosen[row] = action
                first = False
            rules.step(states[GAME], tables, action, streams[DICE])
        ends[row] = states[GAME]


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
        lent_type(contract),
        record(AGENT)[::1],
        t.int32[::1],
        t.int64,
        t.int64[::1],
        state,
    )
    return jit.compiled(decide, signature)


def decisions(
    position: Position, agent: AgentSpec, times: int, whole_turn: bool = True, given: Given | None = None
) -> tuple[list[int], Any]:
    """First actions, and the positions they or the whole turn led to."""
    game, contract = position.game, position.game.part("rules").CONTRACT
    nodes, moves = tree_size([agent], given or {}, game.max_actions)
    work, agents = Workspace.make(contract, game.max_actions, nodes, moves), jit.new_records(1, AGENT)
    fill_agent(agents[0], agent, given or {}, game.restriction_mask(agent.restrict), 0)
    work.states[BEFORE] = position.state
    chosen, ends = np.zeros(times, np.int64), jit.new_records(times, contract.state)
    sides = np.zeros(SEATS, np.int32)
    sides[: position.mode.seats] = position.mode.side_of_seat
    compiled_decide(contract)(
        contract.rules(), position.tables, work.lent(), agents, sides, int(whole_turn), chosen, ends
    )
    assert work.states[BEFORE] == position.state  # nobody writes to the position that is asked about
    return chosen.tolist(), [position.with_state(ends[row]) for row in range(times)]
