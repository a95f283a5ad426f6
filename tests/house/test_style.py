"""Habits of the house that no linter knows."""

from __future__ import annotations

import ast
import re

import pytest

from balance.games import discover
from tests.house.sources import (
    PACKAGE,
    ROOT,
    Function,
    body_without_docstring,
    functions,
    modules,
    tracked_files,
)

LINES_OF_A_FILE = 420
LINES_OF_A_FUNCTION = 60


def test_files_are_short():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE.rglob("*.py")}
    assert {str(path): length for path, length in lengths.items() if length > LINES_OF_A_FILE} == {}


def test_functions_are_short():
    # The longest is a few lines shorter: the loop over pairs (agents/loop.py) and the two commands of
    # `play` that say what they do step by step.
    lengths = {f"{name}: {function.name}": lines_of(function) for name, function, _ in functions()}
    assert {name: length for name, length in lengths.items() if length > LINES_OF_A_FUNCTION} == {}


def lines_of(function):
    return function.end_lineno - function.lineno + 1


def slugs_compared(tree: ast.Module, slugs: set[str]) -> list[int]:
    """Lines where something is compared with, or looked up by, the name of a game."""
    lines = []
    for node in ast.walk(tree):
        parts: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        elif isinstance(node, ast.Dict):
            parts = [key for key in node.keys if key]
        constants = [one for part in parts for one in ast.walk(part) if isinstance(one, ast.Constant)]
        lines += [one.lineno for one in constants if one.value in slugs]
    return lines


def test_no_module_asks_which_game_it_is():
    slugs = set(discover())
    assert slugs
    for name, tree in modules().items():
        if not name.startswith("games/"):
            assert slugs_compared(tree, slugs) == [], name


def test_the_search_for_slugs_finds_them():
    text = "if game == 'chess': pass\nrules = {'chess': 1}\nmatch game:\n    case 'chess': pass"
    assert slugs_compared(ast.parse(text), {"chess"}) == [1, 2, 4]


def test_only_the_command_line_prints():
    for name, tree in modules().items():
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        printed = [
            call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"
        ]
        assert name.startswith("cli/") or printed == [], name


def is_stub(statement: ast.stmt) -> bool:
    """``pass``, ``...``, or an exception that says *not yet*."""
    if isinstance(statement, ast.Raise):
        return "NotImplemented" in ast.unparse(statement)
    dots = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or dots


def test_no_function_is_a_stub():
    for name, function, owner in functions():
        body = body_without_docstring(function)
        if body and all(map(is_stub, body)):
            assert owner and overridden(owner.name, function.name), f"{name}: {function.name}"


def overridden(base: str, method: str) -> bool:
    """Whether a class derives from `base` and has the method: then it is abstract, and no stub."""
    nodes = [node for tree in modules().values() for node in ast.walk(tree)]
    heirs = [one for one in nodes if isinstance(one, ast.ClassDef) and base in map(ast.unparse, one.bases)]
    return any(isinstance(node, Function) and node.name == method for heir in heirs for node in heir.body)


def test_functions_of_words_alone_stand_in_protocols_or_silent_classes():
    for name, function, owner in functions():
        if body_without_docstring(function) or function.name == "root":
            continue  # `root` holds the options before any command
        assert owner is not None, f"{name}: {function.name} has no body"
        protocol = any("Protocol" in ast.unparse(base) for base in owner.bases)
        assert protocol or owner.name in ("Quiet", "Silent"), f"{name}: {owner.name}.{function.name}"


@pytest.mark.parametrize("word", ["TO" + "DO", "FIX" + "ME", "X" + "XX"])
def test_nothing_is_left_for_later(word):
    for path in tracked_files():
        if path.suffix in (".py", ".md", ".yaml", ".toml", ".html", ".js", ".css"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(rf"\b{word}\b", text), path.relative_to(ROOT)


def test_every_module_says_what_it_is_for():
    assert [name for name, tree in modules().items() if not ast.get_docstring(tree)] == []


def test_public_functions_of_more_than_a_line_say_what_they_do():
    nested = {
        id(inner) for _, function, _ in functions() for inner in ast.walk(function) if inner is not function
    }
    silent = [
        f"{name}: {function.name}"
        for name, function, _ in functions()
        if not function.name.startswith("_")
        and id(function) not in nested
        and not ast.get_docstring(function)
        and not isinstance(function.body[0], ast.Return)
    ]
    assert silent == []
