"""Position documents of Krosmaster: Blast: validated and turned into states (section 10).

Every breach of the section raises a :class:`DocumentError` with the path of the faulty value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from balance.config.words import as_text, did_you_mean
from balance.games.krosmaster_blast import GAME
from balance.games.krosmaster_blast.books import book_of
from balance.games.krosmaster_blast.enums import Ground, Phase, Tile
from balance.games.krosmaster_blast.frames import Frame, read_frame, without_nulls
from balance.games.krosmaster_blast.layout import CHOSEN
from balance.games.krosmaster_blast.parameters import TILES
from balance.games.krosmaster_blast.seating import read_fighters
from balance.games.krosmaster_blast.states import blank_state, cell_number
from balance.games.krosmaster_blast.thinking import read_active, read_pending
from balance.games.position import Position
from balance.games.reading import fault, read_list, read_mapping, read_whole, read_word, require
from balance.kernel.contract import NONE

KEYS = (
    "game", "rules", "data", "arena", "challenges", "phase", "turn", "to_move", "dofus", "glyphs", "tiles",
    "favors", "revealed", "unseen", "fighters", "active", "pending",
)  # fmt: skip
PHASES = ("draft", "deploy", "favor", "play")
SEATS = ("A", "B")
SLOTS = ("left", "right")


def load_position(document: Any) -> Position:
    """A position from its document.

    Parameters
    ----------
    document : mapping
        Plain data as read from YAML.

    Raises
    ------
    DocumentError
        For every breach of section 10, with the path of the faulty value.
    """
    given = without_nulls(read_mapping(document, KEYS, (), "names to values"))
    read_word(require(given, "game"), (GAME.slug,), ("game",))
    return place(given, read_frame(given))


def place(document: Mapping[str, Any], frame: Frame) -> Position:
    """The position that the rest of a document describes, within `frame`."""
    tables = frame.tables
    state = blank_state(tables)
    phase = read_word(document.get("phase", "play"), PHASES, ("phase",))
    state["phase"] = Phase[phase.upper()]
    before = phase in ("draft", "deploy")
    _read_turn(document, tables, state, before)
    _read_challenges(document, tables, state)
    word = document.get("dofus")
    if word is not None:
        owner = read_word(word, (*SEATS, "none"), ("dofus",))
        state["dofus"] = NONE if owner == "none" else SEATS.index(owner)
    _read_glyphs(document, tables, state)
    _read_tiles(document, tables, state)
    if before and (state["glyphs"].any() or state["lying"].any()):
        raise fault(("glyphs",), f"nothing lies on the board in phase {phase}")
    _read_favors(document, frame, state, phase)
    read_fighters(document, frame, state)
    read_active(document, tables, state)
    read_pending(document, tables, state)
    _check_mover(document, state)
    return Position(GAME, GAME.modes[0], frame.ruleset, frame.arena, tables, state)


def _read_turn(document: Mapping[str, Any], tables: Any, state: Any, before: bool) -> None:
    if before:
        state["turn"] = read_whole(document.get("turn", 0), 0, 0, ("turn",))
        return
    turn = read_whole(document.get("turn", 1), 1, int(tables["turns"]), ("turn",))
    state["turn"], state["to_move"], state["segment"] = turn, (turn - 1) % 2, 2 * turn - 1
    _check_mover(document, state)


def _check_mover(document: Mapping[str, Any], state: Any) -> None:
    if "to_move" in document:
        seat = read_word(document["to_move"], SEATS, ("to_move",))
        if SEATS.index(seat) != state["to_move"]:
            raise fault(("to_move",), f"it is {SEATS[int(state['to_move'])]} that decides here, not {seat}")


def _read_challenges(document: Mapping[str, Any], tables: Any, state: Any) -> None:
    names, known = (
        read_list(document.get("challenges", []), ("challenges",), "challenges"),
        book_of(tables).challenges,
    )
    if len(names) > CHOSEN:
        raise fault(("challenges",), f"at most {CHOSEN} challenges are in play, not {len(names)}")
    for number, name in enumerate(names):
        if name not in known:
            hint = did_you_mean(name, known)
            raise fault(("challenges", number), f"unknown challenge {as_text(name)}", hint)
        if names.count(name) > 1:
            raise fault(("challenges", number), f"{name} stands twice")
        state["challenge"][number] = known.index(name)


# ---- the board


def _read_glyphs(document: Mapping[str, Any], tables: Any, state: Any) -> None:
    glyphs = _cells(document, "glyphs")
    for name, owner in glyphs.items():
        cell = cell_number(name, tables, ("glyphs", name))
        if tables["ground"][cell] != Ground.GLYPH:
            raise fault(("glyphs", name), f"{name} is no Glyph cell")
        seat = SEATS.index(read_word(owner, SEATS, ("glyphs", name)))
        state["owner"][cell] = seat
        state["glyphs"][seat] += 1


def _read_tiles(document: Mapping[str, Any], tables: Any, state: Any) -> None:
    tiles = _cells(document, "tiles")
    for name, kind in tiles.items():
        cell = cell_number(name, tables, ("tiles", name))
        if tables["ground"][cell] != Ground.PLAIN:
            raise fault(("tiles", name), f"no tile lies on a Glyph cell, tree or bush, so none on {name}")
        tile = Tile[read_word(kind, TILES, ("tiles", name)).upper()]
        state["tile"][cell] = tile
        state["lying"][tile] += 1
        if state["lying"][tile] > tables["tile_limit"]:
            limit = int(tables["tile_limit"])
            raise fault(("tiles", name), f"more than {limit} {kind} tiles", "rules.tile_limit")


def _cells(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    given = document.get(key, {})
    if not isinstance(given, Mapping):
        raise fault((key,), f"must be a mapping of cells, not {as_text(given)}")
    return without_nulls(given)


# ---- favors


def _read_favors(document: Mapping[str, Any], frame: Frame, state: Any, phase: str) -> None:
    names = book_of(frame.tables).favors
    given = without_nulls(
        read_mapping(document.get("favors", {}), (*SLOTS, "used"), ("favors",), "left and right to favors")
    )
    for number, slot in enumerate(SLOTS):
        if slot in given:
            state["favor"][number] = _favor(given[slot], names, ("favors", slot))
    for number, slot in enumerate(read_list(given.get("used", []), ("favors", "used"), "left or right")):
        path = ("favors", "used", number)
        side = SLOTS.index(read_word(slot, SLOTS, path))
        if state["favor"][side] == NONE or phase != "play":
            raise fault(path, "only a favor that is face up in phase play can be used")
        state["used"][side] = 1
    if ("revealed" in document) != (phase == "favor"):
        raise fault(("revealed",) if phase != "favor" else (), "a revealed favor belongs to phase favor")
    if phase == "favor":
        state["revealed"] = _favor(document["revealed"], names, ("revealed",))
    if phase in ("draft", "deploy") and (state["favor"] != NONE).any():
        raise fault(("favors",), f"no favor is on the table in phase {phase}")
    _read_unseen(document, frame, state)


def _favor(value: Any, names: tuple[str, ...], path: tuple[str | int, ...]) -> int:
    if not isinstance(value, str) or value not in names:
        hint = did_you_mean(value, names) if isinstance(value, str) else ""
        raise fault(path, f"unknown favor {as_text(value)}", hint)
    return names.index(value)


def _read_unseen(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    tables, names = frame.tables, book_of(frame.tables).favors
    visible = [favor for favor in (*state["favor"].tolist(), int(state["revealed"])) if favor != NONE]
    pool = {number for number in range(len(names)) if int(tables["pool"]) >> number & 1}
    if "unseen" in document:
        listed = read_list(document["unseen"], ("unseen",), "favors")
        unseen = [_favor(name, names, ("unseen", number)) for number, name in enumerate(listed)]
        for number, favor in enumerate(unseen):
            if favor not in pool:
                raise fault(("unseen", number), f"{names[favor]} is not in the pool under these rules")
    else:
        unseen = sorted(pool - set(visible))
    for favor, count in Counter([*visible, *unseen]).items():
        if count > 1:
            raise fault(("unseen",), f"{names[favor]} stands twice among face-up, revealed and unseen favors")
    needed = int(tables["turns"]) - int(state["turn"])
    if len(unseen) < needed:
        raise fault(
            ("unseen",), f"{needed} favors are still to be revealed, and only {len(unseen)} are unseen"
        )
    state["unseen"] = np.uint64(sum(1 << favor for favor in unseen) if needed else 0)
