"""The assumed numbers that a finding rests on, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from balance.report.names import Context
from balance.report.words import listed

MOST = 4  # things named in one sentence


def rests_on(things: Sequence[str]) -> str:
    """``Assumed: Hopper's maximum 4 and lowest 1.``; empty when nothing is."""
    if not things:
        return ""
    more = len(things) - MOST
    named = [*things[:MOST], f"{more} more"] if more > 0 else list(things)
    return f"Rests on assumed numbers: {listed(named)}."


def hero_numbers(context: Context, heroes: Iterable[str]) -> list[str]:
    """Each hero with its assumed numbers: ``Hopper's maximum 4 and lowest 1``."""
    found = []
    for hero in heroes:
        prefix = f"heroes.{hero}."
        own = [number for number in _assumed(context) if str(number["path"]).startswith(prefix)]
        told = [
            text for number in own if (text := _told(str(number["path"])[len(prefix) :], number.get("value")))
        ]
        more = len(own) - len(told[:MOST])
        named = [*told[:MOST], *([f"{more} more"] if more and told else [])]
        if named:
            found.append(f"{context.hero(hero)}'s {listed(named) if more else ', '.join(named)}")
    return found


def _told(path: str, value: Any) -> str:
    """A number or a range with what it is: ``wild leap range 1-3``; empty for what is neither."""
    name = " ".join(path.split(".")[-2:]).replace("_", " ")
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return f"{name} {value}"
    if isinstance(value, list) and len(value) == 2 and all(isinstance(end, int) for end in value):
        return f"{name} {value[0]}" + (f"-{value[1]}" if value[0] != value[1] else "")
    return ""


def arena_numbers(context: Context, arenas: Sequence[str]) -> list[str]:
    """The arenas whose maps are assumed: ``the maps of Mill and Divide``."""
    paths = {str(number["path"]) for number in _assumed(context)}
    named = [context.arena(arena) for arena in arenas if f"arenas.{arena}" in paths]
    if not named:
        return []
    if len(named) > 2 and len(named) == len(arenas):
        return [f"all {len(named)} arena maps"]
    return [f"the map{'s' if len(named) > 1 else ''} of {listed(named)}"]


def team_numbers(context: Context, team: str) -> list[str]:
    """The assumed numbers of the heroes of a team, or of team-mates' teams joined by ``+``."""
    rosters = (context.manifest.get("plan") or {}).get("rosters") or {}
    heroes = dict.fromkeys(hero for name in team.split(" + ") for hero in rosters.get(name) or ())
    return hero_numbers(context, heroes)


def _assumed(context: Context) -> list[Mapping[str, Any]]:
    return [number for number in context.manifest.get("assumed") or () if isinstance(number, Mapping)]
