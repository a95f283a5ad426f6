"""Sets of up to 64 nodes as one uint64: counting them and picking one of them.

Without branches and without data: the sums of all bytes are made at once in one word, after Knuth, The Art of
Computer Programming 4A, 7.1.3, and Vigna, "Broadword implementation of rank/select queries" (2008). The
compiler knows the count as one instruction of the processor.
"""

from __future__ import annotations

import numpy as np

from balance.kernel.jit import kernel, typed

ONE = np.uint64(1)
PAIRS = np.uint64(0x5555555555555555)
FOURS = np.uint64(0x3333333333333333)
EIGHTS = np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES = np.uint64(0x0101010101010101)
HIGH = np.uint64(0x8080808080808080)
LOW_7 = np.uint64(0x7F7F7F7F7F7F7F7F)
DIAGONAL = np.uint64(0x8040201008040201)  # bit k of byte k
BYTE = np.uint64(0xFF)


@kernel
def byte_counts(word):
    """Number of set bits of each byte of a uint64, in that byte."""
    x = word - ((word >> ONE) & PAIRS)
    x = (x & FOURS) + ((x >> np.uint64(2)) & FOURS)
    return (x + (x >> np.uint64(4))) & EIGHTS


@typed(lambda types: types.int64(types.uint64))
def count_bits(word):
    """Number of set bits of a uint64."""
    return np.int64((byte_counts(np.uint64(word)) * BYTES) >> np.uint64(56))


@typed(lambda types: types.int64(types.uint64))
def lowest_bit(word):
    """Index of the lowest set bit of a uint64 that is not 0."""
    return count_bits((word & (~word + ONE)) - ONE)


@kernel
def bytes_below(sums, rank):
    """How many of eight rising bytes are at most `rank` (0-127)."""
    reached = ((rank * BYTES) | HIGH) - sums
    return (((reached & HIGH) >> np.uint64(7)) * BYTES) >> np.uint64(56)


@typed(lambda types: types.int64(types.uint64, types.int64))
def nth_bit(word, index):
    """Place of set bit number `index` (from 0, lowest first) of a uint64 that has more than `index`."""
    rank = np.uint64(index)
    sums = byte_counts(np.uint64(word)) * BYTES
    start = bytes_below(sums, rank) << np.uint64(3)
    rank = rank - (((sums << np.uint64(8)) >> start) & BYTE)
    one_byte = (word >> start) & BYTE
    spread = ((((one_byte * BYTES) & DIAGONAL) + LOW_7) & HIGH) >> np.uint64(7)
    return np.int64(start + bytes_below(spread * BYTES, rank))
