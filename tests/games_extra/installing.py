"""Let an example game be found as an installed one, without installing anything.

Python finds a package's entry points in a folder ``NAME-VERSION.dist-info`` on its path. For each example
that folder is made from its ``pyproject.toml``, as an editable installation would do it.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"


def names() -> list[str]:
    """The example games: folders with a project file."""
    return sorted(path.parent.name for path in EXAMPLES.glob("*/pyproject.toml"))


def announce(folder: Path, examples: Iterable[str]) -> list[Path]:
    """Write the metadata of some examples into a folder; returns what must stand on Python's path."""
    for name in examples:
        project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        place = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        place.mkdir(parents=True, exist_ok=True)
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (place / "METADATA").write_text(head, encoding="utf-8")
        (place / "entry_points.txt").write_text(_entry_points(project), encoding="utf-8")
    return [folder, *(EXAMPLES / name for name in examples)]


def environment(folder: Path, examples: Iterable[str]) -> dict[str, str]:
    """Variables of a process that finds the examples, and this checkout."""
    paths = [str(path) for path in (*announce(folder, examples), ROOT)]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")]).rstrip(":")
    }


def install_here(folder: Path, examples: Iterable[str]) -> None:
    """Let this process find the examples; before it looks for any game or kernel."""
    sys.path[:0] = [str(path) for path in announce(folder, examples)]


def _entry_points(project: dict) -> str:
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    return "\n".join(lines) + "\n"
