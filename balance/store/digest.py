"""The digest of a run: what was played, whatever order, parts or threads it was played in.

Every row is scrambled to 128 bits, keys included, and the rows are added modulo 2**128: a sum knows no
order. Board counts are added per cell before they enter, since how they are cut depends on the parts.
This finds accidents, not forgers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from balance.store.schema import Columns

MODULUS = 1 << 128
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
LOW_32 = np.uint64(0xFFFFFFFF)
CANONICAL_NAN = np.uint64(0x7FF8000000000000)


def rows_sum(table: str, columns: Columns) -> int:
    """Sum of the scrambled rows of a table, modulo 2**128.

    Parameters
    ----------
    table : str
        Enters the sum with the names of the columns.
    columns : dict of str to numpy.ndarray
        Shapes (n,), integers or floats.
    """
    halves = []
    words = [as_words(values) for values in columns.values()]
    for half in ("low", "high"):
        rows = np.full(len(words[0]), _text_word(table, half, *columns), np.uint64)
        for word in words:
            rows = _mix((rows ^ word) + GOLDEN)
        halves.append(_exact_sum(rows))
    return (halves[0] + (halves[1] << 64)) % MODULUS


def as_words(values: np.ndarray) -> np.ndarray:
    """Numbers as uint64 words, shape (n,): one word for every NaN, and one for both zeros."""
    if values.dtype.kind == "f":
        wide = values.astype(np.float64) + 0.0  # -0.0 + 0.0 is +0.0
        return np.where(np.isnan(wide), CANONICAL_NAN, wide.view(np.uint64))
    if values.dtype.kind == "u":
        return values.astype(np.uint64)
    return values.astype(np.int64).view(np.uint64)


def run_digest(total: int, boards: Mapping[int, Columns]) -> str:
    """Digest of a run, 32 hex digits.

    Parameters
    ----------
    total : int
        Sum of :func:`rows_sum` over all parts and tables of games and heroes.
    boards : mapping of int to dict
        Board columns by cell, summed over the cell's parts.
    """
    for cell in sorted(boards):
        total += rows_sum("board", boards[cell])
    return f"{total % MODULUS:032x}"


def add_board(boards: dict[int, Columns], cell: int, columns: Columns) -> None:
    """Add the board counts of one part to those of its cell, in place; keys stay as they are."""
    if cell not in boards:
        boards[cell] = {name: values.copy() for name, values in columns.items()}
        return
    for name, values in columns.items():
        if name not in ("cell", "node"):
            boards[cell][name] += values


def checksum(content: bytes) -> str:
    """Checksum of a file's bytes, 32 hex digits."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _mix(words: np.ndarray) -> np.ndarray:
    # splitmix64's scrambler, as kernel.rng.mix, on whole columns.
    words = (words ^ (words >> np.uint64(30))) * MIX_1
    words = (words ^ (words >> np.uint64(27))) * MIX_2
    return words ^ (words >> np.uint64(31))


def _exact_sum(words: np.ndarray) -> int:
    # Halves are added apart: 2**32 rows fit before a uint64 overflows.
    low = int((words & LOW_32).sum(dtype=np.uint64))
    return low + (int((words >> np.uint64(32)).sum(dtype=np.uint64)) << 32)


def _text_word(*parts: str) -> np.uint64:
    text = "\x1f".join(parts)
    return np.uint64(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little"))
