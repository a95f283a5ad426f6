"""The plan option ``restrict``: agents, labels, cells and seatings carry it; faults have their places."""

from __future__ import annotations

import json

import pytest

from balance.cli.app import run_app
from balance.config.agents import AgentSpec, parse_agent
from balance.play.cells import expand
from balance.play.describe import head
from balance.play.editor import any_plan_schema, game_schema
from balance.play.plan import LoadedPlan, load_plan_text
from tests.config.faulty import one, places, problems

HEAD = "game: jump_masters\nteams: [starters, big_hitters]\narenas: [pillars]\n"


def plan(text, *sets):
    return load_plan_text(HEAD + text, "x.yaml", sets)


def labels(loaded):
    return [[agent.label for agent in level] for level in loaded.levels]


def test_every_level_of_the_player_is_restricted():
    loaded = plan("agents: [random, 'greedy:0.1']\nrestrict: {B: [ability:frog_bow, action:jump]}\n")
    assert labels(loaded) == [
        ["random", "random without=ability:frog_bow,action:jump"],
        ["greedy:0.1", "greedy:0.1 without=ability:frog_bow,action:jump"],
    ]


def test_the_option_adds_to_what_the_agent_says_itself():
    loaded = plan("agents: [random without=action:jump]\nrestrict: {A: [ability:frog_bow, action:jump]}\n")
    assert labels(loaded) == [["random without=ability:frog_bow,action:jump", "random without=action:jump"]]


@pytest.mark.parametrize("written", ["restrict: {}", "restrict:", "restrict: {A: []}"])
def test_nothing_forbidden_is_the_plan_without_the_option(written):
    assert plan(f"{written}\n").levels == plan("").levels


def test_cells_and_their_streams():
    usual, restricted = plan("mirror: true\n"), plan("mirror: true\nrestrict: {A: [action:jump]}\n")
    # Both arrangements of two teams, because the players differ now; and both seatings of a mirror match.
    assert [cell.teams for cell in expand(usual)] == [
        ("starters", "starters"), ("starters", "big_hitters"), ("big_hitters", "big_hitters"),
    ]  # fmt: skip
    assert len(expand(restricted)) == 4
    mirrors = [cell for cell in expand(restricted) if cell.teams[0] == cell.teams[1]]
    assert [cell.seatings for cell in mirrors] == [(0, 1), (0, 1)]
    assert [cell.seatings for cell in expand(usual)] == [(0,), (0, 1), (0,)]
    streams = {cell.teams: cell.stream_key for cell in expand(restricted)}
    assert all(streams[cell.teams] == cell.stream_key for cell in expand(usual))


def test_the_manifest_carries_it_and_gives_the_plan_back():
    loaded = plan("restrict: {A: [power:hopper]}\n")
    said = json.loads(json.dumps(head(loaded, expand(loaded))))
    assert said["levels"] == [{"A": "random without=power:hopper", "B": "random"}]
    assert said["cells"][0]["agents"] == ["random without=power:hopper", "random"]
    assert said["plan"]["plan"]["restrict"] == {"A": ["power:hopper"]}
    again = LoadedPlan.from_resolved(said["plan"])
    assert again.levels == loaded.levels
    assert again.config_hash == loaded.config_hash != plan("").config_hash


def test_the_text_of_an_agent_keeps_its_restrictions():
    spec = AgentSpec("greedy", 0.05, (), ("ability:frog_bow", "action:jump"))
    assert parse_agent(spec.label) == spec


def test_set_from_the_command_line():
    loaded = plan("", "restrict={A: [action:jump]}")
    assert labels(loaded) == [["random without=action:jump", "random"]]


FAULTS = """agents: [random without=action:jmp]
restrict:
  A: [ability:frogbow, power:torturn, action:jump, action:jump]
  C: [action:jump]
"""


def test_every_fault_at_its_place():
    found = problems(plan, FAULTS)
    assert places(found) == [
        (4, 10, "agents.0"),
        (6, 7, "restrict.A.0"),
        (6, 24, "restrict.A.1"),
        (6, 52, "restrict.A.3"),
        (7, 3, "restrict.C"),
    ]
    assert [problem.message for problem in found] == [
        "unknown restriction 'action:jmp'",
        "unknown restriction 'ability:frogbow'",
        "no agent can be forbidden 'power:torturn'",
        "the restriction action:jump stands twice",
        "there is no seat C in mode duel",
    ]
    assert found[1].hint == "did you mean 'ability:frog_bow'?"
    assert "rules.disabled_abilities: [torturn]" in found[2].hint


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("restrict: [action:jump]", "must be a mapping of seats to lists"),
        ("restrict: action:jump", "must be a mapping of seats to lists"),
        ("restrict: {A: action:jump}", "must be a list of what is forbidden"),
        ("restrict: {A: {action: jump}}", "must be a list of what is forbidden"),
        ("restrict: {A: [{action: jump}]}", "must be text such as ability:NAME"),
        ("restrict: {A: ['action: jump']}", "'action: jump' is no restriction"),
        ("restrict: {A: [7]}", "must be text such as ability:NAME, not 7"),
        ("restrict: {a: [action:jump]}", "unknown seat 'a'"),
    ],
)
def test_other_forms_are_refused(written, message):
    assert message in one(plan, f"{written}\n").message


def test_the_command_line_names_the_line_and_leaves_with_2(tmp_path, capsys):
    path = tmp_path / "x.yaml"
    path.write_text(HEAD + "restrict: {A: [ability:frogbow]}\n")
    assert run_app(["run", str(path), "--dry-run"]) == 2
    said = capsys.readouterr().err
    assert f"{path}:4:16: error: unknown restriction 'ability:frogbow'" in said
    assert "did you mean 'ability:frog_bow'?" in said


def test_editors_are_offered_the_names():
    from balance.games import get_game

    def names(schema):
        text = json.dumps(schema["properties"]["restrict"])
        return "ability:frog_bow" in text, "pattern" in text

    assert names(game_schema(get_game("jump_masters"), "plan")) == (True, False)
    assert names(any_plan_schema()) == (False, True)


def test_games_lists_what_can_be_forbidden(capsys):
    assert run_app(["games", "jump_masters"]) == 0
    text = capsys.readouterr().out
    assert "What an agent can be forbidden" in text and "off_the_top_rope" in text
    assert "not ability:stalwart: it works by itself" in text
    assert run_app(["games", "jump_masters", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "power:unni" in data["restrictions"] and "ability:stalwart" not in data["restrictions"]
    assert data["passives"]["power:torturn"] == {"hero": "torturn", "parameter": "rules.disabled_abilities"}
