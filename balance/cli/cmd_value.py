"""``balance value``: what each ability and hero power is worth, by restricted play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from balance.cli.cmd_run import Pairs, PlanFile, Seed, Sets
from balance.cli.playing import Force, Json, NoReport, ProgressKind, Quiet, Workers

Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Folder of all runs; reports/NAME-value by default.")
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="NAME", help="What to value, such as ability:frog_bow; repeatable."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("value")(value)


def value(
    plan: PlanFile,
    only: Only = None,
    sets: Sets = None,
    seed: Seed = None,
    pairs: Pairs = None,
    workers: Workers = None,
    out: Out = None,
    force: Force = False,
    no_report: NoReport = False,
    as_json: Json = False,
    quiet: Quiet = False,
    progress: ProgressKind = "auto",
) -> None:
    """Play a plan, then again with each ability forbidden for a player who has it, and compare.

    Both play on the same random streams; the value is the mean difference of pairs, in points of score, at
    every skill level of the plan. What can be forbidden stands in `balance games GAME`. An interrupted
    command goes on when it is given again.

    Example: balance value configs/plans/jump_masters/recommended_teams.yaml --pairs 200
    """
    from balance.cli.cmd_run import load
    from balance.cli.playing import executor_of
    from balance.cli.progress import progress_of
    from balance.play.folder import REPORTS
    from balance.study.restricted import compare
    from balance.study.value import value as play

    loaded = load(plan, sets or [], seed=seed, pairs=pairs)
    comparison = compare(loaded, only or [])
    for note in comparison.notes:
        typer.echo(f"note: {note}", err=True)
    folder = out or REPORTS / f"{loaded.name}-value"
    result = play(comparison, folder, executor_of(workers), progress_of(progress, quiet), force=force)
    from balance.report import value_page

    page = None if no_report else value_page.write_value(result)
    if as_json:
        typer.echo(value_page.as_json(result))
        return
    for line in value_page.as_text(result):
        typer.echo(line)
    typer.echo("")
    typer.echo(str(page or folder))
