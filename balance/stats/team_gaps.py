"""Scores of teams in two runs: weighted sums of the setup sides of cells, with what pairs have in common.

Source: stratified means, Cochran (1977), chapter 5; the sides of a pair are correlated, and so are runs on
common streams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.design import Design
from balance.stats.means import player_covariance, player_means
from balance.stats.run_gaps import CellGap
from balance.stats.teams import Shares, meets_others, team_shares


@dataclass(frozen=True)
class Players:
    """A weighted sum of side scores in both runs.

    Attributes
    ----------
    values, variances : tuple of float
        Of the base and of the candidate.
    variance : float
        Of the difference.
    n, cells : int
        Sampling units and cells behind it.
    paired : bool
        Whether every cell is.
    """

    values: tuple[float, float]
    variances: tuple[float, float]
    variance: float
    n: int
    cells: int
    paired: bool


def team_gaps(design: Design, cells: Sequence[CellGap]) -> Mapping[tuple[str, ...], Players]:
    """Mean score of every team over the matches it played, each counting alike."""
    met = _met(design, cells)
    shares = team_shares(design, {number: cell.base for number, cell in met.items()})
    if len(shares) < 2:
        return {}
    return {(team,): _players(share, met) for team, share in shares.items()}


def matchup_gaps(design: Design, cells: Sequence[CellGap]) -> Mapping[tuple[str, ...], Players]:
    """Mean score of a side against another, arenas counting alike; two sides only, each matchup once."""
    if design.sides != 2:
        return {}
    met = _met(design, cells)
    held: dict[tuple[str, ...], dict[int, np.ndarray]] = {}
    for number, cell in met.items():
        names = tuple(design.team_of_side(cell.base.cell, side) for side in (0, 1))
        turned = names[::-1] in held
        weights = np.array([0.0, 1.0] if turned else [1.0, 0.0])
        held.setdefault(names[::-1] if turned else names, {})[number] = weights
    return {
        names: _players(Shares({number: w / len(weights) for number, w in weights.items()}), met)
        for names, weights in held.items()
    }


def _met(design: Design, cells: Sequence[CellGap]) -> dict[int, CellGap]:
    return {cell.base.cell.number: cell for cell in cells if meets_others(design, cell.base)}


def _players(share: Shares, cells: Mapping[int, CellGap]) -> Players:
    values, variances, variance = [0.0, 0.0], [0.0, 0.0], 0.0
    for number, weights in share.weights.items():
        cell = cells[number]
        own = []
        for place, sums in enumerate((cell.base, cell.candidate)):
            values[place] += float(weights @ player_means(sums))
            own.append(float(weights @ player_covariance(sums) @ weights) / sums.moments.n)
            variances[place] += own[place]
        variance += float(weights @ _covariance(cell) @ weights) if cell.twin.paired else sum(own)
    held = [cells[number] for number in share.weights]
    n = sum(cell.n for cell in held)
    return Players(
        (values[0], values[1]),
        (variances[0], variances[1]),
        max(variance, 0.0),
        n,
        len(held),
        all(cell.twin.paired for cell in held),
    )


def _covariance(cell: CellGap) -> np.ndarray:
    """Covariance of the mean differences of the sides' scores, shape (sides, sides); NaN with one pair."""
    n, k = cell.gaps.n, len(cell.products)
    if n < 2:
        return np.full((k, k), np.nan)
    means = np.array([cell.gaps.total[f"player_{side}"] / n for side in range(k)])
    covariance = cell.products / n - np.outer(means, means)
    return np.where(np.abs(covariance) < 1e-12, 0.0, covariance) / (n - 1)
