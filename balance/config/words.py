"""Words for messages: how a value is shown, and what a misspelt name may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

LONGEST = 40  # characters of a shown value


def as_text(value: Any) -> str:
    """A value as messages show it: ``text 'x'``, ``12``, ``true``, ``a list``."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _short(str(value))
    if isinstance(value, str):
        return f"'{_short(value)}'"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list | tuple) else type(value).__name__


def _short(text: str) -> str:
    text = "".join(mark if mark.isprintable() else "?" for mark in text)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def article(noun: str) -> str:
    """``an arena``, ``a team``."""
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def listed(words: Iterable[Any], most: int = 40) -> str:
    """``a, b, c``, cut after `most` of them."""
    names = [str(word) for word in words]
    rest = f" ... ({len(names)} in all)" if len(names) > most else ""
    return ", ".join(names[:most]) + rest


def did_you_mean(word: Any, known: Iterable[str]) -> str:
    """A hint: the nearest known word, else all of them."""
    names = list(known)
    if not names:
        return ""
    near = nearest(str(word), names)
    return f"did you mean '{near}'?" if near else f"known: {listed(names)}"


def nearest(word: str, names: list[str]) -> str:
    """The known name that `word` most likely means, or empty text."""
    folded = {name.lower().replace("-", "_").replace(" ", "_"): name for name in names}
    key = word.strip().lower().replace("-", "_").replace(" ", "_")
    near = difflib.get_close_matches(key, folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else ""
