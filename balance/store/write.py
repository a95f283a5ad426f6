"""Rows of a part to Parquet bytes, and bytes to files that are whole or not there."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from balance.errors import EnvironmentFault
from balance.store import digest, schema
from balance.store.schema import Columns

ROW_GROUP = 1 << 18


class Rows(Protocol):
    """What a part's playouts return (``agents.playout.PartRows``)."""

    results: np.ndarray
    game: np.ndarray | None
    hero: np.ndarray
    node: np.ndarray | None


@dataclass(frozen=True)
class EncodedPart:
    """A part ready to be stored, the same on any worker.

    Attributes
    ----------
    cell, part, first_pair, pairs : int
    games : int
        Games played, mirror matches counted as often as they weigh.
    rows : mapping of str to int
        Rows by table.
    files : mapping of str to bytes
        Parquet bytes by table; a table without rows is left out.
    board : dict of str to numpy.ndarray
        Board columns of the part; empty when none was recorded.
    sum : int
        Sum of the scrambled rows of games and heroes.
    """

    cell: int
    part: int
    first_pair: int
    pairs: int
    games: int
    rows: Mapping[str, int]
    files: Mapping[str, bytes]
    board: Columns
    sum: int

    def entry(self) -> dict[str, Any]:
        """The part's line in the manifest."""
        return {
            "cell": self.cell,
            "part": self.part,
            "first_pair": self.first_pair,
            "pairs": self.pairs,
            "played": self.games,
            **dict(self.rows),
            "checksums": {table: digest.checksum(content) for table, content in self.files.items()},
            "sizes": {table: len(content) for table, content in self.files.items()},
            "sum": f"{self.sum:032x}",
        }


def part_file(table: str, cell: int, part: int) -> str:
    """Name of a part's file inside the run folder."""
    return f"{table}/c{cell:04d}-p{part:06d}.parquet"


def part_columns(cell: int, rows: Rows, seats: int) -> dict[str, Columns]:
    """Columns by table of a part's rows; ``board`` only when it was recorded."""
    tables = {
        "games": schema.games_columns(cell, rows.results, rows.game, seats),
        "heroes": schema.heroes_columns(cell, rows.results, rows.hero, seats),
    }
    if rows.node is not None:
        tables["board"] = schema.board_columns(cell, rows.node, seats)
    return tables


def encode(cell: int, part: int, first_pair: int, pairs: int, rows: Rows, seats: int) -> EncodedPart:
    """A part's rows as Parquet bytes with their sum; touches no disk.

    The same rows give the same bytes under the same polars version.
    """
    tables = part_columns(cell, rows, seats)
    counts = {table: len(tables[table]["cell"]) if table in tables else 0 for table in schema.TABLES}
    files = {table: parquet_bytes(columns) for table, columns in tables.items() if counts[table]}
    total = sum(digest.rows_sum(table, tables[table]) for table in ("games", "heroes")) % digest.MODULUS
    games = int(rows.results["weight"].sum())
    return EncodedPart(cell, part, first_pair, pairs, games, counts, files, tables.get("board", {}), total)


def parquet_bytes(columns: Columns) -> bytes:
    """Columns as one Parquet file in memory."""
    import polars

    buffer = io.BytesIO()
    polars.DataFrame(columns).write_parquet(buffer, compression="zstd", row_group_size=ROW_GROUP)
    return buffer.getvalue()


def store_part(folder: Path, part: EncodedPart) -> dict[str, Any]:
    """Write a part's files and return its manifest entry.

    Raises
    ------
    EnvironmentFault
        The disk is full, read-only or gone.
    """
    for table, content in part.files.items():
        path = folder / part_file(table, part.cell, part.part)
        with disk_faults(folder):
            path.parent.mkdir(exist_ok=True)
            write_atomic(path, content)
    return part.entry()


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file under a temporary name, force it to the disk, then rename it: whole or not there."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


@contextlib.contextmanager
def disk_faults(folder: Path, hint: str = "") -> Any:
    """Turn the system's errors during a run into one that says how to go on, by `hint` or by resuming."""
    try:
        yield
    except OSError as error:
        words = {
            errno.ENOSPC: "the disk is full",
            errno.EDQUOT: "the disk quota is used up",
            errno.EROFS: "the disk is read-only",
            errno.EACCES: "writing is not permitted",
            errno.ENOENT: "the folder is gone",
            errno.ENOTDIR: "a part of the path is no folder",
        }.get(error.errno or 0, error.strerror or str(error))
        raise EnvironmentFault(
            f"cannot write to {folder}: {words}",
            hint or f"finished parts are kept; mend it, then: balance resume {shell_name(folder)}",
        ) from error


def shell_name(path: Path) -> str:
    """A path as it must be typed into a shell."""
    return shlex.quote(str(path))
