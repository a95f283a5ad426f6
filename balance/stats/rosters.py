"""Pairs of one cell folded by their rosters: what every least-squares fit needs, in bounded memory.

Pairs with the same rosters have the same design rows. A fit and its clustered sandwich need of them only
their number, the sum of their scores and the sum of the products of their scores; nothing is lost. Where
rosters hardly repeat (many heroes), folded rows are laid down in a temporary file, so that the memory stays
bounded all the same.

Everything is done by sorting and summing in a fixed order: the same rows in the same order give the same
bits, whatever the number of threads.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import IO

import numpy as np

BITS = 4  # of a word for the copies of one hero on one side
PER_WORD = 15
FIELD = (1 << BITS) - 1
MOST = FIELD // 2  # copies: differences of two sides must fit as well
FOLD_AT = 200_000  # rows that wait before they are folded
SPILL_AT = 1_000_000  # folded rows of one cell that are held in memory
SLICE = 50_000  # rows handed out at a time


@dataclass(frozen=True)
class Piece:
    """Pairs of one cell, those with equal rosters folded into one row or not.

    Attributes
    ----------
    counts : ndarray of int8, shape (n, k, v)
        Copies of each hero on each setup side.
    scores : ndarray, shape (n, k)
        Mean score of each setup side over the pairs of the row.
    agents_differ : bool
        Whether the setup sides are played by different agents.
    pairs : ndarray, shape (n,), optional
        Pairs that a row stands for; 1 each when left out.
    products : ndarray, shape (n, k, k), optional
        Sum over the pairs of a row of the outer product of their scores; needed with `pairs`.
    share : float
        What each pair counts for: where cells have unequal numbers of pairs, less in the larger ones.
    """

    counts: np.ndarray
    scores: np.ndarray
    agents_differ: bool = False
    pairs: np.ndarray | None = None
    products: np.ndarray | None = None
    share: float = 1.0

    @property
    def weight(self) -> np.ndarray:
        """Pairs that each row stands for, shape (n,)."""
        return np.ones(len(self.counts)) if self.pairs is None else self.pairs

    @property
    def squares(self) -> np.ndarray:
        """Sum over the pairs of each row of the outer product of their scores, shape (n, k, k)."""
        if self.products is None:
            return self.scores[:, :, None] * self.scores[:, None, :]
        return self.products


class Rosters:
    """Folded rows of one cell, to which pairs are added.

    Parameters
    ----------
    sides, kinds : int
        Setup sides and heroes.
    """

    def __init__(self, sides: int, kinds: int) -> None:
        self.sides, self.kinds = sides, kinds
        self.words = -(-kinds // PER_WORD)
        self.copies = np.zeros(kinds, np.int64)  # of each hero, over all pairs and sides
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []
        self._file: IO[bytes] | None = None
        self._spilt: list[int] = []  # rows of every block in the file
        self._less: list[tuple[np.ndarray, np.ndarray]] | None = None  # see :meth:`_differences`

    def add(self, counts: np.ndarray, scores: np.ndarray) -> None:
        """Add pairs.

        Parameters
        ----------
        counts : ndarray of int, shape (n, sides, kinds)
        scores : ndarray, shape (n, sides)
            They sum to 1 over the sides.

        Raises
        ------
        ValueError
            More copies of a hero on one side than a row can hold.
        """
        if counts.max(initial=0) > MOST:
            raise ValueError(f"{counts.max()} copies of one hero on one side; at most {MOST} are folded")
        self.copies += counts.sum(axis=(0, 1), dtype=np.int64)
        self._wait(folded(packed(counts), _values(scores)))

    def merge(self, other: Rosters) -> None:
        """Take over the rows of another, which must not be used afterwards."""
        self.copies += other.copies
        for block in other._blocks():
            self._wait(block)

    def pieces(self, agents_differ: bool = False) -> Iterator[Piece]:
        """The rows, some thousands at a time; may be asked for again and again."""
        for keys, values in self._blocks():
            for start in range(0, len(keys), SLICE):
                counts = unpacked(keys[start : start + SLICE], self.sides, self.kinds)
                yield self._piece(counts, values[start : start + SLICE], agents_differ)

    def cancelled(self, agents_differ: bool = False) -> Iterator[Piece]:
        """As :meth:`pieces` for two sides, heroes that stand on both of them left out.

        Enough for models of a difference of rosters, and far fewer rows.
        """
        for less, values in self._differences():
            for start in range(0, len(less), SLICE):
                copies = unpacked(less[start : start + SLICE], 1, self.kinds) - (FIELD + 1) // 2
                counts = np.concatenate([np.maximum(copies, 0), np.maximum(-copies, 0)], axis=1)
                yield self._piece(counts, values[start : start + SLICE], agents_differ)

    def _differences(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Blocks folded by the difference of two sides; kept for the next fit when all rows are in memory."""
        if self._less is None:
            middle = sum(((FIELD + 1) // 2) << (BITS * place) for place in range(PER_WORD))
            words = ((keys.reshape(len(keys), 2, self.words), values) for keys, values in self._blocks())
            blocks = (folded(pair[:, 0] - pair[:, 1] + middle, values) for pair, values in words)
            if self._file is not None:
                return blocks
            self._less = list(blocks)
        return iter(self._less)

    def _wait(self, block: tuple[np.ndarray, np.ndarray]) -> None:
        self._less = None
        self._waiting.append(block)
        sizes = [len(keys) for keys, _ in self._waiting]
        # The first block is what was folded last: waiting for as much again bounds the work of folding.
        if sum(sizes[1:]) > max(FOLD_AT, sizes[0]):
            self._fold()

    def _fold(self) -> None:
        if len(self._waiting) > 1:
            keys, values = zip(*self._waiting, strict=True)
            self._waiting = [folded(np.concatenate(keys), np.concatenate(values))]
        if self._waiting and len(self._waiting[0][0]) > SPILL_AT:
            self._spill(*self._waiting.pop())

    def _spill(self, keys: np.ndarray, values: np.ndarray) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="balance-")  # noqa: SIM115 - lives as long as we do
        self._file.seek(0, 2)
        self._file.write(np.ascontiguousarray(keys).tobytes())
        self._file.write(np.ascontiguousarray(values).tobytes())
        self._spilt.append(len(keys))

    def _blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Blocks of folded rows: those in the file, then the one in memory."""
        self._fold()
        wide, deep = self.sides * self.words, _width(self.sides)
        place = 0
        for rows in self._spilt:
            assert self._file is not None
            self._file.seek(place)
            place += rows * 8 * (wide + deep)
            keys = np.frombuffer(self._file.read(rows * 8 * wide), np.int64).reshape(rows, wide)
            yield keys, np.frombuffer(self._file.read(rows * 8 * deep)).reshape(rows, deep)
        yield from self._waiting

    def _piece(self, counts: np.ndarray, values: np.ndarray, agents_differ: bool) -> Piece:
        n, k = values[:, 0], self.sides
        total = np.empty((len(values), k))
        total[:, : k - 1] = values[:, 1:k]
        total[:, k - 1] = n - total[:, : k - 1].sum(axis=1)
        products = np.empty((len(values), k, k))
        for column, (i, j) in enumerate(_upper(k), start=k):
            products[:, i, j] = products[:, j, i] = values[:, column]
        for i in range(k - 1):
            products[:, i, k - 1] = total[:, i] - products[:, i, : k - 1].sum(axis=1)
            products[:, k - 1, i] = products[:, i, k - 1]
        products[:, k - 1, k - 1] = total[:, k - 1] - products[:, k - 1, : k - 1].sum(axis=1)
        return Piece(counts, total / n[:, None], agents_differ, n, products)


def _upper(sides: int) -> list[tuple[int, int]]:
    """Places of the stored products: the last side's follow, because scores sum to 1."""
    return [(i, j) for i in range(sides - 1) for j in range(i, sides - 1)]


def _width(sides: int) -> int:
    return sides + len(_upper(sides))


def _values(scores: np.ndarray) -> np.ndarray:
    """Columns to be summed, shape (n, width): one, the scores but the last, their products."""
    columns = [np.ones(len(scores)), *scores.T[:-1]]
    columns += [scores[:, i] * scores[:, j] for i, j in _upper(scores.shape[1])]
    return np.stack(columns, axis=1)


def packed(counts: np.ndarray) -> np.ndarray:
    """Copies as words, shape (n, sides, kinds) to (n, sides * words)."""
    n, sides, kinds = counts.shape
    words = []
    for start in range(0, kinds, PER_WORD):
        block = counts[:, :, start : start + PER_WORD]
        word = np.zeros((n, sides), np.int64)
        for place in range(block.shape[2]):
            word += block[:, :, place].astype(np.int64) << (BITS * place)
        words.append(word)
    return np.stack(words, axis=2).reshape(n, -1)


def unpacked(keys: np.ndarray, sides: int, kinds: int) -> np.ndarray:
    """The inverse of :func:`packed`, as int8."""
    words = keys.reshape(len(keys), sides, -1)
    shifts = BITS * (np.arange(kinds) % PER_WORD)
    return ((words[:, :, np.arange(kinds) // PER_WORD] >> shifts) & FIELD).astype(np.int8)


def folded(keys: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows with equal keys summed, in the order of the keys.

    Parameters
    ----------
    keys : ndarray of int64, shape (n, words)
    values : ndarray, shape (n, width)
    """
    if not len(keys):
        return keys, values
    order = np.lexsort(keys.T)
    keys = keys[order]
    first = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]).any(axis=1)])
    return keys[first], np.add.reduceat(values[order], first, axis=0)


@dataclass(frozen=True)
class Chosen:
    """Pieces of several cells with some heroes only; can be gone through again and again.

    Attributes
    ----------
    cells : sequence of (Rosters, bool, float)
        With whether the setup sides have different agents, and :attr:`Piece.share`.
    heroes : ndarray of int
        Columns that are kept.
    cancelled : bool
        Whether heroes that stand on both of two sides may be left out.
    """

    cells: Sequence[tuple[Rosters, bool, float]]
    heroes: np.ndarray
    cancelled: bool = False

    def __iter__(self) -> Iterator[Piece]:
        for rosters, differ, share in self.cells if self._fewer else self._pooled:
            for piece in rosters.cancelled(differ) if self._fewer else rosters.pieces(differ):
                yield replace(piece, counts=piece.counts[:, :, self.heroes], share=share)

    @property
    def _fewer(self) -> bool:
        return self.cancelled and all(rosters.sides == 2 for rosters, _, _ in self.cells)

    @cached_property
    def _pooled(self) -> list[tuple[Rosters, bool, float]]:
        """Cells whose pairs count alike as one: the same matchups are fought in every arena."""
        groups: dict[tuple[bool, float], list[Rosters]] = {}
        for rosters, differ, share in self.cells:
            groups.setdefault((differ, share), []).append(rosters)
        return [(pooled(held, not differ), differ, share) for (differ, share), held in groups.items()]


def pooled(held: Sequence[Rosters], alike: bool) -> Rosters:
    """Several cells as one; they stay as they are.

    Parameters
    ----------
    held : sequence of Rosters
        At least one, all of the same sides and heroes.
    alike : bool
        Whether the setup sides have the same agents, so that it does not matter which of two is named first.
    """
    found = Rosters(held[0].sides, held[0].kinds)
    for rosters in held:
        found.copies += rosters.copies
        for keys, values in rosters._blocks():
            found._wait(turned(keys, values) if alike and rosters.sides == 2 else (keys, values))
    return found


def turned(keys: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of two sides with the larger key second, and the scores turned with them."""
    width = keys.shape[1] // 2
    first, second = keys[:, :width], keys[:, width:]
    swap, equal = np.zeros(len(keys), bool), np.ones(len(keys), bool)
    for word in range(width):
        swap |= equal & (first[:, word] > second[:, word])
        equal &= first[:, word] == second[:, word]
    n, total, square = values.T
    other = np.stack([n, n - total, n - 2 * total + square], axis=1)
    keys = np.where(swap[:, None], np.concatenate([second, first], axis=1), keys)
    return keys, np.where(swap[:, None], other, values)
