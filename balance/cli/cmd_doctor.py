"""``balance doctor``: versions, caches, and what on this machine could get in the way."""

from __future__ import annotations

import json
import os
from typing import Annotated, Any

import typer

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(as_json: Json = False) -> None:
    """Say what balance runs on: versions, cores, compiled rules; warn of what could get in the way.

    Example: balance doctor
    """
    facts = examined()
    if as_json:
        typer.echo(json.dumps(facts, indent=1))
        return
    for name, version in facts["versions"].items():
        typer.echo(f"{name:18} {version}")
    typer.echo(f"{'cores':18} {facts['cores']}")
    typer.echo(f"{'cache':18} {facts['cache']['folder']}  ({facts['cache']['megabytes']} MB in all)")
    for game, compiled in facts["compiled"].items():
        words = "compiled" if compiled else "not compiled yet: the first run takes 20-60 s longer"
        typer.echo(f"{game:18} {words}")
    for warning in facts["warnings"]:
        typer.echo(f"warning: {warning}", err=True)
    typer.echo(f"warnings: {len(facts['warnings'])}" if facts["warnings"] else "all well")


def examined() -> dict[str, Any]:
    """Everything that there is to say, as plain data."""
    from balance.agents.playout import is_cold
    from balance.cli.playing import executor_of
    from balance.games import discover
    from balance.kernel import cache
    from balance.play.describe import versions

    root = cache.cache_root()
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    return {
        "versions": versions(),
        "cores": executor_of(None).workers,
        "cache": {"folder": str(cache.cache_folder()), "megabytes": round(size / 1e6, 1)},
        "compiled": {slug: not is_cold(game) for slug, game in discover().items()},
        "warnings": [*packages(), *browser(), *compiler(), *caching(str(root))],
    }


def packages() -> list[str]:
    """Whether another package of our name is installed: Python would import whichever came last."""
    from importlib import metadata

    try:
        other = metadata.version("balance")
    except metadata.PackageNotFoundError:
        return []
    return [
        f"the package 'balance' {other} (survey weighting) is installed and has our import name; "
        "uninstall it, or use an environment of its own, then install tabletop-balance again"
    ]


def browser() -> list[str]:
    """Whether reports can be tested here; reading them needs any browser, and none of these."""
    import importlib.util
    import shutil

    wanted = importlib.util.find_spec("pytest") and importlib.util.find_spec("playwright")
    if not wanted or any(map(shutil.which, BROWSERS)):
        return []
    return ["Chromium is missing: the tests of the report in a browser are skipped"]


def compiler() -> list[str]:
    """Settings of the compiler that make play slow or odd."""
    flags = sorted(key for key in os.environ if key.startswith("NUMBA_") and key != "NUMBA_CACHE_DIR")
    return [
        f"{flag}={os.environ[flag]} is set: the rules are compiled and cached for it alone" for flag in flags
    ]


def caching(root: str) -> list[str]:
    """Whether compiled rules are kept in a place that may be emptied."""
    import tempfile

    if not root.startswith(tempfile.gettempdir()):
        return []
    return [f"compiled rules are kept in {root}, which the system may empty; set BALANCE_CACHE_DIR"]
