"""A plan with its game, ready to be played: from a file, from text, or from what a manifest stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from balance.config.agents import AgentSpec, parse_agent
from balance.config.models import Plan
from balance.config.overrides import Override, apply, flag, parse_set, path_meant
from balance.config.validate import leaf_paths
from balance.config.yaml_lines import Document, Path_, load_yaml, load_yaml_text
from balance.errors import ConfigError, Problem, RunError, UsageError
from balance.games import get_game
from balance.games.game import Game, Mode, Ruleset
from balance.play.chunk import part_pairs
from balance.play.kinds import no_plan
from balance.play.loader import Loader
from balance.play.matchups import Matchup
from balance.play.resolved import data_hash, plain, ruleset_data, ruleset_from

MOST_PARTS = 100_000  # the manifest lists them all, and is written anew every few seconds

# What a plan calls itself and where its numbers were read do not change what is played.
COSMETIC = ("name", "note", "configs")


@dataclass(frozen=True)
class LoadedPlan:
    """A plan that can be played.

    Attributes
    ----------
    plan : Plan
        With name and mode filled in.
    game : Game
    mode : Mode
    ruleset : Ruleset
        Overrides applied.
    rosters : mapping of str to tuple of str
        Heroes by team name; empty when rosters are drafted.
    arenas : tuple of str
    matchups : tuple of tuple of str
        Team names, one per player; empty when rosters are drafted.
    levels : tuple of tuple of AgentSpec
        One agent per player for every skill level.
    notes : tuple of str
        What the user should know: combinations that were left out.
    ladder : tuple of str
        Agents in the order of the plan when they meet each other (``play.ladder``): every level is then an
        encounter of two of them. Empty when levels are levels of skill.
    source : str
        The file, as it was named; not part of what is compared.
    """

    plan: Plan
    game: Game
    mode: Mode
    ruleset: Ruleset
    rosters: Mapping[str, tuple[str, ...]]
    arenas: tuple[str, ...]
    matchups: tuple[Matchup, ...]
    levels: tuple[tuple[AgentSpec, ...], ...]
    notes: tuple[str, ...] = ()
    ladder: tuple[str, ...] = ()
    source: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """The plan's name, or the stem of its file."""
        return self.plan.name or "plan"

    @property
    def cells(self) -> int:
        """Number of cells: levels x arenas x matchups (a draft counts as one matchup)."""
        return len(self.levels) * len(self.arenas) * max(1, len(self.matchups))

    @property
    def games(self) -> int:
        """Games that count in all cells together."""
        return self.cells * self.plan.pairs * len(self.mode.seatings)

    @property
    def parts(self) -> int:
        """Number of stored files a table."""
        sizes = [part_pairs(level, self.plan.part_pairs) for level in self.levels]
        places = len(self.arenas) * max(1, len(self.matchups))
        return places * sum(-(-self.plan.pairs // size) for size in sizes)

    def resolved(self) -> dict[str, Any]:
        """Everything that decides what is played, as plain data for the manifest."""
        ladder = {"ladder": list(self.ladder)} if self.ladder else {}
        return {
            "plan": plain(self.plan.model_dump()),
            "ruleset": ruleset_data(self.ruleset),
            "rosters": plain(self.rosters),
            "arenas": list(self.arenas),
            "matchups": plain(self.matchups),
            "levels": [[agent.label for agent in level] for level in self.levels],
            "notes": list(self.notes),
            **ladder,
        }

    @cached_property
    def config_hash(self) -> str:
        """128 bits over :meth:`resolved`, without names, notes and paths."""
        data = self.resolved()
        data["plan"] = {key: value for key, value in data["plan"].items() if key not in COSMETIC}
        del data["notes"]
        return data_hash(data)

    @classmethod
    def from_resolved(cls, data: Mapping[str, Any]) -> LoadedPlan:
        """The plan that :meth:`resolved` described; reads no file.

        Raises
        ------
        RunError
            The data is damaged.
        """
        try:
            plan = Plan.model_validate(data["plan"])
            game = get_game(plan.game)
            return cls(
                plan=plan,
                game=game,
                mode=game.mode(plan.mode or game.modes[0].name),
                ruleset=ruleset_from(data["ruleset"]),
                rosters={name: tuple(heroes) for name, heroes in data["rosters"].items()},
                arenas=tuple(data["arenas"]),
                matchups=tuple(tuple(matchup) for matchup in data["matchups"]),
                levels=tuple(tuple(parse_agent(text) for text in level) for level in data["levels"]),
                notes=tuple(data["notes"]),
                ladder=tuple(data.get("ladder", ())),
            )
        except (KeyError, TypeError, ValueError, AttributeError, ValidationError) as error:
            raise RunError(f"the stored plan is damaged: {error}", "run the plan file again") from None


def load_plan(path: str | Path, sets: Sequence[str] = (), **flags: Any) -> LoadedPlan:
    """Read a plan file and all it needs.

    Parameters
    ----------
    path : str or Path
        ``-`` for standard input.
    sets : sequence of str
        Overrides ``PATH=VALUE``.
    **flags
        Plan keys from options of their own, such as ``seed=7`` or ``pairs=100``; None is no option.
        ``games`` is the number of games in all cells together, rounded up to whole pairs a cell;
        ``until_ci`` is ``until.half_width``.

    Raises
    ------
    ConfigError
        Every fault with its place.
    """
    return load_document(load_yaml(path), Path(path).parent, sets, **flags)


def load_plan_text(text: str, name: str = "plan.yaml", sets: Sequence[str] = (), **flags: Any) -> LoadedPlan:
    """As :func:`load_plan` from text; paths in it are relative to the current folder."""
    return load_document(load_yaml_text(text, name), Path(), sets, **flags)


def load_document(document: Document, folder: Path, sets: Sequence[str] = (), **flags: Any) -> LoadedPlan:
    """As :func:`load_plan` from a document already read; paths in it are relative to `folder`."""
    given = {name: value for name, value in flags.items() if value is not None}
    games = given.pop("games", None)
    width, agent = given.pop("until_ci", None), given.pop("agent", None)
    if not isinstance(document.data, dict):
        raise ConfigError([document.problem((), "a plan is a mapping that begins with `game: NAME`")])
    overrides = overrides_of(sets, given)
    if width is not None:
        overrides.append(Override(f"--until-ci {width}", ("until", "half_width"), width))
    if agent is not None:
        overrides.append(Override(f"--agent {agent}", ("agents",), [agent]))
    try:
        found = Loader(apply(document, overrides), folder).load()
    except ConfigError as error:
        raise explained(error, document, overrides) from None
    return sized(LoadedPlan(**vars(found), source=document.name), document, games)


def overrides_of(sets: Sequence[str], flags: Mapping[str, Any]) -> list[Override]:
    """Options as overrides of a plan; a flag that is None was not given."""
    given = {name: value for name, value in flags.items() if value is not None}
    return [*map(parse_set, sets), *(flag(name, value) for name, value in given.items())]


def sized(loaded: LoadedPlan, document: Document, games: int | None) -> LoadedPlan:
    """A plan with as many pairs a cell as make so many games (None: as it says).

    Raises
    ------
    ConfigError
        These are more parts than a run may have.
    UsageError
        The plan ends when its intervals are narrow, not after so many games.
    """
    if games is not None and loaded.plan.until:
        hint = "set the most pairs: --set until.max_pairs=N, or play a fixed number: --set until=null"
        raise UsageError("--games is a fixed number, and this run ends when its intervals are narrow", hint)
    loaded = loaded if games is None else _of_games(loaded, games)
    if loaded.parts > MOST_PARTS:
        message = f"{loaded.games:,} games are {loaded.parts:,} parts; {MOST_PARTS:,} are the most"
        hint = "play fewer pairs or cells, or more pairs a part (part_pairs)"
        raise ConfigError([document.problem("pairs", message, hint)])
    return loaded


def explained(error: ConfigError, document: Document, overrides: Sequence[Override]) -> ConfigError:
    """The faults of a plan, said better: a file that is no plan, an option whose path lacks its beginning."""
    options = {override.label: override.path for override in overrides}
    other = no_plan(document, sum(problem.file not in options for problem in error.problems))
    if other is not None:
        return ConfigError([other])
    problems = [_with_path(problem, options, document.data) for problem in error.problems]
    return ConfigError(problems)


def _with_path(problem: Problem, options: Mapping[str, Path_], data: Mapping[str, Any]) -> Problem:
    if problem.file not in options or not problem.message.startswith("unknown key"):
        return problem
    known = leaf_paths(Plan)
    with suppress(UsageError, TypeError):  # a wrong game is a fault of its own
        known = known + leaf_paths(get_game(data.get("game", "")).part("schema").Overrides)
    meant = path_meant(options[problem.file], known)
    return replace(problem, hint=meant or problem.hint)


def _of_games(loaded: LoadedPlan, games: int) -> LoadedPlan:
    if games < 1:
        raise UsageError("--games must be at least 1: a run with zero games says nothing")
    pairs = -(-games // (loaded.cells * len(loaded.mode.seatings)))
    return replace(loaded, plan=loaded.plan.model_copy(update={"pairs": pairs}))
