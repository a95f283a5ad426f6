"""The parameters of Connect Four, and its ruleset: ``rules.yaml`` and ``arenas.yaml`` with overrides."""

from __future__ import annotations

from balance.config.fields import Whole, Word
from balance.games.plain import Parameter, PlainSchema
from connect_four_game import GAME
from connect_four_game.layout import HEIGHT, WIDTH

PARAMETERS = (
    Parameter("line", Whole(3, 5), "stones in a row that win"),
    Parameter(
        "full_board", Word(("draw", "second")), "who wins when the board is full: nobody, or the second seat"
    ),
)


def map_fault(rows: tuple[str, ...]) -> str:
    """What is wrong with a map: the board is 7 x 6 and has no terrain."""
    return "" if rows == ("." * WIDTH,) * HEIGHT else f"must be {HEIGHT} rows of {WIDTH} dots"


SCHEMA = PlainSchema(GAME.slug, GAME.configs, PARAMETERS, map_fault)
KINDS, Overrides, OVERRIDES = SCHEMA.KINDS, SCHEMA.Overrides, SCHEMA.OVERRIDES
load_ruleset, check_file = SCHEMA.load_ruleset, SCHEMA.check_file
