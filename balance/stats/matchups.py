"""Who beats whom: the scores of a round robin, as cycles and best mixes need them.

Source: sample mean and variance of pairs, stratified by arena as in Cochran (1977), chapter 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.stats.estimate import Refusal
from balance.stats.sums import Sums

STEPS = 4  # a pair's score comes in quarters


@dataclass(frozen=True)
class Matchups:
    """Mean scores of k teams against each other.

    Attributes
    ----------
    names : tuple of str, length k
    first, second : ndarray of int, shape (m,)
        Teams of each matchup; every two teams at most once.
    effect : ndarray, shape (m,)
        Mean pair score of `first` less one half.
    error : ndarray, shape (m,)
        Standard error of `effect`; matchups are independent of each other.
    pairs : ndarray of int, shape (m,)
    counts : ndarray, shape (m, c), optional
        Pairs by score of `first`, from 0 to 1 in equal steps: what a bootstrap draws from.
    """

    names: tuple[str, ...]
    first: np.ndarray
    second: np.ndarray
    effect: np.ndarray
    error: np.ndarray
    pairs: np.ndarray
    counts: np.ndarray | None = None

    @property
    def k(self) -> int:
        """Teams."""
        return len(self.names)

    @property
    def complete(self) -> bool:
        """Whether all teams met."""
        return len(self.first) == self.k * (self.k - 1) // 2

    def matrix(self, effect: np.ndarray | None = None) -> np.ndarray:
        """Antisymmetric matrix of effects, shape (k, k); zero where two teams never met."""
        values, found = self.effect if effect is None else effect, np.zeros((self.k, self.k))
        found[self.first, self.second], found[self.second, self.first] = values, -values
        return found


def matchups_of(names: Sequence[str], scores: Mapping[tuple[str, str], np.ndarray]) -> Matchups:
    """Matchups from pair scores.

    Parameters
    ----------
    names : sequence of str
    scores : mapping of (str, str) to ndarray, shape (n,)
        Pair scores of the first team in {0, 1/4, 1/2, 3/4, 1}; n at least 1.
    """
    counts = {
        key: np.bincount(np.rint(np.asarray(s) * STEPS).astype(int), minlength=STEPS + 1)
        for key, s in scores.items()
    }
    return matchups_of_counts(names, counts)


def matchups_of_counts(names: Sequence[str], counts: Mapping[tuple[str, str], np.ndarray]) -> Matchups:
    """Matchups from numbers of pairs by score; matchups without pairs are left out.

    Effect = mean - 1/2 and SE = sqrt(sum p (x - mean)^2 / (n - 1)), the pair's own variance; a matchup whose
    pairs never varied gets one pair in each of its two extreme scores on top for its error alone.
    """
    held = {key: np.asarray(value, dtype=float) for key, value in counts.items() if np.sum(value) > 0}
    index = {name: place for place, name in enumerate(names)}
    first = np.array([index[one] for one, _ in held], dtype=int)
    second = np.array([index[two] for _, two in held], dtype=int)
    if not held:
        empty = np.zeros(0)
        return Matchups(
            tuple(names), first, second, empty, empty, empty.astype(int), np.zeros((0, STEPS + 1))
        )
    table = np.stack(list(held.values()))
    pairs = table.sum(axis=1)
    mean, _ = _moments(table)
    return Matchups(
        tuple(names), first, second, mean - 0.5, np.sqrt(_spread(table) / pairs), pairs.astype(int), table
    )


def _moments(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sum of squared deviations of every row."""
    scores, n = np.linspace(0, 1, table.shape[1]), table.sum(axis=1)
    mean = table @ scores / n
    return mean, np.maximum(table @ scores**2 - n * mean**2, 0.0)


def _spread(table: np.ndarray) -> np.ndarray:
    """Variance of a pair of each matchup."""
    n, (_, deviation) = table.sum(axis=1), _moments(table)
    widened = table.copy()
    widened[:, [0, -1]] += 1
    _, wide = _moments(widened)
    alike = deviation < 1e-9
    return np.where(alike, wide / (n + 1), deviation / np.maximum(n - 1, 1))


def level_matchups(sums: Sums, level: int) -> Matchups | Refusal:
    """Matchups of the teams of a run at one skill level, arenas counting alike.

    The mean and variance of a matchup are the means over its arenas; mirror matches are left out.

    Returns
    -------
    Matchups or Refusal
        A refusal without teams, or with more than two sides.
    """
    design = sums.design
    if design.sides != 2:
        return Refusal("With more than two sides there is no matchup of two teams by itself.")
    held: dict[tuple[str, str], list[np.ndarray]] = {}
    for cell in sums.of(level):
        if not cell.cell.teams:
            return Refusal("The rosters of this run were drafted, so there are no teams to compare.")
        one, two = (design.team_of_side(cell.cell, side) for side in (0, 1))
        if one == two:
            continue
        turned = (two, one) in held
        held.setdefault((two, one) if turned else (one, two), []).append(
            cell.quarters[::-1] if turned else cell.quarters
        )
    if not held:
        return Refusal("No two teams met each other.")
    names = tuple(dict.fromkeys(name for key in held for name in key))
    return _balanced(matchups_of_counts(names, {key: np.sum(c, axis=0) for key, c in held.items()}), held)


def _balanced(pooled: Matchups, held: Mapping[tuple[str, str], Sequence[np.ndarray]]) -> Matchups:
    """The same matchups with every arena counting alike."""
    effects, errors = [], []
    for counts in held.values():
        table = np.stack(counts)
        mean, _ = _moments(table)
        effects.append(mean.mean() - 0.5)
        errors.append(np.sqrt((_spread(table) / table.sum(axis=1)).sum()) / len(table))
    return replace(pooled, effect=np.array(effects), error=np.array(errors))
