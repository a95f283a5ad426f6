"""Bradley-Terry with ties against published fits."""

import json
from pathlib import Path

import numpy as np
import pytest

from balance.stats.davidson import PRIOR_DRIVEN, Games, Ratings, davidson
from balance.stats.estimate import Refusal

CASES = Path(__file__).parent.parent / "cases" / "stats"


def case(name):
    return json.loads((CASES / name).read_text())


def baseball():
    data = case("06_bradley_terry_baseball.json")
    rows = np.array(data["rows_home_away_homewins_awaywins"])
    counts = np.stack([rows[:, 2], 0 * rows[:, 2], rows[:, 3]], axis=1).astype(float)
    return data, Games(rows[:, 0], rows[:, 1], counts, 7)


def test_baseball_without_home_advantage():
    data, games = baseball()
    found = davidson(games)
    assert isinstance(found, Ratings)
    for place, team in enumerate(data["teams"]):
        assert found.ratings[place] == pytest.approx(data["model1_sum_to_zero"][team], abs=1e-6)
        error = np.sqrt(found.covariance[place, place])
        assert error == pytest.approx(data["model1_sum_to_zero_se"][team], abs=1e-6)
    assert found.ties == 0


def test_baseball_with_home_advantage():
    data, games = baseball()
    found = davidson(games, home=True)
    assert isinstance(found, Ratings)
    assert found.home == pytest.approx(data["model2_home"], abs=1e-6)
    assert found.home_se == pytest.approx(data["model2_home_se"], abs=1e-6)
    shares = games.counts / games.counts.sum(axis=1, keepdims=True)
    saturated = (games.counts * np.log(np.maximum(shares, 1e-300))).sum()
    assert 2 * (saturated - found.log_likelihood) == pytest.approx(data["model2_deviance"], abs=1e-6)
    for team, rating in data["model2_logit_vs_Baltimore"].items():
        place = data["teams"].index(team)
        assert found.ratings[place] - found.ratings[0] == pytest.approx(rating, abs=1e-6)


def test_puddings_with_ties():
    data = case("08_davidson_ties_pudding.json")
    rows = np.array(data["rows_i_j_wij_wji_tij"])
    games = Games(rows[:, 0] - 1, rows[:, 1] - 1, rows[:, [2, 4, 3]].astype(float), 6)
    found = davidson(games)
    assert isinstance(found, Ratings)
    strengths = np.exp(found.ratings)
    assert strengths / strengths.sum() == pytest.approx(data["computed_mle_pi"], abs=1e-6)
    # The published run stopped after seven iterations.
    assert strengths / strengths.sum() == pytest.approx(data["published_pi"], abs=3e-5)
    assert found.ties == pytest.approx(data["published_nu"], abs=data["tolerance"])
    assert found.log_likelihood == pytest.approx(data["loglik"], abs=1e-6)


def games_of(wins):
    wins = np.array(wins)
    first, second = np.triu_indices(len(wins), 1)
    met = (wins + wins.T)[first, second] > 0
    first, second = first[met], second[met]
    counts = np.stack([wins[first, second], 0 * wins[first, second], wins[second, first]], axis=1)
    return Games(first, second, counts, len(wins))


@pytest.mark.parametrize("row", case("09_bt_existence.json")["rows"], ids=lambda row: row["name"][:14])
def test_a_maximum_exists_only_when_wins_lead_everywhere(row):
    found = davidson(games_of(row["wins"]))
    if row["strong_components"] > 1:
        assert isinstance(found, Refusal)
    else:
        assert isinstance(found, Ratings)
        expected = np.array(row["choix_opt_alpha_0"])
        assert found.ratings == pytest.approx(expected - expected.mean(), abs=1e-5)


@pytest.mark.parametrize("row", case("09_bt_existence.json")["rows"], ids=lambda row: row["name"][:14])
def test_a_ridge_gives_a_number_and_says_so(row):
    found = davidson(games_of(row["wins"]), ridge=0.1)
    assert isinstance(found, Ratings)
    assert (found.label == PRIOR_DRIVEN) == (row["strong_components"] > 1)
    expected = np.array(row["choix_opt_alpha_0.1"])
    assert found.ratings == pytest.approx(expected - expected.mean(), abs=1e-4)


def of_rows(*rows):
    """Games of rows (first, second, wins, ties, losses)."""
    table = np.array(rows)
    return Games(table[:, 0], table[:, 1], table[:, 2:].astype(float), int(table[:, :2].max()) + 1)


@pytest.mark.parametrize(
    "games",
    [
        of_rows((0, 1, 5, 0, 5), (1, 2, 0, 5, 0)),  # the third only tied, with one of equals
        of_rows((0, 1, 5, 0, 0), (1, 2, 5, 0, 0), (0, 2, 0, 5, 0)),  # in order, but the ends tied
    ],
)
def test_a_tie_connects(games):
    found = davidson(games)
    assert isinstance(found, Ratings)
    assert found.label != PRIOR_DRIVEN
    assert np.abs(found.ratings).max() < 3
    assert (np.diag(found.covariance) > 0).all()


@pytest.mark.parametrize(
    "games",
    [
        of_rows((0, 1, 5, 5, 0)),
        of_rows((0, 1, 0, 1, 1)),
        of_rows((0, 1, 3, 1, 0), (1, 2, 2, 2, 0), (0, 2, 4, 0, 0)),
    ],
)
def test_ties_that_run_away_with_the_wins_are_refused(games):
    """Nobody ever beat a better one: the larger the gaps and the chance of ties, the likelier."""
    found = davidson(games)
    assert isinstance(found, Refusal)
    held = davidson(games, ridge=0.1)
    assert held.label == PRIOR_DRIVEN
    assert np.abs(held.ratings).max() < 10
    assert (np.diag(held.covariance) > 0).all()


@pytest.mark.parametrize("ridge", [0.0, 0.1])
def test_nothing_but_ties_is_refused(ridge):
    found = davidson(Games(np.array([0]), np.array([1]), np.array([[0.0, 5.0, 0.0]]), 2), ridge=ridge)
    assert isinstance(found, Refusal)


def test_clustered_errors_of_independent_games_are_those_of_the_model():
    random = np.random.default_rng(6)
    outcomes = random.multinomial(1, [0.5, 0.2, 0.3], 20_000).astype(float)
    counts, products = outcomes.sum(axis=0)[None], (outcomes.T @ outcomes)[None]
    one = Games(np.array([0]), np.array([1]), counts, 2)
    clustered = Games(one.first, one.second, counts, 2, products, per_pair=1.0)
    plain, sandwich = davidson(one), davidson(clustered)
    assert isinstance(plain, Ratings) and isinstance(sandwich, Ratings)
    assert np.sqrt(sandwich.covariance[0, 0] / plain.covariance[0, 0]) == pytest.approx(1, abs=0.02)


def test_pairs_that_repeat_their_first_game_have_errors_of_single_games():
    """Two identical games a pair carry the information of one."""
    random = np.random.default_rng(7)
    outcomes = 2 * random.multinomial(1, [0.5, 0.2, 0.3], 20_000).astype(float)
    counts, products = outcomes.sum(axis=0)[None], (outcomes.T @ outcomes)[None]
    twice = davidson(Games(np.array([0]), np.array([1]), counts, 2, products, per_pair=2.0))
    naive = davidson(Games(np.array([0]), np.array([1]), counts, 2))
    assert isinstance(twice, Ratings) and isinstance(naive, Ratings)
    assert twice.covariance[0, 0] / naive.covariance[0, 0] == pytest.approx(2, abs=0.05)
