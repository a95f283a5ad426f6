"""A run's rows summed batch by batch on several threads, always to the same bits.

Every batch is summed on its own and the sums are added in the order of the manifest, so that neither the
number of threads nor their luck changes a digit.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from balance.stats.batch import groups_of_parts, read_batch
from balance.stats.design import Design
from balance.stats.sums import Columns, Sums, add_batch, empty

if TYPE_CHECKING:
    from balance.store.read import Run

MOST_THREADS = 4  # each holds the rows of one batch


def collect_run(
    run: Run, design: Design, columns: Columns, hero_columns: Sequence[str], threads: int | None = None
) -> Sums:
    """Sum all rows of a run.

    Parameters
    ----------
    run : Run
    design : Design
    columns : Columns
    hero_columns : sequence of str
        Columns read from the heroes table beside its keys.
    threads : int, optional
        As many as there are cores, at most ``MOST_THREADS``, when left out; changes no digit.

    Raises
    ------
    EnvironmentFault
        A part is damaged.
    """
    result = empty(design, columns)

    def summed(group: tuple[int, list[dict[str, Any]]]) -> Sums:
        batch, sums = read_batch(run, design, hero_columns, *group), empty(design, columns)
        if batch is not None:
            add_batch(sums, batch)
        return sums

    with ThreadPoolExecutor(threads or usable_threads(), thread_name_prefix="balance-stats") as pool:
        for sums in in_order(pool, summed, groups_of_parts(run.manifest)):
            result.merge(sums)
    return result


def usable_threads() -> int:
    """Threads that a scan takes: as many as there are cores, at most ``MOST_THREADS``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_THREADS, cores)


def in_order(pool: ThreadPoolExecutor, function: Any, tasks: Iterator[Any]) -> Iterator[Any]:
    """Results in the order of the tasks, with few of them waiting."""
    waiting: deque[Future[Any]] = deque()
    try:
        for task in tasks:
            waiting.append(pool.submit(function, task))
            if len(waiting) > pool._max_workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
