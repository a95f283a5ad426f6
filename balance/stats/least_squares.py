"""The adjusted plus-minus fit: a side's score on its own heroes against the mean of the others'.

For a pair (or rotation) and each setup side i of k: y_i = score_i - 1/k, averaged over the seatings, and
x_i = own copies - mean copies of the other sides. With two sides this is the difference of the rosters.
Because every pair is played in every seating, seat and arena offsets cancel exactly, so the fit equals the
one with seat and arena columns; the sandwich error takes the pair as its cluster.

Sources: Rosenbaum (2004) for the model; Liang and Zeger (1986) for the sandwich.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from balance.stats.rosters import Piece

__all__ = ["Fit", "Piece", "contrast_rows", "fit", "meat", "normal_equations", "pseudo_inverse"]

TOLERANCE = 1e-9  # of the largest eigenvalue: below it a direction is not in the design


@dataclass(frozen=True)
class Fit:
    """Least-squares solution with its clustered covariance.

    Attributes
    ----------
    effects : ndarray, shape (v,)
        Hero effects on the expected score, summing to zero.
    covariance : ndarray, shape (v, v)
    n : int
        Pairs.
    freedom : int
        Pairs less fitted parameters.
    estimable : bool
        Whether every difference between heroes is determined by the design.
    rank : int
        Hero contrasts that the design determines.
    space : ndarray, shape (v, v)
        Projector on the determined contrasts.
    """

    effects: np.ndarray
    covariance: np.ndarray
    n: int
    freedom: int
    estimable: bool
    rank: int
    space: np.ndarray


def contrast_rows(counts: np.ndarray, agents: bool) -> np.ndarray:
    """Design rows, shape (n, k, v) or with k - 1 agent columns more.

    Parameters
    ----------
    counts : ndarray, shape (n, k, v)
    agents : bool
        Whether columns for the agents of the setup sides are added.
    """
    n, k, _ = counts.shape
    copies = counts.astype(float)
    rows = (k * copies - copies.sum(axis=1, keepdims=True)) / (k - 1)
    if not agents:
        return rows
    offset = np.vstack([np.eye(k - 1), -np.ones(k - 1)])
    return np.concatenate([rows, np.broadcast_to(offset, (n, k, k - 1))], axis=2)


def fit(pieces: Iterable[Piece]) -> Fit:
    """Fit hero effects to the pairs of some cells.

    Parameters
    ----------
    pieces : iterable of Piece
        At least one, all with the same k and v; gone through twice.
    """
    first = next(iter(pieces))
    v, agents = first.counts.shape[2], any(piece.agents_differ for piece in pieces)
    gram, moment, n = normal_equations(pieces, agents)
    inverse, projector = pseudo_inverse(gram)
    solution = inverse @ moment
    rank = round(float(np.trace(projector)))
    freedom = n - rank
    between = meat(pieces, agents, solution)
    scale = n / freedom if freedom > 0 else np.nan
    covariance = inverse @ between @ inverse * scale
    centre = np.zeros((v, len(solution)))
    centre[:, :v] = np.eye(v) - 1 / v
    lost = np.abs(centre @ (np.eye(len(solution)) - projector)).max()
    space = _hero_space(gram, v)
    return Fit(
        centre @ solution,
        centre @ covariance @ centre.T,
        n,
        freedom,
        bool(lost < 1e-6),
        round(float(np.trace(space))),
        space,
    )


def design_rows(pieces: Iterable[Piece], agents: bool) -> Iterator[tuple[np.ndarray, Piece]]:
    """Design rows of every piece."""
    for piece in pieces:
        rows = contrast_rows(piece.counts, agents)
        if agents and not piece.agents_differ:
            rows[:, :, piece.counts.shape[2] :] = 0
        yield rows, piece


def normal_equations(pieces: Iterable[Piece], agents: bool) -> tuple[np.ndarray, np.ndarray, int]:
    """X'X, X'y and the number of pairs; a row counts for as many pairs as it stands for."""
    gram, moment, n = np.zeros((1, 1)), np.zeros(1), 0
    for rows, piece in design_rows(pieces, agents):
        flat, k = rows.reshape(-1, rows.shape[2]), rows.shape[1]
        weight = np.repeat(piece.share * piece.weight, k)
        gram = flat.T @ (flat * weight[:, None]) + (gram if n else 0)
        moment = flat.T @ (weight * (piece.scores - 1 / k).reshape(-1)) + (moment if n else 0)
        n += round(float(piece.weight.sum()))
    return gram, moment, n


def pseudo_inverse(gram: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Moore-Penrose inverse of a symmetric matrix, and the projector on its row space."""
    values, vectors = np.linalg.eigh(gram)
    kept = values > TOLERANCE * max(values.max(), 1e-300)
    vectors, values = vectors[:, kept], values[kept]
    return (vectors / values) @ vectors.T, vectors @ vectors.T


def _hero_space(gram: np.ndarray, v: int) -> np.ndarray:
    """Projector on the sum-zero hero contrasts that the design determines, agent columns taken out."""
    block = gram[:v, :v]
    if len(gram) > v:
        other = np.linalg.pinv(gram[v:, v:])
        block = block - gram[:v, v:] @ other @ gram[v:, :v]
    centre = np.eye(v) - 1 / v
    return pseudo_inverse(centre @ block @ centre)[1] if np.abs(block).max() > 0 else np.zeros((v, v))


def meat(pieces: Iterable[Piece], agents: bool, solution: np.ndarray) -> np.ndarray:
    """Sum over pairs of the outer product of a pair's score vector, sum_i x_i e_i.

    Pairs with the same rows x share their products of residuals, which follow from the sums of scores:
    sum e_i e_j = sum y_i y_j - f_i sum y_j - f_j sum y_i + n f_i f_j with the fitted f.
    """
    found = np.zeros((len(solution), len(solution)))
    for rows, piece in design_rows(pieces, agents):
        k, weight = rows.shape[1], piece.weight[:, None, None]
        fitted, scores = rows @ solution + 1 / k, piece.scores
        cross = fitted[:, :, None] * scores[:, None, :]
        fits = fitted[:, :, None] * fitted[:, None, :]
        residuals = piece.squares - weight * (cross + cross.transpose(0, 2, 1) - fits)
        for i in range(k):
            for j in range(k):
                found += piece.share**2 * (rows[:, i].T @ (rows[:, j] * residuals[:, i, j, None]))
    return found
