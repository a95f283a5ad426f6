"""Who does the work: one small protocol, so that threads, processes and hosts give the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol


class Executor(Protocol):
    """Runs tasks somewhere, in any order.

    Attributes
    ----------
    workers : int
        Tasks that may run at the same time.
    """

    workers: int

    def run(
        self, tasks: Iterable[Any], function: Callable[[Any], Any], on_done: Callable[[Any], None]
    ) -> None:
        """Call `function` on every task, and `on_done` on every result in the calling thread.

        Takes tasks from the iterable only as workers get free: an iterable that ends early stops the
        work after the tasks in hand. Holds a bounded number of results. The first exception of
        `function` or `on_done` is raised after the tasks in hand have ended.
        """


def local(workers: int) -> Executor:
    """The executor for so many workers on this machine."""
    from balance.play.executors.serial import Serial
    from balance.play.executors.threads import Threads

    return Serial() if workers == 1 else Threads(workers)
