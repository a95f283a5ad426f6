"""Proportions and differences against published tables."""

import json
from pathlib import Path

import pytest

from balance.stats.differences import agresti_caffo, score_difference, wald_difference
from balance.stats.proportions import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    mcnemar,
    newcombe,
    paired_difference,
    proportion,
    wald,
    wilson,
)

CASES = Path(__file__).parent.parent / "cases" / "stats"


def rows(name):
    return json.loads((CASES / name).read_text())["rows"]


@pytest.mark.parametrize("row", rows("01_single_proportion.json"), ids=lambda row: f"{row['k']}/{row['n']}")
def test_wilson_is_the_reference(row):
    assert wilson(row["k"], row["n"]) == pytest.approx(row["scipy_wilson"], abs=1e-9)
    assert wilson(row["k"], row["n"], correction=True) == pytest.approx(row["scipy_wilsoncc"], abs=1e-9)


def test_wilson_is_what_newcombe_published():
    published = json.loads((CASES / "01_single_proportion.json").read_text())["published"]
    for key, methods in published.items():
        k, n = map(int, key.split("/"))
        assert wilson(k, n) == pytest.approx(methods["wilson"], abs=5.1e-5)
        assert wilson(k, n, correction=True) == pytest.approx(methods["wilson_cc"], abs=5.1e-5)


@pytest.mark.parametrize("row", rows("01_single_proportion.json"), ids=lambda row: f"{row['k']}/{row['n']}")
def test_the_other_intervals_are_the_reference(row):
    assert clopper_pearson(row["k"], row["n"]) == pytest.approx(row["scipy_exact"], abs=1e-9)
    assert jeffreys(row["k"], row["n"]) == pytest.approx(row["sm_jeffreys"], abs=1e-9)
    assert agresti_coull(row["k"], row["n"]) == pytest.approx(row["sm_agresti_coull"], abs=1e-9)
    assert wald(row["k"], row["n"]) == pytest.approx(row["sm_normal"], abs=1e-9)


def test_exact_and_wald_are_what_newcombe_published():
    case = json.loads((CASES / "01_single_proportion.json").read_text())
    for key, methods in case["published"].items():
        k, n = map(int, key.split("/"))
        assert clopper_pearson(k, n) == pytest.approx(methods["clopper_pearson"], abs=case["tolerance"])
        if "wald" in methods:
            assert wald(k, n) == pytest.approx(methods["wald"], abs=case["tolerance"])


@pytest.mark.parametrize("row", rows("02_two_proportion_difference.json"), ids=lambda r: f"{r['a']}-{r['b']}")
def test_newcombe_is_the_reference(row):
    found = newcombe(row["a"], row["n1"], row["b"], row["n2"])
    assert (found.low, found.high) == pytest.approx(row["newcomb"], abs=1e-9)
    assert found.value == pytest.approx(row["a"] / row["n1"] - row["b"] / row["n2"])


@pytest.mark.parametrize("row", rows("02_two_proportion_difference.json"), ids=lambda r: f"{r['a']}-{r['b']}")
def test_score_intervals_are_the_reference(row):
    counts = (row["a"], row["n1"], row["b"], row["n2"])
    found = score_difference(*counts)
    assert (found.low, found.high) == pytest.approx(row["miettinen_nurminen_ours"], abs=1e-9)
    found = score_difference(*counts, correction=False)
    assert (found.low, found.high) == pytest.approx(row["mee_ours"], abs=1e-9)
    found = agresti_caffo(*counts)
    assert (found.low, found.high) == pytest.approx([min(1, x) for x in row["agresti-caffo"]], abs=1e-9)
    found = wald_difference(*counts)
    assert (found.low, found.high) == pytest.approx(row["wald"], abs=1e-9)


def test_score_intervals_are_what_newcombe_published():
    found, other = score_difference(56, 70, 48, 80), score_difference(56, 70, 48, 80, correction=False)
    assert (found.low, found.high) == pytest.approx([0.0528, 0.3382], abs=5e-5)
    assert (other.low, other.high) == pytest.approx([0.0533, 0.3377], abs=5e-5)


@pytest.mark.parametrize("make", [newcombe, score_difference, agresti_caffo, wald_difference])
def test_swapping_the_samples_flips_the_signs(make):
    one, two = make(9, 12, 5, 17), make(5, 17, 9, 12)
    assert (one.value, one.low, one.high) == pytest.approx((-two.value, -two.high, -two.low), abs=1e-9)
    assert one.se == pytest.approx(two.se)


@pytest.mark.parametrize("row", rows("03_mcnemar_paired.json"), ids=lambda row: row["source"][:12])
def test_paired_difference_and_mcnemar_are_the_reference(row):
    (both, first), (second, neither) = row["table"]
    found = paired_difference(both, first, second, neither)
    assert found.value == pytest.approx(row["diff_row_minus_col"])
    assert found.se == pytest.approx(row["se"])
    assert (found.low, found.high) == pytest.approx(row["agresti_min95"], abs=1e-9)
    assert paired_difference(second=first, first=second, both=both, neither=neither).low == pytest.approx(
        -found.high
    )
    if "p_exact" in row:
        chi_square, exact = mcnemar(first, second)
        assert chi_square == pytest.approx(row["mcnemar_chi2_nocc"])
        assert exact == pytest.approx(row["p_exact"])


def test_a_draw_counts_half():
    assert proportion(2.5, 5).value == 0.5


@pytest.mark.parametrize(("k", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_impossible_counts_are_refused(k, n):
    with pytest.raises(ValueError, match="no interval"):
        wilson(k, n)
    for other in (clopper_pearson, jeffreys, agresti_coull, wald):
        with pytest.raises(ValueError, match="no interval"):
            other(k, n)
    with pytest.raises(ValueError, match="no difference"):
        score_difference(k, n, 1, 2)
