"""Positions: what lies on the table, what can be asked of it, and its canonical text."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from .base import DIRECTIONS, cell_name, distance, distinct, listing, need, other, step, word
from .board import Field, sight
from .rows import Library
from .rules import read_rules

BOOK = yaml.safe_load((Path(__file__).parent / "book.yaml").read_text(encoding="utf-8"))
SEATS = ("A", "B")


@cache
def shipped_library(key):
    return Library(BOOK, {})


class Frame:
    """What never changes: rules, cards, field and the challenges on the table."""

    def __init__(self, rules, data, arena, challenges, book=None):
        self.given = {"rules": rules, "data": data, "arena": arena, "challenges": challenges}
        self.book = book
        self.library = shipped_library(None) if book is None and not data else Library(book or BOOK, data)
        self.rules = read_rules(rules, self.library.krosmasters)
        if type(arena) is str:
            need(arena in self.library.fields, f"unknown field {arena!r}")
            self.field = self.library.fields[arena]
        else:
            self.field = Field(arena)
        names = [
            word(name, self.library.challenges, "challenge") for name in listing(challenges, "challenges")
        ]
        need(len(distinct(names, "challenges")) <= 3, "more than three challenges")
        self.challenges = [self.library.challenges[name] for name in names]
        self.passives = [passive for one in self.challenges for passive in one.passive]
        self.bonuses = {name: row for one in self.challenges for name, row in one.active.items()}
        self.last_turn = 2 * self.rules["rounds"]
        self.kos = self.rules["kos_to_win"] or (self.rules["team_size"] + 1) // 2  # KB26
        self.pool = {row.name for row in self.library.favors.values() if self.in_pool(row)}
        need(len(self.pool) >= self.last_turn, "not enough favors for the deck")

    def in_pool(self, row):
        if row.superior and not self.rules["superior_favors"]:
            return False
        kinds = {effect.kind for effect in row.effects if effect.do == "tile"}
        return kinds <= set(self.rules["tile_kinds"])

    def draft_order(self):
        picks = 2 * self.rules["team_size"]
        pattern = "ABBA" if self.rules["draft_order"] == "snake" else "AB"  # KB73
        return [pattern[i % len(pattern)] for i in range(picks)]


class Fighter(NamedTuple):
    seat: str
    name: str
    cell: tuple | None  # None = not deployed
    injuries: int = 0
    ap: int = 0  # markers
    mp: int = 0
    state: str = "ready"  # ready, active, done


class Activation:
    """What is remembered of the active Fighter while it is active."""

    def __init__(self, ap, mp):
        self.ap, self.mp = ap, mp
        self.casts = {}  # spell -> n
        self.targets = {}  # (spell, number of a Fighter) -> n
        self.last = {}  # spell -> (number of a Fighter, run)
        self.next_range = self.next_damage = 0
        self.ignore_los = False
        self.bonuses = set()

    def copy(self):
        new = Activation(self.ap, self.mp)
        new.__dict__.update(self.__dict__)
        new.casts, new.targets, new.last = dict(self.casts), dict(self.targets), dict(self.last)
        new.bonuses = set(self.bonuses)
        return new

    def forget(self, number):
        """A Fighter is dead: entries about it go."""
        self.targets = {key: n for key, n in self.targets.items() if key[1] != number}
        self.last = {spell: entry for spell, entry in self.last.items() if entry[0] != number}


class Position:
    def __init__(self, frame):
        self.frame, self.rules, self.field = frame, frame.rules, frame.field
        self.phase, self.turn, self.to_move, self.dofus = "play", 1, "A", "none"
        self.glyphs, self.tiles = {}, {}  # cell -> seat, cell -> kind
        self.slots = {"left": None, "right": None}
        self.used = set()  # slots
        self.revealed, self.unseen = None, set()
        self.fighters, self.born = {}, 0  # number -> Fighter; numbers are never used again
        self.active = self.act = None  # number and Activation
        self.pending = None  # (kind, left, lifted)
        self.winner = self.label = None
        self._actions = None

    def copy(self):
        new = Position.__new__(Position)
        new.__dict__.update(self.__dict__)
        new.glyphs, new.tiles, new.slots = dict(self.glyphs), dict(self.tiles), dict(self.slots)
        new.used, new.unseen, new.fighters = set(self.used), set(self.unseen), dict(self.fighters)
        new.act = self.act and self.act.copy()
        new._actions = None
        return new

    # ---- Fighters

    def add(self, fighter):
        self.born += 1
        self.fighters[self.born] = fighter
        return self.born

    def change(self, number, **values):
        self.fighters[number] = self.fighters[number]._replace(**values)

    def card(self, fighter):
        return self.frame.library.cards[fighter.name]

    def is_minion(self, fighter):
        return self.card(fighter).minion

    def of_seat(self, seat):
        return [number for number, fighter in self.fighters.items() if fighter.seat == seat]

    def krosmasters(self, seat):
        return [n for n in self.of_seat(seat) if not self.is_minion(self.fighters[n])]

    def in_order(self, numbers):
        """Krosmasters first, by name; then minions by name, then cell."""
        who = self.fighters
        return sorted(numbers, key=lambda n: (self.is_minion(who[n]), who[n].name, who[n].cell or (0, 0), n))

    def at(self, cell):
        """The number of the Fighter on a cell, or None."""
        for number, fighter in self.fighters.items():
            if fighter.cell == cell:
                return number
        return None

    def losses(self, seat):
        return self.rules["team_size"] - len(self.krosmasters(seat))

    # ---- cells

    def free(self, cell):
        return cell in self.field.open and self.at(cell) is None

    def glyph_count(self, seat):
        return list(self.glyphs.values()).count(seat)

    def blocks(self, cell):
        blockers = self.rules["los_blockers"]
        return (
            ("tree" in blockers and cell in self.field.trees)
            or ("bush" in blockers and cell in self.field.bushes)
            or ("fighter" in blockers and self.at(cell) is not None)
            or ("fog" in blockers and self.tiles.get(cell) == "fog")
        )

    def sees(self, a, z):
        return sight(a, z, self.blocks, self.rules["los_corner"])

    def zones_around(self, cell, seat):
        """How many enemy Krosmasters are adjacent (KB39, KB41)."""
        enemies = [self.fighters[n].cell for n in self.krosmasters(other(seat))]
        return sum(distance(cell, enemy) == 1 for enemy in enemies)

    # ---- passives

    def passives_of(self, number, count=None):
        """All passives that apply to a Fighter while its seat controls `count` Glyph cells."""
        fighter = self.fighters[number]
        count = self.glyph_count(fighter.seat) if count is None else count
        found = []
        for mate in self.of_seat(fighter.seat):
            for power in self.card(self.fighters[mate]).powers:
                if power.of != "self" or mate == number:
                    found.append(power)
        found += self.frame.passives
        minion = self.is_minion(fighter)
        return [p for p in found if p.glyphs <= count and not (p.of == "krosmasters" and minion)]

    def passive_sum(self, number, what, count=None):
        return sum(getattr(passive, what) for passive in self.passives_of(number, count))

    def run_limit(self, number, spell):
        bonuses = [passive.run_bonus for passive in self.passives_of(number)]
        return spell.max_run + sum(amount for name, amount in bonuses if name == spell.name)

    # ---- the active Fighter

    def activate(self, number):
        """AP and MP from card and markers; the markers are used up (KB13)."""
        fighter = self.fighters[number]
        card = self.card(fighter)
        self.active = number
        self.act = Activation(max(0, card.ap + fighter.ap), max(0, card.mp + fighter.mp))
        self.change(number, state="active", ap=0, mp=0)

    def marker(self, number, points, amount):
        """Points are "ap" or "mp"; an active Fighter feels a marker at once."""
        if number == self.active:
            setattr(self.act, points, max(0, getattr(self.act, points) + amount))
        else:
            self.change(number, **{points: getattr(self.fighters[number], points) + amount})


def neighbours(cell):
    return [step(cell, direction) for direction in DIRECTIONS.values()]


# ---------------------------------------------------------------- canonical text


def canonical(pos):
    if pos.phase == "over":
        return f"krosmaster_blast over winner={pos.winner or '-'} by={pos.label}"
    unseen = pos.unseen if pos.turn < pos.frame.last_turn else ()
    parts = {
        "turn": str(pos.turn),
        "phase": pos.phase,
        "dofus": "-" if pos.dofus == "none" else pos.dofus,
        "glyphs": ",".join(f"{cell_name(c)}:{seat}" for c, seat in sorted(pos.glyphs.items())) or "-",
        "tiles": ",".join(f"{cell_name(c)}:{kind}" for c, kind in sorted(pos.tiles.items())) or "-",
        "favors": ",".join(slot_text(pos, slot) for slot in ("left", "right")),
        "revealed": pos.revealed or "-",
        "unseen": ",".join(sorted(unseen)) or "-",
        "A": team_text(pos, "A"),
        "B": team_text(pos, "B"),
        "act": act_text(pos),
        "pend": "{}:{}:{:d}".format(*pos.pending) if pos.pending else "-",
    }
    return "krosmaster_blast " + " ".join(f"{key}={value}" for key, value in parts.items())


def slot_text(pos, slot):
    return (pos.slots[slot] or "-") + "*" * (slot in pos.used)


def team_text(pos, seat):
    texts = []
    for number in pos.in_order(pos.of_seat(seat)):
        f = pos.fighters[number]
        cell = cell_name(f.cell) if f.cell else "?"
        texts.append(f"{f.name}@{cell}:{f.injuries}:{f.ap}:{f.mp}:{f.state}")
    return ",".join(texts) or "-"


def act_text(pos):
    act = pos.act
    if act is None:
        return "-"
    place = lambda number: cell_name(pos.fighters[number].cell)
    memory = [f"{spell}={n}" for spell, n in act.casts.items()]
    memory += [f"{spell}>{place(number)}={n}" for (spell, number), n in act.targets.items()]
    memory += [f"{spell}>{place(number)}*{run}" for spell, (number, run) in act.last.items()]
    boosts = f"r{act.next_range}d{act.next_damage}s{act.ignore_los:d}"
    return ":".join(
        [
            str(act.ap),
            str(act.mp),
            ";".join(sorted(memory)) or "-",
            boosts,
            ";".join(sorted(act.bonuses)) or "-",
        ]
    )
