"""The command `ladder`: tables, exit codes, JSON, mistakes; over fakes, and once over the real rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.cli.app import run_app
from balance.games import get_game
from balance.play import run as play
from tests.play.fakes import content
from tests.study.ladders import AGENTS, DUEL, PlantedKernel

PLAN = DUEL.replace("pairs: 80", "pairs: 20")
ROWS = ("games", "heroes", "manifest.json")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(play, "real_kernel", PlantedKernel)
    Path("mine.yaml").write_text(PLAN)


def called(capsys, *arguments):
    code = run_app(["ladder", *arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in err and "internal error" not in err
    return code, out, err


def rows(folder):
    return {name: held for name, held in content(Path(folder)).items() if name.startswith(ROWS)}


def test_tables_then_steps_then_where_it_lies(here, capsys):
    code, out, err = called(capsys, "mine.yaml", "-j", "2")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["Agent", "Against", "Share"]
    assert any(line.startswith("Agent") and "Strength" in line for line in lines)
    assert any(line.startswith("Agent") and "CPU a decision" in line for line in lines)
    assert lines[-3].startswith("greedy beats greedy:0.3: ") and lines[-3].endswith("240 pairs.")
    assert lines[-2].startswith("reports/mine/report.html  (digest ")
    assert lines[-1] == "next: balance show reports/mine"
    assert "compiling the rules of jump_masters" in err
    assert {"ladder.json", "summary.md", "report.html"} <= {p.name for p in Path("reports/mine").iterdir()}


def test_asking_again_plays_nothing_and_measures_nothing(here, capsys):
    called(capsys, "mine.yaml", "-q", "--no-report")
    before = json.loads(Path("reports/mine/ladder.json").read_text())
    code, out, err = called(capsys, "mine.yaml", "-q", "--require", "greedy>random>=0.5", "--no-report")
    assert code == 0 and "nothing was played" in err
    assert "greedy beats random at least 50 %: holds" in out
    after = json.loads(Path("reports/mine/ladder.json").read_text())
    assert after["measured"] == before["measured"]
    assert not Path("reports/mine/report.html").exists()
    assert out.splitlines()[-1] == "next: balance report reports/mine"


def test_a_requirement_that_is_not_shown_leaves_with_3(here, capsys):
    require = [
        "--require",
        "greedy>random>=0.5",
        "--require",
        "random>greedy>=0.5",
        "--require",
        "greedy>random>=99%",
    ]
    code, out, err = called(capsys, "mine.yaml", "-q", "--no-report", *require)
    assert code == 3
    assert "greedy beats random at least 50 %: holds" in out
    assert "random beats greedy at least 50 %: does not hold" in out
    assert "not shown: random beats greedy" in err and "(and 1 more)" in err


def test_json(here, capsys):
    code, out, _ = called(capsys, "mine.yaml", "--json", "--neighbours", "--seed", "9", "--pairs", "3", "-q")
    data = json.loads(out)
    assert code == 0
    assert (data["games"], data["pairs"], data["cells"]) == (3 * 12 * 3 * 2, 3 * 12 * 3, 3 * 12)
    assert [(met["one"], met["other"]) for met in data["ladder"]["encounters"]] == [
        ("greedy:0.6", "random"),
        ("greedy:0.3", "greedy:0.6"),
        ("greedy:0.05", "greedy:0.3"),
    ]
    assert data["ladder"]["seed"] == 9 and data["digest"] == data["ladder"]["digest"]


def test_a_dry_run_counts_the_games_of_the_ladder(here, capsys):
    code, out, _ = called(capsys, "mine.yaml", "--dry-run", "--games", "145")
    assert code == 0
    assert out.splitlines()[-1] == "72 cells, 144 pairs, 288 games, 72 parts"
    assert "greedy:0.6 - random" in out
    assert not Path("reports").exists()


def test_report_show_and_resume_know_a_ladder(here, capsys):
    called(capsys, "mine.yaml", "-q", "--no-report", "-o", "run")
    assert run_app(["report", "run"]) == 0
    assert capsys.readouterr().out == "run/report.html\n"
    assert "Ladder of agents" in Path("run/report.html").read_text()
    assert run_app(["resume", "run", "-q"]) == 0
    assert capsys.readouterr().out.startswith("greedy:0.6 beats random: ")
    Path("run/ladder.json").unlink()
    assert run_app(["resume", "run", "-q", "--no-report"]) == 0
    assert capsys.readouterr().out.startswith("greedy:0.6 beats random: ")


def test_workers_change_no_row(here, capsys):
    called(capsys, "mine.yaml", "-q", "--no-report", "-o", "one", "-j", "1")
    called(capsys, "mine.yaml", "-q", "--no-report", "-o", "two", "-j", "2")
    assert rows("one") == rows("two")


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        (
            "agents: [greedy]",
            [],
            "mine.yaml:1:94: error: a ladder needs at least two agents; the plan names one",
        ),
        ("agents: {A: greedy, B: random}", [], "a ladder needs a list of agents"),
        ("agents: [greedy, greedy]", [], "the agent greedy:0.05 stands twice"),
        ("agents: [greedy, 'mcts:0']", [], "from 1 to"),
        (AGENTS, ["--set", "agents=[random]"], "--set agents=[random]: error: a ladder needs"),
        (AGENTS, ["--games", "0"], "zero games"),
        (AGENTS, ["--games", "5", "--pairs", "5"], "twice"),
        (AGENTS, ["--require", "greedy>random"], "cannot read the requirement"),
        (AGENTS, ["--require", "mcts:64>random>=0.6"], "no agent of this ladder"),
        (AGENTS, ["--neighbours", "--require", "greedy>random>=0.6"], "do not meet"),
        (AGENTS, ["--require", "greedy>random>=60"], "from 0 to 1"),
    ],
)
def test_mistakes_are_one_clear_message(here, capsys, change, options, words):
    Path("mine.yaml").write_text(PLAN.replace(AGENTS, change))
    code, out, err = called(capsys, "mine.yaml", *options)
    assert (code, out) == (2, "")
    assert words in err
    assert not Path("reports").exists()


def test_shipped_ladders_are_plans():
    from balance.play.ladder import load_ladder

    folder = get_game("jump_masters").plans
    quick, whole = (load_ladder(str(folder / f"{name}.yaml")) for name in ("ladder_quick", "ladder"))
    assert quick.games == 6 * 2 * 2 * 30 * 2
    assert whole.ladder[-3:] == ("mcts:64", "mcts:256", "mcts:1024")
    assert whole.games == 10 * 5 * 12 * 2 * 2


def test_with_the_real_rules(tmp_path, capsys):
    plan = tmp_path / "real.yaml"
    plan.write_text(
        "{game: jump_masters, teams: [starters, big_hitters], arenas: [mill], "
        "agents: [random, greedy], pairs: 4}"
    )
    out = str(tmp_path / "run")
    assert (
        called(
            capsys, str(plan), "-q", "-j", "2", "-o", out, "--no-report", "--require", "greedy>random>=0.7"
        )[0]
        == 0
    )
    data = json.loads((tmp_path / "run" / "ladder.json").read_text())
    (met,) = data["encounters"]
    assert (met["pairs"], met["games"]) == (8, 16)
    assert [cost["agent"] for cost in data["measured"]] == ["random", "greedy:0.05"]
    assert data["measured"][1]["seconds"] / data["measured"][1]["decisions"] > 1e-7
    assert run_app(["verify", out, "--all", "-q"]) == 0
