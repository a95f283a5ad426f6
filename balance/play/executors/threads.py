"""A pool of threads on this machine: compiled kernels run without Python's global lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

WAITING_PER_WORKER = 2  # tasks in hand: one at work, one ready
SECONDS_DEAF = 0.5  # at most so long a signal may wait where waiting cannot be interrupted


class Threads:
    """Runs tasks on `workers` threads."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(
        self, tasks: Iterable[Any], function: Callable[[Any], Any], on_done: Callable[[Any], None]
    ) -> None:
        """See :class:`balance.play.executors.Executor`."""
        waiting: set[Future[Any]] = set()
        pool = ThreadPoolExecutor(self.workers, thread_name_prefix="balance")
        try:
            for task in tasks:
                waiting.add(pool.submit(function, task))
                while len(waiting) >= WAITING_PER_WORKER * self.workers:
                    waiting = _collect(waiting, on_done)
            while waiting:
                waiting = _collect(waiting, on_done)
        except KeyboardInterrupt:  # nobody waits for a game that may take hours
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        pool.shutdown()


def _collect(waiting: set[Future[Any]], on_done: Callable[[Any], None]) -> set[Future[Any]]:
    """Hand over what is done; returns what is not."""
    done, rest = wait(waiting, timeout=SECONDS_DEAF, return_when=FIRST_COMPLETED)
    for future in done:
        on_done(future.result())
    return rest
