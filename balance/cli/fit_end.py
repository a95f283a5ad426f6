"""What `balance agents fit` prints when it has played: weights, test, games, and what to do with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from balance.study.fit import Fit

INCONCLUSIVE = 4


def close(fit: Fit, plan: Path, sets: Sequence[str], write: Path | None, as_json: bool) -> None:
    """Print the outcome and write the file; leaves with 128 + signal, or 4 when there is nothing to write."""
    from balance.study.fit_file import write as write_file

    wanted = write is not None and fit.better
    if wanted and write:
        write_file(fit, write, command(fit, plan, sets))
    if as_json:
        typer.echo(json.dumps(data(fit, write if wanted else None), indent=1))
    else:
        for line in lines(fit):
            typer.echo(line)
        if wanted:
            typer.echo(str(write))
    if fit.signal:
        typer.echo("interrupted; these weights are not tested, and nothing is written", err=True)
        raise typer.Exit(128 + fit.signal)
    if write and not wanted:
        typer.echo(f"not shown to be better: {write} is not written; more --test-pairs may show it", err=True)
        raise typer.Exit(INCONCLUSIVE)


def lines(fit: Fit) -> Iterator[str]:
    """Weights, rounds and test for people."""
    from balance.study.fit_file import agent_text, tested

    old = fit.task.old
    width = max(len(name) for name in old)
    yield f"{'weight':{width}}  {'before':>9}  {'after':>9}"
    for name, value in fit.weights.items():
        yield f"{name:{width}}  {old[name]:>9.4g}  {value:>9.4g}"
    yield ""
    for number, one in enumerate(fit.rounds, 1):
        yield (
            f"round {number}: {one.games:,} games, {one.positions:,} positions, "
            f"cross-entropy {one.before:.4f} before, {one.after:.4f} after"
        )
    yield f"test on fresh streams: {tested(fit)}"
    yield f"{fit.games:,} games in all; the agent: {agent_text(fit)}"


def data(fit: Fit, written: Path | None) -> dict[str, Any]:
    """The outcome as plain data."""
    from balance.study.fit_file import agent_text

    old, share = fit.task.old, fit.share
    return {
        "game": fit.task.plan.game.slug,
        "agent": fit.task.agent.label,
        "fitted": agent_text(fit),
        "weights": {name: {"before": old[name], "after": value} for name, value in fit.weights.items()},
        "rounds": [
            {"games": r.games, "positions": r.positions, "before": r.before, "after": r.after}
            for r in fit.rounds
        ],
        "test": share and {
            "share": share.estimate.value,
            "low": share.estimate.low,
            "high": share.estimate.high,
            "lower": share.lower,
            "pairs": share.estimate.n,
            "games": fit.test_games,
            "method": share.estimate.method,
        },
        "better": fit.better,
        "games": fit.games,
        "seed": fit.task.plan.plan.seed,
        "written": None if written is None else str(written),
        "interrupted": bool(fit.signal),
    }  # fmt: skip


def command(fit: Fit, plan: Path, sets: Sequence[str]) -> str:
    """The call that gives the same weights again."""
    from balance.store.write import shell_name

    task = fit.task
    names = ",".join(task.names)
    words = [
        f'balance agents fit {shell_name(plan)} --agent "{task.agent.label}" --weights {names}',
        *(f'--from "{agent.label}"' for agent in task.players[:1]),
        f"--rounds {task.rounds} --pairs {task.pairs} --test-pairs {task.test_pairs}",
        f"--seed {task.plan.plan.seed}",
        *(f'--set "{one}"' for one in sets),
    ]
    return " ".join(words)
