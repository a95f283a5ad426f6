"""The best mix of teams: how often to bring which team if the other side thinks as well.

The mix is the equilibrium of the symmetric zero-sum game of matchup effects; among all equilibria the one
with the largest entropy, so that copies of a team share its weight. It describes, it does not test.
Source: Balduzzi, Tuyls, Perolat and Graepel (2018), "Re-evaluating evaluation" (Nash averaging).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.stats.cycles import components
from balance.stats.estimate import LEVEL, Estimate, Refusal, detectable
from balance.stats.matchups import Matchups

METHOD = "maximum-entropy equilibrium of the matchup means, percentile bootstrap over pairs"
DRAWS = 200
TIGHT = 1e-7  # of the largest effect: below it a constraint holds with equality


@dataclass(frozen=True)
class MixEntry:
    """One team.

    Attributes
    ----------
    team : str
    weight : Estimate
        Share of the mix.
    against : Estimate
        Score of the team against the mix, less one half; at most zero but for noise.
    included : float
        Share of the bootstrap draws whose mix holds the team at all.
    """

    team: str
    weight: Estimate
    against: Estimate
    included: float


@dataclass(frozen=True)
class BestMix:
    """The mix.

    Attributes
    ----------
    teams : tuple of MixEntry
        Largest share first.
    n : int
        Pairs.
    draws : int
        Bootstrap draws behind the intervals.
    detectable : float
        Smallest true advantage in a matchup found with 80 % power (median matchup).
    method : str
    """

    teams: tuple[MixEntry, ...]
    n: int
    draws: int
    detectable: float
    method: str = METHOD


def best_mix(matchups: Matchups, draws: int = DRAWS, seed: int = 0) -> BestMix | Refusal:
    """Maximum-entropy equilibrium of a full round robin, with a bootstrap over the pairs of each matchup.

    Parameters
    ----------
    matchups : Matchups
        With `counts`.
    draws : int
        0 for no intervals.
    seed : int
        Of the bootstrap's own stream.

    Returns
    -------
    BestMix or Refusal
        A refusal when some teams never met.
    """
    if matchups.k < 2:
        return Refusal("A mix needs at least two teams.", "Add a team to the plan.")
    if not matchups.complete:
        missing = matchups.k * (matchups.k - 1) // 2 - len(matchups.first)
        apart = ", and they fall into groups that never met" if components(matchups) > 1 else ""
        return Refusal(
            f"{missing} pairs of teams never met{apart}, so no best mix can be computed.",
            "A plan with matchups: round_robin lets every team meet every other.",
        )
    weights = equilibrium(matchups.matrix())
    drawn = _bootstrap(matchups, draws, seed)
    n = int(matchups.pairs.sum())
    against = matchups.matrix() @ weights
    held = weights > TIGHT
    mixes = (
        np.stack([_near(matchups.matrix(effect), held) for effect in drawn])
        if draws
        else np.zeros((0, matchups.k))
    )
    scores = (
        np.stack([matchups.matrix(effect) @ mix for effect, mix in zip(drawn, mixes, strict=True)])
        if draws
        else mixes
    )
    entries = [
        MixEntry(
            name,
            _percentile(float(weights[team]), mixes[:, team], n, (0.0, 1.0)),
            _percentile(float(against[team]), scores[:, team], n, (-0.5, 0.5)),
            float((mixes[:, team] > 1e-9).mean()) if draws else float("nan"),
        )
        for team, name in enumerate(matchups.names)
    ]
    entries.sort(key=lambda entry: -entry.weight.value)
    return BestMix(tuple(entries), n, draws, detectable(float(np.median(matchups.error))))


def _percentile(value: float, drawn: np.ndarray, n: int, bounds: tuple[float, float]) -> Estimate:
    """Percentile interval, stretched to hold the estimate itself."""
    if not len(drawn):
        return Estimate(value, float("nan"), *bounds, n, METHOD)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    se = float(drawn.std(ddof=1)) if len(drawn) > 1 else float("nan")
    return Estimate(value, se, min(float(low), value), max(float(high), value), n, METHOD)


def _bootstrap(matchups: Matchups, draws: int, seed: int) -> np.ndarray:
    """Effects of every draw, shape (draws, m): the pairs of each matchup drawn anew."""
    if matchups.counts is None or not draws:
        return np.zeros((0, len(matchups.first)))
    random = np.random.default_rng([seed, len(matchups.first)])
    scores = np.linspace(0, 1, matchups.counts.shape[1])
    columns = []
    for counts, n in zip(matchups.counts, matchups.pairs, strict=True):
        drawn = random.multinomial(int(n), counts / counts.sum(), draws)
        columns.append((drawn - counts) @ scores / n)
    return matchups.effect + np.stack(columns, axis=1)


def equilibrium(payoff: np.ndarray) -> np.ndarray:
    """Equilibrium p of an antisymmetric matrix of largest entropy: max -sum p ln p, A p <= 0, sum p = 1.

    Parameters
    ----------
    payoff : ndarray, shape (k, k)
        Antisymmetric; entry (i, j) above zero when i beats j.

    Raises
    ------
    ValueError
        The matrix is not antisymmetric.

    Notes
    -----
    One linear program gives an equilibrium. If as many constraints bind as it has teams, and these determine
    it, it is the only one. Otherwise a program for each team finds all that any equilibrium holds; of those
    the entropy is maximised in the space that the binding constraints leave.
    """
    payoff = np.asarray(payoff, dtype=float)
    if np.abs(payoff + payoff.T).max(initial=0) > 1e-9 * max(np.abs(payoff).max(initial=0), 1):
        raise ValueError("a matchup matrix has to be antisymmetric")
    k, scale = len(payoff), np.abs(payoff).max(initial=0)
    if k < 2 or scale == 0:
        return np.full(k, 1 / k)
    payoff = payoff / scale
    first = _vertex(payoff, np.zeros(k))
    alone = _only(payoff, first)
    if alone is not None:
        return alone
    inner = np.mean([_vertex(payoff, -np.eye(k)[team]) for team in range(k)], axis=0)
    return _most_even(payoff, inner)


def _near(payoff: np.ndarray, held: np.ndarray) -> np.ndarray:
    """The equilibrium, tried first among mixes of the teams that are `held`: most draws keep them."""
    if np.abs(payoff).max(initial=0) > 0 and held.any():
        block = np.vstack([payoff[np.ix_(held, held)], np.ones(held.sum())])
        if np.linalg.svd(block, compute_uv=False)[-1] > 1e-6:
            found = np.zeros(len(payoff))
            found[held] = np.linalg.lstsq(block, np.eye(len(block))[-1], rcond=None)[0]
            value = payoff @ found
            inside = (found[held] > TIGHT).all() and np.abs(value[held]).max() < 1e-9
            if inside and (value[~held] < -TIGHT).all():
                return found
    return equilibrium(payoff)


def _vertex(payoff: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """An equilibrium of least cost."""
    from scipy.optimize import linprog

    k = len(payoff)
    found = linprog(cost, payoff, np.full(k, 1e-12), np.ones((1, k)), [1.0], (0, None), method="highs")
    return np.maximum(found.x, 0) / np.maximum(found.x, 0).sum()


def _only(payoff: np.ndarray, p: np.ndarray) -> np.ndarray | None:
    """The equilibrium, solved exactly, if it is the only one; None otherwise."""
    held, tight = p > TIGHT, payoff @ p > -TIGHT
    if (held != tight).any():
        return None
    block = np.vstack([payoff[np.ix_(held, held)], np.ones(held.sum())])
    if np.linalg.svd(block, compute_uv=False)[-1] < 1e-6:
        return None
    found = np.zeros(len(p))
    found[held] = np.linalg.lstsq(block, np.eye(len(block))[-1], rcond=None)[0]
    return np.maximum(found, 0)


def _most_even(payoff: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Largest entropy over the equilibria, from one that holds every team that any of them holds."""
    from scipy.optimize import minimize

    held = inner > TIGHT
    tight = payoff @ inner > -TIGHT
    start, space = inner[held], _null_space(np.vstack([payoff[np.ix_(tight, held)], np.ones(held.sum())]))
    found = np.zeros(len(inner))
    if not space.shape[1]:
        found[held] = start / start.sum()
        return found
    slack = payoff[np.ix_(~tight, held)]

    def weights(z: np.ndarray) -> np.ndarray:
        return np.maximum(start + space @ z, 1e-15)

    limits = [{"type": "ineq", "fun": lambda z: start + space @ z, "jac": lambda z: space}]
    if len(slack):
        limits.append(
            {"type": "ineq", "fun": lambda z: -slack @ (start + space @ z), "jac": lambda z: -slack @ space}
        )
    result = minimize(
        lambda z: float((weights(z) * np.log(weights(z))).sum()),
        np.zeros(space.shape[1]),
        jac=lambda z: space.T @ (np.log(weights(z)) + 1),
        constraints=limits,
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    found[held] = weights(result.x)
    return found / found.sum()


def _null_space(rows: np.ndarray) -> np.ndarray:
    _, values, vectors = np.linalg.svd(rows)
    rank = int((values > 1e-7 * max(values.max(initial=0), 1)).sum())
    return vectors[rank:].T
