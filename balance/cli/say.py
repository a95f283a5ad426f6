"""Words to the user beside the results."""

from __future__ import annotations

import contextlib

import typer


def tell(text: str) -> None:
    """Write a line to stderr; when nobody can take it (a full disk, a reader that left), go on without."""
    with contextlib.suppress(OSError):
        typer.echo(text, err=True)
