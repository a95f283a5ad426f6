"""`balance rules outcomes`, `balance rules perft` and `balance rules show`."""

from __future__ import annotations

import json

import typer

from balance.cli.rules_options import ACTION, ACTIONS, GAME, JSON, POSITION, SAMPLES, SEED, reached


def outcomes(
    game: str = GAME,
    position: str = POSITION,
    action: list[str] = ACTION,
    samples: int = SAMPLES,
    seed: int = SEED,
    as_json: bool = JSON,
) -> None:
    """Print what can follow the last action, and how likely: exact where the game's dice can be enumerated.

    Else the action is played many times on fresh random streams. With --json: {canonical text: share}; exact
    ones are fractions in text.

    Example: balance rules outcomes jump_masters --position position.yaml --action "step hopper c3"
    """
    from balance.study import oracle

    place = reached(game, position, action[:-1])
    shares = oracle.outcomes(place, action[-1], samples=samples, seed=seed)
    if as_json:
        typer.echo(json.dumps(shares, indent=1, default=str))
        return
    for text, share in sorted(shares.items(), key=lambda item: (-item[1], item[0])):
        typer.echo(f"{share:8.5f}  {text}" if isinstance(share, float) else f"{share!s:>8}  {text}")


def perft(
    game: str = GAME,
    position: str = POSITION,
    turns: int = typer.Option(1, "--turns", help="Whole turns to look ahead, at least 1."),
    action: list[str] = ACTIONS,
    as_json: bool = JSON,
) -> None:
    """Count the distinct positions that a number of whole turns can lead to.

    Example: balance rules perft jump_masters --position position.yaml --turns 2
    """
    from balance.study import oracle

    typer.echo(json.dumps(oracle.perft(reached(game, position, action), turns)))


def show(
    game: str = GAME, position: str = POSITION, action: list[str] = ACTIONS, as_json: bool = JSON
) -> None:
    """Draw a position in the terminal; with --json print it as a position document.

    Example: balance rules show jump_masters --position position.yaml
    """
    place = reached(game, position, action)
    notation = place.game.part("notation")
    typer.echo(json.dumps(notation.document(place)) if as_json else notation.draw(place), nl=as_json)
