"""`run`, `resume`, `verify` over the fake kernel: three lines, exit codes, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from balance.cli.app import run_app
from balance.play import run as play
from tests.play.fakes import FakeKernel

PLAN = """\
game: jump_masters
arenas: [pillars, mill]
draft: {format: blind}
agents: [random, greedy]
pairs: 10
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(play, "real_kernel", FakeKernel)
    Path("mine.yaml").write_text(PLAN)


def called(capsys, *arguments):
    code = run_app(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_a_run_ends_with_three_lines(capsys):
    code, out, err = called(capsys, "run", "mine.yaml", "--no-report", "-j", "2")
    assert code == 0
    verdict, path, after = out.splitlines()
    assert verdict.startswith("80 games: the first seat scores ")
    assert re.search(
        r" [0-9.]+ % ± [0-9.]+ with random, [0-9.]+ % ± [0-9.]+ with greedy:0.05 \(even", verdict
    )
    assert path.startswith("reports/mine  (digest ")
    assert after == "next: balance report reports/mine"
    assert "compiling the rules of jump_masters" in err


def test_a_second_run_plays_nothing(capsys):
    called(capsys, "run", "mine.yaml", "--no-report")
    first = called(capsys, "run", "mine.yaml", "--no-report", "-q")
    assert first[0] == 0
    assert "nothing was played" in first[2]


def test_json(capsys):
    code, out, _ = called(capsys, "run", "mine.yaml", "--no-report", "--json", "--seed", "9", "--pairs", "3")
    data = json.loads(out)
    assert code == 0
    assert (data["games"], data["pairs"], data["cells"], data["played"]) == (24, 12, 4, True)
    assert (data["folder"], data["report"]) == ("reports/mine", None)
    manifest = json.loads(Path("reports/mine/manifest.json").read_text())
    assert (manifest["seed"], manifest["digest"]) == (9, data["digest"])


@pytest.mark.parametrize(("games", "pairs"), [("1", 1), ("8", 1), ("9", 2), ("100", 13)])
def test_games_are_rounded_up_to_pairs(capsys, games, pairs):
    _, out, _ = called(capsys, "run", "mine.yaml", "--dry-run", "--json", "--games", games)
    assert [cell["pairs"] for cell in json.loads(out)["cells"]] == [pairs] * 4


def test_a_dry_run_writes_nothing(capsys):
    code, out, _ = called(
        capsys, "run", "mine.yaml", "--dry-run", "--set", "pairs=250", "--set", "part_pairs=100"
    )
    assert code == 0
    assert out.splitlines()[-1] == "4 cells, 1,000 pairs, 2,000 games, 12 parts"
    assert "greedy:0.05  mill     draft blind       250       500      3" in out
    assert not Path("reports").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", "0"], "zero games"),
        (["--games", "-5"], "at least 1"),
        (["--pairs", "0"], "zero games"),
        (["--games", "5", "--pairs", "5"], "twice"),
        (["--seed", "-1"], "seed"),
        (["--set", "rules.hil_vp=2"], "hill_vp"),
        (["--progress", "loud"], "known: auto, bar, plain, none"),
        (["-j", "0"], "workers"),
        (["-o", "mine.yaml"], "is a file"),
        (["-o", "mine.yaml/x"], "cannot write"),
        (["-o", "/proc/x"], "cannot write"),
    ],
)
def test_mistakes_are_one_clear_message(capsys, arguments, words):
    code, out, err = called(capsys, "run", "mine.yaml", "--no-report", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_a_missing_plan(capsys):
    code, _, err = called(capsys, "run", "nothing.yaml")
    assert code == 2
    assert "nothing.yaml" in err


def test_another_run_needs_force(capsys):
    called(capsys, "run", "mine.yaml", "--no-report")
    code, _, err = called(capsys, "run", "mine.yaml", "--no-report", "--seed", "2")
    assert code == 2
    assert "--force" in err
    assert called(capsys, "run", "mine.yaml", "--no-report", "--seed", "2", "--force")[0] == 0


def test_resume_mends_and_says_so(capsys):
    called(capsys, "run", "mine.yaml", "--no-report")
    before = {path: path.read_bytes() for path in Path("reports/mine").rglob("*.*")}
    damaged = Path("reports/mine/games/c0002-p000000.parquet")
    damaged.write_bytes(damaged.read_bytes()[:100])
    code, out, err = called(capsys, "resume", "reports/mine", "--no-report", "-q")
    assert code == 0
    assert "truncated" in err
    assert "part 0 of cell 2 is played again" in err
    assert len(out.splitlines()) == 3
    assert {path: path.read_bytes() for path in Path("reports/mine").rglob("*.*")} == before


def test_verify(capsys):
    called(capsys, "run", "mine.yaml", "--no-report")
    code, out, _ = called(capsys, "verify", "reports/mine", "--parts", "2")
    assert code == 0
    assert out.splitlines()[0] == "reports/mine: 2 of 4 parts played again, 40 games: the same"
    assert out.splitlines()[1].startswith("digest ")
    _, out, _ = called(capsys, "verify", "reports/mine", "--all", "--json")
    assert (json.loads(out)["parts"], json.loads(out)["differences"]) == (4, [])


def test_verify_fails_with_three(capsys):
    import polars as pl

    called(capsys, "run", "mine.yaml", "--no-report")
    path = Path("reports/mine/games/c0003-p000000.parquet")
    pl.read_parquet(path).with_columns(pl.col("turns") + 1).write_parquet(path)
    code, out, err = called(capsys, "verify", "reports/mine", "--parts", "1")
    assert code == 3
    assert "  c3-p0-s0: turns is " in out
    assert "c3-p0-s0: turns is " in err
    code, out, _ = called(capsys, "verify", "reports/mine", "--json")
    assert (code, len(json.loads(out)["differences"])) == (3, 3)


@pytest.mark.parametrize("command", ["resume", "verify"])
def test_what_is_no_run(capsys, command):
    code, _, err = called(capsys, command, "nowhere")
    assert (code, "does not exist" in err) == (2, True)
    code, _, err = called(capsys, command, ".")
    assert (code, "there is no manifest.json" in err) == (2, True)


def test_a_damaged_part_leaves_with_five(capsys):
    called(capsys, "run", "mine.yaml", "--no-report")
    Path("reports/mine/games/c0002-p000000.parquet").unlink()
    code, _, err = called(capsys, "verify", "reports/mine")
    assert code == 5
    assert "balance resume reports/mine" in err
