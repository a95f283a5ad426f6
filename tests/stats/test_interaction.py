"""Hero by arena: exact arithmetic, error rates, what is found and what is refused."""

import math

import numpy as np
import pytest

from balance.stats.estimate import Refusal, interval
from balance.stats.interaction import Interactions, interactions, named


def effects_of(values, errors):
    """By hero and arena, from arrays of shape (heroes, arenas)."""
    return {
        f"h{i}": {f"m{j}": interval(float(v), float(errors[i][j]), 100, "x") for j, v in enumerate(row)}
        for i, row in enumerate(values)
    }


def test_departures_by_hand():
    found = interactions(effects_of([[0.1, 0.0, -0.04]], [[0.01, 0.02, 0.03]]))
    assert isinstance(found, Interactions)
    row = found.heroes[0]
    assert [d.value for d in row.departures.values()] == pytest.approx([0.08, -0.02, -0.06])
    first = row.departures["m0"]
    assert first.se == pytest.approx(math.sqrt(0.01**2 * 4 / 9 + (0.02**2 + 0.03**2) / 9))
    weights = 1 / np.array([0.01, 0.02, 0.03]) ** 2
    centre = weights @ [0.1, 0.0, -0.04] / weights.sum()
    assert row.q == pytest.approx(weights @ (np.array([0.1, 0.0, -0.04]) - centre) ** 2)
    assert row.freedom == 2 and found.n == 300


def simulated(seed, planted=0.0, heroes=10, arenas=5):
    random = np.random.default_rng(seed)
    truth = np.zeros((heroes, arenas))
    truth[0, 1] = planted
    errors = random.uniform(0.01, 0.02, (heroes, arenas))
    return interactions(effects_of(random.normal(truth, errors), errors))


def test_without_interaction_little_is_named_and_p_is_uniform():
    from scipy.stats import chi2, kstest

    found = [simulated(seed) for seed in range(200)]
    p = [chi2.sf(row.q, row.freedom) for f in found for row in f.heroes]
    assert kstest(p, "uniform").pvalue > 0.001
    assert np.mean([bool(named(f)) for f in found]) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)
    assert np.median([f.spread for f in found]) < 0.004


def test_a_planted_departure_is_named_first():
    found = simulated(1, planted=0.1)
    assert found.heroes[0].hero == "h0" and found.heroes[0].p < 0.01
    hero, arena, departure = named(found)[0]
    assert (hero, arena) == ("h0", "m1") and departure.low < 0.08 < departure.high


def test_departures_cover_and_sum_to_zero():
    hits = []
    for seed in range(200):
        found = simulated(seed, planted=0.05)
        row = next(row for row in found.heroes if row.hero == "h0")
        assert sum(d.value for d in row.departures.values()) == pytest.approx(0, abs=1e-12)
        hits.append(row.departures["m1"].low <= 0.04 <= row.departures["m1"].high)
    assert np.mean(hits) == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / 200))


def test_flipped_effects_flip_departures_and_renaming_permutes():
    random = np.random.default_rng(2)
    values, errors = random.normal(size=(4, 3)), np.full((4, 3), 0.1)
    one, two = interactions(effects_of(values, errors)), interactions(effects_of(-values, errors))
    for row in one.heroes:
        other = next(r for r in two.heroes if r.hero == row.hero)
        assert other.q == pytest.approx(row.q) and other.p == pytest.approx(row.p)
        assert [d.value for d in other.departures.values()] == pytest.approx(
            [-d.value for d in row.departures.values()]
        )
    order = [2, 0, 3, 1]
    three = interactions(effects_of(values[order], errors))
    for place, old in enumerate(order):
        new = next(r for r in three.heroes if r.hero == f"h{place}")
        assert new.q == pytest.approx(next(r for r in one.heroes if r.hero == f"h{old}").q)


def test_refusals_and_gaps():
    assert isinstance(interactions(effects_of([[0.1]], [[0.01]])), Refusal)
    assert isinstance(interactions({}), Refusal)
    nothing = interactions(effects_of([[0.1, 0.2]], [[0.0, 0.0]]))
    assert isinstance(nothing, Refusal) and "two arenas" in nothing.reason
    partly = effects_of([[0.1, 0.2, 0.3], [0.1, 0.1, 0.1]], [[0.01, 0.01, 0.0], [0.0, 0.0, 0.01]])
    found = interactions(partly)
    assert [row.hero for row in found.heroes] == ["h0"] and set(found.heroes[0].departures) == {"m0", "m1"}


def test_forty_heroes_and_two():
    assert len(simulated(1, heroes=40).heroes) == 40
    assert len(simulated(1, heroes=2, arenas=2).heroes) == 2
