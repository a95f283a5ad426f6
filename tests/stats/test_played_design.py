"""Sets of runs as designs: found whatever their order, refused when they are none."""

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.played_design import find_saltelli, find_walks, sobol_of_design
from balance.stats.sensitivity import morris_effects, trajectories


def saltelli(n, d, seed=1):
    random = np.random.default_rng(seed)
    a, b = random.random((2, n, d))
    mixed = []
    for column in range(d):
        held = a.copy()
        held[:, column] = b[:, column]
        mixed.append(held)
    return np.vstack([a, b, *mixed])


@pytest.mark.parametrize(("n", "d"), [(4, 2), (8, 3), (16, 5)])
def test_a_design_is_found_in_any_order(n, d):
    grid = saltelli(n, d)
    grid = grid[np.random.default_rng(2).permutation(len(grid))]
    a, b, mixed = find_saltelli(grid)
    assert sorted([*a, *b, *mixed.ravel()]) == list(range(len(grid)))
    for column in range(d):
        expected = grid[a].copy()
        expected[:, column] = grid[b][:, column]
        assert np.array_equal(grid[mixed[column]], expected)


def test_indices_of_a_linear_function_are_its_variances():
    grid = saltelli(128, 3)
    found = sobol_of_design("xyz", grid[:, 0] + 2 * grid[:, 1], *find_saltelli(grid))
    assert [one.name for one in found] == ["x", "y", "z"]
    for one, share in zip(found, (0.2, 0.8, 0.0), strict=True):
        assert one.first.low - 0.05 <= share <= one.first.high + 0.05
        assert one.total.value == pytest.approx(share, abs=0.15)
    assert found[2].total.value == 0 and found[2].total.low == 0 == found[2].total.high


def test_indices_agree_with_scipy():
    from scipy.stats import sobol_indices

    grid = saltelli(64, 2)
    a, b, mixed = find_saltelli(grid)
    values = grid[:, 0] * grid[:, 1] + grid[:, 0]
    func = {"f_A": values[a][None], "f_B": values[b][None], "f_AB": values[mixed][:, None]}
    theirs = sobol_indices(func=func, n=64)
    ours = sobol_of_design("ab", values, a, b, mixed)
    assert [one.first.value for one in ours] == pytest.approx(np.ravel(theirs.first_order))
    assert [one.total.value for one in ours] == pytest.approx(np.ravel(theirs.total_order))


def test_what_is_no_design_is_refused():
    grid = saltelli(4, 2)
    assert isinstance(find_saltelli(grid[:-1]), Refusal)
    broken = grid.copy()
    broken[-1, 0] += 0.5
    assert isinstance(find_saltelli(broken), Refusal)
    assert isinstance(find_saltelli(saltelli(6, 2)), Refusal)  # no power of two
    assert isinstance(find_saltelli(saltelli(2, 2)), Refusal)  # too few points
    assert "4 runs" in find_saltelli(np.arange(4.0)[:, None]).reason
    assert isinstance(sobol_of_design("ab", np.ones(16), *find_saltelli(grid)), Refusal)


def test_walks_are_found_in_their_order():
    walks = trajectories(3, 5)
    grid = walks.reshape(-1, 3)
    rows = find_walks(grid)
    assert np.array_equal(grid[rows], walks)
    effects = morris_effects("xyz", grid[rows], (grid @ [1.0, 0.0, -2.0])[rows])
    assert [one.mean_absolute.value for one in effects] == pytest.approx([1, 0, 2])
    assert isinstance(find_walks(grid[1:]), Refusal)
    assert isinstance(find_walks(grid[:4]), Refusal)  # one walk
    assert isinstance(find_walks(grid[::-1][:, :1]), Refusal)
