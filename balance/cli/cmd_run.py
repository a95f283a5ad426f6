"""``balance run``: play a plan, store every game, make the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.playing import Force, Json, NoReport, Out, ProgressKind, Quiet, Workers

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan

PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan file (YAML).")]
Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change one value; repeatable.")
]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of all random streams.")]
Games = Annotated[int | None, typer.Option("--games", help="Games in all, rounded up to whole pairs a cell.")]
Pairs = Annotated[int | None, typer.Option("--pairs", help="Pairs a cell and skill level.")]
UntilCi = Annotated[
    str | None,
    typer.Option("--until-ci", metavar="WIDTH", help="Play on until intervals are this narrow, such as 1pp."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print cells, games and parts; play nothing.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run)


def run(
    plan: PlanFile,
    sets: Sets = None,
    seed: Seed = None,
    games: Games = None,
    pairs: Pairs = None,
    until_ci: UntilCi = None,
    workers: Workers = None,
    out: Out = None,
    force: Force = False,
    no_report: NoReport = False,
    as_json: Json = False,
    quiet: Quiet = False,
    progress: ProgressKind = "auto",
    dry_run: DryRun = False,
) -> None:
    """Play a plan: games into Parquet, then summary and report.

    The rows depend on plan, seed and rules only, not on the number of workers. An interrupted run is
    finished by `balance resume`. With --until-ci games go where the plan's question needs them most, and
    intervals hold at every look; hero strength is asked for drafts, team scores for teams (until.metric).

    Example: balance run configs/plans/jump_masters/quickstart.yaml --set rules.hill_vp=2 --games 1000
    """
    loaded = load(plan, sets or [], seed=seed, games=games, pairs=pairs, until_ci=until_ci)
    if dry_run:
        from balance.cli.dry import show

        return show(loaded, as_json)
    from balance.cli.playing import close, executor_of
    from balance.cli.progress import progress_of
    from balance.play.folder import default_folder
    from balance.play.run import run as play

    if loaded.plan.until:
        from balance.study.adaptive import run as play
    folder = out or default_folder(loaded)
    result = play(loaded, folder, executor_of(workers), progress_of(progress, quiet), force=force)
    return close(result, no_report, as_json)


def load(
    plan: Path, sets: list[str], read: Callable[..., LoadedPlan] | None = None, **flags: Any
) -> LoadedPlan:
    """The plan with the options worked in; what was left out of it is said on stderr.

    `read` makes the plan of the file; ``play.plan.load_plan`` by default.
    """
    from balance.errors import UsageError
    from balance.play.plan import load_plan

    if flags.get("games") is not None and flags.get("pairs") is not None:
        raise UsageError("--games and --pairs say the same thing twice", "give one of them")
    loaded = (read or load_plan)(plan, sets, **flags)
    for note in loaded.notes:
        typer.echo(f"note: {note}", err=True)
    return loaded
