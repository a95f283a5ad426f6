"""The best mix against published equilibria, its bootstrap, and alpha-rank against published shares."""

import json
from pathlib import Path

import numpy as np
import pytest

from balance.stats.alpha_rank import alpha_rank
from balance.stats.best_mix import BestMix, best_mix, equilibrium
from balance.stats.estimate import Refusal
from balance.stats.matchups import matchups_of, matchups_of_counts

CASES = Path(__file__).parent.parent / "cases" / "stats"
NASH = json.loads((CASES / "11_nash_averaging.json").read_text())["games"]
ALPHA = json.loads((CASES / "10_alpha_rank.json").read_text())


@pytest.mark.parametrize("name", NASH)
def test_the_equilibrium_is_the_published_one(name):
    game = NASH[name]
    payoff, found = np.array(game["A"]), equilibrium(game["A"])
    if "exact" in game:
        assert found == pytest.approx(game["exact"], abs=1e-9)
    assert found == pytest.approx(game["maxent_nash_scipy_slsqp"], abs=1e-7)
    assert found == pytest.approx(game["maxent_nash_open_spiel_cvxpy"], abs=1e-6)
    scale = np.abs(payoff).max()
    assert payoff @ found / scale == pytest.approx(np.array(game["nash_average"]) / scale, abs=1e-8)


@pytest.mark.parametrize("seed", range(12))
def test_no_team_beats_the_mix(seed):
    random = np.random.default_rng(seed)
    k = random.integers(2, 12)
    payoff = random.normal(size=(k, k))
    payoff = payoff - payoff.T
    found = equilibrium(payoff)
    assert found.sum() == pytest.approx(1) and (found >= 0).all()
    assert (payoff @ found).max() < 1e-8


@pytest.mark.parametrize("seed", range(8))
def test_copies_share_the_weight_of_the_original(seed):
    """Copies leave many equilibria; the one with the largest entropy treats them alike."""
    random = np.random.default_rng(seed)
    payoff = random.normal(size=(5, 5))
    payoff = payoff - payoff.T
    doubled = np.repeat(np.repeat(payoff, [1, 2, 1, 3, 1], axis=0), [1, 2, 1, 3, 1], axis=1)
    one, two = equilibrium(payoff), equilibrium(doubled)
    assert two == pytest.approx(np.repeat(one / [1, 2, 1, 3, 1], [1, 2, 1, 3, 1]), abs=1e-6)


def test_several_equilibria_give_the_most_even_one():
    """Two teams beat all others and draw with each other: any share between them is an equilibrium."""
    payoff = np.array([[0, 0, 1.0, 1], [0, 0, 1, 1], [-1, -1, 0, 1], [-1, -1, -1, 0]])
    assert equilibrium(payoff) == pytest.approx([0.5, 0.5, 0, 0], abs=1e-9)


def test_nothing_to_choose_is_even():
    assert equilibrium(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    with pytest.raises(ValueError, match="antisymmetric"):
        equilibrium(np.ones((2, 2)))


def test_renaming_permutes_and_forty_teams_are_solved():
    random = np.random.default_rng(1)
    payoff = random.normal(size=(40, 40))
    payoff, order = payoff - payoff.T, random.permutation(40)
    assert equilibrium(payoff[np.ix_(order, order)]) == pytest.approx(equilibrium(payoff)[order], abs=1e-7)


def played(truth, pairs, seed=0, names="abcd"):
    """A round robin with the given chances of the first to win each game of a pair."""
    random = np.random.default_rng(seed)
    return matchups_of(list(names), {key: random.binomial(2, p, pairs) / 2 for key, p in truth.items()})


ROCK = {("a", "b"): 0.7, ("b", "c"): 0.7, ("a", "c"): 0.3}


def test_intervals_hold_the_truth():
    inside = 0
    for seed in range(60):
        found = best_mix(played(ROCK, 300, seed, "abc"), draws=100)
        inside += sum(entry.weight.low <= 1 / 3 <= entry.weight.high for entry in found.teams)
    assert inside / 180 >= 0.88


def test_a_dominant_team_is_the_whole_mix():
    found = best_mix(played({("a", "b"): 0.8, ("b", "c"): 0.6, ("a", "c"): 0.8}, 400, 1, "abc"))
    assert isinstance(found, BestMix)
    best = found.teams[0]
    assert best.team == "a" and best.weight.value == pytest.approx(1) and best.included == 1.0
    assert found.n == 1200 and all(entry.against.value <= 1e-9 for entry in found.teams)


def test_the_bootstrap_is_repeatable():
    one, two = (
        best_mix(played(ROCK, 50, 1, "abc"), 30, seed=4),
        best_mix(played(ROCK, 50, 1, "abc"), 30, seed=4),
    )
    assert one == two


def test_unfinished_tournaments_and_single_teams_are_refused():
    found = best_mix(played({("a", "b"): 0.5, ("c", "d"): 0.5}, 10))
    assert isinstance(found, Refusal) and "4 pairs of teams never met" in found.reason
    assert "groups that never met" in found.reason and "round_robin" in found.instead
    assert isinstance(best_mix(matchups_of_counts(["a"], {})), Refusal)


def test_all_drawn_is_even():
    counts = {key: np.array([0, 0, 30, 0, 0]) for key in ROCK}
    found = best_mix(matchups_of_counts(["a", "b", "c"], counts), draws=20)
    assert [entry.weight.value for entry in found.teams] == pytest.approx([1 / 3] * 3)


def test_no_draws_leave_the_weights_without_interval():
    entry = best_mix(played(ROCK, 50, 1, "abc"), draws=0).teams[0]
    assert np.isnan(entry.weight.se) and (entry.weight.low, entry.weight.high) == (0.0, 1.0)


def test_alpha_rank_of_the_published_game():
    found = alpha_rank(ALPHA["payoff"], ALPHA["alpha"], ALPHA["m"], ALPHA["use_local_selection_model"])
    assert found.shares == pytest.approx(ALPHA["published_pi"], abs=5e-8)
    assert found.shares == pytest.approx(ALPHA["computed_pi"], abs=1e-10)


@pytest.mark.parametrize("row", ALPHA["sweeps"], ids=lambda row: f"{row['game'][:6]}-{row['alpha']}")
def test_alpha_rank_over_its_parameter(row):
    assert alpha_rank(row["A"], row["alpha"], row["m"]).shares == pytest.approx(row["pi"], abs=1e-9)


def test_alpha_rank_flips_with_its_own_parameter():
    """Why it is no headline: the same game, another alpha, another order."""
    payoff = next(row["A"] for row in ALPHA["sweeps"] if "biased" in row["game"])
    weak, strong = alpha_rank(payoff, 0.01, 50).shares, alpha_rank(payoff, 1, 50).shares
    assert abs(weak[1] - strong[1]) > 0.25


def test_alpha_rank_needs_two():
    assert isinstance(alpha_rank([[0.0]], 1.0, 50), Refusal)
