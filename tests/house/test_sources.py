"""Every public statistic names where its formula comes from, in its own docstring or its module's."""

from __future__ import annotations

import ast
import re

from tests.house.sources import PACKAGE

YEAR = re.compile(r"\b(1[6-9]|20)\d\d\b|[Ss]ources?:")
# These read and sum rows, or put together what others compute.
PLUMBING = {"__init__", "analysis", "batch", "design", "details", "rosters", "scan", "sums"}


def unsourced(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if YEAR.search(ast.get_docstring(tree) or ""):
        return []
    public = [n for n in tree.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
    return [n.name for n in public if not YEAR.search(ast.get_docstring(n) or "")]


def test_every_statistic_names_its_source():
    found = {
        path.stem: unsourced(path) for path in (PACKAGE / "stats").glob("*.py") if path.stem not in PLUMBING
    }
    assert len(found) > 25
    assert {name: names for name, names in found.items() if names} == {}


def test_public_statistics_have_docstrings():
    bare = []
    for path in (PACKAGE / "stats").glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            named = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            if named and not ast.get_docstring(node):
                bare.append(f"{path.stem}.{node.name}")
    assert bare == []
