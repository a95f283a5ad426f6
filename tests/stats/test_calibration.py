"""The promises of docs/statistics.md, simulated: `python -m benchmarks calibration` makes the whole table."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.calibration import PARTS, Promise, at_most, covered, project

SHARE = 0.3  # of the runs of the table


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_promises_are_kept(part):
    function, runs = PARTS[part]
    broken = [promise.row() for promise in function(int(SHARE * runs)) if not promise.kept]
    assert broken == []


def test_a_broken_promise_is_seen():
    assert not at_most("an error rate", 0.09, 0.05, 1000).kept
    assert not covered("intervals", [True] * 900 + [False] * 100, 1000).kept
    assert covered("intervals", [True] * 950 + [False] * 50, 1000).kept
    assert not Promise("uniform", 0.001, 0.01, 1, 500).kept
    assert at_most("an error rate", 0.09, 0.05, 1000).row()["kept"] == "NO"


def test_planted_synergies_are_none_that_strengths_explain():
    held = np.random.default_rng(1).normal(size=(6, 6))
    held = held + held.T
    np.fill_diagonal(held, 0)
    found = project(held)
    assert found.sum(axis=1) == pytest.approx(np.zeros(6), abs=1e-12)
    assert project(found) == pytest.approx(found)
