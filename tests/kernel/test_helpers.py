"""Helpers bring no machine code of their own, and what calls them is right all the same."""

from __future__ import annotations

import subprocess
import sys

from balance.kernel import jit
from balance.kernel.jit import PURE_PYTHON, compiled, inlined, kernel

PROBE = """
from balance.kernel import jit, helpers
from tests.kernel import test_helpers as here
here.outermost(3)
assert len(here.libraries()) == 3
assert all(type(library) is helpers.HelperLibrary for library in here.libraries())
"""


@kernel
def square(number):
    return number * number


@inlined
def cube(number):
    return number * square(number)


@kernel
def tower(number):
    """Calls two helpers, one of them along two ways."""
    return square(number) + cube(number)


def _outermost(number):
    return tower(number) + square(number)


def outermost(number: int) -> int:
    """The helpers, from Python."""
    return compiled(_outermost, None if PURE_PYTHON else jit.types.int64(jit.types.int64))(number)


def libraries() -> list:
    """What was compiled of each helper."""
    return [made.library for helper in (square, cube, tower) for made in helper.overloads.values()]


def test_helpers_of_helpers_give_what_python_gives():
    for number in (-3, 0, 7):
        assert outermost(number) == 2 * number**2 + number**3


def test_a_helper_has_no_machine_code(tmp_path, monkeypatch):
    if PURE_PYTHON:
        assert square(3) == 9
        return
    monkeypatch.setenv("BALANCE_CACHE_DIR", str(tmp_path))
    subprocess.run([sys.executable, "-c", PROBE], check=True)
