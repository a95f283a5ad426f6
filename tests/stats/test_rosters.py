"""Pairs folded by their rosters, and runs summed on threads, against dense sums of the same pairs."""

from __future__ import annotations

import numpy as np
import pytest

from balance.stats import batch, rosters, scan
from balance.stats.analysis import analyse_sums, columns_of
from balance.stats.batch import read_batches
from balance.stats.design import read_design
from balance.stats.least_squares import Piece, contrast_rows, fit
from balance.stats.rosters import Chosen, Rosters
from balance.stats.sums import collect
from balance.store.read import open_run
from tests.stats.planted import COLUMNS, Truth, planted_run

WANTED = ["steps", "vp_earned", "ability_uses", "seat", "chances", "pick"]


def pairs(n: int, sides: int, kinds: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Random rosters of two heroes a side, and scores that sum to one."""
    random = np.random.default_rng(seed)
    counts = np.zeros((n, sides, kinds), np.int16)
    for _ in range(2):
        chosen = random.integers(kinds, size=(n, sides))
        np.add.at(counts, (np.arange(n)[:, None], np.arange(sides), chosen), 1)
    scores = random.dirichlet(np.ones(sides), n).round(2)
    scores[:, -1] = 1 - scores[:, :-1].sum(axis=1)
    return counts, scores


def dense(counts: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Effects and covariance by the textbook, every pair a cluster of its own."""
    rows = contrast_rows(counts, False)
    flat, n = rows.reshape(-1, rows.shape[2]), len(rows)
    inverse = np.linalg.pinv(flat.T @ flat, rcond=1e-9, hermitian=True)
    effects = inverse @ flat.T @ (scores - 1 / scores.shape[1]).reshape(-1)
    errors = scores - 1 / scores.shape[1] - rows @ effects
    vectors = np.einsum("nkp,nk->np", rows, errors)
    freedom = n - np.linalg.matrix_rank(flat)
    covariance = inverse @ (vectors.T @ vectors) @ inverse * n / freedom
    centre = np.eye(counts.shape[2]) - 1 / counts.shape[2]
    return centre @ effects, centre @ covariance @ centre


def filled(counts: np.ndarray, scores: np.ndarray, step: int = 100) -> Rosters:
    held = Rosters(counts.shape[1], counts.shape[2])
    for start in range(0, len(counts), step):
        held.add(counts[start : start + step], scores[start : start + step])
    return held


@pytest.mark.parametrize(("sides", "kinds"), [(2, 2), (2, 5), (2, 40), (3, 4), (4, 16)])
@pytest.mark.parametrize("cancelled", [False, True])
def test_folded_pairs_give_the_dense_fit(sides, kinds, cancelled):
    counts, scores = pairs(3000, sides, kinds)
    effects, covariance = dense(counts, scores)
    held = Chosen([(filled(counts, scores), False, 1.0)], np.arange(kinds), cancelled)
    found = fit(held)
    assert found.n == 3000
    assert found.effects == pytest.approx(effects, abs=1e-12)
    assert found.covariance == pytest.approx(covariance, abs=1e-14)
    raw = fit([Piece(counts.astype(np.int8), scores)])
    assert raw.covariance == pytest.approx(covariance, abs=1e-14)


def test_rosters_that_hardly_repeat_go_to_a_file(monkeypatch):
    monkeypatch.setattr(rosters, "FOLD_AT", 300)
    monkeypatch.setattr(rosters, "SPILL_AT", 250)
    counts, scores = pairs(4000, 2, 40)
    held = filled(counts, scores)
    other = filled(counts[::-1], scores[::-1])
    assert len(held._spilt) > 3
    effects, covariance = dense(counts, scores)
    found = fit(Chosen([(held, False, 1.0)], np.arange(40), cancelled=True))
    assert found.effects == pytest.approx(effects, abs=1e-12)
    assert found.covariance == pytest.approx(covariance, abs=1e-14)
    held.merge(other)
    assert sum(piece.weight.sum() for piece in held.pieces()) == 8000


@pytest.mark.parametrize(("sides", "kinds"), [(2, 5), (2, 17), (3, 4)])
def test_cells_that_count_alike_are_fitted_as_one(sides, kinds):
    """And which of two sides is named first is no information."""
    drawn = [pairs(1500, sides, kinds, seed) for seed in (1, 2, 3)]
    cells = [(filled(counts, scores), False, 1.0) for counts, scores in drawn]
    effects, covariance = dense(*(np.concatenate(both) for both in zip(*drawn, strict=True)))
    chosen = Chosen(cells, np.arange(kinds))
    found = fit(chosen)
    assert found.effects == pytest.approx(effects, abs=1e-12)
    assert found.covariance == pytest.approx(covariance, abs=1e-14)
    rows = sum(len(piece.counts) for piece in chosen)
    assert rows < sum(len(piece.counts) for held, _, _ in cells for piece in held.pieces())
    assert sum(piece.weight.sum() for held, _, _ in cells for piece in held.pieces()) == 4500


def test_sides_with_different_agents_keep_their_order():
    counts, scores = pairs(500, 2, 5)
    pieces = list(Chosen([(filled(counts, scores), True, 1.0)], np.arange(5)))
    means = sum((piece.scores * piece.weight[:, None]).sum(axis=0) for piece in pieces)
    assert means == pytest.approx(scores.sum(axis=0))
    assert all(piece.agents_differ for piece in pieces)


def test_cells_of_unequal_size_count_alike():
    """The same estimate as if every pair of the small cell had been played four times."""
    counts, scores = pairs(400, 2, 4)
    large = (filled(np.tile(counts, (4, 1, 1)), np.tile(scores, (4, 1))), False, 0.625)
    other, results = pairs(400, 2, 4, 9)
    small = (filled(other, results), False, 2.5)
    found = fit(Chosen([large, small], np.arange(4), cancelled=True))
    even = fit(
        Chosen([(filled(counts, scores), False, 1.0), (filled(other, results), False, 1.0)], np.arange(4))
    )
    assert found.effects == pytest.approx(even.effects, abs=1e-12)


def test_packing_is_undone():
    counts, _ = pairs(500, 4, 31)
    assert (rosters.unpacked(rosters.packed(counts), 4, 31) == counts).all()


def test_too_many_copies_are_refused():
    counts = np.full((1, 2, 3), rosters.MOST + 1)
    with pytest.raises(ValueError, match="copies of one hero"):
        Rosters(2, 3).add(counts, np.array([[1.0, 0.0]]))


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    truth = Truth(full=True, picked=True, draws=0.2)
    return open_run(planted_run(tmp_path_factory.mktemp("planted"), truth, 600, part=100))


def digits(sums) -> str:
    return repr(analyse_sums(sums))


def test_threads_change_no_digit(planted, monkeypatch):
    monkeypatch.setattr(scan, "groups_of_parts", lambda manifest: batch.groups_of_parts(manifest, 150))
    design, columns = read_design(planted.manifest), columns_of(COLUMNS)
    one, three = (digits(scan.collect_run(planted, design, columns, WANTED, k)) for k in (1, 3))
    assert one == three


def test_merged_batches_equal_one_stream(planted, monkeypatch):
    design, columns = read_design(planted.manifest), columns_of(COLUMNS)
    stream = collect(design, read_batches(planted, design, WANTED), columns)
    monkeypatch.setattr(scan, "groups_of_parts", lambda manifest: batch.groups_of_parts(manifest, 100))
    merged = scan.collect_run(planted, design, columns, WANTED)
    for one, two in zip(stream.cells, merged.cells, strict=True):
        assert (one.rows, one.games, one.moments.n) == (two.rows, two.games, two.moments.n)
        assert one.moments.total == pytest.approx(two.moments.total)
        assert one.moments.square == pytest.approx(two.moments.square)
        assert one.hero == pytest.approx(two.hero)
        assert one.presence == pytest.approx(two.presence)
        assert one.outcome_products == pytest.approx(two.outcome_products)
        for name, ratio in one.details.ratios.items():
            assert ratio.pairs == two.details.ratios[name].pairs
            assert ratio.sums == pytest.approx(two.details.ratios[name].sums)
    assert stream.histograms.keys() == merged.histograms.keys()
    assert all((stream.histograms[key] == merged.histograms[key]).all() for key in stream.histograms)


def test_rows_in_any_order_give_the_same_sums():
    """Pairs that do not stand together are found by sorting."""
    column = np.array([3, 1, 3, 2, 1, 2])
    found, index, stride = batch._numbered(column)
    assert (found.tolist(), index.tolist(), stride) == ([1, 2, 3], [2, 0, 2, 1, 0, 1], 0)
    assert batch._summed(np.arange(6.0), index, stride, 3).tolist() == [5, 8, 2]
    found, index, stride = batch._numbered(np.array([4, 4, 7, 7]))
    assert (found.tolist(), stride) == ([4, 7], 2)
    assert batch._summed(np.arange(4), index, stride, 2).tolist() == [1, 5]
