"""Positions of Jump Masters written as documents, read back from canonical text, and turned round."""

from __future__ import annotations

import re
from typing import Any

from balance.config.words import as_text
from balance.errors import RuleError
from balance.games.jump_masters import GAME
from balance.games.jump_masters.documents import MARKS, place
from balance.games.jump_masters.frames import PHASE_KEYS, Frame, changed_rules
from balance.games.jump_masters.layout import Draft, Mode, Phase, Termination, node_name
from balance.games.jump_masters.states import blank_state
from balance.games.jump_masters.texts import (
    SEATS,
    canonical,
    corner_name,
    hand_names,
    piece,
    pieces,
    seat_name,
    side_names,
)
from balance.games.position import Position
from balance.kernel.contract import NONE, OVER

SWAPPED = str.maketrans("AB", "BA")
OPPOSITE = {"nw": "se", "se": "nw", "ne": "sw", "sw": "ne"}


def document(position: Position) -> dict[str, Any]:
    """The document of a position: the inverse of :func:`load_position`.

    Raises
    ------
    RuleError
        The game is over.
    """
    state, tables = position.state, position.tables
    phase = Phase(int(state["phase"]))
    if phase == Phase.OVER:
        raise RuleError("a game that is over has no position document")
    out: dict[str, Any] = {"game": GAME.slug, "arena": position.arena.slug or list(position.arena.rows)}
    out["mode"] = position.mode.name
    if rules := changed_rules(position.ruleset):
        out["rules"] = rules
    out["phase"] = phase.name.lower()
    out["to_move"] = seat_name(int(state["to_move"]))
    return out | (_draft_keys(state, tables) if phase == Phase.DRAFT else _board_keys(state, tables, phase))


def _draft_keys(state: Any, tables: Any) -> dict[str, Any]:
    seats, draft = range(int(tables["seats"])), Draft(int(state["draft"]))
    keys: dict[str, Any] = {"draft": draft.name.lower()}
    keys["picks"] = {SEATS[seat]: [hero.name for hero in pieces(state, seat)] for seat in seats}
    if draft == Draft.PASS:
        keys["hands"] = {SEATS[seat]: hand_names(state, seat) for seat in seats}
    return keys


def _board_keys(state: Any, tables: Any, phase: Phase) -> dict[str, Any]:
    seats = range(int(tables["seats"]))
    zones = {
        SEATS[seat]: corner_name(int(state["zone"][seat])) for seat in seats if state["zone"][seat] != NONE
    }
    keys: dict[str, Any] = {"zones": zones}
    if phase >= Phase.TURN:
        keys["turn"] = int(state["turn"])
        keys["vp"] = dict(zip(side_names(tables), state["vp"].tolist(), strict=False))
    if phase in (Phase.STEPPED, Phase.JUMPING):
        keys["hero"] = piece(state, int(state["acting"])).name
    if phase == Phase.JUMPING:
        keys["used"] = bool(state["used"])
    if phase == Phase.REDEPLOY:
        keys["active"] = seat_name(int(state["active"]))
    height = int(tables["height"])
    keys["heroes"] = {
        SEATS[seat]: [_entry(hero, height, phase) for hero in pieces(state, seat)] for seat in seats
    }
    return keys


def _entry(hero: Any, height: int, phase: Phase) -> str:
    if hero.node == NONE:
        return hero.name
    words = [hero.name, node_name(hero.node, height)]
    if phase != Phase.DEPLOY:
        words += [str(hero.energy), *(mark for mark in MARKS if getattr(hero, mark))]
    return " ".join(words)


# ---- canonical text back to a position


def parse_canonical(text: str, frame: Position) -> Position:
    """The position of a canonical text within the frame of another position.

    Parameters
    ----------
    text : str
    frame : Position
        Its mode, rules and arena are taken; its state is not looked at.

    Raises
    ------
    RuleError
        The text is not what :func:`texts.canonical` writes for any position of this frame.
    """
    parts = [part.partition("=") for part in text.split(" ")]
    fields = {key: value for key, _, value in parts}
    phase = fields.get("phase", "")
    if phase == "over":
        state = _parse_over(text, fields, frame)
    elif phase in PHASE_KEYS:
        within = Frame(frame.mode, frame.ruleset, frame.arena, frame.tables)
        state = place(_as_document(text, fields, phase), phase, within).state
    else:
        raise _not_canonical(text)
    if canonical(state, frame.tables) != text:
        raise _not_canonical(text)
    return frame.with_state(state)


def _not_canonical(text: str) -> RuleError:
    return RuleError(f"no canonical text of this frame: {as_text(text)}")


def _parse_over(text: str, fields: dict[str, str], frame: Position) -> Any:
    state, sides = blank_state(frame.tables), side_names(frame.tables)
    state["phase"], state["status"] = Phase.OVER, OVER
    points = dict(item.partition(":")[::2] for item in fields.get("vp", "").split(","))
    winner, end = fields.get("winner"), fields.get("end", "")
    if end not in ("vp", "cap") or winner not in (*sides, "-") or list(points) != sides:
        raise _not_canonical(text)
    if not all(value.isascii() and value.isdigit() for value in points.values()):
        raise _not_canonical(text)
    state["termination"] = Termination[end.upper()]
    state["winner"] = NONE if winner == "-" else sides.index(winner)
    state["vp"][: len(sides)] = [int(points[side]) for side in sides]
    return state


def _as_document(text: str, fields: dict[str, str], phase: str) -> dict[str, Any]:
    seats = [letter for letter in SEATS if letter in fields]
    plain: dict[str, Any] = {
        key: fields[key] for key in ("to_move", "draft", "hero", "active") if key in fields
    }
    try:
        if phase == "draft":
            plain["picks"] = {letter: _names(fields[letter]) for letter in seats}
            hands = {
                letter: _names(fields[f"hand_{letter}"]) for letter in seats if f"hand_{letter}" in fields
            }
            return plain | ({"hands": hands} if hands else {})
        plain["heroes"] = {
            letter: [_hero(text, phase) for text in fields[letter].split(",")] for letter in seats
        }
        plain["zones"] = _pairs(fields["zones"])
        if "turn" in fields:
            plain["turn"] = int(fields["turn"])
            plain["vp"] = {side: int(value) for side, value in _pairs(fields["vp"]).items()}
        if "used" in fields:
            plain["used"] = fields["used"] == "1"
    except (KeyError, ValueError):
        raise _not_canonical(text) from None
    return plain


def _names(text: str) -> list[str]:
    return [] if text == "-" else text.split(",")


def _pairs(text: str) -> dict[str, str]:
    pairs = (item.partition(":")[::2] for item in text.split(","))
    return {key: value for key, value in pairs if value != "-"}


def _hero(text: str, phase: str) -> str:
    name, *rest = text.split(":")
    if rest == ["-"]:
        return name
    return " ".join([name, *rest[:1]] if phase == "deploy" else [name, *rest])


# ---- half a turn of the board


def mirror(position: Position) -> Position | None:
    """The same position seen from the other side of the table, or None where that means nothing.

    The board is turned by half a turn and A and B swap everything (section 16, fact 3): only in a
    duel, on an arena that looks the same afterwards, and once turns are being played.
    """
    turned = tuple(row[::-1] for row in _terrain(position)[::-1])
    playing = position.state["phase"] >= Phase.TURN
    if position.tables["mode"] != Mode.DUEL or turned != _terrain(position) or not playing:
        return None
    return parse_canonical(mirror_text(position.text(), position), position)


def _terrain(position: Position) -> tuple[str, ...]:
    # z and h are reminders only (section 1).
    return tuple(re.sub("[zh]", ".", "".join(row.split())) for row in position.arena.rows)


def mirror_text(text: str, position: Position) -> str:
    """A canonical text of a duel, seen from the other side of the table."""
    fields = [tuple(part.partition("=")[::2]) for part in text.split(" ")]
    return " ".join(f"{key}={value}" for key, value in _mirrored(fields, position))


def _mirrored(fields: list[tuple[str, ...]], position: Position) -> list[tuple[str, str]]:
    out = []
    for key, value in fields:
        if key in ("to_move", "active", "winner"):
            value = value.translate(SWAPPED)
        elif key in ("zones", "vp"):
            pairs = [item.partition(":")[::2] for item in value.split(",")]
            value = ",".join(
                sorted(f"{side.translate(SWAPPED)}:{OPPOSITE.get(what, what)}" for side, what in pairs)
            )
        elif key in "AB":
            key, value = key.translate(SWAPPED), turn_nodes(value, position)
        out.append((key, value))
    return [field for field in out if field[0] not in "AB"] + sorted(
        field for field in out if field[0] in "AB"
    )


def turn_nodes(text: str, position: Position) -> str:
    """A text with every node name in it turned by half a turn; works on action texts too.

    The VIA of a run and the path of a bent Fire Step may be another one afterwards, as twins are told
    apart by node order (section 16, fact 3).
    """
    width, height = int(position.tables["width"]), int(position.tables["height"])

    def turned(match: re.Match[str]) -> str:
        column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
        return node_name((width - 1 - column) * height + (height - 1 - row), height)

    return re.sub(r"(?<![\w.])([a-j])(10|[1-9])(?![\w.])", turned, text)
