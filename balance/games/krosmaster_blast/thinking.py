"""The active Fighter of position documents: points, memory, boosts, tiles to place (section 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from balance.config.words import as_text, did_you_mean
from balance.games.krosmaster_blast.books import book_of
from balance.games.krosmaster_blast.enums import Tile
from balance.games.krosmaster_blast.frames import without_nulls
from balance.games.krosmaster_blast.layout import AIMED
from balance.games.krosmaster_blast.parameters import TILES
from balance.games.krosmaster_blast.states import cell_number
from balance.games.reading import fault, read_list, read_mapping, read_whole, read_word
from balance.kernel.contract import NONE

KEYS = ("ap", "mp", "casts", "targets", "last", "next_range", "next_damage", "ignore_los", "bonuses")
MOST = 10_000
Path = tuple[str | int, ...]


def read_active(document: Mapping[str, Any], tables: Any, state: Any) -> None:
    """Points, memory and boosts of the active Fighter."""
    given = without_nulls(read_mapping(document.get("active", {}), KEYS, ("active",), "values"))
    slot = int(state["active"])
    if slot == NONE:
        if "active" in document:
            raise fault(("active",), "nobody is active", "give one Fighter state: active")
        return
    fighter = state["fighter"][slot]
    figure = tables["figure"][int(fighter["figure"])]
    for key in ("ap", "mp"):
        usual = max(0, int(figure[key]) + int(fighter[key]))
        state[key] = read_whole(given.get(key, usual), 0, 2 * MOST, ("active", key))
        fighter[key] = 0
    for key in ("next_range", "next_damage"):
        state[key] = read_whole(given.get(key, 0), 0, MOST, ("active", key))
    state["ignore_los"] = _flag(given.get("ignore_los", False), ("active", "ignore_los"))
    _read_bonuses(given, tables, state)
    rows = _spells(tables, state)
    _read_casts(given, rows, state)
    _read_targets(given, rows, tables, state)
    _read_last(given, rows, tables, state)


def _flag(value: Any, path: Path) -> int:
    if not isinstance(value, bool):
        raise fault(path, f"must be true or false, not {as_text(value)}")
    return int(value)


def _read_bonuses(given: Mapping[str, Any], tables: Any, state: Any) -> None:
    all_bonuses, used = book_of(tables).bonuses, 0
    dealt = [tables["challenge"][number] for number in state["challenge"].tolist() if number != NONE]
    first = int(tables["first_bonus"])
    spans = [(int(card["first_bonus"]) - first, int(card["bonuses"])) for card in dealt]
    known = tuple(all_bonuses[place + index] for place, count in spans for index in range(count))
    for number, name in enumerate(
        read_list(given.get("bonuses", []), ("active", "bonuses"), "active bonuses")
    ):
        if name not in known:
            hint = did_you_mean(name, known)
            raise fault(("active", "bonuses", number), f"unknown active bonus {as_text(name)}", hint)
        used |= 1 << all_bonuses.index(name)
    state["bonuses"] = np.uint64(used)


def _spells(tables: Any, state: Any) -> dict[str, tuple[int, Any]]:
    """Spells of the active Fighter: number and row by name."""
    number = int(state["fighter"][int(state["active"])]["figure"])
    first, names = int(tables["figure"][number]["first_spell"]), book_of(tables).spells[number]
    return {name: (place, tables["row"][first + place]) for place, name in enumerate(names)}


def _limited(
    given: Mapping[str, Any], key: str, limit: str, rows: Mapping[str, tuple[int, Any]]
) -> list[tuple[int, Any, Path]]:
    """Entries of one kind of memory: number of the spell, value, path."""
    path: Path = ("active", key)
    entries = without_nulls(
        read_mapping(given.get(key, {}), tuple(rows), path, "spells of the active Fighter")
    )
    for name in entries:
        if not rows[name][1][limit]:
            raise fault((*path, name), f"{name} has no {limit}, so nothing is remembered")
    return [(rows[name][0], value, (*path, name)) for name, value in entries.items()]


def _read_casts(given: Mapping[str, Any], rows: Mapping[str, tuple[int, Any]], state: Any) -> None:
    for spell, value, path in _limited(given, "casts", "per_turn", rows):
        state["casts"][spell] = read_whole(value, 1, MOST, path)


def _standing(name: Any, tables: Any, state: Any, path: Path) -> int:
    slot = int(state["at"][cell_number(name, tables, path)])
    if slot == NONE:
        raise fault(path, f"nobody stands on {name}")
    return slot


def _read_targets(
    given: Mapping[str, Any], rows: Mapping[str, tuple[int, Any]], tables: Any, state: Any
) -> None:
    for spell, value, path in _limited(given, "targets", "per_target", rows):
        if not isinstance(value, Mapping):
            raise fault(path, f"must be a mapping of cells to casts, not {as_text(value)}")
        for name, casts in without_nulls(value).items():
            slot = _standing(name, tables, state, (*path, name))
            if state["aimed"] == AIMED:
                raise fault(path, f"there is room for {AIMED} entries")
            entry = state["aim"][int(state["aimed"])]
            entry["spell"], entry["target"] = spell, slot
            entry["casts"] = read_whole(casts, 1, MOST, (*path, name))
            state["aimed"] += 1


def _read_last(
    given: Mapping[str, Any], rows: Mapping[str, tuple[int, Any]], tables: Any, state: Any
) -> None:
    for spell, value, path in _limited(given, "last", "max_run", rows):
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise fault(path, "must be a cell and how many casts in a row", "for example [c2, 1]")
        state["last"][spell] = _standing(value[0], tables, state, (*path, 0))
        state["run"][spell] = read_whole(value[1], 1, MOST, (*path, 1))


def read_pending(document: Mapping[str, Any], tables: Any, state: Any) -> None:
    """Tiles that the active Fighter is placing."""
    if "pending" not in document:
        return
    path: Path = ("pending",)
    given = without_nulls(read_mapping(document["pending"], ("tile", "left", "lifted"), path, "values"))
    if state["active"] == NONE:
        raise fault(path, "nobody is active", "give one Fighter state: active")
    if "tile" not in given:
        raise fault(path, "the key 'tile' is missing")
    tile = Tile[read_word(given["tile"], TILES, (*path, "tile")).upper()]
    state["pending"] = tile
    state["pending_left"] = read_whole(given.get("left", 1), 1, MOST, (*path, "left"))
    state["lifted"] = _flag(given.get("lifted", False), (*path, "lifted"))
    if state["lifted"] and state["lying"][tile] >= tables["tile_limit"]:
        raise fault((*path, "lifted"), "a tile was lifted, and still as many as allowed lie")
