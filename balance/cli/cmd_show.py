"""``balance show``: the numbers of a run's report in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run, such as reports/demo.")]
Json = Annotated[bool, typer.Option("--json", help="Print all numbers as JSON, as in summary.json.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(show)


def show(run: RunFolder, as_json: Json = False) -> None:
    """Print what came out of a run: findings, then every table of its report.

    Example: balance show reports/demo
    """
    import json

    from balance.report.build import build_context, build_view
    from balance.report.summary import summary
    from balance.report.terminal import as_text

    context = build_context(run)
    view = build_view(context)
    if as_json:
        typer.echo(json.dumps(summary(context, view), ensure_ascii=False, indent=1, allow_nan=False))
    else:
        typer.echo(as_text(view))
