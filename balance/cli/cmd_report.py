"""``balance report``: the HTML page of stored runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, such as reports/demo.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report)


def report(runs: Runs) -> None:
    """Write report.html, summary.json (of a ladder: ladder.json) and summary.md into each run folder.

    Prints the pages' paths.

    Example: balance report reports/demo
    """
    from balance.report.page import write_report

    for folder in runs:
        typer.echo(str(write_report(folder)))
