"""A run folder as frames: the manifest, and lazy scans of the parts that it lists."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.errors import EnvironmentFault, RunError
from balance.store import manifest as manifests
from balance.store.digest import checksum
from balance.store.schema import TABLES, Columns, no_rows
from balance.store.write import part_file, shell_name

if TYPE_CHECKING:
    import polars

MAGIC = b"PAR1"


@dataclass(frozen=True)
class Run:
    """A run folder that was found whole when it was opened.

    Attributes
    ----------
    folder : Path
    manifest : dict
        As in ``manifest.json``.
    """

    folder: Path
    manifest: dict[str, Any]

    @property
    def complete(self) -> bool:
        """Whether every part of the plan has been played."""
        return bool(self.manifest["complete"])

    def games(self) -> polars.LazyFrame:
        """One row a game; columns of ``store.schema.GAMES`` and the game's own."""
        return self.scan("games")

    def heroes(self) -> polars.LazyFrame:
        """One row a hero a game; no rows in games without heroes."""
        return self.scan("heroes")

    def board(self) -> polars.LazyFrame:
        """One row a node a part: sum over (cell, node); no rows at recording level ``none``."""
        return self.scan("board")

    def scan(self, table: str) -> polars.LazyFrame:
        """A lazy scan of all listed parts of one table, in order of cell and part."""
        import polars

        files = [
            self.folder / name for entry in self.manifest["parts"] if (name := listed_file(entry, table))
        ]
        if not files:
            return polars.LazyFrame(no_rows(table))
        return polars.scan_parquet(files, glob=False)

    def cells(self) -> polars.DataFrame:
        """One row a cell: number, level and its label, arena, draft, teams, rosters, agents, pairs."""
        import polars

        levels = self.manifest.get("levels", [])
        rows = [
            {
                "cell": cell["cell"],
                "level": cell["level"],
                "label": level_label(levels[cell["level"]]) if levels else "",
                "arena": cell["arena"],
                "draft": cell["draft"],
                "teams": cell["teams"],
                "rosters": cell["rosters"],
                "agents": cell["agents"],
                "pairs": cell["pairs"],
            }
            for cell in self.manifest["cells"]
        ]
        return polars.DataFrame(rows, schema=cells_schema())


def cells_schema() -> dict[str, Any]:
    """Dtypes of :meth:`Run.cells`."""
    import polars

    names = polars.List(polars.String)
    return {
        "cell": polars.Int32,
        "level": polars.Int32,
        "label": polars.String,
        "arena": polars.String,
        "draft": polars.String,
        "teams": names,
        "rosters": polars.List(names),
        "agents": names,
        "pairs": polars.Int64,
    }


def level_label(level: str | dict[str, str]) -> str:
    """A skill level in words: the agents' label, or one a seat."""
    if isinstance(level, str):
        return level
    return ", ".join(f"{seat} {agent}" for seat, agent in level.items())


def open_run(folder: Path) -> Run:
    """Open a run folder; looks at every listed file's length and ends, but does not read it all.

    Raises
    ------
    RunError
        No run there, or its manifest is damaged.
    EnvironmentFault
        A listed part is missing or truncated.
    """
    folder = Path(folder)
    data = manifests.load(folder).data()
    for entry in data["parts"]:
        for table in TABLES:
            fault = quick_fault(folder, entry, table)
            if fault:
                raise damaged(folder, fault)
    return Run(folder, data)


def open_played(folder: Path) -> Run:
    """As :func:`open_run`, of a run that has games; every listed file is read and its checksum compared.

    What is reported must be what was written: a changed byte in a compressed column can still be read.

    Raises
    ------
    RunError
        There is no run, or it has no games yet.
    EnvironmentFault
        A listed part is missing, truncated or has changed.
    """
    run = open_run(folder)
    for entry in run.manifest["parts"]:
        for table in TABLES:
            if fault := full_fault(run.folder, entry, table):
                raise damaged(run.folder, fault)
    if not run.manifest["parts"]:
        hint = f"finish the run first: balance resume {shell_name(folder)}"
        raise RunError(f"{folder} holds no games yet", hint)
    return run


def listed_file(entry: dict[str, Any], table: str) -> str | None:
    """Name of a part's file of one table; None when the part has no rows of it."""
    return part_file(table, entry["cell"], entry["part"]) if table in entry["checksums"] else None


def quick_fault(folder: Path, entry: dict[str, Any], table: str) -> str | None:
    """What is wrong with a listed file by its length and both ends; None when nothing is."""
    name = listed_file(entry, table)
    if name is None:
        return None
    try:
        with (folder / name).open("rb") as file:
            start = file.read(4)
            length = file.seek(0, 2)
            file.seek(max(0, length - 4))
            end = file.read(4)
    except OSError as error:
        return (
            f"{folder / name} is missing"
            if isinstance(error, FileNotFoundError)
            else f"{folder / name}: {error.strerror}"
        )
    if length != entry["sizes"][table]:
        return f"{folder / name} is truncated or changed ({length} bytes, not {entry['sizes'][table]})"
    return None if start == end == MAGIC else f"{folder / name} is no Parquet file"


def full_fault(folder: Path, entry: dict[str, Any], table: str) -> str | None:
    """As :func:`quick_fault`, and the checksum of the whole file."""
    fault = quick_fault(folder, entry, table)
    name = listed_file(entry, table)
    if fault or name is None:
        return fault
    with reading(folder):
        content = (folder / name).read_bytes()
    return (
        None
        if checksum(content) == entry["checksums"][table]
        else f"{folder / name} has changed since it was written"
    )


def read_part(folder: Path, entry: dict[str, Any], table: str) -> Columns:
    """Columns of one stored part; empty when it has no rows of that table."""
    import polars

    name = listed_file(entry, table)
    if name is None:
        return {}
    with reading(folder):
        frame = polars.read_parquet(folder / name)
        return {column: np.array(frame[column].to_numpy()) for column in frame.columns}


def damaged(folder: Path, fault: str) -> EnvironmentFault:
    """The error for a part that is not what was written."""
    return EnvironmentFault(fault, f"play the damaged parts again with: balance resume {shell_name(folder)}")


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Turn errors of the reader, met while a scan is collected, into one that says what to do.

    Raises
    ------
    EnvironmentFault
        A file is damaged inside, or went away.
    """
    import polars

    try:
        yield
    except (OSError, polars.exceptions.ComputeError) as error:
        first = (str(error).splitlines() or ["unreadable"])[0]
        raise damaged(folder, f"cannot read the rows in {folder}: {first}") from error
