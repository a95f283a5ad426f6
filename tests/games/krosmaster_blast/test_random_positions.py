"""Kernels equal the slow reference on random documents and in random play, at both levels."""

from __future__ import annotations

import pytest

from tests.conformance.playing import sampled
from tests.games.krosmaster_blast.comparing import compared


def compare(seed: int, count: int) -> None:
    """Documents of all phases under random rules, cards and fields; games, every third as printed."""
    for one in compared(seed, count):
        assert not one.difference, one.difference


@pytest.mark.parametrize("seed", range(6))
def test_engines_agree_on_a_sample(seed: int) -> None:
    compare(seed, 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(1000, 1200), 4))
def test_engines_agree(seed: int) -> None:
    compare(seed, 510)
