"""Parameters (section 9)."""

from __future__ import annotations

from .base import distinct, listing, mapping, need, truth, whole, word
from .rows import TILES

FACES = ("burst", "shield", "boot", "magnet", "dofus", "burst_boot")
BLOCKERS = ("tree", "bush", "fighter", "fog")
SIX = ["martine_gale", "agate", "ronimo", "oone", "fern_sockem", "mender"]

LEVELS = {  # defaults of the advanced parts
    "basic": {
        "tackle_zones": False,
        "jokers": False,
        "superior_favors": False,
        "tile_kinds": ["fire", "ice"],
        "challenge_count": 0,
    },
    "advanced": {
        "tackle_zones": True,
        "jokers": True,
        "superior_favors": True,
        "tile_kinds": ["fire", "ice", "fog"],
        "challenge_count": 1,
    },
}

# name -> (default, allowed): a pair of numbers is a range, words are a choice, a list of words is a
# subset, bool is yes or no.
PARAMETERS = {
    "level": ("advanced", ("basic", "advanced")),
    "tackle_zones": (True, bool),
    "jokers": (True, bool),
    "superior_favors": (True, bool),
    "tile_kinds": (list(TILES), list(TILES)),
    "challenge_count": (1, (0, 3)),
    "team_size": (2, (2, 3)),
    "roster": (SIX, "names"),
    "draft_order": ("snake", ("snake", "alternate")),
    "rounds": (5, (1, 7)),
    "kos_to_win": (0, (0, 3)),
    "double_ko": ("draw", ("draw", "active_loses", "active_wins")),
    "die": (list(FACES), "faces"),
    "crit_bonus": (1, (0, 5)),
    "shield_block": (1, (0, 5)),
    "dodge_dice_cap": (3, (1, 3)),
    "spell_ap": (1, (0, 3)),
    "favor_ap": (1, (0, 3)),
    "favor_ap_dofus": (0, (0, 3)),
    "bonus_ap": (1, (0, 3)),
    "move_mp": (1, (1, 3)),
    "fire_damage": (2, (0, 10)),
    "tile_limit": (4, (1, 20)),
    "tiles_per_favor": (2, (1, 4)),
    "tile_reach": (0, (0, 30)),
    "dofus_start": ("B", ("A", "B", "none")),
    "dofus_lock_turns": (1, (0, 14)),
    "dofus_on": ("capture", ("capture", "entry")),
    "capture_forced": ("own_turn", ("own_turn", "always")),
    "friendly_fire": (True, bool),
    "los_corner": ("pair", ("pair", "free", "block")),
    "los_blockers": (["tree", "fighter", "fog"], list(BLOCKERS)),
    "summon_acts": ("same_turn", ("same_turn", "next_turn")),
}


def read_rules(given, krosmaster_names):
    given = mapping(given, PARAMETERS, "rules")
    rules = {name: default for name, (default, _) in PARAMETERS.items()}
    rules |= LEVELS[word(given.get("level", "advanced"), LEVELS, "level")]
    for name, value in given.items():
        rules[name] = read_value(name, value, PARAMETERS[name][1], krosmaster_names)
    need(rules["kos_to_win"] <= rules["team_size"], "kos_to_win above team_size")
    return rules


def read_value(name, value, allowed, krosmaster_names):
    if allowed is bool:
        return truth(value, name)
    if allowed == "faces":
        need(1 <= len(listing(value, name)) <= 20, "a die has 1 to 20 faces")
        return [word(face, FACES, "face") for face in value]
    if allowed == "names":
        return distinct([word(one, krosmaster_names, name) for one in listing(value, name)], name)
    if type(allowed) is list:
        return distinct([word(one, allowed, name) for one in listing(value, name)], name)
    if type(allowed[0]) is int:
        return whole(value, allowed[0], allowed[1], name)
    return word(value, allowed, name)
