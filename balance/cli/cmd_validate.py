"""``balance validate``: check plan and configuration files, and show every fault with its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from balance.errors import Problem


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("validate")(validate)


def validate(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="YAML files or folders; - is standard input.")
    ],
    kind: str = typer.Option(None, help="What they must be: plan, cards, arenas, rules; else recognised."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON list with an entry per file."),
) -> int:
    """Check plans and configuration files without playing anything.

    Every fault is shown with file, line, column and, where there is one, the word that was meant.
    In a folder made by `balance init` the game's files and all plans are checked. Exit code 2 when
    any file is wrong.

    Example: balance validate my_game/cards.yaml my_game/plans/quickstart.yaml
    """
    from balance.errors import ConfigError

    checked = [_check(file, kind) for name in files for file in _files(name)]
    problems = [problem for _, _, found in checked for problem in found]
    if as_json:
        typer.echo(json.dumps([_entry(*entry) for entry in checked], indent=2, ensure_ascii=False))
        return 2 if problems else 0
    for file, words, found in checked:
        if not found:
            typer.echo(f"{file}: ok ({words})")
    if problems:
        raise ConfigError(problems)
    return 0


def _files(name: str) -> list[str]:
    from pathlib import Path

    from balance.play.checking import files_of

    return files_of(Path(name)) if Path(name).is_dir() else [name]


def _check(file: str, kind: str | None) -> tuple[str, str, list[Problem]]:
    from balance.errors import ConfigError
    from balance.play.checking import check_path

    try:
        return file, ", ".join(check_path(file, kind)), []
    except ConfigError as error:
        return file, "", error.problems


def _entry(file: str, words: str, problems: list[Problem]) -> dict[str, Any]:
    faults = [
        {
            "line": p.line,
            "column": p.column,
            "path": p.path,
            "message": p.message,
            "hint": p.hint,
            "file": p.file,
        }
        for p in problems
    ]
    return {"file": file, "ok": not problems, "holds": words, "problems": faults}
