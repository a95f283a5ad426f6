"""Proportions and differences against published tables."""

import json
from pathlib import Path

import pytest

from balance.stats.proportions import mcnemar, newcombe, paired_difference, proportion, wilson

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


@pytest.mark.parametrize("row", rows("02_two_proportion_difference.json"), ids=lambda r: f"{r['a']}-{r['b']}")
def test_newcombe_is_the_reference(row):
    found = newcombe(row["a"], row["n1"], row["b"], row["n2"])
    assert (found.low, found.high) == pytest.approx(row["newcomb"], abs=1e-9)
    assert found.value == pytest.approx(row["a"] / row["n1"] - row["b"] / row["n2"])


@pytest.mark.parametrize("row", rows("03_mcnemar_paired.json"), ids=lambda row: row["source"][:12])
def test_paired_difference_and_mcnemar_are_the_reference(row):
    (both, first), (second, neither) = row["table"]
    found = paired_difference(both, first, second, neither)
    assert found.value == pytest.approx(row["diff_row_minus_col"])
    assert found.se == pytest.approx(row["se"])
    assert (found.low, found.high) == pytest.approx(row["agresti_min95"], abs=1e-9)
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
