"""Where a run may be written: never over another one, and never over files of somebody else."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from balance.errors import BalanceError, UsageError
from balance.kernel import cache
from balance.store import manifest as manifests
from balance.store.manifest import LOCK, MADE, NAME, OURS, Manifest
from balance.store.schema import TABLES
from balance.store.write import shell_name

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan

REPORTS = Path("reports")


def default_folder(plan: LoadedPlan) -> Path:
    """``reports/<name of the plan>``."""
    return REPORTS / plan.name


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[None]:
    """Make the folder of a new run and keep other processes out of it.

    Raises
    ------
    UsageError
        It cannot be made or written to, or another process is at work there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        raise UsageError(f"{folder} is a file, not a folder", "choose another with -o") from None
    except OSError as error:
        raise _unusable(folder, error) from None
    with manifests.locked(folder):
        yield


def occupant(folder: Path, plan: LoadedPlan, force: bool) -> Manifest | None:
    """The finished run of the same plan that the folder holds already; None when it is free.

    Parameters
    ----------
    folder : Path
        It exists.
    plan : LoadedPlan
    force : bool
        Whether an older run may be deleted.

    Raises
    ------
    UsageError
        The folder holds another run, an unfinished one, or other files.
    RunError
        It holds a manifest that cannot be read.
    """
    names = {path.name for path in folder.iterdir() if not _leftover(path)} - {LOCK}
    if NAME not in names and (names - OURS or (names and not force)):
        hint = (
            "choose another with -o"
            if names - OURS
            else "use --force to replace them, or choose another with -o"
        )
        raise UsageError(f"{folder} holds files but no run", hint)
    if force:
        clear(folder)
        return None
    return _same_or_refuse(folder, plan) if NAME in names else None


def _same_or_refuse(folder: Path, plan: LoadedPlan) -> Manifest:
    old = manifests.load(folder)
    replace = "use --force to replace it, or choose another folder with -o"
    if old.head["config_hash"] != plan.config_hash:
        raise UsageError(f"{folder} holds another run ({old.head.get('name', '?')})", replace)
    if old.digest is None:
        hint = f"go on with: balance resume {shell_name(folder)} (or {replace})"
        raise UsageError(f"{folder} holds this run, unfinished", hint)
    if old.head["kernel_hash"] != cache.source_hash():
        raise UsageError(f"{folder} holds this plan, played under another kernel", replace)
    return old


def holding(folder: Path, plan: LoadedPlan) -> str:
    """Whether a folder holds a ``finished`` or ``unfinished`` run of this very plan, or anything ``other``.

    An unfinished run of another kernel cannot be gone on with, and is as good as a finished one: both
    may be played again without losing what cannot be had back.
    """
    try:
        old = manifests.load(folder)
    except BalanceError:
        return "other"
    if old.head["config_hash"] != plan.config_hash:
        return "other"
    resumable = old.digest is None and old.head["kernel_hash"] == cache.source_hash()
    return "unfinished" if resumable else "finished"


def clear(folder: Path) -> None:
    """Delete what a run has put into a folder, and nothing else; the manifest goes first."""
    (folder / NAME).unlink(missing_ok=True)
    drop_reports(folder)
    for table in TABLES:
        for path in (folder / table).glob("c*-p*.parquet"):
            path.unlink(missing_ok=True)
    sweep(folder)
    for table in TABLES:
        with contextlib.suppress(OSError):
            (folder / table).rmdir()


def drop_reports(folder: Path) -> None:
    """Delete summary and report: they speak of other rows than there will be."""
    for name in MADE:
        (folder / name).unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Delete temporary files that a killed process has left."""
    for place in (folder, *(folder / table for table in TABLES)):
        if place.is_dir():
            for path in [path for path in place.iterdir() if _leftover(path)]:
                path.unlink(missing_ok=True)


def _leftover(path: Path) -> bool:
    return path.name.startswith(".") and path.name.endswith(".tmp")


def _unusable(folder: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write to {folder}: {error.strerror or error}", "choose another folder with -o")
