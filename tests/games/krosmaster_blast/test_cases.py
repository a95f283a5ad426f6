"""The handed cases of Krosmaster: Blast, dice enumerated."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from balance.study import casefiles, oracle

FOLDER = Path(__file__).resolve().parents[2] / "cases" / "krosmaster_blast"
CASES = [case for path in sorted(FOLDER.glob("*.yaml")) for case in casefiles.read_cases(str(path))]


def test_there_are_as_many_cases_as_were_handed() -> None:
    assert len(CASES) == 73
    assert {case.ask for case in CASES} == {"legal", "after", "outcomes"}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: casefiles.Case) -> None:
    assert casefiles.check_case(case).difference == ""


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.ask == "outcomes"], ids=lambda case: case.name
)
def test_outcomes_are_exact_fractions(case: casefiles.Case) -> None:
    shares = oracle.outcomes(oracle.load(case.position), *case.actions)
    assert all(isinstance(share, Fraction) for share in shares.values())
    assert sum(shares.values()) == 1
    assert list(shares) == sorted(shares)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.ask == "after" and case.expect], ids=lambda case: case.name
)
def test_after_cases_have_one_outcome(case: casefiles.Case) -> None:
    assert oracle.outcomes(oracle.load(case.position), *case.actions) == {case.expect: 1}
