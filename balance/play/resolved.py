"""A ruleset as plain data and back, so that a run can be played again without its YAML files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from balance.games.game import ArenaInfo, HeroInfo, Number, Ruleset, TeamInfo


def ruleset_data(ruleset: Ruleset) -> dict[str, Any]:
    """All that a ruleset holds, of the types that JSON has."""
    return {
        "game": ruleset.game,
        "heroes": {
            slug: {"title": hero.title, "text": hero.text, "numbers": dict(hero.numbers)}
            | ({"abilities": list(hero.abilities)} if hero.abilities else {})
            for slug, hero in ruleset.heroes.items()
        },
        "arenas": {
            slug: {"title": arena.title, "rows": list(arena.rows), "source": arena.source}
            for slug, arena in ruleset.arenas.items()
        },
        "teams": {
            slug: {"title": team.title, "heroes": list(team.heroes), "source": team.source}
            for slug, team in ruleset.teams.items()
        },
        "values": plain(ruleset.values),
        "numbers": [plain(vars(number)) for number in ruleset.numbers],
        "weights": plain(ruleset.weights),
        "agents": plain(ruleset.agents),
    }


def ruleset_from(data: Mapping[str, Any]) -> Ruleset:
    """The inverse of :func:`ruleset_data`; KeyError or TypeError when something is missing."""
    return Ruleset(
        game=data["game"],
        heroes={
            slug: HeroInfo(slug, **hero | {"abilities": tuple(hero.get("abilities", ()))})
            for slug, hero in data["heroes"].items()
        },
        arenas={
            slug: ArenaInfo(slug, arena["title"], tuple(arena["rows"]), arena["source"])
            for slug, arena in data["arenas"].items()
        },
        teams={
            slug: TeamInfo(slug, team["title"], tuple(team["heroes"]), team["source"])
            for slug, team in data["teams"].items()
        },
        values=plain(data["values"]),
        numbers=tuple(Number(**number) for number in data["numbers"]),
        weights=plain(data["weights"]),
        agents=plain(data["agents"]),
    )


def plain(value: Any) -> Any:
    """A fresh copy with lists for tuples and dictionaries for mappings."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def data_hash(data: Any) -> str:
    """128 bits of plain data as hexadecimal text; the order of keys does not matter."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
