"""Positions of Krosmaster: Blast written as documents, and read back from canonical text."""

from __future__ import annotations

import re
from typing import Any

from balance.config.words import as_text
from balance.errors import RuleError
from balance.games.krosmaster_blast import GAME
from balance.games.krosmaster_blast.books import book_of
from balance.games.krosmaster_blast.documents import place
from balance.games.krosmaster_blast.enums import Phase, Termination
from balance.games.krosmaster_blast.frames import Frame, changed_data, changed_rules, shipped
from balance.games.krosmaster_blast.states import blank_state
from balance.games.krosmaster_blast.texts import SEATS, canonical
from balance.games.position import Position
from balance.kernel.contract import NONE, OVER

FIELDS = (
    "turn", "phase", "dofus", "glyphs", "tiles", "favors", "revealed", "unseen", "A", "B", "act", "pend",
)  # fmt: skip
ACT = re.compile(r"(\d+):(\d+):(.+):r(\d+)d(\d+)s([01]):(.+)")
ENTRY = re.compile(r"([^=>*]+)(?:>([a-z]\d+))?([=*])(\d+)")


def document(position: Position) -> dict[str, Any]:
    """The document of a position: the inverse of :func:`load_position`.

    Raises
    ------
    RuleError
        The game is over.
    """
    if int(position.state["phase"]) == Phase.OVER:
        raise RuleError("a game that is over has no position document")
    out: dict[str, Any] = {"game": GAME.slug}
    if rules := changed_rules(position.ruleset):
        out["rules"] = rules
    if data := changed_data(position.ruleset):
        out["data"] = data
    known = shipped().arenas.get(position.arena.slug)
    same = known is not None and known.rows == position.arena.rows
    out["arena"] = position.arena.slug if same else list(position.arena.rows)
    return out | _as_document(position.text(), position)


def challenges_of(position: Position) -> list[str]:
    """Names of the challenges in play."""
    names = book_of(position.tables).challenges
    return [names[number] for number in position.state["challenge"].tolist() if number != NONE]


def parse_canonical(text: str, frame: Position) -> Position:
    """The position of a canonical text within the frame of another position.

    Parameters
    ----------
    text : str
    frame : Position
        Its rules, cards, field and challenges are taken; the rest of its state is not looked at.

    Raises
    ------
    RuleError
        The text is not what :func:`texts.canonical` writes for any position of this frame.
    """
    if text.startswith(f"{GAME.slug} over "):
        state = _parse_over(text, frame)
    else:
        within = Frame(frame.ruleset, frame.arena, frame.tables)
        state = place(_as_document(text, frame), within).state
    if canonical(state, frame.tables) != text:
        raise _not_canonical(text)
    return frame.with_state(state)


def _not_canonical(text: str) -> RuleError:
    return RuleError(f"no canonical text of this frame: {as_text(text)}")


def _parse_over(text: str, frame: Position) -> Any:
    found = re.fullmatch(rf"{GAME.slug} over winner=([AB-]) by=(\w+)", text)
    ends = [end.name.lower() for end in Termination][1:]
    if not found or found[2] not in ends:
        raise _not_canonical(text)
    state = blank_state(frame.tables)
    state["challenge"] = frame.state["challenge"]
    state["phase"], state["status"], state["to_move"] = Phase.OVER, OVER, NONE
    state["winner"] = NONE if found[1] == "-" else SEATS.index(found[1])
    state["termination"] = Termination[found[2].upper()]
    return state


def _as_document(text: str, frame: Position) -> dict[str, Any]:
    head, *parts = text.split(" ")
    pairs = [part.partition("=")[::2] for part in parts]
    fields = dict(pairs)
    if head != GAME.slug or tuple(key for key, _ in pairs) != FIELDS:
        raise _not_canonical(text)
    try:
        return _plain(fields, frame)
    except (KeyError, ValueError, TypeError, IndexError):
        raise _not_canonical(text) from None


def _plain(fields: dict[str, str], frame: Position) -> dict[str, Any]:
    out: dict[str, Any] = {"challenges": challenges_of(frame)}
    out["phase"], out["turn"] = fields["phase"], int(fields["turn"])
    out["dofus"] = "none" if fields["dofus"] == "-" else fields["dofus"]
    for key in ("glyphs", "tiles"):
        out[key] = dict(item.split(":") for item in _items(fields[key], ","))
    left, right = fields["favors"].split(",")
    slots = {"left": left, "right": right}
    out["favors"] = {slot: name.rstrip("*") for slot, name in slots.items() if name != "-"}
    out["favors"]["used"] = [slot for slot, name in slots.items() if name.endswith("*")]
    if fields["revealed"] != "-":
        out["revealed"] = fields["revealed"]
    last = out["turn"] == int(frame.tables["turns"])
    if not last:
        out["unseen"] = _items(fields["unseen"], ",")
    out["fighters"] = {letter: [_fighter(item) for item in _items(fields[letter], ",")] for letter in SEATS}
    if fields["act"] != "-":
        out["active"] = _active(fields["act"])
    if fields["pend"] != "-":
        kind, left, lifted = fields["pend"].split(":")
        out["pending"] = {"tile": kind, "left": int(left), "lifted": lifted == "1"}
    return out


def _items(text: str, mark: str) -> list[str]:
    return [] if text == "-" else text.split(mark)


def _fighter(text: str) -> dict[str, Any]:
    name, _, rest = text.partition("@")
    cell, injuries, ap, mp, state = rest.split(":")
    out: dict[str, Any] = {"name": name} | ({} if cell == "?" else {"cell": cell})
    return out | {"injuries": int(injuries), "ap": int(ap), "mp": int(mp), "state": state}


def _active(text: str) -> dict[str, Any]:
    found = ACT.fullmatch(text)
    if not found:
        raise ValueError(text)
    ap, mp, memory, longer, harder, blind, bonuses = found.groups()
    out: dict[str, Any] = {"ap": int(ap), "mp": int(mp), "casts": {}, "targets": {}, "last": {}}
    for item in _items(memory, ";"):
        entry = ENTRY.fullmatch(item)
        if not entry:
            raise ValueError(text)
        spell, cell, mark, number = entry.groups()
        if cell is None:
            out["casts"][spell] = int(number)
        elif mark == "=":
            out["targets"].setdefault(spell, {})[cell] = int(number)
        else:
            out["last"][spell] = [cell, int(number)]
    out |= {"next_range": int(longer), "next_damage": int(harder), "ignore_los": blind == "1"}
    return out | {"bonuses": _items(bonuses, ";")}
