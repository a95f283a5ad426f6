"""Prints a transcript of random games of every kind: run jitted and in pure Python, and compared.

Usage: python -m tests.conformance.transcript SLUG
"""

from __future__ import annotations

import sys

import numpy as np

from balance.games import get_game
from balance.games.position import Position
from balance.kernel.contract import ROSTER
from balance.kernel.jit import new_record
from balance.kernel.rng import new_stream
from balance.study import oracle
from tests.conformance.playing import begin

PLIES = 60


def facts(position: Position, stream: np.ndarray) -> tuple[int, str]:
    """The action that sample draws, and a line with everything the rule functions say."""
    game, state, tables = position.game, position.state, position.tables
    scores = np.zeros(4)
    oracle.rule(game, "evaluate")(state, tables, scores)
    buffer = np.zeros(game.max_actions, np.int64)
    action = int(oracle.rule(game, "sample")(state, tables, buffer, stream))
    tags = [int(oracle.rule(game, "tag")(state, tables, one)) for one in oracle.actions(position)]
    # Estimates go through exp, whose last digit is the library's.
    estimates = [f"{value:.9f}" for value in scores]
    return (
        action,
        f"{oracle.key(position)} {oracle.actions(position)} {tags} {estimates} {action} {position.text()}",
    )


def play(slug: str, mode: str, draft: str) -> None:
    """Print PLIES plies: of one game, or of as many short ones as that takes."""
    shown, seed = 0, 11
    while shown < PLIES:
        shown += show(begin(slug, mode, draft, seed), PLIES - shown, seed)
        seed += 1


def show(position: Position, most: int, seed: int) -> int:
    """Print one game, to its end or for `most` plies; returns how many were played."""
    stream = new_stream(seed)
    tally = new_record(position.game.part("rules").CONTRACT.tally)
    played = 0
    while played < most and not oracle.is_over(position):
        action, line = facts(position, stream)
        print(line)
        hidden = oracle.copied(position.state)
        oracle.rule(position.game, "conceal")(hidden, position.tables, 0, new_stream(3))
        print(hidden.tobytes().hex())
        result = oracle.play(position, action, stream)
        oracle.rule(position.game, "observe")(position.state, action, result.state, position.tables, tally)
        position = result
        played += 1
    rosters = np.zeros((4, ROSTER), np.int32)
    oracle.rule(position.game, "rosters")(position.state, position.tables, rosters)
    print(position.text(), rosters.tolist(), position.state.tobytes().hex(), tally.tobytes().hex())
    return played


if __name__ == "__main__":
    for shape in get_game(sys.argv[1]).modes:
        for form in get_game(sys.argv[1]).drafts:
            play(sys.argv[1], shape.name, form)
