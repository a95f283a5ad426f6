"""Going on with a run: keep the parts that are whole, play the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance.errors import RunError, VerifyMismatch
from balance.kernel import cache
from balance.play import folder as folders
from balance.play.cells import Cell, expand
from balance.play.chunk import split
from balance.play.executors import Executor
from balance.play.run import Progress, RunResult, Silent, loaded_kernel, play, result
from balance.store import manifest as manifests
from balance.store.digest import add_board
from balance.store.manifest import Manifest
from balance.store.read import full_fault, read_part
from balance.store.schema import TABLES, Columns
from balance.store.write import shell_name

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan

Restore = Callable[[dict[str, Any]], "LoadedPlan"]


def resume(
    folder: Path,
    executor: Executor,
    progress: Progress | None = None,
    *,
    kernel: Any = None,
    restore: Restore | None = None,
) -> RunResult:
    """Finish a run that was interrupted or has been damaged.

    Parameters
    ----------
    folder : Path
    executor : Executor
    progress : Progress, optional
    kernel, restore : optional
        Fakes for ``agents.playout`` and ``LoadedPlan.from_resolved``.

    Raises
    ------
    RunError
        No run there, or one of another kernel.
    VerifyMismatch
        Damaged parts of a finished run were played again, and gave other rows.
    """
    progress = progress or Silent()
    manifests.load(folder)  # before the lock: what is no run gets no file of ours
    with manifests.locked(folder):
        return _resume(manifests.load(folder), executor, progress, kernel, restore)


def _resume(
    manifest: Manifest, executor: Executor, progress: Progress, kernel: Any, restore: Restore | None
) -> RunResult:
    plan, cells = restored(manifest, restore)
    refuse_other_kernel(manifest)
    folders.sweep(manifest.folder)
    digest, listed = manifest.digest, len(manifest.parts)
    drop_damaged(manifest, plan, cells, progress)
    if digest is not None and len(manifest.parts) == listed:
        return result(manifest, cells, 0.0, played=False)
    if digest is None:
        folders.drop_reports(manifest.folder)
    manifest.digest = None
    kernel = loaded_kernel(plan, kernel, progress)
    outcome = play(plan, cells, manifest, stored_boards(manifest), executor, progress, kernel)
    if digest not in (None, outcome.digest):
        raise VerifyMismatch(
            f"{manifest.folder}: the damaged parts, played again, give other rows than before "
            f"(digest {outcome.digest}, was {digest})",
            f"find the game with: balance verify {shell_name(manifest.folder)} --all",
        )
    return outcome


def restored(manifest: Manifest, restore: Restore | None = None) -> tuple[LoadedPlan, tuple[Cell, ...]]:
    """Plan and cells of a run, from its manifest alone.

    Raises
    ------
    RunError
        The plan in the manifest is not the one that was played.
    """
    if restore is None:
        from balance.play.plan import LoadedPlan

        restore = LoadedPlan.from_resolved
    plan = restore(manifest.head["plan"])
    if plan.config_hash != manifest.head["config_hash"]:
        where = manifest.folder / manifests.NAME
        raise RunError(f"{where}: the plan does not fit its hash", manifests.again(manifest.folder))
    return plan, planned(expand(plan), manifest.head["cells"])


def planned(cells: Sequence[Cell], facts: Sequence[Mapping[str, Any]]) -> tuple[Cell, ...]:
    """Cells with the pairs that a manifest plans for them: runs that end by themselves grow theirs."""
    return tuple(replace(cell, pairs=fact["pairs"]) for cell, fact in zip(cells, facts, strict=True))


def refuse_other_kernel(manifest: Manifest) -> None:
    """Rows of two kernels must not stand in one run.

    Raises
    ------
    RunError
        The rules' code, the libraries or the processor are not those of the run.
    """
    was, now = manifest.head["kernel_hash"], cache.source_hash()
    if was != now:
        name = shell_name(manifest.folder)
        raise RunError(
            f"{manifest.folder} was begun under another kernel ({was}, now {now}): rules code, Python, "
            "NumPy, Numba or processor differ, and rows of two kernels must not be mixed",
            f"play it again with: balance run PLAN -o {name} --force, or return to what it was begun with",
        )


def drop_damaged(manifest: Manifest, plan: LoadedPlan, cells: Sequence[Cell], progress: Progress) -> None:
    """Take parts off the list that are missing, damaged or not of this plan, and say so."""
    foreign = foreign_parts(manifest, plan, cells)
    for key, entry in sorted(manifest.parts.items()):
        faults = [full_fault(manifest.folder, entry, table) for table in TABLES]
        fault = next((text for text in faults if text), None)
        if fault or key in foreign:
            progress.note(
                f"{fault or 'a part is not of this plan'}: part {key[1]} of cell {key[0]} is played again"
            )
            del manifest.parts[key]


def foreign_parts(manifest: Manifest, plan: LoadedPlan, cells: Sequence[Cell]) -> set[tuple[int, int]]:
    """Listed parts that the plan does not have, or has with other pairs."""
    wanted = {
        (task.cell, task.part): (task.first_pair, task.pairs) for task in split(cells, plan.plan.part_pairs)
    }
    return {
        key
        for key, entry in manifest.parts.items()
        if wanted.get(key) != (entry["first_pair"], entry["pairs"])
    }


def stored_boards(manifest: Manifest) -> dict[int, Columns]:
    """Board counts of the listed parts, added up by cell."""
    boards: dict[int, Columns] = {}
    for (cell, _), entry in sorted(manifest.parts.items()):
        columns = read_part(manifest.folder, entry, "board")
        if columns:
            add_board(boards, cell, columns)
    return boards
