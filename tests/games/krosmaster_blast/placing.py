"""Position documents for the tests beside this file."""

from __future__ import annotations

from typing import Any

from balance.games.position import Position
from balance.study import oracle

A = [{"name": "agate", "cell": "b5", "state": "active"}, {"name": "mender", "cell": "b8"}]
B = [{"name": "oone", "cell": "i6"}, {"name": "ronimo", "cell": "i3"}]


def document(**changes: Any) -> dict[str, Any]:
    """A document of turn 9 in which Agate is active on b5; keys set to None are left out."""
    base = {"game": "krosmaster_blast", "arena": "fields_west", "turn": 9, "unseen": ["precision"]}
    whole = base | {"fighters": {"A": A, "B": B}} | changes
    return {key: value for key, value in whole.items() if value is not None}


def position(**changes: Any) -> Position:
    """The position of :func:`document`."""
    return oracle.load(document(**changes))


def fields(place: Position) -> dict[str, str]:
    """The fields of a canonical text."""
    return dict(word.partition("=")[::2] for word in place.text().split(" ")[1:])
