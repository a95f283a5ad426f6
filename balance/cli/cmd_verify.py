"""``balance verify``: play a sample of a run again and compare."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli.playing import Json, ProgressKind, Quiet, RunFolder, Workers

if TYPE_CHECKING:
    from balance.play.verify import Verification

Parts = Annotated[int, typer.Option("--parts", min=1, help="Parts played again, evenly spread over the run.")]
All = Annotated[bool, typer.Option("--all", help="Play every part again.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(verify)


def verify(
    folder: RunFolder,
    parts: Parts = 4,
    everything: All = False,
    workers: Workers = None,
    as_json: Json = False,
    quiet: Quiet = False,
    progress: ProgressKind = "auto",
) -> None:
    """Check a run: checksums of all files, the digest, and a sample of games played again row by row.

    Leaves with 3 when a row differs, naming the game and the column.

    Example: balance verify reports/demo --parts 10
    """
    from balance.cli.playing import executor_of
    from balance.cli.progress import progress_of
    from balance.play import verify as play

    wanted = None if everything else parts
    found = play.verify(folder, executor_of(workers), progress_of(progress, quiet), parts=wanted)
    if as_json:
        typer.echo(json.dumps(asdict(found), indent=1, default=str))
    else:
        show(found)
    if found.differences:
        from balance.errors import VerifyMismatch

        more = f" (and {len(found.differences) - 1} more)" if len(found.differences) > 1 else ""
        raise VerifyMismatch(f"{folder}: {found.differences[0]}{more}", hint(found))


def show(found: Verification) -> None:
    """Print what was compared and what differs."""
    if found.other_kernel:
        typer.echo(
            "note: this run was played under another kernel; rows may differ for that reason", err=True
        )
    word = "the same" if not found.differences else f"{len(found.differences)} differences"
    typer.echo(
        f"{found.folder}: {found.parts} of {found.listed} parts played again, {found.games:,} games: {word}"
    )
    for text in found.differences:
        typer.echo(f"  {text}")
    typer.echo(f"digest {found.digest}" if found.digest else "the run is unfinished: no digest yet")


def hint(found: Verification) -> str:
    """What a mismatch may mean."""
    if found.other_kernel:
        return "the rules' code, Python, NumPy, Numba or the processor changed since it was played"
    return "the files were edited after they were written, or the machine erred"
