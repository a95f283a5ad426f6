"""Parts of playouts: the same rows however they are cut, seatings, mirrors, agents that move."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest

from balance.agents.playout import Part, PartRows, play_part
from balance.config.agents import AgentSpec
from balance.games import get_game

GAME = get_game("jump_masters")
RANDOM, GREEDY = AgentSpec("random"), AgentSpec("greedy", 0.05)
STARTERS = ("burnny", "hopper", "pinkbeary", "torturn")
HITTERS = ("parena", "pinkbeary", "unni", "wuffryder")
STEALERS = ("burnny", "katula", "roara", "wuffryder")
CROWD = ("hopper", "katula", "parena", "torturn")
MODES = [("duel", "fixed"), ("duel", "blind"), ("team", "snake"), ("ffa3", "free"), ("ffa4", "pass")]
AGENTS = [(RANDOM,), (RANDOM, GREEDY)]


@cache
def tables(mode: str, arena: str = "ruins"):
    return GAME.part("tables").compile_tables(GAME.part("schema").load_ruleset(None, {}, mode), mode, arena)


def play(mode, draft, agents, first=0, pairs=6, record=1, rosters=(STARTERS, HITTERS), key=77, arena="ruins"):
    """A part; `agents` are dealt to the players in turn."""
    ruleset = GAME.part("schema").load_ruleset(None, {}, mode)
    seats = GAME.mode(mode).seats
    given = [rosters[seat % len(rosters)] for seat in range(seats)] if draft == "fixed" else None
    setup = GAME.part("tables").make_setup(ruleset, mode, draft, given)
    part = Part(key, first, pairs, record, 2, [agents[player % len(agents)] for player in range(seats)])
    return play_part(GAME, GAME.mode(mode), tables(mode, arena), setup, part)


def arrays(rows: PartRows) -> list[np.ndarray]:
    return [table for table in (rows.results, rows.game, rows.hero, rows.node) if table is not None]


@pytest.mark.parametrize("record", [0, 1, 2])
@pytest.mark.parametrize("agents", AGENTS, ids=["random", "greedy"])
@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_the_same_part_twice_is_the_same_bytes(mode, draft, agents, record):
    one, two = (arrays(play(mode, draft, agents, pairs=3, record=record)) for _ in range(2))
    assert [table.tobytes() for table in one] == [table.tobytes() for table in two]
    assert len(one[0]) == 3 * len(GAME.mode(mode).seatings)


@pytest.mark.parametrize("agents", AGENTS, ids=["random", "greedy"])
@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_a_part_in_two_gives_the_same_rows(mode, draft, agents):
    whole = play(mode, draft, agents, 3, 6)
    left, right = play(mode, draft, agents, 3, 2), play(mode, draft, agents, 5, 4)
    shifted = right.hero.copy()
    shifted["row"] += len(left.results)
    for name, other in (("results", right.results), ("game", right.game), ("hero", shifted)):
        assert getattr(whole, name).tobytes() == np.concatenate([getattr(left, name), other]).tobytes()
    for name in whole.node.dtype.names:
        assert (whole.node[name] == left.node[name] + right.node[name]).all()


def test_other_keys_and_pairs_are_other_games():
    base = play("duel", "blind", (RANDOM,), pairs=20)
    other = play("duel", "blind", (RANDOM,), pairs=20, key=78)
    later = play("duel", "blind", (RANDOM,), first=20, pairs=20)
    assert len({rows.results["turns"].tobytes() for rows in (base, other, later)}) == 3


@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_every_player_sits_as_the_seating_says(mode, draft):
    rows = play(mode, draft, (RANDOM,))
    seatings = GAME.mode(mode).seatings
    seating = rows.results["seating"][rows.hero["row"]]
    expected = [seatings[number][player] for number, player in zip(seating, rows.hero["player"], strict=True)]
    assert rows.hero["seat"].tolist() == expected
    assert set(rows.results["seating"]) == set(range(len(seatings)))


@pytest.mark.parametrize(("mode", "draft"), [case for case in MODES if case[1] != "fixed"])
def test_drafted_rosters_are_used_in_every_seating(mode, draft):
    rows = play(mode, draft, (RANDOM,), pairs=12)
    rosters: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    for row in range(len(rows.results)):
        for player in range(GAME.mode(mode).seats):
            mine = rows.hero[(rows.hero["row"] == row) & (rows.hero["player"] == player)]
            heroes = tuple(mine["hero"][np.argsort(mine["slot"])].tolist())
            assert len(heroes) == 4
            rosters.setdefault((int(rows.results["pair"][row]), player), set()).add(heroes)
    assert len(rosters) == 12 * GAME.mode(mode).seats
    assert {len(found) for found in rosters.values()} == {1}
    assert len(set.union(*rosters.values())) > 12


# ---- mirrors


def test_a_mirror_match_is_one_row_of_weight_two():
    rows = play("duel", "fixed", (RANDOM,), rosters=(STARTERS, STARTERS))
    assert rows.results["weight"].tolist() == [2] * 6
    assert rows.results["seating"].tolist() == [0] * 6
    # The second game would have been the same one.
    single = dataclasses.replace(GAME.mode("duel"), seatings=((1, 0),))
    setup = GAME.part("tables").make_setup(
        GAME.part("schema").load_ruleset(None, {}, "duel"), "duel", "fixed", [STARTERS, STARTERS]
    )
    other = play_part(GAME, single, tables("duel"), setup, Part(77, 0, 6, 1, 2, [RANDOM, RANDOM]))
    assert other.results["turns"].tolist() == rows.results["turns"].tolist()
    assert other.game.tobytes() == rows.game.tobytes()


def test_different_agents_or_rosters_make_no_mirror():
    for agents, rosters in (((RANDOM, GREEDY), (STARTERS, STARTERS)), ((RANDOM,), (STARTERS, HITTERS))):
        rows = play("duel", "fixed", agents, rosters=rosters)
        assert rows.results["weight"].tolist() == [1] * 12
    chances = (AgentSpec("greedy", 0.0), AgentSpec("greedy", 0.5))
    rows = play("duel", "fixed", chances, pairs=2, rosters=(STARTERS, STARTERS))
    assert rows.results["weight"].tolist() == [1] * 4


def test_mirrors_of_many_seats():
    # team: A and B alike, C and D alike: the sides swap into the same game. ffa4: half a round does.
    rosters = (STARTERS, STARTERS, HITTERS, HITTERS)
    assert play("team", "fixed", (RANDOM,), rosters=rosters).results["weight"].tolist() == [2] * 6
    rosters = (STARTERS, HITTERS, STARTERS, HITTERS)
    assert play("team", "fixed", (RANDOM,), rosters=rosters).results["weight"].tolist() == [1] * 12
    assert play("ffa4", "fixed", (RANDOM,), rosters=rosters).results["weight"].tolist() == [2] * 12
    rows = play("ffa4", "fixed", (RANDOM,), rosters=(STARTERS, STEALERS, CROWD, HITTERS))
    assert rows.results["weight"].tolist() == [1] * 24


# ---- agents belong to players


@pytest.mark.parametrize("first", [0, 1])
def test_agents_move_with_their_players(first):
    # The greedy player wins wherever he sits.
    agents = (GREEDY, RANDOM) if first == 0 else (RANDOM, GREEDY)
    for rosters in ((STARTERS, STARTERS), (STARTERS, HITTERS)):
        rows = play("duel", "fixed", agents, pairs=10, rosters=rosters)
        seats = [GAME.mode("duel").seatings[number][first] for number in rows.results["seating"]]
        assert sum(np.array(seats) == rows.results["winner"]) >= 19
        assert seats.count(0) == seats.count(1) == 10


def test_one_greedy_player_among_four_moves_too():
    rows = play("ffa4", "blind", (RANDOM, RANDOM, GREEDY, RANDOM), pairs=5)
    seats = [GAME.mode("ffa4").seatings[number][2] for number in rows.results["seating"]]
    assert sum(np.array(seats) == rows.results["winner"]) >= 17
    assert sorted(set(seats)) == [0, 1, 2, 3]
