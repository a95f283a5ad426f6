"""Hero strength on planted truths: recovered, covered, symmetric, and refused where it is not determined."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.heroes import StrengthTable, over_arenas, strengths
from balance.stats.least_squares import Piece, fit
from balance.stats.reach import DEPENDENT, ROBUST
from balance.stats.skill import over_levels
from tests.stats.planted import Truth, planted_sums

CASE = Path(__file__).parent.parent / "cases" / "stats" / "19_exact_team_model_recovery.json"
ONE_ARENA = {"field": 0.0}


def exact_case():
    """All 3,150 ordered matchups of the handed case: copies (n, 2, 10) and chances of the first team."""
    data = json.loads(CASE.read_text())
    v, h = data["v"], np.array(data["h"])
    synergy, counter = np.zeros((v, v)), np.zeros((v, v))
    for (i, j), s, c in zip(
        data["pairs_ij"], data["synergy_projected"], data["counter_projected"], strict=True
    ):
        synergy[i, j] = synergy[j, i] = s
        counter[i, j], counter[j, i] = c, -c
    counts, chances, teams = [], [], []
    for a in itertools.combinations(range(v), 4):
        rest = [hero for hero in range(v) if hero not in a]
        for b in itertools.combinations(rest, 4):
            own, other = np.isin(np.arange(v), a), np.isin(np.arange(v), b)
            p = 0.5 + data["seat"] + own @ h - other @ h + own @ counter @ other
            p += (own @ synergy @ own - other @ synergy @ other) / 2
            counts.append([own, other])
            chances.append(p)
            teams.append((list(a), list(b)))
    return data, np.array(counts).astype(np.int8), np.array(chances), teams


def test_noise_free_matchups_give_the_planted_strengths():
    data, counts, chances, teams = exact_case()
    assert len(counts) == data["n_rows"]
    for (a, b, p), team, chance in zip(data["first_5_rows"], teams, chances, strict=False):
        assert (team, chance) == ((a, b), pytest.approx(p))
    reverse = {(tuple(a), tuple(b)): p for (a, b), p in zip(teams, chances, strict=True)}
    back = np.array([reverse[tuple(b), tuple(a)] for a, b in teams])
    first = (chances + 1 - back) / 2  # the pair's mean over both seatings: the seat cancels
    found = fit([Piece(counts, np.stack([first, 1 - first], axis=1))])
    assert found.estimable and found.rank == 9
    assert found.effects == pytest.approx(np.array(data["h"]), abs=1e-10)
    for hero in range(10):
        raw = first[counts[:, 0, hero] == 1].mean() - 0.5
        assert raw == pytest.approx(data["raw_winrate_minus_half"][hero], abs=1e-10)


def table(truth, pairs=600, seed=1, level=0):
    found = strengths(planted_sums(truth, pairs, seed), level)
    assert isinstance(found, StrengthTable)
    return found


def by_hero(found):
    return {entry.hero: entry.effect for entry in found.heroes}


def test_effects_sum_to_zero_and_are_sorted():
    found = table(Truth())
    values = [entry.effect.value for entry in found.heroes]
    assert sum(values) == pytest.approx(0, abs=1e-12)
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("mode", ["duel", "team", "ffa3", "ffa4"])
def test_intervals_cover_the_planted_truth(mode):
    """Coverage of 95 % intervals over repetitions and heroes, within what chance allows."""
    size = 4 if mode == "duel" else 2
    strength = tuple(0.5 * s for s in Truth().strength) if mode == "ffa4" else Truth().strength
    truth = Truth(mode=mode, size=size, draws=0.0, arena=ONE_ARENA, strength=strength)
    hits = []
    for seed in range(60):
        effects = by_hero(table(truth, pairs=300, seed=seed))
        hits += [effects[h].low <= s <= effects[h].high for h, s in zip(truth.heroes, strength, strict=True)]
    # 480 dependent trials: three standard errors, doubled for the dependence within a repetition.
    assert np.mean(hits) == pytest.approx(0.95, abs=0.04)


@pytest.mark.slow
def test_coverage_is_nominal():
    truth = Truth(draws=0.0, arena=ONE_ARENA)
    hits = []
    for seed in range(1500):
        effects = by_hero(table(truth, pairs=400, seed=seed))
        hits += [
            e.low <= s <= e.high
            for e, s in zip((effects[h] for h in truth.heroes), truth.strength, strict=True)
        ]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.006)


def test_equal_heroes_are_rarely_called_different():
    truth = Truth(strength=(0.0,) * 8, arena=ONE_ARENA)
    wrong = [any(e.p < 0.05 for e in table(truth, 200, seed).heroes) for seed in range(150)]
    assert np.mean(wrong) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)


def test_relabelling_heroes_permutes_the_result():
    sums = planted_sums(Truth(), 300, 2)
    order = np.random.default_rng(1).permutation(8)
    renamed = planted_sums(
        Truth(), 300, 2, lambda cell, counts, scores: (counts[:, :, np.argsort(order)], scores)
    )
    one, two = by_hero(strengths(sums, 0)), by_hero(strengths(renamed, 0))
    for place, hero in enumerate(sums.design.heroes):
        moved = two[sums.design.heroes[order[place]]]
        assert (moved.value, moved.se) == pytest.approx((one[hero].value, one[hero].se))


def test_swapping_the_players_changes_nothing():
    """Which roster is named first is no information: scores and rosters swap together."""
    sums = planted_sums(Truth(), 300, 2)
    swapped = planted_sums(Truth(), 300, 2, lambda cell, counts, scores: (counts[:, ::-1], scores[:, ::-1]))
    one, two = by_hero(strengths(sums, 0)), by_hero(strengths(swapped, 0))
    assert all(two[hero].value == pytest.approx(one[hero].value) for hero in one)


def test_swapping_the_scores_flips_the_signs():
    sums = planted_sums(Truth(), 300, 2)
    swapped = planted_sums(Truth(), 300, 2, lambda cell, counts, scores: (counts, scores[:, ::-1]))
    one, two = by_hero(strengths(sums, 0)), by_hero(strengths(swapped, 0))
    assert all(two[hero].value == pytest.approx(-one[hero].value) for hero in one)


def test_seat_and_arena_do_not_leak_into_heroes():
    """Huge offsets leave the estimates where they were: pairs cancel them."""
    plain = Truth(seat=0.0, draws=0.0)
    tilted = replace(plain, seat=0.3, arena={"north": -0.25, "south": 0.0})
    for hero, effect in by_hero(table(tilted, 3000)).items():
        truth = plain.strength[plain.heroes.index(hero)]
        assert abs(effect.value - truth) < 4 * effect.se


def test_error_is_of_pairs_and_not_of_games():
    """Pairs whose second game repeats the first have twice the variance that single games would suggest."""
    random = np.random.default_rng(1)
    counts = random.multivariate_hypergeometric([2] * 8, 4, 2000)
    counts = np.stack([counts, random.multivariate_hypergeometric([2] * 8, 4, 2000)], axis=1).astype(np.int8)
    won = (random.random(2000) < 0.5).astype(float)
    found = fit([Piece(counts, np.stack([won, 1 - won], axis=1))])
    half = fit([Piece(counts, 0.5 + (np.stack([won, 1 - won], axis=1) - 0.5) / np.sqrt(2))])
    assert found.covariance[0, 0] / half.covariance[0, 0] == pytest.approx(2, rel=1e-6)


def test_groups_are_symmetric_and_strangers_are_told_apart():
    found = table(Truth(strength=(0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.1)), 4000)
    alike = {entry.hero: set(entry.alike) for entry in found.heroes}
    assert all(one in alike[two] for one in alike for two in alike[one])
    assert "h" not in alike["a"] and "a" not in alike["h"]
    assert len(alike["c"]) >= 4


def test_fixed_teams_are_refused_with_reason_and_remedy():
    truth = Truth(teams={"x": (0, 1, 2, 3), "y": (4, 5, 6, 7), "z": (0, 2, 4, 6)})
    found = strengths(planted_sums(truth, 100, 1), 0)
    assert isinstance(found, Refusal)
    assert "2 of the 7 differences" in found.reason
    assert "teams" in found.instead


def test_a_determined_difference_is_named():
    """Teams that differ in one hero determine those two against each other and nothing else."""
    truth = Truth(teams={"x": (0, 1, 2, 3), "y": (0, 1, 2, 4)})
    found = strengths(planted_sums(truth, 100, 1), 0)
    assert isinstance(found, Refusal)
    assert "1 of the 4 differences" in found.reason
    assert "d against e" in found.instead


def test_teams_enough_to_tell_heroes_apart_are_fitted():
    """Single-hero teams in a round robin determine all differences."""
    truth = Truth(teams={str(h): (h,) for h in range(8)}, strength=tuple(4 * s for s in Truth().strength))
    effects = by_hero(table(truth, 300))
    assert all(
        abs(effects[h].value - 0.9 * s) < 4 * effects[h].se
        for h, s in zip(truth.heroes, truth.strength, strict=True)
    )


def test_a_hero_that_never_played_is_named():
    without = (np.arange(8) != 3).astype(np.int16)
    sums = planted_sums(Truth(), 300, 1, lambda cell, counts, scores: (counts * without, scores))
    found = strengths(sums, 0)
    assert isinstance(found, StrengthTable)
    assert found.absent == ("d",)
    assert found.of("d") is None
    assert sum(entry.effect.value for entry in found.heroes) == pytest.approx(0, abs=1e-12)


def test_mirror_rosters_only_are_refused():
    sums = planted_sums(
        Truth(), 200, 1, lambda cell, counts, scores: (np.repeat(counts[:, :1], 2, axis=1), scores)
    )
    found = strengths(sums, 0)
    assert isinstance(found, Refusal)
    assert "0 of the 7 differences" in found.reason


def test_few_pairs_are_refused():
    found = strengths(planted_sums(Truth(arena=ONE_ARENA), 10, 1), 0)
    assert isinstance(found, Refusal)
    assert "10 pairs are too few" in found.reason


def test_different_agents_do_not_leak_into_heroes():
    """A strong agent on one roster is an offset of its own."""
    sums = planted_sums(
        Truth(strength=(0.0,) * 8, arena=ONE_ARENA),
        3000,
        1,
        lambda cell, counts, scores: (counts, np.clip(scores + np.array([0.3, -0.3]), 0, 1)),
    )
    cell = sums.cells[0]
    cell.cell = replace(cell.cell, agents=("strong", "weak"))
    found = strengths(sums, 0)
    assert isinstance(found, StrengthTable)
    assert all(entry.p > 0.01 for entry in found.heroes)


def test_larger_rosters_do_not_pass_for_stronger_heroes():
    random = np.random.default_rng(2)
    counts = np.zeros((4000, 2, 6), np.int8)
    for row in counts:
        for side in row:
            side[random.choice(6, random.integers(1, 4), replace=False)] = 1
    size = counts.sum(axis=2)
    score = 0.5 + 0.1 * (size[:, 0] - size[:, 1])
    found = fit([Piece(counts, np.stack([score, 1 - score], axis=1))])
    assert found.effects == pytest.approx(np.zeros(6), abs=1e-10)


def test_an_effect_of_one_arena_is_found_there():

    def stronger(cell, counts, scores):
        bump = (cell.arena == "south") * 0.1 * (counts[:, 0, 2].astype(float) - counts[:, 1, 2])
        return counts, scores + np.stack([bump, -bump], axis=1)

    sums = planted_sums(Truth(), 2000, 1, stronger)
    entries = {entry.hero: entry for entry in over_arenas(sums, 0).heroes}
    assert entries["c"].p < 0.001
    assert entries["c"].effects["south"].value - entries["c"].effects["north"].value == pytest.approx(
        0.09, abs=0.03
    )
    assert entries["e"].p > 0.05


def test_one_arena_cannot_differ_from_itself():
    assert isinstance(over_arenas(planted_sums(Truth(arena=ONE_ARENA), 100, 1), 0), Refusal)


def test_skill_labels_follow_the_planted_levels():
    truth = Truth(
        levels=("low", "high"), scale=(1.0, 1.0), strength=(0.08, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.08)
    )
    sums = planted_sums(truth, 2000, 1)
    labels = {e.hero: e for e in over_levels([strengths(sums, 0), strengths(sums, 1)], truth.heroes)}
    assert labels["a"].reach.label == ROBUST and labels["h"].reach.label == ROBUST
    assert labels["a"].p > 0.01
    flipped = planted_sums(replace(truth, scale=(-1.0, 1.0)), 2000, 1)
    labels = {e.hero: e for e in over_levels([strengths(flipped, 0), strengths(flipped, 1)], truth.heroes)}
    assert labels["a"].reach.label == DEPENDENT
    assert labels["a"].p < 0.001
    gone = planted_sums(replace(truth, scale=(0.0, 1.0)), 2000, 1)
    labels = {e.hero: e for e in over_levels([strengths(gone, 0), strengths(gone, 1)], truth.heroes)}
    assert labels["a"].reach.label == DEPENDENT  # nothing at the lower level, for sure


def test_games_without_heroes_are_refused_quietly():
    found = strengths(planted_sums(Truth(heroes=(), strength=(), size=0), 50, 1), 0)
    assert isinstance(found, Refusal)
