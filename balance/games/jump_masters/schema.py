"""The ruleset of Jump Masters: its YAML files with overrides applied.

A value that differs from the shipped one is called ``changed``, whether a file or an override changed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, create_model

from balance.config.agents_file import settings_in, weights_in
from balance.config.fields import Frozen
from balance.config.sourced import CHANGED, Sourced
from balance.config.validate import faults, in_order
from balance.config.yaml_lines import Document, join_path
from balance.errors import ConfigError, Problem
from balance.games.game import ArenaInfo, HeroInfo, Number, Ruleset, TeamInfo
from balance.games.jump_masters.files import (
    GAME,
    KINDS,
    OPTIONAL,
    Files,
    TeamCard,
    check_file,
    read_files,
    shipped_files,
)
from balance.games.jump_masters.parameters import (
    BY_NAME,
    ENERGY,
    ENERGY_MAPS,
    HEROES,
    PARAMETERS,
    cross_faults,
    limits,
)
from balance.games.jump_masters.terrain import check_map, map_rows

__all__ = [
    "KINDS",
    "OPTIONAL",
    "OVERRIDES",
    "Overrides",
    "check_file",
    "check_map",
    "load_ruleset",
    "map_rows",
    "validate_rules",
]

SEATS = {"duel": 2, "team": 4, "ffa3": 3, "ffa4": 4}
OVERRIDES = "overrides"  # stands for a file in problems of overrides, whose places only the caller knows

Fault = tuple[str, str, str]  # dotted path, message, hint


HeroNumbers = create_model(  # type: ignore[call-overload]
    "HeroNumbers", __base__=Frozen, **dict.fromkeys(HEROES, (Annotated[int, ENERGY], None))
)
RuleOverrides = create_model(  # type: ignore[call-overload]
    "RuleOverrides",
    __base__=Frozen,
    **{item.name: (Annotated[Any, item.kind], Field(None, description=item.text)) for item in PARAMETERS},
    **dict.fromkeys(ENERGY_MAPS, (HeroNumbers, None)),
)


class EnergyOverride(Frozen):
    """New energies of one hero."""

    lowest: Annotated[Any, ENERGY] = None
    maximum: Annotated[Any, ENERGY] = None


HeroOverrides = create_model(  # type: ignore[call-overload]
    "HeroOverrides", __base__=Frozen, **dict.fromkeys(HEROES, (EnergyOverride, None))
)


class Overrides(Frozen):
    """What a plan's ``rules`` and ``heroes`` may change."""

    rules: RuleOverrides = RuleOverrides()  # type: ignore[valid-type]
    heroes: HeroOverrides = HeroOverrides()  # type: ignore[valid-type]


def load_ruleset(
    folder: Traversable | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Ruleset:
    """The ruleset of a configuration folder with overrides applied.

    Parameters
    ----------
    folder : Traversable, Path or None
        Holds the three files; None for the shipped ones.
    overrides : mapping
        ``{"rules": {parameter: value}, "heroes": {hero: {"lowest": .., "maximum": ..}}}``; both optional.
    mode : str or None
        For checks that depend on the number of seats.

    Raises
    ------
    ConfigError
        Every fault of the files with its place; faults of overrides have the file :data:`OVERRIDES` and the
        dotted path of the value.
    """
    files = shipped_files() if folder is None else read_files(folder)
    overrides = {key: value for key, value in (overrides or {}).items() if value is not None}
    wrong = _override_faults(overrides)
    if not wrong:
        values = _final_values(files, overrides)
        wrong = _cross(files, values, overrides, mode)
    problems = [_placed(files, overrides, fault) for fault in wrong]
    if problems:
        raise ConfigError(in_order(problems))
    return _ruleset(files, values)


def validate_rules(overrides: Any, mode: str | None = None) -> list[Fault]:
    """Faults of rules overrides on top of the shipped numbers: (dotted path, message, hint).

    Parameters
    ----------
    overrides : mapping
        Parameter name to value, as under ``rules:`` of a plan or position document.
    mode : str or None
        For checks that depend on the number of seats.
    """
    both = {"rules": overrides}
    wrong = _override_faults(both)
    return wrong or _cross(shipped_files(), _final_values(shipped_files(), both), both, mode)


def _override_faults(overrides: Mapping[str, Any]) -> list[Fault]:
    wrong = [(join_path(path), message, hint) for path, message, hint in faults(Overrides, dict(overrides))]
    if wrong:
        return wrong
    for name, word in ENERGY_MAPS.items():
        for hero in overrides.get("rules", {}).get(name, {}):
            if word in overrides.get("heroes", {}).get(hero, {}):
                message = f"is given twice, also as rules.{name}.{hero}"
                wrong.append((f"heroes.{hero}.{word}", message, "remove one"))
    return wrong


def _final_values(files: Files, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter in its final value: shipped, then the files, then overrides."""
    given = dict(overrides.get("rules", {}))
    values: dict[str, Any] = {}
    for name, parameter in BY_NAME.items():
        written = getattr(files.rules.rules, name) or getattr(shipped_files().rules.rules, name)
        value = parameter.kind.check(given[name]) if name in given else written.value
        values[name] = list(value) if isinstance(value, list) else value
    for name, word in ENERGY_MAPS.items():
        cards = {hero: getattr(getattr(files.cards.heroes, hero), word).value for hero in HEROES}
        new = {hero: card[word] for hero, card in overrides.get("heroes", {}).items() if word in card}
        values[name] = {**cards, **new, **given.get(name, {})}
    return values


def _cross(
    files: Files, values: dict[str, Any], overrides: Mapping[str, Any], mode: str | None
) -> list[Fault]:
    return [
        (_culprit(names, files, overrides), message, hint)
        for names, message, hint in cross_faults(values, SEATS.get(mode or "", 0))
    ]


def _culprit(names: tuple[str, ...], files: Files, overrides: Mapping[str, Any]) -> str:
    """The dotted path to blame: of the first parameter that an override sets, else of one in a file."""
    paths = []
    for name in names:
        base, _, hero = name.partition(".")
        paths.append(f"rules.{name}")
        if hero:
            paths.append(f"heroes.{hero}.{ENERGY_MAPS[base]}")
    given = [path for path in paths if _has(overrides, path)]
    written = [path for path in paths if _has(_document(files, path).data, path)]
    return (given or written or paths)[0]


def _has(data: Any, path: str) -> bool:
    for step in path.split("."):
        if not isinstance(data, Mapping) or step not in data:
            return False
        data = data[step]
    return True


def _placed(files: Files, overrides: Mapping[str, Any], fault: Fault) -> Problem:
    """The problem of a fault: in the overrides when they hold the path, else in the file that does."""
    path, message, hint = fault
    if path in overrides or _has(overrides, path) or not _has(_document(files, path).data, path):
        return Problem(OVERRIDES, 0, 0, path, message, hint)
    return _document(files, path).problem(path, message, hint)


def _document(files: Files, path: str) -> Document:
    return files.documents["cards" if path.startswith("heroes.") else "rules"]


def _ruleset(files: Files, values: dict[str, Any]) -> Ruleset:
    cards, arenas = files.cards, files.arenas.arenas
    heroes = {}
    for hero in HEROES:
        card = getattr(cards.heroes, hero)
        energies = {word: values[name][hero] for name, word in sorted(ENERGY_MAPS.items(), reverse=True)}
        heroes[hero] = HeroInfo(hero, card.title, f"{card.ability}. {card.text}", energies)
    numbers = (*_rule_numbers(files, values), *_hero_numbers(files, values), *_arena_numbers(files))
    sources = {number.path: number.source for number in numbers}
    return Ruleset(
        game=GAME,
        heroes=heroes,
        arenas={
            name: ArenaInfo(name, arena.title or name, arena.map, sources[f"arenas.{name}"])
            for name, arena in arenas.items()
        },
        teams={name: _team(name, team) for name, team in cards.teams.items()},
        values=values,
        numbers=numbers,
        weights=weights_in(files.agents, shipped_files().agents),
        agents=settings_in(files.agents, shipped_files().agents),
    )


def _team(name: str, team: TeamCard) -> TeamInfo:
    known = shipped_files().cards.teams.get(name)
    same = known is not None and known.heroes == team.heroes
    source = (team.source or known.source or CHANGED) if known is not None and same else CHANGED
    return TeamInfo(name, team.title or name, team.heroes, source)


def _number(
    path: str, value: Any, written: Sourced | None, known: Sourced, allowed: str, text: str
) -> Number:
    same = value == known.value
    source = (written.source if written else None) or known.source if same else CHANGED
    return Number(path, value, source or CHANGED, allowed, text, known.value)


def _rule_numbers(files: Files, values: dict[str, Any]) -> list[Number]:
    return [
        _number(
            f"rules.{item.name}",
            values[item.name],
            getattr(files.rules.rules, item.name),
            getattr(shipped_files().rules.rules, item.name),
            limits(item.name),
            item.text,
        )
        for item in PARAMETERS
    ]


def _hero_numbers(files: Files, values: dict[str, Any]) -> list[Number]:
    numbers = []
    meanings = {"lowest": "energy when (re)deployed", "maximum": "highest energy, and the points it is worth"}
    for hero in HEROES:
        for word, name in (("lowest", "hero_min"), ("maximum", "hero_max")):
            written = getattr(getattr(files.cards.heroes, hero), word)
            known = getattr(getattr(shipped_files().cards.heroes, hero), word)
            path, value = f"heroes.{hero}.{word}", values[name][hero]
            numbers.append(_number(path, value, written, known, ENERGY.words(), meanings[word]))
    return numbers


def _arena_numbers(files: Files) -> list[Number]:
    numbers = []
    for name, arena in files.arenas.arenas.items():
        known = shipped_files().arenas.arenas.get(name)
        same = known is not None and known.map == arena.map
        source = (arena.source or known.source or CHANGED) if known is not None and same else CHANGED
        before = "\n".join(known.map) if known is not None else None
        allowed = "6, 8 or 10 nodes wide and high"
        numbers.append(Number(f"arenas.{name}", "\n".join(arena.map), source, allowed, arena.text, before))
    return numbers
