"""The report's numbers without a page: ``summary.json``, ``summary.md`` and the headlines of a run."""

from __future__ import annotations

import json
import math
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from balance.report.build import build_context, build_view
from balance.report.names import Context
from balance.report.view import Table, View
from balance.report.words import CODE

HEADLINES = 3
FORMAT = 1


def headlines(folder: Path) -> list[str]:
    """Three plain lines that say what came out, from the summary beside the run, made when it is missing."""
    from balance.report.ladder import holds_ladder, ladder_headlines

    if holds_ladder(folder):
        return ladder_headlines(folder)
    path = Path(folder) / "summary.json"
    if not _fresh(Path(folder)):
        write_summary(folder)
    return list(json.loads(path.read_text(encoding="utf-8"))["headlines"])


def _fresh(folder: Path) -> bool:
    """Whether the summary beside a run was made of the rows that are there now."""
    from balance.store.manifest import load

    try:
        made = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        return bool(made["complete"]) and made["digest"] == load(folder).digest
    except (OSError, ValueError, KeyError, TypeError):
        return False


def write_summary(folder: Path) -> Path:
    """Write ``summary.json`` and ``summary.md`` into a run folder; returns the first.

    Raises
    ------
    RunError
        No run, or no games yet.
    EnvironmentFault
        Damaged rows, or the disk cannot be written to.
    """
    context = build_context(Path(folder))
    return store_summary(Path(folder), context, build_view(context))


def store_summary(folder: Path, context: Context, view: View) -> Path:
    """Write the summary of a view that has been built."""
    from balance.store.write import disk_faults, shell_name, write_atomic

    text = json.dumps(summary(context, view), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    with disk_faults(folder, f"the games are kept; mend it, then: balance report {shell_name(folder)}"):
        write_atomic(folder / "summary.json", text.encode())
        write_atomic(folder / "summary.md", markdown(view).encode())
    return folder / "summary.json"


def first_lines(view: View) -> list[str]:
    """The first finding of each topic, at most three, in their order."""
    seen: dict[str, str] = {}
    for finding in view.findings:
        tag = f" [{finding.tag}]" if finding.tag else ""
        seen.setdefault(finding.topic, finding.text + tag)
    return list(seen.values())[:HEADLINES]


def summary(context: Context, view: View) -> dict[str, Any]:
    """Everything as plain data; numbers that do not exist are null."""
    analysis = context.analysis
    statistics = {
        field.name: plain(getattr(analysis, field.name))
        for field in fields(analysis)
        if field.name not in ("design", "board", "histograms")
    }
    return {
        "format": FORMAT,
        "game": context.manifest["game"],
        "name": view.name,
        "complete": bool(context.manifest.get("complete")),
        "digest": context.manifest.get("digest"),
        "seed": context.manifest.get("seed"),
        "levels": list(analysis.design.levels),
        "headlines": first_lines(view),
        "findings": plain(view.findings),
        **statistics,
    }


def plain(value: Any) -> Any:
    """Dataclasses, tuples and NumPy numbers as JSON has them; keys that are tuples are joined."""
    if is_dataclass(value) and not isinstance(value, type):
        kind = {"refused": True} if type(value).__name__ == "Refusal" else {}
        return kind | {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {
            " | ".join(map(str, key)) if isinstance(key, tuple) else str(key): plain(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def markdown(view: View) -> str:
    """The report as Markdown: findings, then every table."""
    lines = [f"# {escape(view.title)}: {escape(view.name)}", ""]
    lines += [f"{label}: {escape(value)}  " for label, value in view.facts]
    lines += ["", *([f"**{escape(view.partial)}**", ""] if view.partial else [])]
    lines += [f"- {escape(notice.text)}" for notice in view.notices]
    lines += ["", "## What came out", ""]
    lines += [f"1. {escape(f.text)}{f' *({f.tag})*' if f.tag else ''}" for f in view.findings]
    lines += ["", escape(view.more)] if view.more else []
    for section in view.sections:
        lines += ["", f"## {escape(section.title)}", "", escape(section.lead)]
        lines += [f"\n> {escape(text)}" for text in section.refusal]
        for block in section.blocks:
            lines += ["", f"### {escape(block.title)}", "", *map(escape, block.text.split("\n"))]
            lines += _markdown_table(block.table) if block.table else []
            lines += ["", escape(block.caption)]
    return "\n".join(lines) + "\n"


def _markdown_table(table: Table) -> list[str]:
    rule = ["---" if table.is_text(place) else "---:" for place in range(len(table.head))]
    rows = [table.head, tuple(rule), *table.rows]
    return ["", *("| " + " | ".join(escape(cell) for cell in row) + " |" for row in rows)]


def escape(text: str) -> str:
    """Text that Markdown takes as it stands: names come from files that anybody may have written."""
    pieces = CODE.split(text)  # every other piece is to be typed, and of harmless characters
    return " ".join("".join(f"`{p}`" if k % 2 else _escape(p) for k, p in enumerate(pieces)).split())


def _escape(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;")
    for char in "|*`[]":
        text = text.replace(char, "\\" + char)
    return text
