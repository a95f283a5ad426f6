"""``balance replay`` with the real rules: what is printed, what machines read, and the exit codes."""

from __future__ import annotations

import json
import shutil

import polars as pl
import pytest

from balance.cli.app import run_app
from balance.study import oracle

PLAN = (
    "{game: jump_masters, arenas: [pillars], teams: [starters, big_hitters], "
    "agents: ['greedy:0.2'], pairs: 3}"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("replay")
    (place / "plan.yaml").write_text(PLAN)
    assert run_app(["run", str(place / "plan.yaml"), "-o", str(place / "run"), "--no-report", "-q"]) == 0
    return place / "run"


def call(*arguments):
    return run_app(["replay", *map(str, arguments)])


def test_the_whole_game_is_told_turn_by_turn(folder, capsys):
    assert call(folder, "c0-p1-s1") == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == f"c0-p1-s1 of {folder}: Jump Masters, duel on Pillars"
    assert lines[1].startswith("  A  greedy:0.2  Big Hitters: ") and "Starters: " in lines[2]
    assert lines[3].startswith("seed 1, stream ") and lines[3].endswith(", pair 1")
    assert said.out.count("before turn 1\n") == 1 and "\nturn 1\n" in said.out
    assert said.out.count("to win\n") == 2, "the opening board and the last one"
    assert lines[-1] == "ends as stored" and " wins (" in lines[-2]
    assert said.err == ""


def test_boards_after_every_turn(folder, capsys):
    assert call(folder, "c0-p1-s1", "--boards") == 0
    said = capsys.readouterr().out
    turns = [line for line in said.splitlines() if line.startswith("turn ") and "," not in line]
    assert said.count("to win\n") == len(turns) + 1


def test_one_turn_with_the_board_before_and_after(folder, capsys):
    assert call(folder, "c0-p1-s1", "--turn", 3) == 0
    said = capsys.readouterr().out
    assert said.count("to win\n") == 2 and "\nturn 3\n" in said and "\nturn 4\n" not in said
    assert call(folder, "c0-p1-s1", "--turn", 4000) == 2
    said = capsys.readouterr()
    assert said.out == "" and "has no turn 4000" in said.err and "it has the turns 0 to" in said.err


def test_json_holds_positions_that_the_oracle_reads(folder, capsys):
    assert call(folder, "c0-p2-s0", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["game"], data["ruleset"], data["differences"]) == ("c0-p2-s0", "jump_masters", [])
    assert len(data["plies"]) == data["result"]["plies"]
    before = data["start"]
    for ply in data["plies"][::9]:
        assert ply["seat"] in "AB" and len(ply["points"]) == 2
    for ply in data["plies"]:
        position = oracle.load(before["document"])
        assert ply["action"] in oracle.legal(position)
        before = ply["after"]
    assert before["document"] is None and before["text"].startswith("phase=over")


def test_a_page_is_written(folder, tmp_path, capsys):
    page = tmp_path / "game.html"
    assert call(folder, "c0-p0-s0", "--html", page) == 0
    assert capsys.readouterr().out == f"{page}\n"
    text = page.read_text()
    assert (
        'aria-label="Play"' in text
        and "c0-p0-s0" in text
        and "http://" not in text.replace("http://www.w3", "")
    )
    assert call(folder, "c0-p0-s0", "--html", tmp_path / "no" / "game.html") == 2
    assert call(folder, "c0-p0-s0", "--html", tmp_path) == 2
    told = capsys.readouterr().err
    assert "there is no folder" in told and "is a folder" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("c7-p0-s0",), "there is no game c7-p0-s0"),
        (("c0-p0",), "no game id"),
        (("",), "no game id"),
    ],
)
def test_bad_ids_get_one_message(arguments, message, folder, capsys):
    assert call(folder, *arguments) == 2
    said = capsys.readouterr()
    assert said.out == "" and message in said.err and len(said.err.splitlines()) == 2


def test_a_folder_without_a_run(tmp_path, capsys):
    assert call(tmp_path, "c0-p0-s0") == 2
    assert "holds no run" in capsys.readouterr().err


def test_a_changed_row_leaves_with_3_after_showing_the_game(folder, tmp_path, capsys):
    own = shutil.copytree(folder, tmp_path / "own")
    path = own / "games" / "c0000-p000000.parquet"
    frame = pl.read_parquet(path)
    frame.with_columns(pl.lit(99, pl.Int32).alias("turns")).write_parquet(path)
    assert call(own, "c0-p0-s0") == 3
    said = capsys.readouterr()
    assert "does not end as stored:" in said.out and "turns is 99 in the run" in said.out
    assert said.err.startswith("error: c0-p0-s0: turns is 99")


def test_the_report_can_do_without(folder, capsys):
    assert run_app(["report", str(folder), "--no-replays"]) == 0
    assert 'id="games"' not in (folder / "report.html").read_text()
    assert run_app(["report", str(folder)]) == 0
    page = (folder / "report.html").read_text()
    assert 'id="games"' in page and page.count('class="replay"') == 3
    assert run_app(["report", str(folder)]) == 0
    assert (folder / "report.html").read_text() == page
