"""Positions and actions of Krosmaster: Blast as people and files have them; the entry to its notation.

What each part does stands in its own module: ``texts`` (canonical text, actions), ``frames``,
``documents``, ``seating`` and ``thinking`` (reading), ``writing`` (documents, canonical text back),
``mirrors`` (half turns), ``drawing`` (the board in a terminal), ``chance`` (how many results an action has),
``showing`` (what replays show).
"""

from __future__ import annotations

from typing import Any

from balance.games.game import Ruleset
from balance.games.krosmaster_blast.chance import chances
from balance.games.krosmaster_blast.documents import load_position
from balance.games.krosmaster_blast.drawing import LEGEND, draw
from balance.games.krosmaster_blast.layout import cell_name
from balance.games.krosmaster_blast.mirrors import mirror, mirror_text
from balance.games.krosmaster_blast.showing import POINTS, chance, pieces, points, tiles
from balance.games.krosmaster_blast.texts import canonical, format_action, legal_texts, parse_action
from balance.games.krosmaster_blast.writing import document, parse_canonical

__all__ = [
    "LEGEND",
    "POINTS",
    "canonical",
    "chance",
    "chances",
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
    "tiles",
    "view",
]


def node_names(ruleset: Ruleset, arena: str) -> list[str]:
    """Names of a field's cells in cell order: by column, then by row number."""
    rows = ruleset.arenas[arena].rows
    return [cell_name(cell, len(rows)) for cell in range(len(rows) * len(rows[0]))]


def view(state: Any, tables: Any, seat: int) -> str:
    """What a seat can see: everything (KB68)."""
    return canonical(state, tables)
