"""States and actions of Krosmaster: Blast as text (sections 5 and 10). Nothing is changed."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from balance.errors import RuleError
from balance.games.actions import find_legal, near_legal, texts_of_legal
from balance.games.krosmaster_blast import GAME
from balance.games.krosmaster_blast.books import book_of
from balance.games.krosmaster_blast.enums import Direction, Kind, Phase, Stage, Termination, Tile
from balance.games.krosmaster_blast.layout import (
    CELL_SHIFT,
    CELLS,
    DIRECTION_SHIFT,
    NO_CELL,
    NO_DIRECTION,
    ROOM,
    TEAM,
    WHICH_SHIFT,
    cell_name,
)
from balance.kernel.contract import NONE

SEATS = "AB"
SLOT_NAMES = ("left", "right")
FORMS = {
    Kind.PICK: "pick NAME",
    Kind.DEPLOY: "deploy NAME CELL",
    Kind.FAVOR: "favor left|right",
    Kind.ACTIVATE: "activate NAME CELL",
    Kind.MOVE: "move CELL",
    Kind.CAST: "cast SPELL [CELL [n|e|s|w]]",
    Kind.USE: "use FAVOR [CELL [n|e|s|w]]",
    Kind.BONUS: "use BONUS [CELL [n|e|s|w]]",
    Kind.PLACE: "place CELL",
    Kind.LIFT: "lift CELL",
    Kind.SKIP: "skip",
    Kind.DONE: "done",
    Kind.END: "end",
}


@cache
def cell_names(height: int) -> tuple[str, ...]:
    """Names of all cells of a board of this height, by cell number."""
    return tuple(cell_name(cell, height) for cell in range(CELLS))


class Piece(NamedTuple):
    """One Fighter as plain integers, in the order of ``layout.FIGHTER``, with its slot."""

    slot: int
    figure: int
    cell: int
    injuries: int
    ap: int
    mp: int
    stage: int


def pieces(state: Any, seat: int) -> list[Piece]:
    """Fighters of a seat that are on the board, or wait for their place; Krosmasters first."""
    first = seat * ROOM
    rows = state["fighter"][first : first + int(state["top"][seat])].tolist()
    found = [Piece(first + place, *row) for place, row in enumerate(rows) if row[0] != NONE]
    if int(state["phase"]) > Phase.DEPLOY:
        found = [piece for piece in found if piece.cell != NONE]
    return sorted(found, key=lambda piece: (piece.slot % ROOM >= TEAM, piece.figure, piece.cell))


# ---- canonical text


def canonical(state: Any, tables: Any) -> str:
    """The position as one line: equal texts, equal positions within one frame (section 10).

    Parameters
    ----------
    state, tables : numpy.record
        Of dtypes ``layout.STATE`` and ``layout.TABLES``.
    """
    if int(state["phase"]) == Phase.OVER:
        by = Termination(int(state["termination"])).name.lower()
        return f"{GAME.slug} over winner={seat_name(int(state['winner']), '-')} by={by}"
    fields = [
        ("turn", str(int(state["turn"]))),
        ("phase", Phase(int(state["phase"])).name.lower()),
        ("dofus", seat_name(int(state["dofus"]), "-")),
        ("glyphs", glyphs_text(state, tables)),
        ("tiles", tiles_text(state, tables)),
        *favor_fields(state, tables),
        *((SEATS[seat], fighters_text(state, tables, seat)) for seat in range(2)),
        ("act", activation_text(state, tables)),
        ("pend", pending_text(state)),
    ]
    return f"{GAME.slug} " + " ".join(f"{key}={value}" for key, value in fields)


def seat_name(seat: int, nobody: str) -> str:
    """``A``, ``B``, or the word for nobody."""
    return nobody if seat == NONE else SEATS[seat]


def glyphs_text(state: Any, tables: Any) -> str:
    """Glyph Tiles by cell."""
    names = cell_names(int(tables["height"]))
    owners = state["owner"][: int(tables["nodes"])].tolist()
    return (
        ",".join(f"{names[cell]}:{SEATS[owner]}" for cell, owner in enumerate(owners) if owner != NONE) or "-"
    )


def tiles_text(state: Any, tables: Any) -> str:
    """Special terrain tiles by cell."""
    names = cell_names(int(tables["height"]))
    tiles = state["tile"][: int(tables["nodes"])].tolist()
    shown = [
        f"{names[cell]}:{Tile(tile).name.lower()}" for cell, tile in enumerate(tiles) if tile
    ]  # 0 is BARE
    return ",".join(shown) or "-"


def favor_fields(state: Any, tables: Any) -> list[tuple[str, str]]:
    """Face-up favors, the revealed one, and those that may still come."""
    names = book_of(tables).favors
    slots = [
        "-" if favor == NONE else names[favor] + "*" * used
        for favor, used in zip(state["favor"].tolist(), state["used"].tolist(), strict=True)
    ]
    revealed = int(state["revealed"])
    return [
        ("favors", ",".join(slots)),
        ("revealed", "-" if revealed == NONE else names[revealed]),
        ("unseen", ",".join(unseen_names(state, tables)) or "-"),
    ]


def unseen_names(state: Any, tables: Any) -> list[str]:
    """Favors that may still be revealed, sorted."""
    unseen = int(state["unseen"])
    return [name for number, name in enumerate(book_of(tables).favors) if unseen >> number & 1]


def fighters_text(state: Any, tables: Any, seat: int) -> str:
    """Fighters of a seat with what their cards hold."""
    figures, names = book_of(tables).figures, cell_names(int(tables["height"]))
    shown = []
    for piece in pieces(state, seat):
        cell = "?" if piece.cell == NONE else names[piece.cell]
        numbers = f"{piece.injuries}:{piece.ap}:{piece.mp}:{Stage(piece.stage).name.lower()}"
        shown.append(f"{figures[piece.figure]}@{cell}:{numbers}")
    return ",".join(shown) or "-"


def activation_text(state: Any, tables: Any) -> str:
    """AP, MP, memory, boosts and bonuses of the active Fighter."""
    if int(state["active"]) == NONE:
        return "-"
    boosts = f"r{int(state['next_range'])}d{int(state['next_damage'])}s{int(state['ignore_los'])}"
    bonuses = ";".join(sorted(used_bonuses(state, tables))) or "-"
    memory = ";".join(sorted(memory_entries(state, tables))) or "-"
    return f"{int(state['ap'])}:{int(state['mp'])}:{memory}:{boosts}:{bonuses}"


def used_bonuses(state: Any, tables: Any) -> list[str]:
    """Active bonuses used in this activation."""
    used = int(state["bonuses"])
    return [name for number, name in enumerate(book_of(tables).bonuses) if used >> number & 1]


def active_spells(state: Any, tables: Any) -> tuple[str, ...]:
    """Spells of the active Fighter by number."""
    return book_of(tables).spells[int(state["fighter"][int(state["active"])]["figure"])]


def memory_entries(state: Any, tables: Any) -> list[str]:
    """What the activation remembers, one entry a text."""
    spells, names = active_spells(state, tables), cell_names(int(tables["height"]))
    cells = state["fighter"]["cell"].tolist()
    entries = []
    for number, spell in enumerate(spells):
        if casts := int(state["casts"][number]):
            entries.append(f"{spell}={casts}")
        if run := int(state["run"][number]):
            entries.append(f"{spell}>{names[cells[int(state['last'][number])]]}*{run}")
    for spell, target, casts in state["aim"][: int(state["aimed"])].tolist():
        entries.append(f"{spells[spell]}>{names[cells[target]]}={casts}")
    return entries


def pending_text(state: Any) -> str:
    """The tile that is being placed."""
    if int(state["pending"]) == Tile.BARE:
        return "-"
    kind = Tile(int(state["pending"])).name.lower()
    return f"{kind}:{int(state['pending_left'])}:{int(state['lifted'])}"


# ---- actions


def format_action(state: Any, tables: Any, action: int) -> str:
    """The text of a packed action in the state in which it is played (section 5)."""
    action = int(action)
    kind, which = Kind(action & 15), (action >> WHICH_SHIFT) & 255
    cell, direction = (action >> CELL_SHIFT) & 1023, (action >> DIRECTION_SHIFT) & 7
    words = ["use" if kind == Kind.BONUS else kind.name.lower()]
    if name := _card(state, tables, kind, which):
        words.append(name)
    if cell != NO_CELL:
        words.append(cell_names(int(tables["height"]))[cell])
    if direction != NO_DIRECTION:
        words.append(Direction(direction).name.lower())
    return " ".join(words)


def _card(state: Any, tables: Any, kind: Kind, which: int) -> str:
    """The name in an action, empty for none."""
    book = book_of(tables)
    if kind == Kind.PICK:
        return book.figures[which]
    if kind in (Kind.DEPLOY, Kind.ACTIVATE):
        return book.figures[int(state["fighter"][which]["figure"])]
    if kind == Kind.FAVOR:
        return SLOT_NAMES[which]
    if kind == Kind.CAST:
        return active_spells(state, tables)[which]
    if kind == Kind.USE:
        return book.favors[int(state["favor"][which])]
    return book.bonuses[which] if kind == Kind.BONUS else ""


def legal_texts(state: Any, tables: Any) -> dict[str, int]:
    """Every legal action by its text, sorted by text; empty when the game is over."""
    return texts_of_legal(GAME, state, tables, format_action)


def parse_action(state: Any, tables: Any, text: str) -> int:
    """The packed action of a text that is legal now.

    Raises
    ------
    RuleError
        The text is not understood, or is not legal in this state; the hint names near legal actions.
    """
    words = text.split() if isinstance(text, str) else []
    legal = legal_texts(state, tables)
    action = find_legal(text, legal)
    if action is not None:
        return action
    raise _refusal(state, text, words, list(legal))


def _refusal(state: Any, text: Any, words: list[str], legal: list[str]) -> RuleError:
    if int(state["phase"]) == Phase.OVER:
        return RuleError(f"the action {text!r} comes too late: the game is over")
    verbs = {form.split()[0] for form in FORMS.values()}
    if not words or words[0] not in verbs:
        forms = ", ".join(dict.fromkeys(FORMS.values()))
        return RuleError(
            f"the action {text!r} is not understood", f"{near_legal(text, legal)}; actions are {forms}"
        )
    return RuleError(f"{text!r} is not legal now", near_legal(text, legal))
