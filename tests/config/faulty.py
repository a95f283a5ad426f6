"""Helpers of the tests of bad input: faults as short tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from balance.errors import ConfigError, Problem


def problems(call: Callable[..., Any], *arguments: Any, **options: Any) -> list[Problem]:
    """What a call that must be refused complains about."""
    with pytest.raises(ConfigError) as caught:
        call(*arguments, **options)
    assert caught.value.exit_code == 2
    return caught.value.problems


def one(call: Callable[..., Any], *arguments: Any, **options: Any) -> Problem:
    """The only problem of a call that must be refused."""
    found = problems(call, *arguments, **options)
    assert len(found) == 1, found
    return found[0]


def places(found: list[Problem]) -> list[tuple[int, int, str]]:
    """Line, column and path of each problem."""
    return [(problem.line, problem.column, problem.path) for problem in found]
