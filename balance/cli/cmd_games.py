"""``balance games``: what can be played, and every number of a game with where it comes from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from balance.games.game import Game


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("games")(games)


def games(
    game: str = typer.Argument(None, help="One game in full; without it all are listed."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """List the games, or show one: modes, drafts, heroes, restrictions, arenas, teams and parameters.

    Every number says where it comes from: printed in the rulebook, read off a photo, assumed, our reading
    of an unclear rule, or ours.

    Example: balance games jump_masters
    """
    from balance.cli import game_text
    from balance.games import discover, get_game

    if game is None:
        found = list(discover().values())
        typer.echo(_json([_head(one) for one in found]) if as_json else game_text.listing(found))
        return
    one = get_game(game)
    ruleset = one.part("schema").load_ruleset()
    if as_json:
        from balance.play.resolved import ruleset_data

        data = ruleset_data(ruleset)
        numbers = {key: data[key] for key in ("heroes", "arenas", "teams", "numbers")}
        typer.echo(_json({**_head(one), **_restrictions(one), **numbers}))
        return
    typer.echo(game_text.page(one, ruleset))


def _head(game: Game) -> dict[str, Any]:
    modes = [
        {"name": mode.name, "seats": mode.seats, "side_of_seat": mode.side_of_seat} for mode in game.modes
    ]
    return {
        "game": game.slug,
        "title": game.title,
        "summary": game.summary,
        "version": game.version,
        "modes": modes,
        "drafts": game.drafts,
    }


def _restrictions(game: Game) -> dict[str, Any]:
    passives = {
        name: {"hero": passive.hero, "parameter": f"rules.{passive.parameter}"}
        for name, passive in game.passives.items()
    }
    return {"restrictions": list(game.restrictions), "passives": passives}


def _json(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False)
