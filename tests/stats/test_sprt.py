"""Sequential ratios against the unit tests of engine testers, and their long-run behaviour."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.sprt import operating, sprt

CASES = Path(__file__).parent.parent / "cases" / "stats"
RATIOS = json.loads((CASES / "04_sprt_llr.json").read_text())["cases"]
LONG_RUN = json.loads((CASES / "21_sprt_operating_characteristics.json").read_text())


@pytest.mark.parametrize("case", RATIOS, ids=lambda c: f"{c['model']}-{c['published_llr']}")
def test_the_ratio_is_the_published_one(case):
    found = sprt(
        case["results_low_to_high"], case["elo0"], case["elo1"], case["model"], case["alpha"], case["beta"]
    )
    assert found.llr == pytest.approx(case["computed_llr"], abs=1e-4)
    if case["published_llr"] is not None:
        # Two ratios beyond 100 were printed from a rounded constant.
        assert found.llr == pytest.approx(case["published_llr"], abs=0.01, rel=3e-4)
    assert (found.lower, found.upper) == pytest.approx((case["lower"], case["upper"]))
    assert found.n == sum(case["results_low_to_high"])
    assert found.state == (
        "H1" if found.llr >= case["upper"] else "H0" if found.llr <= case["lower"] else "open"
    )


def test_pairs_and_games_of_the_same_data_are_not_the_same():
    """The example of the design: 2.25 as pairs, 0.92 as independent games."""
    assert sprt([365, 16618, 36229, 16974, 390], 0, 2).llr == pytest.approx(2.25, abs=0.01)
    assert sprt([36027, 68692, 36433], 0, 2).llr == pytest.approx(0.92, abs=0.01)


@pytest.mark.parametrize("model", ["logistic", "normalized", "bayeselo", "cutechess"])
def test_swapping_the_players_flips_the_sign(model):
    assert sprt([30, 50, 41], 2, 9, model).llr == pytest.approx(
        -sprt([41, 50, 30], -9, -2, model).llr, abs=1e-6
    )


def test_the_same_strength_twice_tells_nothing():
    assert sprt([10, 20, 15], 3, 3).llr == pytest.approx(0, abs=1e-9)


def test_refusals():
    assert isinstance(sprt([0, 0, 0], 0, 5), Refusal)
    assert isinstance(sprt([1, 2, 3, 2, 1], 0, 5, "bayeselo"), Refusal)
    with pytest.raises(ValueError, match="no such model"):
        sprt([1, 2, 3], 0, 5, "guessed")


def test_all_drawn_is_a_number():
    assert math.isfinite(sprt([0, 100, 0], 0, 5).llr)


def chances(elo, draw=327.0, biases=(-90.0, 200.0)):
    """Results of single games and of pairs whose openings favour one side by the biases."""
    single, pairs = np.zeros(3), np.zeros(5)
    for bias in biases:
        two = []
        for strength in (elo + bias, elo - bias):
            won, lost = 1 / (1 + 10 ** ((draw - strength) / 400)), 1 / (1 + 10 ** ((draw + strength) / 400))
            two.append(np.array([lost, 1 - won - lost, won]))
        pairs += np.convolve(*two) / len(biases)
        single += sum(two) / 2 / len(biases)
    return single, pairs


def at_score(score):
    """The strength at which the mean score of these openings is `score`."""
    low, high = 0.0, 100.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if chances(middle)[1] @ np.linspace(0, 1, 5) < score else (low, middle)
    return chances(low)


def long_run(elo, elo1, per_game=False):
    """Accepted share and games of a test of 0 against elo1, counting pairs or their games as units."""
    s0, s1, s = (1 / (1 + 10 ** (-e / 400)) for e in (0, elo1, elo))
    single, pairs = at_score(s)
    scores, games = np.linspace(0, 1, 5), np.linspace(0, 1, 3)
    shares, units = (single, games) if per_game else (pairs, scores)
    variance = shares @ (units - shares @ units) ** 2
    steps = (s1 - s0) * (2 * scores - s0 - s1) / (2 * variance) * (2 if per_game else 1)
    drift = pairs @ steps
    found = operating(drift, pairs @ (steps - drift) ** 2, -math.log(19), math.log(19))
    return found.accept, 2 * found.units


def test_the_openings_are_the_published_ones():
    single, pairs = chances(0.0)
    assert single == pytest.approx(LONG_RUN["probs3"], abs=5e-5)
    assert pairs == pytest.approx(LONG_RUN["probs5"], abs=5e-5)


def test_long_run_behaviour_is_the_published_theory():
    for name, per_game in (("pentanomial", False), ("trinomial", True)):
        accept, games = long_run(10, 10, per_game)
        assert accept == pytest.approx(LONG_RUN["theory_here"][name][0], abs=0.001)
        assert games == pytest.approx(LONG_RUN["theory_here"][name][1], rel=0.005)
        low, _, high = LONG_RUN["published_sim"][name]["pass"]
        assert low - 0.001 <= accept <= high + 0.001
    for name, (accept, games) in LONG_RUN["theory_elo1_5"].items():
        found = long_run(float(name.removeprefix("elo")), 5)
        assert found == pytest.approx((accept, games), rel=0.002)


def test_a_walk_without_drift_is_decided_by_the_bounds():
    found = operating(0.0, 1.0, -1.0, 3.0)
    assert found.accept == 0.25 and found.units == 3.0
    near = operating(1e-5, 1.0, -1.0, 3.0)
    assert (near.accept, near.units) == pytest.approx((0.25, 3.0), rel=1e-3)
