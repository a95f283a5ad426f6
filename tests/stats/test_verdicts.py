"""Verdicts: their rules, their error rates against the published table, many metrics, degenerate inputs."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.sequences import Sample, mixture_bound, sample_of
from balance.stats.verdicts import FAIL, INCONCLUSIVE, PASS, decide, fixed_verdict, judge, sequence_verdict

CASE = json.loads(
    (Path(__file__).parent.parent / "cases/stats/22_ci_verdict_operating_characteristics.json").read_text()
)
MARGIN, DISCORDANCE, PLANNED = 0.01, 0.06, 12_000


def sums(truth, pairs, runs, looks=1, seed=0):
    """Rises and falls of `runs` simulated comparisons at every look, shape (runs, looks)."""
    chances = [(DISCORDANCE + truth) / 2, (DISCORDANCE - truth) / 2, 1 - DISCORDANCE]
    counts = np.random.default_rng(seed).multinomial(pairs, chances, (runs, looks)).cumsum(axis=1)
    return counts[..., 0], counts[..., 1]


def sample(up, down, n):
    mean = (up - down) / n
    return Sample(int(n), float(mean), float(up + down - n * mean**2))


@pytest.mark.parametrize("truth", [0.0, 0.01, 0.02, 0.03])
def test_a_fixed_number_has_the_published_error_rates(truth):
    runs = 2000
    up, down = sums(truth, 7000, runs)
    found = [
        fixed_verdict(sample(u, d, 7000), MARGIN).verdict for u, d in zip(up[:, 0], down[:, 0], strict=True)
    ]
    published = CASE["results"][f"{truth:g}"]["fixed n=7000 TOST(90%)/FAIL(95%)"]
    for verdict, name in ((PASS, "PASS"), (FAIL, "FAIL"), (INCONCLUSIVE, "INC")):
        noise = 3 * math.sqrt(0.25 / runs) if 0.01 < published[name] < 0.99 else 0.005
        assert found.count(verdict) / runs == pytest.approx(
            published[name], abs=max(CASE["tolerance"], noise)
        )


@pytest.mark.parametrize("truth", [0.0, 0.01, 0.02, 0.03])
def test_a_hundred_looks_have_the_published_error_rates(truth):
    runs, looks = 800, 100
    up, down = sums(truth, 1000, runs, looks, seed=1)
    n = np.arange(1, looks + 1) * 1000
    mean = (up - down) / n
    reach = mixture_bound(up + down - n * mean**2, DISCORDANCE * PLANNED) / n
    passed, failed = np.abs(mean) + reach < MARGIN, np.abs(mean) - reach > MARGIN
    first = np.argmax(passed | failed, axis=1)
    ended = (passed | failed).any(axis=1)
    rates = {
        "PASS": (ended & passed[np.arange(runs), first]).mean(),
        "FAIL": (ended & failed[np.arange(runs), first]).mean(),
        "INC": (~ended).mean(),
    }
    published = CASE["results"][f"{truth:g}"]["normal-mixture CS 95%"]
    for name, rate in rates.items():
        assert rate == pytest.approx(published[name], abs=CASE["tolerance"])
    if truth == MARGIN:
        assert rates["PASS"] <= 0.025 and rates["FAIL"] <= 0.025
    used = np.where(ended, n[first], n[-1]).mean()
    assert used == pytest.approx(published["mean_n"], rel=0.12)


def test_the_function_gives_what_the_arrays_gave():
    up, down = sums(0.012, 1000, 1, 20, seed=2)
    for look, (u, d) in enumerate(zip(up[0], down[0], strict=True), start=1):
        held, n = sample(u, d, 1000 * look), 1000 * look
        found = sequence_verdict(held, MARGIN, DISCORDANCE * PLANNED)
        reach = mixture_bound(held.deviation, DISCORDANCE * PLANNED) / n
        assert (found.low, found.high) == pytest.approx((held.mean - reach, held.mean + reach))
        assert found.verdict == decide(found.low, found.high, found.low, found.high, MARGIN)


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        ((-0.5, 0.5), PASS),
        ((-1.5, 0.5), INCONCLUSIVE),
        ((1.2, 2.0), FAIL),
        ((-3, -1.01), FAIL),
        ((-1, 0), INCONCLUSIVE),
    ],
)
def test_the_rule(interval, verdict):
    assert decide(*interval, *interval, 1.0) == verdict


def test_no_games_never_pass():
    for found in (fixed_verdict(Sample(), 0.01), sequence_verdict(Sample(), 0.01, 1.0)):
        assert found.verdict == INCONCLUSIVE and isinstance(found.difference, Refusal)
    assert judge([]).verdict == INCONCLUSIVE


def test_few_pairs_that_never_differed_do_not_pass_a_narrow_margin():
    assert fixed_verdict(sample_of([0.0] * 5), 0.01).verdict == INCONCLUSIVE
    assert fixed_verdict(sample_of([0.0] * 40_000), 0.01).verdict == PASS
    assert fixed_verdict(sample_of([0.5]), 0.01).verdict == INCONCLUSIVE


def test_a_metric_without_bound():
    values = np.random.default_rng(1).normal(0.0, 2.0, 4000)
    assert fixed_verdict(sample_of(values), 0.5, scale=None).verdict == PASS
    assert fixed_verdict(sample_of(values + 1), 0.5, scale=None).verdict == FAIL
    assert fixed_verdict(sample_of([0.0] * 100), 0.5, scale=None).verdict == PASS
    assert fixed_verdict(sample_of([0.0] * 3), 0.5, scale=None).verdict == INCONCLUSIVE
    assert fixed_verdict(sample_of([9.0] * 100), 0.5, scale=None).verdict == INCONCLUSIVE
    assert fixed_verdict(sample_of([9.0]), 0.5, scale=None).verdict == INCONCLUSIVE


def test_swapping_baseline_and_candidate_keeps_the_verdict():
    for shift in (0.0, 0.02, 0.05):
        values = np.random.default_rng(2).choice([-1, 0, 1], 3000, p=[0.03, 0.94 - shift, 0.03 + shift])
        one, two = fixed_verdict(sample_of(values), 0.02), fixed_verdict(sample_of(-values), 0.02)
        assert one.verdict == two.verdict and one.p == pytest.approx(two.p)
        assert (one.low, one.high) == pytest.approx((-two.high, -two.low))


def test_p_is_below_alpha_exactly_when_it_fails():
    random = np.random.default_rng(3)
    for _ in range(200):
        held = sample_of(random.choice([-1, 0, 1], random.integers(30, 600), p=[0.05, 0.8, 0.15]))
        found = fixed_verdict(held, 0.04)
        assert (found.p < 0.05) == (found.verdict == FAIL)
        found = sequence_verdict(held, 0.04, 60.0)
        assert (found.p < 0.05) == (found.verdict == FAIL)


def test_the_number_needed_passes_as_often_as_promised():
    held = sample(30, 30, 1000)
    needed = round(fixed_verdict(held, MARGIN).needed)
    up, down = sums(0.0, needed, 1000, seed=4)
    found = [fixed_verdict(sample(u[0], d[0], needed), MARGIN).verdict for u, d in zip(up, down, strict=True)]
    assert found.count(PASS) / 1000 == pytest.approx(0.9, abs=0.03)


def test_many_metrics_fail_together_by_holm():
    """Twenty metrics exactly on their margin: the whole fails falsely in at most 5 % of the runs."""
    up, down = sums(MARGIN, 4000, 400, 20, seed=5)
    singles = np.diff(np.stack([up, down]), axis=2, prepend=0)
    wrong = 0
    for run in range(400):
        found = [fixed_verdict(sample(u, d, 4000), MARGIN) for u, d in singles[:, run].T]
        wrong += judge(found).verdict == FAIL
    assert wrong / 400 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)


def test_the_whole_passes_only_with_every_metric():
    good, bad = (
        fixed_verdict(sample(300, 300, 40_000), MARGIN, "good"),
        fixed_verdict(sample(900, 10, 9000), MARGIN, "bad"),
    )
    open_ = fixed_verdict(sample(5, 5, 100), MARGIN, "open")
    assert judge([good, good]).verdict == PASS
    found = judge([good, open_])
    assert found.verdict == INCONCLUSIVE and found.open == ("open",)
    found = judge([good, open_, bad])
    assert found.verdict == FAIL and found.failed == ("bad",) and "bad" in found.reason


def test_a_failure_that_does_not_survive_adjustment_is_inconclusive():
    edge = fixed_verdict(sample(145, 60, 5000), MARGIN, "edge")
    assert edge.verdict == FAIL and edge.p > 0.01
    found = judge([edge] + [fixed_verdict(sample(300, 300, 40_000), MARGIN, str(k)) for k in range(9)])
    assert found.verdict == INCONCLUSIVE and found.metrics[0].verdict == INCONCLUSIVE


@pytest.mark.parametrize("margin", [0.0, -0.1, math.nan])
def test_margins_have_to_be_positive(margin):
    with pytest.raises(ValueError, match="margin"):
        fixed_verdict(Sample(), margin)
