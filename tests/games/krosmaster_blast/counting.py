"""Section 12 counted from the slow reference: every column of the tally, in another way."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from balance.games.krosmaster_blast.metrics import ALL_FAVORS, ALL_MINIONS, CHALLENGES
from tests.games.krosmaster_blast.forcing import dodge_of, faces_of, modifier_of, zone_dice
from tests.games.krosmaster_blast.witness import Happening
from tests.naive.krosmaster_blast.base import cell_name, distance, other

ROW_SOURCE = {"cast": "spell", "use_favor": "favor", "use_bonus": "bonus"}


def among(name: str, known: tuple[str, ...]) -> str:
    """A card's own column, or the one of all others."""
    return name if name in known else "others"


class Count:
    """All columns of one game, by their names: of the game, of seats, of Krosmasters and of cells."""

    def __init__(self, first: Any) -> None:
        self.game: Counter[str] = Counter()
        self.seats: dict[str, Counter[str]] = {"A": Counter(), "B": Counter()}
        self.heroes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.cells: dict[str, Counter[str]] = defaultdict(Counter)
        self.leader = ""
        names = [challenge.name for challenge in first.frame.challenges]
        if names:
            self.game["challenge"] = [*CHALLENGES, names[0]].index(names[0]) + 1

    def ply(self, before: Any, action: str, throw: int, after: Any, seen: list[Happening]) -> None:
        """Count one action of a game."""
        verb, *words = action.split()
        kind = verb if verb != "use" else "use_favor" if words[0] in before.slots.values() else "use_bonus"
        count = getattr(self, f"ply_{kind}", None)
        if count:
            count(before, words, throw, after)
        for one in seen:
            self.happening(before, kind, words, one)
        rolled = [one for one in seen if one.source == "roll" and one.what == "injured"]
        if rolled and not self.acting(before).minion:
            face, own = faces_of(before, throw, 1)[0], rolled[0].seat == before.to_move
            self.hero(before)["rolls"] += 1
            modifier = modifier_of(before, face, own)
            self.hero(before)["modifiers"] += modifier
            self.hero(before)["raised"] += modifier > 0
            self.hero(before)["lowered"] += modifier < 0
        if kind in ("end", "deploy"):
            self.turn_begins(after)
        if after.phase == "over":
            self.game["neutral_glyphs"] = len(after.field.glyph_cells) - len(after.glyphs)
            for turn in range(before.turn, 2 * before.rules["rounds"] + 1):
                for seat in "AB":
                    self.seats[seat][f"glyphs_turn_{turn}"] = after.glyph_count(seat)

    # ---- who acts

    @staticmethod
    def acting(pos: Any) -> Any:
        """The card of the active Fighter."""
        return pos.card(pos.fighters[pos.active])

    def hero(self, pos: Any) -> Counter[str]:
        """Counts of the active Krosmaster; of nobody when a minion is active."""
        fighter = pos.fighters[pos.active]
        return Counter() if pos.is_minion(fighter) else self.heroes[fighter.seat, fighter.name]

    # ---- one kind of action each

    def ply_activate(self, before: Any, words: list[str], throw: int, after: Any) -> None:
        fighter = after.fighters[after.active]
        if after.is_minion(fighter):
            self.seats[fighter.seat][f"played_{among(fighter.name, ALL_MINIONS)}"] += 1
        else:
            self.heroes[fighter.seat, fighter.name]["activations"] += 1

    def ply_move(self, before: Any, words: list[str], throw: int, after: Any) -> None:
        seat, dice = self.seats[before.to_move], zone_dice(before)
        if dice:
            result = dodge_of(before, faces_of(before, throw, dice))
            seat[f"dodges_{dice}"] += 1
            seat[{"free": "dodged"}.get(result, result)] += 1
            if result != "free":
                seat["mp_lost"] += before.act.mp
                return
        seat["mp_spent"] += before.rules["move_mp"]
        self.hero(before)["steps"] += 1

    def ply_cast(self, before: Any, words: list[str], throw: int, after: Any) -> None:
        self.seats[before.to_move]["ap_spells"] += before.rules["spell_ap"]
        self.hero(before)["ability_uses"] += 1
        self.hero(before)[f"casts_{self.place_of(before, words[0])}"] += 1

    @classmethod
    def place_of(cls, pos: Any, spell: str) -> int:
        """Number of a spell among those of its Krosmaster, from 1, the third column for all others."""
        return min(3, 1 + sorted(cls.acting(pos).spells).index(spell))

    def ply_use_favor(self, before: Any, words: list[str], throw: int, after: Any) -> None:
        seat = self.seats[before.to_move]
        cost = before.rules["favor_ap_dofus" if before.dofus == before.to_move else "favor_ap"]
        seat["ap_favors"] += cost
        seat["favors_paid" if cost else "favors_free"] += 1
        seat[f"used_{among(words[0], ALL_FAVORS)}"] += 1
        self.hero(before)["favors"] += 1

    def ply_use_bonus(self, before: Any, words: list[str], throw: int, after: Any) -> None:
        self.seats[before.to_move]["ap_bonuses"] += before.rules["bonus_ap"]
        self.seats[before.to_move]["bonuses_used"] += 1

    def ply_place(self, before: Any, words: list[str], throw: int, after: Any) -> None:
        self.seats[before.to_move][f"tiles_{before.pending[0]}"] += 1
        self.cells[words[0]]["tiles"] += 1

    def ply_done(self, before: Any, words: list[str], throw: int, after: Any) -> None:
        self.seats[before.to_move]["ap_unused"] += before.act.ap
        self.seats[before.to_move]["mp_unused"] += before.act.mp
        caster = before.fighters[before.active]
        here = self.cells[cell_name(caster.cell)]
        for spell in self.acting(before).spells.values():
            needs_sight = spell.los and not before.act.ignore_los
            if not (spell.damage and needs_sight and spell.target in ("fighter", "enemy")):
                continue
            far = spell.high + before.passive_sum(before.active, "max_range") + before.act.next_range
            for number in before.of_seat(other(caster.seat)):
                cell = before.fighters[number].cell
                if spell.low <= distance(caster.cell, cell) <= far:
                    here["in_range"] += 1
                    here["out_of_sight"] += not before.sees(caster.cell, cell)

    def ply_end(self, before: Any, words: list[str], throw: int, after: Any) -> None:
        glyphs = {seat: before.glyph_count(seat) for seat in "AB"}
        for seat, count in glyphs.items():
            self.seats[seat][f"glyphs_turn_{before.turn}"] = count
        for fighter in before.fighters.values():
            self.cells[cell_name(fighter.cell)]["occupied"] += 1
        if glyphs["A"] != glyphs["B"]:
            ahead = max(glyphs, key=lambda seat: glyphs[seat])
            self.game["lead_changes"] += self.leader == other(ahead)
            self.leader = ahead

    def turn_begins(self, after: Any) -> None:
        """Count a turn and its favor, if one begins."""
        if after.phase == "favor":
            self.game[f"shown_{among(after.revealed, ALL_FAVORS)}"] += 1
            self.seats[after.to_move]["turns_begun"] += 1
            self.seats[after.to_move]["dofus_turns"] += after.dofus == after.to_move

    # ---- one kind of happening each

    def happening(self, before: Any, kind: str, words: list[str], one: Happening) -> None:
        """Count what happened to a Fighter."""
        if one.what == "entered":
            self.cells[cell_name(one.cell)]["visits"] += 1
        elif one.what == "summoned":
            self.seats[one.seat][f"summoned_{among(one.name, ALL_MINIONS)}"] += 1
        elif one.what == "healed":
            self.hero(before)["healing"] += one.amount
        elif one.what == "injured":
            self.injury(before, kind, words, one)
        elif one.what == "killed":
            self.knock_out(before, one)
        else:
            self.captured(one)

    def injury(self, before: Any, kind: str, words: list[str], one: Happening) -> None:
        source = "fire" if one.source == "fire" else ROW_SOURCE[kind]
        if not one.minion:
            self.heroes[one.seat, one.name][f"taken_{source}"] += one.amount
        if source == "fire":
            return
        if one.seat == before.to_move:
            self.hero(before)["damage_own_side"] += one.amount
        elif source == "spell":
            self.hero(before)[f"damage_{self.place_of(before, words[0])}"] += one.amount

    def knock_out(self, before: Any, one: Happening) -> None:
        self.cells[cell_name(one.cell)]["knock_outs"] += 1
        if one.minion:
            self.seats[one.seat]["minions_killed"] += 1
            return
        self.heroes[one.seat, one.name].update(knocked_out=1, ko_turn=before.turn)
        self.game["kos"] += 1
        self.game["first_ko_turn"] = self.game["first_ko_turn"] or before.turn
        if one.source != "fire" and one.seat != before.to_move:
            self.hero(before)["kos_made"] += 1

    def captured(self, one: Happening) -> None:
        self.seats[one.seat]["captures"] += 1
        self.seats[one.seat]["recaptures"] += one.source == other(one.seat)
        self.heroes[one.seat, one.name]["captures"] += 1
        self.cells[cell_name(one.cell)]["captures"] += 1
