"""Pace, drama and shares of a side: planted truths found, refusals in words, one sum for all threads."""

from dataclasses import replace

import numpy as np
import polars
import pytest

from balance.stats import drama as dramas
from balance.stats import pace as paces
from balance.stats.analysis import analyse, columns_of
from balance.stats.design import read_design
from balance.stats.drama import Drama, Winners
from balance.stats.estimate import Refusal
from balance.stats.scan import collect_run
from balance.store.read import open_run
from balance.store.schema import QUALITY
from tests.stats import planted
from tests.stats.planted import Truth, planted_run

FULL = Truth(full=True, levels=("random", "greedy"), scale=(0.5, 1.0))
CAPS = ("cap",)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return open_run(planted_run(tmp_path_factory.mktemp("drama") / "run", FULL, 800))


@pytest.fixture(scope="module")
def found(run):
    return analyse(run, planted.COLUMNS, CAPS)


def near(estimate, truth):
    return abs(estimate.value - truth) < 4 * estimate.se


def test_pace_is_found_again(run, found):
    assert [(pace.level, pace.arena) for pace in found.pace] == [
        (0, ""), (1, ""), (0, "north"), (0, "south"), (1, "north"), (1, "south"),
    ]  # fmt: skip
    games = run.games().collect()
    for pace in found.pace:
        assert pace.per_turn.value == pytest.approx(2) and pace.per_turn.se == 0
        assert near(pace.forced, 0.1) and near(pace.options, 0.9 * 6 + 0.1)
    whole = found.pace[1]
    assert whole.options.n == whole.forced.n == 400
    mine = games.filter(polars.col("cell") >= 2)
    assert whole.options.value == pytest.approx(mine["options"].sum() / mine["decisions"].sum())
    assert whole.capped.value == pytest.approx((mine["termination"] == 2).mean())
    assert whole.capped.n == 1600 and whole.capped.method == "mean over pairs, t interval"


def test_the_interval_of_a_ratio_is_that_of_the_delta_method(tmp_path):
    """One cell, every pair alike in weight: r +- t sqrt(sum (a - r m)^2 / (n (n - 1))) / mean m."""
    truth = Truth(full=True, arena={"north": 0.0})
    run = open_run(planted_run(tmp_path / "run", truth, 400))
    games = run.games().collect().filter(polars.col("judged") > 0)
    pairs = games.group_by("pair").agg(polars.col("forced").sum(), polars.col("decisions").sum())
    a, m = pairs["forced"].to_numpy(), pairs["decisions"].to_numpy()
    r, n = a.sum() / m.sum(), len(a)
    forced = analyse(run, planted.COLUMNS).pace[0].forced
    assert forced.value == pytest.approx(r) and forced.n == n
    assert forced.se == pytest.approx(np.std(a - r * m, ddof=1) / np.sqrt(n) / m.mean())


def test_drama_is_found_again(run, found):
    assert [entry.level for entry in found.drama] == [0, 1]
    assert [(e.level, e.arena) for e in found.arena_drama] == [
        (level, arena) for level in (0, 1) for arena in ("north", "south")
    ]
    for entry in (*found.drama, *found.arena_drama):
        won = entry.winners
        assert near(entry.swings, 2)
        assert near(won.comeback, 0.5) and near(won.trailed, 0.125) and near(won.behind, 0.0625)
        assert near(won.sealed, 0.46)
        assert near(won.sealed_by[3], 0.9) and near(won.sealed_by[9], 0.1)  # steps hold their upper end
        assert near(won.trailed_by[0], 0.5) and near(won.trailed_by[2], 0.5)
        for shares in (entry.swings_by, won.sealed_by, won.trailed_by):
            assert sum(share.value for share in shares) == pytest.approx(1)
    games = run.games().collect().filter((polars.col("judged") > 0) & (polars.col("cell") < 2))
    assert found.drama[0].swings.value == pytest.approx(games["swings"].mean())
    assert found.drama[0].winners.behind.value == pytest.approx(games["behind"].drop_nans().mean())
    for count in range(10):
        assert found.drama[0].swings_by[count].value == pytest.approx((games["swings"] == count).mean())
    assert found.drama[0].swings_by[10].value == pytest.approx((games["swings"] >= 10).mean())


def test_each_hero_has_its_share_of_its_sides_deeds(run, found):
    heroes = run.heroes().collect().filter(polars.col("cell") < 2)
    game = ["cell", "pair", "seating", "seat"]
    whole = heroes.group_by(game).agg(polars.col("vp_earned").sum().alias("whole"))
    joined = heroes.join(whole, on=game)
    shares = found.usage[0].shares["vp_earned"]
    for number, hero in enumerate(FULL.heroes):
        mine = joined.filter(polars.col("hero") == number)
        assert shares[hero].value == pytest.approx(mine["vp_earned"].sum() / mine["whole"].sum())
        assert near(shares[hero], 0.25)  # four heroes of one kind of deed each


@pytest.mark.parametrize("mode", ["ffa3", "ffa4", "team"])
def test_modes_of_more_seats(tmp_path, mode):
    truth = Truth(mode=mode, size=2, full=True)
    found = analyse(open_run(planted_run(tmp_path / "run", truth, 200)), planted.COLUMNS, CAPS)
    assert near(found.drama[0].winners.comeback, 0.5) and near(found.pace[0].forced, 0.1)
    size = 4 if mode == "team" else 2  # the removals of a side are those of all its seats
    assert near(found.usage[0].shares["vp_earned"]["a"], 1 / size)


def test_threads_change_no_digit(run):
    design, columns = read_design(run.manifest), columns_of(planted.COLUMNS, CAPS)
    one, two = (collect_run(run, design, columns, ["vp_earned", "seat"], threads) for threads in (1, 3))
    assert repr(dramas.drama(one, 0)) == repr(dramas.drama(two, 0))
    assert repr(paces.pace(one, 1)) == repr(paces.pace(two, 1))


def test_a_run_that_was_not_counted_says_what_would_carry_it(tmp_path):
    found = analyse(open_run(planted_run(tmp_path / "run", Truth(), 60)), planted.COLUMNS, CAPS)
    assert found.pace[0].per_turn.value == pytest.approx(2)
    for refused in (found.pace[0].options, found.pace[0].forced, found.drama[0]):
        assert isinstance(refused, Refusal)
        assert "record: full" in refused.reason
        assert "balance run PLAN --set record=full" in refused.instead
    assert found.arena_drama == ()


def test_a_run_stored_before_there_was_a_judge_is_refused_in_words(run, tmp_path, monkeypatch):
    """Rows as they were written before: turns counted, but no columns of `QUALITY`."""
    real = planted.play

    def older(*arguments):
        rows = real(*arguments)
        kept = [name for name in rows.results.dtype.names if name not in dict(f[:2] for f in QUALITY)]
        rows.results = rows.results[kept]
        return rows

    monkeypatch.setattr(planted, "play", older)
    old = open_run(planted_run(tmp_path / "run", FULL, 80))
    assert "judged" not in old.games().collect_schema().names()
    found = analyse(old, planted.COLUMNS, CAPS)
    assert found.recorded.branching
    for refused in (found.pace[0].options, found.drama[0]):
        assert "stored before" in refused.reason and "--set record=full" in refused.instead


def test_without_winners_leads_are_counted_and_the_rest_refused(tmp_path):
    run = open_run(planted_run(tmp_path / "run", Truth(full=True, draws=1.0), 80))
    entry = analyse(run, planted.COLUMNS).drama[0]
    assert isinstance(entry, Drama) and near(entry.swings, 2)
    assert isinstance(entry.winners, Refusal) and "winner" in entry.winners.reason


def test_caps_are_the_games_to_name(run):
    by_caps = [
        analyse(run, planted.COLUMNS, caps).pace[0].capped for caps in (None, (), CAPS, ("won", "cap"))
    ]
    assert "not installed" in by_caps[0].reason
    assert "No ending of this game is a cap" in by_caps[1].reason
    assert by_caps[2].value < 0.2
    assert by_caps[3].value == 1 and by_caps[3].low > 0.99


def test_a_capped_share_that_never_varied_has_wilsons_interval(tmp_path):
    run = open_run(planted_run(tmp_path / "run", Truth(draws=0.0), 60))
    capped = analyse(run, planted.COLUMNS, CAPS).pace[0].capped
    assert capped.value == 0 and 0 < capped.high < 0.05 and "Wilson" in capped.method


def test_no_heroes_no_shares(tmp_path):
    truth = Truth(heroes=(), strength=(), size=0, full=True)
    found = analyse(open_run(planted_run(tmp_path / "run", truth, 40)), planted.COLUMNS)
    assert found.usage[0].shares == {}
    assert isinstance(found.drama[0].winners, Winners)


@pytest.mark.slow
def test_intervals_of_drama_cover(tmp_path):
    """95 % intervals of drama, comebacks, lead changes and forced shares, over 300 runs."""
    hits = []
    for seed in range(300):
        run = open_run(planted_run(tmp_path / str(seed), replace(FULL, levels=("x",), scale=(1,)), 320, seed))
        found = analyse(run, planted.COLUMNS)
        won, pace = found.drama[0].winners, found.pace[0]
        estimates = [
            (won.behind, 0.0625),
            (won.comeback, 0.5),
            (found.drama[0].swings, 2.0),
            (pace.forced, 0.1),
        ]
        hits += [estimate.low <= truth <= estimate.high for estimate, truth in estimates]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.03)
