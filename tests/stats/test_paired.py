"""Paired differences: the textbook numbers, signs, strata, and what a sample without spread may say."""

from __future__ import annotations

import numpy as np
import pytest

from balance.stats.paired import METHOD, paired_difference

SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def planted(n, truth, seed):
    """Two scores a pair whose expectations differ by `truth`, with much in common."""
    dice = np.random.default_rng(seed)
    both = dice.choice(SCORES[1:4], n)
    moved = dice.random(n)  # a pair in ten goes a quarter down, others a quarter up
    up, down = moved < 0.1 + 4 * truth, moved > 0.9
    return both + 0.25 * up - 0.25 * down, both


def test_the_textbook_paired_comparison():
    from scipy.stats import ttest_rel

    first, second = planted(400, 0.1, 1)
    found, oracle = paired_difference(first, second), ttest_rel(first, second)
    assert found.estimate.value == pytest.approx((first - second).mean())
    assert found.estimate.se == pytest.approx((first - second).std(ddof=1) / 20)
    assert found.p == pytest.approx(oracle.pvalue)
    low, high = oracle.confidence_interval()
    assert (found.estimate.low, found.estimate.high) == pytest.approx((low, high))
    assert (found.estimate.n, found.estimate.method) == (400, METHOD)
    assert found.changed == (first != second).sum()
    assert found.detectable == pytest.approx(2.8016 * found.estimate.se, rel=1e-3)


def test_swapping_turns_the_sign_and_nothing_else():
    first, second = planted(100, 0.2, 2)
    one, other = paired_difference(first, second), paired_difference(second, first)
    assert one.estimate.value == -other.estimate.value > 0
    assert (one.estimate.se, one.p) == (other.estimate.se, other.p)
    assert (one.estimate.low, one.estimate.high) == (-other.estimate.high, -other.estimate.low)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    hits = 0
    for seed in range(1000):
        found = paired_difference(*planted(150, 0.05, seed)).estimate
        hits += found.low <= 0.05 <= found.high
    assert 0.93 <= hits / 1000 <= 0.97


def test_differences_between_cells_are_no_error():
    cell = np.repeat([0, 1], 500)
    first, second = planted(1000, 0.1, 3)
    apart = first + 0.0
    apart[cell == 1] -= 0.5  # the second cell says the opposite, always
    pooled, stratified = paired_difference(apart, second), paired_difference(apart, second, cell)
    assert stratified.estimate.value == pooled.estimate.value
    inside = [(apart - second)[cell == c] for c in (0, 1)]
    expected = np.sqrt(sum(part.var(ddof=1) * 500 for part in inside)) / 1000
    assert stratified.estimate.se == pytest.approx(expected)
    assert stratified.estimate.se < pooled.estimate.se


def test_no_difference_at_all_is_zero_but_not_for_certain():
    same = np.full(120, 0.5)
    found = paired_difference(same, same)
    assert (found.estimate.value, found.estimate.se, found.p, found.changed) == (0.0, 0.0, 1.0, 0)
    # With a share of 2.47 % of pairs that differ, 120 pairs show none in one sample of twenty.
    assert found.estimate.high == -found.estimate.low == found.detectable
    assert (1 - found.estimate.high) ** 120 == pytest.approx(0.05)


def test_a_difference_that_never_varies():
    found = paired_difference(np.ones(6), np.zeros(6))
    assert (found.estimate.value, found.estimate.high) == (1.0, 1.0)
    assert found.p == pytest.approx(2 / 64)
    assert paired_difference(np.ones(1), np.zeros(1)).p == 1.0


def test_bounds_and_few_pairs():
    wide = paired_difference(np.array([1.0, 0.0]), np.array([0.0, 0.0])).estimate
    assert (wide.low, wide.high) == (-1.0, 1.0)
    each = paired_difference(np.array([1.0, 0.0]), np.zeros(2), np.array([0, 1]))
    assert each.estimate.value == 0.5 and each.p == 1.0


@pytest.mark.parametrize(("first", "second"), [([], []), ([1.0], [1.0, 0.0])])
def test_what_is_no_pairs_is_refused(first, second):
    with pytest.raises(ValueError, match="no pairs"):
        paired_difference(np.array(first), np.array(second))
