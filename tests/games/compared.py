"""What comparing two engines in one position came to; every game's ``comparing`` gives these."""

from __future__ import annotations

from typing import NamedTuple


class Compared(NamedTuple):
    """One position that two engines were asked about."""

    group: dict[str, str]  # what the counts are kept by: level, mode, where the position is from
    position: int  # equal for equal positions
    actions: int  # legal actions, all compared as a list
    followed: int  # actions whose outcomes were compared
    outcomes: int  # outcomes compared, each with its probability
    difference: str  # in words that show the position; empty when the engines agree
    counts: bool = True  # False for a document that both engines refuse
