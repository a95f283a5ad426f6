"""``balance bench``: how fast this machine plays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from balance.games.game import Game

MAIN_GAME = "jump_masters"
SECONDS = 0.5  # a measurement lasts at least so long
TIMES = 3  # the best of so many counts
#: What is measured: agent, recording level.
RUNS = (("random", "none"), ("random", "basic"), ("greedy", "basic"))

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Which game; the main one by default.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench")(bench)


def bench(game: GameName = MAIN_GAME, as_json: Json = False) -> None:
    """Measure how fast this machine plays: the first cell of the quickstart plan, on one core, best of three.

    Takes a few seconds once the rules are compiled. Rows never depend on what is measured here.

    Example: balance bench jump_masters
    """
    from balance.agents import playout
    from balance.games import get_game

    found = get_game(game)
    if playout.is_cold(found):
        typer.echo(f"compiling the rules of {found.slug}, usually 1-2 minutes, once per rules edit", err=True)
    playout.load(found)
    measured = [measure(found, agent, record) for agent, record in RUNS]
    if as_json:
        typer.echo(json.dumps({"game": found.slug, "cores": 1, "measured": measured}, indent=1))
        return
    typer.echo(f"{found.title}, one core")
    typer.echo("agent   record     games/s      plies/s   ms/game")
    for row in measured:
        typer.echo(
            f"{row['agent']:7} {row['record']:6} {row['games_per_second']:>11,.1f} "
            f"{row['plies_per_second']:>12,.0f} {row['ms_per_game']:>9.3f}"
        )


def measure(game: Game, agent: str, record: str) -> dict[str, Any]:
    """Speed of one agent at one recording level."""
    pairs, (seconds, games, plies) = 1, played(game, agent, record, 1)
    while seconds < SECONDS:
        pairs = max(2 * pairs, min(50 * pairs, int(1.2 * pairs * SECONDS / seconds)))
        seconds, games, plies = played(game, agent, record, pairs)
    best = min([seconds, *(played(game, agent, record, pairs)[0] for _ in range(TIMES - 1))])
    return {
        "agent": agent,
        "record": record,
        "games": games,
        "plies": plies,
        "games_per_second": round(games / best, 2),
        "plies_per_second": round(plies / best),
        "ms_per_game": round(1000 * best / games, 4),
    }


def played(game: Game, agent: str, record: str, pairs: int) -> tuple[float, int, int]:
    """Seconds, games and plies of one part of so many pairs."""
    import time
    from importlib.resources import as_file

    from balance.play.cells import expand
    from balance.play.chunk import Task
    from balance.play.plan import load_plan
    from balance.play.worker import Worker, real_kernel

    with as_file(game.plans / "quickstart.yaml") as path:
        plan = load_plan(path, [f"agents=[{agent}]", f"record={record}"], pairs=pairs)
    cells = expand(plan)
    worker = Worker(plan, cells[:1], real_kernel())
    worker.records(cells[0])
    began = time.perf_counter()
    rows = worker.rows(Task(0, 0, 0, pairs)).results
    return time.perf_counter() - began, len(rows), int(rows["plies"].sum())
