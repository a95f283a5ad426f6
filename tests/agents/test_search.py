"""Searches in every game: wins and losses near at hand, exact values, what they must not touch."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from balance.agents.workspace import AGENTS, COUNT, DEAL, DICE, DRAFT, GAME, SEARCH, STREAMS
from balance.config.agents import parse_agent
from balance.games import discover
from balance.games.position import Position
from balance.kernel.rng import seed_stream
from balance.study import oracle
from tests.agents.deciding import NOTHING, ask, decisions
from tests.agents.planting import (
    TooBigError,
    exact_value,
    is_lost,
    mover,
    opening,
    threatened_positions,
    turn_starts,
    winning_positions,
    won_by,
)
from tests.conformance.playing import CASES
from tests.naive import jump_masters as naive

# Wins and losses of a whole turn are planted, and positions solved, where a turn has no dice and few ends.
LISTED = [slug for slug, game in discover().items() if game.listed_turns]
TWO_SIDED = [(slug, mode.name) for slug in LISTED for mode in discover()[slug].modes]
FINDERS = ["flat:200", "mcts:200 tree=atoms", "mcts:200 tree=turns"]
CAREFUL = parse_agent("mcts:200 tree=turns depth=0 exploration=0.1")
KINDS = [
    "random",
    "greedy:0.3",
    "greedy:0.3 horizon=ply",
    "flat:7",
    "flat:3 rollout=greedy depth=1",
    "mcts:7 tree=atoms",
    "mcts:5 tree=atoms rollout=greedy depth=2 caution=0.5",
    "mcts:7 tree=atoms depth=0 horizon=ply",
    "mcts:7 tree=turns depth=0",
    "mcts:3 tree=turns depth=2 rollout=greedy",
]


def drafts_of(slug: str) -> str:
    return discover()[slug].drafts[0]


# ---- what is near at hand


def share_won(slug, mode, agent, wanted, times):
    """Share of decisions that win a turn that can be won."""
    won = []
    for position in winning_positions(slug, mode, drafts_of(slug), wanted):
        _, ends = decisions(position, agent, times, given=position.ruleset.agents)
        won += [won_by(end, mover(position)) for end in ends]
    assert len(won) == wanted * times
    return np.mean(won)


@pytest.mark.parametrize("agent", FINDERS)
@pytest.mark.parametrize(("slug", "mode"), TWO_SIDED)
def test_a_win_in_one_turn_is_found(slug, mode, agent):
    assert share_won(slug, mode, parse_agent(agent), 3, 7) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("agent", [*FINDERS, "mcts:200 tree=atoms rollout=greedy depth=1", "greedy:0"])
@pytest.mark.parametrize(("slug", "mode"), TWO_SIDED)
def test_a_win_in_one_turn_is_found_in_many_positions(slug, mode, agent):
    assert share_won(slug, mode, parse_agent(agent), 25, 40) >= 0.95


def share_lost(slug, agent, wanted, times):
    """Share of turns after which the next seat can win at once, where some turns and not others allow it."""
    mode = discover()[slug].modes[0].name
    lost = []
    for position in threatened_positions(slug, mode, drafts_of(slug), wanted):
        _, ends = decisions(position, agent, times, given=position.ruleset.agents)
        lost += [is_lost(end, mover(position)) for end in ends]
    assert len(lost) == wanted * times
    return np.mean(lost)


@pytest.mark.parametrize("slug", LISTED)
def test_a_loss_in_one_turn_is_avoided(slug):
    # A quarter of all turns, or more, would be fatal.
    assert share_lost(slug, CAREFUL, 4, 4) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("slug", LISTED)
def test_a_loss_in_one_turn_is_avoided_in_many_positions(slug):
    assert share_lost(slug, CAREFUL, 30, 10) <= 0.05


# ---- exact values


def capped_positions(seed: int) -> Iterator[Position]:
    """Jump Masters with at most three heroes a seat, the last turn but one before the cap."""
    dice = random.Random(seed)
    while True:
        slow = naive.random_position(dice)
        document = naive.document(slow)
        if (
            slow.mode != "duel"
            or slow.phase != "turn"
            or any(len(team) > 3 for team in document["heroes"].values())
        ):
            continue
        points = dict.fromkeys("AB", 0) if slow.target < 2 else {"A": slow.target - 1, "B": slow.target - 2}
        yield oracle.load(document | {"turn": slow.rules["turn_cap"] - 1, "vp": points})


def late_positions(slug: str) -> Iterator[Position]:
    """Ends of random games, from the last decision back."""
    for seed in range(1, 200):
        yield from turn_starts(slug, discover()[slug].modes[0].name, drafts_of(slug), seed)[:-8:-1]


SMALL = {"jump_masters": lambda: capped_positions(3)}  # the rest have ends that are small enough


@cache
def solved(slug: str, wanted: int) -> list[tuple[Position, dict[int, float]]]:
    """Positions with the exact value of every action, where these differ; fewer when no more are small."""
    found: list[tuple[Position, dict[int, float]]] = []
    for position in SMALL.get(slug, lambda: late_positions(slug))():
        known: dict[int, tuple[float, ...]] = {}
        try:
            values = {
                action: exact_value(oracle.play(position, action), known, 3000)[mover(position)]
                for action in oracle.actions(position)
            }
        except TooBigError:
            continue
        if len(set(values.values())) > 1 and len(known) > 20:
            found.append((position, values))
            if len(found) == wanted:
                break
    return found


SOLVERS = [
    "mcts:3000 tree=atoms exploration=0.7",
    "mcts:800 tree=turns depth=0 candidates=64 exploration=0.7",
    "mcts:400 tree=turns depth=1 candidates=64 exploration=0.7",
    "mcts:400 tree=turns depth=0 candidates=64 exploration=0.7 caution=1",
]


def check_exact(slug, agent, wanted, times):
    positions = solved(slug, wanted)
    assert len(positions) == wanted
    for position, values in positions:
        chosen, _ = decisions(position, parse_agent(agent), times, whole_turn=False)
        assert {values[action] for action in chosen} == {max(values.values())}, position.text()


@pytest.mark.parametrize("agent", SOLVERS)
@pytest.mark.parametrize("slug", LISTED)
def test_a_large_search_plays_an_optimal_action(slug, agent):
    check_exact(slug, agent, 4, 2)


@pytest.mark.slow
@pytest.mark.parametrize("agent", SOLVERS)
@pytest.mark.parametrize("slug", LISTED)
def test_a_large_search_plays_an_optimal_action_in_many_positions(slug, agent):
    check_exact(slug, agent, 40, 5)


# ---- what a decision leaves alone


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_a_decision_changes_nothing_but_its_own(slug, mode, draft):
    own, fresh = np.zeros((STREAMS, 1), np.uint64), np.zeros(1, np.uint64)
    for position in opening(slug, mode, draft)[::2]:
        seat = int(position.state["to_move"])
        for kind in KINDS:
            asked = ask(position, parse_agent(kind), 1, NOTHING)
            work = asked.work
            assert work.states[GAME].tobytes() == position.state.tobytes()
            assert asked.ends[0].state.tobytes() == position.state.tobytes()
            for purpose in range(STREAMS):
                seed_stream(fresh, 99, 0, purpose)
                own[purpose] = fresh
            touched = {int(row) for row in np.flatnonzero(work.streams[:, 0] != own[:, 0])}
            assert touched <= {AGENTS + seat, SEARCH + seat}
            assert touched.isdisjoint({DEAL, DICE, DRAFT, COUNT})
            assert not work.limits.any()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_the_same_streams_give_the_same_decision(slug, mode, draft, kind):
    for position in opening(slug, mode, draft)[1::4]:
        one, two = (decisions(position, parse_agent(kind), 3, whole_turn=False)[0] for _ in range(2))
        assert one == two
        assert set(one) <= set(oracle.actions(position))
