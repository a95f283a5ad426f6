"""Differences of two runs: exact on common streams, honest on others, and only of what both have."""

from dataclasses import replace

import numpy as np
import polars
import pytest

from balance.stats.run_deltas import by_name, of_topic
from balance.stats.run_gaps import aligned
from balance.store.read import open_run
from tests.stats.planted import Truth, planted_run
from tests.stats.twins import differences, edited, redrawn_run

TRUTH = Truth(levels=("random", "greedy"), scale=(0.5, 1.0))
STRONG = replace(TRUTH, strength=(0.12, 0.03, 0.01, 0.0, 0.0, -0.01, -0.03, -0.06))
TEAMS = {"starters": (0, 1, 2, 3), "crowd": (4, 5, 6, 7), "mixed": (0, 2, 4, 6)}


def named(changes, topic, level=None):
    return {change.name: change for change in of_topic(changes, topic, level)}


def pair_means(folder, column, where=True):
    """Mean of a games column by cell and pair, weighted."""
    rows = open_run(folder).games().filter(where).collect()
    value = (polars.col(column) * polars.col("weight")).sum() / polars.col("weight").sum()
    return rows.group_by("cell", "pair").agg(value.alias("v")).sort("cell", "pair")


def test_identical_runs_differ_by_exactly_nothing(tmp_path):
    base = planted_run(tmp_path / "a", TRUTH, 200)
    other = planted_run(tmp_path / "b", TRUTH, 200)
    changes, refused, cells = differences(base, other)
    assert {change.difference.value for change in changes} == {0.0} and not refused
    assert {change.p for change in changes} == {1.0}
    assert sum(cell.changed for cell in cells) == 0 == sum(cell.altered for cell in cells)
    # No change in so many pairs leaves room for small ones: scores keep an interval.
    assert all(c.difference.low < 0 < c.difference.high for c in of_topic(changes, "heroes"))


def test_means_are_those_of_the_pairs_by_hand(tmp_path):
    base = planted_run(tmp_path / "a", TRUTH, 150)
    other = redrawn_run(tmp_path / "b", TRUTH, 150, 1, 9)
    changes, _, _ = differences(base, other)
    for column in ("turns", "plies"):
        one, two = pair_means(base, column), pair_means(other, column)
        gap = (two["v"] - one["v"]).to_numpy().reshape(2, 2, 150)  # level, arena, pair
        for level in (0, 1):
            change = named(changes, "length", level)[(column,)]
            error = np.sqrt((gap[level].var(axis=1, ddof=1) / 150).sum()) / 2
            assert change.difference.value == pytest.approx(gap[level].mean(), abs=1e-12)
            assert change.difference.se == pytest.approx(error, rel=1e-9)


def test_hero_deltas_are_the_fit_of_the_paired_differences(tmp_path):
    """The textbook: least squares of the difference of scores on the difference of rosters, HC1 by pair."""
    truth = replace(TRUTH, levels=("random",), scale=(1.0,), arena={"north": 0.0})
    base = planted_run(tmp_path / "a", truth, 400, record=False)
    other = redrawn_run(tmp_path / "b", truth, 400, 1, 9)
    found = named(differences(base, other)[0], "heroes")
    scores = []
    for folder in (base, other):
        own = polars.when(polars.col("seating") == 0).then("score_a").otherwise(1 - polars.col("score_a"))
        rows = open_run(folder).games().with_columns(own.alias("own")).collect()
        scores.append(rows.group_by("pair").agg(polars.col("own").mean()).sort("pair")["own"].to_numpy())
    held = open_run(base).heroes().filter(polars.col("seating") == 0).collect()
    x = np.zeros((400, 8))
    sign = np.where(held["player"].to_numpy() == 0, 1, -1)
    np.add.at(x, (held["pair"].to_numpy(), held["hero"].to_numpy()), sign)
    inverse, gap = np.linalg.pinv(x.T @ x), scores[1] - scores[0]
    effect = inverse @ x.T @ gap
    residual = gap - x @ effect
    covariance = inverse @ (x.T @ (x * residual[:, None] ** 2)) @ inverse * 400 / (400 - 7)
    for place, hero in enumerate(truth.heroes):
        change = found[(hero,)]
        assert change.difference.value == pytest.approx(effect[place], abs=1e-9)
        assert change.difference.se == pytest.approx(np.sqrt(covariance[place, place]), rel=1e-6)


def test_a_planted_change_is_found_with_its_sign_and_common_streams_find_it_better(tmp_path):
    base = planted_run(tmp_path / "a", TRUTH, 600)
    same = planted_run(tmp_path / "b", STRONG, 600)
    fresh = planted_run(tmp_path / "c", STRONG, 600, seed=2)
    paired, _, _ = differences(base, same)
    apart, _, cells = differences(base, fresh)
    assert not any(cell.twin.paired for cell in cells)
    hero, wide = named(paired, "heroes", 1)[("a",)], named(apart, "heroes", 1)[("a",)]
    truth = 0.9 * 0.06 * 7 / 8  # less draws, and against the mean hero
    assert hero.p < 1e-6 and hero.difference.low < truth < hero.difference.high
    assert wide.difference.low < truth < wide.difference.high
    assert wide.difference.half_width > 1.3 * hero.difference.half_width
    assert named(paired, "seats", 1)[("first",)].difference.half_width < 0.05


def test_an_exchange_turns_every_sign(tmp_path):
    base, other = planted_run(tmp_path / "a", TRUTH, 150), planted_run(tmp_path / "b", STRONG, 150)
    there, back = differences(base, other)[0], differences(other, base)[0]
    for one, two in zip(there, back, strict=True):
        assert one.name == two.name
        assert one.difference.value == pytest.approx(-two.difference.value, abs=1e-12)
        assert one.difference.se == pytest.approx(two.difference.se, rel=1e-6, abs=1e-9, nan_ok=True)


def test_only_common_cells_and_pairs_are_compared(tmp_path):
    base = planted_run(tmp_path / "a", TRUTH, 300, part=100)
    small = replace(STRONG, arena={"north": 0.0})
    other = planted_run(tmp_path / "b", small, 180, part=90)
    changes, _, cells = differences(base, other)
    assert {cell.base.cell.arena for cell in cells} == {"north"}
    assert {cell.n for cell in cells} == {180}
    one, two = (
        pair_means(f, "turns", (polars.col("pair") < 180) & polars.col("cell").is_in(c))
        for f, c in ((base, [0]), (other, [0]))
    )
    change = named(changes, "length", 0)[("turns",)]
    assert change.base.value == pytest.approx(one["v"].mean())
    assert change.difference.value == pytest.approx((two["v"] - one["v"]).mean(), abs=1e-12)


def test_parts_that_are_cut_otherwise_are_read_together():
    def parts(*sizes):
        starts = np.cumsum((0, *sizes[:-1]))
        return [{"first_pair": int(s), "pairs": n} for s, n in zip(starts, sizes, strict=True)]

    found = list(aligned(parts(4, 4, 4, 2), parts(6, 6, 6), size=1))
    assert [[p["first_pair"] for p in one] for one, _ in found] == [[0, 4, 8], [12]]
    assert [[p["first_pair"] for p in two] for _, two in found] == [[0, 6], [12]]
    assert list(aligned(parts(4), [], size=1)) == []
    whole = list(aligned(parts(4, 4), parts(2, 6), size=100))
    assert len(whole) == 1 and len(whole[0][0]) == 2


def test_threads_change_no_digit(tmp_path):
    from balance.stats.analysis import columns_of
    from balance.stats.design import read_design
    from balance.stats.run_gaps import Side, collect_gaps
    from balance.study.comparable import common_of
    from tests.stats import planted

    runs = [
        open_run(planted_run(tmp_path / name, t, 200, part=50)) for name, t in (("a", TRUTH), ("b", STRONG))
    ]
    sides = [Side(run, read_design(run.manifest)) for run in runs]
    twins = common_of(*runs, tuple(side.design for side in sides)).twins
    one, two = (collect_gaps(*sides, twins, columns_of(planted.COLUMNS), threads) for threads in (1, 3))
    assert [cell.gaps.total for cell in one] == [cell.gaps.total for cell in two]


def test_teams_and_matchups(tmp_path):
    truth = replace(TRUTH, teams=TEAMS)
    base = planted_run(tmp_path / "a", truth, 200)
    other = planted_run(tmp_path / "b", replace(truth, strength=STRONG.strength), 200)
    changes, refused, _ = differences(base, other)
    teams, matchups = named(changes, "teams", 1), named(changes, "matchups", 1)
    assert teams[("starters",)].difference.value > 0 > teams[("crowd",)].difference.value
    assert set(matchups) == {("starters", "crowd"), ("starters", "mixed"), ("crowd", "mixed")}
    gain = (
        matchups["starters", "crowd"].difference.value + matchups["starters", "mixed"].difference.value
    ) / 2
    assert teams[("starters",)].difference.value == pytest.approx(gain)
    assert ("heroes", 0) in refused  # three teams do not tell eight heroes apart
    drawn = sum(change.difference.value for change in teams.values())
    assert drawn == pytest.approx(0, abs=1e-9)  # what one team gains others lose


def test_what_heroes_did_moves_with_its_own_error(tmp_path):
    truth = replace(TRUTH, levels=("random",), scale=(1.0,), arena={"north": 0.0})
    base, other = planted_run(tmp_path / "a", truth, 300), planted_run(tmp_path / "b", truth, 300, seed=2)
    change = named(differences(base, edited(other, seed=1))[0], "hero metrics")["c", "steps"]
    sums = []
    for folder in (base, other):
        rows = open_run(folder).heroes().filter(polars.col("hero") == 2).collect()
        frame = rows.group_by("pair").agg(polars.col("steps").sum(), polars.len().alias("m"))
        held = np.zeros((300, 2))
        held[frame["pair"].to_numpy()] = frame.select("steps", "m").to_numpy()
        sums.append(held)
    ratios = [s[:, 0].sum() / s[:, 1].sum() for s in sums]
    moved = [(s[:, 0] - r * s[:, 1]) / s[:, 1].sum() for s, r in zip(sums, ratios, strict=True)]
    error = np.sqrt(300 * np.var(moved[1] - moved[0], ddof=1))
    assert change.difference.value == pytest.approx(ratios[1] - ratios[0])
    assert change.difference.se == pytest.approx(error, rel=1e-6)


def test_ratios_of_play_are_those_of_the_pairs_that_were_counted(tmp_path):
    truth = replace(TRUTH, levels=("random",), scale=(1.0,), arena={"north": 0.0}, full=True)
    base = planted_run(tmp_path / "a", truth, 200)
    other = edited(planted_run(tmp_path / "b", truth, 200, seed=2), seed=1)
    changes, _, _ = differences(base, other)
    change = named(changes, "play")[("branching",)]
    moved, ratios = [], []
    for folder in (base, other):
        rows = open_run(folder).games().filter(polars.col("counted_a") > 0).collect()
        sums = rows.group_by("pair").agg(
            (polars.col("ends_a") + polars.col("ends_b")).sum().alias("e"),
            (polars.col("counted_a") + polars.col("counted_b")).sum().alias("c"),
        )
        e, c = (sums.sort("pair")[name].to_numpy() for name in ("e", "c"))
        ratios.append(e.sum() / c.sum())
        moved.append((e - ratios[-1] * c) / c.sum())
    assert change.difference.n == 50  # one pair in four is counted
    assert change.difference.value == pytest.approx(ratios[1] - ratios[0])
    assert change.difference.se == pytest.approx(np.sqrt(50 * np.var(moved[1] - moved[0], ddof=1)), rel=1e-6)
    endings = named(changes, "endings")
    assert endings[("capped",)].difference.value == pytest.approx(endings[("nobody",)].difference.value)


def test_one_pair_and_three_seats_give_defined_results(tmp_path):
    for mode, pairs in (("duel", 1), ("ffa3", 40), ("team", 40)):
        truth = replace(Truth(), mode=mode)
        one = planted_run(tmp_path / f"{mode}a", truth, pairs)
        two = planted_run(tmp_path / f"{mode}b", replace(truth, seat=0.2), pairs)
        seats = named(differences(one, two)[0], "seats")[("first",)]
        assert seats.difference.low <= seats.difference.value <= seats.difference.high


def test_a_hero_of_one_run_only_moves_no_other(tmp_path):
    base = planted_run(tmp_path / "a", TRUTH, 200)
    other = edited(planted_run(tmp_path / "b", TRUTH, 200), heroes=[*"abcdefg", "new"])
    heroes = named(differences(base, other)[0], "heroes", 0)
    assert set(heroes) == {(hero,) for hero in "abcdefg"}
    assert all(abs(change.difference.value) < 1e-12 for change in heroes.values())


def calibrated(tmp_path, luck, reps, share):
    """p-values and hits of the true value, for runs that differ by luck alone in a share of their pairs."""
    truth = replace(Truth(), arena={"north": 0.0})
    p, hits = {"heroes": [], "seats": []}, {"heroes": [], "seats": []}
    for rep in range(reps):
        base = planted_run(tmp_path / f"a{rep}", truth, 200, seed=rep, record=False)
        other = redrawn_run(tmp_path / f"b{rep}", truth, 200, rep, luck + rep, share)
        for topic in p:
            for change in of_topic(differences(base, other)[0], topic)[:1]:
                p[topic].append(change.raw)
                hits[topic].append(change.difference.low <= 0 <= change.difference.high)
    return p, hits


def test_intervals_cover_no_difference_as_often_as_they_say(tmp_path):
    _, hits = calibrated(tmp_path, 10_000, 40, 0.5)
    for topic, held in hits.items():
        assert sum(held) >= 33, topic  # 95 % of 40; fewer has a chance below 1 in 1,000


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_p_values_are_uniform_when_nothing_differs(tmp_path, share):
    from scipy.stats import binomtest, kstest

    p, hits = calibrated(tmp_path, 50_000, 400, share)
    for topic in p:
        assert kstest(p[topic], "uniform").pvalue > 0.01 or share < 1, topic
        assert binomtest(sum(hits[topic]), 400, 0.95).pvalue > 0.01, topic


@pytest.mark.slow
@pytest.mark.parametrize("paired", [True, False])
def test_intervals_cover_a_planted_change(tmp_path, paired):
    base = replace(Truth(), arena={"n": 0.0, "s": 0.02})
    changed = replace(base, strength=(0.12, *base.strength[1:]), seat=0.05)
    truth = 0.9 * 0.06 * (np.eye(8)[0] - 1 / 8)
    heroes, seats = [], []
    for rep in range(150):
        one = planted_run(tmp_path / f"a{rep}", base, 150, seed=rep, record=False)
        other = rep if paired else 10_000 + rep
        two = planted_run(tmp_path / f"b{rep}", changed, 150, seed=other, record=False)
        changes = differences(one, two)[0]
        found = [change.difference for change in of_topic(changes, "heroes")]
        heroes += [gap.low <= true <= gap.high for gap, true in zip(found, truth, strict=True)]
        seat = of_topic(changes, "seats")[0].difference
        seats.append(seat.low <= 0.9 * 0.03 <= seat.high)
    assert 0.93 <= np.mean(heroes) <= 0.98 and np.mean(seats) >= 0.90


def test_families_are_adjusted_by_themselves(tmp_path):
    base, other = planted_run(tmp_path / "a", TRUTH, 300), planted_run(tmp_path / "b", STRONG, 300)
    changes, _, _ = differences(base, other)
    heroes = of_topic(changes, "heroes", 1)
    smallest = min(heroes, key=lambda change: change.raw)
    assert smallest.p == pytest.approx(min(1.0, 8 * smallest.raw))
    seats = of_topic(changes, "seats")
    assert min(c.p for c in seats) == pytest.approx(min(1.0, 2 * min(c.raw for c in seats)))
    assert set(by_name(changes, "heroes")) == {(hero,) for hero in TRUTH.heroes}
