"""The games we can play: every package in this folder, and installed ones that announce themselves."""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import pkgutil
from functools import cache

from balance.errors import UsageError
from balance.games.game import Game


@cache
def discover() -> dict[str, Game]:
    """All games by slug; imports descriptors only, never rules.

    Sources are the packages beside this file and entry points of the group ``balance.games``
    whose object is a :class:`Game`.
    """
    found: dict[str, Game] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            game = importlib.import_module(f"{__name__}.{module.name}").GAME
            found[game.slug] = game
    for point in importlib.metadata.entry_points(group="balance.games"):
        game = point.load()
        found[game.slug] = game
    return dict(sorted(found.items()))


def get_game(slug: str) -> Game:
    """The game called `slug`.

    Raises
    ------
    UsageError
        Unknown slug, with the nearest known one.
    """
    games = discover()
    if slug in games:
        return games[slug]
    near = difflib.get_close_matches(slug, games, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known games: {', '.join(games)}"
    raise UsageError(f"unknown game {slug!r}", hint)
