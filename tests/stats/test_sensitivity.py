"""Sensitivity against Ishigami's function, whose indices are known exactly."""

import json
from pathlib import Path

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.sensitivity import morris, morris_effects, sobol, trajectories

CASE = json.loads((Path(__file__).parent.parent / "cases/stats/16_sobol_morris_ishigami.json").read_text())
RANGES = [(name, -np.pi, np.pi) for name in "abc"]


def ishigami(x):
    return np.sin(x[0]) + 7 * np.sin(x[1]) ** 2 + 0.1 * x[2] ** 4 * np.sin(x[0])


def test_sobol_indices_are_the_exact_ones():
    found = sobol(ishigami, RANGES, 4096)
    assert [f.first.value for f in found] == pytest.approx(CASE["exact"]["S1"], abs=CASE["tolerance"])
    assert [f.total.value for f in found] == pytest.approx(CASE["exact"]["ST"], abs=CASE["tolerance"])
    for index, first, total in zip(found, CASE["exact"]["S1"], CASE["exact"]["ST"], strict=True):
        assert index.first.low - 0.01 <= first <= index.first.high + 0.01
        assert index.total.low - 0.01 <= total <= index.total.high + 0.01
        assert index.first.se > 0 and "bootstrap" in index.first.method


def test_negative_indices_are_clipped_for_display_only():
    found = next(f for seed in range(20) if (f := sobol(ishigami, RANGES, 64, seed)[2]).first.value < 0)
    assert found.shown_first == 0.0 and found.first.low < found.first.value < 0


def test_morris_effects_are_the_published_ones_and_the_exact_ones():
    """Both are means over 1000 random walks; on the grid of four levels mu* is known exactly."""
    found = morris(ishigami, RANGES, 1000)
    exact = [7.6990, 7.875, 6.2488]
    for effect, truth, other, sd in zip(
        found, exact, CASE["salib_morris_r1000"]["mu_star"], CASE["salib_morris_r1000"]["sigma"], strict=True
    ):
        noise = 4 * effect.mean_absolute.se + 1e-9
        assert effect.mean_absolute.value == pytest.approx(truth, abs=noise + 1e-3)
        assert other == pytest.approx(truth, abs=noise + 1e-3)
        assert effect.sd == pytest.approx(sd, rel=0.06)


def test_a_straight_line_has_its_slopes_and_no_spread():
    found = morris(lambda x: 3 * x[0] - 2 * x[1], [("up", 0, 2), ("down", -1, 1)], 10)
    assert [e.mean for e in found] == pytest.approx([6, -4])
    assert [e.mean_absolute.value for e in found] == pytest.approx([6, 4])
    assert [e.sd for e in found] == pytest.approx([0, 0], abs=1e-9)


def test_walks_change_one_parameter_at_a_time_within_the_cube():
    walks = trajectories(5, 30, 4, 1)
    assert walks.min() >= 0 and walks.max() <= 1
    assert ((np.abs(np.diff(walks, axis=1)) > 0).sum(axis=2) == 1).all()
    assert sorted(set(np.round(walks.ravel() * 3).astype(int))) == [0, 1, 2, 3]


def test_the_order_of_parameters_does_not_matter():
    swapped = sobol(lambda x: ishigami(x[[2, 0, 1]]), [RANGES[1], RANGES[2], RANGES[0]], 1024)
    plain = sobol(ishigami, RANGES, 1024)
    assert swapped[0].total.value == pytest.approx(plain[1].total.value, abs=0.06)
    assert [s.name for s in swapped] == ["b", "c", "a"]


def test_questions_without_answer():
    assert isinstance(sobol(ishigami, [], 64), Refusal)
    assert isinstance(sobol(ishigami, [("a", 1.0, 1.0)], 64), Refusal)
    flat = sobol(lambda x: 0 * x[0], RANGES, 64)
    assert isinstance(flat, Refusal) and "did not change" in flat.reason
    with pytest.raises(ValueError, match="power of two"):
        sobol(ishigami, RANGES, 100)
    assert isinstance(morris(ishigami, []), Refusal)
    walks = trajectories(2, 1)
    assert isinstance(morris_effects(["a", "b"], walks, np.zeros((1, 3))), Refusal)
    with pytest.raises(ValueError, match="even"):
        trajectories(2, 5, levels=3)
