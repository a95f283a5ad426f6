"""Strengths: exact counts give back the planted ones; separated results get groups and no numbers."""

import numpy as np
import pytest

from balance.stats.contests import GAMES, LOST, SHARE, WON, Contest, Units
from balance.stats.davidson import Games, davidson
from balance.stats.ladder import ALONE, NOT_PLAYED, UNSETTLED, groups_of, scale_of

TRUE = np.array([-1.0, -0.2, 0.3, 0.9])
NU = 0.4


def chances(gap, ties=NU):
    up, down = np.exp(gap / 2), np.exp(-gap / 2)
    return np.array([up, ties, down]) / (up + ties + down)


def units(counts, key=0):
    """Units of two games: pairs of wins, draws and losses as `counts` says."""
    rows = np.repeat(np.eye(3), np.asarray(counts), axis=0) * 2
    values = np.zeros((len(rows), 7))
    values[:, WON : LOST + 1], values[:, GAMES] = rows, 2
    values[:, SHARE] = (rows[:, 0] + rows[:, 1] / 2) / 2
    zero = np.zeros(len(rows), np.int64)
    return Units(zero, zero, key + np.arange(len(rows)), values)


def round_robin(n, true=TRUE, ties=NU):
    return {
        Contest(one, other, (0,)): units(np.round(n * chances(true[one] - true[other], ties)).astype(int))
        for one in range(len(true))
        for other in range(one)
    }


def test_exact_counts_give_the_planted_strengths():
    scale = scale_of(round_robin(1_000_000), 4, 2.0)
    found = [one.estimate.value for one in scale.strengths]
    assert found == pytest.approx(TRUE - TRUE.mean(), abs=1e-5)
    assert scale.ties[0] == pytest.approx(NU, abs=1e-5)
    assert not scale.separated
    for contest, share in scale.fitted.items():
        expected = chances(TRUE[contest.one] - TRUE[contest.other])
        assert share == pytest.approx(expected[0] + expected[1] / 2, abs=1e-5)


def test_turning_every_contest_round_turns_nothing_else():
    own = round_robin(500)
    turned = {}
    for contest, held in own.items():
        values = held.values.copy()
        values[:, [WON, LOST]] = values[:, [LOST, WON]]
        values[:, SHARE] = 1 - values[:, SHARE]
        turned[Contest(contest.other, contest.one, (0,))] = Units(held.arena, held.place, held.key, values)
    one, other = scale_of(own, 4, 2.0), scale_of(turned, 4, 2.0)
    for a, b in zip(one.strengths, other.strengths, strict=True):
        assert (a.estimate.value, a.estimate.se) == pytest.approx((b.estimate.value, b.estimate.se))


def test_errors_are_those_of_pairs_when_contests_share_none():
    """The known sandwich by rows, and twice the independent information: both games of a pair fall alike."""
    apart = {
        c: units(np.round(400 * chances(TRUE[c.one] - TRUE[c.other])).astype(int), 10_000 * k)
        for k, c in enumerate(round_robin(1))
    }
    scale = scale_of(apart, 4, 2.0)
    counts = np.array([held.values[:, WON : LOST + 1].sum(axis=0) for held in apart.values()])
    products = np.array(
        [held.values[:, WON : LOST + 1].T @ held.values[:, WON : LOST + 1] for held in apart.values()]
    )
    first, second = (np.array([getattr(c, name) for c in apart]) for name in ("one", "other"))
    known = davidson(Games(first, second, counts, 4, products, 2.0))
    assert [one.estimate.se for one in scale.strengths] == pytest.approx(np.sqrt(np.diag(known.covariance)))
    single = davidson(Games(first, second, counts / 2, 4))
    assert np.sqrt(np.diag(single.covariance)) == pytest.approx(
        [one.estimate.se for one in scale.strengths], rel=0.03
    )


def test_deals_that_several_contests_share_are_one_cluster():
    """Every unit decides both contests of agent 0 alike: its error is larger than of independent ones."""
    shared = {Contest(0, 1, (0,)): units([60, 0, 40]), Contest(0, 2, (1,)): units([60, 0, 40])}
    apart = {Contest(0, 1, (0,)): units([60, 0, 40]), Contest(0, 2, (1,)): units([60, 0, 40], 1000)}
    one, other = scale_of(shared, 3, 2.0).strengths[0].estimate, scale_of(apart, 3, 2.0).strengths[0].estimate
    assert one.value == pytest.approx(other.value)
    # Strength 0 is (gap to 1 + gap to 2) / 3: fully correlated gaps double the variance of the sum.
    assert one.se == pytest.approx(other.se * np.sqrt(2))


def test_an_agent_that_never_won_stands_alone():
    own = round_robin(200, TRUE[1:])
    own = {Contest(c.one + 1, c.other + 1, (0,)): held for c, held in own.items()}
    own |= {Contest(k, 0, (0,)): units([100, 0, 0]) for k in (1, 2, 3)}
    scale = scale_of(own, 4, 2.0)
    assert [one.group for one in scale.strengths] == [0, 1, 1, 1]
    assert scale.separated
    assert scale.strengths[0].estimate is None and scale.strengths[0].note == ALONE
    assert sum(one.estimate.value for one in scale.strengths[1:]) == pytest.approx(0)
    assert {c for c in own if c in scale.fitted} == {c for c in own if c.other}


def test_a_single_draw_joins_two_groups():
    assert groups_of({Contest(1, 0, (0,)): units([99, 0, 0])}, 2) == [0, 1]
    assert groups_of({Contest(1, 0, (0,)): units([99, 1, 0])}, 2) == [0, 0]


def test_nothing_but_draws_settles_nothing():
    scale = scale_of({Contest(1, 0, (0,)): units([0, 50, 0])}, 2, 2.0)
    assert [one.note for one in scale.strengths] == [UNSETTLED] * 2
    assert scale.fitted == {}


def test_an_agent_that_has_not_played_is_said_to():
    scale = scale_of({Contest(1, 0, (0,)): units([5, 0, 5])}, 3, 2.0)
    assert scale.strengths[2].note == NOT_PLAYED
    assert not scale.separated
