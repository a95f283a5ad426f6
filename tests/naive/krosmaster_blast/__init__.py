"""Krosmaster: Blast, the slow reference engine.

Written from the rules specification alone, in the plainest way that came to mind: a position is a
handful of dicts, an action is a text, and doing an action copies the position first.  Numbers like KB27
name the rulings of the specification.  Nothing here may be imported by, or taken from, a fast engine.
How unclear places were read is in ``tests/naive/krosmaster_blast_notes.md``.
"""

from .actions import after, branches, legal, outcomes, play
from .base import RuleError
from .cases import answer, read_cases, run_case
from .documents import document, document_of_text, load, position_of_text
from .position import BOOK, Frame, Position, canonical
from .random_positions import (
    random_document,
    random_document_within,
    random_frame,
    random_playout_positions,
    random_position,
    random_start,
)
from .start import start

__all__ = [
    "BOOK",
    "Frame",
    "Position",
    "RuleError",
    "after",
    "answer",
    "branches",
    "canonical",
    "document",
    "document_of_text",
    "legal",
    "load",
    "outcomes",
    "play",
    "position_of_text",
    "random_document",
    "random_document_within",
    "random_frame",
    "random_playout_positions",
    "random_position",
    "random_start",
    "read_cases",
    "run_case",
    "start",
]
