"""``balance report``: the HTML page of stored runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, such as reports/demo.")]

NoReplays = Annotated[bool, typer.Option("--no-replays", help="Play no games again to show them.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report)


def report(runs: Runs, no_replays: NoReplays = False) -> None:
    """Write report.html, summary.json (of a ladder: ladder.json) and summary.md into each run folder.

    Prints the pages' paths.

    Example: balance report reports/demo
    """
    from balance.cli.progress import progress_of
    from balance.report.page import write_report

    for folder in runs:
        progress = progress_of("auto", quiet=False)
        typer.echo(str(write_report(folder, replays=not no_replays, progress=progress)))
