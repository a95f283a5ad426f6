"""What the commands of `balance rules` share: their options, and the position they ask about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from balance.cli.say import tell

if TYPE_CHECKING:
    from balance.games.position import Position

GAME = typer.Argument(help="Game of the position, such as jump_masters.")
POSITION = typer.Option(..., "--position", help="Position document (YAML), or - for standard input.")
ACTION = typer.Option(..., "--action", help="Action to play; given several times, they are played in turn.")
ACTIONS = typer.Option([], "--action", help="Action to play first; may be given several times.")
SAMPLES = typer.Option(20_000, "--samples", min=1, max=10_000_000, help="Plays of a random action.")
SEED = typer.Option(0, "--seed", min=0, help="Seed of the random streams.")
JSON = typer.Option(False, "--json", help="Print JSON.")


def reached(game: str, position: str, actions: list[str]) -> Position:
    """The position of a document after some actions; says on stderr where chance had a part."""
    from balance.games import get_game
    from balance.study import casefiles, oracle

    def note(action: str) -> None:
        tell(f"'{action}' is left to chance: what follows goes on from one of its outcomes")
        tell("  `balance rules outcomes` lists them all")

    return oracle.after(casefiles.read_position(position, get_game(game)), *actions, on_chance=note)
