"""The YAML files of Jump Masters as models, read and checked with the place of every fault.

``cards.yaml`` holds heroes and ready-made teams, ``arenas.yaml`` the maps, ``rules.yaml`` the parameters of
section 13 of the rules specification, ``agents.yaml`` the weights of section 15. Every value may carry its
source.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field, create_model

from balance.config.agents_file import agents_file
from balance.config.fields import Frozen, Kind, Name, Text, Word, refusal
from balance.config.places import shipped
from balance.config.sourced import Source, sourced
from balance.config.validate import check, in_order
from balance.config.words import as_text
from balance.config.yaml_lines import Document
from balance.errors import ConfigError, Problem
from balance.games.folder import Folder, read_folder
from balance.games.jump_masters.parameters import ENERGY, HERO, HEROES, PARAMETERS, WEIGHTS
from balance.games.jump_masters.terrain import map_faults, map_rows

GAME = "jump_masters"
TEAM, COPIES = 4, 2  # heroes of a full team, cards of each hero


class MapText(Kind):
    """A map as text or as a list of rows."""

    def check(self, value: Any) -> Any:
        """See :class:`Kind`; what the rows hold is checked with their places by `_arena_problems`."""
        rows = [value] if isinstance(value, str) else value
        if not isinstance(rows, list | tuple) or not all(isinstance(row, str) for row in rows):
            hint = "write `map: |` and the rows below it, or put each row of a list in quotes"
            raise refusal(f"must be a map, not {as_text(value)}", hint)
        return map_rows(value)

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


Energy = sourced("Energy", ENERGY)
GameName = Annotated[str, Word((GAME,), "game")]


class HeroCard(Frozen):
    """One hero: names and energies."""

    title: Annotated[str, Text(60)]
    ability: Annotated[str, Text(60)]
    text: Annotated[str, Text(300)]
    lowest: Energy  # type: ignore[valid-type]
    maximum: Energy  # type: ignore[valid-type]


class TeamCard(Frozen):
    """One ready-made team."""

    title: Annotated[str, Text(60)] | None = None
    heroes: tuple[Annotated[str, HERO], ...]
    source: Source | None = None


class ArenaCard(Frozen):
    """One arena."""

    title: Annotated[str, Text(60)] | None = None
    text: Annotated[str, Text(300, empty=True)] = ""
    source: Source | None = None
    map: Annotated[tuple[str, ...], MapText()]


HeroTable = create_model("HeroTable", __base__=Frozen, **dict.fromkeys(HEROES, (HeroCard, ...)))  # type: ignore[call-overload]
RuleTable = create_model(  # type: ignore[call-overload]
    "RuleTable",
    __base__=Frozen,
    **{
        item.name: (sourced(f"Rule_{item.name}", item.kind), Field(None, description=item.text))
        for item in PARAMETERS
    },
)


class CardsFile(Frozen):
    """``cards.yaml``."""

    game: GameName
    heroes: HeroTable  # type: ignore[valid-type]
    teams: dict[Annotated[str, Name("team")], TeamCard] = {}


class ArenasFile(Frozen):
    """``arenas.yaml``."""

    game: GameName
    arenas: dict[Annotated[str, Name("arena")], ArenaCard]


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


@cache
def shipped_files() -> Files:
    """The shipped configuration, read once."""
    return read_files(shipped(GAME))


def read_files(folder: Folder) -> Files:
    """Read and check the files of a folder; raises ConfigError with the faults of all of them."""
    documents, models = read_folder(folder, KINDS, check_file, {OPTIONAL: shipped(GAME)})
    return Files(documents, *(models[kind] for kind in KINDS))


def check_file(kind: str, document: Document) -> Frozen:
    """One document as a file of this kind, its teams and maps checked; raises ConfigError."""
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
    problems = []
    for hero in HEROES:
        card = getattr(cards.heroes, hero)
        if card.lowest.value > card.maximum.value:
            message = f"the lowest energy of {hero} is above its maximum of {card.maximum.value}"
            problems.append(
                document.problem(("heroes", hero, "lowest"), message, "lower it or raise the maximum")
            )
    for name, team in cards.teams.items():
        for message in team_faults(team.heroes):
            problems.append(document.problem(("teams", name, "heroes"), message))
    return problems


def team_faults(heroes: tuple[str, ...]) -> list[str]:
    """What is wrong with a ready-made team of known heroes."""
    found = [] if 1 <= len(heroes) <= TEAM else [f"a team has 1 to {TEAM} heroes, not {len(heroes)}"]
    for hero in dict.fromkeys(heroes):
        if heroes.count(hero) > COPIES:
            found.append(f"there are {COPIES} cards of {hero}, not {heroes.count(hero)}")
    return found


def _arena_problems(document: Document, arenas: ArenasFile) -> list[Problem]:
    problems = []
    if not arenas.arenas:
        problems.append(document.problem("arenas", "names no arena", "one is needed to play"))
    for name, arena in arenas.arenas.items():
        for fault in map_faults(arena.map):
            path: tuple[str | int, ...] = ("arenas", name, "map")
            problems.append(document.problem((*path, max(fault.row, 0)), fault.message, row=fault.row))
    return problems
