"""States of Krosmaster: Blast built in plain Python, as documents need them."""

from __future__ import annotations

from typing import Any

from balance.games.krosmaster_blast.enums import Stage
from balance.games.krosmaster_blast.layout import PLAYERS, ROOM, STATE, TEAM
from balance.games.reading import Path, fault
from balance.kernel.contract import NONE
from balance.kernel.jit import new_record


def blank_state(tables: Any) -> Any:
    """A state with an empty board, before anything is decided."""
    state = new_record(STATE)
    state["seats"] = PLAYERS
    for name in ("winner", "revealed", "active"):
        state[name] = NONE
    for name in ("challenge", "favor", "last", "at", "owner"):
        state[name][:] = NONE
    state["dofus"] = tables["dofus_start"]
    state["unseen"] = tables["pool"]
    state["fighter"]["figure"] = NONE
    state["fighter"]["cell"] = NONE
    return state


def cell_number(name: Any, tables: Any, path: Path) -> int:
    """The number of a cell; DocumentError when there is none of that name."""
    width, height = int(tables["width"]), int(tables["height"])
    text = name if isinstance(name, str) else ""
    column, row = ord(text[:1] or " ") - ord("a"), text[1:]
    if not (0 <= column < width and row.isascii() and row.isdigit() and row[0] != "0" and int(row) <= height):
        raise fault(path, f"there is no cell {name!r} on a board of {width} x {height}")
    return column * height + int(row) - 1


def put_fighter(
    state: Any,
    slot: int,
    figure: int,
    cell: int = NONE,
    injuries: int = 0,
    ap: int = 0,
    mp: int = 0,
    stage: int = Stage.READY,
) -> None:
    """Fill a slot, and the board under it."""
    seat = slot // ROOM
    state["fighter"][slot] = (figure, cell, injuries, ap, mp, stage)
    state["top"][seat] = max(int(state["top"][seat]), slot % ROOM + 1)
    state["count"][seat] += int(slot % ROOM < TEAM)
    if cell != NONE:
        state["at"][cell] = slot


def draft_order(tables: Any) -> list[int]:
    """Seats in the order of all picks (KB73)."""
    order: list[int] = []
    for lap in range(int(tables["team_size"])):
        order += [1, 0] if lap % 2 and not tables["alternate"] else [0, 1]
    return order
