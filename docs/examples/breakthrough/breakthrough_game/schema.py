"""The parameters of Breakthrough, and its ruleset: ``rules.yaml`` and ``arenas.yaml`` with overrides."""

from __future__ import annotations

from balance.config.fields import Flag, Whole
from balance.games.plain import Parameter, PlainSchema
from breakthrough_game import GAME
from breakthrough_game.layout import SIZE

PARAMETERS = (
    Parameter("piece_rows", Whole(1, 3), "rows that each side fills with pieces"),
    Parameter("straight_captures", Flag(), "whether a piece may also capture straight ahead"),
)


def map_fault(rows: tuple[str, ...]) -> str:
    """What is wrong with a map: the board is 8 x 8 and has no terrain."""
    return "" if rows == ("." * SIZE,) * SIZE else f"must be {SIZE} rows of {SIZE} dots"


SCHEMA = PlainSchema(GAME.slug, GAME.configs, PARAMETERS, map_fault)
KINDS, Overrides, OVERRIDES = SCHEMA.KINDS, SCHEMA.Overrides, SCHEMA.OVERRIDES
load_ruleset, check_file = SCHEMA.load_ruleset, SCHEMA.check_file
