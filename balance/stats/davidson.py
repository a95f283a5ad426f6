"""Bradley-Terry strengths with ties (Davidson 1970), by Newton's method.

P(i beats j) = p_i / (p_i + p_j + nu sqrt(p_i p_j)), P(tie) has nu sqrt(p_i p_j) on top. The logarithms of p
are reported, with sum zero. A maximum exists only if every competitor can be reached from every other along
wins and ties (Ford 1957), and if ties do not run away with the wins; otherwise the answer is a refusal, or
with a ridge a number labelled prior-driven.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import Refusal

STEPS = 200
PRIOR_DRIVEN = "prior-driven"
INSTEAD = "Mean scores are given instead."


@dataclass(frozen=True)
class Games:
    """Results of m rows of competitors.

    Attributes
    ----------
    first, second : ndarray of int, shape (m,)
        Competitors of each row.
    counts : ndarray, shape (m, 3)
        Games won by `first`, tied, and won by `second`.
    k : int
        Competitors.
    products : ndarray, shape (m, 3, 3), optional
        Sum over pairs of the outer product of each pair's counts, for errors clustered by pair.
    per_pair : float
        Games of every pair, needed with `products` and `clusters`.
    clusters : ndarray, shape (n, m, 3), optional
        Counts of every pair in every row, for errors clustered by pairs that occur in several rows (the
        same deal for several couples); NaN where a row lacks the pair. Used in place of `products`.
    """

    first: np.ndarray
    second: np.ndarray
    counts: np.ndarray
    k: int
    products: np.ndarray | None = None
    per_pair: float = 2.0
    clusters: np.ndarray | None = None


@dataclass(frozen=True)
class Ratings:
    """Fitted log-strengths.

    Attributes
    ----------
    ratings : ndarray, shape (k,)
        Sum zero.
    covariance : ndarray, shape (k, k)
        Of `ratings`: sandwich when clusters were given, else inverse information.
    ties : float
        Davidson's nu; 0 when there were no ties.
    home : float
        Logarithm of the first competitor's advantage; 0 when not fitted.
    home_se : float
    log_likelihood : float
    label : str
        ``maximum likelihood`` or ``prior-driven``.
    """

    ratings: np.ndarray
    covariance: np.ndarray
    ties: float
    home: float
    home_se: float
    log_likelihood: float
    label: str


def connected(games: Games) -> bool:
    """Whether wins and ties lead from every competitor to every other."""
    from scipy.sparse.csgraph import connected_components

    graph, counts = np.zeros((games.k, games.k)), games.counts
    np.add.at(graph, (games.first, games.second), counts[:, 0] + counts[:, 1])
    np.add.at(graph, (games.second, games.first), counts[:, 2] + counts[:, 1])
    return int(connected_components(graph > 0, directed=True, connection="strong")[0]) == 1


def running_away(games: Games) -> bool:
    """Whether strengths and ties can grow together for ever, every result getting likelier.

    They can if some ratings put every winner at least 2 above its loser and all that tied at most 2 apart:
    a negative cycle of these differences says that there are none.
    """
    from scipy.sparse.csgraph import NegativeCycleError, bellman_ford

    first, second, counts = games.first, games.second, games.counts
    most = np.zeros((games.k, games.k))  # by how much the column may lie above the row; 0: no matter
    tied, won, lost = counts[:, 1] > 0, counts[:, 0] > 0, counts[:, 2] > 0
    most[first[tied], second[tied]] = most[second[tied], first[tied]] = 2
    most[first[won], second[won]] = most[second[lost], first[lost]] = -2
    try:
        bellman_ford(most)
    except NegativeCycleError:
        return False
    return bool(tied.any())


def davidson(games: Games, home: bool = False, ridge: float = 0.0) -> Ratings | Refusal:
    """Fit the model.

    Parameters
    ----------
    games : Games
    home : bool
        Whether the first of a row has an advantage to be fitted.
    ridge : float
        Weight of the sum of squared ratings that is taken from the log-likelihood.
    """
    if not games.counts[:, [0, 2]].any():
        return Refusal("No game between teams was decided, so there is nothing to rate.", INSTEAD)
    whole = connected(games) and not running_away(games)
    if not whole and not ridge:
        return Refusal(
            "Some teams never lost a game against the rest, so their rating has no finite estimate.", INSTEAD
        )
    shape, counts, k = _shape(games, home), games.counts, games.k
    basis = _basis(k, shape.shape[2])
    penalty = np.zeros(shape.shape[2])
    penalty[:k] = 2 * ridge
    solution, information = _newton(shape, counts, basis, penalty)
    middle = _middle(shape, games, solution, basis, information)
    bread = np.linalg.inv(information)
    covariance = basis @ bread @ middle @ bread @ basis.T
    tie = k + int(home)
    return Ratings(
        solution[:k],
        covariance[:k, :k],
        float(np.exp(solution[tie])) if shape.shape[2] > tie else 0.0,
        float(solution[k]) if home else 0.0,
        float(np.sqrt(covariance[k, k])) if home else 0.0,
        float((counts * np.log(np.maximum(_chances(shape, solution), 1e-300))).sum()),
        "maximum likelihood" if whole else PRIOR_DRIVEN,
    )


def _shape(games: Games, home: bool) -> np.ndarray:
    """Utilities of win, tie and loss as linear forms, shape (m, 3, parameters)."""
    ties, k, rows = bool(games.counts[:, 1].any()), games.k, np.arange(len(games.first))
    shape = np.zeros((len(rows), 3, k + int(home) + int(ties)))
    shape[rows, 0, games.first] += 1
    shape[rows, 2, games.second] += 1
    if home:
        shape[:, 0, k] = 1
    shape[:, 1] = (shape[:, 0] + shape[:, 2]) / 2
    if ties:
        shape[:, 1, -1] = 1
    else:
        shape[:, 1] = -np.inf
    return shape


def _basis(k: int, parameters: int) -> np.ndarray:
    """Columns that keep the sum of the first k parameters at zero."""
    centre = np.eye(k) - 1 / k
    vectors = np.linalg.eigh(centre)[1][:, 1:]
    basis = np.zeros((parameters, parameters - 1))
    basis[:k, : k - 1] = vectors
    basis[k:, k - 1 :] = np.eye(parameters - k)
    return basis


def _chances(shape: np.ndarray, solution: np.ndarray) -> np.ndarray:
    utility = np.where(np.isfinite(shape), shape, 0) @ solution
    utility[np.isinf(shape).any(axis=2)] = -np.inf
    weights = np.exp(utility - utility.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _newton(
    shape: np.ndarray, counts: np.ndarray, basis: np.ndarray, penalty: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Damped Newton ascent of the concave (penalised) log-likelihood; solution and information."""
    finite = np.where(np.isfinite(shape), shape, 0)
    games, free = counts.sum(axis=1), np.zeros(basis.shape[1])

    def value(point: np.ndarray) -> float:
        chances = np.maximum(_chances(shape, basis @ point), 1e-300)
        return float((counts * np.log(chances)).sum() - (penalty * (basis @ point) ** 2).sum() / 2)

    for _ in range(STEPS):
        solution = basis @ free
        chances = _chances(shape, solution)
        gradient = np.einsum("mop,mo->p", finite, counts - games[:, None] * chances) - penalty * solution
        information = basis.T @ (_information(finite, games, chances) + np.diag(penalty)) @ basis
        step = np.linalg.solve(information, basis.T @ gradient)
        size, here = 1.0, value(free)
        while size > 1e-6 and value(free + size * step) < here:
            size /= 2
        free = free + size * step
        if np.abs(step).max() < 1e-11:
            break
    return basis @ free, information


def _information(shape: np.ndarray, games: np.ndarray, chances: np.ndarray) -> np.ndarray:
    mean = np.einsum("mo,mop->mp", chances, shape)
    second = np.einsum("m,mo,mop,moq->pq", games, chances, shape, shape, optimize=True)
    return second - np.einsum("m,mp,mq->pq", games, mean, mean, optimize=True)


def _middle(
    shape: np.ndarray, games: Games, solution: np.ndarray, basis: np.ndarray, information: np.ndarray
) -> np.ndarray:
    """Variance of the gradient: from clusters over rows or within them, else as the model has it."""
    if games.clusters is not None:
        finite = np.where(np.isfinite(shape), shape, 0)
        rest = np.nan_to_num(games.clusters - games.per_pair * _chances(shape, solution))
        gradients = np.einsum("umo,mop->up", rest, finite) @ basis
        return gradients.T @ gradients
    return information if games.products is None else _clustered(shape, games, solution, basis)


def _clustered(shape: np.ndarray, games: Games, solution: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Variance of the gradient, with the pair as its unit."""
    finite = np.where(np.isfinite(shape), shape, 0)
    pairs = games.counts.sum(axis=1) / games.per_pair
    expected = games.per_pair * _chances(shape, solution)
    cross = np.einsum("mo,mq->moq", games.counts, expected)
    spread = games.products - cross - cross.transpose(0, 2, 1)
    spread += pairs[:, None, None] * np.einsum("mo,mq->moq", expected, expected)
    return basis.T @ np.einsum("mop,moq,mqr->pr", finite, spread, finite, optimize=True) @ basis
