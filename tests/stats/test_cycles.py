"""Rankings and cycles: exact decompositions, the test's size and power, what is refused."""

import numpy as np
import pytest

from balance.stats.cycles import Cycles, cycles
from balance.stats.estimate import Refusal
from balance.stats.matchups import Matchups, matchups_of, matchups_of_counts


def exact(matrix, error=0.01, pairs=1000):
    """Matchups with these effects, all equally certain."""
    matrix = np.asarray(matrix, dtype=float)
    first, second = np.triu_indices(len(matrix), 1)
    names = tuple("abcdefghijklmnopqrstuvwxyz"[: len(matrix)])
    m = len(first)
    return Matchups(names, first, second, matrix[first, second], np.full(m, error), np.full(m, pairs))


def ranked(ratings):
    ratings = np.asarray(ratings)
    return ratings[:, None] - ratings[None, :]


def test_a_ranking_has_no_cycles():
    found = cycles(exact(ranked([0.2, 0.1, -0.05, -0.25])))
    assert isinstance(found, Cycles)
    assert [rating.value for rating in found.ratings.values()] == pytest.approx([0.2, 0.1, -0.05, -0.25])
    assert found.q == pytest.approx(0, abs=1e-9) and found.p == pytest.approx(1)
    assert found.share == 0 and found.raw_share == pytest.approx(0, abs=1e-12) and not found.strongest
    assert found.freedom == 3


def test_rock_paper_scissors_is_all_cycle():
    found = cycles(exact([[0, 0.2, -0.2], [-0.2, 0, 0.2], [0.2, -0.2, 0]]))
    assert found.raw_share == pytest.approx(1)
    assert found.q == pytest.approx(3 * 0.2**2 / 0.01**2) and found.freedom == 1
    cycle = found.strongest[0]
    assert set(cycle.teams) == set("abc") and cycle.curl.value == pytest.approx(0.6)
    assert (
        cycle.curl.se == pytest.approx(0.01 * np.sqrt(3))
        and cycle.p < 1e-6
        and cycle.weakest == pytest.approx(0.2)
    )
    assert cycle.teams in (("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"))


def test_the_other_direction_is_named_as_it_turns():
    found = cycles(exact([[0, -0.2, 0.2], [0.2, 0, -0.2], [-0.2, 0.2, 0]]))
    assert found.strongest[0].teams in (("c", "b", "a"), ("b", "a", "c"), ("a", "c", "b"))


def test_a_transitive_win_matrix_is_not_purely_gradient():
    """The trap of the design: cyclic share .11."""
    found = cycles(exact([[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]))
    assert found.raw_share == pytest.approx(1 / 9)
    assert not found.strongest


def test_with_equal_errors_the_statistic_is_the_sum_of_squares():
    random = np.random.default_rng(1)
    matrix = random.normal(size=(6, 6)) * 0.1
    matrix = matrix - matrix.T
    rows = matrix.mean(axis=1)
    left = (matrix - (rows[:, None] - rows[None, :]))[np.triu_indices(6, 1)]
    found = cycles(exact(matrix))
    assert found.q == pytest.approx((left**2).sum() / 0.01**2)
    assert found.freedom == 10
    assert found.raw_share == pytest.approx((left**2).sum() / (matrix[np.triu_indices(6, 1)] ** 2).sum())
    assert [rating.value for rating in found.ratings.values()] == pytest.approx(rows)


def tournament(truth, pairs, seed):
    random = np.random.default_rng(seed)
    k = len(truth)
    scores = {
        (chr(97 + i), chr(97 + j)): random.binomial(2, 0.5 + truth[i][j], pairs if i else 3 * pairs) / 2
        for i in range(k)
        for j in range(i + 1, k)
    }
    return matchups_of([chr(97 + i) for i in range(k)], scores)


def test_without_cycles_p_values_are_uniform_and_shares_near_zero():
    from scipy.stats import kstest

    truth = ranked([0.1, 0.05, 0.0, -0.05, -0.1])
    found = [cycles(tournament(truth, 150, seed)) for seed in range(300)]
    assert kstest([f.p for f in found], "uniform").pvalue > 0.001
    assert np.median([f.share for f in found]) < 0.06
    assert np.median([f.raw_share for f in found]) > np.median([f.share for f in found])


def test_planted_cycles_are_found_and_ratings_cover():
    truth = ranked([0.1, 0.0, -0.1, 0.0])
    truth[1, 2] += 0.12
    truth[2, 1] -= 0.12
    mean, hits, found_p = truth.mean(axis=1), 0, []
    for seed in range(120):
        found = cycles(tournament(truth, 250, seed))
        found_p.append(found.p)
        hits += sum(r.low <= m <= r.high for r, m in zip(found.ratings.values(), mean, strict=True))
    assert np.mean(np.array(found_p) < 0.05) > 0.9
    assert hits / 480 == pytest.approx(0.95, abs=0.03)


def test_swapping_who_is_first_changes_nothing_and_renaming_permutes():
    base = tournament(ranked([0.1, 0.05, -0.05, -0.1]), 60, 1)
    swapped = Matchups(base.names, base.second, base.first, -base.effect, base.error, base.pairs)
    one, two = cycles(base), cycles(swapped)
    assert one.q == pytest.approx(two.q)
    assert [r.value for r in one.ratings.values()] == pytest.approx([r.value for r in two.ratings.values()])
    order = [2, 0, 3, 1]
    names = tuple(np.array(base.names)[np.argsort(order)])
    renamed = Matchups(
        names, np.array(order)[base.first], np.array(order)[base.second], base.effect, base.error, base.pairs
    )
    three = cycles(renamed)
    assert three.q == pytest.approx(one.q)
    assert {n: r.value for n, r in three.ratings.items()} == pytest.approx(
        {n: r.value for n, r in one.ratings.items()}
    )


def test_two_teams_and_strangers_are_refused():
    assert isinstance(cycles(exact(ranked([0.1, -0.1]))), Refusal)
    counts = np.array([5, 0, 10, 0, 5])
    apart = matchups_of_counts(list("abcd"), {("a", "b"): counts, ("c", "d"): counts})
    found = cycles(apart)
    assert isinstance(found, Refusal) and "2 groups" in found.reason and "round_robin" in found.instead
    chain = matchups_of_counts(list("abc"), {("a", "b"): counts, ("b", "c"): counts})
    assert isinstance(cycles(chain), Refusal)
    assert isinstance(cycles(matchups_of_counts(["a", "b"], {})), Refusal)


def test_all_drawn_has_no_cycle_and_no_certainty():
    counts = np.array([0, 0, 40, 0, 0])
    found = cycles(
        matchups_of_counts(list("abc"), {("a", "b"): counts, ("b", "c"): counts, ("a", "c"): counts})
    )
    assert found.q == 0 and found.share == 0 and not found.strongest
    assert all(r.se > 0 and r.value == 0 for r in found.ratings.values())


def test_an_unfinished_tournament_tests_the_cycles_it_has():
    """Four teams in a ring: one cycle, of length four."""
    scores = {("a", "b"): 0.6, ("b", "c"): 0.6, ("c", "d"): 0.6, ("d", "a"): 0.6}
    random = np.random.default_rng(1)
    ring = matchups_of(list("abcd"), {key: random.binomial(2, p, 400) / 2 for key, p in scores.items()})
    found = cycles(ring)
    assert found.freedom == 1 and found.p < 1e-4 and not found.strongest
