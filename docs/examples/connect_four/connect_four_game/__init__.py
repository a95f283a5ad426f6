"""Connect Four: stones fall into columns; the first line of four wins."""

from __future__ import annotations

from importlib.resources import files

from balance.games.game import Game, Mode

GAME = Game(
    slug="connect_four",
    title="Connect Four",
    summary="Stones fall into seven columns of six; the first to line up four of them wins.",
    version="1.0",
    package=__name__,
    configs=files(__name__) / "configs",
    plans=files(__name__) / "plans",
    modes=(Mode("duel", 2, (0, 1), ((0, 1), (1, 0))),),
    drafts=("fixed",),
    roster_size=0,
    copies=0,
    max_actions=7,
    terminations=("running", "line", "full"),
    termination_words={"line": "a line", "full": "a full board"},
    phases=("draft", "turn", "over"),
    restrictions={f"action:{column}": 1 << number for number, column in enumerate("abcdefg")},
)
