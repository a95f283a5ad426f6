"""Lines of stones in sets of nodes: one step along a line is a shift by 1, 6, 7 or 8 bits."""

from __future__ import annotations

import numpy as np

from balance.kernel.jit import kernel, typed

EMPTY = np.uint64(0)
BOARD = np.uint64(0x0000FDFBF7EFDFBF)  # six bits of every column
UP, FALLING, ACROSS, RISING = np.uint64(1), np.uint64(6), np.uint64(7), np.uint64(8)
TWO, THREE = np.uint64(2), np.uint64(3)


@kernel
def four_along(stones, step):
    """Whether four lie in a row along one direction."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (TWO * step))


@kernel
def row_along(stones, step, length):
    """First stones of all rows of `length` along one direction."""
    found = stones
    for _ in range(length - 1):
        found = stones & (found >> step)
    return found


@typed(lambda types: types.boolean(types.uint64, types.int64))
def has_line(stones, length):
    """Whether a set holds a line of `length` stones."""
    if length == 4:
        return (
            four_along(stones, UP)
            | four_along(stones, FALLING)
            | four_along(stones, ACROSS)
            | four_along(stones, RISING)
        ) != EMPTY
    return (
        row_along(stones, UP, length)
        | row_along(stones, FALLING, length)
        | row_along(stones, ACROSS, length)
        | row_along(stones, RISING, length)
    ) != EMPTY


@kernel
def gaps_along(stones, step, length):
    """Nodes that would complete a line along one direction."""
    found = EMPTY
    before = ~EMPTY  # nodes with so many stones right before them, beginning with none
    for gap in range(length):
        after = before
        for further in range(1, length - gap):
            after &= stones >> (step * np.uint64(further))
        found |= after
        before = (before & stones) << step
    return found


@typed(lambda types: types.uint64(types.uint64, types.int64))
def completing(stones, length):
    """Nodes that would complete a line of `length` with these stones, empty or not."""
    found = gaps_along(stones, FALLING, length) | gaps_along(stones, ACROSS, length)
    found |= gaps_along(stones, RISING, length) | gaps_along(stones, UP, length)
    return found & BOARD
