"""The label of a finding: what its neighbours in skill show, contradict, or leave open."""

import math

import numpy as np
import pytest

from balance.stats.estimate import holm, p_against
from balance.stats.reach import DEPENDENT, OPEN, ROBUST, SINGLE, UNCLEAR, Effect, reach
from balance.stats.seats import seat_results
from tests.stats.planted import Truth, planted_sums


def effects(*numbers):
    """Effects by level from (value, half width, p)."""
    return [Effect(k, value, value - half, value + half, p) for k, (value, half, p) in enumerate(numbers)]


SURE = (6.2, 1.0, 0.001)


@pytest.mark.parametrize(
    ("near", "label"),
    [
        ((3.0, 1.0, 0.001), ROBUST),
        ((0.9, 0.3, 0.002), ROBUST),  # small, but there
        ((0.3, 0.8, 0.5), DEPENDENT),  # the same sign by chance: practically zero, and clearly less
        ((0.3, 7.0, 0.9), OPEN),  # wide enough to hold the finding
        ((-0.3, 7.0, 0.9), OPEN),
        ((2.7, 3.0, 0.2), OPEN),  # the intervals meet
        ((-0.3, 0.8, 0.5), DEPENDENT),
        ((-3.0, 1.0, 0.001), DEPENDENT),
        ((0.0, 0.0, 1.0), DEPENDENT),
        ((0.0, math.inf, 1.0), OPEN),  # a level with one pair knows nothing
    ],
)
def test_a_neighbour_decides_the_label_whichever_side_it_stands_on(near, label):
    for order in ([near, SURE], [SURE, near]):
        found = reach(effects(*order))
        assert found.label == label
        assert found.open_at == ((order.index(near),) if label == OPEN else ())


def test_the_sign_of_the_effect_plays_no_part():
    for near in ((3.0, 1.0, 0.001), (0.3, 0.8, 0.5), (0.3, 7.0, 0.9), (-3.0, 1.0, 0.001)):
        turned = [(-value, half, p) for value, half, p in (near, SURE)]
        assert reach(effects(*turned)) == reach(effects(near, SURE))


def test_contradiction_at_one_side_outweighs_an_open_question_at_the_other():
    wide, less = (0.3, 7.0, 0.9), (0.3, 0.8, 0.5)
    assert reach(effects(wide, SURE, less)).label == DEPENDENT
    assert reach(effects(wide, SURE, (3.0, 1.0, 0.002))).open_at == (0,)
    assert reach(effects(wide, SURE, wide)).open_at == (0, 2)


def test_a_level_that_is_no_neighbour_has_no_say():
    assert reach(effects((-3.0, 1.0, 0.03), (3.0, 1.0, 0.002), SURE)).label == ROBUST


@pytest.mark.parametrize(
    ("numbers", "label"), [([], UNCLEAR), ([(1.0, 2.0, 0.2)], UNCLEAR), ([SURE], SINGLE)]
)
def test_nothing_to_compare(numbers, label):
    assert reach(effects(*numbers)).label == label


def test_seats_are_adjusted_for_the_levels():
    truth = Truth(levels=("low", "mid", "high"), scale=(0.0, 0.5, 1.0), seat=0.02)
    seats = seat_results(planted_sums(truth, 300, 1))
    raw = np.array([p_against(seat.places[0], 0.5) for seat in seats])
    assert [seat.p for seat in seats] == pytest.approx(holm(raw).tolist())
    assert max(seat.p for seat in seats) < 1 and (holm(raw) > raw).any()
