"""The frame of a position document of Jump Masters: its keys, mode, rules and arena (section 11)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from balance.config.words import as_text, did_you_mean, listed, nearest
from balance.games.game import ArenaInfo, Ruleset
from balance.games.game import Mode as GameMode
from balance.games.jump_masters import GAME, schema, tables
from balance.games.position import DocumentError
from balance.games.reading import Path, fault, read_list, read_word, require

ALWAYS = ("game", "rules", "arena", "mode", "phase", "to_move")
AFTER_DRAFT = ("zones", "heroes")
IN_TURN = (*AFTER_DRAFT, "turn", "vp")
PHASE_KEYS = {
    "draft": ("draft", "picks", "hands"),
    "zone": AFTER_DRAFT,
    "deploy": AFTER_DRAFT,
    "turn": IN_TURN,
    "stepped": (*IN_TURN, "hero"),
    "jumping": (*IN_TURN, "hero", "used"),
    "redeploy": (*IN_TURN, "active"),
}
MAP_CHARACTERS = frozenset(".#=*zh \t\r\n")


@dataclass(frozen=True)
class Frame:
    """What positions are compared within: mode, rules and arena, and the tables made of them."""

    mode: GameMode
    ruleset: Ruleset
    arena: ArenaInfo
    tables: Any


# ---- keys and frame


def read_phase(document: Any) -> str:
    """The phase of a document whose keys all have a place in it."""
    if not isinstance(document, Mapping):
        raise fault((), f"a position must be a mapping of names to values, not {as_text(document)}")
    phase = read_word(document.get("phase", "turn"), tuple(PHASE_KEYS), ("phase",))
    allowed = (*ALWAYS, *PHASE_KEYS[phase])
    for key in document:
        if key not in allowed:
            raise _wrong_key(key, phase, allowed)
    read_word(require(document, "game"), (GAME.slug,), ("game",))
    return phase


def _wrong_key(key: Any, phase: str, allowed: Sequence[str]) -> DocumentError:
    homes = [name for name, keys in PHASE_KEYS.items() if key in keys]
    if homes:
        message = f"has no place in phase {phase}, only in {listed(homes)}"
        return fault((key,), message, "remove it or write the right phase", at_key=True)
    return fault((key,), f"unknown key {as_text(key)}", did_you_mean(key, allowed), at_key=True)


def read_frame(document: Mapping[str, Any]) -> Frame:
    """Mode, rules and arena of a document."""
    mode = read_word(document.get("mode", "duel"), [mode.name for mode in GAME.modes], ("mode",))
    rules = read_rules(document.get("rules", {}), mode)
    arena = read_arena(require(document, "arena"))
    return frame_of(json.dumps(rules, sort_keys=True), mode, arena)


def read_rules(rules: Any, mode: str) -> dict[str, Any]:
    """Overrides of parameters, each of the right type and in its range."""
    if not isinstance(rules, Mapping):
        raise fault(("rules",), f"must be a mapping of parameters to values, not {as_text(rules)}")
    for path, message, hint in schema.validate_rules(rules, mode):
        raise fault(rule_path(path), message, hint, at_key="unknown" in message)
    return dict(rules)


def rule_path(path: str | Path) -> Path:
    """The place of a parameter in a document, from a dotted path or from steps."""
    steps = tuple(path.split(".")) if isinstance(path, str) else tuple(path)
    steps = tuple(step for step in steps if step != "")
    return steps if steps[:1] == ("rules",) else ("rules", *steps)


def read_arena(value: Any) -> str | tuple[str, ...]:
    """An arena's name, or map rows without blanks, top row first."""
    arenas = shipped().arenas
    if isinstance(value, str) and value in arenas:
        return value
    if isinstance(value, str) and not MAP_CHARACTERS.issuperset(value):
        hint = (
            did_you_mean(value, arenas)
            if nearest(value, list(arenas))
            else f"known: {listed(arenas)}; or write a map"
        )
        raise fault(("arena",), f"unknown arena {as_text(value)}", hint)
    if isinstance(value, str):
        lines: list[str] = [line for line in value.splitlines() if line.strip()]
    else:
        lines = read_list(value, ("arena",), "map rows, or the name of an arena")
    rows = ["".join(line.split()) for line in lines]
    if "" in rows:
        raise fault(("arena", rows.index("")), "a map row is empty")
    for message in schema.check_map(rows):
        raise fault(("arena",), message)
    return tuple(rows)


@lru_cache(maxsize=1)
def shipped() -> Ruleset:
    """The shipped ruleset without overrides."""
    return schema.load_ruleset(None, {}, None)


@lru_cache(maxsize=64)
def frame_of(rules: str, mode: str, arena: str | tuple[str, ...]) -> Frame:
    """The frame of valid parts; `rules` is their JSON text, so that equal frames are made once."""
    ruleset = schema.load_ruleset(None, {"rules": json.loads(rules)}, mode)
    if isinstance(arena, str):
        info = ruleset.arenas[arena]
    else:
        info = ArenaInfo("", "own map", arena, "ours")
    return Frame(GAME.mode(mode), ruleset, info, tables.compile_tables(ruleset, mode, info.rows))


def changed_rules(ruleset: Ruleset) -> dict[str, Any]:
    """The parameters that differ from the shipped ones, as a document lists them."""
    changed: dict[str, Any] = {}
    for name, value in ruleset.values.items():
        usual = shipped().values[name]
        if isinstance(value, Mapping):
            value = {hero: number for hero, number in value.items() if number != usual[hero]}
            usual = {}
        if value != usual:
            changed[name] = list(value) if isinstance(value, tuple) else value
    return changed
