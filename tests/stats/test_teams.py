"""Teams on planted truths."""

from dataclasses import replace

import numpy as np
import pytest

from balance.stats.davidson import PRIOR_DRIVEN
from balance.stats.estimate import Refusal
from balance.stats.teams import team_results
from tests.stats.planted import Truth, planted_sums

TEAMS = {"best": (0, 1), "good": (2, 3), "poor": (4, 5), "worst": (6, 7)}
TRUTH = Truth(
    teams=TEAMS,
    strength=(0.1, 0.0, 0.03, 0.0, -0.03, 0.0, -0.1, 0.0),
    draws=0.0,
    arena={"field": 0.0},
)
WORTH = {"best": 0.1, "good": 0.03, "poor": -0.03, "worst": -0.1}


def level(truth, pairs=300, seed=1):
    tables = team_results(planted_sums(truth, pairs, seed))
    assert not isinstance(tables, Refusal)
    return tables[0]


def expected(name):
    """Mean chance against the three others."""
    return 0.5 + np.mean([WORTH[name] - WORTH[other] for other in TEAMS if other != name])


def test_scores_cover_the_truth():
    hits = []
    for seed in range(80):
        hits += [t.score.low <= expected(t.team) <= t.score.high for t in level(TRUTH, 150, seed).teams]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.04)


def test_scores_cover_with_two_arenas_and_draws():
    truth = replace(TRUTH, draws=0.2, arena={"north": 0.1, "south": -0.1})
    hits = []
    for seed in range(60):
        for team in level(truth, 100, seed).teams:
            hits.append(team.score.low <= 0.5 + 0.8 * (expected(team.team) - 0.5) <= team.score.high)
    assert np.mean(hits) == pytest.approx(0.95, abs=0.05)


def test_order_matchups_and_ratings_agree():
    table = level(TRUTH, 1500)
    assert [team.team for team in table.teams] == ["best", "good", "poor", "worst"]
    ratings = [team.rating.value for team in table.teams]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) == pytest.approx(0, abs=1e-9)
    for (one, two), score in table.matchups.items():
        assert score.value + table.matchups[two, one].value == pytest.approx(1)
        assert abs(score.value - (0.5 + WORTH[one] - WORTH[two])) < 4.5 * score.se
    assert table.best == ("best",)


def test_equal_teams_are_within_noise_of_the_best():
    truth = replace(TRUTH, strength=(0.0,) * 8)
    wrong = [len(level(truth, 100, seed).best) < 4 for seed in range(100)]
    # Choosing the highest of four first makes the comparison a little too sharp; not more than threefold.
    assert np.mean(wrong) <= 0.15
    named = [any(team.p < 0.05 for team in level(truth, 100, seed).teams) for seed in range(100)]
    assert np.mean(named) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 100)


def test_a_team_that_never_loses_is_rated_by_a_prior_and_says_so():
    truth = replace(TRUTH, strength=(0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    table = level(truth, 40)
    assert table.teams[0].score.value == 1.0
    assert table.teams[0].score.low < 1.0
    assert PRIOR_DRIVEN in table.rating_note
    assert PRIOR_DRIVEN in table.teams[0].rating.method


def test_nothing_but_draws_has_no_rating():
    table = level(replace(TRUTH, draws=1.0), 40)
    assert all(team.score.value == 0.5 and team.rating is None for team in table.teams)
    assert "decided" in table.rating_note


def test_mirror_matches_are_left_out():
    table = level(replace(TRUTH, mirror=True), 100)
    assert all(one != two for one, two in table.matchups)
    assert [t.score.n for t in table.teams] == [300] * 4


def test_only_mirror_matches_are_refused():
    truth = replace(TRUTH, teams={"best": (0, 1)}, mirror=True)
    assert isinstance(team_results(planted_sums(truth, 20, 1)), Refusal)


def test_drafted_rosters_have_no_teams():
    assert isinstance(team_results(planted_sums(Truth(), 20, 1)), Refusal)


def test_more_than_two_sides_give_scores_without_matchups():
    truth = replace(TRUTH, mode="ffa4")
    table = level(truth, 200)
    assert not table.matchups
    assert sum(t.score.value for t in table.teams) / 4 == pytest.approx(0.25)
    assert table.teams[0].team == "best"
    assert all(team.rating is None for team in table.teams)


def test_team_mates_share_what_they_scored():
    """Every team plays with and against every other, so its score shows its own worth."""
    table = level(replace(TRUTH, mode="team"), 800)
    assert [team.team for team in table.teams] == ["best", "good", "poor", "worst"]
    assert sum(team.score.value for team in table.teams) == pytest.approx(2)
    # With each of the three others once: 1/2 + mean of (own + mate - the two opponents).
    for team in table.teams:
        rest = [WORTH[name] for name in TEAMS if name != team.team]
        wanted = 0.5 + np.mean([WORTH[team.team] + mate - (sum(rest) - mate) for mate in rest])
        assert abs(team.score.value - wanted) < 4 * team.score.se
    score = table.matchups["best + good", "poor + worst"]
    assert abs(score.value - (0.5 + 0.26)) < 4 * score.se
    assert "one team with one other" in table.rating_note


def test_error_of_a_difference_counts_what_two_teams_share():
    """In one matchup one's gain is the other's loss: the difference has twice the error, not 1.4 times."""
    truth = replace(TRUTH, teams={"a": (2, 3), "b": (4, 5)}, strength=(0.0,) * 8)
    wrong = [len(level(truth, 60, seed).best) < 2 for seed in range(300)]
    assert np.mean(wrong) == pytest.approx(0.05, abs=0.035)
