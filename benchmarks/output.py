"""Results as JSON lines on standard output, then as a table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from benchmarks import machine


def parser(name: str, text: str | None) -> argparse.ArgumentParser:
    """The argument parser of one measurement; its help is the first line of `text`."""
    return argparse.ArgumentParser(
        prog=f"python -m benchmarks {name}", description=(text or "").splitlines()[0]
    )


def show(name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Print the machine's facts and every row as a JSON line, then all rows as a Markdown table."""
    print(json.dumps({"benchmark": name, "machine": machine.facts()}))
    for row in rows:
        print(json.dumps({"benchmark": name, **row}))
    print()
    print(table(rows))
    print()


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Rows of equal keys as Markdown; numbers to the right."""
    names = list(rows[0])
    numeric = [all(isinstance(row[name], int | float) for row in rows) for name in names]
    lines = [names, ["---:" if number else "---" for number in numeric]]
    lines += [[text(row[name]) for name in names] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def text(value: Any) -> str:
    """A value as people read it: three figures, thousands with commas."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return str(value) if isinstance(value, int) else f"{value:.3g}"
