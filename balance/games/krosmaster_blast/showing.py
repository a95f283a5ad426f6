"""What replays show of a Krosmaster: Blast position, and what dice and the favor deck did in a step."""

from __future__ import annotations

from typing import Any

from balance.games import piece
from balance.games.krosmaster_blast import texts
from balance.games.krosmaster_blast.books import book_of
from balance.games.krosmaster_blast.enums import Dodge, Event, Tile
from balance.kernel.contract import NONE

POINTS = "Glyph cells"


def pieces(state: Any, tables: Any) -> list[piece.Piece]:
    """Every Fighter with its cell and its health points left, seat by seat."""
    figures = book_of(tables).figures
    return [
        piece.Piece(seat, figures[one.figure], one.cell, "" if one.cell == NONE else _health(one, tables))
        for seat in range(len(texts.SEATS))
        for one in texts.pieces(state, seat)
    ]


def _health(one: texts.Piece, tables: Any) -> str:
    return str(int(tables["figure"][one.figure]["hp"]) - one.injuries)


def tiles(state: Any, tables: Any) -> list[piece.Tile]:
    """Glyph Tiles with the seat that controls the cell; fire, ice and fog."""
    owners, kinds = state["owner"].tolist(), state["tile"].tolist()
    glyphs = [piece.Tile(cell, owner, "") for cell, owner in enumerate(owners) if owner != NONE]
    special = [
        piece.Tile(cell, NONE, Tile(kind).name.lower())
        for cell, kind in enumerate(kinds)
        if kind != Tile.BARE
    ]
    return glyphs + special


def points(state: Any, tables: Any) -> tuple[int, ...]:
    """Glyph cells that each seat controls."""
    return tuple(state["glyphs"].tolist())


def chance(before: Any, action: int, after: Any, tables: Any) -> str:
    """The combat die, the dodge dice, or the favor that was revealed."""
    happened = after["event"][: int(after["events"])].tolist()
    said = (_said(what, amount, detail, tables) for what, _, _, amount, detail in happened)
    return ", ".join(text for text in said if text)


def _said(what: int, amount: int, detail: int, tables: Any) -> str:
    if what == Event.ROLLED:
        return f"combat die {amount:+d}" if amount else "combat die 0"
    if what == Event.DODGED:
        dice = "dodge" if amount == 1 else f"dodge with {amount} dice"
        return f"{dice}: {Dodge(detail).name.lower()}"
    if what == Event.REVEALED:
        return f"favor revealed: {book_of(tables).favors[amount]}"
    return ""
