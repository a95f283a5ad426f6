"""What a plan needs and can show, as `balance power` tells it."""

from __future__ import annotations

import json
import math

import pytest

from balance.cli.app import run_app
from balance.games import get_game
from balance.play.plan import load_plan, load_plan_text
from balance.study.power import Speed, needs

PLANS = get_game("jump_masters").plans
TEAMS = "game: jump_masters\nteams: recommended\narenas: [pillars, mill]\npairs: 500\n"


def by_name(found):
    return {need.question: need for need in found}


def test_a_draft_can_be_asked_for_everything_but_teams():
    plan = load_plan(PLANS / "quickstart.yaml")
    found = by_name(needs(plan, 0.01))
    assert list(found) == ["seat", "arena", "hero strength", "synergy", "counter", "delta"]
    assert found["seat"].games == math.ceil(1.959964**2 * 0.25 / 1e-4)
    assert found["arena"].games == pytest.approx(4 * found["seat"].games, abs=4)
    assert 9_000 < found["hero strength"].games < 12_000
    assert found["synergy"].games > 3 * found["hero strength"].games
    assert all(need.planned == plan.games // 2 for need in found.values())
    assert all(
        need.detectable == pytest.approx(need.half_width * 2.8016 / 1.96, rel=1e-3) for need in found.values()
    )


def test_what_the_plan_has_is_exactly_what_it_would_need():
    plan = load_plan(PLANS / "quickstart.yaml")
    for need in needs(plan, 0.01):
        again = by_name(needs(plan, need.half_width))[need.question]
        assert again.games == pytest.approx(plan.games // 2, abs=1)


def test_given_teams_refuse_what_they_cannot_show():
    found = by_name(needs(load_plan_text(TEAMS), 0.02))
    assert found["hero strength"].games is None
    assert "never separate" in found["hero strength"].note
    assert "given" in found["synergy"].note
    assert found["team"].games == pytest.approx(2 * found["seat"].games, abs=2)
    assert found["matchup"].games == pytest.approx(12 * found["seat"].games, abs=12)


@pytest.mark.parametrize("mode", ["team", "ffa3", "ffa4"])
def test_more_seats_have_heroes_but_no_synergies(mode):
    found = by_name(
        needs(load_plan_text(f"game: jump_masters\nmode: {mode}\ndraft: {{format: blind}}\n"), 0.01)
    )
    assert found["hero strength"].games > 1000
    assert found["synergy"].games is None


def test_time_is_that_of_all_levels_on_all_cores():
    plan = load_plan(PLANS / "quickstart.yaml")
    speeds = [Speed("random", 100, 1000.0), Speed("greedy", 100, 100.0)]
    seat = by_name(needs(plan, 0.01, speeds, cores=2))["seat"]
    assert seat.seconds == pytest.approx(seat.games * (1 / 1000 + 1 / 100) / 2)


def test_the_command_prints_tables_and_json(capsys):
    plan = str(PLANS / "quickstart.yaml")
    assert run_app(["power", plan, "--no-probe", "-w", "2pp"]) == 0
    shown = capsys.readouterr().out
    assert "hero strength" in shown
    assert "games for ± 2 pp" in shown
    assert run_app(["power", plan, "--no-probe", "-w", "0.02", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["half_width"] == 0.02
    assert data["questions"][0]["question"] == "seat"
    assert data["speeds"] == []


def test_the_probe_times_every_level(capsys):
    plan = str(PLANS / "quickstart.yaml")
    assert run_app(["power", plan, "--json", "-q", "-j", "1"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [speed["label"] for speed in data["speeds"]] == ["random", "greedy:0.05"]
    assert data["speeds"][0]["rate"] > data["speeds"][1]["rate"] > 0
    seat = data["questions"][0]
    assert seat["seconds"] == pytest.approx(seat["games"] * sum(1 / s["rate"] for s in data["speeds"]))


def test_dear_agents_are_timed_with_few_simulations(capsys):
    plan = str(PLANS / "recommended_teams.yaml")
    agents = 'agents=["mcts:64", "mcts:6400", "mcts:1000000"]'
    assert run_app(["power", plan, "--set", agents, "--json", "-q", "-j", "1"]) == 0
    few, more, most = json.loads(capsys.readouterr().out)["speeds"]
    assert (more["label"], most["label"]) == ("mcts:6400", "mcts:1000000")
    assert 20 < few["rate"] / more["rate"] < 500
    assert 1e3 < few["rate"] / most["rate"] < 1e5


@pytest.mark.parametrize("width", ["0", "wide", "-1pp", "90pp", "nan"])
def test_widths_that_are_none_are_refused(width, capsys):
    assert run_app(["power", str(PLANS / "quickstart.yaml"), "--no-probe", f"--half-width={width}"]) == 2
    assert "no width" in capsys.readouterr().err
