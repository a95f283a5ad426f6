"""The design of a run as statistics need it: seats, sides, seatings, heroes, levels and cells."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cell:
    """One match configuration of a run.

    Attributes
    ----------
    number : int
        As in the tables' column ``cell``.
    level : int
        Index into :attr:`Design.levels`.
    arena : str
    teams : tuple of str
        Name of each player's team; empty when the rosters were drafted.
    agents : tuple of str
        Label of each player's agent.
    """

    number: int
    level: int
    arena: str
    teams: tuple[str, ...]
    agents: tuple[str, ...]


@dataclass(frozen=True)
class Design:
    """What was planned.

    Attributes
    ----------
    seats, sides : int
    side_of_seat : tuple of int
    seatings : tuple of tuple of int
        ``seatings[s][p]`` is the seat of player p in seating s.
    heroes, levels, terminations : tuple of str
    cells : tuple of Cell
    """

    seats: int
    sides: int
    side_of_seat: tuple[int, ...]
    seatings: tuple[tuple[int, ...], ...]
    heroes: tuple[str, ...]
    levels: tuple[str, ...]
    terminations: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def arenas(self) -> tuple[str, ...]:
        """Arenas in the order of the plan."""
        return tuple(dict.fromkeys(cell.arena for cell in self.cells))

    @property
    def unit(self) -> str:
        """What the sampling unit is called."""
        return "pairs" if len(self.seatings) == 2 else "rotations"

    def seats_of_side(self, side: int) -> tuple[int, ...]:
        """The seats that score for one side."""
        return tuple(seat for seat in range(self.seats) if self.side_of_seat[seat] == side)

    def team_of_side(self, cell: Cell, side: int) -> str:
        """Name of what one side of a setup plays: its team, or its team-mates' teams joined by ``+``."""
        return " + ".join(sorted(cell.teams[player] for player in self.seats_of_side(side)))


def level_label(level: Any) -> str:
    """Words for one skill level: a label, or ``A greedy, B random`` when the players differ."""
    if isinstance(level, str):
        return level
    if isinstance(level, Mapping):
        return ", ".join(f"{seat} {agent}" for seat, agent in level.items())
    if isinstance(level, Sequence):
        labels = [str(agent) for agent in level]
        named = ", ".join(f"{seat} {agent}" for seat, agent in zip("ABCD", labels, strict=False))
        return labels[0] if len(set(labels)) == 1 else named
    return json.dumps(level)


def read_design(manifest: Mapping[str, Any]) -> Design:
    """The design written in a run's manifest."""
    mode = manifest["mode"]
    cells = tuple(
        Cell(
            int(cell["cell"]),
            int(cell["level"]),
            str(cell["arena"]),
            tuple(cell.get("teams") or ()),
            tuple(str(agent) for agent in cell.get("agents") or ()),
        )
        for cell in manifest["cells"]
    )
    return Design(
        int(mode["seats"]),
        max(mode["side_of_seat"]) + 1,
        tuple(mode["side_of_seat"]),
        tuple(tuple(seating) for seating in mode["seatings"]),
        tuple(manifest.get("heroes") or ()),
        tuple(level_label(level) for level in manifest["levels"]),
        tuple(manifest["terminations"]),
        cells,
    )
