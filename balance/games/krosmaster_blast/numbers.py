"""Every number of Krosmaster: Blast with its provenance: parameters, cards, fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.config.sourced import CHANGED
from balance.games.game import Number
from balance.games.krosmaster_blast.cards import SECTIONS
from balance.games.krosmaster_blast.files import Files, Steps, shipped_files, written_path
from balance.games.krosmaster_blast.parameters import LEVELS, PARAMETERS

LEVEL_SOURCE = "printed"  # what the two levels of the rulebook switch on and off
SECTION_PATHS = {"krosmasters": "heroes", "minions": "heroes"}
#: What is said of each value of a card.
MEANINGS = {
    "mp": ("0 and more", "movement points"),
    "hp": ("1 and more", "health points"),
    "ap": ("0 and more", "action points"),
    "range": ("two whole numbers", "nearest and farthest cell"),
    "damage": ("whole number", "injuries before the roll"),
    "per_turn": ("0 and more", "casts an activation"),
    "per_target": ("0 and more", "casts an activation at one target"),
    "max_run": ("0 and more", "casts in a row at one target"),
    "glyphs": ("whole number", "Glyph cells that are needed"),
    "effects": ("list of effects", "what it does, in order"),
}


def all_numbers(files: Files, values: Mapping[str, Any]) -> list[Number]:
    """Parameters, then cards, then fields."""
    return [*_rules(files, values), *_cards(files, values), *_arenas(files)]


def _rules(files: Files, values: Mapping[str, Any]) -> Iterator[Number]:
    usual = shipped_files().rules.rules
    for item in PARAMETERS:
        written, known = getattr(files.rules.rules, item.name), getattr(usual, item.name)
        before = known.value if known else LEVELS[values["level"]][item.name]
        source = (written.source if written else None) or (known.source if known else LEVEL_SOURCE)
        if values[item.name] != before:
            source = CHANGED
        yield Number(
            f"rules.{item.name}", values[item.name], source or CHANGED, item.kind.words(), item.text, before
        )


def leaves(value: Any, path: Steps) -> Iterator[tuple[Steps, Any]]:
    """Values of a card that are no mapping, with their paths."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def _cards(files: Files, values: Mapping[str, Any]) -> Iterator[Number]:
    plain, usual = files.plain, shipped_files().plain
    for section in SECTIONS:
        before = dict(leaves(usual.data[section], (section,)))
        for path, value in leaves(values[section], (section,)):
            source = plain.source(path) or usual.source(path) or CHANGED
            if value != before.get(path):
                source = CHANGED
            allowed, text = MEANINGS.get(str(path[-1]), ("", ""))
            shown = ".".join(map(str, (SECTION_PATHS.get(section, section), *written_path(path)[1:])))
            yield Number(shown, value, source, allowed, text, before.get(path))


def _arenas(files: Files) -> Iterator[Number]:
    for name, arena in files.arenas.arenas.items():
        known = shipped_files().arenas.arenas.get(name)
        same = known is not None and known.map == arena.map
        source = (arena.source or (known.source if known else None)) if same else CHANGED
        before = "\n".join(known.map) if known is not None else None
        allowed = "3 to 26 columns, 3 to 20 rows"
        yield Number(f"arenas.{name}", "\n".join(arena.map), source or CHANGED, allowed, arena.text, before)
