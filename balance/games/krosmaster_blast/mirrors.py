"""A position of Krosmaster: Blast seen from the other side of the table.

A and B exchange everything and the board is turned by half a turn. Turns belong to seats by their number, so
an odd turn becomes the next one and an even turn the one before.
"""

from __future__ import annotations

import re

from balance.games.krosmaster_blast.layout import cell_name
from balance.games.krosmaster_blast.states import cell_number
from balance.games.krosmaster_blast.writing import parse_canonical
from balance.games.position import Position
from balance.kernel.contract import NONE

SWAPPED = str.maketrans("AB", "BA")
EXCHANGED = str.maketrans("ab", "ba")  # start cells on a map, where B is a bush
CELL = re.compile(r"(?<![\w.])([a-z])(\d+)(?![\w.])")


def mirror(position: Position) -> Position | None:
    """The mirrored position, or None where that means nothing.

    Only within an activation, as the end of a turn leads to other numbers, and not in turns that have rules
    of their own: the first ones, in which the Dofus stays, and the last two, as the last reveals nothing.
    """
    turned = tuple(row[::-1].translate(EXCHANGED) for row in position.arena.rows[::-1])
    first = int(position.tables["dofus_lock_turns"]) + 1
    turn = int(position.state["turn"])
    inside = first < turn < int(position.tables["turns"]) - 1
    if turned != position.arena.rows or position.state["active"] == NONE or not inside:
        return None
    return parse_canonical(mirror_text(position.text(), position), position)


def mirror_text(text: str, position: Position) -> str:
    """A canonical text seen from the other side of the table."""
    words = text.split(" ")
    pairs = [word.partition("=") for word in words]
    fields = {key: value for key, _, value in pairs}
    if "over" in words:
        return " ".join(
            key + mark + (_swap(value) if key == "winner" else value) for key, mark, value in pairs
        )
    turn = int(fields["turn"])
    fields["turn"] = str(turn + 1 if turn % 2 else turn - 1)
    fields["dofus"] = _swap(fields["dofus"])
    fields["glyphs"] = _sorted_cells(_swap_owners(turn_cells(fields["glyphs"], position)), position)
    fields["tiles"] = _sorted_cells(turn_cells(fields["tiles"], position), position)
    one, other = fields["A"], fields["B"]
    fields["A"], fields["B"] = _fighters(other, position), _fighters(one, position)
    fields["act"] = _activation(turn_cells(fields["act"], position))
    return " ".join(f"{key}{mark}{fields[key]}" if mark else key for key, mark, _ in pairs)


def _swap(seat: str) -> str:
    return seat.translate(SWAPPED)


def _swap_owners(text: str) -> str:
    return re.sub(r":([AB])", lambda found: f":{_swap(found[1])}", text)


def turn_cells(text: str, position: Position) -> str:
    """A text with every cell in it turned by half a turn."""
    width, height = int(position.tables["width"]), int(position.tables["height"])

    def turned(found: re.Match[str]) -> str:
        column, row = ord(found[1]) - ord("a"), int(found[2]) - 1
        return cell_name((width - 1 - column) * height + height - 1 - row, height)

    return CELL.sub(turned, text)


def _sorted_cells(text: str, position: Position) -> str:
    items = text.split(",")
    if text == "-":
        return text
    return ",".join(sorted(items, key=lambda item: cell_number(item.split(":")[0], position.tables, ())))


def _fighters(text: str, position: Position) -> str:
    """Fighters of a seat with turned cells; Krosmasters keep their order, minions of a name go by cell."""
    items = [turn_cells(item, position) for item in text.split(",")]
    places = {name: number for number, name in enumerate(dict.fromkeys(item.split("@")[0] for item in items))}

    def rank(item: str) -> tuple[int, int]:
        name, _, rest = item.partition("@")
        return places[name], cell_number(rest.split(":")[0], position.tables, ())

    return ",".join(sorted(items, key=rank))


def _activation(text: str) -> str:
    if text == "-":
        return text
    ap, mp, memory, rest = text.split(":", 3)
    return ":".join([ap, mp, ";".join(sorted(memory.split(";"))), rest])
