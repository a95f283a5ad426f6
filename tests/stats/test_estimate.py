"""Holm, Cochran, quantiles and the smallest effect that can be seen."""

import math

import numpy as np
import pytest

from balance.stats.estimate import cochran, detectable, holm, interval, t_quantile, two_sided


def test_holm_adjusts_step_down_in_the_given_order():
    assert holm(np.array([0.04, 0.01, 0.03])) == pytest.approx([0.06, 0.03, 0.06])


def test_holm_never_exceeds_one_and_takes_nothing():
    assert holm(np.array([0.9, 0.8])) == pytest.approx([1.0, 1.0])
    assert len(holm(np.array([]))) == 0


def test_holm_controls_the_family_wise_error():
    random = np.random.default_rng(3)
    wrong = np.mean([(holm(random.random(10)) < 0.05).any() for _ in range(4000)])
    assert wrong == pytest.approx(0.05, abs=0.012)


def test_cochran_is_chi_square_when_values_are_equal():
    random = np.random.default_rng(4)
    errors = np.array([0.5, 1.0, 2.0])
    found = [cochran(random.normal(0, errors), errors)[1] for _ in range(2000)]
    assert np.mean(np.array(found) < 0.1) == pytest.approx(0.1, abs=0.025)


def test_cochran_by_hand():
    q, p, freedom = cochran(np.array([0.0, 2.0]), np.array([1.0, 1.0]))
    assert (q, freedom) == (2.0, 1)
    assert p == pytest.approx(0.1573, abs=1e-4)


def test_one_value_cannot_disagree_with_itself():
    assert cochran(np.array([1.0, np.nan]), np.array([1.0, 1.0])) == (0.0, 1.0, 0)


def test_smallest_effect_is_two_point_eight_standard_errors():
    assert detectable(1.0) == pytest.approx(2.8016, abs=1e-4)


def test_smallest_effect_is_found_with_its_power():
    random = np.random.default_rng(5)
    effect = detectable(1.0)
    found = np.mean([two_sided(random.normal(effect), 1.0) < 0.05 for _ in range(4000)])
    assert found == pytest.approx(0.8, abs=0.02)


def test_t_interval_is_wider_than_the_normal_one_for_few_units():
    assert t_quantile(0.975, 4) == pytest.approx(2.776, abs=1e-3)
    assert t_quantile(0.975, math.inf) == pytest.approx(1.960, abs=1e-3)


def test_an_unknown_error_leaves_the_whole_range():
    found = interval(0.5, math.nan, 1, "m", 0, (0.0, 1.0))
    assert (found.low, found.high) == (0.0, 1.0)
    assert two_sided(0.5, math.nan) == 1.0
