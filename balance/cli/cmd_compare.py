"""``balance compare``: what differs between two runs, or over several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Runs = Annotated[
    list[Path],
    typer.Argument(
        metavar="BASE CANDIDATE...", help="Run folders; the first is what others are compared with."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Folder of page and data; reports/compare-BASE-CANDIDATE by default."),
]
Json = Annotated[bool, typer.Option("--json", help="Print all differences as JSON, as in compare.json.")]
NoReport = Annotated[bool, typer.Option("--no-report", help="Write no files.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)


def compare(runs: Runs, out: Out = None, as_json: Json = False, no_report: NoReport = False) -> None:
    """Compare a run with a base: every metric's difference with its interval, and what was changed.

    Runs with the same seed and cells share their deals and dice, so that pairs are compared with themselves
    and small differences are seen; other runs are compared as two samples. A difference is no failure: the
    exit code is 0. With three runs or more the page shows effects over the numbers in which the runs differ.

    Example: balance compare reports/before reports/after
    """
    from balance.errors import UsageError

    if len(runs) < 2:
        raise UsageError("compare takes at least two runs", "such as: balance compare reports/a reports/b")
    if len(runs) > 2:
        _sweep(runs, out, as_json, no_report)
        return
    from balance.report import compare_page as pages
    from balance.report.compare_context import compare_context
    from balance.report.compare_view import compare_view

    context = compare_context(runs[0], runs[1])
    view = compare_view(context)
    data = pages.as_json(context, view)
    page = None if no_report else pages.write_page(out or pages.default_folder(*runs), view, data)
    _say(data if as_json else view, page, as_json)


def _sweep(runs: list[Path], out: Path | None, as_json: bool, no_report: bool) -> None:
    """Three runs or more: a page over the numbers in which they differ."""
    from balance.report import sweep_page as pages

    sweep = pages.sweep_of(runs)
    view = pages.sweep_view(sweep)
    data = pages.as_json(sweep, view)
    page = None if no_report else pages.write_sweep(out or pages.default_folder(runs), view, data)
    _say(data if as_json else view, page, as_json)


def _say(result: object, page: Path | None, as_json: bool) -> None:
    """Results to stdout; the path of the page last, or on stderr where the output is for a machine."""
    from balance.report.terminal import as_text

    typer.echo(result if as_json else as_text(result))  # type: ignore[arg-type]
    if page is not None:
        typer.echo(f"{'' if as_json else chr(10)}{page}", err=as_json)
