"""Files and text of a comparison: ``compare.html``, ``compare.json`` and the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from balance.errors import UsageError
from balance.report.compare_context import CompareContext
from balance.report.summary import plain
from balance.report.view import View
from balance.store.manifest import NAME as MANIFEST

PAGE = "compare.html"
DATA = "compare.json"
FORMAT = 1
REPORTS = Path("reports")


def default_folder(base: Path, candidate: Path) -> Path:
    """``reports/compare-BASE-CANDIDATE``, by the folders' names."""
    return REPORTS / f"compare-{base.resolve().name}-{candidate.resolve().name}"


def compare_data(context: CompareContext, view: View) -> dict[str, Any]:
    """The comparison as plain data; scores and shares are fractions (0.01 is one percentage point)."""
    comparison = context.comparison
    sizes = {**plain(comparison.sizes), "identical": comparison.sizes.identical}
    return {
        "format": FORMAT,
        "game": comparison.base.manifest["game"],
        "base": _run(comparison.base.manifest, context.folders[0]),
        "candidate": _run(comparison.candidate.manifest, context.folders[1]),
        "levels": list(context.levels),
        "sizes": sizes,
        "only_base": list(comparison.common.only_base),
        "only_candidate": list(comparison.common.only_candidate),
        "changed": plain(comparison.changed),
        "findings": plain(view.findings),
        "differences": [_change(context, change) for change in comparison.changes],
        "refused": [
            {"topic": topic, "level": context.level(level), **plain(refusal)}
            for (topic, level), refusal in comparison.refused.items()
        ],
    }


def _run(manifest: Any, folder: str) -> dict[str, Any]:
    keys = ("name", "seed", "digest", "config_hash", "kernel_hash", "complete")
    return {"folder": folder} | {key: manifest.get(key) for key in keys}


def _change(context: CompareContext, change: Any) -> dict[str, Any]:
    return {
        **plain(change),
        "level": context.level(change.level),
        "label": context.label(change),
        "share": change.is_share,
    }


def as_json(context: CompareContext, view: View) -> str:
    """The comparison as JSON text; numbers that do not exist are null."""
    return json.dumps(compare_data(context, view), ensure_ascii=False, indent=1, allow_nan=False)


def write_page(folder: Path, view: View, data: str, page: str = PAGE, name: str = DATA) -> Path:
    """Write a page and its data into a folder of their own; returns the page's path.

    Raises
    ------
    UsageError
        The folder is that of a run, or a file.
    EnvironmentFault
        The disk cannot be written to.
    """
    from balance.report.page import render
    from balance.store.write import disk_faults, write_atomic

    if (folder / MANIFEST).exists():
        raise UsageError(f"{folder} is the folder of a run", "choose another with -o")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder", "choose another with -o")
    with disk_faults(folder, "mend it and give the same command again"):
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / name, (data + "\n").encode())
        write_atomic(folder / page, render(view).encode())
    return folder / page
