"""``balance agents``: work on the agents themselves; ``fit`` tunes the weights of their evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli.cmd_run import PlanFile, Seed, Sets
from balance.cli.playing import Json, ProgressKind, Quiet, Workers

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan

HELP = """Work on the agents themselves.

Example: balance agents fit configs/plans/jump_masters/recommended_teams.yaml --agent mcts:16
"""
Agent = Annotated[str, typer.Option("--agent", help="Whose weights; it plays the test.")]
PlayedBy = Annotated[
    str | None,
    typer.Option("--from", metavar="AGENT", help="Who plays the rounds, with these weights; --agent itself."),
]
Weights = Annotated[
    str, typer.Option("--weights", metavar="NAME,...", help="Only these may change; all by default.")
]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=100, help="Rounds of self-play and regression.")]
Pairs = Annotated[int, typer.Option("--pairs", min=1, max=100_000, help="Pairs a cell in each round.")]
TestPairs = Annotated[
    int | None, typer.Option("--test-pairs", min=1, max=100_000, help="Pairs a cell in the test; as --pairs.")
]
Write = Annotated[
    Path | None, typer.Option("--write", metavar="FILE", help="Write an agents.yaml if the test is passed.")
]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
    group.callback()(lambda: None)  # without it a single command would stand for the group
    group.command("fit")(fit)
    app.add_typer(group, name="agents", help=HELP)


def fit(
    plan: PlanFile,
    agent: Agent = "mcts:16",
    played_by: PlayedBy = None,
    weights: Weights = "",
    rounds: Rounds = 3,
    pairs: Pairs = 10,
    test_pairs: TestPairs = None,
    write: Write = None,
    sets: Sets = None,
    seed: Seed = None,
    workers: Workers = None,
    as_json: Json = False,
    quiet: Quiet = False,
    progress: ProgressKind = "auto",
) -> None:
    """Fit an agent's weights to the results of its own games, then test them against the old ones.

    Each round plays every cell of the plan and takes the weights under which the estimates at turn ends
    agree best with the results. The test is mirrored, on streams that no round has used. The same seed
    gives the same weights for any number of workers. Ctrl-C prints the newest weights, untested.

    Example: balance agents fit configs/plans/jump_masters/recommended_teams.yaml --agent mcts:8 --from greedy
    """
    from balance.cli.fit_end import close
    from balance.cli.playing import executor_of
    from balance.cli.progress import progress_of
    from balance.study import fit as study

    names = [name.strip() for name in weights.split(",") if name.strip()]
    plans = [load(plan, sets or [], seed, one) for one in (agent, played_by) if one is not None]
    task = study.task_of(plans[0], names, rounds, pairs, test_pairs or pairs, *plans[1:])
    for note in plans[0].notes:
        typer.echo(f"note: {note}", err=True)
    result = study.fit(task, executor_of(workers), progress_of(progress, quiet))
    close(result, plan, sets or [], write, as_json)


def load(plan: Path, sets: list[str], seed: int | None, agent: str) -> LoadedPlan:
    """The plan with one agent on all seats and the options worked in."""
    from balance.play.plan import load_plan

    return load_plan(plan, sets, seed=seed, agent=agent)
