"""``balance schema``: JSON Schema of plan and configuration files, for editors."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schema")(schema)


def schema(
    game: str = typer.Argument(None, help="Game; without it the schema of any game's plans is printed."),
    kind: str = typer.Option("plan", help="Which file: plan, cards, arenas, rules."),
) -> None:
    """Print the JSON Schema of a kind of file, with which editors complete and check YAML.

    Folders made by `balance init` hold the schemas already.

    Example: balance schema jump_masters --kind plan > plan.json
    """
    from balance.config.words import did_you_mean
    from balance.errors import UsageError
    from balance.games import get_game
    from balance.play import editor
    from balance.play.checking import PLAN, kinds

    if game is None and kind != PLAN:
        raise UsageError(f"the kind {kind!r} needs a game", f"balance schema GAME --kind {kind}")
    if game is None:
        typer.echo(editor.as_text(editor.any_plan_schema()), nl=False)
        return
    found = get_game(game)
    if kind not in kinds(found):
        raise UsageError(f"no file of {game} is of the kind {kind!r}", did_you_mean(kind, kinds(found)))
    typer.echo(editor.as_text(editor.game_schema(found, kind)), nl=False)
