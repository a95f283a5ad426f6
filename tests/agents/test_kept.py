"""Positions kept at turn ends: which, how many, of which game; and what they are worth."""

from __future__ import annotations

import numpy as np
import pytest

from balance.agents.estimates import estimates
from balance.agents.loop import KEPT_A_GAME
from balance.agents.playout import Part, play_part
from balance.config.agents import parse_agent
from balance.games import get_game
from balance.kernel.contract import OVER

GAME = get_game("jump_masters")
TEAMS = (("burnny", "hopper", "pinkbeary", "torturn"), ("katula", "parena", "roara", "unni"))


def records(mode="duel"):
    make, ruleset = GAME.part("tables"), GAME.part("schema").load_ruleset()
    return make.compile_tables(ruleset, mode, "pillars"), make.make_setup(ruleset, mode, "fixed", TEAMS)


def played(keep_every, pairs=4, agent="random"):
    tables, setup = records()
    part = Part(99, 0, pairs, 0, 1, [parse_agent(agent)] * 2, keep_every=keep_every)
    return play_part(GAME, GAME.mode("duel"), tables, setup, part)


def test_keeping_changes_no_game():
    without, with_ = played(0), played(1)
    assert without.results.tobytes() == with_.results.tobytes()
    assert len(without.states) == len(without.owners) == 0


def test_every_turn_end_is_kept_up_to_the_most_of_a_game():
    rows = played(1)
    kept = np.bincount(rows.owners, minlength=len(rows.results))
    # The turn that ends a game leaves no position; Hill points may end it at the beginning of the next one.
    for count, turns in zip(kept, rows.results["turns"], strict=True):
        assert min(KEPT_A_GAME, turns - 2) <= count <= min(KEPT_A_GAME, turns - 1)
    assert kept.max() == KEPT_A_GAME
    assert (np.diff(rows.owners) >= 0).all()


def test_kept_positions_go_on_and_belong_to_no_turn_that_is_played():
    states = played(1).states
    assert (states["status"] != OVER).all()
    assert (np.asarray(states["ply"]) > 0).all()
    first = states[rows_of(0)]["ply"]
    assert (np.diff(first) > 0).all()


def rows_of(game):
    return played(1).owners == game


@pytest.mark.parametrize("every", [2, 3, 7])
def test_one_in_so_many(every):
    whole, some = played(1, agent="greedy:0.1"), played(every, agent="greedy:0.1")
    pair = whole.results["pair"][whole.owners]
    wanted = (whole.states["turn"] + pair) % every == 0
    assert 0 < wanted.sum() < len(wanted)
    assert some.states.tobytes() == whole.states[wanted].tobytes()
    assert some.owners.tolist() == whole.owners[wanted].tolist()


def test_estimates_are_those_of_the_rules_under_each_set_of_weights():
    tables, _ = records()
    states = played(5, pairs=1).states
    weights = np.array([[0.0, 6.0], [2.5, 6.0], [1.0, 3.0]])
    found = estimates(GAME, tables, states, ("turn", "scale"), weights, 2)
    assert found.shape == (3, len(states), 2)
    evaluate = GAME.part("rules").CONTRACT.functions["evaluate"]
    scores = np.zeros(4)
    for view, (turn, scale) in enumerate(weights):
        own = records()[0]
        own["weights"]["turn"], own["weights"]["scale"] = turn, scale
        for place in range(len(states)):
            evaluate(states[place], own, scores)
            assert found[view, place].tolist() == scores[:2].tolist()
    assert (found[0] != found[1]).any()
