"""What a plan may say: frozen models of plan files, checked without knowing any game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Never

from pydantic import Discriminator, Field, Tag, model_validator
from pydantic_core import CoreSchema, core_schema

from balance.config.agents import AgentText, RestrictionText
from balance.config.fields import Flag, Frozen, Kind, Name, Text, Whole, Word, refusal
from balance.config.until import Until
from balance.config.words import as_text

RECORD = ("none", "basic", "full")
SEATS = ("A", "B", "C", "D")
PICKERS = ("random",)
MOST_PAIRS = 1_000_000_000
MOST_PART_PAIRS = 10_000  # a part is held in memory by every worker
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class Pairs(Whole):
    """Pairs of games in a cell: at least one."""

    low: int = 1
    high: int = MOST_PAIRS

    def check(self, value: Any) -> int:
        """See :class:`Kind`."""
        if value == 0 and not isinstance(value, bool):
            raise refusal("must be at least 1: a run with zero games says nothing")
        return super().check(value)


@dataclass(frozen=True)
class Form(Kind):
    """A value of none of the allowed forms: always refused, saying which forms there are."""

    forms: str
    hint: str = ""

    def check(self, value: Any) -> Any:
        """See :class:`Kind`."""
        hint = self.hint.format(value=value) if isinstance(value, str) else ""
        raise refusal(f"must be {self.forms}, not {as_text(value)}", hint)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"not": {}}


def form_of(value: Any) -> str:
    """Which form of a value was written: ``mapping``, ``list``, ``word`` (an allowed one) or ``other``."""
    if isinstance(value, dict):
        return "mapping"
    if isinstance(value, list | tuple):
        return "list"
    return "word" if value in ("all", "recommended", "round_robin") else "other"


Names = tuple[Annotated[str, Name()], ...]
Matchup = tuple[Annotated[str, Name("team")], ...]
ByForm = Discriminator(form_of)

Arenas = Annotated[
    Annotated[Literal["all"], Tag("word")]
    | Annotated[tuple[Annotated[str, Name("arena")], ...], Tag("list")]
    | Annotated[Never, Form("a list of arena names or the word all", "write [{value}]"), Tag("mapping")]
    | Annotated[Never, Form("a list of arena names or the word all", "write [{value}]"), Tag("other")],
    ByForm,
]
TEAM_FORMS = "a mapping of team names to heroes, a list of ready-made teams, or the word recommended"
Teams = Annotated[
    Annotated[Literal["recommended"], Tag("word")]
    | Annotated[tuple[Annotated[str, Name("team")], ...], Tag("list")]
    | Annotated[dict[Annotated[str, Name("team")], tuple[Annotated[str, Name("hero")], ...]], Tag("mapping")]
    | Annotated[Never, Form(TEAM_FORMS, "write [{value}]"), Tag("other")],
    ByForm,
]
MATCHUP_FORMS = "round_robin or a list of matchups such as [[starters, big_hitters]]"
Matchups = Annotated[
    Annotated[Literal["round_robin"], Tag("word")]
    | Annotated[tuple[Matchup, ...], Tag("list")]
    | Annotated[Never, Form(MATCHUP_FORMS), Tag("mapping")]
    | Annotated[Never, Form(MATCHUP_FORMS), Tag("other")],
    ByForm,
]
AGENT_FORMS = "a list of agents such as [random, greedy] or a mapping of seats to agents"
Agents = Annotated[
    Annotated[tuple[Annotated[str, AgentText()], ...], Tag("list")]
    | Annotated[dict[Annotated[str, Word(SEATS, "seat")], Annotated[str, AgentText()]], Tag("mapping")]
    | Annotated[Never, Form(AGENT_FORMS), Tag("word")]
    | Annotated[Never, Form(AGENT_FORMS, "write [{value}]"), Tag("other")],
    ByForm,
]
RESTRICT_FORMS = "a mapping of seats to lists of what is forbidden, such as {A: [ability:NAME]}"
Forbidden = Annotated[
    Annotated[tuple[Annotated[str, RestrictionText()], ...], Tag("list")]
    | Annotated[Never, Form("a list of what is forbidden"), Tag("mapping")]
    | Annotated[Never, Form("a list of what is forbidden"), Tag("word")]
    | Annotated[Never, Form("a list of what is forbidden", "write [{value}]"), Tag("other")],
    ByForm,
]
Restrict = Annotated[
    Annotated[dict[Annotated[str, Word(SEATS, "seat")], Forbidden], Tag("mapping")]
    | Annotated[Never, Form(RESTRICT_FORMS), Tag("list")]
    | Annotated[Never, Form(RESTRICT_FORMS), Tag("word")]
    | Annotated[Never, Form(RESTRICT_FORMS), Tag("other")],
    ByForm,
]


class Draft(Frozen):
    """How rosters are drafted."""

    format: Annotated[str, Name("draft format")] = Field(description="draft format of the game")
    picker: Annotated[str, Word(PICKERS)] = Field("random", description="who decides the draft's picks")


class Plan(Frozen):
    """A plan file: what is played, how often, and what is recorded.

    Names of heroes, arenas, teams and parameters are checked by ``play.loader``, which knows the game.
    """

    game: Annotated[str, Name("game")] = Field(description="which game is played")
    name: Annotated[str, Name("plan name")] | None = Field(
        None, description="names the run; the file's name when left out"
    )
    note: Annotated[str, Text(4000, empty=True)] = Field("", description="anything worth remembering")
    configs: Annotated[str, Text(1000)] | None = Field(
        None, description="folder with edited cards, arenas and rules, relative to this file"
    )
    mode: Annotated[str, Name("mode")] | None = Field(None, description="how many players, on which sides")
    arenas: Arenas = Field("all", description="a list of arenas, or the word all")
    teams: Teams | None = Field(
        None, description="teams by name with their heroes, a list of ready-made teams, or recommended"
    )
    draft: Draft | None = Field(None, description="instead of teams: rosters are drafted for every pair")
    matchups: Matchups = Field(
        "round_robin", description="round_robin, or a list of matchups with one team per seat"
    )
    mirror: Annotated[bool, Flag()] = Field(False, description="whether teams also meet themselves")
    agents: Agents = Field(
        ("random",), description="skill levels: the same cells with each agent; or one agent per seat"
    )
    restrict: Restrict = Field({}, description="what the agents of players must not do, at every level")
    rules: dict[str, Any] = Field({}, description="parameters that differ from the game's rules file")
    heroes: dict[str, dict[str, Any]] = Field({}, description="numbers of heroes that differ from the cards")
    pairs: Annotated[int, Pairs()] = Field(
        1000, description="pairs of games per cell; a pair plays every seating once"
    )
    until: Until | None = Field(
        None, description="play on, where it helps most, until intervals are narrow; pairs is the first look"
    )
    part_pairs: Annotated[int, Pairs(high=MOST_PART_PAIRS)] | None = Field(
        None, description="pairs of games per stored file"
    )
    record: Annotated[str, Word(RECORD)] = Field("basic", description="how much is stored beside the result")
    seed: Annotated[int, Whole(0, LARGEST_SEED)] = Field(1, description="the same seed gives the same games")

    @model_validator(mode="before")
    @classmethod
    def nothing_means_default(cls, data: Any) -> Any:
        """A key without a value is a key left out."""
        if isinstance(data, dict):
            return {
                key: value for key, value in data.items() if value is not None or key not in cls.model_fields
            }
        return data

    @model_validator(mode="after")
    def not_both(self) -> Plan:
        """Rosters come from teams or from a draft, not from both."""
        if self.teams is not None and self.draft is not None:
            hint = "remove one of them (from the command line: --set teams=null or --set draft=null)"
            raise refusal("the plan has both teams and a draft", hint)
        return self
