"""JSON Schema (draft 7) of plan and configuration files, for editors that complete and check YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from balance.config.fields import NAMES
from balance.config.models import Plan

DRAFT = "http://json-schema.org/draft-07/schema#"


def file_schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    """The schema of one configuration file."""
    return _finished(model.model_json_schema(), title, {}, {})


def plan_schema(
    title: str,
    closed: Mapping[str, Sequence[str]],
    suggested: Mapping[str, Sequence[str]] | None = None,
    overrides: type[BaseModel] | None = None,
) -> dict[str, Any]:
    """The schema of plan files.

    Parameters
    ----------
    title : str
    closed : mapping
        Kind of name (``game``, ``mode``, ``hero``, ``draft format``) to all names there are.
    suggested : mapping
        Kind of name (``arena``, ``team``) to names that are offered, others being allowed.
    overrides : model or None
        With the fields ``rules`` and ``heroes``: what a plan may change.
    """
    schema = Plan.model_json_schema()
    if overrides is not None:
        changes = overrides.model_json_schema()
        for key in ("rules", "heroes"):
            described = {"description": schema["properties"][key]["description"]}
            schema["properties"][key] = {"allOf": [changes["properties"][key]], **described}
        schema.setdefault("$defs", {}).update(changes.get("$defs", {}))
    return _finished(schema, title, closed, suggested or {})


def _finished(
    schema: dict[str, Any],
    title: str,
    closed: Mapping[str, Sequence[str]],
    suggested: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    named = _named(schema, closed, suggested)
    named.pop("title", None)
    return {"$schema": DRAFT, "title": title, **named}


def _named(part: Any, closed: Mapping[str, Sequence[str]], suggested: Mapping[str, Sequence[str]]) -> Any:
    """A copy with names filled in, and without what only clutters (titles, defaults that say nothing)."""
    if isinstance(part, list):
        return [_named(item, closed, suggested) for item in part]
    if not isinstance(part, dict):
        return part
    what = str(part.get(NAMES, ""))
    if what in closed:
        said = {"description": part["description"]} if "description" in part else {}
        return {"enum": list(closed[what]), **said}
    rest = {key: _named(value, closed, suggested) for key, value in part.items() if not _clutter(key, value)}
    if what in suggested:
        return {"anyOf": [{"enum": list(suggested[what])}, rest]}
    return rest


def _clutter(key: str, value: Any) -> bool:
    # A property may be called title or default: those are mappings.
    return key == NAMES or (key == "default" and value is None) or (key == "title" and isinstance(value, str))
