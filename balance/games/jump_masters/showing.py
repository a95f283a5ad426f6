"""What replays show of a Jump Masters position."""

from __future__ import annotations

from typing import Any

from balance.games import piece
from balance.games.jump_masters import texts
from balance.kernel.contract import NONE

POINTS = "VP"


def pieces(state: Any, tables: Any) -> list[piece.Piece]:
    """Every hero with its node and energy, seat by seat."""
    return [
        piece.Piece(seat, hero.name, hero.node, "" if hero.node == NONE else str(hero.energy))
        for seat in range(int(tables["seats"]))
        for hero in texts.pieces(state, seat)
    ]


def points(state: Any, tables: Any) -> tuple[int, ...]:
    """Victory points of each side."""
    return tuple(state["vp"].tolist()[: int(tables["sides"])])
