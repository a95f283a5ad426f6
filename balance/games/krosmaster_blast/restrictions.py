"""What an agent can be forbidden in Krosmaster: Blast: names and the bits of the rule function ``tag``.

Needs no kernels and reads no file; the tests compare the names with the shipped cards. Cards that somebody
adds have the bits of their kind of action only. Decisions where nothing else is legal are not among them.
"""

from __future__ import annotations

# By tag bit, which is the number of the kind of action.
KINDS = {"move": 4, "cast": 5, "favor": 6, "bonus": 7, "place": 8, "lift": 9}
FIRST_CARD = 16  # tag bit of the first card
FIRST_HERO = 48  # tag bit of a spell of the first Krosmaster in name order; there are bits for sixteen
HERO_BITS = 16
SPELLS = {
    "agate": ("arrow", "capitol_punishment"),
    "fern_sockem": ("spines", "block_seed"),
    "martine_gale": ("catroulette", "fleabag"),
    "mender": ("brush", "healing_word"),
    "oone": ("sting", "wings"),
    "ronimo": ("pressure", "wild_leap"),
}
MINION_SPELLS = ("parasiting", "bite")
FAVORS = (
    "balm",
    "bolt",
    "brazier",
    "cold_wave",
    "farsight",
    "fog_bank",
    "haste",
    "precision",
    "push",
    "snare",
    "surge",
    "trade_places",
    "usurp",
    "wabbit_invasion",
)
BONUSES = ("iops_wrath", "rain_of_arrows", "remote_controlled_arrow")
CARDS = (*(spell for spells in SPELLS.values() for spell in spells), *MINION_SPELLS, *FAVORS, *BONUSES)
CARD_BITS = {name: 1 << (FIRST_CARD + number) for number, name in enumerate(CARDS)}

RESTRICTIONS = {
    **{f"action:{kind}": 1 << bit for kind, bit in KINDS.items()},
    **{f"ability:{name}": bit for name, bit in CARD_BITS.items()},
    **{f"power:{hero}": sum(CARD_BITS[spell] for spell in spells) for hero, spells in SPELLS.items()},
}
