"""Which of a game's files a YAML document is, and what to say when a plan was expected but another came."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from balance.config.models import Plan
from balance.config.words import article
from balance.config.yaml_lines import Document
from balance.errors import BalanceError, ConfigError, Problem
from balance.games import get_game
from balance.games.game import Game

PLAN = "plan"


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


def no_plan(document: Document, faults: int) -> Problem | None:
    """The one thing to say about a document that is another file of its game; None when it may be a plan.

    Parameters
    ----------
    document : Document
    faults : int
        How many it has as a plan: with the name or the keys of another file it is that one when it has
        fewer as such.
    """
    try:
        game = get_game(document.data["game"])
        kind = recognise(document, game)
    except (BalanceError, LookupError, TypeError):
        return None
    if not faults or kind == PLAN:
        return None
    if Path(document.name).stem != kind and _faults(game, kind, document) >= faults:
        return None
    message = f"this is {article(kind)} file, not a plan"
    hint = f"try {_plan_near(document.name)}; `balance validate {document.name}` checks this file"
    return Problem(document.name, 0, 0, "", message, hint)


def _faults(game: Game, kind: str, document: Document) -> int:
    try:
        game.part("schema").check_file(kind, document)
    except ConfigError as error:
        return len(error.problems)
    return 0


def _plan_near(name: str) -> str:
    """A plan in the folder ``plans`` beside a file, or the words for one."""
    folder = Path(name).parent / "plans"
    plans = sorted(folder.glob("*.yaml"), key=lambda path: (path.stem != "quickstart", path.name))
    return f"`balance run {plans[0]}`" if plans else "a file that `balance init` puts into plans/"
