"""What the commands that play have in common: their options, and the three lines at the end."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from balance.play.run import RunResult

Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", "-j", min=1, max=1024, help="Threads; all cores by default. Changes no result."
    ),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder of the run; reports/NAME by default.")]
Force = Annotated[bool, typer.Option("--force", help="Replace another run in that folder.")]
NoReport = Annotated[bool, typer.Option("--no-report", help="Play and store only.")]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only results and errors.")]
ProgressKind = Annotated[str, typer.Option("--progress", help="auto, bar, plain or none.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run, such as reports/demo.")]


def executor_of(workers: int | None) -> Any:
    """The local executor, on all cores we may use by default."""
    from balance.play.executors import local

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return local(workers or cores)


def close(result: RunResult, no_report: bool, as_json: bool) -> None:
    """Make summary and report, then print verdict, path and next command (or one JSON object)."""
    lines = first_look(result.folder) if no_report else report(result.folder)
    looks = stopped(result.folder)
    page = None if no_report else result.folder / "report.html"
    if as_json:
        typer.echo(json.dumps(outcome(result, page, lines) | looks, indent=1, ensure_ascii=False))
        return
    if not result.played:
        typer.echo(f"{result.folder} holds this run already, complete; nothing was played", err=True)
    from balance.store.write import shell_name

    typer.echo(lines[0])
    if looks:
        typer.echo(looks["until"])
    typer.echo(f"{page or result.folder}  (digest {result.digest})")
    typer.echo(f"next: balance {'report' if no_report else 'show'} {shell_name(result.folder)}")


def report(folder: Path) -> list[str]:
    """Write report and summary of a run; returns its headlines."""
    from balance.report.page import write_report
    from balance.report.summary import headlines

    write_report(folder)
    return headlines(folder)


def first_look(folder: Path) -> list[str]:
    """The verdict without statistics and report; of a ladder, who beats whom."""
    from balance.play.glance import verdict
    from balance.play.ladder import is_ladder
    from balance.store.read import open_run

    run = open_run(folder)
    if is_ladder(run.manifest):
        from balance.report.ladder import ladder_headlines

        return ladder_headlines(folder)
    return [verdict(run)]


def stopped(folder: Path) -> dict[str, Any]:
    """Why a run that ends by itself did so, and its looks; empty for others."""
    from balance.store.read import open_run
    from balance.study.adaptive import LOOKS, outcome

    manifest = open_run(folder).manifest
    words = outcome(manifest)
    return {"until": words, LOOKS: manifest[LOOKS]} if words else {}


def outcome(result: RunResult, page: Path | None, lines: list[str]) -> dict[str, Any]:
    """A finished run as plain data."""
    return {
        "folder": str(result.folder),
        "games": result.games,
        "pairs": result.pairs,
        "cells": result.cells,
        "parts": result.parts,
        "digest": result.digest,
        "played": result.played,
        "seconds": round(result.seconds, 3),
        "report": None if page is None else str(page),
        "verdict": lines,
    }
