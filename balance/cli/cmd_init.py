"""``balance init``: a folder with a game's files, to be edited."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(init)


def init(
    game: Annotated[str, typer.Argument(help="Which game; `balance games` lists them.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="New or empty folder.")],
) -> None:
    """Copy a game's cards, arenas, rules and plans into a folder for editing.

    The plans there play with the copied numbers. Editors that know YAML complete and check the files with
    the schemas beside them.

    Example: balance init jump_masters my_game
    """
    from balance.games import get_game
    from balance.play.editor import copy_game

    found = get_game(game)
    files = copy_game(found, folder)
    own = [name for name in files if "/" not in name]
    plans = [name for name in files if name.startswith("plans/")]
    typer.echo(f"{found.title} is now in {folder}:")
    for name in own:
        typer.echo(f"  {name}")
    for name in plans:
        typer.echo(f"  {name}")
    typer.echo("  schema/  (for editors that complete and check YAML)")
    typer.echo("Change any number, then see what it does:")
    first = next((name for name in plans if "quickstart" in name), plans[0] if plans else "plans/PLAN.yaml")
    typer.echo(f"  balance validate {' '.join(str(folder / name) for name in own)}")
    typer.echo(f"  balance run {folder / first}")
