"""A game that takes no time: numbers made of its streams, so that runs can be tested without a compiler."""

from __future__ import annotations

from pathlib import Path

from balance.games.game import Game, Mode

GAME = Game(
    slug="fakegame",
    title="Fake Game",
    summary="Numbers out of a hat.",
    version="1.0",
    package=__name__,
    configs=Path(),
    plans=Path(),
    modes=(
        Mode("duel", 2, (0, 1), ((0, 1), (1, 0))),
        Mode("team", 4, (0, 1, 0, 1), ((0, 1, 2, 3), (1, 0, 3, 2))),
        Mode("ffa3", 3, (0, 1, 2), ((0, 1, 2), (1, 2, 0), (2, 0, 1))),
    ),
    drafts=("fixed", "blind"),
    roster_size=2,
    copies=2,
    max_actions=1,
    terminations=("running", "won", "cap"),
    phases=("draft", "turn"),
)
