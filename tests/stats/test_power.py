"""Sample sizes and power against published numbers, against simulation, and each against its inverse."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from balance.stats import power
from balance.stats.estimate import Refusal, detectable
from balance.stats.least_squares import Piece, fit
from balance.stats.roster_power import Deck, counter_variance, hero_variance, synergy_variance

CASE = json.loads((Path(__file__).parent.parent / "cases/stats/13_power_sample_size.json").read_text())
HALF = math.sqrt(0.5)  # spread of the difference of two arms


def test_two_shares_are_what_r_documents():
    assert power.two_share_power(50, 0.5, 0.75) == pytest.approx(CASE["computed"]["power"], abs=1e-9)
    assert power.two_share_size(0.5, 0.75, 0.9).n == pytest.approx(CASE["computed"]["n"], abs=1e-6)
    assert power.two_share_size(0.5, 0.75, 0.9, 0.99).n == pytest.approx(
        CASE["computed"]["n_sig01"], abs=1e-6
    )
    assert round(power.two_share_size(0.5, 0.75, 0.9).n, 1) == 76.7


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("ci_halfwidth_.01", power.half_width_size(0.01, 0.25)),
        ("ci_halfwidth_.01_wilson", power.wilson_half_width_size(0.01)),
        ("ci_halfwidth_.005", power.half_width_size(0.005, 0.25)),
        ("unpaired_per_arm_d.01_80", power.difference_size(0.01, HALF)),
        ("paired_d.01_disc.5", power.paired_share_size(0.01, 0.5)),
        ("paired_d.01_disc.1", power.paired_share_size(0.01, 0.1)),
        ("paired_d.01_disc.02", power.paired_share_size(0.01, 0.02)),
        ("tost_margin.01_unpaired_per_arm_90", power.equivalence_size(0.01, HALF)),
        ("tost_margin.01_paired_disc.1_90", power.equivalence_size(0.01, math.sqrt(0.1))),
        ("tost_margin.02_paired_disc.1_90", power.equivalence_size(0.02, math.sqrt(0.1))),
    ],
)
def test_the_table_of_sizes(name, size):
    assert size.n == pytest.approx(CASE["table"][name], rel=1e-9)


def test_connor_reaches_its_power():
    held = CASE["connor_mcnemar"]
    size = power.paired_share_size(held["delta"], held["disc"])
    assert size.whole == held["n"]
    assert power.paired_share_power(held["n"], held["delta"], held["disc"]) == pytest.approx(
        held["simulated_power"], abs=0.005
    )


@pytest.mark.parametrize("target", [0.5, 0.8, 0.95])
def test_power_is_the_inverse_of_size(target):
    assert power.two_share_power(power.two_share_size(0.4, 0.5, target).n, 0.4, 0.5) == pytest.approx(target)
    size = power.paired_share_size(0.02, 0.1, target)
    assert power.paired_share_power(size.n, 0.02, 0.1) == pytest.approx(target)
    size = power.difference_size(0.02, 0.4, target)
    assert power.difference_power(size.n, 0.02, 0.4) == pytest.approx(target, abs=1e-3)
    size = power.equivalence_size(0.02, 0.4, target)
    assert power.equivalence_power(size.n, 0.02, 0.4) == pytest.approx(target, abs=1e-9)


def test_the_detectable_effect_is_that_of_the_reports():
    assert power.detectable_effect(400, 0.25) == pytest.approx(detectable(0.025))
    assert power.normal_power(detectable(1.0), 1.0) == pytest.approx(0.8, abs=1e-4)


def test_equivalence_power_by_simulation():
    random = np.random.default_rng(1)
    n, margin, sd, truth = 900, 0.02, 0.25, 0.004
    means = random.normal(truth, sd / math.sqrt(n), 20_000)
    reach = 1.6449 * sd / math.sqrt(n)
    shown = np.mean((means - reach > -margin) & (means + reach < margin))
    assert power.equivalence_power(n, margin, sd, truth) == pytest.approx(shown, abs=0.012)


def test_degenerate_spreads_have_defined_answers():
    assert power.normal_power(0.0, 0.0) == 0.0
    assert power.normal_power(0.1, 0.0) == 1.0
    assert power.equivalence_power(10, 0.01, 0.0, 0.005) == 1.0
    assert power.equivalence_power(10, 0.01, 0.0, 0.02) == 0.0
    assert power.equivalence_power(10, 0.001, 0.5) == 0.0
    assert power.two_share_power(10, 0.0, 1.0) == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: power.half_width_size(0, 0.25),
        lambda: power.difference_size(0, 0.5),
        lambda: power.two_share_size(0.5, 0.5),
        lambda: power.paired_share_size(0.2, 0.1),
        lambda: power.equivalence_size(-0.01, 0.5),
        lambda: power.difference_size(0.1, math.nan),
    ],
)
def test_impossible_questions_are_refused(call):
    with pytest.raises(ValueError):
        call()


@pytest.mark.parametrize("v", [10, 21])
def test_variances_are_the_published_formulas(v):
    deck = Deck(v)
    assert hero_variance(deck) == pytest.approx(0.25 * (v - 1) ** 2 / (8 * v))
    assert synergy_variance(deck) == pytest.approx(
        0.25 * v * (v - 2) * (v - 3) ** 2 / (24 * (v - 1) * (v - 8))
    )
    assert counter_variance(deck) == pytest.approx(0.25 * (v - 1) * (v - 2) ** 2 / (32 * (v - 8)))


def test_the_games_that_the_design_promises():
    rounded = {10: (9.7e3, 87e3, 86e3), 21: (23e3, 199e3, 167e3)}
    for v, sizes in rounded.items():
        for variance, size in zip((hero_variance, synergy_variance, counter_variance), sizes, strict=True):
            assert power.half_width_size(0.01, variance(Deck(v))).n == pytest.approx(size, rel=0.01)


@pytest.mark.parametrize("deck", [Deck(10, 4, 1), Deck(8, 4, 2), Deck(6, 2, 1), Deck(9, 3, 2)])
def test_hero_variance_is_the_inverse_of_the_information(deck):
    """The Gram matrix of simulated rosters, inverted on the sum-zero space."""
    counts = _rosters(deck, 60_000)
    rows = counts[:, 0] - counts[:, 1]
    inverse = np.linalg.pinv(rows.T @ rows / len(rows), rcond=1e-6)
    assert 0.25 * np.diag(inverse).mean() == pytest.approx(hero_variance(deck), rel=0.02)


@pytest.mark.parametrize("deck", [Deck(10, 4, 1), Deck(7, 3, 2), Deck(8, 4, 2), Deck(6, 2, 2)])
def test_pair_variances_are_the_inverse_of_the_information(deck):
    counts = _rosters(deck, 60_000)
    a, b = counts[:, 0], counts[:, 1]
    i, j = np.triu_indices(deck.heroes, 1)
    with_ = a[:, i] * a[:, j] - b[:, i] * b[:, j]
    against = a[:, i] * b[:, j] - a[:, j] * b[:, i]
    main = a - b
    assert 0.25 * _diagonal(with_, main, _sum_zero(deck.heroes, +1)) == pytest.approx(
        synergy_variance(deck), rel=0.04
    )
    assert 0.25 * _diagonal(against, main, _sum_zero(deck.heroes, -1)) == pytest.approx(
        counter_variance(deck), rel=0.04
    )


def _rosters(deck, n):
    cards = np.tile(np.arange(deck.heroes), deck.copies)
    dealt = np.random.default_rng(7).permuted(np.tile(cards, (n, 1)), axis=1)[:, : 2 * deck.size]
    sides = dealt.reshape(n, 2, deck.size)
    return (sides[..., None] == np.arange(deck.heroes)).sum(axis=2).astype(float)


def _sum_zero(v, sign):
    """Basis of pair effects whose sum over partners is zero for every hero."""
    i, j = np.triu_indices(v, 1)
    sums = np.zeros((v, len(i)))
    sums[i, np.arange(len(i))], sums[j, np.arange(len(i))] = 1, sign
    values, vectors = np.linalg.eigh(sums.T @ sums)
    return vectors[:, values < 1e-9]


def _diagonal(columns, main, basis):
    """Mean variance of an effect in the space of `basis` beside main effects, times rows over sigma^2."""
    small = columns @ basis
    small = small - main @ np.linalg.lstsq(main, small, rcond=None)[0]
    inverse = np.linalg.inv(small.T @ small / len(small))
    return np.diag(basis @ inverse @ basis.T).mean()


@pytest.mark.parametrize("deck", [Deck(8), Deck(4, 2, 1)])
def test_disjoint_rosters_that_use_every_hero_measure_no_pairs(deck):
    for variance in (synergy_variance, counter_variance):
        found = variance(deck)
        assert isinstance(found, Refusal)
        assert f"{deck.heroes} heroes" in found.reason and found.instead


def test_decks_without_room_are_refused():
    assert isinstance(hero_variance(Deck(7)), Refusal)
    assert isinstance(hero_variance(Deck(1, 1, 2)), Refusal)
    assert isinstance(synergy_variance(Deck(3, 1)), Refusal)
    assert isinstance(counter_variance(Deck(2, 1)), Refusal)


def test_two_and_forty_heroes():
    assert hero_variance(Deck(2, 1)) == pytest.approx(0.25 * 0.25)
    assert hero_variance(Deck(40)) == pytest.approx(0.25 * 39**2 / (8 * 40))


def test_the_fit_reaches_the_promised_error():
    random, deck, n = np.random.default_rng(3), Deck(10), 4000
    counts = _rosters(deck, n).astype(np.int8)
    won = (random.random(n) < 0.5).astype(float)
    found = fit([Piece(counts, np.stack([won, 1 - won], axis=1))])
    promised = math.sqrt(hero_variance(deck) / n)
    assert np.sqrt(np.diag(found.covariance)).mean() == pytest.approx(promised, rel=0.03)
