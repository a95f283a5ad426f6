"""The parameters of Krosmaster: Blast (section 9): kind, range and meaning. Nothing here needs kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from balance.config.fields import Flag, Kind, Whole, Word, refusal
from balance.config.words import as_text, did_you_mean, listed

FACES = ("burst", "shield", "boot", "magnet", "dofus", "burst_boot")
TILES = ("fire", "fog", "ice")
BLOCKERS = ("bush", "fighter", "fog", "tree")

#: Weights of the evaluation (section 13); what each means stands in ``agents.yaml``.
WEIGHTS = (
    "injury",
    "wound",
    "ap",
    "mp",
    "enemy_step",
    "glyph_step",
    "minion",
    "minion_hp",
    "ko",
    "glyph",
    "glyph_late",
    "dofus",
    "next_damage",
    "next_range",
    "ignore_los",
    "ap_left",
    "mp_left",
    "active",
    "scale",
)


@dataclass(frozen=True)
class Some(Kind):
    """A list of words, each once; an empty one is allowed."""

    choices: tuple[str, ...]
    what: str

    def check(self, value: Any) -> list[str]:
        """See :class:`Kind`."""
        if not isinstance(value, list | tuple):
            hint = f"write [{value}]" if value in self.choices else ""
            raise refusal(f"must be a list of {self.what}, not {as_text(value)}", hint)
        for word in value:
            if not isinstance(word, str) or word not in self.choices:
                hint = did_you_mean(word, self.choices) if isinstance(word, str) else ""
                raise refusal(f"{as_text(word)} is not among {self.what}: {listed(self.choices)}", hint)
            if list(value).count(word) > 1:
                raise refusal(f"names {word} twice", "name each once")
        return list(value)

    def words(self) -> str:
        """See :class:`Kind`."""
        return f"list of {', '.join(self.choices)}"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "array", "items": {"enum": list(self.choices)}, "uniqueItems": True}


@dataclass(frozen=True)
class Faces(Kind):
    """The faces of the die, 1 to 20 of them."""

    def check(self, value: Any) -> list[str]:
        """See :class:`Kind`."""
        if not isinstance(value, list | tuple):
            raise refusal(f"must be a list of 1 to 20 faces, not {as_text(value)}")
        if not 1 <= len(value) <= 20:
            raise refusal(f"a die has 1 to 20 faces, not {len(value)}")
        return [Word(FACES, "face").check(face) for face in value]

    def words(self) -> str:
        """See :class:`Kind`."""
        return f"1 to 20 of {', '.join(FACES)}"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "array", "items": {"enum": list(FACES)}, "minItems": 1, "maxItems": 20}


@dataclass(frozen=True)
class CardNames(Kind):
    """Names of cards, each once; which there are, only the cards know."""

    what: str

    def check(self, value: Any) -> list[str]:
        """See :class:`Kind`."""
        if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
            raise refusal(f"must be a list of {self.what}, not {as_text(value)}")
        for name in value:
            if list(value).count(name) > 1:
                raise refusal(f"names {name} twice", "name each once")
        return list(value)

    def words(self) -> str:
        """See :class:`Kind`."""
        return f"list of {self.what}"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "array", "items": {"type": "string"}, "uniqueItems": True}


@dataclass(frozen=True)
class Parameter:
    """One parameter: its kind with the range, what it means, and whether position documents know it."""

    name: str
    kind: Kind
    text: str
    ours: bool = False


PARAMETERS = (
    Parameter(
        "level", Word(("basic", "advanced")), "sets the five switches below that are not set themselves"
    ),
    Parameter("tackle_zones", Flag(), "whether leaving a cell beside an enemy Krosmaster needs a dodge roll"),
    Parameter("jokers", Flag(), "whether the Dofus face is a joker"),
    Parameter("superior_favors", Flag(), "whether superior favors are in the pool"),
    Parameter("tile_kinds", Some(TILES, "tile kinds"), "favors with tiles of other kinds leave the pool"),
    Parameter("challenge_count", Whole(0, 3), "divine challenges drawn at set-up"),
    Parameter("challenge_pool", CardNames("challenges"), "challenges that are drawn from", ours=True),
    Parameter("team_size", Whole(2, 3), "Krosmasters of each seat"),
    Parameter("roster", CardNames("Krosmasters"), "Krosmasters for random teams and drafts"),
    Parameter("draft_order", Word(("snake", "alternate")), "A B B A A B ... or A B A B ..."),
    Parameter("rounds", Whole(1, 7), "turns of each seat; the deck has two cards for each"),
    Parameter("kos_to_win", Whole(0, 3), "Krosmasters to knock out; 0 for half the team, rounded up"),
    Parameter(
        "double_ko", Word(("draw", "active_loses", "active_wins")), "who wins when both seats lose at once"
    ),
    Parameter("die", Faces(), "faces of the die, all equally likely"),
    Parameter("crit_bonus", Whole(0, 5), "damage that a burst adds"),
    Parameter("shield_block", Whole(0, 5), "damage that a shield takes off"),
    Parameter("dodge_dice_cap", Whole(1, 3), "most dice of a dodge roll"),
    Parameter("spell_ap", Whole(0, 3), "AP that a spell costs"),
    Parameter("favor_ap", Whole(0, 3), "AP that a favor costs"),
    Parameter("favor_ap_dofus", Whole(0, 3), "AP that a favor costs the holder of the Dofus"),
    Parameter("bonus_ap", Whole(0, 3), "AP that an active bonus costs"),
    Parameter("move_mp", Whole(1, 3), "MP that a step costs"),
    Parameter("fire_damage", Whole(0, 10), "injuries from a fire tile"),
    Parameter("tile_limit", Whole(1, 20), "most tiles of a kind on the board"),
    Parameter("tiles_per_favor", Whole(1, 4), "tiles that a favor places"),
    Parameter(
        "tile_reach", Whole(0, 30), "farthest place for a tile from the active Fighter; 0 for anywhere"
    ),
    Parameter("dofus_start", Word(("B", "A", "none")), "who begins with the Dofus"),
    Parameter("dofus_lock_turns", Whole(0, 14), "first turns in which the Dofus stays where it is"),
    Parameter(
        "dofus_on", Word(("capture", "entry")), "whether entering an own Glyph cell takes the Dofus too"
    ),
    Parameter(
        "capture_forced",
        Word(("own_turn", "always")),
        "whether a Krosmaster captures in the other's turn too",
    ),
    Parameter("friendly_fire", Flag(), "whether rows that harm may aim at own Fighters"),
    Parameter(
        "los_corner",
        Word(("pair", "free", "block")),
        "when a line through a corner of a blocking cell is free",
    ),
    Parameter("los_blockers", Some(BLOCKERS, "blockers"), "what blocks lines of sight"),
    Parameter("summon_acts", Word(("same_turn", "next_turn")), "when a summoned minion may act"),
    Parameter("action_cap", Whole(10, 100_000), "decisions after which a game is a draw", ours=True),
)
BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}
#: Values that a level gives to switches that are not set themselves (KB45).
LEVELS: dict[str, dict[str, Any]] = {
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
