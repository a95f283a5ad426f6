"""What the agents decide in single positions, against an independent slow view of section 15."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from balance.config.agents import AgentSpec
from balance.games import discover
from balance.games.position import Position
from balance.study import oracle
from tests.agents import slow_greedy
from tests.agents.deciding import decisions
from tests.conformance.playing import spread
from tests.naive import jump_masters as naive

RANDOM, GREEDY = AgentSpec("random"), AgentSpec("greedy", 0.0)
FAMILY = 1e-4  # chance of a false alarm among the positions of one test
SAME = 1e-9  # estimates closer than this are ties to the agents


def chi_square(counts: Counter, support: list) -> float:
    """p-value of equal chances on `support`."""
    from scipy.stats import chisquare

    assert set(counts) <= set(support)
    return chisquare([counts[one] for one in support]).pvalue if len(support) > 1 else 1.0


def positions(seed: int, count: int, phases: tuple[str, ...] = ("turn",)) -> Iterator[tuple[Any, Position]]:
    """Random positions in all modes under random rules, as the slow engine and as ours."""
    dice = random.Random(seed)
    while count:
        slow = naive.random_position(dice)
        if slow.phase in phases:
            count -= 1
            yield slow, oracle.load(naive.document(slow))


# ---- random


MODES = [(slug, mode.name) for slug, game in discover().items() for mode in game.modes]


@pytest.mark.parametrize(("slug", "mode"), MODES)
def test_random_is_uniform(slug, mode):
    draft = discover()[slug].drafts[0]
    for position in spread(slug, mode, draft, 12):
        legal = oracle.actions(position)
        chosen, _ = decisions(position, RANDOM, 60 * len(legal), whole_turn=False)
        assert chi_square(Counter(chosen), legal) > FAMILY / 12


@pytest.mark.parametrize("agent", [AgentSpec("greedy", 1.0), AgentSpec("greedy", 0.0)])
def test_greedy_is_uniform_between_turns(agent):
    for seed, phase in enumerate(("zone", "deploy", "redeploy")):
        for _, position in positions(seed, 4, (phase,)):
            legal = oracle.actions(position)
            chosen, _ = decisions(position, agent, 200 * len(legal), whole_turn=False)
            assert chi_square(Counter(chosen), legal) > FAMILY / 12


# ---- greedy


def check_plans(seed, count):
    tied = 0
    for slow, position in positions(seed, count):
        best = slow_greedy.best_ends(slow)
        tied += len(best) > 1
        _, ends = decisions(position, GREEDY, 3)
        assert {end.text() for end in ends} <= best, naive.document(slow)
    return tied


def test_plans_reach_a_best_end():
    assert 0 < check_plans(1, 150) < 150


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_plans_reach_a_best_end_in_many_positions(seed):
    check_plans(seed, 250)


def test_plans_at_the_brink_of_victory():
    # One point from the target on both sides: winning ends, and ends that lose at once.
    dice, winning = random.Random(5), 0
    for slow, _ in positions(6, 80):
        target = slow.target
        points = {side: target - dice.randint(1, min(2, target)) for side in slow.sides}
        near = naive.load(naive.document(slow) | {"vp": points})
        best = slow_greedy.best_ends(near)
        winning += any(f"winner={near.side_of[near.to_move]}" in text for text in best)
        _, ends = decisions(oracle.load(naive.document(near)), GREEDY, 2)
        assert {end.text() for end in ends} <= best, naive.document(near)
    assert winning > 10


@pytest.mark.parametrize("lead", [120, 150])
def test_plans_with_a_long_lead(lead):
    # Estimates are squeezed into (0, 1); far from even they must not become ties.
    document = {
        "game": "jump_masters",
        "arena": "pillars",
        "rules": {"vp_to_win": 200},
        "to_move": "A",
        "zones": {"A": "sw", "B": "ne"},
        "vp": {"A": lead, "B": 0},
        "heroes": {"A": ["torturn b4 1", "hopper c5 3", "katula c2 2"], "B": ["unni g5 2", "roara d5 1"]},
    }
    _, ends = decisions(oracle.load(document), GREEDY, 40)
    assert {end.text() for end in ends} <= slow_greedy.best_ends(naive.load(document))


def test_ties_are_broken_evenly():
    checked = 0
    for slow, position in positions(3, 120):
        best = sorted(slow_greedy.best_ends(slow))
        if 2 <= len(best) <= 12:
            checked += 1
            _, ends = decisions(position, GREEDY, 100 * len(best))
            assert chi_square(Counter(end.text() for end in ends), best) > FAMILY / 120
    assert checked > 15


def test_a_chance_of_one_is_random_play():
    # Whole turns: each atom uniform, so an end's chance is the sum over the ways that lead there.
    for _, position in positions(4, 8):
        legal = oracle.actions(position)
        chosen, _ = decisions(position, AgentSpec("greedy", 1.0), 60 * len(legal), whole_turn=False)
        assert chi_square(Counter(chosen), legal) > FAMILY / 8


def test_a_chance_of_zero_is_never_random():
    for slow, position in positions(7, 20):
        best = slow_greedy.best_ends(slow)
        _, ends = decisions(position, GREEDY, 200)
        assert {end.text() for end in ends} <= best


@pytest.mark.parametrize("chance", [0.05, 0.4])
def test_the_chance_is_the_share_of_random_turns(chance):
    from scipy.stats import binomtest

    for slow, position in positions(8, 6):
        best, times = slow_greedy.best_ends(slow), 4000
        random_hits = sum(end.text() in best for end in decisions(position, RANDOM, times)[1]) / times
        hits = sum(end.text() in best for end in decisions(position, AgentSpec("greedy", chance), times)[1])
        # The hit rate of random play is itself measured; a hair of room stands for that.
        expected = 1 - chance * (1 - random_hits)
        low, high = binomtest(hits, times).proportion_ci(1 - FAMILY)
        assert low - 0.003 < expected < high + 0.003


# ---- the value function


def estimates(position: Position) -> np.ndarray:
    scores = np.zeros(4)
    oracle.rule(position.game, "evaluate")(position.state, position.tables, scores)
    return scores[: position.mode.sides]


def in_one_frame(slow: Any, position: Position) -> list[tuple[Any, Position]]:
    """A position and all ends of its turn in both engines."""
    notation = position.game.part("notation")
    pairs = [(slow, position)] if slow.phase == "turn" else []
    ours = {end.text(): end for end in oracle.turn_end_positions(position)}
    for end in naive.turn_end_positions(slow):
        text = naive.canonical(end)
        pairs.append((end, ours[text]))
        if end.phase != "over":
            pairs.append((end, notation.parse_canonical(text, position)))
    return pairs


def check_order(seed, count):
    for slow, position in positions(seed, count, ("turn", "stepped", "jumping")):
        pairs = in_one_frame(slow, position)
        values = [[slow_greedy.value(one, side) for side in slow.sides] for one, _ in pairs]
        scores = [estimates(other) for _, other in pairs]
        for place in range(len(slow.sides)):
            both = zip(values, scores, strict=True)
            ordered = sorted((value[place], score[place]) for value, score in both)
            for (low, least), (high, most) in zip(ordered, ordered[1:], strict=False):
                if low == high:
                    assert abs(most - least) < SAME / 10, naive.document(slow)
                elif abs(low) < 1000 > abs(high):
                    assert most > least + SAME, naive.document(slow)
                else:
                    assert most >= least, naive.document(slow)


def test_estimates_order_positions_as_the_spec_does():
    check_order(9, 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 220))
def test_estimates_order_many_positions(seed):
    check_order(seed, 150)
