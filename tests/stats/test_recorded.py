"""Sources, kinds, branching, chances and picks: planted truths found again, and none made up."""

from dataclasses import replace

import numpy as np
import polars
import pytest

from balance.stats.analysis import analyse, columns_of
from balance.store.read import open_run
from tests.stats import planted
from tests.stats.planted import Truth, planted_run

FULL = Truth(full=True, picked=True, levels=("random", "greedy"), scale=(0.5, 1.0))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return open_run(planted_run(tmp_path_factory.mktemp("recorded") / "run", FULL, 800))


@pytest.fixture(scope="module")
def found(run):
    return analyse(run, planted.COLUMNS).recorded


def test_columns_are_sorted_by_what_their_description_says():
    columns = columns_of(planted.COLUMNS)
    assert columns.codes == (("win_by", 3), ("corner", 2))
    assert columns.wholes == (("Sources of points", "side", ("from_hill", "from_attack")),)
    assert columns.pick == "pick"


def test_sources_are_shares_of_their_sum(run, found):
    games = run.games().collect()
    parts = {n: (games[f"{n}_a"] + games[f"{n}_b"]).sum() for n in ("from_hill", "from_attack")}
    assert [shares.level for shares in found.sources] == [0, 1]
    pooled = np.mean([shares.shares["from_hill"].value for shares in found.sources])
    assert pooled == pytest.approx(parts["from_hill"] / sum(parts.values()), abs=1e-3)
    for shares in found.sources:
        assert sum(share.value for share in shares.shares.values()) == pytest.approx(1)
        assert all(share.low < share.value < share.high for share in shares.shares.values())


def test_kinds_are_the_planted_ones(found):
    by_name = {(shares.name, shares.level): shares.shares for shares in found.kinds}
    for level in (0, 1):
        for code, truth in (("0", 0.2), ("1", 0.5), ("2", 0.3)):
            share = by_name["win_by", level][code]
            assert abs(share.value - truth) < 4 * share.se and share.n == 1600
        corner = by_name["corner", level]["1"]  # one a seat
        assert abs(corner.value - 0.25) < 4 * corner.se
        assert "other" not in by_name["corner", level]


def test_codes_without_a_name_are_summed_up(run):
    described = {"games": {"win_by": replace(planted.COLUMNS["games"]["win_by"], codes=("none",))}}
    shares = analyse(run, described).recorded.kinds[0].shares
    assert set(shares) == {"0", "other"}
    assert sum(share.value for share in shares.values()) == pytest.approx(1)


def test_branching_counts_only_pairs_that_were_counted(found):
    for branching in found.branching:
        assert branching.ends.n == 1600 // planted.COUNTED_EVERY
        assert abs(branching.ends.value - 5) < 4 * branching.ends.se
        assert branching.ends.se < 0.1
        assert set(branching.by_arena) == {"north", "south"}


def test_chances_are_counted_once_a_seat(found):
    """Two copies on a seat share its chances: neither is counted twice, and both copies' uses count."""
    for chances in found.chances:
        for number, hero in enumerate(FULL.heroes):
            possible, used = chances.possible[hero], chances.used[hero]
            assert abs(possible.value - (number + 1) / 10) < 4 * possible.se
            assert abs(used.value - 0.5) < 4 * used.se
            assert possible.n == 400


def test_picks_have_their_number_and_the_score_of_their_side(run, found):
    heroes = run.heroes().collect().filter((polars.col("seating") == 0) & (polars.col("cell") < 2))
    picks = found.picks[0]
    for number, hero in enumerate(FULL.heroes):
        wanted = heroes.filter(polars.col("hero") == number)["pick"].mean()
        assert picks.number[hero].value == pytest.approx(wanted)
    values = [picks.number[hero].value for hero in FULL.heroes]
    assert values == sorted(values)
    assert set(picks.score) == set(range(1, 9))
    both = run.heroes().filter(polars.col("cell") < 2).collect()  # mean over both seatings of the same player
    for number, score in picks.score.items():
        wanted = both.filter(polars.col("pick") == number)["score"].mean()
        assert score.value == pytest.approx(wanted)
    assert picks.score[1].value > picks.score[8].value  # the strongest heroes went first


def test_nothing_is_made_up(tmp_path):
    run = open_run(planted_run(tmp_path / "run", Truth(), 60))
    found = analyse(run, planted.COLUMNS).recorded
    assert found.branching == () and found.chances == () and found.picks == ()
    bare = open_run(planted_run(tmp_path / "bare", Truth(), 60, record=False))
    found = analyse(bare, planted.COLUMNS).recorded
    assert found.sources == () and found.kinds == ()


@pytest.mark.parametrize("mode", ["ffa3", "ffa4", "team"])
def test_modes_of_more_seats(tmp_path, mode):
    truth = Truth(mode=mode, size=2, full=True, picked=True)
    found = analyse(open_run(planted_run(tmp_path / "run", truth, 200)), planted.COLUMNS).recorded
    assert abs(found.branching[0].ends.value - 5) < 4 * found.branching[0].ends.se
    assert len(found.picks[0].score) == 2 * planted.MODES[mode][0]
    possible = found.chances[0].possible["h"]
    assert abs(possible.value - 0.8) < 4 * possible.se


@pytest.mark.slow
def test_intervals_of_ratios_cover(tmp_path):
    """95 % intervals of branching and of a hero's chances, over 300 runs."""
    hits = []
    for seed in range(300):
        run = open_run(planted_run(tmp_path / str(seed), Truth(full=True), 160, seed))
        found = analyse(run, planted.COLUMNS).recorded
        estimates = [(found.branching[0].ends, 5.0), (found.chances[0].possible["c"], 0.3)]
        hits += [estimate.low <= truth <= estimate.high for estimate, truth in estimates]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.03)
