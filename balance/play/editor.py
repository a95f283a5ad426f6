"""JSON Schemas of a game's files for editors, and the folder of a game's files for editing."""

from __future__ import annotations

import json
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from balance.config.schema import file_schema, plan_schema
from balance.errors import UsageError
from balance.games import discover
from balance.games.game import Game

SCHEMA_LINE = "# yaml-language-server: $schema="
PLAN = "plan"


def game_schema(game: Game, kind: str) -> dict[str, Any]:
    """The schema of one kind of file of a game, with its names filled in."""
    schema = game.part("schema")
    if kind != PLAN:
        return file_schema(schema.KINDS[kind], f"{game.title}: {kind}.yaml")
    ruleset = schema.load_ruleset()
    closed = {
        "game": [game.slug],
        "mode": [mode.name for mode in game.modes],
        "hero": list(ruleset.heroes),
        "draft format": list(game.drafts[1:]),
        "restriction": list(game.restrictions),
    }
    suggested = {"arena": list(ruleset.arenas), "team": list(ruleset.teams)}
    return plan_schema(f"{game.title}: plan", closed, suggested, schema.Overrides)


def any_plan_schema() -> dict[str, Any]:
    """The schema of plans of all games, without the names that only one game has."""
    return plan_schema("balance: plan", {"game": list(discover())})


def as_text(schema: dict[str, Any]) -> str:
    """A schema as text of a file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def copy_game(game: Game, folder: Path) -> list[str]:
    """Copy a game's files into an empty or new folder, plans pointing to the copies.

    Returns
    -------
    list of str
        The files written, relative to the folder.

    Raises
    ------
    UsageError
        The folder holds something, is a file, or cannot be written to.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file", "name a new folder")
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty", "name a new folder; nothing of yours is overwritten")
        files = _contents(game)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"cannot write to {folder}: {reason}", "name a folder that you may write to"
        ) from None
    return list(files)


def _contents(game: Game) -> dict[str, str]:
    """Text of every file by its path in the folder."""
    kinds = list(game.part("schema").KINDS)
    files = {}
    for name, text in _yaml(game.configs):
        kind = name.removesuffix(".yaml")
        files[name] = f"{SCHEMA_LINE}schema/{kind}.json\n{text}" if kind in kinds else text
    for name, text in _yaml(game.plans):
        line = f"{SCHEMA_LINE}{'../' * (name.count('/') + 1)}schema/{PLAN}.json"
        files[f"plans/{name}"] = f"{line}\n{_pointed(text, '/'.join(['..'] * (name.count('/') + 1)))}"
    for kind in (*kinds, PLAN):
        files[f"schema/{kind}.json"] = as_text(game_schema(game, kind))
    return files


def _pointed(text: str, folder: str) -> str:
    """A plan that reads its numbers from `folder`: the key goes after the line that names the game."""
    lines = text.splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if line.startswith("game:"))
    return "".join([*lines[: place + 1], f"configs: {folder}\n", *lines[place + 1 :]])


def _yaml(folder: Traversable, before: str = "") -> list[tuple[str, str]]:
    """Name and text of every YAML file in a folder and the folders in it, in order of name."""
    found: list[tuple[str, str]] = []
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            found += _yaml(item, f"{before}{item.name}/")
        elif item.name.endswith(".yaml"):
            found.append((before + item.name, item.read_text(encoding="utf-8")))
    return found
