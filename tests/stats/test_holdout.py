"""Checking the sum of strengths on matchups that were not fitted."""

import numpy as np
import pytest

from balance.stats.estimate import Estimate, Refusal
from balance.stats.holdout import ENOUGH, NOT_ENOUGH, OPEN, Holdout, holdout, matchup_hash
from balance.stats.rosters import Piece, Rosters

STRENGTH = np.array([0.09, 0.05, 0.03, 0.01, -0.01, -0.03, -0.05, -0.09])


def played(n=20_000, seed=1, bonds=0.0, strength=STRENGTH, size=2, sides=2):
    """Folded pairs; `bonds` is the spread of planted synergies."""
    random, v = np.random.default_rng(seed), len(strength)
    dealt = random.permuted(np.tile(np.arange(v), (n, 1)), axis=1)[:, : sides * size].reshape(n, sides, size)
    counts = (dealt[..., None] == np.arange(v)).sum(axis=2).astype(np.int8)
    synergy = np.triu(np.random.default_rng(99).normal(0, bonds, (v, v)), 1)
    worth = counts @ strength + np.einsum("nki,ij,nkj->nk", counts, synergy, counts)
    if sides == 2:
        chance = np.clip(0.5 + worth[:, 0] - worth[:, 1], 0, 1)
        score = random.binomial(2, chance) / 2
        scores = np.stack([score, 1 - score], axis=1)
    else:
        chance = 1 / sides + (sides * worth - worth.sum(axis=1, keepdims=True)) / (sides - 1)
        winner = (random.random(n)[:, None] > chance.cumsum(axis=1)).sum(axis=1).clip(0, sides - 1)
        scores = np.eye(sides)[winner]
    held = Rosters(sides, v)
    held.add(counts, scores)
    return list(held.pieces())


def test_an_additive_truth_is_enough():
    found = holdout(played(), 8)
    assert isinstance(found, Holdout)
    assert found.verdict == ENOUGH, found.reason
    assert found.slope.low < 1 < found.slope.high
    assert found.skill.low > 0 and isinstance(found.explained, Estimate) and found.explained.value > 0.9
    assert found.n + found.fitted == 20_000 and found.matchups > 100


def test_the_slope_is_one_on_average_and_its_interval_covers():
    found = [holdout(played(1500, seed), 8, pairs=False) for seed in range(60)]
    assert np.mean([f.slope.value for f in found]) == pytest.approx(1, abs=0.05)
    assert np.mean([f.slope.low <= 1 <= f.slope.high for f in found]) >= 0.87


def test_planted_synergies_are_not_enough():
    found = holdout(played(bonds=0.15), 8)
    assert found.verdict == NOT_ENOUGH, found.reason
    assert found.explained.high < 0.8 and found.stray > 0.05
    assert isinstance(found.gain, Estimate) and found.gain.low > 0
    assert "pp" in found.reason


def test_the_explained_share_is_what_was_planted():
    """Against the share computed from the chances themselves."""
    found = holdout(played(40_000, bonds=0.06), 8)
    v, size = 8, 2
    random = np.random.default_rng(5)
    dealt = random.permuted(np.tile(np.arange(v), (20_000, 1)), axis=1)[:, : 2 * size].reshape(-1, 2, size)
    counts = (dealt[..., None] == np.arange(v)).sum(axis=2)
    synergy = np.triu(np.random.default_rng(99).normal(0, 0.06, (v, v)), 1)
    worth = counts @ STRENGTH + np.einsum("nki,ij,nkj->nk", counts, synergy, counts)
    y, x = worth[:, 0] - worth[:, 1], (counts[:, 0] - counts[:, 1]).astype(float)
    left = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    assert found.explained.low - 0.02 <= 1 - left.var() / y.var() <= found.explained.high + 0.02
    assert found.stray == pytest.approx(left.std(), rel=0.15)


def test_heroes_without_strength_leave_it_open():
    """Nothing to explain must not read as nothing explained."""
    for seed in range(6):
        found = holdout(played(20_000, seed, strength=np.zeros(8)), 8)
        assert found.verdict == OPEN, found.reason
        assert isinstance(found.explained, Refusal) and found.stray < 0.02
        assert found.skill.low < 0.001


def test_few_matchups_are_refused():
    found = holdout(played(30), 8)
    assert isinstance(found, Refusal) and "too few" in found.reason and found.instead


def test_different_agents_are_refused():
    piece = played(200)[0]
    assert isinstance(holdout([Piece(piece.counts, piece.scores, True)], 8), Refusal)


def test_heroes_that_always_come_together_are_refused():
    counts = np.zeros((400, 2, 9), np.int8)
    random = np.random.default_rng(1)
    for row in counts:
        for side in row:
            chosen = random.choice(7, 3, replace=False)
            side[chosen] = 1
            side[[7, 8]] = side[0]
    found = holdout([Piece(counts, np.full((400, 2), 0.5))], 9)
    assert isinstance(found, Refusal) and "do not determine" in found.reason


def test_all_drawn_is_a_defined_result():
    pieces = played(3000)
    drawn = [Piece(p.counts, np.full_like(p.scores, 0.5)) for p in pieces]
    found = holdout(drawn, 8)
    assert found.brier.value == pytest.approx(0) and found.verdict == OPEN
    assert isinstance(found.explained, Refusal)


def test_matchups_that_never_repeat_refuse_the_share_and_use_pairs():
    random = np.random.default_rng(1)
    n, v = 3000, 16
    dealt = random.permuted(np.tile(np.arange(v), (n, 1)), axis=1)[:, :8].reshape(n, 2, 4)
    counts = (dealt[..., None] == np.arange(v)).sum(axis=2).astype(np.int8)
    worth = counts @ np.linspace(-0.1, 0.1, v)
    score = random.binomial(2, np.clip(0.5 + worth[:, 0] - worth[:, 1], 0, 1)) / 2
    found = holdout([Piece(counts, np.stack([score, 1 - score], axis=1))], v)
    assert isinstance(found.explained, Refusal) and "twice" in found.explained.reason
    assert isinstance(found.gain, Estimate) and found.gain.value < found.skill.value


def test_swapping_the_sides_changes_nothing():
    pieces = played(4000)
    swapped = [
        Piece(p.counts[:, ::-1], p.scores[:, ::-1], False, p.pairs, p.products[:, ::-1, ::-1]) for p in pieces
    ]
    one, two = holdout(pieces, 8), holdout(swapped, 8)
    assert two.slope.value == pytest.approx(one.slope.value) and two.brier.value == pytest.approx(
        one.brier.value
    )
    assert two.verdict == one.verdict


def test_three_sides():
    found = holdout(played(20_000, sides=3), 8)
    assert found.slope.low < 1 < found.slope.high and found.skill.low > 0


def test_the_hash_ignores_the_order_of_sides_and_splits_evenly():
    counts = played(20_000)[0].counts
    assert (matchup_hash(counts) == matchup_hash(counts[:, ::-1])).all()
    assert (matchup_hash(counts) % np.uint64(2)).mean() == pytest.approx(0.5, abs=0.1)
    assert len(np.unique(matchup_hash(counts))) == 210  # 28 teams against 15, either way round
