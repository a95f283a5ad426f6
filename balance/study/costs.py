"""What an agent costs: processor time of its decisions, measured by letting it play against itself.

Time is no property of a run: it stands beside the rows, never in them, and in no digest.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from balance.config.agents import AgentSpec, parse_agent
from balance.play.cells import Cell, expand
from balance.play.chunk import Task
from balance.play.plan import LoadedPlan
from balance.play.run import Silent, loaded_kernel
from balance.play.worker import Worker

ENOUGH_SECONDS = 0.3  # of one agent: noise of the clock is then under a per cent
MOST_PAIRS = 256
LEAST_SECONDS = 1e-9


@dataclass(frozen=True)
class Cost:
    """What one agent costs when it plays all seats.

    Attributes
    ----------
    agent : str
    games, decisions : int
        Measured; a decision is one ply.
    seconds : float
        Processor time of this thread.
    """

    agent: str
    games: int
    decisions: int
    seconds: float

    @property
    def per_game(self) -> float:
        """Processor seconds a game."""
        return self.seconds / max(self.games, 1)

    @property
    def per_decision(self) -> float:
        """Processor seconds a decision."""
        return self.seconds / max(self.decisions, 1)


def measure(plan: LoadedPlan, kernel: Any = None, enough: float = ENOUGH_SECONDS) -> tuple[Cost, ...]:
    """Cost of every agent of a ladder, on its first arena and teams.

    Plays one pair an agent, and more until `enough` seconds of it have been seen: an agent of four seconds a
    game takes eight. Nothing is stored.
    """
    kernel = loaded_kernel(plan, kernel, Silent())
    first = expand(plan)[0]
    agents = [parse_agent(label) for label in plan.ladder]
    cells = [_alone(first, number, agent, plan.mode.seats) for number, agent in enumerate(agents)]
    worker = Worker(plan, cells, kernel)
    worker.rows(Task(0, 0, 0, 1))  # the first call after loading is slower
    return tuple(_measured(worker, cell, enough) for cell in cells)


def _alone(cell: Cell, number: int, agent: AgentSpec, seats: int) -> Cell:
    """A cell with one agent on all seats."""
    return replace(cell, number=number, agents=(agent,) * seats)


def _measured(worker: Worker, cell: Cell, enough: float) -> Cost:
    games, plies, seconds, first, pairs = 0, 0, 0.0, 0, 1
    while True:
        started = time.thread_time()
        results = worker.rows(Task(cell.number, 0, first, pairs)).results
        seconds += time.thread_time() - started
        games, plies = games + len(results), plies + int(np.sum(results["plies"]))
        first += pairs
        if seconds >= enough or first >= MOST_PAIRS:
            return Cost(cell.agents[0].label, games, plies, max(seconds, LEAST_SECONDS))
        pairs = min(first, MOST_PAIRS - first)
