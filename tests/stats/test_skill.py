"""Skill levels paired on common streams: exact errors, coverage, labels, what pairing gains."""

import math

import numpy as np
import pytest

from balance.stats.estimate import Estimate, Refusal, cochran, interval
from balance.stats.heroes import StrengthTable, strengths
from balance.stats.levels import Pairs, crossed_covariances, level_fit, matched_parts
from balance.stats.reach import DEPENDENT, ROBUST
from balance.stats.skill import PAIRED, over_levels, skill_entries, skill_tests
from tests.stats.planted import Truth, planted_sums


def test_slope_steps_and_statistic_by_hand():
    covariance = np.array([[0.04, 0.03], [0.03, 0.05]])
    (found,) = skill_tests(["a"], np.array([[0.1], [0.3]]), covariance[None], 100)
    variance = 0.04 + 0.05 - 2 * 0.03
    assert found.slope.value == pytest.approx(0.2) and found.slope.se == pytest.approx(math.sqrt(variance))
    assert found.steps[0].value == pytest.approx(0.2) and found.q == pytest.approx(0.2**2 / variance)
    assert found.freedom == 1 and PAIRED in found.slope.method and found.slope.n == 100


def test_independent_levels_give_cochrans_q():
    values, errors = np.array([0.1, 0.2, 0.05, 0.3]), np.array([0.05, 0.02, 0.04, 0.03])
    (found,) = skill_tests(["a"], values[:, None], np.diag(errors**2)[None], 50)
    q, p, freedom = cochran(values, errors)
    assert (found.q, found.p, found.freedom) == pytest.approx((q, p, freedom))


def correlated(seed, truth, correlation=0.8, se=0.02, names=6):
    """Estimates at three levels with this correlation."""
    random, levels = np.random.default_rng(seed), len(truth)
    covariance = se**2 * (correlation + (1 - correlation) * np.eye(levels))
    noise = random.multivariate_normal(np.zeros(levels), covariance, names).T
    return skill_tests(
        [str(k) for k in range(names)],
        np.array(truth)[:, None] + noise,
        np.tile(covariance, (names, 1, 1)),
        1000,
    )


def test_no_change_gives_uniform_p_values_and_rare_claims():
    from scipy.stats import chi2, kstest

    found = [test for seed in range(120) for test in correlated(seed, [0.05, 0.05, 0.05])]
    assert kstest([chi2.sf(t.q, t.freedom) for t in found], "uniform").pvalue > 0.001
    claims = [any(t.p < 0.05 for t in correlated(seed, [0.0, 0.0, 0.0])) for seed in range(300)]
    assert np.mean(claims) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)


def test_slopes_cover_and_pairing_shortens_them():
    found = [t for seed in range(100) for t in correlated(seed, [0.0, 0.03, 0.06])]
    hits = [t.slope.low <= 0.03 <= t.slope.high for t in found]
    assert np.mean(hits) == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / 600))
    apart = correlated(0, [0.0, 0.03, 0.06], correlation=0.0)
    assert found[0].slope.se < 0.5 * apart[0].slope.se


def test_flipped_effects_flip_slopes():
    values, covariance = np.array([[0.1], [0.2], [0.4]]), np.diag([0.01, 0.02, 0.03])[None]
    one, two = skill_tests(["a"], values, covariance, 9), skill_tests(["a"], -values, covariance, 9)
    assert two[0].slope.value == pytest.approx(-one[0].slope.value) and two[0].p == pytest.approx(one[0].p)


def test_one_level_is_refused_and_levels_without_spread_are_equal():
    assert isinstance(skill_tests(["a"], np.array([[0.1]]), np.ones((1, 1, 1)), 5), Refusal)
    (found,) = skill_tests(["a"], np.array([[0.0], [0.0]]), np.zeros((1, 2, 2)), 5)
    assert found.p == 1.0 and found.freedom == 0
    (same,) = skill_tests(["a"], np.array([[0.1], [0.1]]), np.full((1, 2, 2), 0.01), 5)
    assert same.p == 1.0 and same.slope.value == pytest.approx(0)


def test_heroes_of_one_level_get_no_slope():
    one = (interval(0.1, 0.01, 100, "x"), 0.001)
    found = skill_entries(["a", "b", "never"], {0: {"a": one, "b": one}, 1: {"a": one}}, {}, 100)
    assert [entry.hero for entry in found] == ["a", "b"]
    assert isinstance(found[0].slope, Estimate) and isinstance(found[1].slope, Refusal)
    assert found[1].p == 1.0 and math.isnan(found[1].detectable)


COMMON = Truth(levels=("low", "high"), scale=(1.0, 1.0), arena={"field": 0.0}, draws=0.0)


def common_sums(pairs, seed, shared=0.9, lift=0.0):
    """Two levels on the same rosters; with chance `shared` a pair ends alike at both.

    Returns the sums and the matched arrays; `lift` is hero a's extra strength at the higher level.
    """
    random, held = np.random.default_rng([seed, 7]), {}

    def change(cell, counts, scores):
        if cell.level == 0:
            held["counts"], held["scores"] = counts, scores
            return counts, scores
        counts = held["counts"]
        ahead = counts[:, 0].astype(float) - counts[:, 1]
        fresh = random.binomial(2, np.clip(0.5 + ahead @ np.array(COMMON.strength), 0, 1)) / 2
        score = np.where(random.random(len(fresh)) < shared, held["scores"][:, 0], fresh) + lift * ahead[:, 0]
        held["high"] = np.stack([score, 1 - score], axis=1)
        return counts, held["high"]

    return planted_sums(COMMON, pairs, seed, change), held


def crossed_of(sums, held):
    design = sums.design
    fits = [level_fit(sums, 0), level_fit(sums, 1)]
    group = [
        (design.cells[0], Pairs(held["counts"], held["scores"])),
        (design.cells[1], Pairs(held["counts"], held["high"])),
    ]
    return crossed_covariances(design, fits, [group], {})


def entries(sums, crossed):
    tables = [strengths(sums, level) for level in (0, 1)]
    assert all(isinstance(table, StrengthTable) for table in tables)
    return {entry.hero: entry for entry in over_levels(tables, COMMON.heroes, crossed)}


def test_the_paired_error_is_that_of_the_difference_of_scores():
    """On common rosters the difference of two fits is the fit of the differences."""
    from balance.stats.least_squares import fit
    from balance.stats.rosters import Piece

    sums, held = common_sums(1500, 1)
    found = entries(sums, crossed_of(sums, held))
    gap = held["high"] - held["scores"] + 0.5
    direct = fit([Piece(held["counts"], gap)])
    for place, hero in enumerate(COMMON.heroes):
        step = found[hero].steps[0]
        assert step.value == pytest.approx(direct.effects[place], abs=1e-9)
        assert step.se == pytest.approx(math.sqrt(direct.covariance[place, place]), rel=1e-6)


def test_common_streams_shorten_the_intervals_of_differences():
    sums, held = common_sums(1500, 2)
    paired, apart = entries(sums, crossed_of(sums, held)), entries(sums, {})
    assert paired["a"].correlation > 0.7 and apart["a"].correlation == 0
    assert paired["a"].steps[0].se < 0.6 * apart["a"].steps[0].se
    assert paired["a"].detectable < apart["a"].detectable
    assert PAIRED in paired["a"].method and PAIRED not in apart["a"].method


def test_equal_levels_on_common_streams_give_uniform_p_values():
    from scipy.stats import chi2, kstest

    raw = []
    for seed in range(60):
        sums, held = common_sums(400, seed)
        found = entries(sums, crossed_of(sums, held))
        for hero in ("a", "d"):  # nearly independent of each other
            raw.append(chi2.sf((found[hero].steps[0].value / found[hero].steps[0].se) ** 2, 1))
    assert kstest(raw, "uniform").pvalue > 0.001


def test_a_small_lift_is_found_only_by_pairing():
    sums, held = common_sums(2500, 3, shared=0.95, lift=0.03)
    paired, apart = entries(sums, crossed_of(sums, held)), entries(sums, {})
    assert paired["a"].p < 0.01 < apart["a"].p
    assert paired["a"].reach.label == ROBUST  # stronger, but of the same sign at both levels


def test_flipped_strengths_are_skill_dependent():
    truth = Truth(levels=("low", "high"), scale=(-1.0, 1.0))
    sums = planted_sums(truth, 2000, 1)
    tables = [strengths(sums, level) for level in (0, 1)]
    found = {entry.hero: entry for entry in over_levels(tables, truth.heroes)}
    assert found["a"].reach.label == DEPENDENT and found["a"].p < 0.001


def parts_of(cell, *sizes, first=0):
    """Entries of parts of these sizes, one after the other."""
    found = []
    for number, size in enumerate(sizes):
        found.append({"cell": cell, "part": number, "first_pair": first, "pairs": size})
        first += size
    return found


def matched(low, high, keys=("x", "x")):
    sums = planted_sums(COMMON, 50, 1)
    cells = [{"cell": number, "setup_key": key} for number, key in enumerate(keys)]
    return matched_parts({"cells": cells, "parts": [*low, *high]}, sums.design)


def test_parts_of_other_sizes_are_matched_by_their_pairs():
    """As in runs whose slow level is cut finer than its fast one."""
    windows, counts = matched(parts_of(0, 1000, 1000), parts_of(1, *[100] * 15))
    assert counts == {(0, 1): 1500}
    assert [(len(w.parts[0][1]), len(w.parts[1][1]), w.pairs) for w in windows] == [
        (1, 10, 1000),
        (1, 5, 1000),
    ]


def test_levels_that_share_no_pairs_or_no_setup_are_not_matched():
    assert matched(parts_of(0, 50), parts_of(1, 50, first=50))[1] == {}
    assert matched(parts_of(0, 50), parts_of(1, 50), keys=("x", "y")) == ([], {})
    assert matched(parts_of(0, 50), []) == ([], {})


def test_a_run_pairs_its_levels(tmp_path):
    """From files: levels of independent luck correlate little, and every hero gets a number."""
    from balance.stats.analysis import analyse
    from balance.stats.levels import paired_levels
    from balance.store.read import open_run
    from tests.stats.planted import COLUMNS, planted_run

    run = open_run(planted_run(tmp_path / "run", Truth(levels=("low", "high"), scale=(1.0, 1.0)), pairs=400))
    found = analyse(run, COLUMNS)
    assert all(abs(entry.correlation) < 0.35 for entry in found.skill)
    assert found.skill[0].method == PAIRED and len(found.skill) == 8
    assert set(paired_levels(run, _sums(run))) == {(0, 1)}


def _sums(run):
    from balance.stats.design import read_design
    from balance.stats.scan import collect_run
    from balance.stats.sums import Columns

    return collect_run(run, read_design(run.manifest), Columns(), ())


def test_the_order_and_the_size_of_parts_change_nothing(tmp_path):
    """The higher level cut finer, one of its parts missing, parts listed backwards."""
    from dataclasses import replace

    from balance.stats.levels import paired_levels
    from balance.store.read import open_run
    from tests.stats.planted import planted_run

    truth = Truth(levels=("low", "high"), scale=(1.0, 1.0), arena={"field": 0.0})
    run = open_run(planted_run(tmp_path / "run", truth, pairs=600, part=100))
    parts = run.manifest["parts"]
    kept = [part for part in parts if (part["cell"], part["part"]) != (1, 3)]
    fewer = replace(run, manifest={**run.manifest, "parts": kept})
    backwards = replace(run, manifest={**run.manifest, "parts": kept[::-1]})
    one, two = paired_levels(fewer, _sums(fewer)), paired_levels(backwards, _sums(backwards))
    assert matched_parts(fewer.manifest, _sums(fewer).design)[1] == {(0, 1): 500}
    assert one[0, 1] == pytest.approx(two[0, 1])


def test_no_heroes_have_no_fit():
    sums = planted_sums(Truth(heroes=(), strength=(), size=0), 20, 1)
    assert level_fit(sums, 0) is None
