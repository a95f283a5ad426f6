"""Plain data against a model: every fault at once, each at its place and in plain words."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from balance.config.words import as_text, did_you_mean
from balance.config.yaml_lines import Document, Path_
from balance.errors import ConfigError, Problem

Model = TypeVar("Model", bound=BaseModel)

MOST_FAULTS = 500  # of one file: each is compared with all known words, and nobody reads more

WORDS = {
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be a mapping of names to values",
    "mapping_type": "must be a mapping of names to values",
    "model_type": "must be a mapping of names to values",
    "model_attributes_type": "must be a mapping of names to values",
}


def check(model: type[Model], document: Document) -> Model:
    """The document as an instance of `model`.

    Raises
    ------
    ConfigError
        With one problem for every fault, in the order of their places.
    """
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        details = error.errors(include_url=False)[:MOST_FAULTS]
        problems = [_problem(model, document, detail) for detail in details]
        raise ConfigError(in_order(problems)) from None


def in_order(problems: list[Problem]) -> list[Problem]:
    """Problems by place, each once."""
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.file, problem.line, problem.column))


def faults(model: type[BaseModel], data: Any) -> list[tuple[Path_, str, str]]:
    """Faults of plain data without a file: (path, message, hint)."""
    try:
        model.model_validate(data)
    except ValidationError as error:
        return [
            (_real_path(data, detail), *_words(model, data, detail))
            for detail in error.errors(include_url=False)
        ]
    return []


def _problem(model: type[BaseModel], document: Document, detail: ErrorDetails) -> Problem:
    path = _real_path(document.data, detail)
    message, hint = _words(model, document.data, detail)
    at_key = detail["type"] == "extra_forbidden" or "[key]" in detail["loc"]
    return document.problem(path, message, hint, key=at_key)


def _real_path(data: Any, detail: ErrorDetails) -> Path_:
    # A location also names forms of a union and parts of short notations; only steps that exist count.
    path: list[str | int] = []
    for step in detail["loc"]:
        if _holds(data, step):
            data = data[step]
            path.append(step)
    return tuple(path)


def _holds(data: Any, step: str | int) -> bool:
    if isinstance(data, list):
        return isinstance(step, int) and step < len(data)
    return isinstance(data, Mapping) and step in data


def _words(model: type[BaseModel], data: Any, detail: ErrorDetails) -> tuple[str, str]:
    kind, given = detail["type"], detail["input"]
    last = str(detail["loc"][-1]) if detail["loc"] else ""
    if kind == "balance":
        return detail["ctx"]["message"], detail["ctx"]["hint"]
    if kind == "missing":
        return f"the key '{last}' is missing", ""
    if kind == "extra_forbidden":
        return f"unknown key {as_text(last)}", did_you_mean(last, known_keys(model, detail["loc"][:-1]))
    if kind in WORDS:
        return f"{WORDS[kind]}, not {as_text(given)}", ""
    return detail["msg"][:1].lower() + detail["msg"][1:], ""


def known_keys(model: type[BaseModel], location: tuple[str | int, ...]) -> list[str]:
    """The keys that a model allows at a location inside it."""
    found: list[Any] = [model]
    for step in location:
        inside = [kind for outer in found for kind in _inside(outer, step)]
        found = inside or found  # a step that names a form of a union leads nowhere
    return [name for kind in found if _is_model(kind) for name in kind.model_fields]


def leaf_paths(model: type[BaseModel]) -> list[tuple[str, ...]]:
    """Paths of all values of a model that hold no further model."""
    found: list[tuple[str, ...]] = []
    for name, field in model.model_fields.items():
        inside = [kind for kind in _members(field.annotation) if _is_model(kind)]
        found += [(name, *path) for kind in inside for path in leaf_paths(kind)] or [(name,)]
    return found


def _inside(kind: Any, step: str | int) -> list[Any]:
    if _is_model(kind):
        return _members(kind.model_fields[step].annotation) if step in kind.model_fields else []
    arguments = get_args(kind)
    if get_origin(kind) is dict:
        return _members(arguments[1])
    return _members(arguments[0]) if get_origin(kind) in (list, tuple) and isinstance(step, int) else []


def _members(kind: Any) -> list[Any]:
    if get_origin(kind) is Annotated:
        return _members(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return [member for part in get_args(kind) for member in _members(part)]
    return [kind]


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
