"""Random streams that are made to give what is wanted: dice are enumerated instead of thrown.

A game whose actions make one uniform draw at most says so in its notation: ``chances(state, tables, action)``
is the bound of that draw (1 when there is none). Then every result of an action can be had, once each.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from balance.kernel.rng import GOLDEN, MIX_1, MIX_2

WORD = (1 << 64) - 1
MOST = 1 << 16  # results that are enumerated; beyond that the oracle plays at random


def scripted(value: int, bound: int) -> np.ndarray:
    """A stream whose next ``below(stream, bound)`` is `value`; what comes after is arbitrary.

    The draw is the upper half of (upper 32 bits of the word) x bound: the middle of the interval that leads
    to `value` is never refused there.
    """
    upper = ((2 * value + 1) << 31) // bound
    word = (_unmixed(upper << 32) - int(GOLDEN)) & WORD
    return np.array([word], np.uint64)


def every(bound: int) -> Iterator[np.ndarray]:
    """One stream for each value of the next ``below(stream, bound)``."""
    return (scripted(value, bound) for value in range(bound))


def _unmixed(word: int) -> int:
    """The inverse of ``kernel.rng.mix``."""
    for shift, factor in ((31, MIX_2), (27, MIX_1)):
        word = _unshifted(word, shift) * pow(int(factor), -1, 1 << 64) & WORD
    return _unshifted(word, 30)


def _unshifted(word: int, shift: int) -> int:
    """The word w with w ^ (w >> shift) = `word`."""
    found = word
    for _ in range(64 // shift):
        found = word ^ (found >> shift)
    return found
