"""Connect Four against a second engine and published counts, and its notation."""

from __future__ import annotations

import random

import numpy as np
import pytest
import slow_connect_four as slow
from connect_four_game import lines
from connect_four_game.layout import bit_of

from balance.agents.sequences import count_sequences
from balance.errors import BalanceError, RuleError
from balance.games import get_game
from balance.study import oracle

GAME = get_game("connect_four")
RULES = [{}, {"line": 3}, {"line": 5}, {"line": 5, "full_board": "second"}]


def begin(rules=None):
    return oracle.start(GAME, "duel", "board", "fixed", overrides={"rules": rules or {}})


def slow_rules(rules):
    return {"length": rules.get("line", 4), "full": "B" if rules.get("full_board") == "second" else "-"}


def estimate(place):
    scores = np.zeros(2)
    oracle.rule(GAME, "evaluate")(place.state, place.tables, scores)
    return scores.tolist()


def score(place):
    scores = np.zeros(2)
    oracle.rule(GAME, "score")(place.state, place.tables, scores)
    return scores.tolist()


# Published by many. The seventh stone in a column is the first without room; games end from depth 7 on.
@pytest.mark.parametrize(
    ("plies", "count"), [*enumerate([7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234], 1)]
)
def test_sequences_of_moves_from_the_start(plies, count):
    assert count_sequences(begin(), plies) == count


def test_the_slow_engine_counts_the_same_where_games_end():
    def count(board, plies):
        found = slow.moves(board)
        if plies == 1:
            return len(found)
        return sum(count(slow.after(board, move, 3), plies - 1) for move in found)

    assert count_sequences(begin({"line": 3}), 6) == count(slow.start(), 6) < 7**6


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_engines_agree_in_random_games(rules, seed):
    dice, ours, theirs, terms = random.Random(seed), begin(rules), slow.start(), slow_rules(rules)
    while not theirs.end:
        assert ours.text() == slow.text(theirs)
        moves = slow.moves(theirs)
        assert oracle.legal(ours) == moves
        for action in oracle.actions(ours):
            letter = oracle.format_action(ours, action)
            assert oracle.play(ours, action).text() == slow.text(slow.after(theirs, letter, **terms))
        move = dice.choice(moves)
        ours, theirs = oracle.after(ours, move), slow.after(theirs, move, **terms)
    assert ours.text() == slow.text(theirs)
    assert oracle.actions(ours) == [] == slow.moves(theirs)


@pytest.mark.parametrize(
    "moves", ["a b a b a b a", "a a b b c c d", "a b b c c d c d d g d", "g f f e e d e d d a d"]
)
def test_a_line_in_each_direction_wins(moves):
    *before, last = moves.split()
    place = oracle.after(begin(), *before)
    assert not oracle.is_over(place)
    result = oracle.after(place, last)
    assert result.text().startswith("phase=over winner=A end=line")
    assert score(result) == [1.0, 0.0]


def test_lines_do_not_run_on_in_the_next_column():
    # a5, a6 and b1, b2 follow each other as bits, but for the empty one between the columns.
    assert not lines.has_line(np.uint64(sum(1 << bit_of(node) for node in (4, 5, 6, 7))), 4)
    assert lines.has_line(np.uint64(sum(1 << bit_of(node) for node in (2, 3, 4, 5))), 4)
    place = oracle.load(
        {
            "game": "connect_four",
            "to_move": "A",
            "stones": {
                "A": ["a2", "a4", "a5", "a6", "b1", "b2", "c2"],
                "B": ["a1", "a3", "b3", "b4", "c1", "d1", "g1"],
            },
        }
    )
    assert not oracle.is_over(oracle.after(place, "f"))


def full_board(rules):
    """A game that fills the board without a line: the seats change their order from row to row."""
    dice, terms = random.Random(1), slow_rules(rules)
    for _ in range(100_000):
        board, played = slow.start(), []
        while not board.end:
            played.append(dice.choice(slow.moves(board)))
            board = slow.after(board, played[-1], **terms)
        if board.end == "full":
            return oracle.after(begin(rules), *played)
    raise AssertionError("no game filled the board")


def test_a_full_board_is_a_draw_or_the_second_seat_wins():
    drawn = full_board({})
    assert drawn.text().startswith("phase=over winner=- end=full")
    assert score(drawn) == [0.5, 0.5]
    assert estimate(drawn) == [0.5, 0.5]
    second = full_board({"full_board": "second"})
    assert second.text().startswith("phase=over winner=B end=full")
    assert score(second) == [0.0, 1.0]


@pytest.mark.parametrize("seed", range(40))
def test_estimates_see_what_wins_now(seed):
    dice, place = random.Random(seed), begin()
    while not oracle.is_over(place):
        results = [oracle.play(place, action) for action in oracle.actions(place)]
        mover = int(place.state["to_move"])
        wins = [result for result in results if int(result.state["winner"]) == mover]
        value = estimate(place)
        assert sum(value) == pytest.approx(1.0)
        assert (value[mover] > 0.97) == bool(wins), place.text()
        place = dice.choice(results)


def test_estimates_see_two_ways_to_win():
    # B is to move, and A completes a line on a1 or on e1.
    place = oracle.after(begin(), *["b", "b", "c", "c", "d"])
    assert estimate(place)[0] > 0.97


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"stones": {"A": ["a2"], "B": []}, "to_move": "B"}, "nothing lies under"),
        ({"stones": {"A": ["a1"], "B": ["a1"]}}, "two stones"),
        ({"stones": {"A": ["a1", "b1"], "B": []}}, "not the move"),
        ({"stones": {"A": ["a1", "a1"], "B": []}}, "twice"),
        ({"stones": {"A": ["h1"], "B": ["a1"]}}, "no node"),
        ({"stones": {"A": ["a1", "b1", "c1", "d1"], "B": ["a2", "b2", "c2", "e1"]}}, "line"),
        ({"stones": []}, "for A and for B"),
        ({"to_move": "B"}, "not the move of B"),
        ({"rules": {"line": 6}}, "from 3 to 5"),
        ({"phase": "turn"}, "unknown key"),
    ],
)
def test_faulty_documents_are_refused(change, words):
    document = {"game": "connect_four", "to_move": "A", "stones": {"A": [], "B": []}}
    with pytest.raises(BalanceError, match=words):
        oracle.load(document | change)


def test_texts_of_other_frames_are_refused():
    for text in ("", "phase=turn", "phase=turn to_move=A A=a9 B=b1", "phase=over winner=A end=full A=a1"):
        with pytest.raises(RuleError):
            GAME.part("notation").parse_canonical(text, begin())
