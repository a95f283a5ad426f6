"""What a playout of Krosmaster: Blast records beside the result (section 12), and what each column means.

Columns have names, so cards that we ship have columns of their own and cards that somebody adds share one.
"""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.layout import CELLS, TEAM, TURNS
from balance.games.krosmaster_blast.restrictions import FAVORS
from balance.games.metric import KILLS, Column
from balance.kernel.contract import SEATS

MINIONS = ("black_tiwabbit", "block_doll", "fleeflee")
CHALLENGES = ("cras_field_of_fire", "iops_brawl_for_all")
CHALLENGE_TITLES = ("Cra's Field of Fire", "Iop's Brawl-for-All")
SPELLS = 3  # spells of a Krosmaster, in name order, with columns of their own; the rest is the last one's
FIRST_TURNS = tuple(f"glyphs_turn_{turn}" for turn in range(1, TURNS + 1))
TILES = ("fire", "fog", "ice")
ALL_FAVORS = (*FAVORS, "others")
ALL_MINIONS = (*MINIONS, "others")

SEAT_COUNTS = (
    "captures",
    "recaptures",
    "dofus_turns",
    "turns_begun",
    "favors_paid",
    "favors_free",
    "ap_spells",
    "ap_favors",
    "ap_bonuses",
    "ap_unused",
    "mp_spent",
    "mp_unused",
    "mp_lost",
    "dodges_1",
    "dodges_2",
    "dodges_3",
    "dodged",
    "caught",
    "tackled",
    "minions_killed",
    "bonuses_used",
    *(f"tiles_{kind}" for kind in TILES),
    *(f"summoned_{name}" for name in ALL_MINIONS),
    *(f"played_{name}" for name in ALL_MINIONS),
    *(f"used_{name}" for name in ALL_FAVORS),
    *FIRST_TURNS,
)
GAME_COUNTS = (
    "challenge",
    "first_ko_turn",
    "kos",
    "lead_changes",
    "neutral_glyphs",
    *(f"shown_{name}" for name in ALL_FAVORS),
)
HERO_COUNTS = (
    "ability_uses",
    *(f"casts_{number}" for number in range(1, SPELLS + 1)),
    *(f"damage_{number}" for number in range(1, SPELLS + 1)),
    "rolls",
    "modifiers",
    "raised",
    "lowered",
    "damage_own_side",
    "taken_spell",
    "taken_fire",
    "taken_favor",
    "taken_bonus",
    "healing",
    "knocked_out",
    "ko_turn",
    "kos_made",
    "captures",
    "steps",
    "favors",
    "activations",
)
NODE_COUNTS = ("visits", "occupied", "captures", "knock_outs", "tiles", "in_range", "out_of_sight")

GAME = np.dtype(
    [
        *((name, "i4") for name in GAME_COUNTS),
        *((name, "i4", (SEATS,)) for name in SEAT_COUNTS),
    ]
)
HERO = np.dtype([(name, "i4") for name in HERO_COUNTS])
NODE = np.dtype([(name, "i4") for name in NODE_COUNTS])
# What observe() must remember within one game; counts by card are carried over to their columns at its end.
SCRATCH = np.dtype(
    [
        ("leader", "i4"),  # seat with more Glyph cells at the last turn end at which they differed
        ("shown", "i4", (len(ALL_FAVORS),)),
        ("used", "i4", (len(ALL_FAVORS), 2)),
        ("summoned", "i4", (len(ALL_MINIONS), 2)),
        ("played", "i4", (len(ALL_MINIONS), 2)),
        ("tiles", "i4", (1 + len(TILES), 2)),
        ("glyphs", "i4", (TURNS, 2)),
    ]
)
TALLY = np.dtype(
    [("game", GAME), ("hero", HERO, (SEATS * TEAM,)), ("node", NODE, (CELLS,)), ("scratch", SCRATCH)]
)

_PAID = "AP by use"
_WORDS: dict[str, tuple[str, str, str]] = {
    "captures": ("Captures", "per game", "Glyph cells captured"),
    "recaptures": ("Recaptures", "per game", "Glyph cells taken from the other seat"),
    "dofus_turns": ("Turns with the Dofus", "turns", "turns begun holding the Dofus"),
    "turns_begun": ("Turns", "turns", "turns begun"),
    "favors_paid": ("Favors paid for", "per game", "favors used for AP"),
    "favors_free": ("Free favors", "per game", "favors used without AP"),
    "ap_spells": ("AP on spells", "AP", "AP spent on spells"),
    "ap_favors": ("AP on favors", "AP", "AP spent on favors"),
    "ap_bonuses": ("AP on bonuses", "AP", "AP spent on active bonuses of challenges"),
    "ap_unused": ("AP unused", "AP", "AP left when a Fighter was done"),
    "mp_spent": ("MP spent", "MP", "MP spent on steps"),
    "mp_unused": ("MP unused", "MP", "MP left when a Fighter was done"),
    "mp_lost": ("MP lost", "MP", "MP lost to failed dodges"),
    "dodges_1": ("Dodges, 1 die", "per game", "dodge rolls with one die"),
    "dodges_2": ("Dodges, 2 dice", "per game", "dodge rolls with two dice"),
    "dodges_3": ("Dodges, 3 dice", "per game", "dodge rolls with three dice"),
    "dodged": ("Dodged", "per game", "dodge rolls that succeeded"),
    "caught": ("Caught", "per game", "dodge rolls that cost the MP"),
    "tackled": ("Tackled", "per game", "dodge rolls that cost MP and AP"),
    "minions_killed": ("Minions killed", "per game", "minions of the seat that were knocked out"),
    "bonuses_used": ("Bonuses used", "per game", "active bonuses of challenges used"),
}
_GAME_WORDS: dict[str, tuple[str, str, str]] = {
    "kos": ("KOs", "per game", "Krosmasters knocked out"),
    "lead_changes": ("Lead changes", "per game", "turn ends at which the other seat led in Glyph cells"),
    "neutral_glyphs": ("Neutral Glyph cells", "cells", "Glyph cells that nobody controls at the end"),
}
KO_TURNS = ("none", *(f"turn {turn}" for turn in range(1, TURNS + 1)))
_HERO_WORDS: dict[str, tuple[str, str, str]] = {
    "ability_uses": ("Spells cast", "per game", "spells that it cast"),
    "rolls": ("Combat rolls", "per game", "combat rolls that it made"),
    "modifiers": ("Roll modifiers", "damage", "damage that its rolls added, less what they took off"),
    "raised": ("Rolls that hit harder", "per game", "combat rolls that added damage"),
    "lowered": ("Rolls blocked", "per game", "combat rolls that took damage off"),
    "damage_own_side": ("Damage to own side", "damage", "injuries dealt to own Fighters"),
    "taken_spell": ("Taken from spells", "damage", "injuries from spells"),
    "taken_fire": ("Taken from fire", "damage", "injuries from fire tiles"),
    "taken_favor": ("Taken from favors", "damage", "injuries from favors"),
    "taken_bonus": ("Taken from bonuses", "damage", "injuries from active bonuses"),
    "healing": ("Healing", "injuries", "injuries that it removed"),
    "knocked_out": ("Knocked out", "share", "games in which it was knocked out"),
    "kos_made": ("KOs made", "per game", "enemy Krosmasters that it knocked out"),
    "captures": ("Captures", "per game", "Glyph cells that it captured"),
    "steps": ("Steps", "per game", "steps that it made"),
    "favors": ("Favors", "per game", "favors that it used"),
    "activations": ("Activations", "per game", "turns in which it was played"),
}
_NODE_WORDS: dict[str, tuple[str, str, str]] = {
    "visits": ("Visits", "per game", "Fighters that came onto the cell"),
    "occupied": ("Occupancy", "turn ends", "turn ends with a Fighter on the cell"),
    "captures": ("Captures", "per game", "captures of the Glyph cell"),
    "knock_outs": ("Knock-outs", "per game", "Fighters knocked out on the cell"),
    "tiles": ("Tiles", "per game", "tiles placed on the cell"),
    "in_range": (
        "In range",
        "per game",
        "enemies in range of a damage spell of the Fighter that was done here",
    ),
    "out_of_sight": ("Out of sight", "per game", "those of them that it could not see"),
}


def _named(
    prefix: str, names: tuple[str, ...], what: str, text: str, role: str = "seat"
) -> dict[str, Column]:
    """One column for each of some cards."""
    return {
        f"{prefix}_{name}": Column(f"{what}: {_title(name)}", "per game", f"{text} {_title(name)}", role)
        for name in names
    }


def _title(name: str) -> str:
    """What a card is called in tables."""
    return "other cards" if name == "others" else name.replace("_", " ").title()


COLUMNS: dict[str, dict[str, Column]] = {
    "games": {
        "challenge": Column(
            "Challenge", "kind", "the first divine challenge", "label", ("none", *CHALLENGE_TITLES, "another")
        ),
        "first_ko_turn": Column("First KO", "turn", "turn of the first KO", "label", KO_TURNS),
        **{name: Column(*words, "mean") for name, words in _GAME_WORDS.items()},
        **_named("shown", ALL_FAVORS, "Revealed", "reveals of", "mean"),
        **{
            name: Column(*words, "seat", whole=_PAID if name.startswith("ap_") else "")
            for name, words in _WORDS.items()
        },
        **_named("tiles", TILES, "Tiles placed", "tiles placed of"),
        **_named("summoned", ALL_MINIONS, "Summoned", "summons of"),
        **_named("played", ALL_MINIONS, "Played", "activations of"),
        **_named("used", ALL_FAVORS, "Used", "uses of"),
        **{
            name: Column(
                f"Glyph cells, turn {turn}",
                "cells",
                f"Glyph cells after turn {turn}, or when the game ended",
                "seat",
            )
            for turn, name in enumerate(FIRST_TURNS, 1)
        },
    },
    "heroes": {
        **{
            name: Column(*words, "mean", whole=KILLS if name == "kos_made" else "")
            for name, words in _HERO_WORDS.items()
        },
        **{
            f"casts_{number}": Column(
                "Casts", "per game", f"casts of spell {number} by name", "mean", ability=number
            )
            for number in range(1, SPELLS + 1)
        },
        **{
            f"damage_{number}": Column(
                "Damage", "damage", f"injuries dealt with spell {number} by name", "mean", ability=number
            )
            for number in range(1, SPELLS + 1)
        },
        "ko_turn": Column("KO turn", "turn", "turn of its KO, 0 without one", "kept"),
        "pick": Column("Pick number", "pick", "when it was drafted, 0 when it was dealt or given", "pick"),
    },
    "board": {name: Column(*words, "mean") for name, words in _NODE_WORDS.items()},
}
