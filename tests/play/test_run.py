"""Runs with a fake kernel: same rows for any executor and any cut, folders that are never overwritten."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest

from balance.errors import EnvironmentFault, RunError, UsageError
from balance.play.executors.serial import Serial
from balance.play.executors.threads import Threads
from balance.play.resume import resume
from balance.store.read import open_run
from tests.play.fakes import FakeKernel, FakePlan, Recorder, Shuffled, content, played

DRAFTED = FakePlan({"agents": ["random", "greedy"]})
TEAMS = FakePlan({"teams": [["wings", "paws"], ["wings", "wings"]]})


@pytest.mark.parametrize(
    "plan", [DRAFTED, TEAMS, FakePlan({"mode": "team"}), FakePlan({"mode": "ffa3", "record": "none"})]
)
@pytest.mark.parametrize("executor", [Threads(1), Threads(2), Threads(5), Shuffled(3), Shuffled(4)])
def test_every_executor_gives_the_same_bytes(plan, executor, tmp_path):
    played(plan, tmp_path / "serial")
    played(plan, tmp_path / "other", executor)
    assert content(tmp_path / "serial") == content(tmp_path / "other")


@pytest.mark.parametrize("size", [1, 3, 10, 1000, None])
def test_the_digest_does_not_depend_on_the_size_of_parts(size, tmp_path):
    usual = played(DRAFTED, tmp_path / "usual")
    other = played(FakePlan(DRAFTED.data | {"part_pairs": size}), tmp_path / "other")
    assert usual.digest == other.digest
    assert (size == 4) == (usual.parts == other.parts)


@pytest.mark.parametrize(
    "change", [{"seed": 2}, {"pairs": 11}, {"arenas": ["dale", "hill"]}, {"record": "none"}]
)
def test_the_digest_depends_on_what_is_played(change, tmp_path):
    usual = played(DRAFTED, tmp_path / "usual")
    assert usual.digest != played(FakePlan(DRAFTED.data | change), tmp_path / "other").digest


def test_the_result_counts_what_was_played(tmp_path):
    outcome = played(TEAMS, tmp_path / "run")
    # 2 arenas x 2 matchups, 10 pairs of 2 games; parts of 4, 4 and 2 pairs
    assert (outcome.cells, outcome.pairs, outcome.games, outcome.parts) == (4, 40, 80, 12)
    rows = open_run(tmp_path / "run").games().collect()
    assert len(rows) == 60  # the mirror matches are played once and weigh two
    assert rows["weight"].sum() == 80


def test_frames_hold_what_the_kernel_gave(tmp_path):
    played(FakePlan({"mode": "ffa3", "pairs": 5}), tmp_path / "run")
    opened = open_run(tmp_path / "run")
    games, heroes, board = opened.games().collect(), opened.heroes().collect(), opened.board().collect()
    assert games.columns[:9] == [
        "cell",
        "pair",
        "seating",
        "weight",
        "stream",
        "winner",
        "score_a",
        "score_b",
        "score_c",
    ]
    assert {"vp_a", "vp_b", "vp_c", "drama"} <= set(games.columns)
    assert "vp_d" not in games.columns
    assert games.sort("cell", "pair", "seating")["pair"].to_list() == [
        p for _ in range(2) for p in range(5) for _ in range(3)
    ]
    # a hero row's score is the score of its seat in its game
    first = heroes.filter(pl.col("seat") == 0).join(games, on=["cell", "pair", "seating"])
    assert len(first) == len(games)
    assert (first["score"] == first["score_a"]).all()
    assert board.group_by("cell", "node").len().height == 8


def test_manifest_says_what_was_played(tmp_path):
    played(TEAMS, tmp_path / "run")
    data = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert data["complete"] is True
    assert data["mode"] == {
        "name": "duel",
        "seats": 2,
        "side_of_seat": [0, 1],
        "seatings": [[0, 1], [1, 0]],
        "sides": 2,
    }
    assert data["levels"] == ["random"]
    assert data["heroes"] == ["ant", "bee", "cat", "dog"]
    assert data["assumed"] == [
        {"path": "rules.luck", "value": 1, "source": "assumed", "shipped": None, "text": ""}
    ]
    assert data["plan"] == TEAMS.data
    cell = data["cells"][1]
    assert cell["teams"] == ["wings", "wings"]
    assert cell["rosters"] == [["ant", "bee"], ["ant", "bee"]]  # in name order
    assert (cell["draft"], cell["agents"], cell["nodes"]) == (
        "fixed",
        ["random", "random"],
        ["a1", "a2", "b1", "b2"],
    )
    assert [part["pairs"] for part in data["parts"]] == [4, 4, 2] * 4


def test_cells_are_a_frame(tmp_path):
    played(DRAFTED, tmp_path / "run")
    frame = open_run(tmp_path / "run").cells()
    assert frame["label"].to_list() == ["random", "random", "greedy:0", "greedy:0"]
    assert frame["arena"].to_list() == ["hill", "dale"] * 2
    assert frame["teams"].to_list() == [None] * 4


def test_recording_nothing_leaves_no_board(tmp_path):
    played(FakePlan({"record": "none"}), tmp_path / "run")
    opened = open_run(tmp_path / "run")
    assert "drama" not in opened.games().collect_schema()
    assert opened.board().collect().columns == ["cell", "node"]
    assert not (tmp_path / "run" / "board").exists()


def test_compilation_is_announced_only_when_cold(tmp_path):
    kernel, seen = FakeKernel(), Recorder()
    played(DRAFTED, tmp_path / "one", kernel=kernel, progress=seen)
    played(DRAFTED, tmp_path / "two", kernel=kernel, progress=seen)
    assert seen.calls.count(("compiling", "fakegame")) == 1
    assert ("start", 80, 0) in seen.calls
    assert sum(call[1] for call in seen.calls if call[0] == "advance") == 160


# --- folders


def test_a_finished_run_of_the_same_plan_is_not_played_again(tmp_path):
    first = played(DRAFTED, tmp_path / "run")
    kernel = FakeKernel()
    again = played(DRAFTED, tmp_path / "run", kernel=kernel)
    assert (again.played, again.digest, kernel.played) == (False, first.digest, [])


def test_another_run_is_never_overwritten(tmp_path):
    played(DRAFTED, tmp_path / "run")
    before = content(tmp_path / "run")
    with pytest.raises(UsageError) as caught:
        played(TEAMS, tmp_path / "run")
    assert "holds another run" in caught.value.message
    assert "--force" in caught.value.hint
    assert "-o" in caught.value.hint
    assert content(tmp_path / "run") == before


def test_force_replaces_a_run_and_nothing_else(tmp_path):
    played(FakePlan({"pairs": 50}), tmp_path / "run")
    mine = [tmp_path / "run" / "notes.txt", tmp_path / "run" / "games" / "tetris.exe"]
    for path in mine:
        path.write_text("mine")
    played(TEAMS, tmp_path / "run", force=True)
    played(TEAMS, tmp_path / "fresh")
    assert all(path.read_text() == "mine" for path in mine)
    for path in mine:
        path.unlink()
    assert content(tmp_path / "run") == content(tmp_path / "fresh")


def test_an_unfinished_run_is_pointed_to_resume(tmp_path):
    with pytest.raises(RuntimeError):
        played(DRAFTED, tmp_path / "run", kernel=FakeKernel(fail_after=2))
    with pytest.raises(UsageError) as caught:
        played(DRAFTED, tmp_path / "run")
    assert f"balance resume {tmp_path}/run" in caught.value.hint


def test_the_same_plan_under_another_kernel_is_another_run(tmp_path, another_kernel):
    played(DRAFTED, tmp_path / "run")
    another_kernel()
    with pytest.raises(UsageError, match="another kernel"):
        played(DRAFTED, tmp_path / "run")


def test_foreign_files_are_refused_even_with_force(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.tex").write_text("mine")
    for force in (False, True):
        with pytest.raises(UsageError, match="holds files but no run"):
            played(DRAFTED, tmp_path / "run", force=force)
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["thesis.tex"]


def test_a_broken_manifest_is_said_and_can_be_forced(tmp_path):
    played(DRAFTED, tmp_path / "run")
    (tmp_path / "run" / "manifest.json").write_text('{"format": 1,')
    with pytest.raises(RunError, match="broken JSON"):
        played(DRAFTED, tmp_path / "run")
    assert played(DRAFTED, tmp_path / "run", force=True).played


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "run").write_text("")
    with pytest.raises(UsageError, match="is a file"):
        played(DRAFTED, tmp_path / "run")
    with pytest.raises(UsageError, match="cannot write"):
        played(DRAFTED, tmp_path / "run" / "deeper")


def test_an_unwritable_place_is_a_usage_error():
    with pytest.raises(UsageError, match="cannot write"):
        played(DRAFTED, Path("/proc/nowhere/run"))


def test_two_processes_do_not_play_into_one_folder(tmp_path):
    def intrude(count):
        if count == 1:
            with pytest.raises(UsageError, match="another balance"):
                played(DRAFTED, tmp_path / "run", force=True)

    assert played(DRAFTED, tmp_path / "run", kernel=FakeKernel(on_part=intrude)).played


# --- faults of the disk


def test_a_vanished_folder_is_resumable_in_words(tmp_path):
    def vanish(count):
        if count == 3:
            shutil.rmtree(tmp_path / "run")

    with pytest.raises(EnvironmentFault) as caught:
        played(DRAFTED, tmp_path / "run", kernel=FakeKernel(on_part=vanish))
    assert caught.value.exit_code == 5
    assert "the folder is gone" in caught.value.message
    assert f"balance resume {tmp_path}/run" in caught.value.hint


@pytest.fixture
def tiny_disk(tmp_path):
    place = tmp_path / "tiny"
    place.mkdir()
    if (
        os.geteuid()
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], check=False).returncode
    ):
        pytest.skip("cannot mount a small disk here")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_keeps_what_is_there(tiny_disk, tmp_path):
    plan = FakePlan({"pairs": 400, "part_pairs": 20})
    with pytest.raises(EnvironmentFault) as caught:
        played(plan, tiny_disk / "run")
    assert (caught.value.exit_code, "full" in caught.value.message) == (5, True)
    opened = open_run(tiny_disk / "run")
    assert not opened.complete
    assert opened.games().collect().height >= 0
    assert not list((tiny_disk / "run").rglob("*.tmp"))


def test_a_read_only_disk(tiny_disk):
    with pytest.raises(RuntimeError):
        played(DRAFTED, tiny_disk / "run", kernel=FakeKernel(fail_after=2))
    subprocess.run(["mount", "-o", "remount,ro", tiny_disk], check=True)
    with pytest.raises(UsageError, match="Read-only"):
        played(DRAFTED, tiny_disk / "other")
    with pytest.raises(EnvironmentFault, match="read-only"):
        resume(tiny_disk / "run", Serial(), kernel=FakeKernel(), restore=FakePlan)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EIO, "Input/output error"),
        (errno.EROFS, "read-only"),
        (errno.EDQUOT, "quota"),
        (errno.EACCES, "permitted"),
    ],
)
def test_errors_of_the_system_in_words(number, words, tmp_path, monkeypatch):
    def refuse(handle):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(EnvironmentFault, match=words):
        played(DRAFTED, tmp_path / "run")
    assert not list((tmp_path / "run").rglob("*.tmp"))


def test_names_with_blanks_and_brackets(tmp_path):
    folder = tmp_path / "my [run] *"
    played(DRAFTED, folder)
    assert open_run(folder).games().collect().height == 80
