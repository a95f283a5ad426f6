"""What agents see of this game: sure knock-outs, likely ones, the end of the last turn."""

from __future__ import annotations

import pytest

from balance.config.agents import parse_agent
from balance.study import oracle
from tests.agents.deciding import decisions

AGENTS = ["greedy:0", "mcts:128", "flat:400 depth=0 horizon=ply"]


def chosen(document: dict[str, object], agent: str) -> set[str]:
    """What an agent does in twelve decisions."""
    position = oracle.load({"game": "krosmaster_blast"} | document)
    found, _ = decisions(position, parse_agent(agent), 12, given=position.ruleset.agents, whole_turn=False)
    return {oracle.format_action(position, action) for action in found}


def duel(injuries: int) -> dict[str, object]:
    """Ronimo beside Oone, both seats with a second figure far away."""
    return {
        "turn": 5,
        "fighters": {
            "A": [{"name": "ronimo", "cell": "d6", "state": "active"}, {"name": "mender", "cell": "a1"}],
            "B": [{"name": "oone", "cell": "d7", "injuries": injuries}, {"name": "agate", "cell": "j8"}],
        },
    }


@pytest.mark.parametrize("agent", AGENTS)
def test_a_sure_knock_out_is_taken(agent):
    # Pressure does 2, the die takes 1 off at worst: one health point is not enough for Oone.
    assert chosen(duel(11), agent) == {"cast pressure d7"}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_likely_knock_out_is_taken(agent):
    # Two health points: five faces in six knock her out.
    assert chosen(duel(10), agent) == {"cast pressure d7"}


@pytest.mark.parametrize("agent", AGENTS)
def test_the_last_turn_is_won_by_a_capture(agent):
    fighters = {
        "A": [{"name": "agate", "cell": "a1"}, {"name": "mender", "cell": "a2"}],
        "B": [
            {"name": "oone", "cell": "j8", "state": "done"},
            {"name": "ronimo", "cell": "i6", "state": "active"},
        ],
    }
    # A leads by a Glyph cell, and Ronimo stands beside one of its two.
    last = {"turn": 10, "fighters": fighters, "glyphs": {"h6": "A", "c7": "A", "e6": "B"}}
    assert chosen(last, agent) <= {"move h6", "cast wild_leap h6"}


def test_greedy_does_nothing_else_before_done():
    # Everybody is far from everything and hurt by nothing: standing still is worth as much as most, and last.
    fighters = {
        "A": [{"name": "agate", "cell": "a1", "state": "active"}, {"name": "mender", "cell": "a2"}],
        "B": [{"name": "oone", "cell": "j7"}, {"name": "ronimo", "cell": "j8"}],
    }
    document = {"turn": 5, "fighters": fighters, "favors": {"left": "balm"}, "dofus": "A"}
    assert "done" not in chosen(document, "greedy:0")
