"""Kernels equal the slow reference on random positions, in all modes and under random parameters."""

from __future__ import annotations

import random

import pytest

from tests.games.jump_masters.comparing import differences, naive_positions, report


def compare(seed: int, count: int) -> None:
    for slow in naive_positions(random.Random(seed), count):
        found = differences(slow)
        assert not found, report(slow, found)


@pytest.mark.parametrize("seed", range(4))
def test_engines_agree_on_a_sample(seed: int) -> None:
    compare(seed, 90)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_engines_agree(seed: int) -> None:
    compare(seed, 510)
