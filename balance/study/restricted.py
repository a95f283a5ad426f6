"""What restricted play compares: a plan, and the same cells with one ability forbidden for one player.

See decision 0008. Baseline and variant share set-up keys, so their games run on the same streams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from balance.errors import UsageError
from balance.games.game import Game, Mode, Passive, Ruleset
from balance.play.plan import LoadedPlan
from balance.play.restrict import forbidding

SEATS = "ABCD"
WORTHY = ("ability:", "power:")  # kinds of restrictions that are valued when none are named


@dataclass(frozen=True)
class Item:
    """Something whose value is asked for.

    Attributes
    ----------
    name : str
        As the game names it: ``ability:frog_bow``.
    heroes : tuple of str
        Who has it; empty when everybody does.
    bits : int
        Tag bits of the actions that use it; 0 for a passive.
    passive : Passive or None
        How it is switched off, where no action uses it.
    """

    name: str
    heroes: tuple[str, ...]
    bits: int = 0
    passive: Passive | None = None

    def held_by(self, roster: Sequence[str]) -> bool:
        """Whether a roster has it."""
        return not self.heroes or any(hero in self.heroes for hero in roster)


@dataclass(frozen=True)
class Variant:
    """A plan with an item forbidden.

    Attributes
    ----------
    item : Item
    player : int
        Who is forbidden it; -1 when it is switched off for everybody.
    plan : LoadedPlan
        The cells in which that player has it.
    """

    item: Item
    player: int
    plan: LoadedPlan

    @property
    def folder(self) -> str:
        """Name of its run folder."""
        name = self.item.name.replace(":", "-")
        return f"{name}-{SEATS[self.player]}" if self.player >= 0 else f"{name}-off"


def items_of(game: Game) -> dict[str, Item]:
    """Everything that has a value, by name; a name that stands for the same as an earlier one shares it."""
    found: dict[str, Item] = {}
    by_bits: dict[int, Item] = {}
    for name, bits in game.restrictions.items():
        item = by_bits.setdefault(bits, Item(name, _owners(game, bits), bits))
        found[name] = item
    by_hero: dict[str, Item] = {}
    for name, passive in game.passives.items():
        found[name] = by_hero.setdefault(passive.hero, Item(name, (passive.hero,), 0, passive))
    return found


def _owners(game: Game, bits: int) -> tuple[str, ...]:
    powers = {name: mask for name, mask in game.restrictions.items() if name.startswith("power:")}
    return tuple(name.removeprefix("power:") for name, mask in powers.items() if mask & bits)


@dataclass(frozen=True)
class Comparison:
    """A baseline and its variants.

    Attributes
    ----------
    baseline : LoadedPlan
    variants : tuple of Variant
    notes : tuple of str
        What is left out, and why.
    """

    baseline: LoadedPlan
    variants: tuple[Variant, ...]
    notes: tuple[str, ...]

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """What is valued, in the order of the game."""
        return tuple(dict.fromkeys(variant.item for variant in self.variants))

    @property
    def games(self) -> int:
        """Games of all runs together."""
        return self.baseline.games + sum(variant.plan.games for variant in self.variants)


def compare(plan: LoadedPlan, only: Sequence[str] = ()) -> Comparison:
    """The runs that give the value of each ability and hero power.

    Parameters
    ----------
    plan : LoadedPlan
    only : sequence of str
        Names of what is asked for; everything that is a hero's own by default.

    Raises
    ------
    UsageError
        A name is unknown, nobody in the plan has what it names, or the plan forbids it already.
    """
    known = items_of(plan.game)
    for name in only:
        if name not in known:
            fault = plan.game.restriction_fault(name) or (f"unknown restriction '{name}'", "")
            raise UsageError(*fault)
    names = only or [name for name in known if name.startswith(WORTHY)]
    variants, notes = [], []
    for item in dict.fromkeys(known[name] for name in names):
        found, why = variants_of(plan, item)
        if not found and only:
            raise UsageError(why[0], "leave --only out to value what there is")
        variants += found
        notes += why
    if not variants:
        raise UsageError("nobody in this plan has anything that could be forbidden", "\n".join(notes))
    return Comparison(plan, tuple(variants), tuple(notes))


def variants_of(plan: LoadedPlan, item: Item) -> tuple[list[Variant], list[str]]:
    """The runs for one item, or why there are none."""
    if item.passive:
        return _passive_variant(plan, item, item.passive)
    chosen = chosen_matchups(plan, item)
    players = [player for player in range(plan.mode.seats) if chosen[player] or not plan.matchups]
    if not players:
        return [], [f"{item.name} is left out: {_no_holder(item)}"]
    if any(already(plan, item, player) for player in players):
        return [], [f"{item.name} is left out: agents of this plan are forbidden it already"]
    return [Variant(item, player, _forbidding(plan, item, player, chosen[player])) for player in players], []


def chosen_matchups(plan: LoadedPlan, item: Item) -> dict[int, tuple[tuple[str, ...], ...]]:
    """By player, the matchups in which he is forbidden the item.

    Where two players hold the same roster with the same agent, forbidding the one or the other gives the
    same games with the players' names changed, and only the first of them is forbidden it.
    """
    chosen: dict[int, list[tuple[str, ...]]] = {player: [] for player in range(plan.mode.seats)}
    for matchup in plan.matchups:
        seen = set()
        for player, team in enumerate(matchup):
            games = _arrangements(plan.mode, matchup, plan.levels, player)
            if item.held_by(plan.rosters[team]) and games not in seen:
                seen.add(games)
                chosen[player].append(matchup)
    return {player: tuple(matchups) for player, matchups in chosen.items()}


def _arrangements(mode: Mode, matchup: Sequence[str], levels: Sequence[Sequence[object]], who: int) -> object:
    """The games of a pair in which one player is marked, by what sits where."""
    agents = list(zip(*levels, strict=True))
    found = set()
    for seating in mode.seatings:
        at = {seat: (matchup[player], agents[player], player == who) for player, seat in enumerate(seating)}
        found.add(tuple(at[seat] for seat in range(mode.seats)))
    return frozenset(found)


def already(plan: LoadedPlan, item: Item, player: int) -> bool:
    """Whether a player's agent may not use the item in the plan itself."""
    masks = [plan.game.restriction_mask(level[player].restrict) for level in plan.levels]
    return any(item.bits & ~mask == 0 for mask in masks)


def _no_holder(item: Item) -> str:
    return f"no roster of this plan holds {' or '.join(item.heroes)}"


def _forbidding(
    plan: LoadedPlan, item: Item, player: int, matchups: tuple[tuple[str, ...], ...]
) -> LoadedPlan:
    """The plan on some matchups, with the item forbidden for one player."""
    seat = SEATS[player]
    had = plan.plan.restrict
    restrict = {**had, seat: tuple(sorted({*had.get(seat, ()), item.name}))}
    levels = forbidding(plan.levels, {player: (item.name,)})
    return replace(_on(plan, matchups, {"restrict": restrict}), levels=levels)


def _on(plan: LoadedPlan, matchups: tuple[tuple[str, ...], ...], changes: Mapping[str, object]) -> LoadedPlan:
    """The plan on some of its matchups, with further changes of its keys."""
    update = dict(changes)
    if plan.matchups:
        update |= {"matchups": matchups, "mirror": False}
    return replace(plan, matchups=matchups, plan=plan.plan.model_copy(update=update), notes=())


def _passive_variant(plan: LoadedPlan, item: Item, passive: Passive) -> tuple[list[Variant], list[str]]:
    """Switch a passive off for everybody, in the cells where only one player has it."""
    held = [sum(item.held_by(plan.rosters[team]) for team in matchup) for matchup in plan.matchups]
    matchups = tuple(m for m, count in zip(plan.matchups, held, strict=True) if count == 1)
    off = list(plan.ruleset.values.get(passive.parameter, ()))
    if passive.hero in off:
        return [], [f"{item.name} is left out: the plan switches it off"]
    if plan.matchups and not matchups:
        reason = "every matchup has it on both sides" if any(held) else _no_holder(item)
        return [], [f"{item.name} is left out: {reason}"]
    value = [*off, passive.hero]
    rules = {**plan.plan.rules, passive.parameter: value}
    changed = replace(
        _on(plan, matchups, {"rules": rules}), ruleset=_changed(plan.ruleset, passive.parameter, value)
    )
    return [Variant(item, -1, changed)], []


def _changed(ruleset: Ruleset, parameter: str, value: list[str]) -> Ruleset:
    """A ruleset with another value of one parameter, named as changed."""
    path = f"rules.{parameter}"
    numbers = tuple(
        replace(number, value=value, source="changed") if number.path == path else number
        for number in ruleset.numbers
    )
    return replace(ruleset, values={**ruleset.values, parameter: value}, numbers=numbers)
