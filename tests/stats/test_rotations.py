"""Places in the turn order with three and four seats."""

import math

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.rotations import Places, place_results


def rotations(n, chances, seed, games=3):
    """Mean score by place over the games of each rotation."""
    random = np.random.default_rng(seed)
    return random.multinomial(games, chances, n) / games


def test_means_errors_and_gaps_by_hand():
    values = rotations(100, [0.5, 0.3, 0.2], 1)
    found = place_results(values)
    assert isinstance(found, Places)
    assert [p.value for p in found.places] == pytest.approx(values.mean(axis=0))
    assert found.places[0].se == pytest.approx(values[:, 0].std(ddof=1) / 10)
    gap = values[:, 0] - values[:, 2]
    assert (found.gaps[0, 2].value, found.gaps[0, 2].se) == pytest.approx((gap.mean(), gap.std(ddof=1) / 10))
    assert sum(p.value for p in found.places) == pytest.approx(1)


def test_with_two_places_it_is_the_t_test():
    from scipy.stats import ttest_1samp

    values = rotations(60, [0.6, 0.4], 2, games=2)
    assert place_results(values).p == pytest.approx(ttest_1samp(values[:, 0], 0.5).pvalue)


@pytest.mark.parametrize("k", [3, 4])
def test_equal_places_give_uniform_p_values(k):
    from scipy.stats import kstest

    found = [place_results(rotations(200, [1 / k] * k, seed, k)) for seed in range(300)]
    assert kstest([f.p for f in found], "uniform").pvalue > 0.001
    assert np.mean([min(f.place_p) < 0.05 for f in found]) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)
    assert np.mean([min(f.gap_p.values()) < 0.05 for f in found]) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)


def test_a_planted_advantage_is_found_and_covered():
    chances, hits = [0.4, 0.33, 0.27], 0
    for seed in range(150):
        found = place_results(rotations(300, chances, seed))
        hits += found.places[0].low <= 0.4 <= found.places[0].high
        hits += found.gaps[0, 2].low <= 0.13 <= found.gaps[0, 2].high
    assert found.p < 0.001
    assert hits / 300 == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / 150))


def test_permuted_places_permute_the_answer():
    values = rotations(100, [0.5, 0.3, 0.2], 3)
    one, two = place_results(values), place_results(values[:, [2, 0, 1]])
    assert one.statistic == pytest.approx(two.statistic) and one.p == pytest.approx(two.p)
    assert two.places[0].value == pytest.approx(one.places[2].value)
    assert two.gaps[0, 1].value == pytest.approx(-one.gaps[0, 2].value)


def test_few_rotations_are_refused_and_all_drawn_is_no_advantage():
    found = place_results(rotations(20, [0.5, 0.3, 0.2], 1))
    assert isinstance(found, Refusal) and "20 rotations are too few" in found.reason
    assert isinstance(place_results(np.zeros((0, 3))), Refusal)
    drawn = place_results(np.full((50, 3), 1 / 3))
    assert drawn.p == 1.0 and drawn.statistic == 0.0 and set(drawn.gap_p.values()) == {1.0}


def test_places_that_never_varied_are_left_out_of_the_joint_test():
    values = np.tile([0.5, 0.3, 0.2], (50, 1))
    values[:, :2] += np.random.default_rng(1).choice([-0.1, 0.1], (50, 1)) * [[1, -1]]
    found = place_results(values)
    assert math.isfinite(found.statistic) and 0 <= found.p <= 1
