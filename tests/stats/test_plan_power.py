"""Variances before a run: by formula, from the rosters themselves, and seen in simulated runs."""

from __future__ import annotations

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.heroes import strengths
from balance.stats.plan_power import hero_variance_of, random_rosters, score_sd
from balance.stats.roster_power import Deck, hero_variance
from tests.stats.planted import Truth, planted_sums


@pytest.mark.parametrize(("heroes", "copies", "size"), [(10, 2, 4), (8, 1, 3), (21, 1, 4)])
def test_random_rosters_have_the_variance_of_the_formula(heroes, copies, size):
    counts = random_rosters(heroes, copies, size, (0, 1))
    assert (counts.sum(axis=2) == size).all()
    assert counts.sum(axis=1).max() <= copies
    found, formula = hero_variance_of(counts, 0.5), hero_variance(Deck(heroes, size, copies))
    assert found == pytest.approx(formula, rel=0.04)


@pytest.mark.parametrize(("mode", "sides", "side_of_player"), [("duel", 2, (0, 1)), ("ffa3", 3, (0, 1, 2))])
def test_runs_have_the_error_that_was_promised(mode, sides, side_of_player):
    truth = Truth(strength=(0.0,) * 8, seat=0.0, draws=0.0, size=2, mode=mode, arena={"north": 0.0})
    games = 4000 * sides
    errors = [h.effect.se for h in strengths(planted_sums(truth, 4000, 1), 0).heroes]
    promised = hero_variance_of(random_rosters(8, 2, 2, side_of_player), score_sd(sides))
    assert np.mean(errors) == pytest.approx(np.sqrt(promised / games), rel=0.04)


def test_rosters_that_separate_nobody_are_refused():
    together = np.zeros((3, 2, 4), np.int8)
    together[:, 0, :2], together[:, 1, 2:] = 1, 1
    assert isinstance(hero_variance_of(together, 0.5), Refusal)
    assert isinstance(hero_variance_of(together[:, :, :1], 0.5), Refusal)


def test_a_deck_too_small_gives_no_rosters():
    assert len(random_rosters(3, 1, 2, (0, 1))) == 0
