"""Scores by player from stored rows, where equal seatings were played once."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from balance.errors import RunError
from balance.games import get_game
from balance.play.cells import different_seatings
from balance.study.pair_scores import pair_scores

GAME = get_game("jump_masters")
MODES = [mode.name for mode in GAME.modes]


def facts(mode):
    return {"seats": mode.seats, "seatings": [list(seats) for seats in mode.seatings]}


def score_of(held):
    """A made-up game: what each seat scores depends on who sits where, and on nothing else."""
    return [hash((tuple(held), seat)) % 1000 / 1000 for seat in range(len(held))]


@pytest.mark.parametrize("name", MODES)
def test_as_if_every_seating_had_been_played(name):
    mode = GAME.mode(name)
    for players in itertools.product((1, 2, 3), repeat=mode.seats):
        rosters = tuple((str(player),) for player in players)
        expected, stored = np.zeros(mode.seats), different_seatings(mode, rosters, players)
        rows = []
        for seats in mode.seatings:
            held = [players[seats.index(seat)] for seat in range(mode.seats)]
            expected += [score_of(held)[seat] for seat in seats]
            rows.append(score_of(held))
        shuffled = list(stored)[::-1]
        pairs, scores = pair_scores(
            np.full(len(stored), 7), np.array(shuffled), np.array([rows[s] for s in shuffled]), facts(mode)
        )
        assert pairs.tolist() == [7]
        assert scores[0] == pytest.approx(expected / len(mode.seatings))


def test_a_mirror_match_is_even_whatever_was_scored():
    duel = facts(GAME.mode("duel"))
    _, scores = pair_scores(np.array([0, 1]), np.array([0, 0]), np.array([[1.0, 0], [0, 1]]), duel)
    assert scores.tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_pairs_of_one_and_of_two_rows_side_by_side():
    duel = facts(GAME.mode("duel"))
    pair, seating = np.array([3, 1, 3]), np.array([1, 0, 0])
    pairs, scores = pair_scores(pair, seating, np.array([[0, 1.0], [0.25, 0.75], [1.0, 0]]), duel)
    assert pairs.tolist() == [1, 3]
    assert scores.tolist() == [[0.5, 0.5], [1.0, 0.0]]


def test_half_a_pair_is_refused():
    duel = facts(GAME.mode("duel"))
    with pytest.raises(RunError, match="not complete"):
        pair_scores(np.array([0]), np.array([1]), np.array([[1.0, 0.0]]), duel)
