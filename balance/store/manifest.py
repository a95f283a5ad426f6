"""``manifest.json``: what a run folder holds, and whether it is all there.

The head says what is played (plan, hashes, versions, cells) and never changes; the list of parts grows.
Parts are added in memory and written out every few seconds: a run of ten million games has thousands,
and a part that is on the disk but not yet listed is simply played again.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from balance.errors import EnvironmentFault, RunError, UsageError
from balance.store.digest import checksum
from balance.store.schema import TABLES
from balance.store.write import disk_faults, shell_name, write_atomic

FORMAT = 1
NAME = "manifest.json"
LOCK = ".lock"
HEAD_SUM = "head_checksum"
HEXADECIMAL = re.compile(r"[0-9a-f]{1,32}")
SECONDS_BETWEEN_WRITES = 2.0
#: Everything that a run puts into its folder.
MADE = ("summary.json", "summary.md", "ladder.json", "report.html")  # of the rows, and can be made again
OURS = frozenset({NAME, LOCK, "games", "heroes", "board", *MADE})
NEEDED = (
    "game",
    "plan",
    "config_hash",
    "kernel_hash",
    "seed",
    "cells",
    HEAD_SUM,
    "parts",
    "digest",
    "complete",
)
GROWING = (HEAD_SUM, "parts", "digest", "complete")  # all that is not the head
COUNTS = ("cell", "part", "first_pair", "pairs", "played")  # whole numbers of a part


class Manifest:
    """The manifest of one run folder, in memory.

    Parameters
    ----------
    folder : Path
    head : dict
        Everything but the parts, the digest and what is derived from them.
    """

    def __init__(self, folder: Path, head: dict[str, Any]) -> None:
        self.folder = folder
        self.head = head
        self.parts: dict[tuple[int, int], dict[str, Any]] = {}
        self.digest: str | None = None
        self.written = 0.0
        self.stored = False  # whether the folder holds it, so that the run can be resumed

    def add(self, entry: dict[str, Any]) -> None:
        """List a stored part; writes the file when the last writing is a while ago."""
        self.parts[entry["cell"], entry["part"]] = entry
        if time.monotonic() - self.written > SECONDS_BETWEEN_WRITES:
            self.write()

    def data(self) -> dict[str, Any]:
        """The whole content; parts in order of cell and part, so that it does not tell who played first."""
        parts = [self.parts[key] for key in sorted(self.parts)]
        rest = {"parts": parts, "digest": self.digest, "complete": self.digest is not None}
        return {**self.head, HEAD_SUM: head_checksum(self.head), **rest}

    def write(self) -> None:
        """Write the file at once, atomically.

        Raises
        ------
        EnvironmentFault
            The disk is full, read-only or gone.
        """
        hint = "" if self.stored else "nothing was played; mend it and run again"
        with disk_faults(self.folder, hint):
            write_atomic(self.folder / NAME, as_text(self.data()).encode())
        self.written, self.stored = time.monotonic(), True


def as_text(data: dict[str, Any]) -> str:
    """JSON with one line for every entry of a list of records: short to scroll, easy to compare."""
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value)
            lines.append(f"{json.dumps(key)}: [\n  {rows}\n ]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def load(folder: Path) -> Manifest:
    """Read the manifest of a run folder.

    Raises
    ------
    RunError
        No such folder, no manifest, broken JSON, another format, keys missing, an edited head.
    EnvironmentFault
        The file cannot be read.
    """
    data = _parse(folder, _read(folder))
    missing = [key for key in NEEDED if key not in data]
    if data.get("format") != FORMAT or missing:
        what = f"has no {missing[0]!r}" if missing else f"has format {data.get('format')!r}, not {FORMAT}"
        raise RunError(
            f"{folder / NAME} {what}", "it was written by another version of balance; run the plan again"
        )
    head = {key: value for key, value in data.items() if key not in GROWING}
    if head_checksum(head) != data[HEAD_SUM]:
        raise RunError(f"{folder / NAME} was changed: what is played does not fit its hash", again(folder))
    manifest = Manifest(folder, head)
    if not isinstance(data["parts"], list) or not all(map(sound_entry, data["parts"])):
        raise RunError(f"{folder / NAME}: the list of parts is damaged", again(folder))
    manifest.parts = {(entry["cell"], entry["part"]): entry for entry in data["parts"]}
    manifest.digest = data["digest"] if data["complete"] else None
    manifest.stored = True
    return manifest


def head_checksum(head: dict[str, Any]) -> str:
    """Checksum of the head as JSON, so that a manifest edited by hand is not believed."""
    as_read = json.loads(json.dumps(head))
    return checksum(json.dumps(as_read, sort_keys=True).encode())


def sound_entry(entry: Any) -> bool:
    """Whether an entry of the list of parts has all that a part must have, of the right types."""
    if not isinstance(entry, dict):
        return False
    counts = [entry.get(key) for key in COUNTS]
    checksums, sizes = entry.get("checksums"), entry.get("sizes")
    return (
        all(type(count) is int and count >= 0 for count in counts)
        and isinstance(checksums, dict)
        and isinstance(sizes, dict)
        and checksums.keys() == sizes.keys() <= set(TABLES)
        and isinstance(entry.get("sum"), str)
        and HEXADECIMAL.fullmatch(entry["sum"]) is not None
    )


def again(folder: Path) -> str:
    """What to do when a run folder is beyond repair."""
    return f"its rows cannot be trusted; play it again: balance run PLAN -o {shell_name(folder)} --force"


def _read(folder: Path) -> str:
    path = folder / NAME
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise _no_run(folder) from None
    except UnicodeDecodeError:
        raise RunError(f"{path} is no text in UTF-8", again(folder)) from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise RunError(f"{folder} cannot be a folder: its name is too long") from None
        raise EnvironmentFault(
            f"cannot read {path}: {error.strerror or error}", "check the disk and permissions"
        ) from error


def _no_run(folder: Path) -> RunError:
    if folder.is_dir():
        return RunError(f"{folder} holds no run: there is no {NAME}", "make one with: balance run PLAN")
    what = "is no folder" if folder.exists() else "does not exist"
    return RunError(f"{folder} {what}", "give the folder of a run, such as reports/demo")


def _parse(folder: Path, text: str) -> dict[str, Any]:
    path = folder / NAME
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise RunError(
            f"{path}:{error.lineno}:{error.colno}: broken JSON: {error.msg}", again(folder)
        ) from None
    except RecursionError:
        raise RunError(f"{path}: broken JSON: nested too deeply", again(folder)) from None
    if not isinstance(data, dict):
        raise RunError(f"{path} is no manifest", again(folder))
    return data


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of a run folder while this one writes to it; ends with the process.

    Raises
    ------
    UsageError
        Another process is at work there.
    EnvironmentFault
        The folder cannot be written to.
    """
    try:
        import fcntl
    except ImportError:  # no such lock on this system
        yield
        return
    with disk_faults(folder):
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(handle).st_ino != (folder / LOCK).stat().st_ino:
            raise BlockingIOError  # the last owner removed the file that we just locked
    except (BlockingIOError, FileNotFoundError):
        os.close(handle)
        raise UsageError(
            f"another balance is playing into {folder}", "wait for it, or choose another folder with -o"
        ) from None
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            (folder / LOCK).unlink()
        os.close(handle)
