"""Kernels equal the slow reference on random documents and in random play, at both levels."""

from __future__ import annotations

import random

import pytest

from tests.games.krosmaster_blast.comparing import differences, report
from tests.naive import krosmaster_blast as naive


def compare_documents(seed: int, count: int) -> None:
    """Documents of all phases, under random rules, cards and fields; some are refused by both engines."""
    dice = random.Random(seed)
    for _ in range(count):
        document = naive.random_document(dice)
        found = differences(document, dice)
        assert not found, report(document, found)


def compare_play(seed: int, count: int) -> None:
    """Positions met in random play, every third one under rules and cards as printed."""
    dice = random.Random(seed)
    for slow in naive.random_playout_positions(dice, count, plain=seed % 3 == 0):
        document = naive.document(slow)
        found = differences(document, dice)
        assert not found, report(document, found)


@pytest.mark.parametrize("seed", range(3))
def test_engines_agree_on_a_sample_of_documents(seed: int) -> None:
    compare_documents(seed, 60)


@pytest.mark.parametrize("seed", range(3))
def test_engines_agree_on_a_sample_of_play(seed: int) -> None:
    compare_play(seed, 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_engines_agree_on_documents(seed: int) -> None:
    compare_documents(seed, 500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2000, 2100))
def test_engines_agree_in_play(seed: int) -> None:
    compare_play(seed, 500)
