"""Jump Masters, the slow reference engine.

Written from the rules specification alone, in the plainest way that came to
mind: a position is a handful of dicts, an action is a text, and doing an
action copies the position first.  Numbers like JM27 name the rulings of the
specification.  Nothing here may be imported by, or taken from, a fast engine.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import yaml


class RuleError(Exception):
    """An illegal action or a faulty document."""


def need(condition, message):
    if not condition:
        raise RuleError(message)


# ---------------------------------------------------------------- tables

#        hero         lowest, maximum
HEROES = {
    "burnny": (1, 4),
    "freeda": (1, 4),
    "hopper": (1, 4),
    "katula": (1, 4),
    "parena": (1, 5),
    "pinkbeary": (1, 6),
    "roara": (1, 4),
    "torturn": (1, 5),
    "unni": (1, 5),
    "wuffryder": (1, 5),
}

TEAMS = {
    "starters": ["burnny", "hopper", "pinkbeary", "torturn"],
    "steppers_and_stealers": ["burnny", "katula", "roara", "wuffryder"],
    "crowd_control": ["hopper", "katula", "parena", "torturn"],
    "big_hitters": ["parena", "pinkbeary", "unni", "wuffryder"],
}

ARENAS = {
    "pillars": (
        "zz....zz",
        "zz....zz",
        "...#.*..",
        "...hh...",
        "...hh...",
        "..*.#...",
        "zz....zz",
        "zz....zz",
    ),
    "pillars_b": (
        "zz....zz",
        "zz.#..zz",
        "..*..*..",
        "...hh.#.",
        ".#.hh...",
        "..*..*..",
        "zz..#.zz",
        "zz....zz",
    ),
    "ruins": ("zz....zz", "zz.==#zz", ".#......", ".=.hh.=.", ".=.hh.=.", "......#.", "zz#==.zz", "zz....zz"),
    "divide": (
        "zz.=..zz",
        "zz.==.zz",
        "..*.=*..",
        "...hh...",
        "...hh...",
        "..*=.*..",
        "zz.==.zz",
        "zz..=.zz",
    ),
    "mill": ("zz....zz", "zz....zz", "..==.=..", "...hh=..", "..=hh...", "..=.==..", "zz....zz", "zz....zz"),
}

MODES = {  # seats, sides in printing order
    "duel": (("A", "B"), ("A", "B")),
    "team": (("A", "B", "C", "D"), ("AC", "BD")),
    "ffa3": (("A", "B", "C"), ("A", "B", "C")),
    "ffa4": (("A", "B", "C", "D"), ("A", "B", "C", "D")),
}

CLOCKWISE = ("nw", "ne", "se", "sw")
OPPOSITE = {"nw": "se", "se": "nw", "ne": "sw", "sw": "ne"}

# name -> (default, allowed): a pair is a range of whole numbers, a tuple of
# words is a choice, bool is yes or no.
PARAMETERS = {
    "vp_to_win": (20, (1, 200)),
    "vp_to_win_team": (30, (1, 200)),
    "hill_vp": (1, (0, 5)),
    "team_hill": ("player", ("player", "team")),
    "team_size": (4, (1, 4)),
    "both_copies": (True, bool),
    "pass_hand": (5, (1, 10)),
    "hero_max": ({}, dict),
    "hero_min": ({}, dict),
    "energize_gain": (1, (0, 3)),
    "power_gain": (1, (0, 3)),
    "disabled_abilities": ([], list),
    "fire_step_cost": (1, (0, 3)),
    "fire_step_steps": (3, (1, 4)),
    "fire_step_min_steps": (1, (1, 4)),
    "fire_step_damage": (1, (1, 3)),
    "fire_step_path": ("straight", ("straight", "bent")),
    "aura_gain": (1, (1, 3)),
    "frog_bow_range": (2, (1, 9)),
    "frog_bow_damage": (1, (1, 3)),
    "friendly_fire": (True, bool),
    "blood_boon_steal": (1, (1, 3)),
    "windstorm_gain": (1, (1, 3)),
    "ensnare_range": (2, (2, 9)),
    "missile_go_cost": (1, (0, 3)),
    "missile_go_range": (4, (1, 9)),
    "missile_go_damage": (1, (1, 3)),
    "swipe_out_steal": (1, (1, 3)),
    "stalwart_prevention": (1, (0, 3)),
    "stalwart_mode": ("blocks", ("blocks", "absorbs")),
    "run_end": ("path", ("path", "distance")),
    "end_in_zone": (True, bool),
    "return_to_zone": (True, bool),
    "allow_pass": (False, bool),
    "ffa_turn_order": ("corners", ("corners", "seats")),
    "turn_cap": (400, (1, 100000)),
    "cap_result": ("score", ("score", "draw")),
}

FRAME_KEYS = {"game", "rules", "arena", "mode", "phase", "to_move"}
PHASE_KEYS = {
    "draft": {"draft", "picks", "hands"},
    "zone": {"zones", "heroes"},
    "deploy": {"zones", "heroes"},
    "turn": {"zones", "heroes", "turn", "vp"},
    "stepped": {"zones", "heroes", "turn", "vp", "hero"},
    "jumping": {"zones", "heroes", "turn", "vp", "hero", "used"},
    "redeploy": {"zones", "heroes", "turn", "vp", "active"},
}
STEP_ABILITIES = {"hopper", "katula"}
JUMP_ABILITIES = {"freeda", "parena", "pinkbeary", "roara", "wuffryder"}


# ---------------------------------------------------------------- the board

# A node is a pair (column, row), both counted from 1, so that sorting pairs
# gives the node order (a10 comes after a9).
NODE_NAME = {(x, y): "abcdefghij"[x - 1] + str(y) for x in range(1, 11) for y in range(1, 11)}
NODE_OF = {name: node for node, name in NODE_NAME.items()}
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def distance(a, b):
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def shifted(node, direction, steps):
    return (node[0] + direction[0] * steps, node[1] + direction[1] * steps)


def sign(n):
    return (n > 0) - (n < 0)


def line_direction(a, b):
    """The direction from a to b, or None when they are not on one line."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    if dx and dy and abs(dx) != abs(dy) or a == b:
        return None
    return (sign(dx), sign(dy))


class Arena:
    """Terrain of a board; never changes."""

    def __init__(self, rows):
        self.rows = rows
        self.height, self.width = len(rows), len(rows[0])
        w, h = self.width, self.height
        need(w in (6, 8, 10) and h in (6, 8, 10), "board size")
        need(all(len(row) == w for row in rows), "rows of different length")
        self.corners = {
            corner: {(x + dx, y + dy) for dx in (0, 1) for dy in (0, 1)}
            for corner, (x, y) in {
                "nw": (1, h - 1),
                "ne": (w - 1, h - 1),
                "se": (w - 1, 1),
                "sw": (1, 1),
            }.items()
        }
        self.hill = {(x, y) for x in (w // 2, w // 2 + 1) for y in (h // 2, h // 2 + 1)}
        corner_nodes = set().union(*self.corners.values())
        self.terrain = {}
        for top, row in enumerate(rows):
            for left, char in enumerate(row):
                node = (left + 1, h - top)
                need(char in ".#=*zh", "unknown map character")
                need(char != "z" or node in corner_nodes, "z outside the corners")
                need(char != "h" or node in self.hill, "h outside the Hill")
                need(char in ".z" or node not in corner_nodes, "terrain in a corner")
                self.terrain[node] = "." if char in "zh" else char
        need(list(self.terrain.values()).count("=") % 2 == 0, "odd number of wall nodes")
        self.blocked = {node for node, char in self.terrain.items() if char in "#="}
        self.power = {node for node, char in self.terrain.items() if char == "*"}
        self.open = {node for node in self.terrain if node not in self.blocked}
        self.neighbours = {
            node: sorted(n for d in DIRECTIONS if (n := shifted(node, d, 1)) in self.terrain)
            for node in self.terrain
        }


@lru_cache(maxsize=256)
def arena_of_rows(rows):
    return Arena(rows)


def read_arena(value):
    if isinstance(value, str):
        if value in ARENAS:
            return arena_of_rows(ARENAS[value])
        value = [line for line in value.splitlines() if line.strip()]
    need(isinstance(value, list) and value and all(isinstance(row, str) for row in value), "arena")
    rows = tuple(row.replace(" ", "").replace("\t", "") for row in value)
    need(all(rows), "empty row")
    return arena_of_rows(rows)


# ---------------------------------------------------------------- positions


class Hero(NamedTuple):
    seat: str
    name: str  # burnny or burnny.2
    kind: str  # burnny
    node: tuple | None  # None = off the board
    energy: int
    fresh: bool
    jumped: bool


def off_board(seat, name):
    return Hero(seat, name, name.split(".")[0], None, 0, False, False)


class Position:
    """Everything there is to know.  `heroes` maps (seat, name) to a Hero."""

    def __init__(self, mode, arena, rules):
        self.mode, self.arena, self.rules = mode, arena, rules
        self.seats, self.sides = MODES[mode]
        self.side_of = {seat: side for side in self.sides for seat in side}
        self.target = rules["vp_to_win_team" if mode == "team" else "vp_to_win"]
        self.phase = self.to_move = None
        self.draft, self.picks, self.hands = None, {}, {}
        self.zones, self.zone_owner, self.order = {}, {}, list(self.seats)
        self.heroes = {}
        self.turn, self.vp = 0, {side: 0 for side in self.sides}
        self.hero, self.used, self.active = None, False, None
        self.winner, self.end = None, None
        self._atoms = None  # legal actions, worked out when first asked for

    def copy(self):
        new = Position.__new__(Position)
        new.__dict__.update(self.__dict__)
        new.heroes, new.vp = dict(self.heroes), dict(self.vp)
        new.picks = dict(self.picks)
        new.hands = dict(self.hands)
        new._atoms = None
        return new

    def set_zones(self, zones):
        self.zones = zones
        self.zone_owner = {
            node: seat for seat, corner in zones.items() for node in self.arena.corners[corner]
        }
        self.order = list(self.seats)
        if self.mode.startswith("ffa") and self.rules["ffa_turn_order"] == "corners" and "A" in zones:
            first = CLOCKWISE.index(zones["A"])  # JM67
            self.order.sort(
                key=lambda seat: (CLOCKWISE.index(zones[seat]) - first) % 4 if seat in zones else 9
            )

    def maximum(self, hero):
        return self.rules["hero_max"][hero.kind]

    def lowest(self, hero):
        return self.rules["hero_min"][hero.kind]

    def on_board(self):
        return [hero for hero in self.heroes.values() if hero.node is not None]

    def hero_at(self, node):
        for hero in self.heroes.values():
            if hero.node == node:
                return hero
        return None

    def friends(self, hero, other):
        return self.side_of[hero.seat] == self.side_of[other.seat]

    def sheltered(self, hero):
        return hero.node in self.zone_owner

    def has_ability(self, hero, kind):
        return hero.kind == kind and kind not in self.rules["disabled_abilities"]

    def own_zone(self, seat):
        return self.arena.corners[self.zones[seat]]

    def store(self, hero):
        self.heroes[hero.seat, hero.name] = hero

    def seats_from(self, seat):
        at = self.order.index(seat)
        return self.order[at:] + self.order[:at]


def may_enter(pos, seat, node, origin):
    """Terrain and zones only (section 5); whether somebody stands there is asked elsewhere."""
    if node not in pos.arena.open:
        return False
    owner = pos.zone_owner.get(node)
    if owner is None:
        return True  # JM6
    if pos.side_of[owner] != pos.side_of[seat]:
        return False  # JM17, JM23, JM64
    return pos.rules["return_to_zone"] or pos.zone_owner.get(origin) == owner  # JM5


def put(pos, hero, node):
    """The hero as it is after being put on a node: power node and fresh mark."""
    energy = hero.energy
    if node in pos.arena.power:
        energy = min(energy + pos.rules["power_gain"], pos.maximum(hero))  # JM19, JM21
    fresh = hero.fresh and pos.zone_owner.get(node) == hero.seat  # JM40, JM69
    return Hero(hero.seat, hero.name, hero.kind, node, energy, fresh, hero.jumped)


def gained(pos, hero, amount):
    return hero._replace(energy=min(hero.energy + amount, pos.maximum(hero)))


# ---------------------------------------------------------------- which atoms are there

# Every list of atoms is a dict from the action text to what is to be done:
# a tuple (function, arguments...), the function getting a fresh copy first.


def atoms_of(pos):
    if pos._atoms is None:
        pos._atoms = ATOMS[pos.phase](pos)
    return pos._atoms


def draft_atoms(pos):
    mine = [name.split(".")[0] for name in pos.picks[pos.to_move]]
    if pos.draft == "pass":
        cards = set(pos.hands[pos.to_move])
    else:
        taken = Counter(name.split(".")[0] for names in pos.picks.values() for name in names)
        cards = {kind for kind in HEROES if taken[kind] < 2}
    if not pos.rules["both_copies"]:  # JM1, JM75
        new = cards - set(mine)
        if pos.draft != "pass" or new:
            cards = new
    return {f"pick {kind}": (do_pick, kind) for kind in cards}


def zone_atoms(pos):
    free = [corner for corner in CLOCKWISE if corner not in pos.zones.values()]
    for seat, corner in pos.zones.items():
        if pos.side_of[seat] == pos.side_of[pos.to_move]:  # the team-mate has chosen
            free = [c for c in free if c != OPPOSITE[corner]]
    return {f"zone {corner}": (do_zone, corner) for corner in free}


def next_to_deploy(pos):
    for seat in pos.order:
        for key in sorted(pos.heroes):
            if key[0] == seat and pos.heroes[key].node is None:
                return pos.heroes[key]
    return None


def deploy_atoms(pos):
    hero = next_to_deploy(pos)
    return {
        f"deploy {hero.name} {NODE_NAME[node]}": (do_deploy, hero, node)
        for node in pos.own_zone(hero.seat)
        if pos.hero_at(node) is None
    }


def next_defeated(pos):
    for seat in pos.seats_from(pos.active):
        for key in sorted(pos.heroes):  # JM71
            if key[0] == seat and pos.heroes[key].node is None:
                return pos.heroes[key]
    return None


def redeploy_atoms(pos):
    hero = next_defeated(pos)
    free = [node for node in pos.own_zone(hero.seat) if pos.hero_at(node) is None]
    if not free:  # JM14
        mates = [s for s in pos.side_of[hero.seat] if s != hero.seat]
        free = [node for mate in mates for node in pos.own_zone(mate) if pos.hero_at(node) is None]
    return {f"redeploy {hero.name} {NODE_NAME[node]}": (do_redeploy, hero, node) for node in free}


def turn_atoms(pos):
    atoms = {}
    standing = {hero.node: hero for hero in pos.on_board()}
    for hero in list(standing.values()):
        if hero.seat == pos.to_move:
            steps = step_atoms(pos, hero, standing)
            atoms.update(steps)
            atoms.update(run_atoms(pos, hero, standing, steps))
            atoms.update(jump_atoms(pos, hero, standing))
            if pos.has_ability(hero, "burnny"):
                atoms.update(fire_step_atoms(pos, hero, standing))
            if pos.has_ability(hero, "unni"):
                atoms.update(missile_go_atoms(pos, hero))
    if not atoms or pos.rules["allow_pass"]:  # JM11
        atoms["pass"] = (do_end,)
    return atoms


def step_atoms(pos, hero, standing):
    atoms = {}
    for node in pos.arena.neighbours[hero.node]:  # JM15: nothing about diagonals
        if node not in standing and may_enter(pos, hero.seat, node, hero.node):
            atoms[f"step {hero.name} {NODE_NAME[node]}"] = (do_step, put(pos, hero, node))
    return atoms


def run_atoms(pos, hero, standing, steps):
    # Outcomes already to be had: (end, energy, fresh).  Steps first, then the
    # runs by VIA in node order; a run to a known outcome is a twin (JM73).
    known = {(moved.node, moved.energy, moved.fresh) for _, moved in steps.values()}
    atoms = {}
    for via in pos.arena.neighbours[hero.node]:
        if via in standing or not may_enter(pos, hero.seat, via, hero.node):
            continue  # JM17, JM18
        halfway = put(pos, hero, via)
        for end in pos.arena.neighbours[via]:
            if end == hero.node or end in standing or not may_enter(pos, hero.seat, end, via):
                continue
            if pos.rules["run_end"] == "distance" and distance(hero.node, end) != 2:
                continue  # JM16
            moved = put(pos, halfway, end)
            outcome = (end, moved.energy, moved.fresh)
            if outcome not in known:
                known.add(outcome)
                atoms[f"run {hero.name} {NODE_NAME[via]} {NODE_NAME[end]}"] = (do_run, moved)
    return atoms


def stalwart(pos, hero):
    """Does this hero have a working Stalwart?"""
    return pos.has_ability(hero, "torturn") and pos.rules["stalwart_prevention"] > 0


def damage_allowed(pos, target):
    return not (stalwart(pos, target) and pos.rules["stalwart_mode"] == "blocks")  # JM46


def ability_damage(pos, target, amount):
    """What the target would really lose (never asked when Stalwart blocks)."""
    if stalwart(pos, target):
        amount = max(0, amount - pos.rules["stalwart_prevention"])
    return amount


def fire_step_atoms(pos, hero, standing):
    rules = pos.rules
    if pos.sheltered(hero) or hero.energy - rules["fire_step_cost"] < 1:  # JM70
        return {}
    paid = hero._replace(energy=hero.energy - rules["fire_step_cost"])
    atoms, known = {}, set()
    for path, passed in fire_paths(pos, hero, standing):
        moved = paid
        for node in path:
            moved = put(pos, moved, node)  # JM50
        outcome = (moved.node, frozenset(passed), moved.energy)
        if outcome not in known:  # bites only with bent paths (JM73)
            known.add(outcome)
            text = " ".join(NODE_NAME[node] for node in path)
            atoms[f"fire_step {hero.name} {text}"] = (do_fire_step, moved, passed)
    return atoms


def fire_paths(pos, hero, standing):
    """All paths (with the heroes passed), in the order in which twins are compared."""
    found = []

    def last_node_fits(node):
        return node not in standing and (pos.rules["end_in_zone"] or node not in pos.zone_owner)  # JM36

    def may_pass(node):
        if node in pos.zone_owner:
            return False  # JM70
        other = standing.get(node)
        return other is None or (not pos.friends(hero, other) and damage_allowed(pos, other))

    def walk(path, passed):
        here = path[-1] if path else hero.node
        if path and len(path) >= pos.rules["fire_step_min_steps"] and last_node_fits(here):
            found.append((path, passed))  # JM49
        if len(path) == pos.rules["fire_step_steps"] or (path and not may_pass(here)):
            return
        if path and here in standing:
            passed = passed + [(standing[here].seat, standing[here].name)]
        for node in pos.arena.neighbours[here]:
            if node == hero.node or node in path or not may_enter(pos, hero.seat, node, here):
                continue
            if pos.rules["fire_step_path"] == "straight" and len(path) >= 1:  # JM48
                before = path[-2] if len(path) >= 2 else hero.node
                if line_direction(before, here) != line_direction(here, node):
                    continue
            walk(path + [node], passed)

    walk([], [])
    return sorted(found)  # node by node, a path before its extensions


def missile_go_atoms(pos, hero):
    rules = pos.rules
    if pos.sheltered(hero) or hero.energy - rules["missile_go_cost"] < 1:
        return {}
    return {
        f"missile_go {hero.name} {NODE_NAME[target.node]}": (do_missile_go, hero, target)
        for target in pos.on_board()  # JM57
        if not pos.friends(hero, target)
        and not pos.sheltered(target)
        and distance(hero.node, target.node) <= rules["missile_go_range"]
        and damage_allowed(pos, target)
    }


def attack_allowed(pos, jumper, target, landing):
    """What section 7 asks of an attack, apart from the geometry."""
    return (
        not pos.sheltered(jumper)
        and not pos.sheltered(target)  # JM35, JM37
        and (pos.rules["end_in_zone"] or landing not in pos.zone_owner)
    )  # JM36


def jump_atoms(pos, hero, standing):
    atoms = {}
    for direction in DIRECTIONS:
        over = standing.get(shifted(hero.node, direction, 1))
        landing = shifted(hero.node, direction, 2)
        if over is not None and not over.jumped and can_land(pos, hero, landing, standing):  # JM22, JM25
            text = f"jump {hero.name} {NODE_NAME[landing]}"
            for extra in jump_variants(pos, hero, over, landing):
                atoms[(text + " " + extra).strip()] = (do_jump, hero, direction, 2, extra)
        if pos.has_ability(hero, "pinkbeary") and not pos.used and not pos.sheltered(hero):
            landing = shifted(hero.node, direction, 3)
            if can_land(pos, hero, landing, standing) and long_jump_fits(
                pos, hero, direction, landing, standing
            ):
                atoms[f"jump {hero.name} {NODE_NAME[landing]}"] = (do_jump, hero, direction, 3, "")
    return atoms


def can_land(pos, hero, landing, standing):
    return landing not in standing and may_enter(pos, hero.seat, landing, hero.node)  # JM23, JM26


def jump_variants(pos, hero, over, landing):
    """The words that may follow a jump over one hero; '' is the plain jump."""
    rules = pos.rules
    variants = []
    if pos.friends(hero, over):
        variants.append("")  # JM24
        if (
            pos.has_ability(hero, "freeda")
            and not pos.used
            and not pos.sheltered(hero)
            and not pos.sheltered(over)  # JM44
            and hero.energy < pos.maximum(hero)  # JM68
            and over.energy + rules["aura_gain"] <= pos.maximum(over)
        ):  # JM45
            variants.append("aura")
    elif attack_allowed(pos, hero, over, landing):
        variants.append("")  # JM30
        if (
            pos.has_ability(hero, "parena")
            and not pos.used
            and hero.energy + rules["windstorm_gain"] <= pos.maximum(hero)
        ):  # JM45, JM59
            variants.append("windstorm")
        if (
            pos.has_ability(hero, "wuffryder")
            and not pos.used
            and not stalwart(pos, over)
            and over.energy - rules["swipe_out_steal"] >= 1  # JM58
            and hero.energy + rules["swipe_out_steal"] <= pos.maximum(hero)
        ):
            variants.append("swipe_out")
    return variants


def long_jump_fits(pos, hero, direction, landing, standing):
    """JM55: the two nodes flown over."""
    opponents = 0
    for steps in (1, 2):
        node = shifted(hero.node, direction, steps)
        if node in pos.arena.blocked:
            return False
        over = standing.get(node)
        if over is None:
            continue
        if over.jumped:
            return False
        if not pos.friends(hero, over):
            opponents += 1
            if not attack_allowed(pos, hero, over, landing):
                return False
    return opponents > 0


def stepped_atoms(pos):
    hero = pos.heroes[pos.hero]
    atoms = {"end": (do_end,)}
    if pos.sheltered(hero):
        return atoms
    for target in pos.on_board():
        if target is hero or pos.sheltered(target):
            continue
        name = NODE_NAME[target.node]
        if pos.has_ability(hero, "hopper") and frog_bow_hits(pos, hero, target):
            atoms[f"frog_bow {name}"] = (do_frog_bow, target)
        if pos.has_ability(hero, "katula") and blood_boon_works(pos, hero, target):
            atoms[f"blood_boon {name}"] = (do_blood_boon, target)
    return atoms


def clear_line(pos, a, b):
    """The direction from a to b if they share a line without blocked nodes between (JM52)."""
    direction = line_direction(a, b)
    if direction is None:
        return None
    between = [shifted(a, direction, steps) for steps in range(1, distance(a, b))]
    return None if any(node in pos.arena.blocked for node in between) else direction


def frog_bow_hits(pos, hero, target):
    if pos.friends(hero, target) and not pos.rules["friendly_fire"]:  # JM51
        return False
    return (
        distance(hero.node, target.node) <= pos.rules["frog_bow_range"]
        and clear_line(pos, hero.node, target.node) is not None
        and damage_allowed(pos, target)
        and ability_damage(pos, target, pos.rules["frog_bow_damage"]) > 0
    )


def blood_boon_works(pos, hero, target):
    steal = pos.rules["blood_boon_steal"]
    return (
        not pos.friends(hero, target)
        and distance(hero.node, target.node) == 1  # JM54
        and not stalwart(pos, target)
        and target.energy >= steal
        and hero.energy + steal <= pos.maximum(hero)
    )  # JM45


def jumping_atoms(pos):
    hero = pos.heroes[pos.hero]
    standing = {other.node: other for other in pos.on_board()}
    atoms = {"end": (do_end,)}  # JM32
    atoms.update(jump_atoms(pos, hero, standing))
    if pos.has_ability(hero, "roara") and not pos.used and not pos.sheltered(hero):  # JM33
        for target in standing.values():
            node = ensnare_node(pos, hero, target, standing)
            if node is not None:
                atoms[f"ensnare {NODE_NAME[target.node]}"] = (do_ensnare, target, node)
    return atoms


def ensnare_node(pos, hero, target, standing):
    """Where the target would be pulled to, or None (JM56)."""
    if pos.friends(hero, target) or pos.sheltered(target):
        return None
    if not 2 <= distance(hero.node, target.node) <= pos.rules["ensnare_range"]:
        return None
    direction = clear_line(pos, target.node, hero.node)
    if direction is None:
        return None
    node = shifted(target.node, direction, 1)
    if node in standing or not may_enter(pos, target.seat, node, target.node):
        return None
    return node


ATOMS = {
    "draft": draft_atoms,
    "zone": zone_atoms,
    "deploy": deploy_atoms,
    "redeploy": redeploy_atoms,
    "turn": turn_atoms,
    "stepped": stepped_atoms,
    "jumping": jumping_atoms,
    "over": lambda pos: {},
}


# ---------------------------------------------------------------- doing atoms


def draft_order(pos):
    """The seats in the order of all their picks."""
    order = []
    for round_number in range(pos.rules["team_size"]):
        backwards = pos.draft == "snake" and round_number % 2 == 1
        order.extend(reversed(pos.seats) if backwards else pos.seats)  # JM2
    return order


def do_pick(pos, kind):
    seat = pos.to_move
    name = kind if kind not in pos.picks[seat] else kind + ".2"
    pos.picks[seat] = sorted(pos.picks[seat] + [name])
    if pos.draft == "pass":
        hand = list(pos.hands[seat])
        hand.remove(kind)
        pos.hands[seat] = hand
    done = sum(len(names) for names in pos.picks.values())
    if pos.draft == "pass" and done % len(pos.seats) == 0:  # JM74
        last = pos.seats[-1:] + pos.seats[:-1]
        pos.hands = {seat: pos.hands[giver] for seat, giver in zip(pos.seats, last)}
    order = draft_order(pos)
    if done < len(order):
        pos.to_move = order[done]
        return
    for seat in pos.seats:
        for name in pos.picks[seat]:
            pos.store(off_board(seat, name))
    pos.phase, pos.to_move = "zone", pos.seats[0]
    pos.draft, pos.picks, pos.hands = None, {}, {}


def do_zone(pos, corner):
    zones = dict(pos.zones)
    zones[pos.to_move] = corner
    if pos.mode == "duel":
        zones["B"] = OPPOSITE[corner]  # JM66
    pos.set_zones(zones)
    if len(zones) < len(pos.seats):
        pos.to_move = pos.seats[len(zones)]
    else:
        pos.phase, pos.to_move = "deploy", next_to_deploy(pos).seat


def do_deploy(pos, hero, node):
    pos.store(hero._replace(node=node, energy=pos.lowest(hero), fresh=True))
    following = next_to_deploy(pos)
    if following is not None:
        pos.to_move = following.seat
    else:
        pos.turn = 0
        begin_turn(pos, "A")


def do_redeploy(pos, hero, node):
    fresh = node in pos.own_zone(hero.seat)  # JM14, JM41
    pos.store(hero._replace(node=node, energy=pos.lowest(hero), fresh=fresh))
    clean_up(pos)


def do_step(pos, moved):
    pos.store(moved)
    if moved.kind in STEP_ABILITIES:
        carry_on(pos, "stepped", moved)
    else:
        end_turn(pos)


def do_run(pos, moved):
    pos.store(moved)
    end_turn(pos)


def do_end(pos):
    end_turn(pos)


def do_fire_step(pos, moved, passed):
    pos.store(moved)
    ability_hits(pos, moved, [pos.heroes[key] for key in passed], pos.rules["fire_step_damage"])


def do_missile_go(pos, hero, target):
    pos.store(hero._replace(energy=hero.energy - pos.rules["missile_go_cost"]))
    ability_hits(pos, hero, [target], pos.rules["missile_go_damage"])


def do_frog_bow(pos, target):
    ability_hits(pos, pos.heroes[pos.hero], [target], pos.rules["frog_bow_damage"])


def do_blood_boon(pos, target):
    steal = pos.rules["blood_boon_steal"]
    hero = pos.heroes[pos.hero]
    pos.store(hero._replace(energy=hero.energy + steal))
    ability_hits(pos, hero, [target], steal)


def ability_hits(pos, hero, targets, amount):
    """Simultaneous ability losses, the VP for them, and the end of the turn."""
    vp = 0
    for target in targets:
        left = max(0, target.energy - ability_damage(pos, target, amount))
        if left > 0:
            pos.store(target._replace(energy=left))
        else:
            pos.store(off_board(target.seat, target.name))
            if not pos.friends(hero, target):  # JM53
                vp += pos.maximum(target)
    score(pos, pos.side_of[hero.seat], vp)
    if pos.phase != "over":
        end_turn(pos)


def do_jump(pos, hero, direction, length, extra):
    key = (hero.seat, hero.name)
    if extra or length == 3:
        pos.used = True
    for steps in range(1, length):
        over = pos.hero_at(shifted(hero.node, direction, steps))
        if over is None:
            continue
        jump_over(pos, key, over, extra)
        if pos.phase == "over":  # JM62
            return
        if pos.heroes[key].node is None:
            end_turn(pos)  # JM29
            return
        still = pos.heroes[over.seat, over.name]
        if still.node is not None:
            pos.store(still._replace(jumped=True))  # JM25
    landed = put(pos, pos.heroes[key], shifted(hero.node, direction, length))  # JM31
    pos.store(landed)
    carry_on(pos, "jumping", landed)


def jump_over(pos, key, over, extra):
    jumper = pos.heroes[key]
    if pos.friends(jumper, over):
        first_jump = jumper.fresh and over.node in pos.own_zone(jumper.seat)  # JM38, JM43
        if first_jump or not pos.sheltered(over):  # JM39
            pos.store(gained(pos, jumper, pos.rules["energize_gain"]))
        if extra == "aura":
            pos.store(gained(pos, over, pos.rules["aura_gain"]))
    elif extra == "swipe_out":
        steal = pos.rules["swipe_out_steal"]
        pos.store(jumper._replace(energy=jumper.energy + steal))
        pos.store(over._replace(energy=over.energy - steal))
    else:
        if extra == "windstorm":
            jumper = gained(pos, jumper, pos.rules["windstorm_gain"])
        attack(pos, jumper, over)


def attack(pos, jumper, target):
    loss = min(jumper.energy, target.energy)
    for hero in (jumper, target):
        if hero.energy > loss:
            pos.store(hero._replace(energy=hero.energy - loss))
        else:
            pos.store(off_board(hero.seat, hero.name))
    if jumper.energy == loss:  # JM28, JM63
        score(pos, pos.side_of[target.seat], pos.maximum(jumper))
    else:
        score(pos, pos.side_of[jumper.seat], pos.maximum(target))


def do_ensnare(pos, target, node):
    pos.store(put(pos, target, node))  # JM76
    pos.used = True
    carry_on(pos, "jumping", pos.heroes[pos.hero])


def carry_on(pos, phase, hero):
    """The turn goes on only if something besides `end` is possible."""
    pos.phase, pos.hero = phase, (hero.seat, hero.name)
    pos._atoms = None
    if len(atoms_of(pos)) == 1:
        end_turn(pos)


def score(pos, side, vp):
    pos.vp[side] += vp
    if pos.vp[side] >= pos.target:
        pos.phase, pos.winner, pos.end = "over", side, "vp"  # JM10, JM61


def end_turn(pos):
    pos._atoms = None
    if pos.turn == pos.rules["turn_cap"]:  # JM60
        best = max(pos.vp.values())
        leaders = [side for side in pos.sides if pos.vp[side] == best]
        alone = len(leaders) == 1 and pos.rules["cap_result"] == "score"
        pos.phase, pos.winner, pos.end = "over", leaders[0] if alone else None, "cap"
        return
    for hero in pos.on_board():
        if hero.jumped:
            pos.store(hero._replace(jumped=False))
    pos.active, pos.hero, pos.used = pos.to_move, None, False
    clean_up(pos)


def clean_up(pos):
    hero = next_defeated(pos)
    if hero is not None:
        pos.phase, pos.to_move = "redeploy", hero.seat
    else:
        begin_turn(pos, pos.seats_from(pos.active)[1])


def begin_turn(pos, seat):
    pos.turn += 1
    pos.phase, pos.to_move, pos.active = "turn", seat, None
    if controls_hill(pos, seat):  # JM7
        score(pos, pos.side_of[seat], pos.rules["hill_vp"])


def controls_hill(pos, seat):
    by_side = pos.rules["team_hill"] == "team"  # JM65
    sums = Counter()
    for hero in pos.on_board():
        if hero.node in pos.arena.hill:
            sums[pos.side_of[hero.seat] if by_side else hero.seat] += hero.energy  # JM9
    own = pos.side_of[seat] if by_side else seat
    return sums[own] > 0 and all(sums[own] > total for who, total in sums.items() if who != own)  # JM8


# ---------------------------------------------------------------- the interface


def legal(pos):
    return sorted(atoms_of(pos))


def after(pos, action):
    atoms = atoms_of(pos)
    if not isinstance(action, str) or action not in atoms:
        raise RuleError(f"illegal: {action}")
    what, *arguments = atoms[action]
    new = pos.copy()
    what(new, *arguments)
    return new


def names_text(names):
    return ",".join(sorted(names)) or "-"


def hero_text(hero):
    if hero.node is None:
        return hero.name + ":-"
    return (
        f"{hero.name}:{NODE_NAME[hero.node]}:{hero.energy}"
        + (":fresh" if hero.fresh else "")
        + (":jumped" if hero.jumped else "")
    )


def canonical(pos):
    fields = ["phase=" + pos.phase]
    if pos.phase == "over":
        fields += [f"winner={pos.winner or '-'}", f"end={pos.end}"]
    else:
        fields.append("to_move=" + pos.to_move)
    if pos.phase == "draft":
        fields.append("draft=" + pos.draft)
        fields += [f"{seat}={names_text(pos.picks[seat])}" for seat in pos.seats]
        if pos.draft == "pass":
            fields += [f"hand_{seat}={names_text(pos.hands[seat])}" for seat in pos.seats]
        return " ".join(fields)
    if pos.phase in ("stepped", "jumping"):
        fields.append("hero=" + pos.hero[1])
    if pos.phase == "jumping":
        fields.append(f"used={int(pos.used)}")
    if pos.phase == "redeploy":
        fields.append("active=" + pos.active)
    playing = pos.phase in ("turn", "stepped", "jumping", "redeploy")
    if playing:
        fields.append(f"turn={pos.turn}")
    if pos.phase != "over":
        fields.append("zones=" + ",".join(f"{seat}:{pos.zones.get(seat, '-')}" for seat in pos.seats))
    if playing or pos.phase == "over":
        fields.append("vp=" + ",".join(f"{side}:{pos.vp[side]}" for side in pos.sides))
    if pos.phase != "over":
        texts = {seat: [] for seat in pos.seats}
        for key in sorted(pos.heroes):
            texts[key[0]].append(hero_text(pos.heroes[key]))
        fields += [f"{seat}={','.join(texts[seat])}" for seat in pos.seats]
    return " ".join(fields)


def turn_end_positions(pos):
    """The first positions after the current seat's last atom, one per canonical text, sorted."""
    need(pos.phase in ("turn", "stepped", "jumping"), "no turn is being played")
    ends, seen, waiting = {}, set(), [pos]
    while waiting:
        here = waiting.pop()
        for action in atoms_of(here):
            new = after(here, action)
            text = canonical(new)
            if new.phase in ("stepped", "jumping"):
                if text not in seen:
                    seen.add(text)
                    waiting.append(new)
            else:
                ends[text] = new
    return [ends[text] for text in sorted(ends)]


def turn_ends(pos):
    return [canonical(end) for end in turn_end_positions(pos)]


def next_turns(pos):
    """Every way of redeploying, up to the next turn phase; games that are over drop out."""
    if pos.phase == "redeploy":
        return [turn for action in atoms_of(pos) for turn in next_turns(after(pos, action))]
    return [pos] if pos.phase == "turn" else []


def depth2(pos):
    texts, seen = set(), set()
    for end in turn_end_positions(pos):
        for turn in next_turns(end):
            text = canonical(turn)
            if text not in seen:
                seen.add(text)
                texts.update(turn_ends(turn))
    return len(texts)


# ---------------------------------------------------------------- reading documents


def whole(value, low, high, what):
    need(type(value) is int and low <= value <= high, f"{what}: {value!r}")
    return value


def mapping(value, keys, what):
    need(type(value) is dict, f"{what} is no mapping")
    need(all(type(key) is str and key in keys for key in value), f"{what}: unknown key")
    return value


def word(value, choices, what):
    need(type(value) is str and value in choices, f"{what}: {value!r}")
    return value


def read_rules(given, mode):
    mapping(given, PARAMETERS, "rules")
    rules = {}
    for name, (default, allowed) in PARAMETERS.items():
        value = given.get(name, default)
        if allowed is bool:
            need(type(value) is bool, name)
        elif allowed is list:
            need(type(value) is list, name)
            for kind in value:
                word(kind, HEROES, name)
            value = list(value)
        elif allowed is dict:
            mapping(value, HEROES, name)
            printed = 1 if name == "hero_max" else 0
            value = {kind: whole(value.get(kind, HEROES[kind][printed]), 1, 9, name) for kind in HEROES}
        elif type(allowed[0]) is int:
            whole(value, *allowed, name)
        else:
            word(value, allowed, name)
        rules[name] = value
    need(rules["fire_step_min_steps"] <= rules["fire_step_steps"], "fire_step_min_steps")
    need(all(rules["hero_min"][kind] <= rules["hero_max"][kind] for kind in HEROES), "hero_min")
    need(rules["team_size"] <= rules["pass_hand"], "pass_hand below team_size")
    need(rules["pass_hand"] * len(MODES[mode][0]) <= 20, "pass_hand too large")
    return rules


def load(doc):
    need(type(doc) is dict, "the document is no mapping")
    phase = word(doc.get("phase", "turn"), PHASE_KEYS, "phase")
    mapping(doc, FRAME_KEYS | PHASE_KEYS[phase], "document")
    need(doc.get("game") == "jump_masters", "game")
    need("arena" in doc, "no arena")
    mode = word(doc.get("mode", "duel"), MODES, "mode")
    pos = Position(mode, read_arena(doc["arena"]), read_rules(doc.get("rules", {}), mode))
    pos.phase = phase
    if phase == "draft":
        load_draft(pos, doc)
    else:
        load_zones(pos, doc)
        load_heroes(pos, doc)
        if phase not in ("zone", "deploy"):
            load_turn(pos, doc)
    if phase in ("turn", "stepped", "jumping"):
        need("to_move" in doc, "no to_move")
        pos.to_move = word(doc["to_move"], pos.seats, "to_move")
        if phase != "turn":
            load_acting_hero(pos, doc)
    need("to_move" not in doc or doc["to_move"] == pos.to_move, "to_move does not agree")
    return pos


def load_draft(pos, doc):
    pos.draft = word(doc.get("draft"), ("free", "snake", "pass"), "draft")
    picks = mapping(doc.get("picks", {}), pos.seats, "picks")
    pos.picks = {seat: sorted(read_names(picks.get(seat, []))) for seat in pos.seats}
    order = draft_order(pos)
    done = sum(len(names) for names in pos.picks.values())
    need(done < len(order), "nothing left to pick")
    need(all(len(pos.picks[seat]) == order[:done].count(seat) for seat in pos.seats), "order of picking")
    pos.to_move = order[done]
    cards = [name.split(".")[0] for names in pos.picks.values() for name in names]
    need(("hands" in doc) == (pos.draft == "pass"), "hands")
    if pos.draft == "pass":
        hands = mapping(doc["hands"], pos.seats, "hands")
        for seat in pos.seats:
            hand = hands.get(seat, [])
            need(type(hand) is list, "hand")
            pos.hands[seat] = sorted(word(kind, HEROES, "card") for kind in hand)
            need(len(hand) >= pos.rules["team_size"] - len(pos.picks[seat]), "hand too small")
            cards += hand
    need(all(count <= 2 for count in Counter(cards).values()), "a third copy")


def read_names(names):
    need(type(names) is list and all(type(name) is str for name in names), "names")
    need(len(set(names)) == len(names), "a name twice")
    for name in names:
        kind = name[:-2] if name.endswith(".2") else name
        need(kind in HEROES, f"unknown hero {name}")
        need(kind in names, f"{name} without {kind}")
    return names


def load_zones(pos, doc):
    need("zones" in doc or pos.phase == "zone", "no zones")
    zones = mapping(doc.get("zones", {}), pos.seats, "zones")
    zones = {seat: word(zones[seat], CLOCKWISE, "corner") for seat in pos.seats if seat in zones}
    need(len(set(zones.values())) == len(zones), "a corner twice")
    if pos.phase == "zone":
        need(len(zones) < len(pos.seats) and tuple(zones) == pos.seats[: len(zones)], "zones out of order")
        need(pos.mode != "duel" or not zones, "only A chooses")
        pos.to_move = pos.seats[len(zones)]
    else:
        need(len(zones) == len(pos.seats), "zones incomplete")
    if pos.mode == "duel" and zones:
        need(zones["B"] == OPPOSITE[zones["A"]], "zones not opposite")
    if pos.mode == "team":
        for one, two in ("AC", "BD"):
            need(
                one not in zones or two not in zones or zones[two] != OPPOSITE[zones[one]], "team-mates apart"
            )
    pos.set_zones(zones)


def load_heroes(pos, doc):
    heroes = mapping(doc.get("heroes"), pos.seats, "heroes")
    need(len(heroes) == len(pos.seats), "a seat without heroes")
    for seat in pos.seats:
        entries = heroes[seat]
        need(type(entries) is list and 1 <= len(entries) <= 4, "one to four heroes")
        need(all(type(entry) is str and entry.split() for entry in entries), "hero entry")
        read_names([entry.split()[0] for entry in entries])
        for entry in entries:
            pos.store(read_hero(pos, seat, entry.split()))
    kinds = Counter(hero.kind for hero in pos.heroes.values())
    need(max(kinds.values()) <= 2, "a third copy")
    nodes = [hero.node for hero in pos.on_board()]
    need(len(set(nodes)) == len(nodes), "two heroes on a node")
    if pos.phase == "turn":
        need(len(nodes) == len(pos.heroes), "a hero off the board")  # JM13
    if pos.phase == "deploy":
        in_order = [
            pos.heroes[key].node
            for key in sorted(pos.heroes, key=lambda key: (pos.order.index(key[0]), key[1]))
        ]
        need(None in in_order, "all are deployed")
        need(not any(in_order[in_order.index(None) :]), "deployed out of order")
        pos.to_move = next_to_deploy(pos).seat


def read_hero(pos, seat, parts):
    name, *rest = parts
    hero = off_board(seat, name)
    if not rest:
        return hero
    need(pos.phase != "zone", "nobody is on the board yet")
    need(rest[0] in NODE_OF, "unknown node")
    node = NODE_OF[rest[0]]
    need(node in pos.arena.open, "node off the board or blocked")
    owner = pos.zone_owner.get(node)
    need(owner is None or pos.side_of[owner] == pos.side_of[seat], "in an opposing zone")
    if pos.phase == "deploy":
        need(len(rest) == 1 and owner == seat, "deployment")
        return hero._replace(node=node, energy=pos.lowest(hero), fresh=True)
    need(len(rest) >= 2 and re.fullmatch("[1-9]", rest[1]), "energy")
    marks = rest[2:]
    need(set(marks) <= {"fresh", "jumped"} and len(set(marks)) == len(marks), "marks")
    hero = hero._replace(node=node, energy=int(rest[1]), fresh="fresh" in marks, jumped="jumped" in marks)
    need(hero.energy <= pos.maximum(hero), "energy above the maximum")
    need(not hero.fresh or owner == seat, "fresh outside the own zone")
    need(not hero.jumped or pos.phase == "jumping", "jumped outside a jump sequence")
    return hero


def load_turn(pos, doc):
    last = pos.rules["turn_cap"] - (pos.phase == "redeploy")
    pos.turn = whole(doc.get("turn", 1), 1, last, "turn")
    for side, vp in mapping(doc.get("vp", {}), pos.sides, "vp").items():
        pos.vp[side] = whole(vp, 0, pos.target - 1, "vp")
    if pos.phase == "redeploy":
        pos.active = word(doc.get("active"), pos.seats, "active")
        hero = next_defeated(pos)
        need(hero is not None, "nobody to redeploy")
        pos.to_move = hero.seat


def load_acting_hero(pos, doc):
    need(type(doc.get("hero")) is str, "no hero")
    pos.hero = (pos.to_move, doc["hero"])
    need(pos.hero in pos.heroes, "unknown acting hero")
    hero = pos.heroes[pos.hero]
    need(hero.node is not None, "acting hero off the board")
    if pos.phase == "stepped":
        need(hero.kind in STEP_ABILITIES, "no ability after a step")
    else:
        need(not hero.fresh and not hero.jumped, "marks of the acting hero")
        pos.used = doc.get("used", False)
        need(type(pos.used) is bool, "used")
        need(not pos.used or hero.kind in JUMP_ABILITIES, "used")
    need(len(atoms_of(pos)) > 1, "nothing to decide")


# ---------------------------------------------------------------- writing documents


def document(pos):
    need(pos.phase != "over", "a game that is over has no document")
    doc = {
        "game": "jump_masters",
        "arena": list(pos.arena.rows),
        "mode": pos.mode,
        "rules": changed_rules(pos.rules),
        "phase": pos.phase,
        "to_move": pos.to_move,
    }
    for name, rows in ARENAS.items():
        if rows == pos.arena.rows:
            doc["arena"] = name
    if pos.phase == "draft":
        doc["draft"] = pos.draft
        doc["picks"] = {seat: list(pos.picks[seat]) for seat in pos.seats}
        if pos.draft == "pass":
            doc["hands"] = {seat: list(pos.hands[seat]) for seat in pos.seats}
        return doc
    doc["zones"] = dict(pos.zones)
    doc["heroes"] = {
        seat: [hero_entry(pos, pos.heroes[key]) for key in sorted(pos.heroes) if key[0] == seat]
        for seat in pos.seats
    }
    if pos.phase not in ("zone", "deploy"):
        doc["turn"], doc["vp"] = pos.turn, dict(pos.vp)
    if pos.phase in ("stepped", "jumping"):
        doc["hero"] = pos.hero[1]
    if pos.phase == "jumping":
        doc["used"] = pos.used
    if pos.phase == "redeploy":
        doc["active"] = pos.active
    return doc


def hero_entry(pos, hero):
    if hero.node is None:
        return hero.name
    text = f"{hero.name} {NODE_NAME[hero.node]}"
    if pos.phase == "deploy":
        return text
    return text + f" {hero.energy}" + " fresh" * hero.fresh + " jumped" * hero.jumped


def changed_rules(rules):
    changed = {}
    for name, (default, allowed) in PARAMETERS.items():
        if allowed is dict:
            printed = 1 if name == "hero_max" else 0
            heroes = {kind: n for kind, n in rules[name].items() if n != HEROES[kind][printed]}
            if heroes:
                changed[name] = heroes
        elif rules[name] != default:
            changed[name] = list(rules[name]) if allowed is list else rules[name]
    return changed


# ---------------------------------------------------------------- starting a game


def named(kinds):
    """Plain names to seat names: a second copy becomes NAME.2."""
    return sorted(kind if kinds[:i].count(kind) == 0 else kind + ".2" for i, kind in enumerate(kinds))


def start(mode, arena, rules, draft, rng, teams=None):
    """The position before the first decision."""
    doc = {"game": "jump_masters", "mode": mode, "arena": arena, "rules": rules}
    word(mode, MODES, "mode")
    word(draft, ("free", "snake", "blind", "pass", "fixed"), "draft")
    need((teams is not None) == (draft == "fixed"), "teams are for draft fixed")
    seats, full_rules = MODES[mode][0], read_rules(rules, mode)
    deck = [kind for kind in HEROES for _ in (1, 2)]
    rng.shuffle(deck)
    if draft in ("free", "snake", "pass"):
        doc.update(phase="draft", draft=draft)
        if draft == "pass":
            size = full_rules["pass_hand"]
            doc["hands"] = {seat: deck[i * size : (i + 1) * size] for i, seat in enumerate(seats)}
        return load(doc)
    if draft == "blind":
        teams = [blind_draw(deck, full_rules, rng) for _ in seats]
    need(len(teams) == len(seats), "one team per seat")
    doc.update(phase="zone", heroes={seat: named(list(team)) for seat, team in zip(seats, teams)})
    return load(doc)


def blind_draw(deck, rules, rng):
    team, aside = [], []
    while len(team) < rules["team_size"]:
        card = deck.pop(rng.randrange(len(deck)))
        if card in team and not rules["both_copies"]:
            aside.append(card)  # JM75
        else:
            team.append(card)
    deck.extend(aside)
    return team


# ---------------------------------------------------------------- random positions


def random_rules(rng):
    """Overrides: mostly none, sometimes a few, seldom many.  May be inconsistent; load decides."""
    share = rng.choices((0, 0.06, 0.3, 0.7), (50, 30, 15, 5))[0]
    rules = {name: random_value(rng, name) for name in PARAMETERS if rng.random() < share}
    if rng.random() < 0.8:  # very short games and odd teams only now and then
        for name in ("vp_to_win", "vp_to_win_team", "turn_cap", "team_size", "pass_hand"):
            rules.pop(name, None)
    return rules


def random_value(rng, name):
    default, allowed = PARAMETERS[name]
    if allowed is bool:
        return rng.random() < 0.5
    if allowed is list:
        return rng.sample(sorted(HEROES), rng.choice((0, 1, 1, 2, 3, 5, 10)))
    if allowed is dict:
        return {
            kind: rng.randint(1, 9 if name == "hero_max" else rng.choice((3, 9)))
            for kind in rng.sample(sorted(HEROES), rng.randint(1, 4))
        }
    if type(allowed[0]) is int:
        if name == "turn_cap" and rng.random() < 0.7:
            return rng.randint(1, 60)
        return rng.randint(*allowed)
    return rng.choice(allowed)


def random_arena(rng):
    if rng.random() < 0.6:
        name = rng.choice(sorted(ARENAS))
        return name if rng.random() < 0.8 else list(ARENAS[name])
    w, h = rng.choice((6, 8, 10)), rng.choice((6, 8, 10))
    pillar, wall, power = rng.choice(
        (
            (0.05, 0.05, 0.05),
            (0.12, 0.12, 0.1),
            (0.25, 0.15, 0.15),
            (0, 0, 0),
            (0.05, 0, 0.45),
            (0, 0.1, 0.9),
            (0.4, 0.2, 0.1),
            (0.1, 0.02, 0.2),
        )
    )
    corner_x, corner_y = (0, 1, w - 2, w - 1), (0, 1, h - 2, h - 1)
    grid = []
    for y in range(h):
        row = ""
        for x in range(w):
            if x in corner_x and y in corner_y:
                row += rng.choice(".z")
                continue
            dice = rng.random()
            on_hill = x in (w // 2 - 1, w // 2) and y in (h // 2 - 1, h // 2)
            row += (
                "#"
                if dice < pillar
                else "="
                if dice < pillar + wall
                else "*"
                if dice < pillar + wall + power
                else rng.choice(".h")
                if on_hill
                else "."
            )
        grid.append(row)
    if "".join(grid).count("=") % 2:
        odd = next(i for i, row in enumerate(grid) if "=" in row)
        grid[odd] = grid[odd].replace("=", "#", 1)
    form = rng.random()
    if form < 0.5:
        return grid
    if form < 0.75:
        return "\n".join(grid)
    return "".join(" ".join(row) + "\n" for row in grid)


def random_zones(rng, mode):
    if mode == "duel":
        a = rng.choice(CLOCKWISE)
        return {"A": a, "B": OPPOSITE[a]}
    while True:
        corners = rng.sample(CLOCKWISE, len(MODES[mode][0]))
        zones = dict(zip(MODES[mode][0], corners))
        if mode != "team" or (zones["C"] != OPPOSITE[zones["A"]] and zones["D"] != OPPOSITE[zones["B"]]):
            return zones


def random_teams(rng, seats, team_size):
    """seat -> names; now and then with both copies on one seat, often with fewer heroes."""
    deck = [kind for kind in HEROES for _ in (1, 2)]
    rng.shuffle(deck)
    if rng.random() < 0.3:
        deck.sort(key=lambda kind: (kind in JUMP_ABILITIES, rng.random()))
    teams = {}
    for seat in seats:
        size = team_size if rng.random() < 0.6 else rng.randint(1, team_size)
        cards = [deck.pop() for _ in range(size)]
        if size > 1 and rng.random() < 0.25 and cards[0] in deck:
            deck.remove(cards[0])
            deck.append(cards[1])
            cards[1] = cards[0]
        teams[seat] = named(cards)
    return teams


def random_position(rng):
    """A random valid position that is not over."""
    while True:
        doc = random_document(rng)
        try:
            return load(doc)
        except RuleError:
            continue


def random_document(rng):
    mode = rng.choices(("duel", "team", "ffa3", "ffa4"), (50, 20, 15, 15))[0]
    doc = {"game": "jump_masters", "mode": mode, "arena": random_arena(rng), "rules": random_rules(rng)}
    # stepped and jumping are refused more often than the rest, hence their weights
    phase = rng.choices(
        ("turn", "jumping", "stepped", "redeploy", "draft", "zone", "deploy"), (46, 34, 36, 10, 7, 2, 3)
    )[0]
    doc["phase"] = phase
    try:
        frame = Position(mode, read_arena(doc["arena"]), read_rules(doc["rules"], mode))
    except RuleError:
        return doc  # inconsistent rules; load will refuse the document too
    if phase == "draft":
        random_draft(rng, doc, frame)
        return doc
    teams = random_teams(rng, frame.seats, frame.rules["team_size"])
    if phase == "zone":
        choosing = 0 if mode == "duel" else rng.randrange(len(frame.seats))
        doc["zones"] = dict(list(random_zones(rng, mode).items())[:choosing])
        doc["heroes"] = teams
        return doc
    doc["zones"] = random_zones(rng, mode)
    frame.set_zones(doc["zones"])
    if phase == "deploy":
        random_deployment(rng, doc, frame, teams)
    else:
        random_middle(rng, doc, frame, teams)
    return doc


def random_draft(rng, doc, frame):
    frame.draft = doc["draft"] = rng.choice(("free", "snake", "pass"))
    order = draft_order(frame)
    order = order[: rng.randrange(len(order))]
    deck = [kind for kind in HEROES for _ in (1, 2)]
    rng.shuffle(deck)
    picks = {seat: [] for seat in frame.seats}
    for seat in order:
        fitting = [kind for kind in deck if frame.rules["both_copies"] or kind not in picks[seat]]
        doubles = [kind for kind in fitting if kind in picks[seat]]
        card = rng.choice(doubles if doubles and rng.random() < 0.4 else fitting)
        deck.remove(card)
        picks[seat].append(card)
    doc["picks"] = {seat: named(cards) for seat, cards in picks.items()}
    if doc["draft"] == "pass":
        doc["hands"] = {}
        for seat in frame.seats:
            size = frame.rules["pass_hand"] - len(picks[seat])
            doc["hands"][seat], deck = deck[:size], deck[size:]


def random_deployment(rng, doc, frame, teams):
    to_come = [(seat, name) for seat in frame.order for name in teams[seat]]
    deployed = rng.randrange(len(to_come))
    doc["heroes"] = {seat: [] for seat in frame.seats}
    free = {seat: rng.sample(sorted(frame.own_zone(seat)), 4) for seat in frame.seats}
    for i, (seat, name) in enumerate(to_come):
        doc["heroes"][seat].append(f"{name} {NODE_NAME[free[seat].pop()]}" if i < deployed else name)


def random_middle(rng, doc, frame, teams):
    """Phases turn, stepped, jumping and redeploy."""
    phase, rules = doc["phase"], frame.rules
    seat = rng.choice(frame.seats)
    doc["active" if phase == "redeploy" else "to_move"] = seat
    cap = rules["turn_cap"]
    doc["turn"] = rng.choice((cap, cap - 1, 1)) if rng.random() < 0.15 else rng.randint(1, min(cap, 300))
    doc["vp"] = {
        side: frame.target - rng.randint(1, min(8, frame.target))
        if rng.random() < 0.25
        else rng.randrange(frame.target)
        for side in frame.sides
    }
    actor = None
    if phase in ("stepped", "jumping"):
        actor = doc["hero"] = random_actor(rng, teams, seat, phase)
    if phase == "jumping":
        doc["used"] = actor.split(".")[0] in JUMP_ABILITIES and rng.random() < 0.25
    doc["heroes"] = random_crowd(rng, frame, teams, phase, seat, actor)


def random_actor(rng, teams, seat, phase):
    """The acting hero, mostly one with a fitting ability; the seat gets one if it has none."""
    fitting = STEP_ABILITIES if phase == "stepped" else JUMP_ABILITIES
    able = [name for name in teams[seat] if name.split(".")[0] in fitting]
    if able and rng.random() < 0.9:
        return rng.choice(able)
    if phase == "jumping" and rng.random() < 0.4:
        return rng.choice(teams[seat])
    others = Counter(name.split(".")[0] for s in teams if s != seat for name in teams[s])
    kind = rng.choice([kind for kind in sorted(fitting) if others[kind] < 2] or teams[seat])
    if kind not in teams[seat]:
        teams[seat] = named([name.split(".")[0] for name in teams[seat][1:]] + [kind])
    return kind


def random_crowd(rng, frame, teams, phase, seat, actor):
    """Hero entries, most of them within a few nodes of each other."""
    free = set(frame.arena.open)
    nodes = sorted(free)
    centre = rng.choice(nodes)
    if rng.random() < 0.3:
        centre = rng.choice(sorted(frame.own_zone(rng.choice(frame.seats))))
    elif rng.random() < 0.3:
        centre = rng.choice(sorted(frame.arena.hill))
    reach = rng.choice((1, 2, 2, 2, 3, 3, 4, 9))
    lost = {"turn": 0, "stepped": 0.04, "jumping": 0.12, "redeploy": rng.choice((0.2, 0.6))}[phase]
    at_home = rng.choice((0.05, 0.15, 0.4))
    jumped = rng.choice((0, 0.2, 0.5))
    entries = {s: [] for s in frame.seats}
    todo = [(s, name) for s in frame.seats for name in teams[s]]
    rng.shuffle(todo)
    todo.sort(key=lambda who: who != (seat, actor))  # the acting hero first
    filled = set()  # a zone to be filled by its seat and the team-mate (JM14)
    if frame.mode == "team" and rng.random() < 0.3:
        full_seat = rng.choice(frame.seats)
        filled = frame.own_zone(full_seat)
        todo.sort(key=lambda who: who[0] == full_seat)  # its own heroes come too late
    around_actor = actor is not None and rng.random() < 0.6
    for s, name in todo:
        hero = off_board(s, name)
        acting = s == seat and name == actor
        if rng.random() < lost and not acting:
            entries[s].append(name)
            continue
        allowed = [
            n
            for n in sorted(free)
            if n not in frame.zone_owner or frame.side_of[frame.zone_owner[n]] == frame.side_of[s]
        ]
        home = [n for n in allowed if frame.zone_owner.get(n) == s]
        near = [n for n in allowed if distance(n, centre) <= reach]
        if home and rng.random() < at_home:
            near = home
        if filled & set(allowed) and rng.random() < 0.9:
            near = sorted(filled & set(allowed))
        if not near and not allowed:
            entries[s].append(name)
            continue
        node = rng.choice(near or allowed)
        free.discard(node)
        if acting and around_actor:
            centre, reach = node, rng.choice((1, 2, 2, 3))
        maximum = frame.maximum(hero)
        energy = rng.choices((1, maximum, rng.randint(1, maximum)), (30, 15, 55))[0]
        text = f"{name} {NODE_NAME[node]} {energy}"
        if frame.zone_owner.get(node) == s and not (acting and phase == "jumping") and rng.random() < 0.6:
            text += " fresh"
        if phase == "jumping" and not acting and rng.random() < jumped:
            text += " jumped"
        entries[s].append(text)
    return entries


def random_start(rng):
    """A game's first position with a random frame and draft."""
    while True:
        mode = rng.choice(sorted(MODES))
        draft = rng.choice(("free", "snake", "blind", "pass", "fixed"))
        teams = None
        if draft == "fixed":
            teams = [rng.choice(sorted(TEAMS.values())) for _ in MODES[mode][0]]
            if max(Counter(kind for team in teams for kind in team).values()) > 2:
                continue
        try:
            pos = start(mode, random_arena(rng), random_rules(rng), draft, rng, teams)
            need(draft != "fixed" or pos.rules["team_size"] == 4, "team size")
            return pos
        except RuleError:
            continue


def random_playout_positions(rng, n):
    """n positions visited by uniformly random play, game after game; none of them over."""
    given = 0
    while given < n:
        pos = random_start(rng)
        while pos.phase != "over" and given < n:
            yield pos
            given += 1
            pos = after(pos, rng.choice(legal(pos)))


# ---------------------------------------------------------------- cases


def answer(case):
    pos = load(case["position"])
    if case["ask"] == "legal":
        return legal(pos)
    if case["ask"] == "turn_ends":
        return turn_ends(pos)
    if case["ask"] == "after":
        return canonical(after(pos, case["action"]))
    if case["ask"] == "outcomes":  # every action is deterministic
        return {canonical(after(pos, case["action"])): 1}
    raise ValueError(f"unknown ask {case['ask']}")


def run_case(case):
    try:
        got = answer(case)
    except RuleError:
        got = {"error": True}
    return got == case["expect"], got


def main(paths):
    if paths and paths[0] == "--facts":
        return check_facts(int(paths[1]) if len(paths) > 1 else 100)
    passed = failed = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            cases = yaml.safe_load(file)
        for case in cases:
            good, got = run_case(case)
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"{case['id']}: {case.get('note', '')}\n  expected {case['expect']}\n  got      {got}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


# ---------------------------------------------------------------- checks of section 16

FIRST_TURN = {"pillars": 38, "pillars_b": 35, "ruins": 21, "divide": 32, "mill": 25}
MATCHES = [  # mode, arena, draft or team, mean turns, its error, sd, atoms per game
    ("duel", "pillars", "starters", 110.3, 1.1, 35.3, 126.9),
    ("duel", "pillars_b", "starters", 111.1, 1.1, 34.5, 127.0),
    ("duel", "ruins", "starters", 98.7, 0.9, 29.9, 115.0),
    ("duel", "divide", "starters", 110.7, 1.2, 36.6, 126.4),
    ("duel", "mill", "starters", 114.7, 2.0, 39.8, 132.0),
    ("duel", "pillars", "steppers_and_stealers", 123.2, 1.9, 38.0, 136.3),
    ("duel", "pillars", "crowd_control", 114.2, 1.8, 36.7, 132.1),
    ("duel", "pillars", "big_hitters", 106.5, 1.8, 36.7, 118.1),
    ("team", "ruins", "blind", 160.2, 3.1, 38.2, 197.8),
    ("ffa3", "mill", "blind", 127.3, 2.9, 36.0, 152.9),
    ("ffa4", "pillars_b", "pass", 131.5, 3.2, 38.9, 182.6),
]


def first_position(arena, team):
    entry = [f"{name} {{}} 1 fresh" for name in TEAMS[team]]
    return load(
        {
            "game": "jump_masters",
            "arena": arena,
            "zones": {"A": "sw", "B": "ne"},
            "to_move": "A",
            "heroes": {
                "A": [e.format(n) for e, n in zip(entry, ("a1", "a2", "b1", "b2"))],
                "B": [e.format(n) for e, n in zip(entry, ("h8", "h7", "g8", "g7"))],
            },
        }
    )


def half_turn(pos):
    """The same position seen from the other side of the table (duel)."""
    new, swap = pos.copy(), {"A": "B", "B": "A", None: None}
    turned = lambda node: node and (pos.arena.width + 1 - node[0], pos.arena.height + 1 - node[1])
    new.heroes = {
        (swap[s], name): hero._replace(seat=swap[s], node=turned(hero.node))
        for (s, name), hero in pos.heroes.items()
    }
    new.vp = {swap[side]: vp for side, vp in pos.vp.items()}
    new.to_move, new.active, new.winner = swap[pos.to_move], swap[pos.active], swap[pos.winner]
    new.hero = pos.hero and (swap[pos.hero[0]], pos.hero[1])
    new.set_zones({swap[s]: OPPOSITE[corner] for s, corner in pos.zones.items()})
    return new


def check_symmetry(rng, count):
    checked = 0
    while checked < count:
        pos = random_position(rng)
        if (
            pos.mode == "duel"
            and pos.arena.rows in ARENAS.values()
            and pos.phase in ("turn", "stepped", "jumping")
        ):
            checked += 1
            other = load(document(half_turn(pos)))
            assert len(legal(pos)) == len(legal(other)), canonical(pos)
            ends = sorted(canonical(half_turn(end)) for end in turn_end_positions(pos))
            assert ends == turn_ends(other), canonical(pos)


def check_books(before, pos):
    """Section 16, fact 5, after every atom."""
    assert all(pos.vp[side] >= before.vp[side] for side in pos.sides)
    for hero in pos.heroes.values():
        assert hero.node is None or 1 <= hero.energy <= pos.maximum(hero)
        assert not hero.fresh or pos.zone_owner[hero.node] == hero.seat
    if pos.phase == "turn":
        assert all(hero.node is not None for hero in pos.heroes.values())
    if pos.phase in ("redeploy", "jumping") and before.phase in ("turn", "stepped", "jumping"):
        gone = [
            before.heroes[key]
            for key, hero in pos.heroes.items()
            if hero.node is None and before.heroes[key].node is not None
        ]
        assert sum(pos.vp.values()) - sum(before.vp.values()) <= sum(pos.maximum(hero) for hero in gone)


def check_no_energy(rng, games):
    """Section 16, fact 4: everybody stays at 1 and no attacker survives."""
    rules = {"energize_gain": 0, "power_gain": 0, "disabled_abilities": sorted(HEROES), "vp_to_win": 60}
    for _ in range(games):
        pos = start("duel", rng.choice(sorted(ARENAS)), rules, "blind", rng)
        while pos.phase != "over":
            before, pos = pos, after(pos, rng.choice(legal(pos)))
            assert all(hero.energy == 1 for hero in pos.on_board())
            if pos.phase in ("turn", "redeploy") and before.phase in ("turn", "jumping"):
                side = before.to_move
                assert pos.vp[side] == before.vp[side], canonical(pos)


def random_game(rng, mode, arena, draft):
    if draft in TEAMS:
        pos = start(mode, arena, {}, "fixed", rng, [TEAMS[draft]] * 2)
    else:
        pos = start(mode, arena, {}, draft, rng)
    atoms, choices, starts = 0, 0, 0
    while pos.phase != "over":
        actions = legal(pos)
        assert actions and actions != ["end"] and actions != ["pass"]
        if pos.phase == "turn":
            starts, choices = starts + 1, choices + len(actions)
        before, pos = pos, after(pos, rng.choice(actions))
        atoms += 1
        check_books(before, pos)
    return pos.turn, atoms, choices / starts, sum(pos.vp.values()), pos.winner == pos.sides[0]


def check_facts(games):
    rng = random.Random(7)
    for arena, ends in FIRST_TURN.items():
        for team in TEAMS:
            pos = first_position(arena, team)
            got = (
                len(turn_ends(pos)),
                depth2(pos) if team == "starters" or arena == "ruins" else ends * ends,
            )
            assert got == (ends, ends * ends), (arena, team, got)
    print("first turns agree")
    check_symmetry(rng, 300)
    print("half-turn symmetry holds")
    check_no_energy(rng, 30)
    print("without energy no attacker survives")
    for mode, arena, draft, turns, error, sd, atoms in MATCHES:
        began = time.time()
        results = [random_game(rng, mode, arena, draft) for _ in range(games)]
        mean = [sum(column) / games for column in zip(*results)]
        bar = (sd * sd / games + error * error) ** 0.5
        print(
            f"{mode} {arena} {draft}: turns {mean[0]:.1f} (table {turns}, {(mean[0] - turns) / bar:+.1f} errors), "
            f"atoms {mean[1]:.1f} (table {atoms}), choices {mean[2]:.1f}, VP {mean[3]:.1f}, "
            f"first side {mean[4]:.3f}, {time.time() - began:.0f} s",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
