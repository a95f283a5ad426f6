"""Runs that ended early, or were damaged, become what they would have been."""

from __future__ import annotations

import json

import pytest

from balance.errors import EnvironmentFault, RunError, VerifyMismatch
from balance.play.executors.serial import Serial
from balance.play.executors.threads import Threads
from balance.play.resume import resume
from balance.store.read import open_run
from tests.play import fakes
from tests.play.fakes import FakeKernel, FakePlan, Recorder, content, played

PLAN = FakePlan({"pairs": 30})


def resumed(folder, kernel=None, progress=None, executor=None):
    return resume(folder, executor or Serial(), progress, kernel=kernel or FakeKernel(), restore=FakePlan)


@pytest.fixture
def whole(tmp_path):
    played(PLAN, tmp_path / "whole")
    return tmp_path / "whole"


@pytest.mark.parametrize("parts", [0, 1, 7, 15])
@pytest.mark.parametrize("executor", [Serial(), Threads(2)])
def test_a_broken_run_becomes_the_whole_one(whole, tmp_path, parts, executor):
    with pytest.raises(RuntimeError):
        played(PLAN, tmp_path / "run", executor, kernel=FakeKernel(fail_after=parts))
    kept = len(json.loads((tmp_path / "run" / "manifest.json").read_text())["parts"])
    kernel = FakeKernel()
    outcome = resumed(tmp_path / "run", kernel)
    assert len(kernel.played) == 16 - kept
    assert outcome.played
    assert content(tmp_path / "run") == content(whole)


def test_parts_kept_are_not_played_again(tmp_path):
    with pytest.raises(RuntimeError):
        played(PLAN, tmp_path / "run", kernel=FakeKernel(fail_after=9))
    kernel, seen = FakeKernel(), Recorder()
    resumed(tmp_path / "run", kernel, seen)
    # chunks of four parts: the ninth part fails in the third chunk, whose tenth is never begun
    assert len(kernel.played) == 8
    assert ("start", 120, 60) in seen.calls
    assert seen.notes() == []


DAMAGES = [
    fakes.damage_truncate,
    fakes.damage_empty,
    fakes.damage_remove,
    fakes.damage_flip,
    fakes.damage_magic,
]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("table", ["games", "heroes", "board"])
def test_a_damaged_part_is_played_again_and_said(whole, tmp_path, damage, table):
    played(PLAN, tmp_path / "run")
    damage(tmp_path / "run" / table / "c0001-p000003.parquet")
    kernel, seen = FakeKernel(), Recorder()
    resumed(tmp_path / "run", kernel, seen)
    assert len(kernel.played) == 1
    assert len(seen.notes()) == 1
    assert f"{table}/c0001-p000003.parquet" in seen.notes()[0]
    assert content(tmp_path / "run") == content(whole)


@pytest.mark.parametrize("damage", DAMAGES)
def test_reading_a_damaged_run_says_what_to_do(tmp_path, damage):
    played(PLAN, tmp_path / "run")
    damage(tmp_path / "run" / "heroes" / "c0001-p000003.parquet")
    if damage is fakes.damage_flip:
        return  # found by checksum only: see test_a_damaged_part_is_played_again_and_said
    with pytest.raises(EnvironmentFault) as caught:
        open_run(tmp_path / "run")
    assert "heroes/c0001-p000003.parquet" in caught.value.message
    assert f"balance resume {tmp_path}/run" in caught.value.hint


def test_a_whole_run_needs_nothing(whole):
    kernel = FakeKernel()
    outcome = resumed(whole, kernel)
    assert (outcome.played, kernel.played, kernel.loaded) == (False, [], 0)


def test_leftovers_of_a_killed_process_are_swept(whole, tmp_path):
    with pytest.raises(RuntimeError):
        played(PLAN, tmp_path / "run", kernel=FakeKernel(fail_after=5))
    (tmp_path / "run" / "games" / ".c0001-p000000.parquet.1.tmp").write_bytes(b"half")
    (tmp_path / "run" / ".manifest.json.1.tmp").write_bytes(b"{")
    resumed(tmp_path / "run")
    assert content(tmp_path / "run") == content(whole)


def test_a_report_of_the_unfinished_run_goes(tmp_path):
    with pytest.raises(RuntimeError):
        played(PLAN, tmp_path / "run", kernel=FakeKernel(fail_after=5))
    for name in ("report.html", "summary.json", "summary.md", "mine.html"):
        (tmp_path / "run" / name).write_text("half")
    resumed(tmp_path / "run")
    assert [
        path.name for path in (tmp_path / "run").iterdir() if path.suffix != ".json" and path.is_file()
    ] == ["mine.html"]
    assert not (tmp_path / "run" / "summary.json").exists()


def test_a_stored_part_that_was_not_yet_listed_is_played_again(whole, tmp_path):
    played(PLAN, tmp_path / "run")
    path = tmp_path / "run" / "manifest.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | {"parts": data["parts"][:5], "digest": None, "complete": False}))
    kernel = FakeKernel()
    resumed(tmp_path / "run", kernel)
    assert len(kernel.played) == 11
    assert content(tmp_path / "run") == content(whole)


def test_another_kernel_is_refused(tmp_path, another_kernel):
    with pytest.raises(RuntimeError):
        played(PLAN, tmp_path / "run", kernel=FakeKernel(fail_after=5))
    before = content(tmp_path / "run")
    another_kernel()
    with pytest.raises(RunError) as caught:
        resumed(tmp_path / "run")
    assert "another kernel" in caught.value.message
    assert "--force" in caught.value.hint
    assert content(tmp_path / "run") == before


def test_a_plan_edited_in_the_manifest_is_refused(tmp_path):
    played(PLAN, tmp_path / "run")
    path = tmp_path / "run" / "manifest.json"
    path.write_text(path.read_text().replace('"seed": 1,', '"seed": 2,'))
    with pytest.raises(RunError, match="does not fit its hash"):
        resumed(tmp_path / "run")


def test_other_rows_in_place_of_damaged_ones_are_an_alarm(tmp_path):
    class Drifting(FakeKernel):
        def play_part(self, *values):
            rows = super().play_part(*values)
            rows.results["turns"] += 1
            return rows

    played(PLAN, tmp_path / "run")
    fakes.damage_remove(tmp_path / "run" / "games" / "c0000-p000000.parquet")
    with pytest.raises(VerifyMismatch, match="other rows than before"):
        resumed(tmp_path / "run", Drifting())


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: None, "does not exist"),
        (lambda folder: folder.write_text(""), "is no folder"),
        (lambda folder: folder.mkdir(), "there is no manifest.json"),
        (lambda folder: (folder.mkdir(), (folder / "manifest.json").write_text("[]")), "no manifest"),
        (lambda folder: (folder.mkdir(), (folder / "manifest.json").write_bytes(b"\xff\xfe")), "UTF-8"),
        (
            lambda folder: (folder.mkdir(), (folder / "manifest.json").write_text('{"format": 1}')),
            "has no 'game'",
        ),
    ],
)
def test_what_is_no_run(tmp_path, make, words):
    make(tmp_path / "run")
    with pytest.raises(RunError, match=words):
        resumed(tmp_path / "run")
    assert not (tmp_path / "run" / ".lock").exists()
