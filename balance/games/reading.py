"""Strict reading of position documents, for every game: single values, each fault with its path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from balance.config.words import as_text, did_you_mean, listed
from balance.games.position import DocumentError

Path = tuple[str | int, ...]


def fault(path: Path, message: str, hint: str = "", at_key: bool = False) -> DocumentError:
    """The error of one place of a document, to be raised."""
    return DocumentError(path, message, hint, at_key)


def read_mapping(value: Any, keys: Iterable[str], path: Path, what: str) -> Mapping[str, Any]:
    """A mapping whose keys are all among `keys`."""
    if not isinstance(value, Mapping):
        raise fault(path, f"must be a mapping of {what}, not {as_text(value)}")
    known = list(keys)
    for key in value:
        if key not in known:
            raise fault((*path, key), f"unknown key {as_text(key)}", did_you_mean(key, known), at_key=True)
    return value


def read_word(value: Any, words: Sequence[str], path: Path) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in words:
        hint = did_you_mean(value, words) if isinstance(value, str) else ""
        raise fault(path, f"must be one of {listed(words)}, not {as_text(value)}", hint)
    return value


def read_whole(value: Any, low: int, high: int, path: Path) -> int:
    """A whole number in a range; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise fault(path, f"must be a whole number from {low} to {high}, not {as_text(value)}")
    return value


def read_list(value: Any, path: Path, what: str) -> list[str]:
    """A list of texts."""
    if not isinstance(value, list):
        raise fault(path, f"must be a list of {what}, not {as_text(value)}")
    for place, item in enumerate(value):
        if not isinstance(item, str):
            raise fault((*path, place), f"must be text, not {as_text(item)}")
    return value


def require(document: Mapping[str, Any], key: str) -> Any:
    """The value of a key that must be there."""
    if key not in document:
        raise fault((), f"the key {key!r} is missing")
    return document[key]
