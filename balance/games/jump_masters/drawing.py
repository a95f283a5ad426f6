"""A Jump Masters position as text for the terminal: readable without colour, at most 80 columns."""

from __future__ import annotations

from typing import Any

from balance.games.jump_masters.layout import HERO_NAMES, TEAM, Draft, Phase, Termination, node_name
from balance.games.jump_masters.texts import (
    SEATS,
    Piece,
    corner_name,
    hand_names,
    names_text,
    piece,
    pieces,
    seat_name,
    side_names,
)
from balance.games.position import Position
from balance.kernel.contract import NONE

CELL = 7  # columns of one node
COLUMNS = 80

# What each map character is called in pictures, and its style class there.
LEGEND = {
    ".": ("plain node", "plain"),
    "#": ("pillar", "pillar"),
    "=": ("wall", "wall"),
    "*": ("power node", "power"),
    "z": ("corner zone", "zone"),
    "h": ("Hill", "hill"),
}
MARKS = {(0, 0): " ", (1, 0): "'", (0, 1): '"', (1, 1): "!"}


def draw(position: Position) -> str:
    """The board with coordinates, terrain, zones and heroes, and everything else there is to know."""
    state, tables = position.state, position.tables
    lines = [_title(position), _status(state)]
    if state["phase"] == Phase.DRAFT:
        return "\n".join(lines + _draft_lines(state, tables)) + "\n"
    if state["phase"] >= Phase.TURN:
        lines.append(_points(state, tables))
    if state["count"].any():
        lines += ["", *_board(position), "", *_away(state, tables), *_key(position)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _title(position: Position) -> str:
    arena = position.arena.slug or "own map"
    count = len(position.ruleset.changed())
    changed = f", {count} changed number{'s' * (count > 1)}" if count else ""
    return f"Jump Masters, {position.mode.name} on {arena}{changed}"


def _status(state: Any) -> str:
    phase = Phase(int(state["phase"]))
    if phase == Phase.OVER:
        return f"game over by {Termination(int(state['termination'])).name.lower()}"
    words = [f"phase {phase.name.lower()}", f"{seat_name(int(state['to_move']))} to decide"]
    if phase >= Phase.TURN:
        words.insert(0, f"turn {int(state['turn'])}")
    if phase in (Phase.STEPPED, Phase.JUMPING):
        words.append(
            f"{piece(state, int(state['acting'])).name} acts" + (", ability used" if state["used"] else "")
        )
    if phase == Phase.REDEPLOY:
        words.append(f"the turn of {seat_name(int(state['active']))} has ended")
    return ", ".join(words)


def _points(state: Any, tables: Any) -> str:
    names, winner = side_names(tables), int(state["winner"])
    scores = [
        f"{name} {int(state['vp'][side])}" + (" (winner)" if winner == side else "")
        for side, name in enumerate(names)
    ]
    return f"VP {', '.join(scores)}; {int(tables['target'])} to win"


def _draft_lines(state: Any, tables: Any) -> list[str]:
    seats, draft = range(int(tables["seats"])), Draft(int(state["draft"]))
    lines = [f"{draft.name.lower()} draft", ""]
    for seat in seats:
        lines.append(
            f"{SEATS[seat]} has {names_text(hero.name for hero in pieces(state, seat)).replace(',', ' ')}"
        )
    if draft == Draft.PASS:
        lines += [f"hand of {SEATS[seat]}: {' '.join(hand_names(state, seat)) or '-'}" for seat in seats]
    else:
        left = [
            f"{name} x{count}" if count > 1 else name
            for name, count in zip(HERO_NAMES, state["pool"], strict=True)
        ]
        left = [text for text, count in zip(left, state["pool"], strict=True) if count]
        lines += ["pool:", *_wrapped(left, "  ")]
    return lines


def _board(position: Position) -> list[str]:
    width, height = int(position.tables["width"]), int(position.tables["height"])
    letters = "   " + "".join(chr(ord("a") + column).center(CELL) for column in range(width))
    lines = [letters]
    for row in range(height - 1, -1, -1):
        cells = [_cell(position.state, position.tables, column * height + row) for column in range(width)]
        lines.append(f"{row + 1:>2} " + "".join(cells) + f" {row + 1}")
    return [*lines, letters]


def _cell(state: Any, tables: Any, node: int) -> str:
    slot, ground = int(state["at"][node]), _ground(state, tables, node)
    if slot == NONE:
        return ground.center(CELL)
    hero = piece(state, slot)
    under = "" if ground == "." else ground[0]
    return (
        f" {SEATS[slot // TEAM]}{_letters(hero)}{hero.energy}{MARKS[hero.fresh, hero.jumped]}{under}".ljust(
            CELL
        )
    )


def _letters(hero: Piece) -> str:
    """Two letters of a hero; capitals for a seat's second copy."""
    letters = HERO_NAMES[hero.kind][:2]
    return letters.upper() if hero.second else letters


def _ground(state: Any, tables: Any, node: int) -> str:
    if tables["power"][node]:
        return "*"
    if tables["blocked"][node]:
        return "###"
    if tables["hill"][node]:
        return "h"
    corner = int(tables["corner"][node])
    holder = int(state["holder"][corner]) if corner != NONE else NONE
    return "." if holder == NONE else f"z{SEATS[holder]}"


def _away(state: Any, tables: Any) -> list[str]:
    lines = []
    for seat in range(int(tables["seats"])):
        names = [hero.name for hero in pieces(state, seat) if hero.node == NONE]
        if names:
            lines.append(f"off the board, {SEATS[seat]}: {' '.join(names)}")
    return lines


def _key(position: Position) -> list[str]:
    state, tables = position.state, position.tables
    seats = range(int(tables["seats"]))
    zones = ", ".join(f"{SEATS[seat]} {corner_name(int(state['zone'][seat]))}" for seat in seats)
    hill = " ".join(node_name(node, int(tables["height"])) for node in sorted(tables["hill_node"].tolist()))
    heroes = [hero for seat in seats for hero in pieces(state, seat)]
    kinds = sorted({hero.kind for hero in heroes})
    lines = [f"zones: {zones}; Hill: {hill}"]
    lines.append("heroes: seat, name, energy; ' fresh, \" jumped over, ! both; z h * its node")
    lines += _wrapped([f"{HERO_NAMES[kind][:2]} {HERO_NAMES[kind]}" for kind in kinds], "  ")
    if any(hero.second for hero in heroes):
        lines.append("  capital letters: the seat's second copy")
    return [*lines, "nodes: . plain, h Hill, zA zone of A, * power, ### pillar or wall"]


def _wrapped(items: list[str], indent: str) -> list[str]:
    lines = [indent]
    for place, item in enumerate(items):
        text = item + ("," if place < len(items) - 1 else "")
        if len(lines[-1]) + len(text) + 1 > COLUMNS:
            lines.append(indent)
        lines[-1] += text if lines[-1] == indent else f" {text}"
    return lines
