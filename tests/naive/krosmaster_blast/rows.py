"""Card rows: what a spell, favor, bonus, passive, Krosmaster or minion may say (section 2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .base import listing, mapping, need, truth, whole, word
from .board import Field

SECTIONS = ("fields", "krosmasters", "minions", "favors", "challenges")
TARGETS = ("none", "fighter", "enemy", "ally", "free_cell", "enemy_glyph")
FIGHTER_TARGETS = ("fighter", "enemy", "ally")
TILES = ("fire", "ice", "fog")
WHO = ("target", "caster", "around", "enemy_krosmasters", "own_krosmasters")

ROW_FIELDS = {"target", "range", "los", "effects"}
KIND_FIELDS = {
    "spell": {"damage", "element", "per_turn", "per_target", "max_run"},
    "favor": {"superior"},
    "bonus": {"glyphs"},
}
VERB_FIELDS = {
    "bonus": {"amount"},
    "ap": {"amount", "who", "dist"},
    "mp": {"amount", "who", "dist"},
    "heal": {"amount", "who", "dist"},
    "injure": {"amount", "who", "dist"},
    "shove": {"amount"},
    "leap": set(),
    "swap": set(),
    "summon": {"minion", "limit"},
    "tile": {"kind", "count"},
    "flip_glyph": set(),
    "next_range": {"amount"},
    "next_damage": {"amount"},
    "ignore_los": set(),
}


@dataclass
class Effect:
    do: str
    amount: int = 0
    who: str = ""  # for verbs that have it
    dist: tuple = ()
    minion: str = ""
    limit: int = 0
    kind: str = ""
    count: int | None = None
    conditions: dict = field(default_factory=dict)


@dataclass
class Row:
    name: str
    target: str = "none"
    low: int = 0
    high: int = 0
    los: bool = True
    effects: list = field(default_factory=list)
    damage: int = 0
    per_turn: int = 0
    per_target: int = 0
    max_run: int = 0
    superior: bool = False
    glyphs: int = 0

    def has(self, verb):
        return any(effect.do == verb for effect in self.effects)


@dataclass
class Passive:
    name: str
    of: str
    glyphs: int = 0
    damage: int = 0
    max_range: int = 0
    on_capture_mp: int = 0
    run_bonus: tuple = ("", 0)  # spell, amount


@dataclass
class Card:
    name: str
    minion: bool
    mp: int
    hp: int
    ap: int
    spells: dict
    powers: list


@dataclass
class Challenge:
    name: str
    passive: list
    active: dict


def read_name(name):
    """Names must not disturb canonical texts."""
    need(re.fullmatch("[A-Za-z0-9_]+", name), f"a strange name {name!r}")
    return name


def span(value, what):
    need(type(value) is list and len(value) == 2, f"{what} is no pair")
    low, high = whole(value[0], 0, None, what), whole(value[1], 0, None, what)
    need(low <= high, f"{what}: the first is larger")
    return (low, high)


def read_row(name, given, kind, minion_names):
    given = mapping(given, ROW_FIELDS | KIND_FIELDS[kind], f"{kind} {name}")
    row = Row(read_name(name))
    row.target = word(given.get("target", "none"), TARGETS, "target")
    need("range" in given or row.target == "none", f"{name} has no range")
    if "range" in given:
        row.low, row.high = span(given["range"], "range")
    row.los = truth(given.get("los", True), "los")
    row.superior = truth(given.get("superior", False), "superior")
    for key in ("damage", "per_turn", "per_target", "max_run", "glyphs"):
        setattr(row, key, whole(given.get(key, 0), 0, None, key))
    need(type(given.get("element", "")) is str, "element")
    row.effects = [read_effect(entry, minion_names) for entry in listing(given.get("effects", []), "effects")]
    check_row(row)
    return row


def read_effect(given, minion_names):
    need(type(given) is dict, "an effect is no mapping")
    verb = word(given.get("do"), VERB_FIELDS, "do")
    given = mapping(given, {"do", "if"} | VERB_FIELDS[verb], f"effect {verb}")
    effect = Effect(verb)
    if "amount" in VERB_FIELDS[verb]:
        need("amount" in given, f"{verb} without an amount")
        effect.amount = whole(given["amount"], None if verb in ("ap", "mp") else 0, None, "amount")
    if "who" in VERB_FIELDS[verb]:
        effect.who = word(given.get("who", "target"), WHO, "who")
        need(("dist" in given) == (effect.who == "around"), "dist belongs to around")
        effect.dist = span(given["dist"], "dist") if "dist" in given else ()
    if verb == "summon":
        effect.minion = word(given.get("minion"), minion_names, "minion")
        effect.limit = whole(given.get("limit", 0), 0, None, "limit")
    if verb == "tile":
        effect.kind = word(given.get("kind"), TILES, "kind")
        effect.count = whole(given["count"], 1, None, "count") if "count" in given else None
    effect.conditions = mapping(given.get("if", {}), {"glyphs", "ally_adjacent", "bush_adjacent"}, "if")
    for key, value in effect.conditions.items():
        need(value is True if key != "glyphs" else whole(value, 0, None, key) >= 0, f"condition {key}")
    return effect


def check_row(row):
    """Parts of a row that do not go together."""
    verbs = [effect.do for effect in row.effects]
    if row.target not in FIGHTER_TARGETS:
        need(not (row.damage or row.per_target or row.max_run), f"{row.name} has no Fighter as target")
        need("shove" not in verbs and "swap" not in verbs, f"{row.name} moves no target")
        need(all(effect.who != "target" for effect in row.effects), f"{row.name}: who is target")
        for effect in row.effects:
            need(set(effect.conditions) <= {"glyphs"}, f"{row.name}: condition of a target")
    onto = verbs.count("leap") + verbs.count("summon")
    need(onto == 0 or (onto == 1 and row.target == "free_cell"), f"{row.name}: leap or summon")
    need("flip_glyph" not in verbs or row.target == "enemy_glyph", f"{row.name}: flip_glyph")
    need("tile" not in verbs[:-1], f"{row.name}: tile is not last")
    need("tile" not in verbs or not row.damage, f"{row.name}: tile with damage")


def read_passive(name, given, of_challenge):
    keys = {"glyphs", "of", "damage", "max_range", "on_capture_mp", "run_bonus"}
    given = mapping(given, keys, f"passive {name}")
    need("of" in given or not of_challenge, f"{name} has no of")
    allowed = ("krosmasters", "all") if of_challenge else ("self", "krosmasters", "all")
    passive = Passive(read_name(name), word(given.get("of", "self"), allowed, "of"))
    passive.glyphs = whole(given.get("glyphs", 0), 0, None, "glyphs")
    for key in ("damage", "max_range", "on_capture_mp"):
        setattr(passive, key, whole(given.get(key, 0), None, None, key))
    if "run_bonus" in given:
        bonus = mapping(given["run_bonus"], {"spell", "amount"}, "run_bonus")
        need(type(bonus.get("spell")) is str, "run_bonus without a spell")
        passive.run_bonus = (bonus["spell"], whole(bonus.get("amount"), None, None, "amount"))
    return passive


def read_card(name, given, minion, minion_names):
    given = mapping(given, {"mp", "hp", "ap", "spells", "powers"}, name)
    need({"mp", "hp", "ap"} <= set(given), f"{name} without mp, hp or ap")
    spells = mapping(given.get("spells", {}), None, "spells")
    powers = mapping(given.get("powers", {}), None, "powers")
    return Card(
        read_name(name),
        minion,
        whole(given["mp"], 0, None, "mp"),
        whole(given["hp"], 1, None, "hp"),
        whole(given["ap"], 0, None, "ap"),
        {spell: read_row(spell, row, "spell", minion_names) for spell, row in spells.items()},
        [read_passive(power, row, False) for power, row in powers.items()],
    )


def read_challenge(name, given, minion_names):
    given = mapping(given, {"passive", "active"}, name)
    passive = mapping(given.get("passive", {}), None, "passive")
    active = mapping(given.get("active", {}), None, "active")
    return Challenge(
        read_name(name),
        [read_passive(key, row, True) for key, row in passive.items()],
        {key: read_row(key, row, "bonus", minion_names) for key, row in active.items()},
    )


def merged(old, new):
    """Mapping by mapping; a list or a scalar replaces, null leaves what there was."""
    if new is None:
        return old
    if type(old) is dict and type(new) is dict:
        return {**old, **{key: merged(old.get(key), value) for key, value in new.items()}}
    return new


class Library:
    """All cards and fields: the book with the rows of a document."""

    def __init__(self, book, data):
        tables = {key: {} for key in SECTIONS}
        for source in (book, data):
            tables = merged(tables, mapping(source, SECTIONS, "data"))
        tables = {key: mapping(table, None, key) for key, table in tables.items()}
        names = set(tables["minions"])
        self.fields = {read_name(name): Field(rows) for name, rows in tables["fields"].items()}
        self.krosmasters = {n: read_card(n, row, False, names) for n, row in tables["krosmasters"].items()}
        self.minions = {n: read_card(n, row, True, names) for n, row in tables["minions"].items()}
        self.cards = {**self.krosmasters, **self.minions}
        self.favors = {n: read_row(n, row, "favor", names) for n, row in tables["favors"].items()}
        self.challenges = {n: read_challenge(n, row, names) for n, row in tables["challenges"].items()}
        need(len(self.cards) == len(self.krosmasters) + len(self.minions), "a Krosmaster is a minion")
        uses = list(self.favors) + [name for one in self.challenges.values() for name in one.active]
        need(len(set(uses)) == len(uses), "two favors or active bonuses of one name")
