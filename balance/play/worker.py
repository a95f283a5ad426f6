"""What a worker does with a chunk: play its parts and turn them into bytes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from balance.play.cells import FIXED, Cell
from balance.play.chunk import Chunk, Task
from balance.store.write import EncodedPart, encode

if TYPE_CHECKING:
    from balance.games.game import Game
    from balance.play.plan import LoadedPlan

RECORD = {"none": 0, "basic": 1, "full": 2}
FULL_EVERY = 20  # at `full`, one pair in so many has its possible turns counted


class Kernel(Protocol):
    """The playouts as this layer calls them: the module ``agents.playout``, or a fake in tests."""

    Part: Any
    play_part: Any

    def load(self, game: Game) -> None:
        """Compile the kernels of a game, or load them from the cache."""

    def is_cold(self, game: Game) -> bool:
        """Whether loading will have to compile."""


def real_kernel() -> Any:
    """The compiled playouts."""
    from balance.agents import playout

    return playout


class Worker:
    """Plays parts of one plan; the same object serves any number of threads.

    Parameters
    ----------
    plan : LoadedPlan
    cells : sequence of Cell
    kernel : Kernel
    stop : threading.Event, optional
        Once set, no further part is begun.
    """

    def __init__(
        self, plan: LoadedPlan, cells: Sequence[Cell], kernel: Any, stop: threading.Event | None = None
    ) -> None:
        self.plan = plan
        self.cells = cells
        self.kernel = kernel
        self.stop = stop or threading.Event()
        self.tables: dict[str, Any] = {}
        self.setups: dict[int, Any] = {}
        self.lock = threading.Lock()

    def __call__(self, chunk: Chunk) -> list[EncodedPart]:
        """The parts of a chunk as bytes; fewer than asked for when the work was stopped."""
        parts = []
        for task in chunk:
            if self.stop.is_set():
                break
            parts.append(self.encoded(task))
        return parts

    def encoded(self, task: Task) -> EncodedPart:
        """One part as bytes."""
        rows = self.rows(task)
        return encode(task.cell, task.part, task.first_pair, task.pairs, rows, self.plan.mode.seats)

    def rows(self, task: Task, **more: Any) -> Any:
        """One part as the kernel's rows; `more` are further fields of its ``Part``."""
        cell = self.cells[task.cell]
        part = self.kernel.Part(
            stream_key=cell.stream_key,
            first_pair=task.first_pair,
            pairs=task.pairs,
            record=RECORD[self.plan.plan.record],
            full_every=FULL_EVERY,
            agents=cell.agents,
            defaults=self.plan.ruleset.agents,
            **more,
        )
        tables, setup = self.records(cell)
        return self.kernel.play_part(self.plan.game, self.plan.mode, tables, setup, part)

    def records(self, cell: Cell) -> tuple[Any, Any]:
        """Tables of the cell's arena and the cell's set-up record; each made once."""
        make = self.plan.game.part("tables")
        mode, ruleset = self.plan.mode.name, self.plan.ruleset
        with self.lock:
            if cell.arena not in self.tables:
                self.tables[cell.arena] = make.compile_tables(ruleset, mode, cell.arena)
            if cell.number not in self.setups:
                rosters = cell.rosters if cell.draft == FIXED else None
                self.setups[cell.number] = make.make_setup(ruleset, mode, cell.draft, rosters)
        return self.tables[cell.arena], self.setups[cell.number]
