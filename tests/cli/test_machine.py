"""``balance doctor`` and ``balance bench``: facts about this machine, and warnings when they are due."""

from __future__ import annotations

import importlib.metadata
import json
import shutil

from balance.cli import cmd_bench, cmd_doctor
from balance.cli.app import run_app
from balance.games import discover, get_game
from balance.kernel import cache


def test_doctor_tells_versions_cores_and_cache(capsys):
    assert run_app(["doctor", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["versions"]["numba"] == importlib.metadata.version("numba")
    assert facts["cores"] >= 1
    assert facts["cache"]["folder"] == str(cache.cache_folder())
    assert set(facts["compiled"]) == set(discover())


def test_doctor_says_the_same_in_words(capsys):
    assert run_app(["doctor"]) == 0
    out = capsys.readouterr().out
    assert str(cache.cache_folder()) in out
    assert "jump_masters" in out
    assert out.splitlines()[-1] == "all well" or "warning" in out.splitlines()[-1]


def test_another_package_of_our_name_is_warned_of(monkeypatch, capsys):
    real = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: "0.16" if name == "balance" else real(name)
    )
    assert run_app(["doctor"]) == 0
    said = capsys.readouterr()
    assert "warning: the package 'balance' 0.16 (survey weighting)" in said.err
    assert "tabletop-balance" in said.err
    assert "warning" in said.out.splitlines()[-1]


def test_a_missing_browser_is_told_to_testers(monkeypatch):
    assert not shutil.which("no-such-browser")
    monkeypatch.setattr(cmd_doctor, "BROWSERS", ("no-such-browser",))
    assert "Chromium is missing" in cmd_doctor.browser()[0]
    monkeypatch.setattr(cmd_doctor, "BROWSERS", ("no-such-browser", "sh"))
    assert cmd_doctor.browser() == []


def test_flags_of_the_compiler_are_told(monkeypatch):
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert any(text.startswith("NUMBA_BOUNDSCHECK=1") for text in cmd_doctor.compiler())


def test_a_cache_in_a_temporary_place_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert str(tmp_path / "cache") in cmd_doctor.caching(str(tmp_path / "cache"))[0]
    assert cmd_doctor.caching(str(tmp_path.parent / "elsewhere")) == []


def test_bench_counts_what_was_played(monkeypatch, capsys):
    monkeypatch.setattr(cmd_bench, "SECONDS", 0.01)
    assert run_app(["bench", "jump_masters", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["measured"]
    assert [(row["agent"], row["record"]) for row in rows] == list(cmd_bench.RUNS)
    for row in rows:
        assert row["plies"] > row["games"] > 0
        assert row["plies_per_second"] > row["games_per_second"] > 0
        assert abs(row["ms_per_game"] * row["games_per_second"] / 1000 - 1) < 0.05


def test_bench_plays_the_game_it_is_asked_for(monkeypatch):
    _, games, plies = cmd_bench.played(get_game("jump_masters"), "random", "none", 3)
    assert games == 6
    assert plies > 100


def test_bench_of_an_unknown_game_is_a_usage_error(capsys):
    assert run_app(["bench", "jump_master"]) == 2
    assert "did you mean 'jump_masters'?" in capsys.readouterr().err
