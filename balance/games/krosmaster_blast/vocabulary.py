"""The vocabulary of card rows (section 2): which fields there are, and of what kind each is.

A card is a mapping of plain data; a new Krosmaster, spell, favor or challenge is such a mapping and nothing
else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.config.words import as_text, did_you_mean, listed
from balance.games.krosmaster_blast.parameters import TILES

Path = tuple[str | int, ...]
Fault = tuple[Path, str, str]  # path in the row, message, hint

TARGETS = ("none", "fighter", "enemy", "ally", "free_cell", "enemy_glyph")
FIGHTERS = ("fighter", "enemy", "ally")  # targets with a Fighter for certain
WHO = ("target", "caster", "around", "enemy_krosmasters", "own_krosmasters")
SERVED = ("self", "krosmasters", "all")
#: Fields of each effect beside `do` and `if`.
VERBS: dict[str, tuple[str, ...]] = {
    "bonus": ("amount",),
    "ap": ("amount", "who", "dist"),
    "mp": ("amount", "who", "dist"),
    "heal": ("amount", "who", "dist"),
    "injure": ("amount", "who", "dist"),
    "shove": ("amount",),
    "leap": (),
    "swap": (),
    "summon": ("minion", "limit"),
    "tile": ("kind", "count"),
    "flip_glyph": (),
    "next_range": ("amount",),
    "next_damage": ("amount",),
    "ignore_los": (),
}
CONDITIONS = ("glyphs", "ally_adjacent", "bush_adjacent")
ROW_FIELDS = ("target", "range", "los", "effects")
MORE_FIELDS = {
    "spell": ("damage", "element", "per_turn", "per_target", "max_run"),
    "favor": ("superior",),
    "bonus": ("glyphs",),
}
PASSIVE_FIELDS = ("glyphs", "of", "damage", "max_range", "on_capture_mp", "run_bonus")
NAME = re.compile(r"[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*")


def name_faults(name: Any, path: Path) -> Iterator[Fault]:
    """A name is one word, as texts of positions and actions need it."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield path, f"{as_text(name)} cannot name a card", "letters, digits, _ and - inside"


def whole_faults(value: Any, path: Path, low: int | None = 0) -> Iterator[Fault]:
    """A whole number, at least `low`."""
    if isinstance(value, bool) or not isinstance(value, int):
        yield path, f"must be a whole number, not {as_text(value)}", ""
    elif low is not None and value < low:
        yield path, f"must be at least {low}, not {value}", ""
    elif abs(value) > 1000:
        yield path, f"{value} is too large; at most 1000", ""


def flag_faults(value: Any, path: Path) -> Iterator[Fault]:
    """True or false."""
    if not isinstance(value, bool):
        yield path, f"must be true or false, not {as_text(value)}", ""


def word_faults(value: Any, words: Sequence[str], path: Path) -> Iterator[Fault]:
    """One of some words."""
    if not isinstance(value, str) or value not in words:
        hint = did_you_mean(value, words) if isinstance(value, str) else ""
        yield path, f"must be one of {listed(words)}, not {as_text(value)}", hint


def text_faults(value: Any, path: Path) -> Iterator[Fault]:
    """Any text."""
    if not isinstance(value, str):
        yield path, f"must be text, not {as_text(value)}", ""


def span_faults(value: Any, path: Path) -> Iterator[Fault]:
    """Two whole numbers, the first at most the second."""
    good = isinstance(value, list | tuple) and len(value) == 2
    good = good and all(isinstance(end, int) and not isinstance(end, bool) for end in value)
    if not good or not 0 <= value[0] <= value[1] <= 1000:
        yield path, "must be two whole numbers, 0 <= smallest <= largest", "for example [1, 3]"


def key_faults(row: Any, keys: Sequence[str], path: Path) -> Iterator[Fault]:
    """A mapping without unknown keys."""
    if not isinstance(row, Mapping):
        yield path, f"must be a mapping of names to values, not {as_text(row)}", ""
        return
    for key in row:
        if key not in keys:
            yield (*path, key), f"unknown key {as_text(key)}", did_you_mean(key, keys)


def mapping_faults(value: Any, path: Path) -> Iterator[Fault]:
    """A mapping of card names to cards."""
    if not isinstance(value, Mapping):
        yield path, f"must be a mapping of names to cards, not {as_text(value)}", ""
        return
    for name in value:
        yield from name_faults(name, (*path, name))


# ---- rows


def row_faults(row: Any, kind: str, path: Path) -> Iterator[Fault]:
    """Faults of a spell, favor or active bonus (`kind`): fields first, then what they say together."""
    found = list(_fields(row, kind, path))
    yield from found
    if not found:
        yield from _together(row, kind, path)


def _fields(row: Any, kind: str, path: Path) -> Iterator[Fault]:
    yield from key_faults(row, ROW_FIELDS + MORE_FIELDS[kind], path)
    if not isinstance(row, Mapping):
        return
    checks = {"range": span_faults, "los": flag_faults, "superior": flag_faults, "element": text_faults}
    for key, value in row.items():
        if key == "target":
            yield from word_faults(value, TARGETS, (*path, key))
        elif key == "effects":
            yield from _effects(value, (*path, key))
        elif key in ROW_FIELDS + MORE_FIELDS[kind]:
            yield from checks.get(key, whole_faults)(value, (*path, key))


def _effects(value: Any, path: Path) -> Iterator[Fault]:
    if not isinstance(value, list | tuple):
        yield path, f"must be a list of effects, not {as_text(value)}", ""
        return
    if len(value) > 64:
        yield path, "a row has at most 64 effects", ""
    for place, effect in enumerate(value):
        yield from _effect(effect, (*path, place))


def _effect(effect: Any, path: Path) -> Iterator[Fault]:
    given = effect.get("do") if isinstance(effect, Mapping) else effect
    if not isinstance(effect, Mapping) or not isinstance(given, str) or given not in VERBS:
        hint = did_you_mean(given, VERBS) if isinstance(given, str) else ""
        hint = f"write {{do: {given}}}" if given is effect and given in list(VERBS) else hint
        yield path, f"an effect begins with do: and one of {listed(VERBS)}, not {as_text(given)}", hint
        return
    verb = effect["do"]
    yield from key_faults(effect, ("do", "if", *VERBS[verb]), path)
    for key, value in effect.items():
        yield from _effect_field(verb, key, value, (*path, key))
    for key in {"amount", "minion", "kind"}.intersection(VERBS[verb]):
        if key not in effect:
            yield path, f"the effect {verb} needs {key}", ""
    if (effect.get("who") == "around") != ("dist" in effect):
        yield path, "dist: [nearest, farthest] belongs to who: around", ""
    if "if" in effect:
        yield from _conditions(effect["if"], (*path, "if"))


def _effect_field(verb: str, key: str, value: Any, path: Path) -> Iterator[Fault]:
    if key == "amount":
        yield from whole_faults(value, path, None if verb in ("ap", "mp") else 0)
    elif key == "limit":
        yield from whole_faults(value, path)
    elif key == "count":
        yield from whole_faults(value, path, 1)
    elif key == "who":
        yield from word_faults(value, WHO, path)
    elif key == "dist":
        yield from span_faults(value, path)
    elif key == "kind":
        yield from word_faults(value, TILES, path)
    elif key == "minion":
        yield from text_faults(value, path)


def _conditions(value: Any, path: Path) -> Iterator[Fault]:
    yield from key_faults(value, CONDITIONS, path)
    if isinstance(value, Mapping):
        for key, wanted in value.items():
            if key == "glyphs":
                yield from whole_faults(wanted, (*path, key))
            elif key in CONDITIONS and wanted is not True:
                yield (*path, key), f"must be true, not {as_text(wanted)}", "or leave it out"


def _together(row: Mapping[str, Any], kind: str, path: Path) -> Iterator[Fault]:
    target, effects = row.get("target", "none"), row.get("effects", [])
    verbs = [effect["do"] for effect in effects]
    if target != "none" and "range" not in row:
        yield path, f"a row with target: {target} needs a range", "for example range: [1, 3]"
    if target not in FIGHTERS:
        yield from _needs_fighter(row, effects, path)
    if {"leap", "summon"}.intersection(verbs) and target != "free_cell":
        yield path, "leap and summon need target: free_cell", ""
    if verbs.count("leap") + verbs.count("summon") > 1:
        yield path, "a row has one leap or one summon at most", ""
    if "flip_glyph" in verbs and target != "enemy_glyph":
        yield path, "flip_glyph needs target: enemy_glyph", ""
    if "tile" in verbs[:-1]:
        yield path, "tile must be the last effect", ""
    if "tile" in verbs and row.get("damage", 0) > 0:
        yield path, "a row with damage places no tiles", ""


def _needs_fighter(row: Mapping[str, Any], effects: Sequence[Any], path: Path) -> Iterator[Fault]:
    needs = f"needs a target that is a Fighter: {', '.join(FIGHTERS)}"
    for key in ("damage", "per_target", "max_run"):
        if row.get(key, 0) > 0:
            yield (*path, key), needs, ""
    for place, effect in enumerate(effects):
        verb, where = effect["do"], (*path, "effects", place)
        if verb in ("shove", "swap"):
            yield where, f"{verb} {needs}", ""
        if "who" in VERBS[verb] and effect.get("who", "target") == "target":
            yield where, f"who: target {needs}", ""
        if {"ally_adjacent", "bush_adjacent"}.intersection(effect.get("if", {})):
            yield where, f"the condition {needs}", ""


def passive_faults(row: Any, challenge: bool, path: Path) -> Iterator[Fault]:
    """Faults of a power, or of a passive bonus of a challenge."""
    yield from key_faults(row, PASSIVE_FIELDS, path)
    if not isinstance(row, Mapping):
        return
    if challenge and row.get("of") in (None, "self"):
        yield path, "a challenge serves others: of: krosmasters or of: all", ""
    for key, value in row.items():
        if key == "of":
            yield from word_faults(value, SERVED, (*path, key))
        elif key == "run_bonus":
            yield from _run_bonus(value, (*path, key))
        elif key in PASSIVE_FIELDS:
            yield from whole_faults(value, (*path, key), None)


def _run_bonus(value: Any, path: Path) -> Iterator[Fault]:
    yield from key_faults(value, ("spell", "amount"), path)
    if isinstance(value, Mapping):
        for key in ("spell", "amount"):
            if key not in value:
                yield path, f"a run bonus needs {key}", ""
        if "spell" in value:
            yield from text_faults(value["spell"], (*path, "spell"))
        if "amount" in value:
            yield from whole_faults(value["amount"], (*path, "amount"), None)
