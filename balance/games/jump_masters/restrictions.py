"""What an agent can be forbidden in Jump Masters: names and the bits of the rule function ``tag``.

Needs no kernels; the tests compare the numbers with ``layout.Kind`` and ``layout.Hero``. Picks, zones,
deployment and redeployment are not among them: where one of these is due, nothing else is legal, and the
restriction would always yield.
"""

from __future__ import annotations

from balance.games.game import Passive

# By tag bit, which is the number of the kind of action.
KINDS = {
    "step": 3,
    "run": 4,
    "fire_step": 5,
    "missile_go": 6,
    "jump": 7,
    "pass": 8,
    "frog_bow": 9,
    "blood_boon": 10,
    "ensnare": 11,
    "end": 12,
}
FIRST_ABILITY = 16  # tag bit of the first hero's ability
# In the order of hero numbers. Four of them are parts of a jump, and a jump with one is an action of its own.
ABILITIES = {
    "burnny": "fire_step",
    "freeda": "aura",
    "hopper": "frog_bow",
    "katula": "blood_boon",
    "parena": "windstorm",
    "pinkbeary": "off_the_top_rope",
    "roara": "ensnare",
    "torturn": "stalwart",
    "unni": "missile_go",
    "wuffryder": "swipe_out",
}
PASSIVE = "torturn"  # Stalwart prevents losses by itself (JM46); nobody decides to use it

_bits = {hero: 1 << (FIRST_ABILITY + number) for number, hero in enumerate(ABILITIES)}
_active = {hero: name for hero, name in ABILITIES.items() if hero != PASSIVE}

RESTRICTIONS = {
    **{f"action:{kind}": 1 << bit for kind, bit in KINDS.items()},
    **{f"ability:{name}": _bits[hero] for hero, name in _active.items()},
    **{f"power:{hero}": _bits[hero] for hero in _active},
}
PASSIVES = {
    name: Passive(PASSIVE, "disabled_abilities")
    for name in (f"ability:{ABILITIES[PASSIVE]}", f"power:{PASSIVE}")
}
