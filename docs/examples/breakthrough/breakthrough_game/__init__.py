"""Breakthrough: two rows of pieces each; the first to reach the far row wins."""

from __future__ import annotations

from importlib.resources import files

from balance.games.game import Game, Mode

GAME = Game(
    slug="breakthrough",
    title="Breakthrough",
    summary="Two armies of equal pieces advance on a board of 8 x 8; the first to reach the far row wins.",
    version="1.0",
    package=__name__,
    configs=files(__name__) / "configs",
    plans=files(__name__) / "plans",
    modes=(Mode("duel", 2, (0, 1), ((0, 1), (1, 0))),),
    drafts=("fixed",),
    roster_size=0,
    copies=0,
    max_actions=96,
    terminations=("running", "home", "captured"),
    termination_words={"home": "reached the far row", "captured": "took the last piece"},
    phases=("draft", "turn", "over"),
    restrictions={"action:straight": 1, "action:diagonal": 2, "action:capture": 4},
)
