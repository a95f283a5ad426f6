"""Differences on common streams: variance, small samples, dilution, many at once."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from balance.stats.deltas import ability_values, compare_all, paired_delta, what_if
from balance.stats.estimate import Refusal
from balance.stats.proportions import paired_difference

CASES = Path(__file__).parent.parent / "cases" / "stats"
TOY = json.loads((CASES / "23_crn_toy.json").read_text())["results"]
TABLES = json.loads((CASES / "03_mcnemar_paired.json").read_text())["rows"]


def values_of(up, down, same):
    return np.repeat([1.0, -1.0, 0.0], [up, down, same])


def toy(row):
    """The pairs behind a row: its mean and discordance determine rises and falls."""
    n = row["n_with_hero"]
    both, gap = round(row["discord"] * n), round(row["mean_delta"] * n)
    return values_of((both + gap) // 2, (both - gap) // 2, n - both)


@pytest.mark.parametrize("row", TOY.values(), ids=list(TOY))
def test_the_toy_skirmish(row):
    found = what_if(toy(row), 6000)
    inside, n = found.where_present, row["n_with_hero"]
    assert inside.effect.value == pytest.approx(row["mean_delta"], abs=1e-12)
    assert inside.discordance == pytest.approx(row["discord"])
    assert inside.effect.se**2 * n == pytest.approx(row["var_crn"], rel=1e-3)
    assert row["var_same_team_indep_rng"] / (inside.effect.se**2 * n) == pytest.approx(
        row["var_ratio"], rel=1e-3
    )
    assert found.overall.value == pytest.approx(row["mean_delta"] * n / 6000)
    assert found.inclusion.value * inside.discordance == pytest.approx(row["disc_all"], rel=0.001)


@pytest.mark.parametrize("row", TABLES, ids=lambda row: row["source"][:12])
def test_few_pairs_get_the_published_interval(row):
    (both, first), (second, neither) = row["table"]
    found = paired_delta(values_of(first, second, both + neither))
    published = paired_difference(both, first, second, neither)
    if both + first + second + neither < 100 or first + second < 20:
        assert (found.effect.low, found.effect.high) == pytest.approx((published.low, published.high))
        assert "Agresti-Min" in found.effect.method
    else:  # a t interval, which differs from Wald's by n / (n - 1)
        assert (found.effect.low, found.effect.high) == pytest.approx(row["wald95"], abs=1e-3)
    if "p_exact" in row:
        assert found.exact_p == pytest.approx(row["p_exact"])


def test_the_interval_does_not_jump_where_the_method_changes():
    few, many = paired_delta(values_of(12, 7, 981)), paired_delta(values_of(12, 8, 980))
    assert "Agresti-Min" in few.effect.method and "t interval" in many.effect.method
    assert few.effect.half_width == pytest.approx(many.effect.half_width, rel=0.08)


@pytest.mark.parametrize(("n", "chance"), [(20, 0.3), (60, 0.05), (400, 0.06)])
def test_intervals_cover_quarter_steps(n, chance):
    random, truth, hits = np.random.default_rng(n), 0.15 * chance, 0
    share = np.array([chance * 0.25, chance * 0.2, 1 - chance, chance * 0.25, chance * 0.3])
    truth = share @ [-1, -0.5, 0, 0.5, 1]
    for _ in range(600):
        found = paired_delta(random.choice([-1, -0.5, 0, 0.5, 1], n, p=share)).effect
        hits += found.low <= truth <= found.high
    assert hits / 600 >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 600)


def test_nothing_changed_is_not_certain():
    found = paired_delta(np.zeros(50))
    assert found.effect.value == 0 and found.effect.low < 0 < found.effect.high
    assert found.p == 1.0 and found.discordance == 0 and found.exact_p == 1.0


def test_swapping_the_plans_flips_the_signs():
    values = np.random.default_rng(1).choice([-1, -0.5, 0, 0.5, 1], 300)
    one, two = paired_delta(values), paired_delta(-values)
    assert (one.effect.value, one.effect.low) == pytest.approx((-two.effect.value, -two.effect.high))
    assert one.p == pytest.approx(two.p) and (one.up, one.down) == (two.down, two.up)


def test_no_pairs_are_refused():
    assert isinstance(paired_delta([]), Refusal)
    assert isinstance(what_if([], 100), Refusal)
    with pytest.raises(ValueError, match="only 1"):
        what_if([0.0, 1.0], 1)


def test_one_pair_is_an_answer_without_error():
    found = paired_delta([1.0])
    assert math.isnan(found.effect.se) and found.effect.low < 0 and found.effect.high == 1.0


def test_equal_plans_give_uniform_p_values():
    from scipy.stats import kstest

    random = np.random.default_rng(2)
    found = [paired_delta(random.normal(0, 0.3, 300)).p for _ in range(400)]
    assert kstest(found, "uniform").pvalue > 0.001


def test_named_questions_are_adjusted_by_holm_and_grids_by_discoveries():
    random = np.random.default_rng(3)
    named = {name: random.choice([-1, 0, 1], 200, p=[0.1, 0.8, 0.1]) for name in "abcd"} | {"none": []}
    (deltas, refused), (grid, _) = compare_all(named), compare_all(named, grid=True)
    raw = sorted(paired_delta(values).p for name, values in named.items() if name != "none")
    assert sorted(d.p for d in deltas)[0] == pytest.approx(min(1, 4 * raw[0]))
    assert all(one.p <= two.p + 1e-12 for one, two in zip(grid, deltas, strict=True))
    assert [name for name, _ in refused] == ["none"]
    assert compare_all({}) == ((), ())


def test_ability_values_leave_out_what_was_not_played():
    full = np.array([1.0, 0.5, 0.5, 1.0])
    found, _ = ability_values(full, {"bow": [0.5, 0.5, np.nan, 0.5], "never": [np.nan] * 4})
    assert found[0].effect.value == pytest.approx(1 / 3) and found[0].effect.n == 3
    assert len(found) == 1


def test_common_streams_beat_independent_ones():
    """Planted: a variant that changes few games; the paired error is far below the unpaired one."""
    random = np.random.default_rng(4)
    base = (random.random(2000) < 0.5).astype(float)
    variant = np.where(random.random(2000) < 0.04, 1 - base, base)
    paired = paired_delta(variant - base).effect.se
    unpaired = math.sqrt(base.var() / 2000 + variant.var() / 2000)
    assert paired < unpaired / 3


def planted(n, truth, seed):
    """Differences whose mean is `truth`: a pair in ten goes a quarter down, others a quarter up."""
    moved = np.random.default_rng(seed).random(n)
    return 0.25 * (moved < 0.1 + 4 * truth) - 0.25 * (moved > 0.9)


def test_many_pairs_are_the_textbook_comparison():
    from scipy.stats import ttest_1samp

    values = planted(900, 0.1, 1)
    found, oracle = paired_delta(values), ttest_1samp(values, 0.0)
    low, high = oracle.confidence_interval()
    assert (found.effect.low, found.effect.high) == pytest.approx((low, high))
    assert found.p == pytest.approx(oracle.pvalue)
    assert found.detectable == pytest.approx(2.8016 * found.effect.se, rel=1e-3)


def test_differences_between_cells_are_no_error():
    cell = np.repeat([0, 1], 500)
    values = planted(1000, 0.1, 3) - 0.5 * (cell == 1)  # the second cell says the opposite, always
    pooled, stratified = paired_delta(values), paired_delta(values, stratum=cell)
    assert stratified.effect.value == pooled.effect.value
    expected = np.sqrt(sum(values[cell == c].var(ddof=1) * 499 for c in (0, 1)) / 998 / 1000)
    assert stratified.effect.se == pytest.approx(expected)
    assert stratified.effect.se < pooled.effect.se / 1.5


def test_cells_of_one_pair_each_still_have_an_interval():
    found = paired_delta([1.0, 0.0], stratum=[0, 1])
    assert math.isnan(found.effect.se)
    assert -1 <= found.effect.low < found.effect.value < found.effect.high <= 1
    assert 0 < found.p <= 1


def test_nothing_changed_is_zero_but_not_for_certain():
    found = paired_delta(np.zeros(120), stratum=np.repeat([0, 1, 2], 40))
    assert (found.effect.value, found.effect.se, found.p, found.discordance) == (0.0, 0.0, 1.0, 0.0)
    assert found.effect.high == -found.effect.low > 0
