"""Reading while rows are damaged inside: the reader's error becomes one that says what to do."""

from __future__ import annotations

import polars as pl
import pytest

from balance.errors import EnvironmentFault
from balance.store.read import full_fault, open_run, reading
from tests.play.fakes import FakePlan, played


@pytest.fixture
def folder(tmp_path):
    played(FakePlan(), tmp_path / "run")
    return tmp_path / "run"


def test_damage_inside_is_met_when_rows_are_collected(folder):
    path = folder / "games" / "c0000-p000001.parquet"
    content = bytearray(path.read_bytes())
    content[4:-8] = bytes(len(content) - 12)  # the ends and the length are as they were
    path.write_bytes(content)
    run = open_run(folder)
    with pytest.raises(EnvironmentFault) as caught, reading(folder):
        run.games().collect()
    assert f"balance resume {folder}" in caught.value.hint


def test_a_file_that_goes_away_after_opening(folder):
    run = open_run(folder)
    (folder / "heroes" / "c0000-p000001.parquet").unlink()
    with pytest.raises(EnvironmentFault), reading(folder):
        run.heroes().collect()


def test_a_checksum_sees_what_the_ends_do_not(folder):
    entry = open_run(folder).manifest["parts"][0]
    assert full_fault(folder, entry, "games") is None
    path = folder / "games" / "c0000-p000000.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    open_run(folder)
    assert "has changed" in full_fault(folder, entry, "games")


def test_files_that_are_not_listed_are_not_read(folder):
    before = open_run(folder).games().collect().height
    path = folder / "games" / "c0009-p000000.parquet"
    path.write_bytes((folder / "games" / "c0000-p000000.parquet").read_bytes())
    assert open_run(folder).games().collect().height == before


def test_scans_are_lazy(folder):
    assert isinstance(open_run(folder).games(), pl.LazyFrame)
    lengths = open_run(folder).heroes().group_by("cell").len().sort("cell").collect()
    assert lengths["len"].to_list() == [40, 40]
