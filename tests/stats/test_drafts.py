"""The order of a draft and agents that met: as from single pairs, and refused where nothing can be said."""

from dataclasses import replace

import numpy as np
import pytest

from balance.stats.drafts import GIVEN, DraftOrder, draft_order, scaled_sample
from balance.stats.encounters import ONE_WAY, encounters
from balance.stats.estimate import Refusal
from balance.stats.luck import NEVER_MET
from tests.stats.planted import Truth, planted_sums

TEAMS = {"x": (0, 1, 2, 3), "y": (4, 5, 6, 7)}


def with_agents(sums, *agents):
    """The same pairs, as if the players had had these agents."""
    cells = [replace(cell, cell=replace(cell.cell, agents=agents)) for cell in sums.cells]
    return replace(sums, cells=cells)


def test_drafting_first_is_first_less_second_with_two_sides():
    sums = planted_sums(Truth(), 500, 1)
    order = draft_order(sums, 0)
    assert isinstance(order, DraftOrder)
    first, second = order.places
    assert order.first.value == pytest.approx(first.value - second.value)
    assert order.first.se == pytest.approx(2 * first.se)
    assert order.detectable == pytest.approx(2.8 * order.first.se, rel=0.01)
    assert order.first.n == first.n == 1000


def test_a_sample_of_cells_has_the_stratified_error():
    sums = planted_sums(Truth(), 500, 1)
    cells = sums.of(0)
    sample = scaled_sample(cells, "player_0", 1.0, 0.0)
    single = [scaled_sample([cell], "player_0", 1.0, 0.0) for cell in cells]
    assert sample.mean == pytest.approx(np.mean([one.mean for one in single]))
    assert sample.se == pytest.approx(np.sqrt(sum(one.se**2 for one in single)) / len(cells))


@pytest.mark.parametrize("mode", ["ffa3", "ffa4"])
def test_with_more_sides_even_is_zero_and_all_is_one(mode):
    k = int(mode[-1])
    heroes = {"heroes": tuple("abcdefghijklmnop"), "strength": (0.0,) * 16}
    order = draft_order(planted_sums(Truth(mode=mode, **heroes), 300, 2), 0)
    assert len(order.places) == k
    assert order.first.value == pytest.approx((k * order.places[0].value - 1) / (k - 1))
    assert order.first.low < 0 < order.first.high


def test_random_drafters_are_fair_in_as_many_runs_as_promised():
    orders = [draft_order(planted_sums(Truth(), 100, seed), 0) for seed in range(60)]
    covered = np.mean([order.first.low <= 0 <= order.first.high for order in orders])
    assert covered > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 60)


def test_given_rosters_and_single_pairs_are_refused():
    assert draft_order(planted_sums(Truth(teams=TEAMS), 20, 1), 0) == GIVEN
    assert isinstance(draft_order(planted_sums(Truth(), 1, 1), 0), Refusal)


def test_agents_that_met_are_ranked_by_what_they_scored():
    sums = planted_sums(Truth(), 400, 3)
    better = float(np.mean([c.moments.total["player_0"] / c.moments.n for c in sums.cells])) >= 0.5
    step = encounters(with_agents(sums, "greedy", "random"))[0]
    assert (step.stronger, step.weaker) == (("greedy", "random") if better else ("random", "greedy"))
    assert step.decided.value == pytest.approx(2 * step.score.value - 1) and step.decided.value >= 0
    swapped = encounters(with_agents(sums, "random", "greedy"))[0]
    assert swapped.decided.value == pytest.approx(step.decided.value)
    assert swapped.stronger == step.weaker


def test_agents_that_never_met_or_held_teams_of_their_own_are_refused():
    assert encounters(planted_sums(Truth(), 20, 1)) == NEVER_MET
    assert encounters(with_agents(planted_sums(Truth(), 20, 1), "greedy", "greedy")) == NEVER_MET
    given = planted_sums(Truth(teams=TEAMS), 20, 1)
    assert encounters(with_agents(given, "greedy", "random")) == ONE_WAY
    heroes = {"heroes": tuple("abcdefghijklmnop"), "strength": (0.0,) * 16}
    three = planted_sums(Truth(mode="ffa3", **heroes), 20, 1)
    assert encounters(with_agents(three, "greedy", "random", "random")) == NEVER_MET
