"""Differences seen on the same streams: what a changed rule or a forbidden ability is worth.

Baseline and variant of a cell share their rosters and random streams, so a pair is compared with itself. The
unit is the pair: its mean score under one plan less that under the other, in {-1, -1/2, 0, 1/2, 1} for
decided games. Pairs in which nothing changed are zeros, and they count.

Sources: Student (1908) for the paired t interval; Agresti and Min (2005) for few pairs; McNemar (1947);
common random numbers as in Law and Kelton (2000), section 11.2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.stats.estimate import (
    LEVEL,
    Estimate,
    Refusal,
    detectable,
    normal_quantile,
    t_quantile,
    two_sided,
)
from balance.stats.multiple import benjamini_hochberg, holm
from balance.stats.proportions import mcnemar
from balance.stats.sequences import Sample, sample_of

FEW_PAIRS = 100  # below which the interval is Agresti and Min's
FEW_CHANGES = 20.0  # sum of squared differences, in whole games, below which it is as well
METHOD = "mean paired difference on common streams, t interval, or Agresti-Min for few pairs or changes"
PLAIN = "paired difference on common streams, t interval"
SMALL = "paired difference on common streams, Agresti-Min interval"


@dataclass(frozen=True)
class Delta:
    """A paired difference.

    Attributes
    ----------
    name : str
    effect : Estimate
        Variant less baseline.
    p : float
        Two-sided, for "no difference"; adjusted where several were asked together.
    discordance : float
        Share of pairs whose score changed.
    up, down : int
        Pairs whose score rose and fell.
    exact_p : float
        McNemar's exact p-value of as many rises as falls.
    detectable : float
        Smallest true difference found with 80 % power by as many pairs.
    """

    name: str
    effect: Estimate
    p: float
    discordance: float
    up: int
    down: int
    exact_p: float
    detectable: float


def paired_delta(
    differences: Any, name: str = "", scale: float = 1.0, stratum: Any = None
) -> Delta | Refusal:
    """Mean paired difference: d-bar +- t sd / sqrt(n), for few pairs or changes Agresti and Min's interval.

    With strata sd is sqrt(SSW / (n - k)), SSW the squares around the means of their k cells.

    Parameters
    ----------
    differences : array_like, shape (n,)
        Variant less baseline, one value a pair.
    name : str
    scale : float
        Largest possible difference.
    stratum : array_like, shape (n,)
        Cell of each pair, when several cells with about equally many pairs are put together.

    Returns
    -------
    Delta or Refusal
        A refusal without pairs.

    Notes
    -----
    Agresti and Min (2005) add one half to every cell of the paired table: one half of a pair that rose, one
    half that fell and one that stayed, here by `scale`.
    """
    values = np.asarray(differences, dtype=float)
    if not len(values):
        return Refusal(
            "No pair was played under both plans, so nothing can be compared.",
            "Run both plans with the same seed, cells and numbers of pairs.",
        )
    sample = sample_of(values, stratum)
    effect = difference_estimate(sample, scale)
    up, down = int((values > 0).sum()), int((values < 0).sum())
    error = sample.se if sample.freedom > 0 and sample.deviation > 0 else _widened(sample, scale)[1]
    return Delta(
        name,
        effect,
        two_sided(sample.mean, error, max(sample.freedom, 1)),
        (up + down) / len(values),
        up,
        down,
        mcnemar(up, down)[1],
        detectable(error),
    )


def difference_estimate(sample: Sample, scale: float = 1.0, level: float = LEVEL) -> Estimate:
    """Mean of paired differences with the interval that suits their number; see :func:`paired_delta`.

    Parameters
    ----------
    sample : Sample
        At least one pair.
    scale : float
    level : float
    """
    squares = (sample.deviation + sample.n * sample.mean**2) / scale**2
    if sample.freedom >= FEW_PAIRS - 1 and squares >= FEW_CHANGES:
        reach = t_quantile(0.5 + level / 2, sample.freedom) * sample.se
        low, high, method = sample.mean - reach, sample.mean + reach, PLAIN
    else:
        centre, error = _widened(sample, scale)
        reach = normal_quantile(0.5 + level / 2) * error
        low, high, method = centre - reach, centre + reach, SMALL
    low, high = max(-scale, low), min(scale, high)
    return Estimate(
        sample.mean, sample.se, min(low, sample.mean), max(high, sample.mean), sample.n, method, level
    )


def _widened(sample: Sample, scale: float) -> tuple[float, float]:
    """Centre and standard error after Agresti and Min's two pairs are added."""
    n = sample.n + 2
    centre = sample.n * sample.mean / n
    squares = sample.deviation + sample.n * sample.mean**2 + scale**2
    return centre, math.sqrt(max(squares / n - centre**2, 0.0) / n)


@dataclass(frozen=True)
class WhatIf:
    """A changed rule or card.

    Attributes
    ----------
    where_present : Delta
        Over the pairs that hold the changed thing.
    overall : Estimate
        Over all pairs: the same times the share of pairs that hold it.
    inclusion : Estimate
        That share.
    """

    where_present: Delta
    overall: Estimate
    inclusion: Estimate


def what_if(differences: Any, pairs: int, name: str = "", scale: float = 1.0) -> WhatIf | Refusal:
    """Effect of a change where it matters and over all games.

    Only pairs that hold the changed thing need to be played twice: on the same streams the others end alike,
    so they enter as exact zeros. overall = sum d / pairs with SE = sd(d and zeros) / sqrt(pairs), which
    includes the chance of the inclusion rate itself.

    Parameters
    ----------
    differences : array_like, shape (n,)
        Variant less baseline of the pairs that hold the changed thing.
    pairs : int
        Pairs dealt in all, at least n.
    name : str
    scale : float
    """
    from balance.stats.proportions import proportion

    values = np.asarray(differences, dtype=float)
    inside = paired_delta(values, name, scale)
    if isinstance(inside, Refusal):
        return Refusal(
            "No pair held the changed thing, so its effect cannot be seen.",
            "Play more pairs, or choose rosters and arenas that hold it.",
        )
    if pairs < len(values):
        raise ValueError(f"{len(values)} pairs hold the change, but only {pairs} were dealt")
    everywhere = sample_of(values).plus(Sample(pairs - len(values), 0.0, 0.0))
    return WhatIf(inside, difference_estimate(everywhere, scale), proportion(len(values), pairs))


def compare_all(
    named: Mapping[str, Any], grid: bool = False, scale: float = 1.0
) -> tuple[tuple[Delta, ...], tuple[tuple[str, Refusal], ...]]:
    """Several paired differences asked together, in the order given, and those that could not be answered.

    Named hypotheses are adjusted by Holm's method (any false finding), a grid of settings by Benjamini and
    Hochberg's (share of false findings).

    Parameters
    ----------
    named : mapping of str to array_like
        Differences by name.
    grid : bool
    scale : float
    """
    from dataclasses import replace

    found = {name: paired_delta(values, name, scale) for name, values in named.items()}
    deltas = [delta for delta in found.values() if isinstance(delta, Delta)]
    adjust = benjamini_hochberg if grid else holm
    adjusted = adjust(np.array([delta.p for delta in deltas])) if deltas else ()
    refused = tuple((name, delta) for name, delta in found.items() if isinstance(delta, Refusal))
    return tuple(replace(d, p=float(p)) for d, p in zip(deltas, adjusted, strict=True)), refused


def ability_values(
    full: Any, restricted: Mapping[str, Any], scale: float = 1.0
) -> tuple[tuple[Delta, ...], tuple[tuple[str, Refusal], ...]]:
    """What each ability or power is worth to the seat that may use it.

    Mean over pairs of score with everything allowed less score with one thing forbidden to that seat, the
    other seats unrestricted, on common streams; Holm over the things.

    Parameters
    ----------
    full : array_like, shape (n,)
        Pair scores of the restricted seat's side with everything allowed.
    restricted : mapping of str to array_like, shape (n,)
        The same pairs with the named thing forbidden; NaN where the pair was not played.
    scale : float
    """
    free = np.asarray(full, dtype=float)
    named = {}
    for name, values in restricted.items():
        gap = free - np.asarray(values, dtype=float)
        named[name] = gap[np.isfinite(gap)]
    return compare_all(named, scale=scale)
