"""``--set PATH=VALUE``: parse it, put it into plain data, and remember which option gave which value."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from balance.config.words import as_text, nearest
from balance.config.yaml_lines import Document, Mark, Path_, load_value, split_path
from balance.errors import ConfigError, Problem

MOST_MEANT = 3  # paths that a hint names


@dataclass(frozen=True)
class Override:
    """One override: the option as it was typed, the path and the value."""

    label: str
    path: Path_
    value: Any


def parse_set(text: str) -> Override:
    """``rules.hill_vp=2`` as an override; the value is a YAML scalar or flow collection.

    Raises
    ------
    ConfigError
        No ``=``, an empty step in the path, or a value that is no YAML.
    """
    label = f"--set {text}"
    path, equals, value = text.partition("=")
    path = path.strip()
    if not equals or not path or "" in path.split("."):
        hint = "write PATH=VALUE, for example --set rules.hill_vp=2"
        raise _error(label, path, "is no override", hint)
    try:
        return Override(label, split_path(path), load_value(value, label))
    except ConfigError as error:
        first = error.problems[0]
        hint = first.hint or "write the value as in YAML, for example [pillars, mill]"
        raise _error(label, path, f"the value cannot be read: {first.message}", hint) from None


def flag(name: str, value: Any) -> Override:
    """An option of its own, such as ``--seed 7``, as an override."""
    return Override(f"--{name.replace('_', '-')} {value}", split_path(name), value)


def apply(document: Document, overrides: Sequence[Override]) -> Document:
    """A new document with the overrides put in, later ones over earlier ones.

    Faults found afterwards in these values name the option instead of a line.
    """
    data = copy.deepcopy(document.data)
    marks = dict(document.marks)
    for override in overrides:
        put = _put(data, override)
        marks = {path: mark for path, mark in marks.items() if path[: len(put)] != put}
        for depth in range(1, len(put) + 1):  # what the option had to make on the way is its own, too
            marks.setdefault(put[:depth], Mark(override.label, 0, 0))
    return Document(document.name, data, marks)


def path_meant(path: Path_, known: Sequence[tuple[str, ...]]) -> str:
    """A hint: the known paths that end as `path` does, or whose end is spelt most like it.

    ``hopper.maximum`` leads to ``heroes.hopper.maximum``, and so does ``hero.hopper.maximum``; empty text
    when nothing is like it.
    """
    words = tuple(str(step) for step in path)
    return _ending(words, known) or _alike(words, known) or _ending(words[1:], known)


def _ending(words: tuple[str, ...], known: Sequence[tuple[str, ...]]) -> str:
    meant = [".".join(one) for one in known if words and one[-len(words) :] == words]
    more = f" ... ({len(meant)} in all)" if len(meant) > MOST_MEANT else ""
    return f"did you mean {' or '.join(map(repr, meant[:MOST_MEANT]))}{more}?" if meant else ""


def _alike(words: tuple[str, ...], known: Sequence[tuple[str, ...]]) -> str:
    ends = {".".join(one[-len(words) :]): ".".join(one) for one in known if len(one) >= len(words)}
    near = nearest(".".join(words), list(ends))
    # A whole path that is only misspelt: the word that is wrong has its own hint.
    return f"did you mean '{ends[near]}'?" if near and ends[near] != near else ""


def _put(data: Any, override: Override) -> Path_:
    # Returns the path as the data has it: a step of digits may be a position or a name.
    place = data
    put: list[str | int] = []
    for depth, step in enumerate(override.path):
        key = _key(place, step, override, depth)
        put.append(key)
        if depth + 1 == len(override.path):
            place[key] = override.value
        elif isinstance(place, dict) and place.get(key) is None:
            place[key] = {}
        place = place[key]
    return tuple(put)


def _key(place: Any, step: str | int, override: Override, depth: int) -> str | int:
    if isinstance(place, list):
        return _position(place, step, override)
    if not isinstance(place, dict):
        raise _no_mapping(override, depth, place)
    return str(step)


def _position(place: list[Any], step: str | int, override: Override) -> int:
    if isinstance(step, int) and step < len(place):
        return step
    message = f"{as_text(step)} is no position in a list of {len(place)} (the first is 0)"
    raise _error(override.label, "", message, "or set the whole list: PATH=[a, b]")


def _no_mapping(override: Override, depth: int, place: Any) -> ConfigError:
    before = ".".join(str(step) for step in override.path[:depth])
    message = f"'{before}' is {as_text(place)} and holds no '{override.path[depth]}'"
    return _error(override.label, before, message, "shorten the path")


def _error(label: str, path: str, message: str, hint: str) -> ConfigError:
    return ConfigError([Problem(label, 0, 0, path, message, hint)])
