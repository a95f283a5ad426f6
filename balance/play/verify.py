"""Is a run what its plan says? Parts played again and compared row by row with what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from balance.errors import EnvironmentFault
from balance.kernel import cache
from balance.play.cells import Cell
from balance.play.chunk import Task
from balance.play.executors import Executor
from balance.play.resume import Restore, foreign_parts, restored, stored_boards
from balance.play.run import Progress, Silent, digest_of, loaded_kernel
from balance.play.worker import Worker
from balance.store import manifest as manifests
from balance.store.digest import as_words, rows_sum
from balance.store.manifest import Manifest
from balance.store.read import damaged, full_fault, quick_fault, read_part
from balance.store.schema import TABLES, Columns
from balance.store.write import part_columns

SAMPLE = 4  # parts played again by default: seconds, whatever the run's length
SHOWN = 3  # differences named per part and table
KEYS = {
    "games": ("cell", "pair", "seating"),
    "heroes": ("cell", "pair", "seating", "seat", "hero"),
    "board": ("cell", "node"),
}


@dataclass(frozen=True)
class Verification:
    """What a comparison found.

    Attributes
    ----------
    folder : Path
    parts, listed : int
        Parts played again, parts of the run.
    games : int
        Games played again.
    digest : str or None
        As stored; None while the run is unfinished.
    differences : tuple of str
        Each names a game or a node, and a column; empty when all is well.
    other_kernel : bool
        The run was played under another kernel than the present one.
    """

    folder: Path
    parts: int
    listed: int
    games: int
    digest: str | None
    differences: tuple[str, ...]
    other_kernel: bool


def verify(
    folder: Path,
    executor: Executor,
    progress: Progress | None = None,
    *,
    parts: int | None = SAMPLE,
    kernel: Any = None,
    restore: Restore | None = None,
) -> Verification:
    """Check every file's checksum and the digest, and play a sample of parts again.

    Parameters
    ----------
    folder : Path
    executor : Executor
    progress : Progress, optional
    parts : int, optional
        How many, evenly spread over the run; None for all. Files that have changed come on top.
    kernel, restore : optional
        Fakes for ``agents.playout`` and ``LoadedPlan.from_resolved``.

    Raises
    ------
    RunError, EnvironmentFault
        The run cannot be read; a part is missing or truncated.
    """
    progress = progress or Silent()
    manifest = manifests.load(folder)
    plan, cells = restored(manifest, restore)
    if foreign := sorted(foreign_parts(manifest, plan, cells)):
        cell, part = foreign[0]
        raise damaged(folder, f"{folder}: part {part} of cell {cell} is not of this plan")
    changed = changed_parts(manifest)
    chosen = sorted({*sample(list(manifest.parts), parts), *changed})
    kernel = loaded_kernel(plan, kernel, progress)
    found: dict[tuple[int, int], list[str]] = {}
    worker = Worker(plan, cells, kernel)

    def check(key: tuple[int, int]) -> tuple[tuple[int, int], list[str]]:
        return key, part_differences(worker, manifest, manifest.parts[key])

    def keep(outcome: tuple[tuple[int, int], list[str]]) -> None:
        key, differences = outcome
        found[key] = differences or changed.get(key, [])
        progress.advance(manifest.parts[key]["played"])

    games = sum(manifest.parts[key]["played"] for key in chosen)
    progress.start(games, 0)
    try:
        executor.run(chosen, check, keep)
    finally:
        progress.finish()
    differences = [text for key in chosen for text in found[key]] + digest_differences(manifest)
    other = manifest.head["kernel_hash"] != cache.source_hash()
    return Verification(
        folder, len(chosen), len(manifest.parts), games, manifest.digest, tuple(differences), other
    )


def sample(keys: Sequence[tuple[int, int]], parts: int | None) -> list[tuple[int, int]]:
    """`parts` of the keys, evenly spread in order of cell and part; all of them for None."""
    keys = sorted(keys)
    if parts is None or parts >= len(keys):
        return keys
    return [keys[index * len(keys) // parts + len(keys) // (2 * parts)] for index in range(parts)]


def changed_parts(manifest: Manifest) -> dict[tuple[int, int], list[str]]:
    """Parts with a file that is not what was written, though it can be read.

    Raises
    ------
    EnvironmentFault
        One cannot be read: there is nothing to compare.
    """
    changed: dict[tuple[int, int], list[str]] = {}
    for key, entry in sorted(manifest.parts.items()):
        for table in TABLES:
            fault = full_fault(manifest.folder, entry, table)
            if fault is None:
                continue
            if "missing" in fault or "no Parquet" in fault:
                raise damaged(manifest.folder, fault)
            try:
                read_part(manifest.folder, entry, table)
            except EnvironmentFault:
                raise damaged(manifest.folder, quick_fault(manifest.folder, entry, table) or fault) from None
            changed.setdefault(key, []).append(fault)
    return changed


def part_differences(worker: Worker, manifest: Manifest, entry: dict[str, Any]) -> list[str]:
    """What a part's stored rows say otherwise than the same part played again."""
    task = Task(entry["cell"], entry["part"], entry["first_pair"], entry["pairs"])
    fresh = part_columns(task.cell, worker.rows(task), worker.plan.mode.seats)
    names = Names(manifest, worker.cells[task.cell])
    found: list[str] = []
    for table in TABLES:
        stored = read_part(manifest.folder, entry, table)
        found += table_differences(table, stored, fresh.get(table, {}), names)
    total = sum(rows_sum(table, fresh[table]) for table in ("games", "heroes"))
    if not found and f"{total % (1 << 128):032x}" != entry["sum"]:
        found.append(f"part {task.part} of cell {task.cell}: the rows fit, but not the sum in the manifest")
    return found


def table_differences(table: str, stored: Columns, fresh: Columns, names: Names) -> list[str]:
    """The first few differences of one table of one part, in words."""
    if _length(stored) != _length(fresh):
        return [
            f"{table} of cell {names.cell.number}: {_length(stored)} rows stored, {_length(fresh)} played"
        ]
    if not _length(fresh):
        return []
    if list(stored) != list(fresh):
        other = sorted(set(stored) ^ set(fresh)) or ["order"]
        return [f"{table} of cell {names.cell.number}: columns differ ({', '.join(other)})"]
    found = []
    for column, values in fresh.items():
        for row in np.flatnonzero(as_words(stored[column]) != as_words(values))[:SHOWN]:
            keys = {key: int(fresh[key][row]) for key in KEYS[table]}
            was, now = stored[column][row], values[row]
            text = f"{names.of(table, keys)}: {column} is {was} in the run, {now} when played again"
            found.append((int(row), text))
    return [text for _, text in sorted(found)[:SHOWN]]


@dataclass(frozen=True)
class Names:
    """How rows are called in messages."""

    manifest: Manifest
    cell: Cell

    def of(self, table: str, keys: dict[str, int]) -> str:
        """``c3-p120-s1``, with the hero or the node where the table has one."""
        if table == "board":
            nodes = self.manifest.head["cells"][keys["cell"]]["nodes"]
            return (
                f"c{keys['cell']} node {nodes[keys['node']] if keys['node'] < len(nodes) else keys['node']}"
            )
        game = game_id(keys["cell"], keys["pair"], keys["seating"])
        if table == "games":
            return game
        heroes = self.manifest.head["heroes"]
        hero = heroes[keys["hero"]] if 0 <= keys["hero"] < len(heroes) else keys["hero"]
        return f"{game} {hero} of seat {'ABCD'[keys['seat']]}"


def game_id(cell: int, pair: int, seating: int) -> str:
    """A stored game's name in commands: ``c3-p120-s1``."""
    return f"c{cell}-p{pair}-s{seating}"


def digest_differences(manifest: Manifest) -> list[str]:
    """Whether the parts' sums and the stored board counts add up to the digest."""
    if manifest.digest is None:
        return []
    found = digest_of(manifest, stored_boards(manifest))
    return (
        []
        if found == manifest.digest
        else [f"digest is {manifest.digest} in the run, its parts give {found}"]
    )


def _length(columns: Columns) -> int:
    return len(next(iter(columns.values()))) if columns else 0
