"""Streams that give what is wanted, and exact probabilities made of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from balance.games import get_game
from balance.kernel.rng import below
from balance.study import oracle
from balance.study.casefiles import outcome_difference
from balance.study.scripted import every, scripted

POSITION = {
    "game": "krosmaster_blast",
    "turn": 9,
    "unseen": ["haste", "balm", "snare"],
    "fighters": {
        "A": [
            {"name": "agate", "cell": "b5", "state": "done"},
            {"name": "mender", "cell": "b8", "state": "done"},
        ],
        "B": [{"name": "oone", "cell": "i6"}, {"name": "ronimo", "cell": "i3"}],
    },
}


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 20, 216, 8000, 65_536, 2**31 - 1])
def test_the_next_draw_is_the_one_that_was_asked_for(bound: int) -> None:
    for value in {0, 1 % bound, bound // 2, bound - 1}:
        assert below(scripted(value, bound), bound) == value


def test_every_value_comes_once() -> None:
    assert [int(below(stream, 15)) for stream in every(15)] == list(range(15))


def test_outcomes_of_enumerated_dice_are_fractions() -> None:
    shares = oracle.outcomes(oracle.load(POSITION), "end", samples=1)
    assert list(shares.values()) == [Fraction(1, 3)] * 3
    assert list(shares) == sorted(shares)


def test_actions_without_dice_have_one_outcome() -> None:
    after = oracle.after(oracle.load(POSITION), "end")
    assert list(oracle.outcomes(after, "favor left").values()) == [1]


def test_games_that_do_not_count_their_chances_are_played_at_random() -> None:
    assert not hasattr(get_game("jump_masters").part("notation"), "chances")


def test_exact_probabilities_may_not_differ() -> None:
    expected = {"one": (1 / 3, 0.0), "two": (2 / 3, 0.0)}
    exact = {"one": Fraction(1, 3), "two": Fraction(2, 3)}
    assert outcome_difference(expected, exact, 100) == ""
    near = {"one": Fraction(34, 100), "two": Fraction(66, 100)}
    assert "one: expected 0.33333, got 0.34000" in outcome_difference(expected, near, 100)
    assert outcome_difference(expected, {"one": 0.34, "two": 0.66}, 100) == ""
