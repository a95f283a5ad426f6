"""Weights of planted estimates come back; no step makes things worse; odd inputs have defined answers."""

from __future__ import annotations

import numpy as np
import pytest

from balance.stats.calibrate import calibrate, cross_entropy

TRUE = np.array([0.9, -0.5, 0.0])


def logistic(facts):
    return lambda weights: 1 / (1 + np.exp(-(weights @ facts.T)))


def algebraic(facts):
    """A squeeze with a scale as its last weight, as evaluations of games have it."""

    def estimates(weights):
        share = (weights[:, :-1] @ facts.T) / weights[:, -1:]
        return 0.5 + 0.5 * share / (1 + np.abs(share))

    return estimates


@pytest.fixture(scope="module")
def facts():
    return np.random.default_rng(1).normal(size=(20_000, 3))


def test_exact_chances_give_the_exact_weights(facts):
    found = calibrate(logistic(facts), logistic(facts)(TRUE[None])[0], np.zeros(3))
    assert found.weights == pytest.approx(TRUE, abs=1e-4)


def test_drawn_results_give_the_maximum_of_the_likelihood(facts):
    won = (np.random.default_rng(2).random(len(facts)) < logistic(facts)(TRUE[None])[0]).astype(float)
    found = calibrate(logistic(facts), won, np.array([0.1, 0.1, 0.1]))
    value = logistic(facts)(found.weights[None])[0]
    assert np.abs(facts.T @ (won - value)).max() / len(facts) < 1e-5  # the score is zero there
    assert found.weights == pytest.approx(TRUE, abs=0.06)  # 3 standard errors are about 0.05
    assert found.loss == pytest.approx(cross_entropy(value, won))
    assert found.loss < found.before


def test_a_squeeze_that_is_not_logistic(facts):
    true = np.array([1.0, -2.0, 0.5, 3.0])
    results = algebraic(facts)(true[None])[0]
    found = calibrate(algebraic(facts), results, np.array([0.5, -0.5, 0.1, 6.0]))
    # only ratios to the scale can be known
    assert found.weights[:3] / found.weights[3] == pytest.approx(true[:3] / true[3], abs=1e-3)
    assert found.weights[3] > 0


def test_a_weight_that_changes_nothing_stays(facts):
    def blind(weights):
        return logistic(facts[:, :2])(weights[:, :2])

    found = calibrate(blind, blind(TRUE[None])[0], np.array([0.1, 0.1, 7.0]))
    assert found.weights[:2] == pytest.approx(TRUE[:2], abs=1e-4)
    assert found.weights[2] == 7.0


def test_results_that_follow_from_the_facts_end_somewhere():
    facts = np.array([[1.0], [2.0], [-1.0], [-2.0]])
    found = calibrate(logistic(facts), np.array([1.0, 1.0, 0.0, 0.0]), np.zeros(1))
    assert np.isfinite(found.weights).all()
    assert found.weights[0] > 3
    assert found.loss < 0.02


def test_draws_alone_pull_to_one_half(facts):
    found = calibrate(logistic(facts), np.full(len(facts), 0.5), np.array([1.0, 1.0, 1.0]))
    assert found.weights == pytest.approx(np.zeros(3), abs=1e-3)


def test_without_positions():
    with pytest.raises(ValueError, match="no positions"):
        calibrate(lambda weights: np.zeros((len(weights), 0)), np.zeros(0), np.ones(2))


def test_no_number_is_infinitely_bad():
    assert cross_entropy(np.array([np.nan, 0.5]), np.array([1.0, 0.0])) == np.inf
    assert cross_entropy(np.array([0.5, 0.5]), np.array([1.0, 0.0])) == pytest.approx(np.log(2))
    assert cross_entropy(np.array([0.0, 1.0]), np.array([1.0, 0.0])) == pytest.approx(-np.log(1e-6), rel=1e-6)
