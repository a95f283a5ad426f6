"""No agent plays what it is forbidden while something else is legal; when nothing else is, it yields."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from scipy.stats import chisquare

from balance.config.agents import parse_agent
from balance.games import get_game
from balance.kernel.rng import new_stream
from balance.play.executors.serial import Serial
from balance.play.plan import load_plan_text
from balance.play.run import run
from balance.store.read import open_run
from balance.study import oracle
from tests.agents.deciding import decisions

GAME = get_game("jump_masters")
ROSTERS = (("burnny", "freeda", "hopper", "katula"), ("parena", "pinkbeary", "unni", "wuffryder"))
AGENTS = ("random", "greedy:0", "greedy:0.5", "flat:6", "mcts:12", "mcts:12 tree=turns")
# For any seat: abilities of both rosters, so that whoever is to move is forbidden something.
FORBIDDEN = (
    "action:jump",
    "ability:frog_bow,ability:fire_step,power:unni,power:pinkbeary",
    "action:end,action:step",
)
EVERYTHING = ",".join(name for name in GAME.restrictions if name.startswith("action:"))


@cache
def positions():
    """Positions of random games in which the seat to move has a choice, those with abilities first."""
    found, dice, stream = [], random.Random(3), new_stream(3)
    for seed in range(3):
        position = oracle.start(GAME, "duel", "pillars", "fixed", ROSTERS, seed)
        while not oracle.is_over(position):
            actions = oracle.actions(position)
            if position.state["turn"] and len(actions) > 1:
                found.append(position)
            position = oracle.play(position, dice.choice(actions), stream)
    return found


def tags(position, actions):
    rule = oracle.rule(GAME, "tag")
    return np.array([int(rule(position.state, position.tables, action)) for action in actions])


def contested(mask, most):
    """Positions in which some legal actions are forbidden and others are not."""
    found = []
    for position in positions():
        bad = tags(position, oracle.actions(position)) & mask != 0
        if bad.any() and not bad.all():
            found.append(position)
    return random.Random(1).sample(found, min(most, len(found)))


@pytest.mark.parametrize("without", FORBIDDEN)
@pytest.mark.parametrize("text", AGENTS)
def test_what_is_forbidden_is_not_played(text, without):
    mask = GAME.restriction_mask(without.split(","))
    chosen = contested(mask, 25)
    assert len(chosen) >= 15
    for position in chosen:
        played, _ = decisions(position, parse_agent(f"{text} without={without}"), 4, whole_turn=False)
        assert set(played) <= set(oracle.actions(position))
        assert not (tags(position, played) & mask).any()


@pytest.mark.parametrize("text", AGENTS)
def test_the_unrestricted_agent_would_have_played_it(text):
    """Or the test above would show nothing."""
    mask = GAME.restriction_mask(["action:jump"])
    played = [
        action
        for position in contested(mask, 60)
        for action in tags(position, decisions(position, parse_agent(text), 3, whole_turn=False)[0])
    ]
    assert (np.array(played) & mask != 0).sum() >= 3


@pytest.mark.parametrize("text", AGENTS)
def test_a_restriction_that_leaves_nothing_yields(text):
    for position in positions()[::40]:
        legal = set(oracle.actions(position))
        played, _ = decisions(position, parse_agent(f"{text} without={EVERYTHING}"), 4, whole_turn=False)
        assert set(played) <= legal


def test_yielding_gives_the_choice_of_all_back():
    position = next(p for p in positions() if 3 <= len(oracle.actions(p)) <= 6)
    legal = oracle.actions(position)
    played, _ = decisions(position, parse_agent(f"random without={EVERYTHING}"), 600, whole_turn=False)
    assert chisquare([played.count(action) for action in legal]).pvalue > 1e-4


def test_a_random_agent_draws_evenly_from_what_is_left():
    mask = GAME.restriction_mask(["action:step"])
    position = next(p for p in contested(mask, 1000) if len(oracle.actions(p)) <= 30)
    legal = oracle.actions(position)
    left = [a for a, word in zip(legal, tags(position, legal), strict=True) if not word & mask]
    spec = parse_agent("random without=action:step")
    played, _ = decisions(position, spec, 60 * len(left), whole_turn=False)
    assert sum(played.count(action) for action in left) == len(played)
    assert chisquare([played.count(action) for action in left]).pvalue > 1e-4


PLAN = """game: jump_masters
arenas: [pillars]
teams: {a: [burnny, hopper, katula, roara], b: [freeda, parena, unni, wuffryder]}
matchups: [[a, b]]
agents: [random, greedy, 'mcts:8']
restrict: {A: [ability:frog_bow, power:katula, ability:ensnare]}
pairs: 12
"""


def test_whole_games_without_the_forbidden_abilities(tmp_path):
    """These three are always one choice beside `end`, so that the restriction never yields."""
    import polars as pl

    run(load_plan_text(PLAN), tmp_path / "run", Serial())
    heroes = open_run(tmp_path / "run").heroes().collect()
    names = open_run(tmp_path / "run").manifest["heroes"]
    uses = heroes.group_by("hero").agg(pl.col("ability_uses").sum())
    by_name = {names[hero]: count for hero, count in uses.iter_rows()}
    assert [by_name[name] for name in ("hopper", "katula", "roara")] == [0, 0, 0]
    assert by_name["burnny"] > 0 and by_name["unni"] > 0
    run(load_plan_text(PLAN, sets=["restrict={}"]), tmp_path / "free", Serial())
    free = open_run(tmp_path / "free").heroes().collect()
    assert free.filter(pl.col("hero") == names.index("hopper"))["ability_uses"].sum() > 0
