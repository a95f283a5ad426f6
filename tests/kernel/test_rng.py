"""Random streams: the published sequence, exact bounds, uniform draws, unrelated neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from balance.kernel import rng
from balance.kernel.jit import typed

DRAWS = 20_000  # pure Python plays these tests too
P = 1e-6  # streams are fixed: a test fails when the generator is changed for a bad one, never by chance


@typed(lambda t: t.void(t.uint64[::1], t.uint64[::1]))
def words(stream, out):
    for place in range(len(out)):
        out[place] = rng.next_u64(stream)


@typed(lambda t: t.void(t.uint64[::1], t.int64, t.int64[::1]))
def belows(stream, bound, out):
    for place in range(len(out)):
        out[place] = rng.below(stream, bound)


@typed(lambda t: t.void(t.uint64[::1], t.float64[::1]))
def uniforms(stream, out):
    for place in range(len(out)):
        out[place] = rng.uniform(stream)


@typed(lambda t: t.void(t.uint64[::1], t.float64[::1]))
def normals(stream, out):
    for place in range(len(out)):
        out[place] = rng.normal(stream)


@typed(lambda t: t.void(t.uint64[::1], t.int64[::1], t.int64[::1], t.uint64[::1], t.uint64[::1]))
def first_words(keys, indices, purposes, stream, out):
    for place in range(len(out)):
        rng.seed_stream(stream, keys[place], indices[place], purposes[place])
        out[place] = rng.next_u64(stream)


@typed(lambda t: t.void(t.uint64[::1], t.int64[::1], t.int64[:, ::1]))
def shuffles(stream, items, counts):
    """Count how often each item came to each place."""
    for _ in range(6000):
        for place in range(len(items)):
            items[place] = place
        rng.shuffle(stream, items, len(items))
        for place in range(len(items)):
            counts[place, items[place]] += 1


def fill(function, seed, *values, dtype=np.uint64, draws=DRAWS):
    out = np.zeros(draws, dtype)
    function(rng.new_stream(seed), *values, out)
    return out


def chi_square_p(counts):
    from scipy.stats import chi2

    counts = np.asarray(counts, float)
    expected = counts.sum() / counts.size
    return float(chi2.sf(((counts - expected) ** 2 / expected).sum(), counts.size - 1))


def test_the_published_sequence():
    # Output of the authors' splitmix64 reference for state 1234567.
    out = np.zeros(5, np.uint64)
    words(np.array([1234567], np.uint64), out)
    assert out.tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 64, 1000, 2**31 - 1])
def test_below_stays_inside_its_bound(bound):
    drawn = fill(belows, 1, bound, dtype=np.int64)
    assert drawn.min() >= 0
    assert drawn.max() < bound
    if bound <= 1000:
        assert len(set(drawn.tolist())) == bound


@pytest.mark.parametrize("bound", [2, 3, 5, 6, 48, 100])
def test_below_is_uniform(bound):
    counts = np.bincount(fill(belows, 2, bound, dtype=np.int64), minlength=bound)
    assert P < chi_square_p(counts) < 1 - P


def test_below_is_exact_where_multiplying_alone_is_not():
    # 3 * 2**29 does not divide 2**32: without rejection, numbers that leave 0 by 3 come up half as often
    # again as the others.
    drawn = fill(belows, 3, 3 * 2**29, dtype=np.int64)
    assert chi_square_p(np.bincount(drawn % 3, minlength=3)) > P


def test_uniform_and_normal_have_their_moments():
    flat, bell = fill(uniforms, 4, dtype=float), fill(normals, 5, dtype=float)
    assert flat.min() >= 0.0 and flat.max() < 1.0
    assert abs(flat.mean() - 0.5) < 5 * np.sqrt(1 / 12 / DRAWS)
    assert chi_square_p(np.histogram(flat, 50, (0, 1))[0]) > P
    assert abs(bell.mean()) < 5 / np.sqrt(DRAWS)
    assert abs(bell.var() - 1) < 5 * np.sqrt(2 / DRAWS)
    assert abs((np.abs(bell) > 1.959964).mean() - 0.05) < 5 * np.sqrt(0.05 * 0.95 / DRAWS)


@pytest.mark.parametrize("varied", ["key", "index", "purpose"])
def test_streams_of_neighbours_are_unrelated(varied):
    steps, still = np.arange(DRAWS, dtype=np.int64), np.zeros(DRAWS, np.int64)
    keys = (steps if varied == "key" else still).astype(np.uint64)
    out = np.zeros(DRAWS, np.uint64)
    stream = np.zeros(1, np.uint64)
    first_words(
        keys, steps if varied == "index" else still, steps if varied == "purpose" else still, stream, out
    )
    assert len(set(out.tolist())) == DRAWS
    share = out.astype(float) / 2**64
    for lag in (1, 2, 7):
        assert abs(np.corrcoef(share[:-lag], share[lag:])[0, 1]) < 5 / np.sqrt(DRAWS)
    flipped = np.unpackbits((out[:-1] ^ out[1:]).view(np.uint8)).reshape(-1, 64)
    assert np.abs(flipped.mean(0) - 0.5).max() < 6 * 0.5 / np.sqrt(DRAWS)


def test_two_neighbouring_streams_run_apart():
    one, two = fill(uniforms, 10, dtype=float), fill(uniforms, 11, dtype=float)
    assert abs(np.corrcoef(one, two)[0, 1]) < 5 / np.sqrt(DRAWS)


def test_purposes_of_the_house_share_no_number():
    purposes = [rng.DEAL, rng.DICE, rng.DRAFT, *(rng.AGENT + place for place in range(4))]
    assert len(set(purposes)) == len(purposes)


def test_shuffle_brings_every_item_to_every_place():
    counts = np.zeros((5, 5), np.int64)
    shuffles(rng.new_stream(6), np.zeros(5, np.int64), counts)
    assert (counts.sum(0) == 6000).all()
    assert (counts.sum(1) == 6000).all()
    assert all(chi_square_p(row) > P for row in counts)


def test_shuffle_leaves_what_lies_beyond_its_count():
    items, stream = np.arange(10), rng.new_stream(7)
    for _ in range(20):
        rng.shuffle(stream, items, 4)
    assert sorted(items[:4].tolist()) == [0, 1, 2, 3]
    assert items[4:].tolist() == [4, 5, 6, 7, 8, 9]


def test_text_keys_are_the_same_in_every_process():
    # Python's own hash of a text differs from process to process.
    assert rng.text_key("jump_masters", "duel", 7) == rng.text_key("jump_masters", "duel", "7")
    assert rng.text_key("ab", "c") != rng.text_key("a", "bc")
    assert rng.text_key("setup", 1) == 12037511800568618369
