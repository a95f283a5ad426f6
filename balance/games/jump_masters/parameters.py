"""The parameters of Jump Masters (section 13 of the rules specification): kind, range and meaning.

Defaults stand in ``configs/jump_masters/rules.yaml`` with their provenance, energies in ``cards.yaml``.
Nothing here needs the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from balance.config.fields import Flag, Kind, Whole, Word, refusal
from balance.config.words import as_text

HEROES = (
    "burnny",
    "freeda",
    "hopper",
    "katula",
    "parena",
    "pinkbeary",
    "roara",
    "torturn",
    "unni",
    "wuffryder",
)
CARDS = 2 * len(HEROES)  # two cards of each hero


#: Weights of the evaluation (section 15); what each means stands in ``agents.yaml``.
WEIGHTS = (
    "lead",  # a VP more than the best other side
    "hill_own",  # a seat of the side would get the Hill VP now
    "hill_other",  # a seat of another side would
    "energy",  # a point of energy on the board
    "hill_step",  # a king step from a hero to the nearest Hill node
    "exposure",  # the maximum of a hero that could be removed by one plain jump
    "threat",  # the maximum of an opposing hero that could be so removed
    "turn",  # it is the side's turn
    "scale",  # points that are worth an estimate of 3/4
)

ENERGY = Whole(1, 9)
HERO = Word(HEROES, "hero")


@dataclass(frozen=True)
class HeroList(Kind):
    """A list of heroes, each once."""

    def check(self, value: Any) -> list[str]:
        """See :class:`Kind`."""
        if not isinstance(value, list | tuple):
            hint = f"write [{value}]" if value in HEROES else ""
            raise refusal(f"must be a list of heroes, not {as_text(value)}", hint)
        heroes = [HERO.check(name) for name in value]
        for name in heroes:
            if heroes.count(name) > 1:
                raise refusal(f"names {name} twice", "name each hero once")
        return heroes

    def words(self) -> str:
        """See :class:`Kind`."""
        return "list of heroes"

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "array", "items": {"enum": list(HEROES)}, "uniqueItems": True}


@dataclass(frozen=True)
class Parameter:
    """One parameter: its kind with the range, and what it means."""

    name: str
    kind: Kind
    text: str


PARAMETERS = (
    Parameter("vp_to_win", Whole(1, 200), "victory points that win a duel or a free-for-all"),
    Parameter("vp_to_win_team", Whole(1, 200), "victory points that a side needs in team mode"),
    Parameter("hill_vp", Whole(0, 5), "victory points for holding the Hill when a turn begins"),
    Parameter("team_hill", Word(("player", "team")), "whose energy on the Hill is added up in team mode"),
    Parameter("team_size", Whole(1, 4), "heroes that each seat drafts; given teams may be smaller"),
    Parameter("both_copies", Flag(), "whether one seat may draft both cards of a hero"),
    Parameter("pass_hand", Whole(1, 10), "cards dealt to each seat in a pass draft"),
    Parameter("energize_gain", Whole(0, 3), "energy for a jump over a friend"),
    Parameter("power_gain", Whole(0, 3), "energy for entering a power node"),
    Parameter("disabled_abilities", HeroList(), "heroes that play without their ability"),
    Parameter("fire_step_cost", Whole(0, 3), "energy that Burnny pays for a Fire Step"),
    Parameter("fire_step_steps", Whole(1, 4), "longest path of a Fire Step"),
    Parameter("fire_step_min_steps", Whole(1, 4), "shortest path of a Fire Step"),
    Parameter("fire_step_damage", Whole(1, 3), "energy that each opponent passed loses"),
    Parameter("fire_step_path", Word(("straight", "bent")), "whether a Fire Step keeps to one line"),
    Parameter("aura_gain", Whole(1, 3), "energy that Freeda's Aura gives her friend"),
    Parameter("frog_bow_range", Whole(1, 9), "how far Hopper's Frog Bow shoots along a line"),
    Parameter("frog_bow_damage", Whole(1, 3), "energy that a Frog Bow takes"),
    Parameter("friendly_fire", Flag(), "whether the Frog Bow may hit friends"),
    Parameter("blood_boon_steal", Whole(1, 3), "energy that Katula steals"),
    Parameter("windstorm_gain", Whole(1, 3), "energy that Parena gathers before an attack"),
    Parameter("ensnare_range", Whole(2, 9), "how far Roara's Ensnare reaches along a line"),
    Parameter("missile_go_cost", Whole(0, 3), "energy that Unni pays for a missile"),
    Parameter("missile_go_range", Whole(1, 9), "how far a missile flies"),
    Parameter("missile_go_damage", Whole(1, 3), "energy that a missile takes"),
    Parameter("swipe_out_steal", Whole(1, 3), "energy that Wuffryder steals while jumping"),
    Parameter("stalwart_prevention", Whole(0, 3), "energy that Torturn keeps from each ability"),
    Parameter("stalwart_mode", Word(("blocks", "absorbs")), "whether Stalwart forbids or weakens an ability"),
    Parameter("run_end", Word(("path", "distance")), "whether a run may end beside its start (path) or not"),
    Parameter("end_in_zone", Flag(), "whether an attack or Fire Step may end in a used zone"),
    Parameter("return_to_zone", Flag(), "whether heroes may walk back into their own zone"),
    Parameter("allow_pass", Flag(), "whether a seat may pass although it could act"),
    Parameter(
        "ffa_turn_order", Word(("corners", "seats")), "free-for-all turns: clockwise or by seat letter"
    ),
    Parameter("turn_cap", Whole(1, 100_000), "turns after which a game ends without a winner by points"),
    Parameter("cap_result", Word(("score", "draw")), "who wins at the cap: most points, or nobody"),
)
ENERGY_MAPS = {"hero_max": "maximum", "hero_min": "lowest"}  # parameter -> word in cards.yaml
BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}


def limits(name: str) -> str:
    """What is allowed, for people, with the ties to other parameters."""
    more = {
        "fire_step_min_steps": ", at most fire_step_steps",
        "pass_hand": ", at least team_size, seats x hand at most 20",
    }
    return BY_NAME[name].kind.words() + more.get(name, "")


def cross_faults(values: dict[str, Any], seats: int = 0) -> list[tuple[tuple[str, ...], str, str]]:
    """Faults between parameters that are each in range: (names of the parameters, message, hint).

    Parameters
    ----------
    values : dict
        Every parameter of section 13.
    seats : int
        Seats of the mode; 0 when it is not known.
    """
    found: list[tuple[tuple[str, ...], str, str]] = []
    for hero in HEROES:
        low, high = values["hero_min"][hero], values["hero_max"][hero]
        if low > high:
            message = f"the lowest energy of {hero} ({low}) is above its maximum ({high})"
            found.append(((f"hero_min.{hero}", f"hero_max.{hero}"), message, "raise one or lower the other"))
    shortest, longest = values["fire_step_min_steps"], values["fire_step_steps"]
    if shortest > longest:
        message = f"fire_step_min_steps ({shortest}) is above fire_step_steps ({longest})"
        found.append((("fire_step_min_steps", "fire_step_steps"), message, ""))
    hand, size = values["pass_hand"], values["team_size"]
    if hand < size:
        message = f"pass_hand ({hand}) is smaller than team_size ({size})"
        found.append((("pass_hand", "team_size"), message, "every seat picks team_size cards from hands"))
    if seats * hand > CARDS:
        message = f"{seats} seats x pass_hand {hand} are {seats * hand} cards; there are {CARDS}"
        found.append(
            (("pass_hand",), message, f"pass_hand may be {CARDS // seats} at most with {seats} seats")
        )
    return found
