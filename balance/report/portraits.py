"""Hero portraits: initials on a colour, made of the titles alone, so that every game has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.report.view import Portrait

TONES = 6  # colours of the page's palette


def portraits(titles: Mapping[str, str]) -> dict[str, Portrait]:
    """A portrait by title.

    Parameters
    ----------
    titles : mapping of str to str
        Hero's slug to title; the order of the slugs decides colours and who gets the shorter initials.

    Returns
    -------
    dict of str to Portrait
        Initials differ from each other; heroes with the same title share a portrait.
    """
    found: dict[str, Portrait] = {}
    taken: set[str] = set()
    for place, title in enumerate(dict.fromkeys(titles.values())):
        initials = next(text for text in _candidates(title) if text not in taken)
        taken.add(initials)
        found[title] = Portrait(initials, place % TONES)
    return found


def _candidates(title: str) -> Iterator[str]:
    """Initials from the best to the last resort: two words, first two letters, any two, a number."""
    words = [word for word in ("".join(filter(str.isalnum, part)) for part in title.split()) if word]
    letters = "".join(words) or "?"
    first = letters[0].upper()
    if len(words) > 1:
        yield first + words[-1][0].upper()
    yield from (first + letter.lower() for letter in letters[1:])
    yield first
    yield from (f"{first}{number}" for number in range(1, 10_000))
