"""What a YAML file is - a plan or one of a game's own files - and whether it is sound."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from balance.config.words import as_text, did_you_mean, listed
from balance.config.yaml_lines import Document, load_yaml
from balance.errors import BalanceError, ConfigError, Problem, UsageError
from balance.games import discover, get_game
from balance.games.game import Game
from balance.play.kinds import PLAN, recognise
from balance.play.plan import load_document


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


def files_of(folder: Path) -> list[str]:
    """What there is to check in a folder such as `balance init` makes.

    A game's own files, all of them when one is there, and every YAML file below ``plans``; in a folder
    without either, such as one of plans, every YAML file in it and below.

    Raises
    ------
    ConfigError
        Nothing to check is there.
    """
    own = _own_files(folder)
    plans = sorted((folder / "plans").rglob("*.yaml"))
    found = [str(path) for path in [*own, *plans] or sorted(folder.rglob("*.yaml"))]
    if not found:
        hint = "name a folder made by `balance init GAME DIR`, or a file"
        raise ConfigError([Problem(str(folder), 0, 0, "", "is a folder without YAML files", hint)])
    return found


def _own_files(folder: Path) -> list[Path]:
    for slug in discover():
        schema = get_game(slug).part("schema")
        paths = [folder / f"{kind}.yaml" for kind in schema.KINDS]
        there = [path for path in paths if path.is_file()]
        if there and _slug_of(there) in (slug, ""):
            # One that is missing is a fault, too, but for one that the shipped file stands in for.
            spare = getattr(schema, "OPTIONAL", "")
            return [path for path in paths if path.stem != spare or path in there]
    return []


def _slug_of(paths: list[Path]) -> str:
    """The game that the first readable file names, or empty text."""
    for path in paths:
        with suppress(ConfigError):
            data = load_yaml(path).data
            if isinstance(data, Mapping) and isinstance(data.get("game"), str):
                return str(data["game"])
    return ""


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
        if name != "game" and table is not None:
            size = len(table) if isinstance(table, Mapping) else len(table.model_fields_set)
            counted.append(_count(size, name))
    return ", ".join(counted)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun[:-1] if number == 1 and noun.endswith('s') else noun}"
