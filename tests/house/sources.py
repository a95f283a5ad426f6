"""The package's sources as text and as syntax trees."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "balance"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its path below ``balance/``."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths
    }


def functions() -> Iterator[tuple[str, Function, ast.ClassDef | None]]:
    """Every function with its module, and its class when it is a method."""
    for name, tree in modules().items():
        owners = {
            id(child): node
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for child in node.body
        }
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield name, node, owners.get(id(node))


def body_without_docstring(function: Function) -> list[ast.stmt]:
    """The statements of a function."""
    first, *rest = function.body
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return rest if is_text and isinstance(first.value.value, str) else function.body


def tracked_files() -> list[Path]:
    """Files that git knows or would add; all files of the sources where there is no git."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        kept = ("balance", "configs", "docs", "tests", "benchmarks")
        return [path for name in kept for path in (ROOT / name).rglob("*") if path.is_file()]
    return [ROOT / name for name in done.stdout.splitlines() if (ROOT / name).is_file()]
