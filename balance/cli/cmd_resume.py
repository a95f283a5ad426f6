"""``balance resume``: finish an interrupted or damaged run."""

from __future__ import annotations

import typer

from balance.cli.playing import Json, NoReport, ProgressKind, Quiet, RunFolder, Workers


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("resume")(resume)


def resume(
    folder: RunFolder,
    workers: Workers = None,
    no_report: NoReport = False,
    as_json: Json = False,
    quiet: Quiet = False,
    progress: ProgressKind = "auto",
) -> None:
    """Go on with a run that was interrupted, or mend one whose files are damaged.

    Finished parts are checked and kept; missing and damaged ones are played again. The rows are those
    that an uninterrupted run would have given.

    Example: balance resume reports/demo
    """
    from balance.cli.playing import close, executor_of
    from balance.cli.progress import progress_of
    from balance.study import adaptive as play

    close(play.resume(folder, executor_of(workers), progress_of(progress, quiet)), no_report, as_json)
