"""One decision, or one turn, of the compiled agents in a position of our choice, many times over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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

ATOM, TURN, NOTHING = 0, 1, 2  # what of a decision is played


def decide(functions, tables, arrays, agents, sides, played, chosen, ends):
    """Let an agent decide in the position at BEFORE once a row of `ends`, on a stream of its own each time.

    `chosen` gets the first action of each row, `ends` the position after it, after the whole turn, or before.
    """
    rules = bundle(functions)
    work = lend(arrays)
    states, streams = work.states, work.streams
    seat = states[BEFORE].to_move
    for row in range(ends.shape[0]):
        states[GAME] = states[BEFORE]
        work.minds[seat].segment = -1
        work.minds[seat].planned = 0
        for purpose in range(streams.shape[0]):
            seed_stream(streams[purpose], 99, row, purpose)
        segment, first = states[GAME].segment, True
        while first or (played == TURN and states[GAME].segment == segment and states[GAME].status != OVER):
            action = choose(rules, work, tables, tables, agents[0], sides, seat)
            if first:
                chosen[row] = action
                first = False
            if played != NOTHING:
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


@dataclass
class Asked:
    """What came of asking: first actions, positions after them, and the workspace as it was left."""

    chosen: list[int]
    ends: list[Position]
    work: Workspace
    agents: Any


def ask(
    position: Position,
    agent: AgentSpec,
    times: int,
    played: int = TURN,
    given: Given | None = None,
    limits: Mapping[int, tuple[str, ...]] | None = None,
    room: tuple[int, int] | None = None,
) -> Asked:
    """Let an agent decide so many times.

    `limits` are restrictions of other seats; `room` replaces the nodes and atoms of the search tree.
    """
    game, contract = position.game, position.game.part("rules").CONTRACT
    nodes, moves = room or tree_size([agent], given or {}, game.max_actions)
    work, agents = Workspace.make(contract, game.max_actions, nodes, moves), jit.new_records(1, AGENT)
    fill_agent(agents[0], agent, given or {}, game.restriction_mask(agent.restrict), 0)
    for seat, names in (limits or {}).items():
        work.limits[seat] = game.restriction_mask(names)
    work.limits[int(position.state["to_move"])] = agents[0].forbidden
    work.states[BEFORE] = position.state
    chosen, ends = np.zeros(times, np.int64), jit.new_records(times, contract.state)
    sides = np.zeros(SEATS, np.int32)
    sides[: position.mode.seats] = position.mode.side_of_seat
    tables = position.tables.tobytes()
    compiled_decide(contract)(
        contract.rules(), position.tables, work.lent(), agents, sides, played, chosen, ends
    )
    # Nobody writes to what is asked about.
    assert work.states[BEFORE] == position.state
    assert position.tables.tobytes() == tables
    return Asked(chosen.tolist(), [position.with_state(ends[row]) for row in range(times)], work, agents)


def decisions(
    position: Position, agent: AgentSpec, times: int, whole_turn: bool = True, given: Given | None = None
) -> tuple[list[int], Any]:
    """First actions, and the positions they or the whole turn led to."""
    asked = ask(position, agent, times, TURN if whole_turn else ATOM, given)
    return asked.chosen, asked.ends
