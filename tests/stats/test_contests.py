"""Units and shares of contests against numbers worked out by hand, by formula, and by simulation."""

import numpy as np
import polars as pl
import pytest

from balance.stats.contests import (
    GAMES,
    LOST,
    SHARE,
    TIED,
    WON,
    Contest,
    Units,
    bounded,
    contests_of,
    draws_of,
    outcome_table,
    share_of,
    stratified,
    unit_sums,
)
from balance.stats.design import Cell, Design

DUEL = (2, (0, 1), ((0, 1), (1, 0)))
FFA3 = (3, (0, 1, 2), ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
TEAM = (4, (0, 1, 0, 1), ((0, 1, 2, 3), (1, 0, 3, 2)))


def design(mode, *levels):
    seats, sides, seatings = mode
    cells = tuple(Cell(n, n, "north", (), agents) for n, agents in enumerate(levels))
    return Design(seats, max(sides) + 1, sides, seatings, (), ("x",) * len(levels), ("running", "won"), cells)


def rows(scores, seatings):
    """Games of pair 0, one a seating."""
    n = len(seatings)
    columns = {"pair": [0] * n, "seating": seatings, "weight": [1] * n, "turns": [10] * n, "plies": [30] * n}
    for seat in range(len(scores[0])):
        columns[f"score_{'abcd'[seat]}"] = [float(row[seat]) for row in scores]
    return pl.DataFrame(columns)


def units_of(values, place=None):
    """Units with given shares, two games each, whole wins only."""
    values = np.asarray(values, float)
    table = np.zeros((len(values), 7))
    table[:, SHARE], table[:, GAMES] = values, 2
    table[:, WON], table[:, LOST] = 2 * values, 2 - 2 * values
    place = np.zeros(len(values), int) if place is None else np.asarray(place)
    return Units(place * 0, place, (place << 40) + np.arange(len(values)), table)


# ---- units


def test_a_pair_of_a_duel_follows_the_agent_and_not_the_seat():
    one = design(DUEL, ("strong", "weak"))
    # Seating 0: strong sits on A and wins; seating 1: it sits on B and there is a draw.
    pairs, sums = unit_sums(one, one.cells[0], "strong", rows([[1, 0], [0.5, 0.5]], [0, 1]))
    assert pairs.tolist() == [0]
    assert sums[0].tolist() == [0.75, 1, 1, 0, 20, 60, 2]
    _, other = unit_sums(one, one.cells[0], "weak", rows([[1, 0], [0.5, 0.5]], [0, 1]))
    assert other[0].tolist() == [0.25, 0, 1, 1, 20, 60, 2]


def test_team_mates_count_as_one_side():
    one = design(TEAM, ("strong", "weak", "strong", "weak"))
    _, sums = unit_sums(one, one.cells[0], "strong", rows([[1, 0, 1, 0], [1, 0, 1, 0]], [0, 1]))
    assert sums[0, : LOST + 1].tolist() == [0.5, 1, 0, 1]


def test_alone_and_as_the_rest_with_three_seats():
    both = design(FFA3, ("strong", "weak", "weak"), ("weak", "strong", "strong"))
    # Whoever sits on A wins every game: strong is there once in three alone, and twice in three as the rest.
    games = rows([[1, 0, 0]] * 3, [0, 1, 2])
    _, alone = unit_sums(both, both.cells[0], "strong", games)
    _, rest = unit_sums(both, both.cells[1], "strong", games)
    assert alone[0, SHARE] == pytest.approx(1 / 3) and rest[0, SHARE] == pytest.approx(2 / 3)
    nobody = rows([[1 / 3] * 3] * 3, [0, 1, 2])
    _, drawn = unit_sums(both, both.cells[1], "strong", nobody)
    assert drawn[0, SHARE] == pytest.approx(2 / 3) and drawn[0, TIED] == 3


def test_contests_are_read_from_the_levels():
    both = design(FFA3, ("b", "a", "a"), ("a", "b", "b"), ("c", "a", "a"), ("a", "c", "c"))
    assert contests_of(both, ("a", "b", "c")) == (Contest(1, 0, (0, 1)), Contest(2, 0, (2, 3)))


def test_clusters_hold_every_unit_once_and_nothing_where_a_contest_lacks_it():
    one, two = units_of([1, 0.5, 0]), units_of([1, 1])
    both = {Contest(1, 0, (0,)): one, Contest(2, 0, (1,)): two}
    counts, clusters = outcome_table(both, list(both))
    assert counts.tolist() == [[3, 0, 3], [4, 0, 0]]
    assert clusters.shape == (3, 2, 3) and np.isnan(clusters[2, 1]).all()


# ---- shares


def test_all_won_gives_the_bound_of_wilson():
    share = share_of(units_of(np.ones(2000)))
    z = 1.6448536269514722
    assert share.lower == pytest.approx(2000 / (2000 + z * z), abs=1e-12)
    assert round(share.lower, 4) == 0.9986
    assert (share.estimate.value, share.estimate.high, share.upper) == (1, 1, 1)


def test_in_the_middle_it_is_nearly_the_t_interval():
    values = np.random.default_rng(5).choice([0, 0.5, 1], 900, p=[0.2, 0.4, 0.4])
    share, error = bounded(values, np.zeros(900, int)), values.std(ddof=1) / 30
    assert share.estimate.se == pytest.approx(error)
    assert share.estimate.low == pytest.approx(values.mean() - 1.963 * error, abs=3e-4)
    assert share.lower == pytest.approx(values.mean() - 1.647 * error, abs=3e-4)


def test_swapping_the_agents_mirrors_everything():
    values = np.random.default_rng(6).choice([0, 0.5, 1], 60, p=[0.1, 0.1, 0.8])
    place = np.arange(60) % 4
    one, other = bounded(values, place), bounded(1 - values, place)
    assert other.estimate.value == pytest.approx(1 - one.estimate.value)
    assert (other.lower, other.upper) == pytest.approx((1 - one.upper, 1 - one.lower))
    assert (other.estimate.low, other.estimate.high) == pytest.approx(
        (1 - one.estimate.high, 1 - one.estimate.low)
    )


def test_cells_count_alike_however_often_they_were_played():
    share = share_of(units_of([1] * 30 + [0] * 10, [0] * 30 + [1] * 10))
    assert share.estimate.value == 0.5


def test_only_the_spread_inside_cells_is_error():
    values, place = np.array([0.2, 0.4, 0.7, 0.9]), np.array([0, 0, 1, 1])
    value, variance, n, freedom = stratified(values, place)
    assert (value, n, freedom) == (pytest.approx(0.55), 4, 2)
    assert variance == pytest.approx((0.02 / 2 + 0.02 / 2) / 4)


def test_cells_of_one_pair_take_the_whole_spread():
    values = np.array([0.2, 0.4, 0.7, 0.9])
    _, variance, _, freedom = stratified(values, np.arange(4))
    assert (variance, freedom) == (pytest.approx(values.var(ddof=1) / 4), 3)


def test_one_pair_says_nothing():
    share = share_of(units_of([1.0]))
    assert (share.estimate.value, share.lower, share.upper) == (1, 0, 1)


def test_draws_are_a_share_of_the_games():
    units = units_of([0.5] * 50)
    units.values[:, [WON, TIED, LOST]] = [0, 2, 0]
    assert draws_of(units).estimate.value == 1


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95, 0.99])
def test_bounds_hold_as_often_as_they_say(p):
    """Lower bounds below the truth in 95 % of 1,000 runs of 300 pairs whose two games are correlated."""
    random = np.random.default_rng(int(1000 * p))
    n, runs = 300, 1000
    first = random.random((runs, n)) < p
    second = np.where(random.random((runs, n)) < 0.3, first, random.random((runs, n)) < p)
    values, place = (first.astype(float) + second) / 2, np.zeros(n, int)
    shares = [bounded(row, place) for row in values]
    held = np.mean([share.lower <= p for share in shares])
    inside = np.mean([share.estimate.low <= p <= share.estimate.high for share in shares])
    assert 0.93 <= held <= 0.985
    assert 0.925 <= inside <= 0.985
