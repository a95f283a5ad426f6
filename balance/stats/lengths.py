"""Means and quantiles of what the playouts recorded: length, pace, and the game's own columns.

Sources: stratified means, Cochran (1977), chapter 5; quantiles of a discrete distribution, Hyndman and Fan
(1996), type 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import Estimate
from balance.stats.means import hero_ratio, mean_of, sd_of
from balance.stats.sums import Sums

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Metric:
    """One averaged column at one level.

    Attributes
    ----------
    name : str
    level : int
    mean : Estimate
    sd : float
        Standard deviation of a pair's mean (not a standard error).
    quantiles : tuple of float
        Of single games at 5, 25, 50, 75 and 95 %; empty when the column has no histogram.
    """

    name: str
    level: int
    mean: Estimate
    sd: float
    quantiles: tuple[float, ...]


@dataclass(frozen=True)
class Histogram:
    """Games by value of one column at one level; ``counts[i]`` games have the value i."""

    name: str
    level: int
    counts: np.ndarray


def metrics(sums: Sums, names: Sequence[str], arena: str | None = None) -> tuple[Metric, ...]:
    """Means of the named columns at every level, where they were recorded."""
    found = []
    for level in range(len(sums.design.levels)):
        cells = sums.of(level, arena)
        for name in names:
            mean = mean_of(cells, name)
            if mean:
                counts = sums.histograms.get((level, name)) if arena is None else None
                found.append(Metric(name, level, mean, sd_of(cells, name), quantiles(counts)))
    return tuple(found)


def quantiles(counts: np.ndarray | None, at: Sequence[float] = QUANTILES) -> tuple[float, ...]:
    """Quantiles of a distribution of whole numbers given as counts: the smallest value that reaches each."""
    if counts is None or not counts.sum():
        return ()
    reached = np.cumsum(counts) / counts.sum()
    return tuple(float(np.searchsorted(reached, q - 1e-12)) for q in at)


def histograms(sums: Sums, names: Sequence[str]) -> tuple[Histogram, ...]:
    """Distributions of the named columns."""
    return tuple(
        Histogram(name, level, counts)
        for (level, name), counts in sorted(sums.histograms.items())
        if name in names
    )


def hero_metrics(sums: Sums, level: int) -> dict[str, list[Estimate | None]]:
    """Mean per game and copy of every hero column, by column, in the order of the heroes."""
    cells = sums.of(level)
    stored = next((cell.hero_columns for cell in cells if cell.hero is not None), ())
    return {name: hero_ratio(cells, place, (-np.inf, np.inf)) for place, name in enumerate(stored, start=1)}
