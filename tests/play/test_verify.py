"""Verification finds every changed number, and names its game and column."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from balance.errors import EnvironmentFault
from balance.play.executors.serial import Serial
from balance.play.executors.threads import Threads
from balance.play.verify import sample, verify
from balance.store.digest import checksum
from tests.play.fakes import FakeKernel, FakePlan, damage_remove, damage_truncate, played

PLAN = FakePlan({"pairs": 30})


@pytest.fixture
def folder(tmp_path):
    played(PLAN, tmp_path / "run")
    return tmp_path / "run"


def verified(folder, kernel=None, executor=None, **options):
    return verify(folder, executor or Serial(), kernel=kernel or FakeKernel(), restore=FakePlan, **options)


@pytest.mark.parametrize("executor", [Serial(), Threads(2)])
@pytest.mark.parametrize(("parts", "checked"), [(1, 1), (4, 4), (100, 16), (None, 16)])
def test_an_honest_run_is_the_same(folder, executor, parts, checked):
    kernel = FakeKernel()
    found = verified(folder, kernel, executor, parts=parts)
    assert (found.differences, found.parts, found.listed, found.other_kernel) == ((), checked, 16, False)
    assert len(kernel.played) == checked


def edit(folder, table, part, column, row, hide=False):
    """Add one to a stored number; with `hide`, bring checksum and size in the manifest along."""
    path = folder / table / f"{part}.parquet"
    frame = pl.read_parquet(path)
    values = np.array(frame[column].to_numpy())
    values[row] += 1
    frame.with_columns(pl.Series(column, values)).write_parquet(path)
    if hide:
        manifest = folder / "manifest.json"
        data = json.loads(manifest.read_text())
        for entry in data["parts"]:
            if f"c{entry['cell']:04d}-p{entry['part']:06d}" == part:
                entry["checksums"][table] = checksum(path.read_bytes())
                entry["sizes"][table] = path.stat().st_size
        manifest.write_text(json.dumps(data))


@pytest.mark.parametrize("hide", [False, True])
@pytest.mark.parametrize(
    ("table", "column", "row", "words"),
    [
        ("games", "plies", 5, "c1-p14-s1: plies is "),
        ("games", "vp_b", 0, "c1-p12-s0: vp_b is "),
        ("games", "stream", 1, "c1-p12-s1: stream is "),
        ("heroes", "steps", 3, " of seat B: steps is "),
        ("board", "visits", 2, "c1 node b1: visits is "),
    ],
)
def test_a_changed_number_is_named(folder, hide, table, column, row, words):
    edit(folder, table, "c0001-p000003", column, row, hide)
    found = verified(folder, parts=None if hide else 1)
    assert words in found.differences[0]
    assert "when played again" in found.differences[0]
    first, second = found.differences[0].split(f"{column} is ")[1].split(" in the run, ")
    assert int(first) == int(second.split()[0]) + 1


def test_a_hero_is_named(folder):
    edit(folder, "heroes", "c0001-p000003", "steps", 3)
    heroes = pl.read_parquet(folder / "heroes" / "c0001-p000003.parquet")
    name = ["ant", "bee", "cat", "dog"][heroes["hero"][3]]
    assert verified(folder, parts=1).differences[0].startswith(f"c1-p12-s1 {name} of seat B: steps")


def test_lost_rows_are_found(folder):
    path = folder / "games" / "c0000-p000000.parquet"
    pl.read_parquet(path).head(3).write_parquet(path)
    assert verified(folder).differences[0] == "games of cell 0: 3 rows stored, 8 played"


def test_a_file_written_again_with_the_same_rows_is_told(folder):
    path = folder / "games" / "c0000-p000000.parquet"
    pl.read_parquet(path).write_parquet(path, compression="uncompressed")
    found = verified(folder)
    assert len(found.differences) == 1
    assert "changed" in found.differences[0]


@pytest.mark.parametrize("damage", [damage_truncate, damage_remove])
def test_a_part_that_cannot_be_read_is_a_fault(folder, damage):
    damage(folder / "games" / "c0001-p000000.parquet")
    with pytest.raises(EnvironmentFault, match="c0001-p000000") as caught:
        verified(folder)
    assert "balance resume" in caught.value.hint


def test_a_digest_that_was_edited_is_found(folder):
    path = folder / "manifest.json"
    data = json.loads(path.read_text())
    path.write_text(path.read_text().replace(data["digest"], "0" * 32))
    assert verified(folder).differences[0].startswith("digest is 0000")


def test_a_sum_that_was_edited_is_found(folder):
    path = folder / "manifest.json"
    entry = json.loads(path.read_text())["parts"][0]
    path.write_text(path.read_text().replace(entry["sum"], "1" * 32))
    found = verified(folder, parts=None)
    assert "not the sum" in found.differences[0]
    assert found.differences[1].startswith("digest")


def test_another_kernel_is_said(folder, another_kernel):
    another_kernel()
    assert verified(folder).other_kernel


def test_an_unfinished_run_can_be_verified(tmp_path):
    with pytest.raises(RuntimeError):
        played(PLAN, tmp_path / "run", kernel=FakeKernel(fail_after=5))
    found = verified(tmp_path / "run", parts=None)
    assert (found.digest, found.differences) == (None, ())
    assert found.listed == found.parts < 16


def test_the_sample_is_spread_evenly():
    keys = [(cell, part) for cell in range(10) for part in range(10)]
    assert sample(keys, 4) == [(1, 2), (3, 7), (6, 2), (8, 7)]
    assert sample(keys[:2], 4) == keys[:2]
    assert sample([], 4) == []
