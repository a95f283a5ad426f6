"""Positions and actions of Connect Four as people and files have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.config.words import as_text
from balance.errors import ConfigError, RuleError
from balance.games.game import Ruleset
from balance.games.piece import Piece
from balance.games.position import Position
from balance.games.reading import fault, read_mapping, read_word, require
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import new_record
from connect_four_game import GAME
from connect_four_game.layout import (
    COLUMN_NAMES,
    HEIGHT,
    NODE_NAMES,
    NODES,
    STATE,
    WIDTH,
    Phase,
    Termination,
    bit_of,
)
from connect_four_game.schema import SCHEMA
from connect_four_game.tables import compile_tables

SEATS = "AB"
KEYS = ("game", "mode", "arena", "rules", "to_move", "stones")
LEGEND = {".": ("node", "plain")}
ENDS = {end.name.lower(): end for end in Termination if end != Termination.RUNNING}
STEPS = ((0, 1), (1, -1), (1, 0), (1, 1))  # columns and rows from one stone of a line to the next


# ---- texts


def nodes_of(stones: int) -> list[int]:
    """Nodes of a set, in order."""
    return [node for node in range(NODES) if int(stones) >> bit_of(node) & 1]


def names_of(stones: int) -> str:
    """Names of a set of nodes; ``-`` for none."""
    return ",".join(NODE_NAMES[node] for node in nodes_of(stones)) or "-"


def seat_name(seat: int) -> str:
    """``A`` for seat 0, ``-`` for none."""
    return "-" if seat == NONE else SEATS[seat]


def canonical(state: Any, tables: Any) -> str:
    """The position as one line: equal texts, equal positions within one frame."""
    sides = " ".join(f"{SEATS[seat]}={names_of(state['stones'][seat])}" for seat in (0, 1))
    if state["status"] == OVER:
        end = Termination(int(state["termination"])).name.lower()
        return f"phase=over winner={seat_name(int(state['winner']))} end={end} {sides}"
    return f"phase=turn to_move={seat_name(int(state['to_move']))} {sides}"


def view(state: Any, tables: Any, seat: int) -> str:
    """What a seat sees: everything."""
    return canonical(state, tables)


def format_action(state: Any, tables: Any, action: int) -> str:
    """The letter of the column."""
    return COLUMN_NAMES[int(action)]


def legal_texts(state: Any) -> dict[str, int]:
    """Every legal action by its text; none when the game is over."""
    if state["status"] == OVER:
        return {}
    both = int(state["stones"][0] | state["stones"][1])
    tops = [bit_of(column * HEIGHT + HEIGHT - 1) for column in range(WIDTH)]
    return {COLUMN_NAMES[column]: column for column in range(WIDTH) if not both >> tops[column] & 1}


def parse_action(state: Any, tables: Any, text: str) -> int:
    """The column of a text that is legal now; RuleError when it is not."""
    legal = legal_texts(state)
    if isinstance(text, str) and text in legal:
        return legal[text]
    if not legal:
        raise RuleError(f"the action {text!r} comes too late: the game is over")
    raise RuleError(f"{text!r} is not legal now", f"name a column with an empty node: {', '.join(legal)}")


# ---- documents


def load_position(document: Any) -> Position:
    """A position from its document; DocumentError with the path of the faulty value."""
    read_mapping(document, KEYS, (), "names to values")
    read_word(require(document, "game"), (GAME.slug,), ("game",))
    mode = read_word(document.get("mode", "duel"), [mode.name for mode in GAME.modes], ("mode",))
    ruleset = rules_of(document.get("rules", {}), mode)
    arena = read_word(document.get("arena", "board"), list(ruleset.arenas), ("arena",))
    tables = compile_tables(ruleset, mode, arena)
    state = state_of(document, int(tables.line))
    return Position(GAME, GAME.mode(mode), ruleset, ruleset.arenas[arena], tables, state)


def rules_of(rules: Any, mode: str) -> Ruleset:
    """The ruleset with the document's overrides."""
    if not isinstance(rules, Mapping):
        raise fault(("rules",), f"must be a mapping of parameters to values, not {as_text(rules)}")
    try:
        return SCHEMA.load_ruleset(None, {"rules": dict(rules)}, mode)
    except ConfigError as error:
        first = error.problems[0]
        raise fault(tuple(first.path.split(".")), first.message, first.hint) from None


def state_of(document: Mapping[str, Any], length: int) -> Any:
    """A running state: where the stones lie, and who is to move."""
    mover = SEATS.index(read_word(require(document, "to_move"), tuple(SEATS), ("to_move",)))
    stones = document.get("stones")
    if not isinstance(stones, Mapping) or set(stones) != set(SEATS):
        raise fault(("stones",) if "stones" in document else (), "stones must list nodes for A and for B")
    sides = [read_nodes(stones[letter], ("stones", letter)) for letter in SEATS]
    check_stones(sides, mover)
    for seat, letter in enumerate(SEATS):
        if holds_line(set(sides[seat]), length):
            raise fault(("stones", letter), "with a line of stones the game would be over")
    return new_state(sides, mover)


def new_state(sides: list[list[int]], mover: int) -> Any:
    """A running state with these stones."""
    state = new_record(STATE)
    state["to_move"], state["seats"], state["phase"], state["winner"] = mover, 2, Phase.TURN, NONE
    state["ply"] = sum(map(len, sides))
    state["turn"], state["segment"] = state["ply"] + 1, 2 * state["ply"] + 1
    for seat, nodes in enumerate(sides):
        state["stones"][seat] = sum(1 << bit_of(node) for node in nodes)
    return state


def read_nodes(names: Any, path: tuple[str | int, ...]) -> list[int]:
    """Nodes of a list of names."""
    if not isinstance(names, list):
        raise fault(path, f"must be a list of nodes, not {as_text(names)}")
    for place, name in enumerate(names):
        if name not in NODE_NAMES:
            raise fault((*path, place), f"there is no node {as_text(name)} on the board (a1 to g6)")
        if name in names[:place]:
            raise fault((*path, place), f"{name} stands twice")
    return [NODE_NAMES.index(name) for name in names]


def check_stones(sides: list[list[int]], mover: int) -> None:
    """Stones rest on others, no node holds two, the seats took turns, and there is room for one more."""
    there = [*sides[0], *sides[1]]
    for node in there:
        if there.count(node) > 1:
            raise fault(("stones",), f"{NODE_NAMES[node]} holds two stones")
        if node % HEIGHT and node - 1 not in there:
            raise fault(("stones",), f"nothing lies under the stone on {NODE_NAMES[node]}")
    if len(sides[0]) - len(sides[1]) != mover:
        message = (
            f"with {len(sides[0])} stones of A and {len(sides[1])} of B it is not the move of {SEATS[mover]}"
        )
        raise fault(("to_move",), message, "A begins, then the seats take turns")
    if len(there) == NODES:
        raise fault(("stones",), "the board is full: the game would be over")


def holds_line(nodes: set[int], length: int) -> bool:
    """Whether some nodes hold a line, looked up one by one."""
    spots = {divmod(node, HEIGHT) for node in nodes}
    return any(
        all((column + right * far, row + up * far) in spots for far in range(length))
        for column, row in spots
        for right, up in STEPS
    )


def document(position: Position) -> dict[str, Any]:
    """The document of a position; RuleError when the game is over."""
    state = position.state
    if state["status"] == OVER:
        raise RuleError("a game that is over has no position document")
    out: dict[str, Any] = {"game": GAME.slug, "mode": position.mode.name, "arena": position.arena.slug}
    if rules := SCHEMA.changed(position.ruleset):
        out["rules"] = rules
    stones = {
        letter: [NODE_NAMES[node] for node in nodes_of(state["stones"][seat])]
        for seat, letter in enumerate(SEATS)
    }
    return out | {"to_move": seat_name(int(state["to_move"])), "stones": stones}


def parse_canonical(text: str, frame: Position) -> Position:
    """The position of a canonical text within the frame of another position; RuleError for other texts."""
    fields = dict(part.partition("=")[::2] for part in text.split(" "))
    try:
        sides = [
            [] if fields[letter] == "-" else read_nodes(fields[letter].split(","), (letter,))
            for letter in SEATS
        ]
        state = new_state(sides, SEATS.find(fields.get("to_move", "-")))
        if fields["phase"] == "over":
            state["phase"], state["status"] = Phase.OVER, OVER
            state["winner"], state["termination"] = SEATS.find(fields["winner"]), ENDS[fields["end"]]
        same = canonical(state, frame.tables) == text
    except (LookupError, ValueError, RuleError):
        same = False
    if not same:
        raise RuleError(f"no canonical text of this frame: {as_text(text)}")
    return frame.with_state(state)


# ---- the mirror image


def mirror(position: Position) -> Position | None:
    """The same position with left and right changed (the seats cannot change: A begins)."""
    return parse_canonical(mirror_text(position.text(), position), position)


def mirror_text(text: str, position: Position) -> str:
    """A canonical text with left and right changed."""
    fields = [part.partition("=")[::2] for part in text.split(" ")]
    return " ".join(f"{key}={turned(value) if key in SEATS else value}" for key, value in fields)


def turned(names: str) -> str:
    """``a1,g2`` for ``a2,g1``."""
    if names == "-":
        return names
    nodes = [NODE_NAMES.index(name) for name in names.split(",")]
    other = sorted((WIDTH - 1 - node // HEIGHT) * HEIGHT + node % HEIGHT for node in nodes)
    return ",".join(NODE_NAMES[node] for node in other)


def node_names(ruleset: Ruleset, arena: str) -> list[str]:
    """Names of the nodes in node order."""
    return list(NODE_NAMES)


def pieces(state: Any, tables: Any) -> list[Piece]:
    """What a replay shows: both seats' stones."""
    return [
        Piece(seat, "stone", node) for seat in range(len(SEATS)) for node in nodes_of(state["stones"][seat])
    ]


def draw(position: Position) -> str:
    """The board for a terminal: seat letters on their nodes."""
    state = position.state
    if state["status"] == OVER:
        winner = int(state["winner"])
        status = "nobody has won" if winner == NONE else f"{SEATS[winner]} has won"
    else:
        status = f"turn {int(state['turn'])}, {seat_name(int(state['to_move']))} to move"
    letters = "    " + " ".join(COLUMN_NAMES)
    rows = []
    for row in range(HEIGHT - 1, -1, -1):
        cells = [cell(state, column * HEIGHT + row) for column in range(WIDTH)]
        rows.append(f"  {row + 1} {' '.join(cells)} {row + 1}")
    return "\n".join([f"Connect Four, {status}", "", letters, *rows, letters]) + "\n"


def cell(state: Any, node: int) -> str:
    """The seat whose stone lies on a node, or a dot."""
    return next((SEATS[seat] for seat in (0, 1) if int(state["stones"][seat]) >> bit_of(node) & 1), ".")
