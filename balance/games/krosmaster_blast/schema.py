"""The ruleset of Krosmaster: Blast: its YAML files with overrides applied.

``Ruleset.values`` holds the parameters by name, and the cards under the names of their sections. A value that
differs from the shipped one is called ``changed``, whether a file or an override changed it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, create_model

from balance.config.agents_file import settings_in, weights_in
from balance.config.fields import Frozen
from balance.config.sourced import CHANGED
from balance.config.validate import faults, in_order
from balance.config.words import did_you_mean, listed, nearest
from balance.config.yaml_lines import Document, join_path
from balance.errors import ConfigError, Problem
from balance.games.game import ArenaInfo, HeroInfo, Ruleset, TeamInfo
from balance.games.krosmaster_blast.cards import SECTIONS, card_faults, merged, pool_of
from balance.games.krosmaster_blast.files import (
    GAME,
    KINDS,
    OPTIONAL,
    Files,
    check_file,
    read_files,
    shipped_files,
    written_path,
)
from balance.games.krosmaster_blast.metrics import SPELLS
from balance.games.krosmaster_blast.numbers import all_numbers
from balance.games.krosmaster_blast.parameters import BY_NAME, LEVELS, PARAMETERS
from balance.games.krosmaster_blast.terrain import map_faults

__all__ = ["KINDS", "OPTIONAL", "OVERRIDES", "Overrides", "check_file", "load_ruleset"]

OVERRIDES = "overrides"  # stands for a file in problems of overrides, whose places only the caller knows
Fault = tuple[str, str, str]  # dotted path, message, hint

RuleOverrides = create_model(  # type: ignore[call-overload]
    "RuleOverrides",
    __base__=Frozen,
    **{item.name: (Annotated[Any, item.kind], Field(None, description=item.text)) for item in PARAMETERS},
)


class Overrides(Frozen):
    """What a plan's ``rules`` and ``heroes`` may change; ``heroes`` are rows of Krosmasters and minions."""

    rules: RuleOverrides = RuleOverrides()  # type: ignore[valid-type]
    heroes: dict[str, dict[str, Any]] = {}


def load_ruleset(
    folder: Traversable | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Ruleset:
    """The ruleset of a configuration folder with overrides applied.

    Parameters
    ----------
    folder : Traversable, Path or None
        Holds the files; None for the shipped ones.
    overrides : mapping
        ``{"rules": {parameter: value}, "heroes": {name: row}}``; rows are merged into the cards.
    mode : str or None
        When it is named, what only a set-up needs is checked too.

    Raises
    ------
    ConfigError
        Every fault of the files with its place; faults of overrides have the file :data:`OVERRIDES` and the
        dotted path of the value.
    """
    files = shipped_files() if folder is None else read_files(folder)
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    wrong: list[Fault] = [
        (join_path(path), message, hint) for path, message, hint in faults(Overrides, given)
    ]
    if not wrong:
        data, wrong = _with_heroes(files, given.get("heroes", {}))
    if not wrong:
        values = final_values(files, given.get("rules", {}), data)
        wrong = value_faults(values) + (setup_faults(values, files) if mode else [])
    if wrong:
        raise ConfigError(in_order([_placed(files, given, fault) for fault in wrong]))
    return ruleset_of(files, values)


def _with_heroes(files: Files, heroes: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The cards of the files with rows of Krosmasters and minions merged in, and what is wrong then."""
    data = dict(files.plain.data)
    known = [*data["krosmasters"], *data["minions"]]
    for name, row in heroes.items():
        if name not in known:
            return data, [(f"heroes.{name}", f"unknown hero '{name}'", did_you_mean(name, known))]
        section = "krosmasters" if name in data["krosmasters"] else "minions"
        if slips := list(_slips(name, row, data[section][name])):
            return data, slips
        data[section] = merged(data[section], {name: row})
    if not heroes:
        return data, []
    return data, [(join_path(_as_override(path)), message, hint) for path, message, hint in card_faults(data)]


def _slips(name: str, row: Any, card: Mapping[str, Any]) -> Iterator[Fault]:
    """Names of spells and powers that are new to a card and much like one that it has."""
    for key in ("spells", "powers"):
        given, known = row.get(key) if isinstance(row, Mapping) else None, card.get(key, {})
        for word in given if isinstance(given, Mapping) else ():
            if word not in known and (near := nearest(str(word), list(known))):
                hint = f"did you mean '{near}'? New ones with such names are added in cards.yaml"
                yield f"heroes.{name}.{key}.{word}", f"{name} has no '{word}' among its {key}", hint


def _as_override(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    return ("heroes", *path[1:]) if path and path[0] in ("krosmasters", "minions") else written_path(path)


def final_values(files: Files, given: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter in its final value (the level's, the files', then overrides), and all cards."""
    rules: Any = files.rules.rules
    usual: Any = shipped_files().rules.rules
    level = given.get("level") or (rules.level or usual.level).value
    values: dict[str, Any] = {}
    for name in BY_NAME:
        written = getattr(rules, name) or getattr(usual, name)
        value = given.get(name)
        if value is None:
            value = written.value if written else LEVELS[level][name]
        values[name] = list(value) if isinstance(value, list | tuple) else value
    values["level"] = level
    return values | {section: data[section] for section in SECTIONS}


def value_faults(values: Mapping[str, Any]) -> list[Fault]:
    """Faults between parameters and cards that are each in range."""
    found = [
        ("rules.roster", f"unknown Krosmaster '{name}'", did_you_mean(name, values["krosmasters"]))
        for name in values["roster"]
        if name not in values["krosmasters"]
    ]
    found += [
        ("rules.challenge_pool", f"unknown challenge '{name}'", did_you_mean(name, values["challenges"]))
        for name in values["challenge_pool"]
        if name not in values["challenges"]
    ]
    if values["kos_to_win"] > values["team_size"]:
        message = f"kos_to_win ({values['kos_to_win']}) is above team_size ({values['team_size']})"
        found.append(("rules.kos_to_win", message, "0 means half the team, rounded up"))
    pool, needed = pool_of(values, values), 2 * values["rounds"]
    if len(pool) < needed:
        message = f"the deck needs {needed} favors, the pool has {len(pool)}: {listed(pool)}"
        found.append(("rules.rounds", message, "fewer rounds, or superior_favors, or more tile_kinds"))
    return found


def setup_faults(values: Mapping[str, Any], files: Files) -> list[Fault]:
    """Faults that only matter where a game is set up (section 3)."""
    found: list[Fault] = []
    offered = len(values["challenge_pool"] or values["challenges"])
    if values["challenge_count"] > offered:
        message = f"challenge_count is {values['challenge_count']}; there are {offered} challenges"
        found.append(("rules.challenge_count", message, ""))
    if len(values["roster"]) < 2 * values["team_size"]:
        message = f"two teams of {values['team_size']} need {2 * values['team_size']} Krosmasters"
        found.append(("rules.roster", message, f"the roster has {len(values['roster'])}"))
    for name, arena in files.arenas.arenas.items():
        found += [
            (f"arenas.{name}.map", message, "add start cells, or take the field out")
            for row, message in map_faults(arena.map, values["team_size"])
            if row < 0
        ]
    return found


def _placed(files: Files, given: Mapping[str, Any], fault: Fault) -> Problem:
    """The problem of a fault: in the overrides when they hold the path, else in the file that does."""
    path, message, hint = fault
    document = _document(files, path)
    if _holds(given, path) or path in given or not _holds(document.data, path):
        return Problem(OVERRIDES, 0, 0, path, message, hint)
    return document.problem(path, message, hint)


def _holds(data: Any, path: str) -> bool:
    for step in path.split("."):
        if isinstance(data, list | tuple) and step.isdigit() and int(step) < len(data):
            data = data[int(step)]
        elif isinstance(data, Mapping) and step in data:
            data = data[step]
        else:
            return False
    return True


def _document(files: Files, path: str) -> Document:
    kind = path.partition(".")[0]
    return files.documents[kind if kind in ("rules", "arenas") else "cards"]


def counted_spells(names: list[str]) -> tuple[str, ...]:
    """What the columns of single spells count: each in name order, the last ones together."""
    if len(names) <= SPELLS:
        return tuple(names)
    return (*names[: SPELLS - 1], "_and_".join(names[SPELLS - 1 :]))


def ruleset_of(files: Files, values: dict[str, Any]) -> Ruleset:
    """The ruleset of checked values."""
    plain = files.plain
    numbers = all_numbers(files, values)
    sources = {number.path: number.source for number in numbers}
    heroes = {}
    for name in sorted(values["krosmasters"]):
        card, words = values["krosmasters"][name], plain.words.get(("krosmasters", name), {})
        shown = {key: card[key] for key in ("mp", "hp", "ap")}
        spells = counted_spells(sorted(card.get("spells", {})))
        heroes[name] = HeroInfo(name, words.get("title", name), words.get("text", ""), shown, spells)
    return Ruleset(
        game=GAME,
        heroes=heroes,
        arenas={
            name: ArenaInfo(name, arena.title or name, arena.map, sources[f"arenas.{name}"])
            for name, arena in files.arenas.arenas.items()
        },
        teams={
            name: TeamInfo(name, team.title or name, team.heroes, team.source or CHANGED)
            for name, team in files.cards.teams.items()
        },
        values=values,
        numbers=tuple(numbers),
        weights=weights_in(files.agents, shipped_files().agents),
        agents=settings_in(files.agents, shipped_files().agents),
    )
