"""The YAML files of Krosmaster: Blast as models, read and checked with the place of every fault.

``cards.yaml`` holds Krosmasters (``heroes``), minions, favors, challenges and ready-made teams,
``arenas.yaml`` the fields, ``rules.yaml`` the parameters of section 9, ``agents.yaml`` the weights of section
13. A value may be written ``{value: 3, source: photo}``; ``source`` beside other keys holds for everything
below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field, create_model
from pydantic_core import PydanticCustomError

from balance.config.agents_file import agents_file
from balance.config.fields import Frozen, Kind, Name, Text, Word, refusal
from balance.config.places import shipped
from balance.config.sourced import SOURCES, Source, sourced
from balance.config.validate import check, in_order
from balance.config.words import as_text, did_you_mean, listed
from balance.config.yaml_lines import Document
from balance.errors import ConfigError, Problem
from balance.games.folder import Folder, read_folder
from balance.games.krosmaster_blast.cards import card_faults
from balance.games.krosmaster_blast.parameters import PARAMETERS, WEIGHTS
from balance.games.krosmaster_blast.terrain import map_faults
from balance.games.plain import ArenaCard

GAME = "krosmaster_blast"
LEAST_STARTS = 2  # start cells of each seat on a field of the files
WRITTEN = {"krosmasters": "heroes", "minions": "minions", "favors": "favors", "challenges": "challenges"}
WORDS = {"title": Text(60), "text": Text(300)}  # what people read of a card

GameName = Annotated[str, Word((GAME,), "game")]
Steps = tuple[str | int, ...]


class Cards(Kind):
    """Cards by name; what they hold is checked with its place by :func:`check_file`."""

    def check(self, value: Any) -> Any:
        """See :class:`Kind`."""
        if not isinstance(value, Mapping):
            raise refusal(f"must be a mapping of names to cards, not {as_text(value)}")
        return value

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "object", "additionalProperties": {"type": "object"}}


class TeamCard(Frozen):
    """One ready-made team."""

    title: Annotated[str, Text(60)] | None = None
    heroes: tuple[Annotated[str, Name("hero")], ...]
    source: Source | None = None


class CardsFile(Frozen):
    """``cards.yaml``."""

    game: GameName
    heroes: Annotated[Any, Cards()]
    minions: Annotated[Any, Cards()] = {}
    favors: Annotated[Any, Cards()]
    challenges: Annotated[Any, Cards()] = {}
    teams: dict[Annotated[str, Name("team")], TeamCard] = {}


class ArenasFile(Frozen):
    """``arenas.yaml``."""

    game: GameName
    arenas: dict[Annotated[str, Name("arena")], ArenaCard]


RuleTable = create_model(  # type: ignore[call-overload]
    "RuleTable",
    __base__=Frozen,
    **{
        item.name: (sourced(f"Rule_{item.name}", item.kind), Field(None, description=item.text))
        for item in PARAMETERS
    },
)


class RulesFile(Frozen):
    """``rules.yaml``."""

    game: GameName
    rules: RuleTable = RuleTable()  # type: ignore[valid-type]


#: Models of the game's files by kind; the file is called ``<kind>.yaml``.
KINDS: dict[str, type[Frozen]] = {
    "cards": CardsFile,
    "arenas": ArenasFile,
    "rules": RulesFile,
    "agents": agents_file(GAME, WEIGHTS),
}
OPTIONAL = "agents"  # the shipped file stands in for one that a folder does not have


class Files(NamedTuple):
    """The files of a folder: their documents, checked, and the models made of them."""

    documents: dict[str, Document]
    cards: CardsFile
    arenas: ArenasFile
    rules: RulesFile
    agents: Any

    @property
    def plain(self) -> Plain:
        """The cards without sources and words."""
        return plain_cards(self.cards)


# ---- cards: sources and words taken out


@dataclass
class Plain:
    """Cards as plain rows, with what was written beside them.

    Attributes
    ----------
    data : dict
        Section to cards, as ``cards.card_faults`` takes them.
    sources : dict of path to str
        Where values come from; a path holds for everything below it.
    words : dict of path to dict
        Title and text of cards and rows.
    wrong : list of (path, message, hint)
        Sources and words that are none.
    """

    data: dict[str, Any] = field(default_factory=dict)
    sources: dict[Steps, str] = field(default_factory=dict)
    words: dict[Steps, dict[str, str]] = field(default_factory=dict)
    wrong: list[tuple[Steps, str, str]] = field(default_factory=list)

    def source(self, path: Steps) -> str | None:
        """The source of a value: its own, or that of the nearest thing around it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.sources:
                return self.sources[path[:length]]
        return None


def plain_cards(cards: CardsFile) -> Plain:
    """Take sources and words out of the cards of a file."""
    plain = Plain()
    for section, name in WRITTEN.items():
        plain.data[section] = _unwrapped(plain, getattr(cards, name), (section,))
    return plain


def _unwrapped(plain: Plain, value: Any, path: Steps) -> Any:
    if not isinstance(value, Mapping):
        return value
    if "source" in value:
        if value["source"] in SOURCES:
            plain.sources[path] = value["source"]
        else:
            message = f"unknown source {as_text(value['source'])}"
            plain.wrong.append(((*path, "source"), message, did_you_mean(value["source"], SOURCES)))
    if set(value) <= {"value", "source"} and "value" in value:
        return value["value"]
    for key in WORDS:
        if key in value:
            try:
                WORDS[key].check(value[key])
            except PydanticCustomError as error:
                told = error.context or {}
                plain.wrong.append(((*path, key), str(told.get("message", error)), str(told.get("hint", ""))))
            plain.words.setdefault(path, {})[key] = str(value[key])
    skip = ("source", *WORDS)
    return {key: _unwrapped(plain, item, (*path, key)) for key, item in value.items() if key not in skip}


# ---- reading


@cache
def shipped_files() -> Files:
    """The shipped configuration, read once."""
    return read_files(shipped(GAME))


def read_files(folder: Folder) -> Files:
    """Read and check the files of a folder; raises ConfigError with the faults of all of them."""
    documents, models = read_folder(folder, KINDS, check_file, {OPTIONAL: shipped(GAME)})
    return Files(documents, *(models[kind] for kind in KINDS))


def check_file(kind: str, document: Document) -> Frozen:
    """One document as a file of this kind, its cards and fields checked; raises ConfigError."""
    model = check(KINDS[kind], document)
    problems: list[Problem] = []
    if isinstance(model, CardsFile):
        problems = _card_problems(document, model)
    elif isinstance(model, ArenasFile):
        problems = _arena_problems(document, model)
    if problems:
        raise ConfigError(in_order(problems))
    return model


def _card_problems(document: Document, cards: CardsFile) -> list[Problem]:
    plain = plain_cards(cards)
    problems = [
        document.problem(written_path(path), message, hint, key=message.startswith("unknown key"))
        for path, message, hint in plain.wrong or card_faults(plain.data)
    ]
    for name, team in cards.teams.items():
        for hero in team.heroes:
            if hero not in cards.heroes:
                hint = did_you_mean(hero, cards.heroes)
                problems.append(document.problem(("teams", name), f"unknown hero '{hero}'", hint))
        if not 2 <= len(set(team.heroes)) == len(team.heroes) <= 3:
            message = f"a team is 2 or 3 different Krosmasters, not {listed(team.heroes)}"
            problems.append(document.problem(("teams", name), message))
    return problems


def written_path(path: Steps) -> Steps:
    """The path of a card in ``cards.yaml``."""
    return (WRITTEN[str(path[0])], *path[1:]) if path else ()


def _arena_problems(document: Document, arenas: ArenasFile) -> list[Problem]:
    problems = []
    if not arenas.arenas:
        problems.append(document.problem("arenas", "names no arena", "one is needed to play"))
    for name, arena in arenas.arenas.items():
        for row, message in map_faults(arena.map, LEAST_STARTS):
            problems.append(document.problem(("arenas", name, "map"), message, row=row))
    return problems
