"""Cycles among teams: how much of who-beats-whom no ranking can explain.

Matchup effects f_ij (score of i against j less one half) are split into a gradient, r_i - r_j, and a rest
that goes around in cycles. In a full round robin r_i is the mean of row i.
Source: Jiang, Lim, Yao and Ye (2011), Mathematical Programming 127:203-244 (HodgeRank).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from balance.stats.estimate import Estimate, Refusal, detectable, interval, two_sided
from balance.stats.matchups import Matchups
from balance.stats.multiple import holm

METHOD = "Hodge decomposition of matchup means"
CURL = "sum of a cycle's three matchup means, normal interval"
SHOWN = 5


@dataclass(frozen=True)
class Cycle:
    """Three teams of which each beats the next and the last beats the first.

    Attributes
    ----------
    teams : tuple of str
        Each scores above one half against the next.
    curl : Estimate
        Sum of the three advantages.
    weakest : float
        Smallest of the three advantages.
    p : float
        For "one of the three is not above one half"; Holm over all triples.
    """

    teams: tuple[str, str, str]
    curl: Estimate
    weakest: float
    p: float


@dataclass(frozen=True)
class Cycles:
    """The decomposition.

    Attributes
    ----------
    ratings : dict of str to Estimate
        Gradient part of each team, sum zero: its mean advantage over the others.
    q, p : float
        Chi-square statistic for "a ranking explains everything", and its p-value.
    freedom : int
        Independent cycles: (K - 1)(K - 2) / 2 in a full round robin.
    share : float
        Part of the squared advantages that is cyclic, noise taken out, between 0 and 1.
    raw_share : float
        The same with its noise.
    strongest : tuple of Cycle
        Cycles with the surest weakest link first, at most five.
    detectable : float
        Smallest true advantage in a matchup found with 80 % power (median matchup).
    n : int
        Pairs.
    method : str
    """

    ratings: dict[str, Estimate]
    q: float
    p: float
    freedom: int
    share: float
    raw_share: float
    strongest: tuple[Cycle, ...]
    detectable: float
    n: int
    method: str = METHOD


def cycles(matchups: Matchups) -> Cycles | Refusal:
    """Split matchup effects into a ranking and cycles.

    Gradient: least squares of f_ij on r_i - r_j. Test: f' N (N' S N)^-1 N' f against chi-square, N a basis of
    the cycle space and S the variances, which with equal errors is sum c^2 / SE^2. Share: (|c|^2 - tr(P S)) /
    (|f|^2 - tr(S)), P the projector on cycles.

    Returns
    -------
    Cycles or Refusal
        A refusal when teams never met, or when the matchups hold no cycle.
    """
    if refusal := _refused(matchups):
        return refusal
    incidence = _incidence(matchups)
    ranking = np.linalg.pinv(incidence)
    around = np.eye(len(matchups.first)) - incidence @ ranking
    effect, variance = matchups.effect, matchups.error**2
    left = around @ effect
    q, freedom = _statistic(around, effect, variance)
    noise = float((np.diag(around) * variance).sum())
    return Cycles(
        _ratings(matchups, ranking),
        q,
        _chi_square(q, freedom),
        freedom,
        _share(float(left @ left) - noise, float(effect @ effect) - float(variance.sum())),
        _share(float(left @ left), float(effect @ effect)),
        _strongest(matchups),
        detectable(float(np.median(matchups.error))),
        int(matchups.pairs.sum()),
    )


def _refused(matchups: Matchups) -> Refusal | None:
    groups = components(matchups)
    if groups > 1:
        return Refusal(
            f"The teams fall into {groups} groups that never met, so no ranking over all of them exists.",
            "A plan with matchups: round_robin lets every team meet every other.",
        )
    if len(matchups.first) - matchups.k + 1 < 1:
        return Refusal(
            "A cycle needs at least three teams that all met each other.",
            "Add teams, or let every team meet every other.",
        )
    return None


def components(matchups: Matchups) -> int:
    """Groups of teams that are linked by matchups."""
    from scipy.sparse.csgraph import connected_components

    graph = np.zeros((matchups.k, matchups.k))
    graph[matchups.first, matchups.second] = 1
    return int(connected_components(graph, directed=False)[0])


def _incidence(matchups: Matchups) -> np.ndarray:
    """Rows that take r_i - r_j, shape (m, k)."""
    rows, found = np.arange(len(matchups.first)), np.zeros((len(matchups.first), matchups.k))
    found[rows, matchups.first], found[rows, matchups.second] = 1, -1
    return found


def _statistic(around: np.ndarray, effect: np.ndarray, variance: np.ndarray) -> tuple[float, int]:
    """Wald's statistic of the cyclic part, and its degrees of freedom."""
    values, vectors = np.linalg.eigh(around)
    basis = vectors[:, values > 0.5]
    spread = basis.T @ (variance[:, None] * basis)
    part = basis.T @ effect
    return float(part @ np.linalg.solve(spread, part)), basis.shape[1]


def _chi_square(q: float, freedom: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(freedom, q))


def _share(part: float, whole: float) -> float:
    if whole <= 0 or part <= 0:
        return 0.0
    return min(1.0, part / whole)


def _ratings(matchups: Matchups, ranking: np.ndarray) -> dict[str, Estimate]:
    values = ranking @ matchups.effect
    errors = np.sqrt((ranking**2 * matchups.error**2).sum(axis=1))
    n = int(matchups.pairs.sum())
    method = f"{METHOD}, gradient part, normal interval"
    return {
        name: interval(float(value), float(error), n, method)
        for name, value, error in zip(matchups.names, values, errors, strict=True)
    }


def _strongest(matchups: Matchups) -> tuple[Cycle, ...]:
    """Cycles of three among the estimates; all triples count for Holm, whatever their direction."""
    met = {(int(i), int(j)) for i, j in zip(matchups.first, matchups.second, strict=True)}
    met |= {(j, i) for i, j in met}
    triples = [
        t for t in combinations(range(matchups.k), 3) if {(t[0], t[1]), (t[1], t[2]), (t[2], t[0])} <= met
    ]
    if not triples:
        return ()
    effect, error = matchups.matrix(), _errors(matchups)
    found, raw = [], []
    for triple in triples:
        turn = triple if effect[triple[0], triple[1]] > 0 else triple[::-1]
        links = list(zip(turn, (*turn[1:], turn[0]), strict=True))
        cycle = all(effect[i, j] > 0 for i, j in links)
        # Intersection-union: each link has to be shown; an alternative direction costs a factor of two.
        worst = max(two_sided(effect[i, j], error[i, j]) for i, j in links)
        raw.append(worst if cycle else 1.0)
        found.append((turn, links) if cycle else None)
    adjusted = holm(np.array(raw))
    cycles_ = [
        _cycle(matchups, turn, links, effect, error, float(p))
        for held, p in zip(found, adjusted, strict=True)
        if held
        for turn, links in [held]
    ]
    return tuple(sorted(cycles_, key=lambda cycle: (cycle.p, -cycle.weakest))[:SHOWN])


def _cycle(
    matchups: Matchups,
    turn: Sequence[int],
    links: Sequence[tuple[int, int]],
    effect: np.ndarray,
    error: np.ndarray,
    p: float,
) -> Cycle:
    value = float(sum(effect[i, j] for i, j in links))
    se = float(np.sqrt(sum(error[i, j] ** 2 for i, j in links)))
    lookup = {
        (int(i), int(j)): int(n)
        for i, j, n in zip(matchups.first, matchups.second, matchups.pairs, strict=True)
    }
    n = sum(lookup.get(link, lookup.get(link[::-1], 0)) for link in links)
    a, b, c = (matchups.names[place] for place in turn)
    return Cycle((a, b, c), interval(value, se, n, CURL), float(min(effect[i, j] for i, j in links)), p)


def _errors(matchups: Matchups) -> np.ndarray:
    found = np.zeros((matchups.k, matchups.k))
    found[matchups.first, matchups.second] = found[matchups.second, matchups.first] = matchups.error
    return found
