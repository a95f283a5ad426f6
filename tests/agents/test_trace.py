"""The actions of one game, kept by the playout loop: they change nothing, and they are that game."""

from __future__ import annotations

import numpy as np
import pytest

from balance.agents.playout import Part, play_part
from balance.config.agents import parse_agent
from balance.games import get_game
from balance.kernel.contract import NONE
from balance.kernel.rng import DICE, new_stream, seed_stream

GAME = get_game("jump_masters")
TEAMS = (("burnny", "hopper", "pinkbeary", "torturn"), ("katula", "parena", "roara", "unni"))
TABLES = GAME.part("tables").compile_tables(GAME.part("schema").load_ruleset(), "duel", "pillars")


def played(trace, room=2000, pairs=1, first=0, agent="greedy:0.1", teams=TEAMS, record=2):
    setup = GAME.part("tables").make_setup(GAME.part("schema").load_ruleset(), "duel", "fixed", teams)
    part = Part(99, first, pairs, record, 1, [parse_agent(agent)] * 2, trace=trace, room=room)
    return play_part(GAME, GAME.mode("duel"), TABLES, setup, part)


def test_keeping_actions_changes_no_row():
    without, with_ = played(NONE, 0, pairs=3), played(1, pairs=3)
    assert without.trace is None
    for table in ("results", "game", "hero", "node"):
        assert getattr(without, table).tobytes() == getattr(with_, table).tobytes()


@pytest.mark.parametrize("agent", ["random", "greedy:0.1", "mcts:16"])
@pytest.mark.parametrize("seating", [0, 1])
def test_the_actions_lead_to_the_result(seating, agent):
    rows = played(seating, first=5, agent=agent)
    state, stream = rows.trace.origin[0], new_stream()
    seed_stream(stream, np.uint64(99), 5, DICE)
    for action in rows.trace.actions.tolist():
        GAME.part("rules").CONTRACT.functions["step"](state, TABLES, action, stream)
    result = rows.results[rows.results["seating"] == seating][0]
    assert (state["status"], state["ply"], state["turn"]) == (1, result["plies"], result["turns"])
    assert state["termination"] == result["termination"]
    assert rows.trace.plies == len(rows.trace.actions) == result["plies"]


def test_of_several_pairs_the_last_is_kept():
    alone, last = played(0, first=3), played(0, pairs=4)
    assert alone.trace.actions.tolist() == last.trace.actions.tolist()
    text = GAME.part("notation").canonical
    assert text(alone.trace.origin[0], TABLES) == text(last.trace.origin[0], TABLES)


def test_actions_beyond_the_room_are_counted_only():
    whole, cut = played(0), played(0, room=10)
    assert cut.trace.actions.tolist() == whole.trace.actions[:10].tolist()
    assert cut.trace.plies == whole.trace.plies > 10


def test_a_seating_that_repeats_another_says_which():
    rows = played(1, teams=(TEAMS[0], TEAMS[0]))
    assert rows.trace.stands_for == (NONE, 0)
    assert len(rows.trace.origin) == len(rows.trace.actions) == rows.trace.plies == 0
    assert rows.results["weight"].tolist() == [2]
    assert played(0).trace.stands_for == (NONE, NONE)
