"""What makes a game worth watching, from the contract alone: choices, leads, deficits.

At every turn's end the tables' own evaluation says how every side stands, whatever the agents think of the
position; the result is the last word. A side *leads* when its share of the evaluation is larger than that of
every other by more than a fifth of an even share: smaller changes are jitter, and who led before still does.

Values are counted on a grid of one millionth, in whole numbers, so that no sum depends on an order.
"""

from __future__ import annotations

import numpy as np

from balance.agents.workspace import GAME
from balance.kernel.contract import NONE, SEATS
from balance.kernel.jit import kernel
from balance.store.schema import JUDGE_GRID, LEAD_BAND

#: What is known of the running game; `total` and `most` wait for the winner's name.
JUDGE = np.dtype(
    [
        ("at_work", "i4"),  # whether this game is counted and judged at all
        ("decisions", "i4"),
        ("forced", "i4"),
        ("options", "i8"),
        ("judged", "i4"),
        ("leader", "i4"),  # side that led last, NONE before anybody did
        ("taken", "i4"),  # which value, from 1, gave it the lead
        ("swings", "i4"),
        ("value", "i8", (SEATS,)),  # share of each side in the present evaluation, on the grid
        ("total", "i8", (SEATS,)),  # sum over all values of how far each side was behind the best
        ("most", "i8", (SEATS,)),  # the largest of them
    ]
)


@kernel
def begin_judging(judge, at_work):
    """Forget the last game."""
    judge.at_work = np.int32(at_work)
    judge.decisions, judge.forced, judge.options = 0, 0, 0
    judge.judged, judge.taken, judge.swings = 0, 0, 0
    judge.leader = NONE
    for side in range(SEATS):
        judge.total[side], judge.most[side] = 0, 0


@kernel
def count_options(rules, work, tables, judge):
    """Count what the rules allow at the decision that is next, whatever an agent is forbidden."""
    options = rules.legal(work.states[GAME], tables, work.actions[0])
    judge.decisions += 1
    judge.forced += np.int32(options == 1)
    judge.options += options


@kernel
def judge_position(rules, work, tables, judge, sides):
    """Take the evaluation of the running game's position as its next value."""
    rules.evaluate(work.states[GAME], tables, work.scores)
    judge_values(judge, work.scores, sides)


@kernel
def judge_values(judge, scores, sides):
    """Take scores per side as the next value: who is behind by how much, and whether the lead changed."""
    whole = 0.0
    for side in range(sides):
        whole += scores[side]
    best, second, first = np.int64(-1), np.int64(-1), np.int64(NONE)
    for side in range(sides):
        share = scores[side] / whole if whole > 0.0 else 1.0 / sides
        value = np.int64(np.floor(share * JUDGE_GRID + 0.5))
        judge.value[side] = value
        if value > best:
            best, second, first = value, best, np.int64(side)
        elif value > second:
            second = value
    judge.judged += 1
    for side in range(sides):
        deficit = best - judge.value[side]
        judge.total[side] += deficit
        judge.most[side] = max(judge.most[side], deficit)
    if (best - second) * LEAD_BAND * sides > JUDGE_GRID and first != judge.leader:
        judge.swings += np.int32(judge.leader != NONE)
        judge.leader, judge.taken = np.int32(first), judge.judged


@kernel
def blank_judging(result):
    """Say of a game that it was neither counted nor judged."""
    result.decisions, result.forced, result.options, result.judged, result.swings = 0, 0, 0, 0, NONE
    result.behind, result.trailed, result.sealed = np.nan, np.nan, np.nan


@kernel
def finish_judging(result, judge, scores, sides):
    """Take the final scores as the last value, and write what the game was like."""
    judge_values(judge, scores, sides)
    result.decisions, result.forced, result.options = judge.decisions, judge.forced, judge.options
    result.judged, result.swings = judge.judged, judge.swings
    if result.winner != NONE:
        result.behind = judge.total[result.winner] / (judge.judged * JUDGE_GRID)
        result.trailed = judge.most[result.winner] / JUDGE_GRID
        result.sealed = judge.taken / judge.judged
