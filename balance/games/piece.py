"""What stands and lies where in a position, as a game's notation tells it to whoever draws replays."""

from __future__ import annotations

from typing import NamedTuple

from balance.kernel.contract import NONE

__all__ = ["NONE", "Piece", "Tile"]


class Piece(NamedTuple):
    """One piece of a position.

    Attributes
    ----------
    seat : int
        Whose it is, 0 = A.
    name : str
        As action texts call it, with the hero's slug before any dot: ``hopper``, ``hopper.2``. Pieces that
        nobody tells apart share a name: ``stone``.
    node : int
        Where it stands, as an index into the arena's node names; NONE off the board.
    text : str
        The number that it carries, such as its energy; empty when there is none or it is off the board.
    """

    seat: int
    name: str
    node: int
    text: str = ""


class Tile(NamedTuple):
    """Something that lies on a node, under whoever stands there: a sign of control, fire, a trap.

    Attributes
    ----------
    node : int
        An index into the arena's node names; one tile a node.
    seat : int
        Whose it is, 0 = A; NONE for nobody's.
    text : str
        A short word, such as ``fire``; empty when the seat says everything.
    """

    node: int
    seat: int
    text: str = ""
