"""The adjusted plus-minus fit: a side's score on its own heroes against the mean of the others'.

For a pair (or rotation) and each setup side i of k: y_i = score_i - 1/k, averaged over the seatings, and
x_i = own copies - mean copies of the other sides. With two sides this is the difference of the rosters.
Because every pair is played in every seating, seat and arena offsets cancel exactly, so the fit equals the
one with seat and arena columns; the sandwich error takes the pair as its cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

SLICE = 50_000  # pairs worked on at a time
TOLERANCE = 1e-9  # of the largest eigenvalue: below it a direction is not in the design


@dataclass(frozen=True)
class Piece:
    """Pairs of one cell.

    Attributes
    ----------
    counts : ndarray of int8, shape (n, k, v)
        Copies of each hero on each setup side.
    scores : ndarray, shape (n, k)
        Mean score of each setup side.
    agents_differ : bool
        Whether the setup sides are played by different agents.
    """

    counts: np.ndarray
    scores: np.ndarray
    agents_differ: bool = False


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


def fit(pieces: Sequence[Piece]) -> Fit:
    """Fit hero effects to the pairs of some cells.

    Parameters
    ----------
    pieces : sequence of Piece
        At least one, all with the same k and v.
    """
    v, agents = pieces[0].counts.shape[2], any(piece.agents_differ for piece in pieces)
    gram, moment, n = _normal_equations(pieces, agents)
    inverse, projector = _pseudo_inverse(gram)
    solution = inverse @ moment
    rank = round(float(np.trace(projector)))
    freedom = n - rank
    meat = _meat(pieces, agents, solution)
    scale = n / freedom if freedom > 0 else np.nan
    covariance = inverse @ meat @ inverse * scale
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


def _chunks(pieces: Sequence[Piece], agents: bool) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Design rows and responses, a slice of pairs at a time."""
    for piece in pieces:
        k = piece.scores.shape[1]
        for start in range(0, len(piece.counts), SLICE):
            counts = piece.counts[start : start + SLICE]
            rows = contrast_rows(counts, agents)
            if agents and not piece.agents_differ:
                rows[:, :, counts.shape[2] :] = 0
            yield rows, piece.scores[start : start + SLICE] - 1 / k


def _normal_equations(pieces: Sequence[Piece], agents: bool) -> tuple[np.ndarray, np.ndarray, int]:
    gram, moment, n = np.zeros((1, 1)), np.zeros(1), 0
    for rows, response in _chunks(pieces, agents):
        flat = rows.reshape(-1, rows.shape[2])
        gram = flat.T @ flat + (gram if n else 0)
        moment = flat.T @ response.reshape(-1) + (moment if n else 0)
        n += len(rows)
    return gram, moment, n


def _pseudo_inverse(gram: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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
    return _pseudo_inverse(centre @ block @ centre)[1] if np.abs(block).max() > 0 else np.zeros((v, v))


def _meat(pieces: Sequence[Piece], agents: bool, solution: np.ndarray) -> np.ndarray:
    """Sum over pairs of the outer product of a pair's score vector."""
    meat = np.zeros((len(solution), len(solution)))
    for rows, response in _chunks(pieces, agents):
        vectors = np.einsum("nkp,nk->np", rows, response - rows @ solution)
        meat += vectors.T @ vectors
    return meat
