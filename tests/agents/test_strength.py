"""Greedy play against random play and against itself (section 15 of the rules specification)."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import pytest

from balance.agents.playout import Part, play_part
from balance.config.agents import AgentSpec
from balance.games import get_game

GAME = get_game("jump_masters")
RANDOM, GREEDY = AgentSpec("random"), AgentSpec("greedy", 0.05)
TEAMS = [
    ("burnny", "hopper", "pinkbeary", "torturn"),
    ("burnny", "katula", "roara", "wuffryder"),
    ("hopper", "katula", "parena", "torturn"),
    ("parena", "pinkbeary", "unni", "wuffryder"),
]
ARENAS = ["pillars", "pillars_b", "ruins", "divide", "mill"]


def cell(arena, rosters, agents, pairs, key):
    ruleset = GAME.part("schema").load_ruleset(None, {}, "duel")
    make, mode = GAME.part("tables"), GAME.mode("duel")
    setup = make.make_setup(ruleset, "duel", "fixed", rosters)
    tables = make.compile_tables(ruleset, "duel", arena)
    return play_part(GAME, mode, tables, setup, Part(key, 0, pairs, 0, 1, agents)).results


def greedy_scores(pairs):
    """Score of the greedy player in each pair of games, all teams against all on all arenas."""
    scores = []
    for key, (arena, one, other) in enumerate(product(ARENAS, TEAMS, TEAMS)):
        rows = cell(arena, [one, other], [GREEDY, RANDOM], pairs, 1000 + key)
        score = np.where(rows["seating"] == 0, rows["score"][:, 0], rows["score"][:, 1])
        assert (rows["weight"] == 1).all()
        scores.append(np.bincount(rows["pair"], score) / 2)
    return np.concatenate(scores)


def lower_bound(scores):
    """One-sided 95 % Wilson bound of a mean of scores in [0, 1], each pair one trial.

    A pair's score has at most the variance of a coin of the same mean, so the bound is on the safe side.
    """
    z, n, mean = 1.6449, len(scores), scores.mean()
    return (mean + z * z / (2 * n) - z * sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))) / (1 + z * z / n)


@pytest.mark.parametrize("won", [1990, 1900, 300])
def test_the_bound_is_where_the_score_test_turns(won):
    # Wilson's bound is the share that a one-sided 95 % score test just does not refute.
    scores = np.array([1.0] * won + [0.0] * (2000 - won))
    bound = lower_bound(scores)
    assert bound < won / 2000
    assert (won / 2000 - bound) / sqrt(bound * (1 - bound) / 2000) == pytest.approx(1.6449)


def test_greedy_beats_random():
    scores = greedy_scores(3)
    assert len(scores) == 240
    assert lower_bound(scores) >= 0.9


@pytest.mark.slow
def test_greedy_beats_random_at_full_size():
    scores = greedy_scores(25)
    assert len(scores) == 2000
    assert lower_bound(scores) >= 0.95


def self_play(pairs):
    """Mirror matches of the four ready-made teams on pillars, greedy against itself."""
    rows = [
        cell("pillars", [team, team], [GREEDY, GREEDY], pairs, 2000 + key) for key, team in enumerate(TEAMS)
    ]
    return np.concatenate(rows)


def test_greedy_play_is_as_long_as_the_reference():
    # About 22 turns in 16 games of the reference, 17-18 against a random player in 32.
    turns = self_play(60)["turns"]
    error = turns.std(ddof=1) * sqrt(1 / 16 + 1 / len(turns))
    assert abs(turns.mean() - 22) < 3 * error
    rows = [cell("pillars", [team, team], [GREEDY, RANDOM], 30, 3000 + key) for key, team in enumerate(TEAMS)]
    turns = np.concatenate(rows)["turns"]
    assert abs(turns.mean() - 17.5) < 3 * turns.std(ddof=1) * sqrt(1 / 32 + 1 / len(turns)) + 0.5
