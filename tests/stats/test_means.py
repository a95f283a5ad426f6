"""Means and ratios over pairs: the unit is the pair, cells are strata, mirrors weigh double."""

import math

import numpy as np
import pytest

from balance.stats.analysis import analyse_sums
from balance.stats.lengths import quantiles
from balance.stats.means import UNIT, balanced_mean, hero_ratio, mean_of, presence
from balance.stats.seats import seat_results
from balance.stats.sums import CellSums, Moments
from tests.stats.planted import Truth, planted_sums

FIELD = {"field": 0.0}


def cell_of(*values):
    """A cell with these pair values."""
    moments = Moments(n=len(values))
    moments.add("x", np.array(values, dtype=float))
    cell = CellSums(None)
    cell.moments = moments
    return cell


def test_mean_and_error_by_hand():
    found = mean_of([cell_of(0.5, 1.0, 0.0, 0.5)], "x")
    assert found.value == 0.5
    assert found.se == pytest.approx(math.sqrt((0.5 / 3) / 4))
    assert found.n == 4


def test_spread_between_cells_is_no_error():
    """Two cells without any spread inside: the mean over them is known exactly."""
    found = mean_of([cell_of(0.2, 0.2), cell_of(0.8, 0.8)], "x")
    assert (found.value, found.se) == (0.5, 0.0)


def test_cells_count_alike_in_a_balanced_mean():
    found = balanced_mean([(cell_of(0.0, 0.0, 0.0, 0.0), "x"), (cell_of(1.0, 1.0), "x")])
    assert found.value == 0.5


def test_a_share_that_never_varied_is_not_certain():
    found = mean_of([cell_of(*[1.0] * 20)], "x", UNIT)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(1 - 0.1611, abs=1e-4)
    assert "Wilson" in found.method


def test_one_pair_has_no_error():
    found = mean_of([cell_of(0.7)], "x", UNIT)
    assert found.value == pytest.approx(0.7)
    assert (found.low, found.high) == (0.0, 1.0)
    assert math.isnan(found.se)


def test_nothing_recorded_is_nothing():
    assert mean_of([cell_of(1.0)], "y") is None
    assert balanced_mean([]) is None


@pytest.mark.parametrize("mode", ["duel", "team", "ffa3", "ffa4"])
def test_seat_interval_covers_the_planted_seat(mode):
    truth = Truth(mode=mode, size=2, draws=0.0, arena=FIELD, seat=0.03, strength=(0.02, -0.02) * 4)
    sides = {"duel": 2, "team": 2, "ffa3": 3, "ffa4": 4}[mode]
    hits = []
    for seed in range(150):
        first = seat_results(planted_sums(truth, 150, seed))[0].places[0]
        hits.append(first.low <= 1 / sides + 0.03 <= first.high)
    assert np.mean(hits) == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / 150))


def test_no_advantage_gives_uniform_p_values():
    truth = Truth(seat=0.0, arena=FIELD)
    scores = []
    for seed in range(200):
        first = seat_results(planted_sums(truth, 150, seed))[0].places[0]
        scores.append((first.value - 0.5) / first.se)
    from scipy.stats import kstest

    assert kstest(scores, "norm").pvalue > 0.001


def test_places_sum_to_one():
    for mode in ("duel", "ffa3", "ffa4"):
        places = seat_results(planted_sums(Truth(mode=mode, size=2), 100, 1))[0].places
        assert sum(place.value for place in places) == pytest.approx(1)


def test_place_is_of_the_turn_order_and_not_of_the_letter():
    """Seat B moves first here, and seat C never acts."""
    import polars

    from balance.stats.batch import make_batch
    from balance.stats.design import read_design
    from balance.store.schema import games_columns
    from tests.stats.planted import manifest_head, planned_cells, play

    truth = Truth(mode="ffa3", heroes=(), strength=(), size=0, arena=FIELD)
    head = manifest_head(truth, planned_cells(truth, 1), 1)
    rows = play(np.random.default_rng(1), truth, head["cells"][0], 0, 1, False).results
    rows["place"][:, :3] = [1, 0, -1]
    rows["score"][:, :3] = [[0, 1, 0], [0, 1, 0], [0, 0, 1]]
    design = read_design(head)
    batch = make_batch(
        design, design.cells[0], polars.DataFrame(games_columns(0, rows, None, 3)), polars.DataFrame()
    )
    assert batch.place_scores[0] == pytest.approx([2 / 3, 0, 1 / 3])


def test_mirror_matches_count_as_the_games_they_stand_for():
    """A mirror match is played once a pair; its seat advantage is measured, its players are even."""
    truth = Truth(teams={"x": (0, 1), "y": (2, 3)}, mirror=True, draws=0.0, arena=FIELD, seat=0.2)
    sums = planted_sums(truth, 400, 1)
    mirrors = [cell for cell in sums.cells if len(set(cell.cell.teams)) == 1]
    assert len(mirrors) == 2
    for cell in mirrors:
        assert (cell.rows, cell.games) == (400, 800)
        assert mean_of([cell], "place_0").value == pytest.approx(0.7, abs=0.1)


def test_draw_share_is_found():
    nobody = seat_results(planted_sums(Truth(draws=0.25), 800, 1))[0].nobody
    assert nobody.low < 0.25 < nobody.high


def test_raw_score_under_random_rosters_is_the_strength_enlarged():
    """raw - 1/2 = h v / (v - 1) for rosters without repeats; here copies make it nearly so."""
    truth = Truth(size=1, draws=0.0, arena=FIELD, strength=tuple(3 * s for s in Truth().strength))
    raw = hero_ratio(planted_sums(truth, 20_000, 1).cells, 0, UNIT)
    # One hero a side, dealt from two copies of each: the other side is this hero in 1 of 15 deals.
    for effect, strength in zip(raw, truth.strength, strict=True):
        assert effect.value - 0.5 == pytest.approx(strength + strength / 15, abs=4 * effect.se)


def test_raw_score_intervals_cover():
    truth = Truth(size=1, draws=0.0, arena=FIELD, strength=(0.0,) * 8)
    hits = []
    for seed in range(80):
        for effect in hero_ratio(planted_sums(truth, 300, seed).cells, 0, UNIT):
            hits.append(effect.low <= 0.5 <= effect.high)
    assert np.mean(hits) == pytest.approx(0.95, abs=0.03)


def test_presence_of_dealt_heroes():
    held = presence(planted_sums(Truth(size=4), 2000, 1).cells)
    assert sum(h.value for h in held) == pytest.approx(8 * held[0].value, rel=0.05)
    expected = 1 - (14 * 13 * 12 * 11) / (16 * 15 * 14 * 13)  # at least one of two copies in four of sixteen
    assert all(abs(h.value - expected) < 4 * h.se for h in held)


def test_presence_of_given_teams_is_fixed():
    truth = Truth(teams={"x": (0, 1), "y": (2, 3)}, arena=FIELD)
    held = presence(planted_sums(truth, 50, 1).cells)
    assert [h.value for h in held] == [0.5] * 4 + [0.0] * 4
    assert held[0].method == "fixed by the plan"


def test_quantiles_of_counts():
    counts = np.array([0, 10, 0, 80, 10])
    assert quantiles(counts, (0.05, 0.10, 0.11, 0.5, 0.95, 1.0)) == (1, 1, 3, 3, 4, 4)
    assert quantiles(np.zeros(3)) == ()
    assert quantiles(None) == ()


def test_a_run_without_games_is_an_analysis_without_numbers():
    sums = planted_sums(Truth(arena=FIELD), 0, 1)
    found = analyse_sums(sums)
    assert (found.games, found.seats, found.metrics) == (0, (), ())
