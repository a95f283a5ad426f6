"""``balance show``: the numbers of a run's report in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run, such as reports/demo.")]
Json = Annotated[
    bool, typer.Option("--json", help="Print all numbers as JSON, as in summary.json or ladder.json.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(show)


def show(run: RunFolder, as_json: Json = False) -> None:
    """Print what came out of a run or ladder: findings, then every table of its report.

    Example: balance show reports/demo
    """
    import json

    from balance.report.ladder import holds_ladder, ladder_context, ladder_data, ladder_view
    from balance.report.terminal import as_text

    if holds_ladder(run):
        ladder = ladder_context(run)
        view, data = ladder_view(ladder), ladder_data(ladder)
    else:
        from balance.report.build import build_context, build_view
        from balance.report.summary import summary

        context = build_context(run)
        view = build_view(context)
        data = summary(context, view)
    typer.echo(json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) if as_json else as_text(view))
