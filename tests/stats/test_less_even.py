"""Arenas shown to be farther from even than the one nearest to it: seldom by chance, found when it is so."""

import numpy as np
import pytest

from balance.stats.estimate import interval
from balance.stats.seats import less_even

SE = 0.02


def named(values, se=SE):
    scores = {
        f"arena{number}": interval(float(value), se, 600, "as planted") for number, value in enumerate(values)
    }
    return scores, min(scores, key=lambda arena: abs(scores[arena].value - 0.5))


def share_found(truth, runs=4_000):
    """Share of simulated runs in which any arena is called farther."""
    random = np.random.default_rng(7)
    draws = random.normal(truth, SE, (runs, len(truth)))
    return np.mean([bool(less_even(*named(values), 0.5)) for values in draws])


@pytest.mark.parametrize("truth", [(0.5,) * 4, (0.42,) * 4, (0.46, 0.54), (0.5, 0.5)])
def test_arenas_that_are_equally_fair_are_seldom_told_apart(truth):
    assert share_found(truth) <= 0.05


def test_an_arena_that_is_far_is_found():
    assert share_found((0.5, 0.38)) > 0.95
    scores, fairest = named((0.49, 0.60, 0.40, 0.51))
    assert fairest in ("arena0", "arena3")
    assert less_even(scores, fairest, 0.5) == ["arena1", "arena2"]
    assert less_even(*named((0.5,)), 0.5) == []
