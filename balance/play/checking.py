"""What a YAML file is - a plan or one of a game's own files - and whether it is sound."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from balance.config.models import Plan
from balance.config.words import as_text, did_you_mean, listed
from balance.config.yaml_lines import Document, load_yaml
from balance.errors import BalanceError, ConfigError, UsageError
from balance.games import discover, get_game
from balance.games.game import Game
from balance.play.plan import load_document

PLAN = "plan"


def kinds(game: Game) -> tuple[str, ...]:
    """What a file of this game may be: a plan, or one of its configuration files."""
    return (PLAN, *game.part("schema").KINDS)


def check_path(path: str, kind: str | None = None) -> tuple[str, str]:
    """Check one file.

    Parameters
    ----------
    path : str
        ``-`` for standard input.
    kind : str or None
        What it must be; None to recognise it by its content, then by its name.

    Returns
    -------
    tuple of str
        Its kind and what it holds, such as ``8 cells, 9600 games``.

    Raises
    ------
    ConfigError
        Every fault with its place.
    """
    document = load_yaml(path)
    game = _game(document)
    known = kinds(game)
    if kind is not None and kind not in known:
        raise UsageError(f"no file of {game.slug} is of the kind {kind!r}", did_you_mean(kind, known))
    kind = kind or recognise(document, game)
    if kind == PLAN:
        loaded = load_document(document, Path(path).parent)
        return kind, f"{_count(loaded.cells, 'cells')}, {_count(loaded.games, 'games')}"
    model = game.part("schema").check_file(kind, document)
    return kind, _holds(model)


def recognise(document: Document, game: Game) -> str:
    """The kind of a document: ``plan``, ``cards`` ...

    A plan has a key that no other file has. Otherwise it is the file whose keys fit, and whose tables are
    tables (a plan lists arenas by name); the file's name decides between equals.
    """
    data = document.data
    models: Mapping[str, Any] = game.part("schema").KINDS
    shared = {"game"} | {name for model in models.values() for name in model.model_fields}
    if any(key in Plan.model_fields and key not in shared for key in data):
        return PLAN
    stem = Path(document.name).stem
    if stem in models:
        return stem
    for kind, model in models.items():
        if _fits(data, list(model.model_fields)):
            return kind
    return PLAN


def _fits(data: Mapping[str, Any], fields: list[str]) -> bool:
    tables = [name for name in fields if name != "game"]
    if not set(data) <= set(fields) or tables[0] not in data:
        return False
    return all(
        isinstance(data[name], Mapping) and not _of_lists(data[name]) for name in tables if name in data
    )


def _of_lists(table: Mapping[str, Any]) -> bool:
    # `teams: {name: [heroes]}` is how a plan gives teams; in a file of the game they are cards with titles.
    return any(isinstance(item, list) for item in table.values())


def _game(document: Document) -> Game:
    if not isinstance(document.data, Mapping) or "game" not in document.data:
        hint = f"begin the file with `game: NAME` (known: {listed(discover())})"
        raise ConfigError([document.problem((), "does not say which game it is for", hint)])
    name = document.data["game"]
    if not isinstance(name, str):
        raise ConfigError([document.problem("game", f"must be the name of a game, not {as_text(name)}")])
    try:
        return get_game(name)
    except BalanceError as error:
        raise ConfigError([document.problem("game", error.message, error.hint)]) from None


def _holds(model: Any) -> str:
    counted = []
    for name in type(model).model_fields:
        table = getattr(model, name)
        if name != "game":
            size = len(table) if isinstance(table, Mapping) else len(table.model_fields_set)
            counted.append(_count(size, name))
    return ", ".join(counted)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun[:-1] if number == 1 and noun.endswith('s') else noun}"
