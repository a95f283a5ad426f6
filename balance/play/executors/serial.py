"""One task after the other, in the calling thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class Serial:
    """The simplest executor: the reference for all others."""

    workers = 1

    def run(
        self, tasks: Iterable[Any], function: Callable[[Any], Any], on_done: Callable[[Any], None]
    ) -> None:
        """See :class:`balance.play.executors.Executor`."""
        for task in tasks:
            on_done(function(task))
