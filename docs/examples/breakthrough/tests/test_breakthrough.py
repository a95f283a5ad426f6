"""Breakthrough against a second engine and known counts, and its notation."""

from __future__ import annotations

import random

import numpy as np
import pytest
import slow_breakthrough as slow

from balance.agents.sequences import count_sequences
from balance.errors import BalanceError, RuleError
from balance.games import get_game
from balance.study import oracle

GAME = get_game("breakthrough")
RULES = [
    {},
    {"straight_captures": True},
    {"piece_rows": 1},
    {"piece_rows": 3, "straight_captures": True},
]


def begin(rules=None):
    return oracle.start(GAME, "duel", "board", "fixed", overrides={"rules": rules or {}})


def position(a, b, to_move="A", **rules):
    return oracle.load(
        {
            "game": "breakthrough",
            "rules": rules,
            "to_move": to_move,
            "pieces": {"A": a.split(), "B": b.split()},
        }
    )


def estimate(place):
    scores = np.zeros(2)
    oracle.rule(GAME, "evaluate")(place.state, place.tables, scores)
    return scores.tolist()


# The first four are the published ones; OpenSpiel 2.0.2 gives all of them.
@pytest.mark.parametrize(("plies", "count"), [*enumerate([22, 484, 11_132, 256_036, 6_182_818], 1)])
def test_sequences_of_moves_from_the_start(plies, count):
    assert count_sequences(begin(), plies) == count


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_slow_engine_counts_the_same(rules):
    def count(board, plies):
        moves = slow.moves(board, rules.get("straight_captures", False))
        return len(moves) if plies == 1 else sum(count(slow.after(board, move), plies - 1) for move in moves)

    assert count_sequences(begin(rules), 3) == count(slow.start(rules.get("piece_rows", 2)), 3)


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_engines_agree_in_random_games(rules, seed):
    dice, ours, theirs = random.Random(seed), begin(rules), slow.start(rules.get("piece_rows", 2))
    straight = rules.get("straight_captures", False)
    while not theirs.winner:
        assert ours.text() == slow.text(theirs)
        moves = slow.moves(theirs, straight)
        assert oracle.legal(ours) == sorted(moves)
        results = {move: slow.text(slow.after(theirs, move)) for move in moves}
        for action in oracle.actions(ours):
            move = oracle.format_action(ours, action)
            assert oracle.play(ours, action).text() == results[move]
        move = dice.choice(moves)
        ours, theirs = oracle.after(ours, move), slow.after(theirs, move)
    assert ours.text() == slow.text(theirs)
    assert oracle.actions(ours) == [] == slow.moves(theirs, straight)


def test_reaching_the_far_row_wins():
    for mover, place in (("A", position("c7", "h2")), ("B", position("c7", "h2", "B"))):
        move = "c7-c8" if mover == "A" else "h2-h1"
        result = oracle.after(place, move)
        assert result.text().startswith(f"phase=over winner={mover} end=home")
        assert [int(result.state["status"]), int(result.state["to_move"])] == [1, -1]


def test_taking_the_last_piece_wins():
    result = oracle.after(position("c4", "d5"), "c4xd5")
    assert result.text() == "phase=over winner=A end=captured A=d5 B=-"
    scores = np.zeros(2)
    oracle.rule(GAME, "score")(result.state, result.tables, scores)
    assert scores.tolist() == [1.0, 0.0]


def test_pieces_capture_diagonally_and_not_straight():
    place = position("d4", "c5 d5 e5")
    assert oracle.legal(place) == ["d4xc5", "d4xe5"]
    place = position("d4", "c5 d5 e5", straight_captures=True)
    assert oracle.legal(place) == ["d4xc5", "d4xd5", "d4xe5"]


def test_the_edge_of_the_board_is_no_way_round():
    assert oracle.legal(position("a4 h4", "a8 h8")) == ["a4-a5", "a4-b5", "h4-g5", "h4-h5"]
    assert oracle.legal(position("a1", "a5 h5", "B")) == ["a5-a4", "a5-b4", "h5-g4", "h5-h4"]


def test_somebody_can_always_move():
    # The foremost piece finds an empty or a hostile node diagonally ahead, wherever the others stand.
    dice = random.Random(4)
    for _ in range(300):
        squares = dice.sample([file + rank for file in "abcdefgh" for rank in "234567"], dice.randint(2, 32))
        half = dice.randint(1, len(squares) - 1)
        for mover in "AB":
            assert oracle.legal(position(" ".join(squares[:half]), " ".join(squares[half:]), mover))


def test_estimates_see_what_wins_now():
    assert estimate(position("c7", "a2 b2 c2"))[0] > 0.9
    assert estimate(position("c7", "a8", "B"))[0] > 0.9, "nobody can stop c7"
    assert estimate(position("c7 a3 a4", "b8 h5", "B"))[0] < 0.9, "b8 takes c7"
    assert estimate(position("c7", "a2", "B"))[0] < 0.1


def test_estimates_prefer_pieces_and_runners():
    even = estimate(position("a2 b2", "a7 b7"))[0]
    assert estimate(position("a2 b2 c2", "a7 b7"))[0] > even > estimate(position("a2 b2", "a7 b7 c7"))[0]
    assert estimate(position("g5 a2", "a7 b7"))[0] > estimate(position("b5 a2", "a7 b7"))[0]


def test_estimates_are_the_same_from_both_sides_of_the_table():
    notation, dice, place = GAME.part("notation"), random.Random(3), begin()
    while not oracle.is_over(place):
        one, other = estimate(place), estimate(notation.mirror(place))
        assert one == pytest.approx(other[::-1])
        assert sum(one) == pytest.approx(1.0)
        place = oracle.play(place, dice.choice(oracle.actions(place)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pieces": {"A": ["a2"], "B": ["a2"]}}, "two pieces"),
        ({"pieces": {"A": ["a8"], "B": ["b7"]}}, "game would be over"),
        ({"pieces": {"A": [], "B": ["b7"]}}, "game would be over"),
        ({"pieces": {"A": ["j1"], "B": ["b7"]}}, "no node"),
        ({"pieces": {"A": ["a2", "a2"], "B": ["b7"]}}, "twice"),
        ({"pieces": ["a2"]}, "for A and for B"),
        ({"to_move": "C"}, "one of A, B"),
        ({"mover": "A"}, "unknown key"),
        ({"rules": {"piece_rows": 9}}, "from 1 to 3"),
        ({"rules": {"rows": 2}}, "unknown key"),
        ({"game": "chess"}, "game"),
    ],
)
def test_faulty_documents_are_refused(change, words):
    document = {"game": "breakthrough", "to_move": "A", "pieces": {"A": ["a2"], "B": ["b7"]}}
    with pytest.raises(BalanceError, match=words):
        oracle.load(document | change)


def test_texts_of_other_frames_are_refused():
    for text in ("", "phase=turn", "phase=turn to_move=A A=a9 B=b1", "phase=over winner=A end=home A=a1"):
        with pytest.raises(RuleError):
            GAME.part("notation").parse_canonical(text, begin())
