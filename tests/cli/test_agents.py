"""``balance agents fit`` as it is typed, over the real game: numbers, file, exit codes, faults."""

from __future__ import annotations

import json
import signal

import pytest

from balance.agents import estimates as worth
from balance.cli.app import run_app
from balance.config.yaml_lines import load_yaml
from balance.games import get_game
from balance.play import run
from tests.study.planted_fit import FitKernel, estimates

PLAN = """game: jump_masters
arenas: [pillars]
teams: [starters, big_hitters]
agents: [random]
"""
SMALL = ["--agent", "greedy:0.1", "--rounds", "1", "--pairs", "5", "--progress", "none"]


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "plan.yaml").write_text(PLAN)
    return str(tmp_path / "plan.yaml")


def fitted(capsys, *arguments, code=0):
    assert run_app(["agents", "fit", *arguments]) == code
    return capsys.readouterr()


def numbers(capsys, *arguments, code=0):
    return json.loads(fitted(capsys, *arguments, "--json", code=code).out)


def test_before_after_and_the_test_are_told(capsys, plan):
    data = numbers(capsys, plan, *SMALL, "--test-pairs", "2")
    assert set(data["weights"]) == set(get_game("jump_masters").part("schema").load_ruleset().weights)
    assert data["weights"]["turn"]["before"] == 0
    assert data["rounds"][0]["games"] == 10
    assert data["rounds"][0]["after"] <= data["rounds"][0]["before"]
    assert data["test"]["pairs"] == 4  # two orders of two teams, two pairs each
    assert data["games"] == 10 + 8
    text = fitted(capsys, plan, *SMALL, "--test-pairs", "2").out
    assert "hill_own" in text
    assert "test on fresh streams: share" in text
    assert data["fitted"] in text


def test_the_same_for_any_number_of_workers(capsys, plan):
    one, two = (numbers(capsys, plan, *SMALL, "-j", j, "--weights", "turn,energy") for j in ("1", "3"))
    assert one == two
    assert set(one["weights"]) == {"turn", "energy"}
    assert one != numbers(capsys, plan, *SMALL, "--seed", "5", "--weights", "turn,energy")


def test_what_is_not_shown_to_be_better_is_not_written(capsys, plan, tmp_path):
    file = tmp_path / "new.yaml"
    told = fitted(capsys, plan, *SMALL, "--test-pairs", "1", "--write", str(file), code=4)
    assert "not shown to be better" in told.err
    assert not file.exists()


def test_what_is_better_is_written_and_read_back(capsys, plan, tmp_path):
    game, file = get_game("jump_masters"), tmp_path / "numbers" / "agents.yaml"
    bad = ["--agent", "greedy:0 lead=-1", "--weights", "lead", "--pairs", "20", "--test-pairs", "10"]
    data = numbers(
        capsys, plan, *SMALL, *bad, "--set", "rules.turn_cap=300", "--write", str(file)
    )  # it gives points away
    assert data["better"]
    assert data["written"] == str(file)
    for name in ("cards", "arenas", "rules"):
        (file.parent / f"{name}.yaml").write_bytes((game.configs / f"{name}.yaml").read_bytes())
    read = game.part("schema").load_ruleset(file.parent)
    assert read.agents["greedy"]["lead"] == data["weights"]["lead"]["after"] > 0
    assert load_yaml(file).data["agents"]["greedy"]["lead"]["source"] == "fitted"
    assert '--set "rules.turn_cap=300"' in file.read_text()
    assert "--seed 1" in file.read_text()


def test_a_quicker_agent_plays_the_rounds(capsys, plan):
    arguments = [plan, *SMALL, "--weights", "turn", "--test-pairs", "1"]
    own, quick = numbers(capsys, *arguments), numbers(capsys, *arguments, "--from", "greedy:0.9")
    assert quick["agent"] == own["agent"] == "greedy:0.1"
    assert quick["rounds"] != own["rounds"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agent", "random"], "the agent random has no weights"),
        (["--agent", "gredy"], "--agent gredy: error: unknown agent 'gredy'"),
        (["--agent", "gredy"], "did you mean 'greedy'?"),
        (["--agent", "greedy", "--weights", "trun"], "did you mean 'turn'?"),
        (["--agent", "greedy leed=2"], "did you mean 'lead'?"),
        (["--agent", ""], "must be an agent"),
        (["--agent", "greedy", "--from", "random"], "the agent random has no weights"),
        (["--agent", "greedy", "--from", "greedy:2"], "--agent greedy:2: error"),
        (["--rounds", "0"], "--rounds"),
        (["--pairs", "0"], "--pairs"),
        (["--agent", "mcts:0"], "from 1 to"),
    ],
)
def test_faults_are_said_in_one_line(capsys, plan, arguments, message):
    told = fitted(capsys, plan, *arguments, code=2)
    assert message in told.err
    assert "Traceback" not in told.err
    assert told.out == ""


def test_a_file_that_cannot_be_written(capsys, plan):
    bad = ["--agent", "greedy:0 lead=-1", "--weights", "lead", "--pairs", "20", "--set", "rules.turn_cap=300"]
    told = fitted(capsys, plan, *SMALL, *bad, "--write", "/proc/no/agents.yaml", code=5)
    assert "cannot write /proc/no/agents.yaml" in told.err


def test_ctrl_c_prints_the_newest_weights(capsys, plan, tmp_path, monkeypatch):
    def ring(number):
        if number == 4:  # a round has one matchup of five pairs: one piece of work
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(run, "real_kernel", lambda: FitKernel(on_part=ring))
    monkeypatch.setattr(worth, "estimates", estimates)
    file = tmp_path / "new.yaml"
    many = ["--rounds", "9", "--weights", "turn,energy", "--json", "-j", "1", "--write", str(file)]
    told = fitted(capsys, plan, *SMALL, *many, code=130)
    assert "interrupted; these weights are not tested, and nothing is written" in told.err
    data = json.loads(told.out)
    assert data["interrupted"]
    assert len(data["rounds"]) == 4
    assert data["test"] is None
    assert data["written"] is None
    assert not file.exists()
