"""How many sequences of actions a position has: the usual check of a move generator, compiled.

Unlike ``oracle.perft``, which counts distinct positions after whole turns, every way is counted, by single
actions. Chance is drawn from one stream, so counts mean something in games without it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from balance.errors import RuleError
from balance.games import get_game
from balance.games.position import Position
from balance.kernel import jit
from balance.kernel.contract import OVER, bundle
from balance.kernel.rng import new_stream


def walk_sequences(functions, tables, states, actions, at, count, stream, plies):
    """Sequences of `plies` actions from ``states[0]``, which is running.

    Sizes: `states`, `at`, `count` plies + 1, `actions` (plies + 1, most actions).
    """
    rules = bundle(functions)
    total, depth = 0, 0
    at[0], count[0] = 0, rules.legal(states[0], tables, actions[0])
    while depth >= 0:
        if depth == plies - 1:
            total += count[depth]
            depth -= 1
        elif at[depth] == count[depth]:
            depth -= 1
        else:
            states[depth + 1] = states[depth]
            rules.step(states[depth + 1], tables, actions[depth, at[depth]], stream)
            at[depth] += 1
            if states[depth + 1].status != OVER:
                depth += 1
                at[depth], count[depth] = 0, rules.legal(states[depth], tables, actions[depth])
    return total


@cache
def _kernel(slug: str) -> Any:
    contract = get_game(slug).part("rules").CONTRACT
    if jit.PURE_PYTHON:
        return walk_sequences
    t, record = jit.types, jit.record_type
    whole = t.int64[::1]
    arguments = (record(contract.tables), record(contract.state)[::1], t.int64[:, ::1], whole, whole)
    return jit.compiled(walk_sequences, t.int64(contract.rules_type(), *arguments, t.uint64[::1], t.int64))


def count_sequences(position: Position, plies: int, seed: int = 0) -> int:
    """Sequences of exactly `plies` actions from a position; games that end earlier give none.

    Raises
    ------
    RuleError
        `plies` is below 1, or the game is over.
    """
    if plies < 1:
        raise RuleError(f"the number of actions must be at least 1, not {plies}")
    if position.state["status"] == OVER:
        raise RuleError("the game is over")
    contract = position.game.part("rules").CONTRACT
    states = jit.new_records(plies + 1, contract.state)
    states[0] = position.state
    actions = np.zeros((plies + 1, position.game.max_actions), np.int64)
    at, count = np.zeros(plies + 1, np.int64), np.zeros(plies + 1, np.int64)
    kernel = _kernel(position.game.slug)
    stream = new_stream(seed)
    return int(kernel(contract.rules(), position.tables, states, actions, at, count, stream, plies))
