"""Files and text of a sweep: ``sweep.html``, ``sweep.json`` and the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from balance.report.build import folder_name
from balance.report.compare_context import columns_for, context_of
from balance.report.compare_page import REPORTS, write_page
from balance.report.summary import plain
from balance.report.sweep_blocks import SweepContext
from balance.report.sweep_view import sweep_view
from balance.report.view import View
from balance.study.sweep_data import Point, SweepData, sweep_data

__all__ = ["as_json", "default_folder", "sweep_of", "sweep_view", "write_sweep"]

PAGE = "sweep.html"
DATA = "sweep.json"
FORMAT = 1


def sweep_of(folders: Sequence[Path]) -> SweepContext:
    """A sweep of run folders with its words; errors as in :func:`balance.study.sweep_data.sweep_data`."""
    return with_words(sweep_data(folders, columns_for))


def with_words(data: SweepData) -> SweepContext:
    """A sweep that has been computed, with its words."""
    return SweepContext(data, context_of(data.first))


def default_folder(folders: Sequence[Path]) -> Path:
    """``reports/sweep-BASE``, by the base's folder."""
    return REPORTS / f"sweep-{folders[0].resolve().name}"


def as_json(context: SweepContext, view: View) -> str:
    """The sweep as JSON text; scores are fractions, numbers that do not exist are null."""
    data = context.data
    whole = {
        "format": FORMAT,
        "game": data.first.base.manifest["game"],
        "parameters": list(data.parameters),
        "others": list(data.others),
        "levels": list(context.words.levels),
        "runs": [{"folder": folder_name(cell.folder), "values": list(cell.values)} for cell in data.cells],
        "metrics": [
            {
                "topic": metric.topic,
                "name": list(metric.name),
                "label": context.label(metric),
                "level": context.words.level(metric.level),
                "runs": [_point(point) for point in data.points(metric)],
            }
            for metric in data.metrics()
        ],
        "sensitivity": [plain(data.sensitivity(metric)) for metric in context.targets()],
        "findings": plain(view.findings),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False)


def _point(point: Point) -> dict[str, Any]:
    return {"value": plain(point.value), "difference": plain(point.difference), "p": point.p}


def write_sweep(folder: Path, view: View, data: str) -> Path:
    """Write page and data; see :func:`balance.report.compare_page.write_page`."""
    return write_page(folder, view, data, PAGE, DATA)
