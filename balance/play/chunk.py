"""Cells cut into parts, parts grouped into chunks: whole numbers only, so that any worker can do them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from balance.config.agents import SEARCHERS
from balance.play.cells import Cell

# Pairs a part by the kind of the slowest agent. A table and not a clock: parts are files, and the same
# plan must give the same files everywhere.
PART_PAIRS = {"random": 1000, "greedy": 100}
PART_PAIRS_OTHERS = 20
PART_SIMULATIONS = 640  # of an agent that searches: its simulations a decision times the pairs of a part
# Rough seconds a game, only to make chunks of about a second; rows do not depend on it.
GAME_SECONDS = {"random": 1e-4, "greedy": 5e-3}
GAME_SECONDS_OTHERS = 5e-2
SIMULATION_SECONDS = 2e-3  # by which a game is longer for every simulation a decision
CHUNK_SECONDS = 1.0
CHUNKS_PER_WORKER = 4  # at least, when there are enough parts: nobody waits long for the last one


@dataclass(frozen=True)
class Task:
    """One part of one cell: the pairs ``first_pair`` to ``first_pair + pairs - 1``."""

    cell: int
    part: int
    first_pair: int
    pairs: int


Chunk = tuple[Task, ...]


def part_pairs(agents: Sequence[Any], wanted: int | None) -> int:
    """Pairs a part: as the plan wants, else by the slowest agent."""
    return wanted or min(_pairs_of(agent) for agent in agents)


def _pairs_of(agent: Any) -> int:
    if agent.kind in SEARCHERS:
        return max(1, min(PART_PAIRS_OTHERS, PART_SIMULATIONS // int(agent.number)))
    return PART_PAIRS.get(agent.kind, PART_PAIRS_OTHERS)


def game_seconds(agents: Sequence[Any]) -> float:
    """Rough seconds of a game of these agents, by the slowest."""
    return max(_seconds_of(agent) for agent in agents)


def _seconds_of(agent: Any) -> float:
    if agent.kind in SEARCHERS:
        return SIMULATION_SECONDS * float(agent.number)
    return GAME_SECONDS.get(agent.kind, GAME_SECONDS_OTHERS)


def split(cells: Sequence[Cell], wanted: int | None) -> tuple[Task, ...]:
    """All parts of all cells in order."""
    tasks = []
    for cell in cells:
        size = part_pairs(cell.agents, wanted)
        for part, first in enumerate(range(0, cell.pairs, size)):
            tasks.append(Task(cell.number, part, first, min(size, cell.pairs - first)))
    return tuple(tasks)


def group(
    tasks: Sequence[Task], cells: Sequence[Cell], workers: int, skip: Collection[tuple[int, int]] = ()
) -> Iterator[Chunk]:
    """Chunks of about a second, of neighbouring parts of one cell.

    Parameters
    ----------
    tasks : sequence of Task
    cells : sequence of Cell
        By number.
    workers : int
    skip : collection of (cell, part)
        Parts that are there already.
    """
    left = [task for task in tasks if (task.cell, task.part) not in skip]
    most = max(1, len(left) // (CHUNKS_PER_WORKER * workers))
    chunk: list[Task] = []
    for task in left:
        if chunk and (
            task.cell != chunk[0].cell or len(chunk) >= min(most, _parts_a_second(chunk[0], cells))
        ):
            yield tuple(chunk)
            chunk = []
        chunk.append(task)
    if chunk:
        yield tuple(chunk)


def _parts_a_second(task: Task, cells: Sequence[Cell]) -> int:
    cell = cells[task.cell]
    return max(1, math.ceil(CHUNK_SECONDS / (game_seconds(cell.agents) * task.pairs * len(cell.seatings))))
