"""The first look: the pair is the unit, mirror matches weigh two, levels apart."""

from __future__ import annotations

import numpy as np
import pytest

from balance.play.glance import glance, verdict
from balance.store.read import open_run
from tests.play.fakes import FakePlan, played


def looked(tmp_path, **data):
    played(FakePlan(data), tmp_path / "run")
    return open_run(tmp_path / "run")


def test_the_pair_is_the_unit(tmp_path):
    run = looked(tmp_path, pairs=50, arenas=["hill"])
    rows = run.games().collect()
    scores = rows["score_a"].to_numpy().reshape(50, 2).mean(axis=1)
    (one,) = glance(run)
    assert (one.games, one.pairs) == (100, 50)
    assert one.score == pytest.approx(scores.mean())
    assert one.half_width == pytest.approx(1.96 * scores.std(ddof=1) / np.sqrt(50))


def test_levels_stand_apart(tmp_path):
    found = glance(looked(tmp_path, pairs=5, agents=["random", "greedy"]))
    assert [(one.label, one.pairs) for one in found] == [("random", 10), ("greedy:0", 10)]


def test_mirror_matches_count_as_two_games(tmp_path):
    (one,) = glance(looked(tmp_path, pairs=8, teams=[["paws", "paws"]], arenas=["hill"]))
    assert (one.games, one.pairs) == (16, 8)


def test_a_single_pair_has_no_interval(tmp_path):
    (one,) = glance(looked(tmp_path, pairs=1, arenas=["hill"]))
    assert one.half_width is None


def test_a_handful_of_pairs_promises_nothing(tmp_path):
    assert " ± " not in verdict(looked(tmp_path / "few", pairs=19, arenas=["hill"]))
    assert " ± " in verdict(looked(tmp_path / "more", pairs=20, arenas=["hill"]))


@pytest.mark.parametrize(
    ("mode", "who", "even"),
    [("duel", "the first seat", "50.0"), ("team", "side AC", "50.0"), ("ffa3", "the first seat", "33.3")],
)
def test_the_verdict_names_the_side_and_what_is_even(tmp_path, mode, who, even):
    text = verdict(looked(tmp_path, pairs=4, mode=mode))
    assert f"games: {who} scores " in text
    assert text.endswith(f"(even is {even} %)")
