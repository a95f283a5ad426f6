"""Jump Masters: heroes that step, run and jump over each other for victory points."""

from __future__ import annotations

from balance.config.places import shipped
from balance.games.game import Game, Mode
from balance.games.jump_masters.restrictions import PASSIVES, RESTRICTIONS

GAME = Game(
    slug="jump_masters",
    title="Jump Masters",
    summary="Two to four teams of heroes jump, energize and attack on a small grid; first to 20 points wins.",
    version="1.0",
    package=__name__,
    configs=shipped("jump_masters"),
    plans=shipped("plans", "jump_masters"),
    modes=(
        Mode("duel", 2, (0, 1), ((0, 1), (1, 0))),
        Mode("team", 4, (0, 1, 0, 1), ((0, 1, 2, 3), (1, 0, 3, 2))),
        Mode("ffa3", 3, (0, 1, 2), ((0, 1, 2), (1, 2, 0), (2, 0, 1))),
        Mode("ffa4", 4, (0, 1, 2, 3), ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))),
    ),
    drafts=("fixed", "free", "snake", "blind", "pass"),
    roster_size=4,
    roster_parameter="team_size",
    ability_bit=16,
    copies=2,
    max_actions=8192,
    terminations=("running", "vp", "cap"),
    caps=("cap",),
    termination_words={"vp": "victory points", "cap": "turn cap"},
    phases=("draft", "zone", "deploy", "turn", "stepped", "jumping", "redeploy", "over"),
    restrictions=RESTRICTIONS,
    passives=PASSIVES,
)
