"""Skill and luck: planted shares are covered, exact analysis of variance, refusals."""

import math

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.luck import DealShare, deal_share, skill_steps


def pairs(w, n, seed):
    return np.random.default_rng(seed).binomial(2, w, n) / 2


def test_shares_by_hand_and_in_order():
    found = skill_steps(["random", "greedy", "mcts"], [pairs(0.9, 400, 1), pairs(0.55, 400, 2)])
    assert [step.stronger for step in found] == ["greedy", "mcts"]
    assert found[0].decided.value == pytest.approx(2 * found[0].score.value - 1)
    assert found[0].decided.se == pytest.approx(2 * found[0].score.se)
    assert found[0].p < 1e-10 and found[0].decided.n == 400


def test_planted_shares_are_covered():
    hits = [skill_steps(["a", "b"], [pairs(0.7, 200, seed)])[0].decided for seed in range(300)]
    assert np.mean([h.low <= 0.4 <= h.high for h in hits]) == pytest.approx(
        0.95, abs=3 * math.sqrt(0.95 * 0.05 / 300)
    )


def test_swapping_the_agents_flips_the_sign():
    scores = pairs(0.6, 300, 1)
    one, two = skill_steps(["a", "b"], [scores])[0], skill_steps(["b", "a"], [1 - scores])[0]
    assert one.decided.value == pytest.approx(-two.decided.value) and one.p == pytest.approx(two.p)


def test_a_ladder_without_games_is_refused_and_gaps_are_left_out():
    assert isinstance(skill_steps(["a"], []), Refusal)
    assert isinstance(skill_steps(["a", "b"], [[]]), Refusal)
    assert len(skill_steps(["a", "b", "c"], [[], pairs(0.6, 50, 1)])) == 1
    with pytest.raises(ValueError, match="neighbouring"):
        skill_steps(["a", "b"], [])


def test_winning_always_is_not_certain():
    found = skill_steps(["a", "b"], [np.ones(20)])[0]
    assert found.decided.value == 1.0 and 0.5 < found.decided.low < 1.0 and found.p < 1e-3


def test_one_pair_and_all_drawn_have_defined_answers():
    one = skill_steps(["a", "b"], [[0.5]])[0]
    assert one.decided.low < 0 < one.decided.high and one.p == 1.0
    drawn = skill_steps(["a", "b"], [np.full(50, 0.5)])[0]
    assert drawn.decided.value == 0 and drawn.decided.low < 0 < drawn.decided.high


def deals(share, count, repeats, seed):
    """Scores with the given part of their variance from the deal."""
    random = np.random.default_rng(seed)
    index = np.repeat(np.arange(count), repeats)
    values = random.normal(0, math.sqrt(share), count)[index]
    return index, values + random.normal(0, math.sqrt(1 - share), len(index))


def test_the_analysis_of_variance_by_hand():
    found = deal_share([0, 0, 1, 1], [1.0, 0.0, 3.0, 2.0])
    assert isinstance(found, DealShare)
    assert found.deal.value == pytest.approx((4 - 0.5) / (4 + 0.5))  # between 4, within 1/2
    from scipy.stats import f_oneway

    assert found.p == pytest.approx(f_oneway([1.0, 0.0], [3.0, 2.0]).pvalue)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_intervals_cover_the_planted_share(share):
    found = [deal_share(*deals(share, 60, 4, seed)).deal for seed in range(250)]
    assert np.mean([f.low <= share <= f.high for f in found]) == pytest.approx(
        0.95, abs=3 * math.sqrt(0.95 * 0.05 / 250)
    )
    spread, stated = np.std([f.value for f in found]), np.mean([f.se for f in found])
    assert stated == pytest.approx(spread, rel=0.2)


def test_no_deal_effect_gives_uniform_p_values():
    from scipy.stats import kstest

    assert kstest([deal_share(*deals(0.0, 40, 3, seed)).p for seed in range(300)], "uniform").pvalue > 0.001


def test_renaming_deals_changes_nothing():
    index, values = deals(0.4, 20, 3, 1)
    order = np.random.default_rng(2).permutation(len(index))
    one, two = deal_share(index, values), deal_share((7 * index + 3)[order], values[order])
    assert one.deal.value == pytest.approx(two.deal.value) and one.p == pytest.approx(two.p)


def test_deal_shares_that_cannot_be_measured():
    assert isinstance(deal_share([0, 1, 2], [0.0, 1.0, 0.5]), Refusal)
    assert isinstance(deal_share([0, 0, 0], [0.0, 1.0, 0.5]), Refusal)
    assert isinstance(deal_share([0, 0, 1, 1], [0.5] * 4), Refusal)
    certain = deal_share([0, 0, 1, 1], [1.0, 1.0, 0.0, 0.0])
    assert certain.deal.value == 1.0 and math.isnan(certain.deal.se)
