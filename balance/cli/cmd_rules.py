"""`balance rules`: the rules oracle. A position document in; what is legal and what follows out."""

from __future__ import annotations

import json

import typer

from balance.cli.rules_check import check
from balance.cli.rules_more import outcomes, perft, show
from balance.cli.rules_options import ACTION, ACTIONS, GAME, JSON, POSITION, reached

HELP = """The rules oracle: a position document in; what is legal and what follows out.

Example: balance rules legal jump_masters --position position.yaml
"""


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
    for command in (legal, after, turn_ends, outcomes, perft, show, check):
        group.command(command.__name__.replace("_", "-"))(command)
    app.add_typer(group, name="rules")


def legal(
    game: str = GAME, position: str = POSITION, action: list[str] = ACTIONS, as_json: bool = JSON
) -> None:
    """List the legal actions of a position, sorted.

    Example: balance rules legal jump_masters --position position.yaml
    """
    from balance.study import oracle

    put_out(oracle.legal(reached(game, position, action)), as_json)


def after(
    game: str = GAME, position: str = POSITION, action: list[str] = ACTION, as_json: bool = JSON
) -> None:
    """Play actions and print the canonical text of the position that follows.

    Example: balance rules after jump_masters --position position.yaml --action "step hopper c3"
    """
    text = reached(game, position, action).text()
    typer.echo(json.dumps({"position": text}) if as_json else text)


def turn_ends(
    game: str = GAME, position: str = POSITION, action: list[str] = ACTIONS, as_json: bool = JSON
) -> None:
    """List every position that the current turn can end in, as sorted canonical texts.

    Example: balance rules turn-ends jump_masters --position position.yaml
    """
    from balance.study import oracle

    put_out(oracle.turn_ends(reached(game, position, action)), as_json)


def put_out(texts: list[str], as_json: bool) -> None:
    """A list of texts, one a line or as JSON."""
    if as_json:
        typer.echo(json.dumps(texts, indent=1))
    for text in [] if as_json else texts:
        typer.echo(text)
