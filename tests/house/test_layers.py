"""Layers, style and types, by the tools that judge them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

from tests.house.sources import PACKAGE, ROOT, modules


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)


def test_imports_run_one_way():
    done = run("-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert re.search(r"Contracts: [1-9]\d* kept, 0 broken", done.stdout)


def test_ruff_finds_nothing():
    done = run("-m", "ruff", "check", "--output-format", "concise", ".")
    assert done.returncode == 0, done.stdout


def test_mypy_finds_nothing():
    done = run("-m", "mypy")
    assert done.returncode == 0, done.stdout


def imported(tree: ast.Module) -> set[str]:
    """Top-level names of every package that a module imports, anywhere in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


#: Package -> the only folders of ours that may name it.
HOMES = {
    "numba": ("kernel/",),
    "llvmlite": ("kernel/",),
    "typer": ("cli/",),
    "rich": ("cli/",),
    "click": ("cli/",),
    "plotly": ("report/",),
    "jinja2": ("report/",),
    "scipy": ("stats/", "study/"),
}


@pytest.mark.parametrize("package", HOMES)
def test_a_library_lives_in_one_layer(package):
    strangers = [
        name
        for name, tree in modules().items()
        if package in imported(tree) and not name.startswith(HOMES[package])
    ]
    assert strangers == []


def test_nobody_outside_kernel_speaks_numba():
    spoken = ("numba.", "import numba", "njit", "prange")
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if name.startswith("kernel/"):
            continue
        text = path.read_text(encoding="utf-8")
        assert [word for word in spoken if word in text] == [], name
