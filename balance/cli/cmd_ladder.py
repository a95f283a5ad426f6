"""``balance ladder``: the agents of a plan against each other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli.cmd_run import DryRun, Games, Pairs, PlanFile, Seed, Sets
from balance.cli.playing import Force, Json, NoReport, Out, ProgressKind, Quiet, Workers

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan
    from balance.study.ladder import Claim

Neighbours = Annotated[
    bool, typer.Option("--neighbours", help="Only agents that stand beside each other in the plan meet.")
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        "--require",
        metavar="CLAIM",
        help='Such as "greedy>random>=0.95" (with the quotes): leave with 3 if the lower bound of the '
        "share is below; repeatable.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ladder")(ladder)


def ladder(
    plan: PlanFile,
    neighbours: Neighbours = False,
    require: Require = None,
    sets: Sets = None,
    seed: Seed = None,
    games: Games = None,
    pairs: Pairs = None,
    workers: Workers = None,
    out: Out = None,
    force: Force = False,
    no_report: NoReport = False,
    as_json: Json = False,
    quiet: Quiet = False,
    progress: ProgressKind = "auto",
    dry_run: DryRun = False,
) -> None:
    """Let the agents of a plan play against each other: every two of them meet in every cell.

    The plan lists them weakest first. Teams, seats and random streams are the same for both of a pair. Shows
    the share of the score with its interval and lower bound, strengths on one scale, and what each agent
    costs. An interrupted ladder is finished by `balance resume`.

    Example: balance ladder configs/plans/jump_masters/ladder_quick.yaml --require "greedy>random>=0.9"
    """
    from balance.cli.cmd_run import load
    from balance.play.ladder import load_ladder

    read = partial(load_ladder, neighbours=neighbours)
    loaded = load(plan, sets or [], read, seed=seed, games=games, pairs=pairs)
    claims = claims_of(require or [], loaded)
    if dry_run:
        from balance.cli.dry import show

        return show(loaded, as_json)
    from balance.cli.ladder_end import close
    from balance.cli.playing import executor_of
    from balance.cli.progress import progress_of
    from balance.play import run as play
    from balance.play.folder import default_folder

    folder = out or default_folder(loaded)
    result = play.run(loaded, folder, executor_of(workers), progress_of(progress, quiet), force=force)
    return close(loaded, result, claims, no_report, as_json)


def claims_of(texts: list[str], loaded: LoadedPlan) -> tuple[Claim, ...]:
    """What is required of a ladder."""
    from balance.study.ladder import meetings_of, read_claim

    meetings = meetings_of([[agent.label for agent in level] for level in loaded.levels])
    return tuple(read_claim(text, loaded.ladder, meetings) for text in texts)
