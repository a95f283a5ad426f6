"""States of Jump Masters built field by field in plain Python, as documents and tests need them.

The kernels never call this; they keep the same fields in step themselves (comments in ``layout.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.games.jump_masters.layout import CORNERS, HERO_NAMES, STATE, TEAM, Draft, Mode
from balance.kernel.contract import NONE
from balance.kernel.jit import new_record


def blank_state(tables: Any) -> Any:
    """A state with an empty board, no heroes and nobody to move, before turn 1."""
    state = new_record(STATE)
    state["seats"] = tables["seats"]
    for name in ("to_move", "active", "acting", "winner"):
        state[name] = NONE
    for name in ("zone", "holder", "at"):
        state[name][:] = NONE
    state["order"][:] = NONE
    state["order"][: int(tables["seats"])] = range(int(tables["seats"]))
    state["hero"]["kind"] = NONE
    state["hero"]["node"] = NONE
    return state


def hero_kind(name: str) -> int | None:
    """The hero of ``NAME`` or ``NAME.2``; None for anything else."""
    plain = name[:-2] if name.endswith(".2") else name
    return HERO_NAMES.index(plain) if plain in HERO_NAMES else None


def put_hero(
    state: Any,
    tables: Any,
    slot: int,
    name: str,
    node: int = NONE,
    energy: int = 0,
    fresh: bool = False,
    jumped: bool = False,
) -> None:
    """Fill the next hero slot of a seat, and the board under it."""
    state["hero"][slot] = (hero_kind(name), name.endswith(".2"), node, energy, fresh, jumped)
    state["count"][slot // TEAM] += 1
    if node != NONE:
        state["at"][node] = slot
        state["occupied"] |= tables["bit"][node]


def set_zones(state: Any, tables: Any, corners: Sequence[int]) -> None:
    """Give seats their corners (NONE where not chosen yet) and, once complete, the turn order."""
    for seat, corner in enumerate(corners):
        state["zone"][seat] = corner
        if corner != NONE:
            state["holder"][corner] = seat
    everyone_for_himself = int(tables["mode"]) in (Mode.FFA3, Mode.FFA4)
    if everyone_for_himself and tables["corner_order"] and NONE not in corners:
        # JM67: clockwise from A's corner.
        order = sorted(range(len(corners)), key=lambda seat: (corners[seat] - corners[0]) % CORNERS)
        state["order"][: len(order)] = order


def seats_from(state: Any, tables: Any, seat: int) -> list[int]:
    """All seats in turn order, beginning with `seat`."""
    order = state["order"].tolist()[: int(tables["seats"])]
    at = order.index(seat)
    return order[at:] + order[:at]


def next_off_board(state: Any, seat: int) -> int:
    """Slot of a seat's first hero off the board in name order, NONE when all stand."""
    for slot in range(seat * TEAM, seat * TEAM + int(state["count"][seat])):
        if state["hero"][slot]["node"] == NONE:
            return slot
    return NONE


def draft_order(tables: Any, draft: Draft) -> list[int]:
    """Seats in the order of all their picks (JM2; every second round of a snake runs backwards)."""
    seats = list(range(int(tables["seats"])))
    order: list[int] = []
    for lap in range(int(tables["team_size"])):
        order += reversed(seats) if draft == Draft.SNAKE and lap % 2 else seats
    return order
