"""Random streams inside kernels: a counter that is scrambled (splitmix64), one 64-bit word a stream.

A stream is an array of one uint64. Source: Steele, Lea and Flood, "Fast splittable pseudorandom
number generators" (2014). Keys come from :func:`mix`, so neighbouring seeds give unrelated streams.
"""

from __future__ import annotations

import hashlib

import numpy as np

from balance.kernel.jit import typed

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
LOW_32 = np.uint64(0xFFFFFFFF)

# Purposes of a stream: no two share numbers.
# The agent of place k has purpose AGENT + k, its searches SEARCH + k; COUNT looks at turns for the record.
DEAL, DICE, DRAFT, COUNT, AGENT, SEARCH = 1, 2, 3, 4, 16, 32


def new_stream(seed: int = 0) -> np.ndarray:
    """A stream for use from Python, shape (1,), uint64."""
    stream = np.zeros(1, np.uint64)
    seed_stream(stream, np.uint64(seed & 0xFFFFFFFFFFFFFFFF), 0, DEAL)
    return stream


def text_key(*parts: object) -> int:
    """A 64-bit key of any printable parts, the same on every machine and in every process."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


@typed(lambda types: types.uint64(types.uint64))
def mix(word):
    """Scramble one uint64 into another; a bijection."""
    z = np.uint64(word)
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@typed(lambda types: types.void(types.uint64[::1], types.uint64, types.int64, types.int64))
def seed_stream(stream, key, index, purpose):
    """Set `stream` to the one that belongs to (key, pair index, purpose)."""
    word = mix(np.uint64(key) + GOLDEN * np.uint64(index + 1))
    stream[0] = mix(word + GOLDEN * np.uint64(purpose))


@typed(lambda types: types.uint64(types.uint64[::1]))
def next_u64(stream):
    """The next 64 random bits."""
    word = np.uint64(stream[0]) + GOLDEN
    stream[0] = word
    return mix(word)


@typed(lambda types: types.int64(types.uint64[::1], types.int64))
def below(stream, bound):
    """A uniform integer in [0, bound); 1 <= bound < 2**31, exact (Lemire's method on 32 bits)."""
    wide = np.uint64(bound)
    product = (next_u64(stream) >> np.uint64(32)) * wide
    if (product & LOW_32) < wide:
        threshold = ((LOW_32 + np.uint64(1)) - wide) % wide
        while (product & LOW_32) < threshold:
            product = (next_u64(stream) >> np.uint64(32)) * wide
    return np.int64(product >> np.uint64(32))


@typed(lambda types: types.float64(types.uint64[::1]))
def uniform(stream):
    """A uniform float64 in [0, 1) with 53 random bits."""
    return np.float64(next_u64(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@typed(lambda types: types.float64(types.uint64[::1]))
def normal(stream):
    """A standard normal float64 (Box-Muller; two draws, one used)."""
    radius = np.sqrt(-2.0 * np.log(1.0 - uniform(stream)))
    return radius * np.cos(2.0 * np.pi * uniform(stream))


@typed(lambda types: types.void(types.uint64[::1], types.int64[::1], types.int64))
def shuffle(stream, items, count):
    """Shuffle the first `count` of `items` in place (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(stream, last + 1)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept
