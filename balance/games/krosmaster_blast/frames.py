"""The frame of a position document of Krosmaster: Blast: rules, cards and field (sections 2, 9 and 10)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from balance.config.validate import faults
from balance.config.words import as_text, did_you_mean
from balance.games.game import ArenaInfo, Ruleset
from balance.games.krosmaster_blast import schema, tables
from balance.games.krosmaster_blast.cards import SECTIONS, card_faults, merged
from balance.games.krosmaster_blast.files import shipped_files
from balance.games.krosmaster_blast.parameters import PARAMETERS
from balance.games.krosmaster_blast.terrain import map_faults
from balance.games.reading import fault, read_list, read_mapping

FIELD = "fields_west"  # the field of a document that names none
KNOWN = tuple(item.name for item in PARAMETERS if not item.ours)


@dataclass(frozen=True, eq=False)
class Frame:
    """What positions are compared within: rules and cards, field, and the tables made of them."""

    ruleset: Ruleset
    arena: ArenaInfo
    tables: Any


def without_nulls(value: Any) -> Any:
    """A mapping without the keys that say nothing (section 10: null is absent)."""
    if not isinstance(value, Mapping):
        return value
    return {key: item for key, item in value.items() if item is not None}


def read_frame(document: Mapping[str, Any]) -> Frame:
    """Rules, cards and field of a document."""
    rules = read_rules(document.get("rules", {}))
    data = read_data(document.get("data", {}))
    fields = data.pop("fields", {})
    for name, rows in fields.items():
        check_rows(rows, ("data", "fields", name))
    arena = document.get("arena", FIELD)
    if isinstance(arena, str) and arena in fields:
        arena = fields[arena]
    if isinstance(arena, str):
        known = shipped().arenas
        if arena not in known:
            hint = did_you_mean(arena, [*known, *fields])
            raise fault(("arena",), f"unknown arena {as_text(arena)}", hint)
    else:
        check_rows(arena, ("arena",))
        arena = tuple(arena)
    return frame_of(json.dumps([rules, data], sort_keys=True), arena)


def check_rows(rows: Any, path: tuple[str | int, ...]) -> None:
    """Refuse what is no field."""
    for place, message in map_faults(read_list(rows, path, "rows of a field, or the name of one")):
        raise fault((*path, place) if place >= 0 else path, message)


def read_rules(rules: Any) -> dict[str, Any]:
    """Parameters that a document overrides, each of the right type and in its range."""
    given = without_nulls(read_mapping(rules, KNOWN, ("rules",), "parameters to values"))
    for path, message, hint in faults(schema.Overrides, {"rules": given}):
        raise fault(path or ("rules",), message, hint)
    return dict(given)


def read_data(data: Any) -> dict[str, Any]:
    """Rows that a document merges into the cards and fields."""
    given = without_nulls(read_mapping(data, ("fields", *SECTIONS), ("data",), "sections to rows"))
    for section, rows in given.items():
        if not isinstance(rows, Mapping):
            raise fault(("data", section), f"must be a mapping of names to rows, not {as_text(rows)}")
    return {section: without_nulls(rows) for section, rows in given.items()}


@lru_cache(maxsize=1)
def shipped() -> Ruleset:
    """The shipped ruleset without overrides."""
    return schema.load_ruleset(None, {}, None)


@lru_cache(maxsize=256)
def frame_of(changes: str, arena: str | tuple[str, ...]) -> Frame:
    """The frame of valid parts; `changes` is JSON of rules and rows, so that equal frames are made once."""
    rules, data = json.loads(changes)
    ruleset = ruleset_with(rules, data) if rules or data else shipped()
    if isinstance(arena, str):
        info = shipped().arenas[arena]
    else:
        info = ArenaInfo("", "own field", arena, "ours")
    return Frame(ruleset, info, tables.compile_tables(ruleset, "duel", info.rows))


def ruleset_with(rules: Mapping[str, Any], data: Mapping[str, Any]) -> Ruleset:
    """The shipped ruleset with parameters overridden and rows merged in."""
    files = shipped_files()
    cards = merged(files.plain.data, data)
    if data:
        for path, message, hint in card_faults(cards):
            raise fault(("data", *path), message, hint)
    values = schema.final_values(files, rules, cards)
    for dotted, message, hint in schema.value_faults(values):
        raise fault(tuple(dotted.split(".")), message, hint)
    return schema.ruleset_of(files, values)


@cache
def usual_values(level: str) -> dict[str, Any]:
    """The values of a document that names a level and nothing else."""
    files = shipped_files()
    return schema.final_values(files, {"level": level}, files.plain.data)


def changed_rules(ruleset: Ruleset) -> dict[str, Any]:
    """The level and the parameters that differ from its usual ones, as a document lists them."""
    values = ruleset.values
    usual = usual_values(values["level"])
    level = {"level": values["level"]} if values["level"] != shipped().values["level"] else {}
    return level | {name: values[name] for name in KNOWN if values[name] != usual[name]}


def changed_data(ruleset: Ruleset) -> dict[str, Any]:
    """The cards that differ from the shipped ones, whole, as a document lists them."""
    changed: dict[str, Any] = {}
    for section in SECTIONS:
        usual = shipped().values[section]
        rows = {name: card for name, card in ruleset.values[section].items() if card != usual.get(name)}
        if rows:
            changed[section] = rows
    return changed
