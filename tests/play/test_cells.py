"""Cells: their order, their keys, and what may not change a key."""

from __future__ import annotations

import subprocess
import sys

import pytest

from balance.config.agents import AgentSpec
from balance.games.jump_masters import GAME
from balance.kernel.rng import text_key
from balance.play.cells import different_seatings, expand, key_of
from balance.play.plan import load_plan_text
from tests.play.fakes import FakePlan

TEAMS = (
    "{game: jump_masters, arenas: [pillars, mill], teams: [starters, big_hitters, crowd_control], "
    "agents: [random, greedy]}"
)
DRAFT = "{game: jump_masters, arenas: [pillars, mill], draft: {format: blind}}"


def cells(text, *sets):
    return expand(load_plan_text(text, sets=sets))


def keys(text, *sets):
    return [cell.stream_key for cell in cells(text, *sets)]


def test_order_is_level_arena_matchup():
    found = cells(TEAMS)
    assert [cell.number for cell in found] == list(range(12))
    assert [(cell.level, cell.arena) for cell in found[::3]] == [
        (0, "pillars"),
        (0, "mill"),
        (1, "pillars"),
        (1, "mill"),
    ]
    assert [cell.teams for cell in found[:3]] == [
        ("starters", "big_hitters"),
        ("starters", "crowd_control"),
        ("big_hitters", "crowd_control"),
    ]
    assert found[0].agents == (AgentSpec("random"),) * 2
    assert all(list(roster) == sorted(roster) for cell in found for roster in cell.rosters)
    assert {cell.draft for cell in found} == {"fixed"}


def test_drafted_cells_have_no_rosters():
    found = cells(DRAFT)
    assert [(cell.draft, cell.rosters, cell.teams) for cell in found] == [("blind", None, None)] * 2


@pytest.mark.parametrize("text", [TEAMS, DRAFT])
@pytest.mark.parametrize(
    "change",
    ["rules.hill_vp=2", "heroes.hopper.maximum=6", "pairs=7", "part_pairs=3", "record=full", "name=other"],
)
def test_rules_and_sizes_share_every_stream(text, change):
    assert keys(text) == keys(text, change)


def test_agents_and_levels_share_every_stream():
    assert keys(TEAMS)[:6] == keys(TEAMS)[6:]
    assert keys(TEAMS, "agents=[greedy:0.3]") == keys(TEAMS)[:6]
    # with named agents it matters who holds which team: both orders are played
    assert set(keys(TEAMS, "agents={A: greedy, B: random}")) > set(keys(TEAMS))


@pytest.mark.parametrize("change", ["seed=2", "mode=ffa3"])
def test_seed_and_mode_change_every_stream(change):
    assert not set(keys(DRAFT)) & set(keys(DRAFT, change))


def test_arena_rosters_and_draft_have_streams_of_their_own():
    assert len(set(keys(TEAMS)[:6])) == 6
    assert not set(keys(DRAFT)) & set(keys(DRAFT, "draft.format=snake"))


def test_the_name_of_a_team_and_the_order_of_its_heroes_do_not_matter():
    one = "{game: jump_masters, arenas: [mill], teams: {a: [burnny, hopper], b: [katula, unni]}}"
    two = "{game: jump_masters, arenas: [mill], teams: {x: [hopper, burnny], y: [unni, katula]}}"
    assert keys(one) == keys(two)


def test_mirror_matches_are_played_once():
    duel, same = GAME.mode("duel"), (("hopper",), ("hopper",))
    strong, weak = AgentSpec("greedy", 0.05), AgentSpec("random")
    assert different_seatings(duel, same, (weak, weak)) == (0,)
    assert different_seatings(duel, same, (strong, weak)) == (0, 1)
    assert different_seatings(duel, None, (weak, weak)) == (0, 1)
    trio = GAME.mode("ffa3")
    assert different_seatings(trio, (("unni",), ("unni",), ("roara",)), (weak,) * 3) == (0, 1, 2)
    team = GAME.mode("team")
    assert different_seatings(team, (("unni",), ("unni",), ("roara",), ("roara",)), (weak,) * 4) == (0,)


def test_a_mirror_cell_counts_all_its_games():
    mirror = FakePlan({"teams": [["paws", "paws"]], "pairs": 10})
    assert [(cell.games, cell.rows) for cell in expand(mirror)] == [(20, 10)] * 2


def test_keys_are_those_of_the_kernel():
    assert key_of("a", 1, None) == text_key("a", 1, None)


def test_keys_do_not_change_between_versions():
    # A change here makes every stored run differ: raise the format of the manifest with it.
    assert f"{expand(load_plan_text(DRAFT))[0].stream_key:016x}" == "dee1a1237f11e2ef"


def test_expanding_a_plan_does_not_load_the_compiler():
    code = (
        "import sys; from balance.play.plan import load_plan_text; from balance.play.cells import expand\n"
        f"from balance.play.chunk import split; split(expand(load_plan_text({TEAMS!r})), None)\n"
        "print(sorted({'numba', 'scipy', 'polars'} & set(sys.modules)))"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )
