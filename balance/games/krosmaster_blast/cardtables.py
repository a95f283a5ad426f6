"""Cards as rows of a tables record, for small kernels to interpret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from balance.games.krosmaster_blast import vocabulary
from balance.games.krosmaster_blast.books import Book
from balance.games.krosmaster_blast.enums import Of, Tile, Verb, Who
from balance.games.krosmaster_blast.metrics import CHALLENGES, FAVORS, MINIONS
from balance.games.krosmaster_blast.restrictions import CARD_BITS, FIRST_HERO, HERO_BITS
from balance.kernel.contract import NONE


class Writer:
    """Appends rows, effects and passives to a tables record."""

    def __init__(self, tables: Any, data: Mapping[str, Any], book: Book) -> None:
        self.tables, self.data, self.book = tables, data, book
        self.rows = self.effects = self.passives = 0
        self.names: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The number of a spell's name."""
        return self.names.setdefault(name, len(self.names))

    def add_row(self, name: str, row: Mapping[str, Any], number: int, measured: int = NONE) -> None:
        """Append a spell, favor or active bonus."""
        place = self.tables["row"][self.rows]
        self.rows += 1
        effects = row.get("effects", [])
        place["name"], place["number"], place["measured"] = self.number(name), number, measured
        place["target"] = vocabulary.TARGETS.index(row.get("target", "none"))
        place["low"], place["high"] = row.get("range", [0, 0])
        place["los"] = int(row.get("los", True))
        for key in ("damage", "per_turn", "per_target", "max_run", "glyphs"):
            place[key] = row.get(key, 0)
        place["tag"] = np.uint64(CARD_BITS.get(name, 0))
        self._add_summary(place, row, effects)
        place["first_effect"], place["effects"] = self.effects, len(effects)
        for effect in effects:
            self._add_effect(effect)

    def _add_summary(self, place: Any, row: Mapping[str, Any], effects: Sequence[Mapping[str, Any]]) -> None:
        verbs = [effect["do"] for effect in effects]
        injures = any(
            effect["do"] == "injure" and effect.get("who", "target") == "target" for effect in effects
        )
        place["shoves"] = int("shove" in verbs)
        place["harms"] = int(injures or row.get("damage", 0) > 0)
        place["summons"] = NONE
        if "summon" in verbs:
            effect = effects[verbs.index("summon")]
            place["summons"] = self.minion(effect["minion"])
            place["limit"] = effect.get("limit", 0)

    def minion(self, name: str) -> int:
        """The figure number of a minion."""
        return self.book.figures.index(name, self.book.krosmasters)

    def _add_effect(self, effect: Mapping[str, Any]) -> None:
        place = self.tables["effect"][self.effects]
        self.effects += 1
        verb = Verb[effect["do"].upper()]
        place["verb"], place["amount"] = verb, effect.get("amount", 0)
        place["who"] = Who[effect.get("who", "target").upper()]
        place["low"], place["high"] = effect.get("dist", [0, 0])
        if verb == Verb.SUMMON:
            place["amount"] = self.minion(effect["minion"])
        elif verb == Verb.TILE:
            place["amount"] = Tile[effect["kind"].upper()]
            place["tiles"] = effect.get("count", self.data["tiles_per_favor"])
        conditions = effect.get("if", {})
        place["if_glyphs"] = conditions.get("glyphs", 0)
        place["if_ally"] = int("ally_adjacent" in conditions)
        place["if_bush"] = int("bush_adjacent" in conditions)

    def add_passive(self, row: Mapping[str, Any]) -> None:
        """Append a power or a passive bonus of a challenge."""
        place = self.tables["passive"][self.passives]
        self.passives += 1
        for key in ("glyphs", "damage", "max_range", "on_capture_mp"):
            place[key] = row.get(key, 0)
        place["whom"] = Of[row.get("of", "self").upper()]
        run = row.get("run_bonus")
        place["run_name"] = self.number(run["spell"]) if run else NONE
        place["run_amount"] = run["amount"] if run else 0


def fill_cards(tables: Any, data: Mapping[str, Any], book: Book) -> None:
    """Write all cards of `data` (sections of plain rows, and the parameters) into a tables record."""
    writer = Writer(tables, data, book)
    tables.figures = len(book.figures)
    for number in range(len(book.figures)):
        _add_figure(writer, number)
    tables.first_favor, tables.favors = writer.rows, len(book.favors)
    for number, name in enumerate(book.favors):
        measured = FAVORS.index(name) if name in FAVORS else len(FAVORS)
        writer.add_row(name, data["favors"][name], number, measured)
    tables.first_bonus = writer.rows
    for number, name in enumerate(book.challenges):
        _add_challenge(writer, number, name)


def _add_figure(writer: Writer, number: int) -> None:
    name = writer.book.figures[number]
    minion = number >= writer.book.krosmasters
    card = writer.data["minions" if minion else "krosmasters"][name]
    place = writer.tables["figure"][number]
    place["mp"], place["hp"], place["ap"], place["minion"] = card["mp"], card["hp"], card["ap"], int(minion)
    place["first_spell"], place["spells"] = writer.rows, len(writer.book.spells[number])
    if not minion and number < HERO_BITS:
        place["tag"] = np.uint64(1 << (FIRST_HERO + number))
    place["measured"] = MINIONS.index(name) if name in MINIONS else len(MINIONS)
    for local, spell in enumerate(writer.book.spells[number]):
        writer.add_row(spell, card["spells"][spell], local)
    place["first_passive"], place["passives"] = writer.passives, len(card.get("powers", {}))
    for power in sorted(card.get("powers", {})):
        writer.add_passive(card["powers"][power])


def _add_challenge(writer: Writer, number: int, name: str) -> None:
    card = writer.data["challenges"][name]
    place = writer.tables["challenge"][number]
    place["measured"] = CHALLENGES.index(name) if name in CHALLENGES else len(CHALLENGES)
    place["first_passive"], place["passives"] = writer.passives, len(card.get("passive", {}))
    for passive in sorted(card.get("passive", {})):
        writer.add_passive(card["passive"][passive])
    first = writer.rows
    place["first_bonus"], place["bonuses"] = first, len(card.get("active", {}))
    for local, bonus in enumerate(sorted(card.get("active", {}))):
        writer.add_row(bonus, card["active"][bonus], first + local - int(writer.tables.first_bonus))
