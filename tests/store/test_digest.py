"""The digest: any order, any cut, and every single number."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from balance.kernel.rng import mix
from balance.store import digest
from balance.store.digest import MODULUS, add_board, as_words, rows_sum, run_digest


def table(rows=50, seed=1):
    random = np.random.default_rng(seed)
    return {
        "cell": np.zeros(rows, np.int32),
        "pair": np.arange(rows, dtype=np.int32),
        "stream": random.integers(0, 2**64, rows, dtype=np.uint64),
        "score": np.where(random.random(rows) < 0.3, np.nan, random.random(rows)),
        "winner": random.integers(-1, 2, rows).astype(np.int32),
    }


def take(columns, rows):
    return {name: values[rows] for name, values in columns.items()}


@given(st.permutations(range(50)))
def test_order_does_not_matter(order):
    assert rows_sum("games", take(table(), list(order))) == rows_sum("games", table())


@given(st.integers(0, 50), st.integers(0, 50))
def test_cuts_do_not_matter(first, second):
    low, high = sorted((first, second))
    pieces = [range(low), range(low, high), range(high, 50)]
    total = sum(rows_sum("games", take(table(), list(piece))) for piece in pieces if piece)
    assert total % MODULUS == rows_sum("games", table())


@pytest.mark.parametrize("column", list(table()))
@pytest.mark.parametrize("row", [0, 17, 49])
def test_every_number_matters(column, row):
    changed = table()
    changed[column][row] = 7
    assert rows_sum("games", changed) != rows_sum("games", table())


def test_swapped_values_matter():
    swapped = table()
    swapped["winner"], swapped["cell"] = swapped["cell"], swapped["winner"]
    assert rows_sum("games", swapped) != rows_sum("games", table())
    exchanged = table()
    exchanged["pair"][[0, 1]] = exchanged["pair"][[1, 0]]
    assert rows_sum("games", exchanged) != rows_sum("games", table())


def test_twice_the_same_row_is_not_nothing():
    one = take(table(), [0])
    assert rows_sum("games", take(table(), [0, 0])) == 2 * rows_sum("games", one) % MODULUS != 0


def test_names_matter():
    renamed = {("turns" if name == "pair" else name): values for name, values in table().items()}
    assert rows_sum("games", renamed) != rows_sum("games", table())
    assert rows_sum("heroes", table()) != rows_sum("games", table())


def test_every_nan_and_both_zeros_are_one_word():
    odd = np.array([0x7FF8000000000000, 0xFFF8000000000123], np.uint64).view(np.float64)
    assert len(set(as_words(odd))) == 1
    assert len(set(as_words(np.array([0.0, -0.0])))) == 1
    assert len(set(as_words(np.array([0.0, 1.0, -1.0, np.nan, np.inf])))) == 5


def test_the_width_of_an_integer_does_not_matter():
    narrow = np.array([-1, 0, 5], np.int32)
    assert (as_words(narrow) == as_words(narrow.astype(np.int64))).all()


def test_no_rows_are_nothing():
    assert rows_sum("heroes", take(table(), [])) == 0


def test_words_are_scrambled_as_in_the_kernel():
    words = np.array([0, 1, 2**63, 2**64 - 1], np.uint64)
    assert [int(word) for word in digest._mix(words)] == [int(mix(word)) for word in words]


def test_sums_do_not_overflow():
    words = np.full(100_000, 2**64 - 1, np.uint64)
    assert digest._exact_sum(words) == 100_000 * (2**64 - 1)


def board(counts):
    nodes = np.arange(3, dtype=np.int32)
    return {"cell": np.zeros(3, np.int32), "node": nodes, "visits": np.array(counts, np.int64)}


def test_boards_enter_summed():
    one, two = {}, {}
    for counts in ([1, 2, 3], [4, 5, 6]):
        add_board(one, 0, board(counts))
    add_board(two, 0, board([5, 7, 9]))
    assert run_digest(123, one) == run_digest(123, two)
    assert run_digest(123, one) != run_digest(124, one) != run_digest(124, {})
    assert (one[0]["node"] == [0, 1, 2]).all()


def test_adding_leaves_the_part_alone():
    boards, part = {}, board([1, 1, 1])
    add_board(boards, 0, part)
    add_board(boards, 0, part)
    assert (part["visits"] == 1).all()
    assert (boards[0]["visits"] == 2).all()


def test_the_digest_of_these_rows_stays_what_it_is():
    # Another value here makes every stored digest wrong: raise the manifest's format with it.
    rows = {"pair": np.arange(3, dtype=np.int32), "score": np.array([0.0, 1.0, np.nan])}
    assert run_digest(rows_sum("games", rows), {0: board([1, 2, 3])}) == "e9f031ca0e253d655a9a67f7289d3e4c"
