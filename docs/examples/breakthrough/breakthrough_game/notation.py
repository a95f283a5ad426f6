"""Positions and actions of Breakthrough as people and files have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from balance.config.words import as_text, did_you_mean
from balance.errors import ConfigError, RuleError
from balance.games.game import Ruleset
from balance.games.piece import Piece
from balance.games.position import Position
from balance.games.reading import fault, read_mapping, read_word, require
from balance.kernel.contract import NONE, OVER
from balance.kernel.jit import new_record
from breakthrough_game import GAME
from breakthrough_game.layout import (
    NODE_MASK,
    NODE_NAMES,
    SIZE,
    STATE,
    TO_SHIFT,
    Phase,
    Termination,
)
from breakthrough_game.schema import SCHEMA
from breakthrough_game.tables import compile_tables

SEATS = "AB"
KEYS = ("game", "mode", "arena", "rules", "to_move", "pieces")
LEGEND = {".": ("node", "plain")}
ENDS = {end.name.lower(): end for end in Termination if end != Termination.RUNNING}


# ---- texts


def names_of(pieces: int) -> list[str]:
    """Names of a set of nodes, in node order."""
    return [name for node, name in enumerate(NODE_NAMES) if int(pieces) >> node & 1]


def canonical(state: Any, tables: Any) -> str:
    """The position as one line: equal texts, equal positions within one frame."""
    sides = " ".join(f"{SEATS[seat]}={','.join(names_of(state['pieces'][seat])) or '-'}" for seat in (0, 1))
    if state["status"] == OVER:
        end = Termination(int(state["termination"])).name.lower()
        return f"phase=over winner={SEATS[int(state['winner'])]} end={end} {sides}"
    return f"phase=turn to_move={SEATS[int(state['to_move'])]} {sides}"


def view(state: Any, tables: Any, seat: int) -> str:
    """What a seat sees: everything."""
    return canonical(state, tables)


def format_action(state: Any, tables: Any, action: int) -> str:
    """``a2-b3``, or ``a2xb3`` for a capture."""
    left, entered = int(action) & NODE_MASK, int(action) >> TO_SHIFT
    taken = int(state["pieces"][1 - int(state["to_move"])]) >> entered & 1
    return f"{NODE_NAMES[left]}{'x' if taken else '-'}{NODE_NAMES[entered]}"


def legal_texts(state: Any, tables: Any) -> dict[str, int]:
    """Every legal action by its text; none when the game is over."""
    from breakthrough_game.rules import CONTRACT

    if state["status"] == OVER:
        return {}
    buffer = np.zeros(GAME.max_actions, np.int64)
    count = int(CONTRACT.functions["legal"](state, tables, buffer))
    return {format_action(state, tables, action): action for action in buffer[:count].tolist()}


def parse_action(state: Any, tables: Any, text: str) -> int:
    """The packed action of a text that is legal now; RuleError when it is not."""
    legal = legal_texts(state, tables)
    action = legal.get(text) if isinstance(text, str) else None
    if action is not None:
        return action
    if not legal:
        raise RuleError(f"the action {text!r} comes too late: the game is over")
    raise RuleError(
        f"{text!r} is not legal now; moves are written a2-a3, captures a2xb3", did_you_mean(text, legal)
    )


# ---- documents


def load_position(document: Any) -> Position:
    """A position from its document; DocumentError with the path of the faulty value."""
    read_mapping(document, KEYS, (), "names to values")
    read_word(require(document, "game"), (GAME.slug,), ("game",))
    mode = read_word(document.get("mode", "duel"), [mode.name for mode in GAME.modes], ("mode",))
    ruleset = rules_of(document.get("rules", {}), mode)
    arena = read_word(document.get("arena", "board"), list(ruleset.arenas), ("arena",))
    tables = compile_tables(ruleset, mode, arena)
    state = state_of(document)
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


def state_of(document: Mapping[str, Any]) -> Any:
    """A running state: who is to move, and where the pieces stand."""
    state = new_state(SEATS.index(read_word(require(document, "to_move"), tuple(SEATS), ("to_move",))))
    pieces = document.get("pieces")
    if not isinstance(pieces, Mapping) or set(pieces) != set(SEATS):
        raise fault(("pieces",) if "pieces" in document else (), "pieces must list nodes for A and for B")
    for seat, letter in enumerate(SEATS):
        state["pieces"][seat] = nodes_of(pieces[letter], ("pieces", letter))
        check_home(seat, int(state["pieces"][seat]))
    if both := names_of(state["pieces"][0] & state["pieces"][1]):
        raise fault(("pieces",), f"{both[0]} holds two pieces")
    return state


def new_state(seat: int) -> Any:
    """A running state with an empty board."""
    state = new_record(STATE)
    state["to_move"], state["seats"], state["phase"] = seat, 2, Phase.TURN
    state["turn"], state["segment"], state["winner"] = 1, 1, NONE
    return state


def nodes_of(names: Any, path: tuple[str | int, ...]) -> int:
    """A list of node names as a set."""
    if not isinstance(names, list):
        raise fault(path, f"must be a list of nodes, not {as_text(names)}")
    found = 0
    for place, name in enumerate(names):
        if name not in NODE_NAMES:
            raise fault((*path, place), f"there is no node {as_text(name)} on the board (a1 to h8)")
        if found >> NODE_NAMES.index(name) & 1:
            raise fault((*path, place), f"{name} stands twice")
        found |= 1 << NODE_NAMES.index(name)
    return found


def check_home(seat: int, pieces: int) -> None:
    """A running game: both sides have pieces, and none is home."""
    far = pieces >> (NODE_MASK + 1 - SIZE) if seat == 0 else pieces & (2**SIZE - 1)
    if not pieces or far:
        reason = "a piece on the far row" if pieces else "no piece"
        raise fault(("pieces", SEATS[seat]), f"with {reason} the game would be over")


def document(position: Position) -> dict[str, Any]:
    """The document of a position; RuleError when the game is over."""
    state = position.state
    if state["status"] == OVER:
        raise RuleError("a game that is over has no position document")
    out: dict[str, Any] = {"game": GAME.slug, "mode": position.mode.name, "arena": position.arena.slug}
    if rules := SCHEMA.changed(position.ruleset):
        out["rules"] = rules
    pieces = {letter: names_of(state["pieces"][seat]) for seat, letter in enumerate(SEATS)}
    return out | {"to_move": SEATS[int(state["to_move"])], "pieces": pieces}


def parse_canonical(text: str, frame: Position) -> Position:
    """The position of a canonical text within the frame of another position; RuleError for other texts."""
    fields = dict(part.partition("=")[::2] for part in text.split(" "))
    try:
        state = new_state(SEATS.find(fields.get("to_move", "-")))
        for seat, letter in enumerate(SEATS):
            names = [] if fields[letter] == "-" else fields[letter].split(",")
            state["pieces"][seat] = nodes_of(names, (letter,))
        if fields["phase"] == "over":
            state["phase"], state["status"] = Phase.OVER, OVER
            state["winner"], state["termination"] = SEATS.index(fields["winner"]), ENDS[fields["end"]]
        same = canonical(state, frame.tables) == text
    except (LookupError, ValueError, RuleError):
        same = False
    if not same:
        raise RuleError(f"no canonical text of this frame: {as_text(text)}")
    return frame.with_state(state)


# ---- the other side of the table


def mirror(position: Position) -> Position | None:
    """The same position with the seats changed and the board upside down."""
    return parse_canonical(mirror_text(position.text(), position), position)


def mirror_text(text: str, position: Position) -> str:
    """A canonical text seen from the other side of the table."""
    swapped = str.maketrans("AB", "BA")
    fields = [part.partition("=")[::2] for part in text.split(" ")]
    turned = {key.translate(swapped): value for key, value in fields}
    for key in ("to_move", "winner"):
        if key in turned:
            turned[key] = turned[key].translate(swapped)
    for key in SEATS:
        turned[key] = ",".join(sorted(map(turned_name, turned[key].split(",")), key=node_order))
    order = [key for key, _ in fields]
    return " ".join(f"{key}={turned[key]}" for key in order)


def turned_name(name: str) -> str:
    """``a2`` for ``a7``."""
    return name if name == "-" else f"{name[0]}{SIZE + 1 - int(name[1:])}"


def node_order(name: str) -> int:
    """Number of a node; ``-`` comes first."""
    return NODE_NAMES.index(name) if name in NODE_NAMES else NONE


def node_names(ruleset: Ruleset, arena: str) -> list[str]:
    """Names of the nodes in node order."""
    return list(NODE_NAMES)


def pieces(state: Any, tables: Any) -> list[Piece]:
    """What a replay shows: both seats' pieces, which nobody tells apart."""
    return [
        Piece(seat, "piece", node)
        for seat in range(len(SEATS))
        for node in range(len(NODE_NAMES))
        if int(state["pieces"][seat]) >> node & 1
    ]


def draw(position: Position) -> str:
    """The board for a terminal: seat letters on their nodes."""
    state = position.state
    if state["status"] == OVER:
        status = f"{SEATS[int(state['winner'])]} has won"
    else:
        status = f"turn {int(state['turn'])}, {SEATS[int(state['to_move'])]} to move"
    letters = "    " + " ".join("abcdefgh")
    rows = []
    for row in range(SIZE - 1, -1, -1):
        cells = [cell(state, SIZE * row + column) for column in range(SIZE)]
        rows.append(f"  {row + 1} {' '.join(cells)} {row + 1}")
    return (
        "\n".join([f"Breakthrough, {status}", "", letters, *rows, letters, "", "A moves up, B down"]) + "\n"
    )


def cell(state: Any, node: int) -> str:
    """The seat whose piece stands on a node, or a dot."""
    return next((SEATS[seat] for seat in (0, 1) if int(state["pieces"][seat]) >> node & 1), ".")
