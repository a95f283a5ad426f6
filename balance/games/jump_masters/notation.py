"""Positions and actions of Jump Masters as people and files have them; the entry to its notation.

What each part does stands in its own module: ``texts`` (canonical text, actions), ``frames`` and
``documents`` (reading), ``writing`` (documents, canonical text back, half turns), ``views`` (hidden
hands), ``drawing`` (the board in a terminal), ``showing`` (what replays show).
"""

from __future__ import annotations

from balance.games.game import Ruleset
from balance.games.jump_masters.documents import load_position
from balance.games.jump_masters.drawing import LEGEND, draw
from balance.games.jump_masters.layout import node_name
from balance.games.jump_masters.showing import POINTS, pieces, points
from balance.games.jump_masters.texts import canonical, format_action, legal_texts, parse_action
from balance.games.jump_masters.views import view
from balance.games.jump_masters.writing import document, mirror, mirror_text, parse_canonical, turn_nodes

__all__ = [
    "LEGEND",
    "POINTS",
    "canonical",
    "document",
    "draw",
    "format_action",
    "legal_texts",
    "load_position",
    "mirror",
    "mirror_text",
    "node_names",
    "parse_action",
    "parse_canonical",
    "pieces",
    "points",
    "turn_nodes",
    "view",
]


def node_names(ruleset: Ruleset, arena: str) -> list[str]:
    """Names of an arena's nodes in node order: by column, then by row number."""
    rows = ruleset.arenas[arena].rows
    height, width = len(rows), len("".join(rows[0].split()))
    return [node_name(node, height) for node in range(width * height)]
