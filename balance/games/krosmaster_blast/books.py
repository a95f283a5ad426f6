"""Names of cards by the numbers that records hold, for everything that writes text.

A tables record holds no text, so it holds the key of its book; whoever compiles tables adds the book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.kernel.rng import text_key


@dataclass(frozen=True)
class Book:
    """The names of one set of cards.

    Attributes
    ----------
    figures : tuple of str
        Krosmasters, then minions, each sorted; by figure number.
    krosmasters : int
        How many of them are Krosmasters.
    spells : tuple of tuple of str
        Spells of each figure, sorted.
    favors, bonuses, challenges : tuple of str
        By favor number, bonus number, challenge number.
    """

    figures: tuple[str, ...]
    krosmasters: int
    spells: tuple[tuple[str, ...], ...]
    favors: tuple[str, ...]
    bonuses: tuple[str, ...]
    challenges: tuple[str, ...]

    @property
    def key(self) -> int:
        """The key that tables hold, 63 bits."""
        return text_key("krosmaster_blast", *vars(self).values()) >> 1


_BOOKS: dict[int, Book] = {}


def make_book(data: Mapping[str, Any]) -> Book:
    """The book of a complete set of cards, kept for :func:`book_of`."""
    krosmasters, minions = sorted(data["krosmasters"]), sorted(data["minions"])
    cards = {**data["krosmasters"], **data["minions"]}
    challenges = sorted(data["challenges"])
    book = Book(
        figures=(*krosmasters, *minions),
        krosmasters=len(krosmasters),
        spells=tuple(tuple(sorted(cards[name].get("spells", {}))) for name in (*krosmasters, *minions)),
        favors=tuple(sorted(data["favors"])),
        bonuses=tuple(
            bonus for name in challenges for bonus in sorted(data["challenges"][name].get("active", {}))
        ),
        challenges=tuple(challenges),
    )
    _BOOKS[book.key] = book
    return book


def book_of(tables: Any) -> Book:
    """The names that belong to a tables record of this process."""
    return _BOOKS[int(tables["book"])]
