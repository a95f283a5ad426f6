"""``balance demo``: the quickstart plan of the main game, from nothing to a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli.playing import Force, ProgressKind, Quiet, Workers

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan

MAIN_GAME = "jump_masters"
Out = Annotated[Path, typer.Option("--out", "-o", help="Folder of the run.")]
Games = Annotated[int | None, typer.Option("--games", help="Games in all; as in the plan by default.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(demo)


def demo(
    out: Out = Path("reports/demo"),
    games: Games = None,
    workers: Workers = None,
    force: Force = False,
    quiet: Quiet = False,
    progress: ProgressKind = "auto",
) -> None:
    """Play the quickstart plan of the main game and write a report.

    Example: balance demo
    """
    from balance.cli.playing import executor_of, report
    from balance.cli.progress import progress_of
    from balance.play import resume, run
    from balance.play.folder import holding

    plan = quickstart(games)
    shown = progress_of(progress, quiet)
    state = "other" if force else holding(out, plan)
    if state == "unfinished":
        resume.resume(out, executor_of(workers), shown)
    else:
        run.run(plan, out, executor_of(workers), shown, force=force or state == "finished")
    for line in report(out):
        typer.echo(line)
    typer.echo(str(out / "report.html"))


def quickstart(games: int | None) -> LoadedPlan:
    """The shipped quickstart plan of the main game."""
    from importlib.resources import as_file

    from balance.cli.cmd_run import load
    from balance.games import get_game

    with as_file(get_game(MAIN_GAME).plans / "quickstart.yaml") as path:
        return load(path, [], games=games)
