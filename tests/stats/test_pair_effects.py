"""Synergy and counters: exact recovery, identifiable ranks, shrinkage, error rates, refusals."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.pair_effects import (
    PairTable,
    _first_side,
    contributions,
    fit_pairs,
    pair_columns,
    pair_tables,
    shrinkage,
)
from balance.stats.roster_power import Deck, counter_variance, synergy_variance
from balance.stats.rosters import Piece, Rosters
from tests.stats.test_heroes import exact_case

CASES = Path(__file__).parent.parent / "cases" / "stats"
RANKS = json.loads((CASES / "18_identifiability_ranks.json").read_text())["rows"]


def test_noise_free_matchups_give_the_planted_pairs():
    data, counts, chances, _ = exact_case()
    score = chances - data["seat"]
    found = fit_pairs([Piece(counts, np.stack([score, 1 - score], axis=1))], 10)
    i, j = np.array(data["pairs_ij"]).T
    assert found.strengths == pytest.approx(data["h"], abs=1e-10)
    assert found.synergies[i, j] == pytest.approx(data["synergy_projected"], abs=1e-10)
    assert found.counters[i, j] == pytest.approx(data["counter_projected"], abs=1e-10)
    assert found.n - found.freedom + 1 == data["rank"]  # and the seat, which pairs take out
    assert (
        np.abs(found.synergies.sum(axis=1)).max() < 1e-12 and np.abs(found.counters.sum(axis=1)).max() < 1e-12
    )
    assert contributions([0, 1, 2, 3], found.strengths, found.synergies) == pytest.approx(
        data["shapley_team_0123"], abs=1e-10
    )


def rosters(v, size, n, seed, mirror=False):
    """Two random rosters a row, disjoint or drawn independently, without repeats on a side."""
    random = np.random.default_rng(seed)
    first = random.permuted(np.tile(np.arange(v), (n, 1)), axis=1)
    second = (
        random.permuted(np.tile(np.arange(v), (n, 1)), axis=1)[:, :size]
        if mirror
        else first[:, size : 2 * size]
    )
    return np.stack(
        [(side[..., None] == np.arange(v)).sum(axis=1) for side in (first[:, :size], second)], axis=1
    ).astype(np.int8)


@pytest.mark.parametrize("row", RANKS, ids=lambda row: f"{row['v']}-{row['mirror']}")
def test_identifiable_dimensions_are_the_published_ones(row):
    v = row["v"]
    counts = rosters(v, 4, max(900, 3 * row["all"]), 1, row["mirror"])
    found = fit_pairs([Piece(counts, np.full((len(counts), 2), 0.5))], v)
    assert found.ranks["synergy"] == (row["syn_extra"], row["theory_syn"])
    assert found.ranks["counter"] == (row["ctr_extra"], row["theory_ctr"])
    assert found.n - found.freedom == row["main"] + (row["all_extra"] if found.fitted else 0)
    assert bool(found.fitted) == (row["all_extra"] == row["theory_syn"] + row["theory_ctr"])


def played(v=10, n=4000, seed=1, tau=0.0, planted=(), size=4):
    """Pairs whose score follows the model with random synergies of spread tau and planted ones."""
    random = np.random.default_rng(seed)
    counts = rosters(v, size, n, seed)
    synergy = np.zeros((v, v))
    i, j = np.triu_indices(v, 1)
    synergy[i, j] = random.normal(0, tau, len(i))
    for a, b, value in planted:
        synergy[a, b] = value
    synergy += synergy.T
    a, b = counts[:, 0].astype(float), counts[:, 1].astype(float)
    chance = 0.5 + (np.einsum("ni,ij,nj->n", a, synergy, a) - np.einsum("ni,ij,nj->n", b, synergy, b)) / 2
    score = random.binomial(2, np.clip(chance, 0, 1)) / 2
    return Piece(counts, np.stack([score, 1 - score], axis=1)), synergy


NAMES = tuple("abcdefghij")


def test_errors_are_those_that_power_promises():
    piece, _ = played(n=6000)
    synergies, counters = pair_tables([piece], NAMES)
    games = 2 * 6000
    assert isinstance(synergies, PairTable) and isinstance(counters, PairTable)
    promised = math.sqrt(synergy_variance(Deck(10)) / games)
    assert np.mean([row.effect.se for row in synergies.pairs]) == pytest.approx(promised, rel=0.05)
    promised = math.sqrt(counter_variance(Deck(10)) / games)
    assert np.mean([row.effect.se for row in counters.pairs]) == pytest.approx(promised, rel=0.05)


def test_intervals_cover_and_nothing_is_named_without_effects():
    hits, named = [], []
    for seed in range(20):
        piece, _ = played(n=1000, seed=seed)
        for table in pair_tables([piece], NAMES):
            hits += [row.effect.low <= 0 <= row.effect.high for row in table.pairs]
            named.append(min(row.p for row in table.pairs) <= 0.05)
    assert np.mean(hits) == pytest.approx(0.95, abs=0.015)
    assert np.mean(named) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 40)


def test_shrinkage_is_nearer_to_the_truth_than_the_fit():
    raw, pulled, top = [], [], []
    for seed in range(14):
        piece, truth = played(n=2500, seed=seed, tau=0.02)
        table = pair_tables([piece], NAMES)[0]
        centred = projected(truth)
        errors = [
            (
                row.effect.value - centred[NAMES.index(row.first), NAMES.index(row.second)],
                row.shrunk.value - centred[NAMES.index(row.first), NAMES.index(row.second)],
            )
            for row in table.pairs
        ]
        raw.append(np.mean([e[0] ** 2 for e in errors]))
        pulled.append(np.mean([e[1] ** 2 for e in errors]))
        best = sorted(table.pairs, key=lambda row: -row.effect.value)[:5]
        real = np.mean([centred[NAMES.index(r.first), NAMES.index(r.second)] for r in best])
        top.append(
            (np.mean([r.effect.value for r in best]) / real, np.mean([r.shrunk.value for r in best]) / real)
        )
    assert np.mean(pulled) < 0.75 * np.mean(raw)
    assert np.mean([t[0] for t in top]) > 1.2  # winner's curse of unshrunk lists
    assert np.mean([t[1] for t in top]) == pytest.approx(1.0, abs=0.25)


def projected(synergy):
    """Synergies with their sums over partners taken out: what the model calls synergy."""
    v = len(synergy)
    rows = synergy.sum(axis=1)
    own = (rows - rows.sum() / (2 * (v - 1))) / (v - 2)
    found = synergy - own[:, None] - own[None, :]
    np.fill_diagonal(found, 0)
    return found


def test_credible_intervals_hold_the_truth():
    hits = []
    for seed in range(14):
        piece, truth = played(n=2500, seed=seed, tau=0.03)
        centred, table = projected(truth), pair_tables([piece], NAMES)[0]
        hits += [
            row.shrunk.low <= centred[NAMES.index(row.first), NAMES.index(row.second)] <= row.shrunk.high
            for row in table.pairs
        ]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.025)


def test_a_planted_synergy_is_named_first():
    piece, _ = played(n=6000, planted=[(2, 5, 0.15)])
    table = pair_tables([piece], NAMES)[0]
    assert {table.pairs[0].first, table.pairs[0].second} == {"c", "f"} and table.pairs[0].p < 0.001
    assert 0 < table.shrinkage < 1 and table.spread > 0


def test_swapping_the_sides_changes_nothing_and_renaming_permutes():
    piece, _ = played(n=1500, planted=[(2, 5, 0.1)])
    swapped = Piece(piece.counts[:, ::-1], piece.scores[:, ::-1])
    one, two = fit_pairs([piece], 10), fit_pairs([swapped], 10)
    assert two.synergies == pytest.approx(one.synergies) and two.counters == pytest.approx(one.counters)
    flipped = fit_pairs([Piece(piece.counts, piece.scores[:, ::-1])], 10)
    assert flipped.synergies == pytest.approx(-one.synergies) and flipped.counters == pytest.approx(
        -one.counters
    )
    order = np.random.default_rng(3).permutation(10)
    three = fit_pairs([Piece(piece.counts[:, :, order], piece.scores)], 10)
    assert three.synergies == pytest.approx(one.synergies[np.ix_(order, order)])
    assert three.counter_errors == pytest.approx(one.counter_errors[np.ix_(order, order)])


def test_folded_pairs_give_the_same_fit():
    piece, _ = played(v=9, n=3000, size=2)
    held = Rosters(2, 9)
    held.add(piece.counts, piece.scores)
    one, two = fit_pairs([piece], 9), fit_pairs(list(held.pieces()), 9)
    assert two.n == 3000 and sum(len(p.counts) for p in held.pieces()) < 3000
    assert two.synergies == pytest.approx(one.synergies) and two.synergy_errors == pytest.approx(
        one.synergy_errors
    )
    assert two.counters == pytest.approx(one.counters) and two.counter_errors == pytest.approx(
        one.counter_errors
    )


def test_three_sides_are_fitted_as_well():
    random = np.random.default_rng(2)
    dealt = random.permuted(np.tile(np.arange(9), (5000, 1)), axis=1)[:, :6].reshape(-1, 3, 2)
    counts = (dealt[..., None] == np.arange(9)).sum(axis=2).astype(np.int8)
    bond = (counts[:, :, 0] * counts[:, :, 1]) * 0.2
    chance = 1 / 3 + bond - (bond.sum(axis=1, keepdims=True) - bond) / 2
    winner = (random.random(5000)[:, None] > chance.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    table = pair_tables([Piece(counts, np.eye(3)[winner])], tuple("abcdefghi"))[0]
    assert {table.pairs[0].first, table.pairs[0].second} == {"a", "b"}
    assert table.pairs[0].effect.low > 0.02


def test_one_side_of_two_says_what_both_say():
    counts = rosters(9, 3, 50, 1)
    both, first = pair_columns(counts), _first_side(counts)
    assert first[:, 0] == pytest.approx(both[:, 0]) and first[:, 0] == pytest.approx(-both[:, 1])


def test_a_stronger_agent_does_not_leak_into_pairs():
    piece, _ = played(n=4000)
    tilted = np.clip(piece.scores + np.array([0.2, -0.2]), 0, 1)
    for table in pair_tables([Piece(piece.counts, tilted, True)], NAMES):
        assert isinstance(table, PairTable) and min(row.p for row in table.pairs) > 0.001


def test_eight_heroes_in_disjoint_fours_are_refused():
    counts = rosters(8, 4, 2000, 1)
    synergies, counters = pair_tables([Piece(counts, np.full((2000, 2), 0.5))], tuple("abcdefgh"))
    assert isinstance(synergies, Refusal) and "only 0 of the 20" in synergies.reason and synergies.instead
    assert isinstance(counters, Refusal) and "only 0 of the 21" in counters.reason


def test_two_heroes_have_no_pairs_beyond_strength():
    counts = np.tile(np.array([[[1, 0], [0, 1]]], np.int8), (100, 1, 1))
    synergies, counters = pair_tables([Piece(counts, np.full((100, 2), 0.5))], ("a", "b"))
    assert isinstance(synergies, Refusal) and "2 heroes have no synergies" in synergies.reason
    assert isinstance(counters, Refusal)


def test_few_pairs_are_refused():
    piece, _ = played(n=150)
    for table in pair_tables([piece], NAMES):
        assert isinstance(table, Refusal) and "at least" in table.reason


def test_all_drawn_is_nothing_but_zeros():
    piece, _ = played(n=1000)
    drawn = Piece(piece.counts, np.full((1000, 2), 0.5))
    for table in pair_tables([drawn], NAMES):
        assert table.spread == 0 and table.shrinkage == 0
        assert all(row.effect.value == pytest.approx(0) and row.p == 1.0 for row in table.pairs)


def test_shrinkage_by_hand():
    tau, factors = shrinkage(np.array([3.0, -3.0]), np.array([1.0, 2.0]))
    assert tau**2 == pytest.approx(9 - 2.5) and factors == pytest.approx([6.5 / 7.5, 6.5 / 10.5])
    assert shrinkage(np.array([0.1]), np.array([1.0])) == (0.0, pytest.approx([0.0]))
    assert shrinkage(np.zeros(2), np.zeros(2))[1] == pytest.approx([0, 0])


@pytest.mark.slow
def test_forty_heroes():
    piece, _ = played(v=40, n=12_000, planted=[(2, 5, 0.3)])
    table = pair_tables([piece], tuple(f"h{k}" for k in range(40)))[0]
    assert {table.pairs[0].first, table.pairs[0].second} == {"h2", "h5"}


def test_every_pair_appears_once():
    piece, _ = played(n=1000)
    for table in pair_tables([piece], NAMES):
        assert {frozenset((row.first, row.second)) for row in table.pairs} == {
            frozenset(pair) for pair in itertools.combinations(NAMES, 2)
        }
