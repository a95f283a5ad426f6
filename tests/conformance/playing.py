"""Starting and playing any discovered game at random, for the tests beside this file."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from balance.games import discover, get_game
from balance.games.position import Position
from balance.kernel.rng import new_stream
from balance.study import oracle

PLIES = 200_000  # more than any capped game has

# One case for every game, mode and draft format.
CASES = [
    pytest.param(slug, mode.name, draft, id=f"{slug}-{mode.name}-{draft}")
    for slug, game in discover().items()
    for mode in game.modes
    for draft in game.drafts
]
GAMES = list(discover())


def sampled(seeds: range, few: int) -> list[Any]:
    """Seeds of a slow test, of which CI runs the first few."""
    marked = [pytest.param(seed, marks=pytest.mark.sample) for seed in seeds[:few]]
    return [*marked, *seeds[few:]]


def begin(slug: str, mode: str, draft: str, seed: int) -> Position:
    """The first position of a game on an arena drawn from `seed`, with dealt rosters if they are given."""
    game, dice = get_game(slug), random.Random(f"{slug} {mode} {draft} {seed}")
    ruleset = game.part("schema").load_ruleset(None, {}, mode)
    arena = dice.choice(sorted(ruleset.arenas))
    rosters = None
    seats = game.mode(mode).seats
    if draft == "fixed" and ruleset.heroes:
        deck = sorted(ruleset.heroes) * game.copies
        dice.shuffle(deck)
        rosters = [dealt(deck, game.roster_size, game.copies_in_roster) for _ in range(seats)]
    return oracle.start(game, mode, arena, draft, rosters, seed)


def dealt(deck: list[str], size: int, copies: int) -> list[str]:
    """A roster from the top of a deck; cards that a seat has often enough stay in it."""
    roster: list[str] = []
    while len(roster) < size:
        place = max(place for place, hero in enumerate(deck) if roster.count(hero) < copies)
        roster.append(deck.pop(place))
    return roster


def walk(position: Position, seed: int) -> Iterator[tuple[Position, int]]:
    """Positions of one random game with the action played in each; then the final one with -1."""
    dice, stream = random.Random(seed), new_stream(seed)
    for _ in range(PLIES):
        if oracle.is_over(position):
            yield position, -1
            return
        action = dice.choice(oracle.actions(position))
        yield position, action
        position = oracle.play(position, action, stream)
    raise AssertionError(f"no end after {PLIES} plies")


@cache
def visited(slug: str, mode: str, draft: str, seed: int = 1) -> tuple[Position, ...]:
    """All positions of one random game, the final one included."""
    return tuple(position for position, _ in walk(begin(slug, mode, draft, seed), seed))


def spread(slug: str, mode: str, draft: str, most: int) -> list[Position]:
    """Some running positions of one random game: the first few, which are set-up, and others."""
    running = [position for position in visited(slug, mode, draft) if not oracle.is_over(position)]
    early, late = running[: most // 3], running[most // 3 :]
    return early + late[:: max(1, len(late) // (most - len(early)))]
