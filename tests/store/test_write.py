"""Files are whole or not there, forced to the disk, and the same bytes every time."""

from __future__ import annotations

import os

import numpy as np
import polars as pl
import pytest

from balance.errors import EnvironmentFault
from balance.store.write import disk_faults, parquet_bytes, part_file, shell_name, write_atomic

COLUMNS = {"pair": np.arange(5000, dtype=np.int32), "score": np.linspace(0, 1, 5000)}


def test_writing_replaces_at_once(tmp_path):
    path = tmp_path / "file"
    write_atomic(path, b"old")
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_is_forced_to_the_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    seen = []
    path = tmp_path / "file"
    monkeypatch.setattr(os, "fsync", lambda handle: seen.append((os.fstat(handle).st_size, path.exists())))
    write_atomic(path, b"12345")
    assert seen == [(5, False)]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_failed_writing_leaves_the_old_file(tmp_path, monkeypatch, error):
    def refuse(handle):
        raise error

    path = tmp_path / "file"
    write_atomic(path, b"old")
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(error):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_columns_give_the_same_bytes():
    assert len({parquet_bytes(COLUMNS) for _ in range(5)}) == 1


def test_bytes_read_back(tmp_path):
    (tmp_path / "x.parquet").write_bytes(parquet_bytes(COLUMNS))
    frame = pl.read_parquet(tmp_path / "x.parquet")
    assert frame.schema == {"pair": pl.Int32, "score": pl.Float64}
    assert (frame["score"].to_numpy() == COLUMNS["score"]).all()


def test_file_names_sort_in_order_of_cell_and_part():
    assert part_file("games", 3, 2) == "games/c0003-p000002.parquet"
    names = [part_file("games", cell, part) for cell in (0, 9, 10, 9999) for part in (0, 9, 10, 999_999)]
    assert names == sorted(names)


def test_faults_name_the_command_as_a_shell_takes_it(tmp_path):
    folder = tmp_path / "it's here"
    with pytest.raises(EnvironmentFault) as caught, disk_faults(folder):
        (folder / "x").write_bytes(b"")
    assert caught.value.exit_code == 5
    assert caught.value.hint.endswith(f"balance resume {shell_name(folder)}")


def test_other_errors_pass():
    with pytest.raises(KeyError), disk_faults("anywhere"):
        raise KeyError("x")
