"""Alpha-rank of strategies: kept for comparison only, because its order changes with its own parameter.

No report shows it; cycles and the best mix answer the same questions without a parameter.
Source: Omidshafiei et al. (2019), Scientific Reports 9:9937; fixation by Fudenberg and Imhof (2006).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import Refusal

METHOD = "alpha-rank, single population, stationary distribution (no interval: descriptive)"


@dataclass(frozen=True)
class AlphaRank:
    """Share of time that a population of imitators spends with each strategy.

    Attributes
    ----------
    shares : ndarray, shape (k,)
    alpha : float
        Strength of selection.
    population : int
    method : str
    """

    shares: np.ndarray
    alpha: float
    population: int
    method: str = METHOD


def alpha_rank(payoff: np.ndarray, alpha: float, population: int, local: bool = True) -> AlphaRank | Refusal:
    """Stationary distribution of the Markov chain of fixations.

    With the local model a mutant s takes over a population of r with chance (1 - e^-u) / (1 - e^-mu), m the
    size of the population and u = alpha (A_sr - A_rs). Otherwise payoffs are means over the population:
    1 / (1 + sum_i prod_{j<=i} exp(-alpha (f_s(j) - f_r(j)))), f with j mutants among m.

    Parameters
    ----------
    payoff : ndarray, shape (k, k)
        Payoff of the row against the column.
    alpha : float
    population : int
        At least two.
    local : bool
    """
    payoff = np.asarray(payoff, dtype=float)
    k = len(payoff)
    if k < 2 or population < 2:
        return Refusal("A ranking by imitation needs at least two strategies and two imitators.")
    chain, advantage = np.zeros((k, k)), _local if local else _mixed
    for resident in range(k):
        for mutant in range(k):
            if mutant != resident:
                gain = alpha * advantage(payoff, mutant, resident, population)
                chain[resident, mutant] = _fixation(gain) / (k - 1)
    np.fill_diagonal(chain, 1 - chain.sum(axis=1))
    return AlphaRank(_stationary(chain), alpha, population)


def _local(payoff: np.ndarray, mutant: int, resident: int, m: int) -> np.ndarray:
    """The same advantage at every number of mutants."""
    return np.full(m - 1, payoff[mutant, resident] - payoff[resident, mutant])


def _mixed(payoff: np.ndarray, mutant: int, resident: int, m: int) -> np.ndarray:
    """Advantage of a mutant when j = 1 .. m - 1 of them are among m that meet at random."""
    j = np.arange(1, m)
    own = (j - 1) * payoff[mutant, mutant] + (m - j) * payoff[mutant, resident]
    other = j * payoff[resident, mutant] + (m - j - 1) * payoff[resident, resident]
    return (own - other) / (m - 1)


def _fixation(gain: np.ndarray) -> float:
    """Chance that one mutant takes over: 1 / (1 + sum of products of e^-gain)."""
    exponents = np.cumsum(-gain)
    top = max(0.0, float(exponents.max(initial=0)))
    return float(np.exp(-top) / (np.exp(-top) + np.exp(exponents - top).sum()))


def _stationary(chain: np.ndarray) -> np.ndarray:
    """Stationary distribution by state reduction, which never subtracts (Grassmann, Taksar, Heyman 1985)."""
    work, k = chain.copy(), len(chain)
    for last in range(k - 1, 0, -1):
        leave = work[last, :last].sum()
        work[:last, last] /= leave if leave > 0 else np.finfo(float).tiny
        work[:last, :last] += np.outer(work[:last, last], work[last, :last])
    shares = np.zeros(k)
    shares[0] = 1
    for place in range(1, k):
        shares[place] = shares[:place] @ work[:place, place]
    return shares / shares.sum()
