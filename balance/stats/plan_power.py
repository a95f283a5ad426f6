"""Variances of hero strengths for the very rosters that a plan will play, before it is played.

Source: sigma^2 (X'X)^-1 of the least-squares fit (Gauss 1823), with X the planned rosters.
"""

from __future__ import annotations

import math

import numpy as np

from balance.stats.estimate import Refusal
from balance.stats.least_squares import contrast_rows, pseudo_inverse

DEALS = 20_000  # random rosters from which the information of a draft of many sides is averaged
SEPARATED = 1e-6


def score_sd(sides: int) -> float:
    """Standard deviation of one game's score without draws between equals: sqrt(k - 1) / k, 0.5 for two."""
    return math.sqrt(sides - 1) / sides


def hero_variance_of(counts: np.ndarray, sigma: float) -> float | Refusal:
    """Variance of the worst-measured hero's strength times games: sigma^2 k/(k-1) max diag G^-1.

    G is the mean over the pairs of sum_i x_i x_i' with the rows x of
    :func:`balance.stats.least_squares.contrast_rows`; scores of the k sides have variance sigma^2 and sum to
    one. Source: least squares with exchangeable sides.

    Parameters
    ----------
    counts : ndarray, shape (n, k, v)
        Copies of each hero on each side, for matches that are played equally often.
    sigma : float

    Returns
    -------
    float or Refusal
        A refusal when these rosters do not separate the heroes that occur.
    """
    counts = counts[:, :, counts.any(axis=(0, 1))]
    n, k, v = counts.shape
    if v < 2:
        return Refusal("Fewer than two heroes play, so there is nothing to compare.")
    rows = contrast_rows(counts, False)
    gram = np.einsum("nkv,nkw->vw", rows, rows) / n
    inverse, projector = pseudo_inverse(gram)
    if np.abs((np.eye(v) - 1 / v) @ (np.eye(v) - projector)).max() > SEPARATED:
        return Refusal(
            "The rosters of this plan never separate some heroes.",
            "A plan that drafts rosters at random measures every hero.",
        )
    return float(sigma**2 * k / (k - 1) * np.diag(inverse).max())


def random_rosters(heroes: int, copies: int, size: int, side_of_player: tuple[int, ...]) -> np.ndarray:
    """Deals of `size` heroes to every player from one deck, shape (DEALS, sides, heroes); fixed seed."""
    players = len(side_of_player)
    deck = np.tile(np.arange(heroes), copies)
    if len(deck) < players * size:
        return np.zeros((0, max(side_of_player) + 1, heroes), np.int8)
    dealt = np.random.default_rng(1).permuted(np.tile(deck, (DEALS, 1)), axis=1)[:, : players * size]
    counts = np.zeros((DEALS, max(side_of_player) + 1, heroes), np.int8)
    side = np.repeat(side_of_player, size)
    np.add.at(counts, (np.arange(DEALS)[:, None], side[None, :], dealt), 1)
    return counts
