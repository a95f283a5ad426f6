"""A plan played into a folder: chunks to workers, parts to the disk, a digest at the end."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from balance.errors import BalanceError
from balance.play import folder as folders
from balance.play.cells import Cell, expand
from balance.play.chunk import Chunk, group, split
from balance.play.describe import head
from balance.play.executors import Executor
from balance.play.worker import Worker, real_kernel
from balance.store.digest import MODULUS, add_board, run_digest
from balance.store.manifest import Manifest
from balance.store.schema import Columns
from balance.store.write import EncodedPart, shell_name, store_part

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class Progress(Protocol):
    """Who is told how far a run has come."""

    def compiling(self, game: str) -> None:
        """Kernels of `game` are about to be compiled."""

    def start(self, games: int, done: int) -> None:
        """So many games in all, so many of them there already."""

    def advance(self, games: int) -> None:
        """So many more have been stored."""

    def note(self, text: str) -> None:
        """Something the user should know."""

    def finish(self) -> None:
        """Nothing more comes."""


class Silent:
    """Progress that nobody looks at."""

    def compiling(self, game: str) -> None:
        """See :class:`Progress`."""

    def start(self, games: int, done: int) -> None:
        """See :class:`Progress`."""

    def advance(self, games: int) -> None:
        """See :class:`Progress`."""

    def note(self, text: str) -> None:
        """See :class:`Progress`."""

    def finish(self) -> None:
        """See :class:`Progress`."""


class Interrupted(BalanceError):
    """A run was stopped by a signal; what it has finished is stored (exit code 128 + signal)."""

    def __init__(self, folder: Path, done: int, parts: int, number: int) -> None:
        super().__init__(
            f"interrupted after {done} of {parts} parts; they are kept",
            f"go on with: balance resume {shell_name(folder)}",
        )
        self.exit_code = 128 + number


@dataclass(frozen=True)
class RunResult:
    """What came of a run.

    Attributes
    ----------
    folder : Path
    games, pairs, cells, parts : int
    digest : str
    seconds : float
        Of playing, without compilation.
    played : bool
        False when the folder held the finished run already.
    """

    folder: Path
    games: int
    pairs: int
    cells: int
    parts: int
    digest: str
    seconds: float
    played: bool


def run(
    plan: LoadedPlan,
    folder: Path,
    executor: Executor,
    progress: Progress | None = None,
    *,
    kernel: Any = None,
    force: bool = False,
) -> RunResult:
    """Play a plan into a folder.

    The rows are a function of plan, seed and kernel: the executor changes nothing but the time.
    Summary and report are made from the folder afterwards, by whoever wants them.

    Parameters
    ----------
    plan : LoadedPlan
    folder : Path
        Made when it does not exist; must not hold another run.
    executor : Executor
    progress : Progress, optional
    kernel : optional
        ``agents.playout`` or a fake of it.
    force : bool
        Delete an older run in the folder first.

    Raises
    ------
    UsageError
        The folder cannot be used.
    EnvironmentFault
        The disk failed on the way; the run can be resumed.
    Interrupted
        A signal came; the run can be resumed.
    """
    progress = progress or Silent()
    cells = expand(plan)
    with folders.opened(folder):
        finished = folders.occupant(folder, plan, force)
        if finished is not None:
            return result(finished, cells, 0.0, played=False)
        kernel = loaded_kernel(plan, kernel, progress)
        manifest = Manifest(folder, head(plan, cells))
        manifest.write()
        return play(plan, cells, manifest, {}, executor, progress, kernel)


def loaded_kernel(plan: LoadedPlan, kernel: Any, progress: Progress) -> Any:
    """The kernel, ready to play the plan's game; a compilation is announced first."""
    kernel = kernel or real_kernel()
    if kernel.is_cold(plan.game):
        progress.compiling(plan.game.slug)
    kernel.load(plan.game)
    return kernel


def play(
    plan: LoadedPlan,
    cells: Sequence[Cell],
    manifest: Manifest,
    boards: dict[int, Columns],
    executor: Executor,
    progress: Progress,
    kernel: Any,
) -> RunResult:
    """Play every part that the manifest does not list, and close it with the digest.

    `boards` holds the board counts of the listed parts by cell, and grows.
    """
    started = time.monotonic()
    play_parts(plan, cells, manifest, boards, executor, progress, kernel)
    return closed(manifest, cells, boards, time.monotonic() - started)


def closed(
    manifest: Manifest, cells: Sequence[Cell], boards: dict[int, Columns], seconds: float
) -> RunResult:
    """Write the digest of a run whose parts have all been played."""
    manifest.digest = digest_of(manifest, boards)
    manifest.write()
    return result(manifest, cells, seconds, played=True)


def play_parts(
    plan: LoadedPlan,
    cells: Sequence[Cell],
    manifest: Manifest,
    boards: dict[int, Columns],
    executor: Executor,
    progress: Progress,
    kernel: Any,
) -> None:
    """Play every part of the cells that the manifest does not list; see :func:`play`.

    Raises
    ------
    Interrupted
        A signal came.
    """
    tasks = split(cells, plan.plan.part_pairs)
    stop = threading.Event()

    def keep(parts: list[EncodedPart]) -> None:
        for part in parts:
            manifest.add(store_part(manifest.folder, part))
            if part.board:
                add_board(boards, part.cell, part.board)
            progress.advance(part.games)

    progress.start(
        sum(cell.games for cell in cells), sum(entry["played"] for entry in manifest.parts.values())
    )
    chunks = until(stop, group(tasks, cells, executor.workers, skip=set(manifest.parts)))
    caught = _work(executor, chunks, Worker(plan, cells, kernel, stop), keep, manifest, progress)
    if len(manifest.parts) < len(tasks):
        raise Interrupted(manifest.folder, len(manifest.parts), len(tasks), caught or signal.SIGINT)


def _work(
    executor: Executor,
    chunks: Iterable[Chunk],
    worker: Worker,
    keep: Any,
    manifest: Manifest,
    progress: Progress,
) -> int:
    """Let the executor work; returns the number of the signal that ended it, 0 for none."""
    with stopping(worker.stop) as caught:
        try:
            executor.run(chunks, worker, keep)
        except KeyboardInterrupt:  # the second signal: do not wait for what is in hand
            worker.stop.set()
        finally:
            progress.finish()
            manifest.write()
    return caught[0] if caught else 0


def digest_of(manifest: Manifest, boards: dict[int, Columns]) -> str:
    """Digest of the listed parts and the board counts of their cells."""
    total = sum(int(entry["sum"], 16) for entry in manifest.parts.values()) % MODULUS
    return run_digest(total, boards)


def result(manifest: Manifest, cells: Sequence[Cell], seconds: float, played: bool) -> RunResult:
    """What a finished manifest says."""
    return RunResult(
        folder=manifest.folder,
        games=sum(entry["played"] for entry in manifest.parts.values()),
        pairs=sum(entry["pairs"] for entry in manifest.parts.values()),
        cells=len(cells),
        parts=len(manifest.parts),
        digest=manifest.digest or "",
        seconds=seconds,
        played=played,
    )


def until(stop: threading.Event, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The chunks up to the moment when `stop` is set."""
    for chunk in chunks:
        if stop.is_set():
            return
        yield chunk


@contextlib.contextmanager
def stopping(stop: threading.Event) -> Iterator[list[int]]:
    """Let signals set `stop` instead of killing us; yields the list of signals caught.

    A second signal raises KeyboardInterrupt. Signals that are ignored (``nohup``) stay so; outside the
    main thread nothing is changed.
    """
    caught: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        stop.set()
        if len(caught) > 1:
            raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []
    before = {number: signal.getsignal(number) for number in numbers}
    before = {number: old for number, old in before.items() if old not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, handle)
    try:
        yield caught
    finally:
        for number, old in before.items():
            signal.signal(number, old)
