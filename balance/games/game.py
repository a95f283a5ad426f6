"""What a game hands over: a frozen descriptor, cheap to import, and its numbers once loaded.

A game package holds ``__init__.py`` with ``GAME = Game(...)`` and these modules, imported only when used:

=============  ==============================================================================
``layout``     record dtypes, IntEnums, action packing
``schema``     pydantic models of its YAML files; ``load_ruleset(folder, overrides) -> Ruleset``
``tables``     ``compile_tables(ruleset, mode, arena)`` and ``make_setup(ruleset, mode, draft, rosters)``
``rules``      ``CONTRACT``: the compiled rule functions
``notation``   ``load_position``, ``canonical``, ``parse_action``, ``format_action``, ``document``, ``draw``
``metrics``    the dtypes of a tally and what each column means
=============  ==============================================================================

For replays a ``notation`` may offer four functions more. What it leaves out is not shown.

==========================================  ==================================================
``pieces(state, tables) -> list[Piece]``     what stands where (``games.piece``)
``tiles(state, tables) -> list[Tile]``       what lies on nodes (``games.piece``)
``points(state, tables) -> tuple[int, ...]`` what each side has counted so far; ``POINTS`` names
                                             it in a word, such as ``VP``
``chance(before, action, after, tables)``    what dice or cards did in a step, as a text; asked
                                             only after steps that drew from the stream of chance
==========================================  ==================================================
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any

from balance.config.words import did_you_mean
from balance.errors import UsageError


@dataclass(frozen=True)
class Mode:
    """One way to seat players.

    Attributes
    ----------
    name : str
    seats : int
    side_of_seat : tuple of int
        The side that each seat scores for.
    seatings : tuple of tuple of int
        Each seating names, for every player of a setup, the seat that he takes.
        The first is the identity.
    """

    name: str
    seats: int
    side_of_seat: tuple[int, ...]
    seatings: tuple[tuple[int, ...], ...]

    @property
    def sides(self) -> int:
        """Number of sides."""
        return max(self.side_of_seat) + 1

    def side_name(self, side: int) -> str:
        """Seat letters of one side, such as ``AC``."""
        return "".join("ABCD"[seat] for seat in range(self.seats) if self.side_of_seat[seat] == side)


@dataclass(frozen=True)
class HeroInfo:
    """A draftable piece: slug, title, one line about it, its printed or assumed numbers, names of abilities.

    Only abilities that recorded columns count one by one need names here (``metric.Column.ability``).
    """

    slug: str
    title: str
    text: str
    numbers: Mapping[str, int]
    abilities: tuple[str, ...] = ()


@dataclass(frozen=True)
class ArenaInfo:
    """A playable board: rows of legend characters, top row first."""

    slug: str
    title: str
    rows: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class TeamInfo:
    """A ready-made roster."""

    slug: str
    title: str
    heroes: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Number:
    """One value of a game with its provenance.

    Attributes
    ----------
    path : str
        As in ``--set``: ``rules.hill_vp``, ``heroes.hopper.maximum``.
    value : object
    source : str
        ``printed``, ``photo``, ``assumed``, ``reading`` (a ruling of ours), ``ours``; ``changed`` when an
        override or an edited file differs from the shipped value.
    allowed : str
        The range or the words that are allowed, for people.
    text : str
        What it means.
    shipped : object
        The value of the shipped configuration (differs from `value` only when ``changed``).
    """

    path: str
    value: Any
    source: str
    allowed: str = ""
    text: str = ""
    shipped: Any = None


@dataclass(frozen=True)
class Ruleset:
    """The numbers of a game, read from its configuration folder with overrides applied.

    Attributes
    ----------
    game : str
    heroes, arenas, teams : mapping from slug
    values : mapping
        Parameter name to value, complete.
    numbers : tuple of Number
        Every number that the rules use, with provenance.
    weights : mapping of str to float
        Weights of the evaluation by name, as ``agents.yaml`` has them.
    agents : mapping of str to mapping
        Settings and weights of agents by kind, where they differ from the house's defaults.
    """

    game: str
    heroes: Mapping[str, HeroInfo]
    arenas: Mapping[str, ArenaInfo]
    teams: Mapping[str, TeamInfo]
    values: Mapping[str, Any]
    numbers: tuple[Number, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    agents: Mapping[str, Mapping[str, str | float]] = field(default_factory=dict)

    def assumed(self) -> tuple[Number, ...]:
        """The numbers nobody printed."""
        return tuple(number for number in self.numbers if number.source == "assumed")

    def changed(self) -> tuple[Number, ...]:
        """The numbers that differ from the shipped configuration."""
        return tuple(number for number in self.numbers if number.source == "changed")


@dataclass(frozen=True)
class Passive:
    """Something that works by itself: no action uses it, so no agent can be forbidden it.

    Attributes
    ----------
    hero : str
        Whose it is.
    parameter : str
        The rules parameter, a list of heroes, that switches it off for everybody.
    """

    hero: str
    parameter: str

    @property
    def hint(self) -> str:
        """The way that works."""
        return f"it works by itself; switch it off for everybody with rules.{self.parameter}: [{self.hero}]"


@dataclass(frozen=True)
class Game:
    """A game as the rest of the house sees it.

    Attributes
    ----------
    slug, title, summary : str
    version : str
        Moves when the rules change.
    package : str
        Import path of the game's package.
    configs : Traversable
        Folder with ``cards.yaml``, ``arenas.yaml``, ``rules.yaml``.
    plans : Traversable
        Folder with shipped plans.
    modes : tuple of Mode
    drafts : tuple of str
        Draft formats; the first is ``fixed`` (rosters are given).
    roster_size : int
        Heroes of a full roster by default.
    copies : int
        How often a hero may appear in all rosters together.
    copies_of_seat : int
        How often in the roster of one seat; 0 for as often as in all together.
    roster_parameter : str
        Rules parameter that changes `roster_size`; empty when none does.
    max_actions : int
        Size of the action buffer.
    terminations : tuple of str
        Labels by number; 0 is ``running``.
    phases : tuple of str
        Phase names by number; 0 is the draft.
    ability_bit : int
        First of the tag bits that stand for hero abilities, by hero number; -1 when there are none.
    listed_turns : bool
        Whether all ends of a turn can be looked through: few decisions a turn, no dice between them.
    node_words : mapping
        How the board table's columns are labelled in reports.
    termination_words : mapping
        What people read for a label of `terminations`; the label itself when it is missing.
    caps : tuple of str
        Labels of `terminations` that only cut a game off; empty when every ending is one of the rules.
    restrictions : mapping
        What an agent can be forbidden, to the bits that the rule function ``tag`` sets on such actions:
        ``action:jump``, ``ability:frog_bow``, and ``power:hopper`` for all that is a hero's own.
    passives : mapping
        What looks like it but is no action, by the same kind of name.
    """

    slug: str
    title: str
    summary: str
    version: str
    package: str
    configs: Traversable
    plans: Traversable
    modes: tuple[Mode, ...]
    drafts: tuple[str, ...]
    roster_size: int
    copies: int
    max_actions: int
    terminations: tuple[str, ...]
    phases: tuple[str, ...]
    roster_parameter: str = ""
    copies_of_seat: int = 0
    ability_bit: int = -1
    listed_turns: bool = True
    node_words: Mapping[str, str] = field(default_factory=dict)
    termination_words: Mapping[str, str] = field(default_factory=dict)
    caps: tuple[str, ...] = ()
    restrictions: Mapping[str, int] = field(default_factory=dict)
    passives: Mapping[str, Passive] = field(default_factory=dict)

    @property
    def copies_in_roster(self) -> int:
        """How often a hero may appear in one roster."""
        return self.copies_of_seat or self.copies

    def part(self, name: str) -> ModuleType:
        """Import one module of the game's package (``rules``, ``notation``, ...)."""
        return importlib.import_module(f"{self.package}.{name}")

    def mode(self, name: str) -> Mode:
        """The mode called `name`; KeyError when there is none."""
        for mode in self.modes:
            if mode.name == name:
                return mode
        raise KeyError(name)

    def restriction_fault(self, name: str) -> tuple[str, str] | None:
        """What is wrong with the name of a restriction, and what to do; None when nothing is."""
        if name in self.restrictions:
            return None
        if name in self.passives:
            return f"no agent can be forbidden '{name}'", self.passives[name].hint
        if not self.restrictions:
            return f"{self.slug} has nothing that an agent can be forbidden; '{name}' is unknown", ""
        return f"unknown restriction '{name}'", did_you_mean(name, [*self.restrictions, *self.passives])

    def restriction_mask(self, names: Iterable[str]) -> int:
        """The tag bits that an agent with these restrictions must not play, as an unsigned 64-bit number.

        Raises
        ------
        UsageError
            One of the names is not among :attr:`restrictions`.
        """
        mask = 0
        for name in names:
            if fault := self.restriction_fault(name):
                raise UsageError(*fault)
            mask |= self.restrictions[name]
        return mask
