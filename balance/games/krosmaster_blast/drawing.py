"""A Krosmaster: Blast position as text for the terminal: readable without colour, at most 80 columns."""

from __future__ import annotations

import textwrap
from typing import Any

from balance.games.krosmaster_blast.books import book_of
from balance.games.krosmaster_blast.enums import Ground, Phase, Stage, Termination, Tile
from balance.games.krosmaster_blast.layout import ROOM, TEAM
from balance.games.krosmaster_blast.texts import (
    SEATS,
    Piece,
    activation_text,
    cell_names,
    favor_fields,
    pending_text,
    pieces,
    seat_name,
)
from balance.games.krosmaster_blast.writing import challenges_of
from balance.games.position import Position
from balance.kernel.contract import NONE

COLUMNS = 80
MOST_FIGHTERS = 24  # lines of Fighters

# What each map character is called in pictures, and its style class there.
LEGEND = {
    ".": ("plain cell", "plain"),
    "T": ("tree", "pillar"),
    "B": ("bush", "wall"),
    "G": ("Glyph cell", "power"),
    "a": ("start cell of A", "zone"),
    "b": ("start cell of B", "zone"),
}
GROUND = {Ground.TREE: "#", Ground.BUSH: "%", Ground.PLAIN: "."}
TILES = {Tile.FIRE: "f", Tile.FOG: "~", Tile.ICE: "i"}


def draw(position: Position) -> str:
    """The board with coordinates, terrain and Fighters, and everything else there is to know."""
    state, tables = position.state, position.tables
    lines = [_title(position), _status(state), *_table(position)]
    codes = _codes(state)
    lines += ["", *_board(state, tables, codes), ""]
    shown = [_fighter(state, tables, code, piece) for piece, code in codes.items()]
    lines += shown[:MOST_FIGHTERS] + [f"and {len(shown) - MOST_FIGHTERS} more"] * (len(shown) > MOST_FIGHTERS)
    lines.append("cells: # tree, % bush, o Glyph cell (oA oB: whose), f fire, i ice, ~ fog")
    return "\n".join(line.rstrip()[:COLUMNS] for line in lines) + "\n"


def _title(position: Position) -> str:
    arena = position.arena.slug or "own field"
    count = len(position.ruleset.changed())
    changed = f", {count} changed number{'s' * (count > 1)}" if count else ""
    return f"Krosmaster: Blast on {arena}{changed}"


def _status(state: Any) -> str:
    phase = Phase(int(state["phase"]))
    if phase == Phase.OVER:
        end = Termination(int(state["termination"])).name.lower()
        return f"game over by {end}, winner {seat_name(int(state['winner']), 'nobody')}"
    turn = f"turn {int(state['turn'])}, " if phase >= Phase.FAVOR else ""
    return f"{turn}phase {phase.name.lower()}, {SEATS[int(state['to_move'])]} to decide"


def _table(position: Position) -> list[str]:
    """Dofus, favors, challenges and the active Fighter, one line each."""
    state, tables = position.state, position.tables
    fields = dict(favor_fields(state, tables))
    left, right = fields["favors"].split(",")
    lines = [
        f"Dofus: {seat_name(int(state['dofus']), 'nobody')}; Glyph cells: "
        f"A {int(state['glyphs'][0])}, B {int(state['glyphs'][1])}",
        f"favors: left {left}, right {right}; revealed {fields['revealed']}",
        *textwrap.wrap(f"unseen: {fields['unseen'].replace(',', ', ')}", COLUMNS, subsequent_indent="  "),
    ]
    if names := challenges_of(position):
        lines.append(f"challenges: {', '.join(names)}")
    if state["active"] != NONE:
        lines.append(f"active (AP, MP, memory, boosts, bonuses): {activation_text(state, tables)}")
    if state["pending"] != Tile.BARE:
        lines.append(f"tile to place (kind, how many, lifted): {pending_text(state)}")
    return lines


def _codes(state: Any) -> dict[Piece, str]:
    """A code for every Fighter: seat and number, a letter from the tenth on."""
    codes = {}
    for seat in range(2):
        for place, piece in enumerate(pieces(state, seat)):
            mark = str(place + 1) if place < 9 else chr(ord("a") + (place - 9) % 26)
            codes[piece] = SEATS[seat] + mark
    return codes


def _board(state: Any, tables: Any, codes: dict[Piece, str]) -> list[str]:
    width, height = int(tables["width"]), int(tables["height"])
    room = max(2, min(5, (COLUMNS - 6) // width))
    at = {piece.cell: code for piece, code in codes.items() if piece.cell != NONE}
    letters = "   " + "".join(chr(ord("a") + column).ljust(room) for column in range(width))
    lines = [letters]
    for row in range(height - 1, -1, -1):
        marks = [_cell(state, tables, column * height + row, at)[:room] for column in range(width)]
        lines.append(f"{row + 1:>2} " + "".join(mark.ljust(room) for mark in marks) + f" {row + 1}")
    return [*lines, letters]


def _cell(state: Any, tables: Any, cell: int, at: dict[int, str]) -> str:
    ground, tile, owner = int(tables["ground"][cell]), int(state["tile"][cell]), int(state["owner"][cell])
    if ground == Ground.GLYPH:
        under = "o" + seat_name(owner, "")
    else:
        under = TILES[Tile(tile)] if tile != Tile.BARE else GROUND[Ground(ground)]
    return under if cell not in at else at[cell] + ("" if under == "." else under)


def _fighter(state: Any, tables: Any, code: str, piece: Piece) -> str:
    """One Fighter with what is left of it."""
    name = book_of(tables).figures[piece.figure]
    hp = int(tables["figure"][piece.figure]["hp"])
    where = "-" if piece.cell == NONE else cell_names(int(tables["height"]))[piece.cell]
    kind = " minion" if piece.slot % ROOM >= TEAM else ""
    marks = "".join(
        f", {number:+d} {what}" for number, what in ((piece.ap, "AP"), (piece.mp, "MP")) if number
    )
    stage = Stage(piece.stage).name.lower()
    return f"{code} {name}{kind} {where}, {hp - piece.injuries} of {hp} HP{marks}, {stage}"
