"""Bits of words against Python's own whole numbers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from balance.kernel.bits import count_bits, lowest_bit, nth_bit


def words() -> list[int]:
    dice = random.Random(1)
    sparse = [1 << bit for bit in range(64)]
    dense = [(1 << 64) - 1, (1 << 64) - 2, 0x8000000000000001, 0xFF00, 0x5555555555555555]
    return (
        sparse
        + dense
        + [dice.getrandbits(64) & dice.getrandbits(64) | 1 << dice.randrange(64) for _ in range(300)]
    )


@pytest.mark.parametrize("word", words())
def test_bits_are_those_of_a_whole_number(word: int) -> None:
    places = [bit for bit in range(64) if word >> bit & 1]
    assert count_bits(np.uint64(word)) == len(places)
    assert lowest_bit(np.uint64(word)) == places[0]
    assert [int(nth_bit(np.uint64(word), index)) for index in range(len(places))] == places


def test_an_empty_set_has_no_bits() -> None:
    assert count_bits(np.uint64(0)) == 0
