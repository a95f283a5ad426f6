"""False discoveries: the step-up adjustment by hand, and its rate."""

import numpy as np
import pytest

from balance.stats.multiple import benjamini_hochberg, holm


def test_by_hand():
    assert benjamini_hochberg(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_it_is_what_scipy_gives():
    from scipy.stats import false_discovery_control

    values = np.random.default_rng(1).random(50) ** 2
    assert benjamini_hochberg(values) == pytest.approx(false_discovery_control(values))


def test_ties_nothing_and_unknown():
    assert benjamini_hochberg(np.array([0.2, 0.2, 0.2])) == pytest.approx([0.2, 0.2, 0.2])
    assert len(benjamini_hochberg(np.array([]))) == 0
    found = benjamini_hochberg(np.array([0.01, np.nan, 0.02]))
    assert np.isnan(found[1]) and found[[0, 2]] == pytest.approx([0.02, 0.02])


def test_it_is_never_stricter_than_holm():
    values = np.random.default_rng(2).random(30)
    assert (benjamini_hochberg(values) <= holm(values) + 1e-12).all()


def test_false_discoveries_stay_below_their_share():
    from scipy.special import ndtr

    random, shares = np.random.default_rng(3), []
    for _ in range(1500):
        scores = random.normal(size=20) + np.repeat([3.0, 0.0], [5, 15])
        found = benjamini_hochberg(2 * ndtr(-np.abs(scores))) <= 0.05
        shares.append(found[5:].sum() / max(found.sum(), 1))
    assert np.mean(shares) <= 0.05
    assert np.mean(shares) >= 0.02  # q times the share of true nulls is .0375
