"""Krosmaster: Blast: small teams of Krosmasters that cast spells and capture Glyph cells on a grid."""

from __future__ import annotations

from balance.config.places import shipped
from balance.games.game import Game, Mode
from balance.games.krosmaster_blast.restrictions import FIRST_HERO, RESTRICTIONS

GAME = Game(
    slug="krosmaster_blast",
    title="Krosmaster: Blast",
    summary="Two teams of Krosmasters cast spells and capture Glyph cells; half a team knocked out wins.",
    version="1.0",
    package=__name__,
    configs=shipped("krosmaster_blast"),
    plans=shipped("plans", "krosmaster_blast"),
    modes=(Mode("duel", 2, (0, 1), ((0, 1), (1, 0))),),
    drafts=("fixed", "random", "draft"),
    roster_size=2,
    roster_parameter="team_size",
    ability_bit=FIRST_HERO,
    listed_turns=False,
    copies=2,
    copies_of_seat=1,
    max_actions=16_384,  # 16 spells and 2 favors on the 520 cells of the largest board, and some bonuses
    terminations=("running", "ko", "double_ko", "glyphs", "cap"),
    termination_words={
        "ko": "knock-out",
        "double_ko": "double knock-out",
        "glyphs": "Glyph cells",
        "cap": "decision cap",
    },
    caps=("cap",),
    phases=("draft", "deploy", "favor", "play", "over"),
    restrictions=RESTRICTIONS,
)
