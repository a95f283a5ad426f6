"""Synergy and counters: what two heroes are worth together, and against each other, beyond their strengths.

Model of a side's score: strengths + sum of s_ij over its own pairs of heroes - the same of the other side
+ sum of c_ij over own i and opposing j, with sum_j s_ij = 0 and c antisymmetric with sum_j c_ij = 0 for every
hero i, so that strengths stay what they are without the pairs. Least squares in a basis of these constraints,
sandwich error clustered by pair, as in :mod:`balance.stats.least_squares`.
Sources: the two-way interaction model with sum-to-zero constraints (Scheffe 1959); empirical-Bayes shrinkage
(Efron and Morris 1973); Benjamini and Hochberg (1995).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.stats.estimate import Estimate, Refusal, detectable, interval, two_sided
from balance.stats.least_squares import contrast_rows, pseudo_inverse
from balance.stats.multiple import benjamini_hochberg
from balance.stats.rosters import Piece

METHOD = "least squares with strengths, sandwich error clustered by pair, t interval"
SHRUNK = "empirical-Bayes shrinkage, 95 % credible interval"
SLICE = 4_000  # rows whose wide design stands in memory at a time
PAIRS_A_PARAMETER = 3  # sampling units needed for each fitted number
HELP = "A plan that drafts rosters at random from more heroes than two rosters take measures pairs of heroes."


@dataclass(frozen=True)
class PairEffect:
    """Two heroes.

    Attributes
    ----------
    first, second : str
        For a counter, `first` gains against `second` when the effect is positive.
    effect : Estimate
        As fitted; the largest of many such numbers is too large.
    shrunk : Estimate
        Pulled towards zero by how noisy it is: what to expect in new games.
    p : float
        For "no effect", Benjamini-Hochberg over all pairs of its kind.
    """

    first: str
    second: str
    effect: Estimate
    shrunk: Estimate
    p: float


@dataclass(frozen=True)
class PairTable:
    """All pairs of one kind.

    Attributes
    ----------
    pairs : tuple of PairEffect
        Largest shrunk effect first, by size.
    spread : float
        tau: standard deviation of the true effects (not a standard error).
    shrinkage : float
        Median factor of shrinkage; 0 when nothing but noise was seen.
    detectable : float
        Smallest true effect found with 80 % power (median pair, unadjusted).
    n : int
        Sampling units.
    """

    pairs: tuple[PairEffect, ...]
    spread: float
    shrinkage: float
    detectable: float
    n: int


@dataclass(frozen=True)
class PairFit:
    """The fit behind the tables.

    Attributes
    ----------
    strengths : ndarray, shape (v,)
    synergies, counters : ndarray, shape (v, v)
        Symmetric and antisymmetric; zeros where they were not fitted.
    synergy_errors, counter_errors : ndarray, shape (v, v)
    ranks : dict of str to (int, int)
        For ``synergy`` and ``counter``: dimensions that the design determines beside strengths, and all.
    fitted : tuple of str
        Which of the two kinds were fitted.
    n, freedom : int
    """

    strengths: np.ndarray
    synergies: np.ndarray
    counters: np.ndarray
    synergy_errors: np.ndarray
    counter_errors: np.ndarray
    ranks: dict[str, tuple[int, int]]
    fitted: tuple[str, ...]
    n: int
    freedom: int


def pair_tables(
    pieces: Iterable[Piece], names: Sequence[str]
) -> tuple[PairTable | Refusal, PairTable | Refusal]:
    """Synergy and counters of every two heroes.

    Shrinkage: tau^2 = mean(e^2 - SE^2), at least 0; factor tau^2 / (tau^2 + SE^2), and as much of the
    variance remains (Efron and Morris 1973).

    Parameters
    ----------
    pieces : iterable of Piece
        Gone through twice; rosters complete, not cancelled.
    names : sequence of str, length v

    Returns
    -------
    (PairTable or Refusal, PairTable or Refusal)
        Synergies, counters. Refusals when the design does not determine them or has too few pairs.
    """
    found = fit_pairs(pieces, len(names))
    return _table(found, names, "synergy"), _table(found, names, "counter")


def fit_pairs(pieces: Iterable[Piece], v: int) -> PairFit:
    """Fit strengths, synergies and counters as far as the design determines them.

    Identifiable dimensions are v - 1, v (v - 3) / 2 and (v - 1)(v - 2) / 2 under rosters drawn from enough
    heroes; a kind that the design does not wholly determine is left out (with 8 heroes in disjoint fours
    both are).

    Parameters
    ----------
    pieces : iterable of Piece
    v : int
        Heroes.
    """
    agents = any(piece.agents_differ for piece in pieces)
    gram, moment, n = _normal_equations(pieces, agents)
    basis = _Basis(v, len(gram) - v * v)
    ranks, fitted = basis.ranks(gram)
    columns = basis.columns(fitted)
    inverse, projector = pseudo_inverse(columns.T @ gram @ columns)
    solution = columns @ (inverse @ (columns.T @ moment))
    freedom = n - round(float(np.trace(projector)))
    spread = columns @ inverse @ columns.T
    scale = n / freedom if freedom > 0 else np.nan
    covariance = spread @ _meat(pieces, agents, solution) @ spread * scale
    return _unpacked(v, solution, np.sqrt(np.maximum(np.diag(covariance), 0)), ranks, fitted, n, freedom)


def _unpacked(
    v: int,
    solution: np.ndarray,
    errors: np.ndarray,
    ranks: dict[str, tuple[int, int]],
    fitted: tuple[str, ...],
    n: int,
    freedom: int,
) -> PairFit:
    i, j = np.triu_indices(v, 1)
    m = len(i)
    tables = np.zeros((4, v, v))
    for place, (values, sign) in enumerate(((solution, 1), (errors, 1), (solution, -1), (errors, 1))):
        part = values[v : v + m] if place < 2 else values[v + m : v + 2 * m]
        tables[place][i, j], tables[place][j, i] = part, sign * part
    return PairFit(solution[:v], tables[0], tables[2], tables[1], tables[3], ranks, fitted, n, freedom)


class _Basis:
    """Constraint spaces of the columns: strengths, synergies, counters, then `extra` free ones."""

    def __init__(self, v: int, extra: int) -> None:
        i, j = np.triu_indices(v, 1)
        rows = np.arange(len(i))
        together, against = np.zeros((v, len(i))), np.zeros((v, len(i)))
        together[i, rows] = together[j, rows] = 1
        against[i, rows], against[j, rows] = 1, -1
        self.spaces = {
            "strength": _kernel(np.ones((1, v))),
            "synergy": _kernel(together),
            "counter": _kernel(against),
        }
        starts = {"strength": 0, "synergy": v, "counter": v + len(i)}
        self.width = v + 2 * len(i) + extra
        self.blocks = {kind: self._placed(space, starts[kind]) for kind, space in self.spaces.items()}
        self.free = self._placed(np.eye(extra), self.width - extra)

    def _placed(self, space: np.ndarray, start: int) -> np.ndarray:
        found = np.zeros((self.width, space.shape[1]))
        found[start : start + len(space)] = space
        return found

    def columns(self, fitted: Sequence[str]) -> np.ndarray:
        """Basis of the fitted columns, shape (width, parameters)."""
        return np.hstack([self.free, self.blocks["strength"], *(self.blocks[kind] for kind in fitted)])

    def ranks(self, gram: np.ndarray) -> tuple[dict[str, tuple[int, int]], tuple[str, ...]]:
        """What is determined beside strengths, and the kinds that are wholly determined."""
        alone = self._rank(gram, ())
        ranks = {
            kind: (self._rank(gram, (kind,)) - alone, self.spaces[kind].shape[1])
            for kind in ("synergy", "counter")
        }
        whole = tuple(kind for kind, (rank, size) in ranks.items() if rank == size > 0)
        if len(whole) == 2 and self._rank(gram, whole) - alone < sum(size for _, size in ranks.values()):
            whole = ()
        return ranks, whole

    def _rank(self, gram: np.ndarray, kinds: Sequence[str]) -> int:
        columns = self.columns(kinds)
        return round(float(np.trace(pseudo_inverse(columns.T @ gram @ columns)[1])))


def _kernel(rows: np.ndarray) -> np.ndarray:
    """Orthonormal basis of what the rows take to zero."""
    values, vectors = np.linalg.eigh(rows.T @ rows)
    return vectors[:, values < 1e-9]


def pair_columns(counts: np.ndarray) -> np.ndarray:
    """Design rows, shape (n, k, v + v(v-1)/2 + v(v-1)/2): strengths, synergies, counters.

    For side i: own less the mean of the others' copies a_h; own less the mean of the others' a_h a_g; mean
    over the others of own a_h times their a_g less own a_g times their a_h.

    Parameters
    ----------
    counts : ndarray, shape (n, k, v)
    """
    k, v = counts.shape[1:]
    copies = counts.astype(float)
    i, j = np.triu_indices(v, 1)
    together = copies[:, :, i] * copies[:, :, j]
    others = (copies.sum(axis=1, keepdims=True) - copies) / (k - 1)
    against = copies[:, :, i] * others[:, :, j] - copies[:, :, j] * others[:, :, i]
    main = contrast_rows(counts, False)
    pairs = (k * together - together.sum(axis=1, keepdims=True)) / (k - 1)
    return np.concatenate([main, pairs, against], axis=2)


def _rows(pieces: Iterable[Piece], agents: bool) -> Iterator[tuple[np.ndarray, Piece]]:
    """Design rows a slice at a time; with two sides the second says the same as the first."""
    for piece in pieces:
        for start in range(0, len(piece.counts), SLICE):
            here = slice(start, start + SLICE)
            part = replace(
                piece,
                counts=piece.counts[here],
                scores=piece.scores[here],
                pairs=None if piece.pairs is None else piece.pairs[here],
                products=None if piece.products is None else piece.products[here],
            )
            rows = _first_side(part.counts) if part.counts.shape[1] == 2 else pair_columns(part.counts)
            if agents:
                rows = np.concatenate([rows, _agent_columns(part, rows.shape[1])], axis=2)
            yield rows, part


def _agent_columns(piece: Piece, sides: int) -> np.ndarray:
    """Which player's agent sits on a side, sum zero; nothing where all agents are the same."""
    n, k = piece.counts.shape[:2]
    offset = np.vstack([np.eye(k - 1), -np.ones(k - 1)])[:sides] * piece.agents_differ
    return np.broadcast_to(offset, (n, sides, k - 1))


def _first_side(counts: np.ndarray) -> np.ndarray:
    """As :func:`pair_columns`, for the first of two sides only: the second has the opposite signs."""
    a, b = counts[:, 0].astype(float), counts[:, 1].astype(float)
    i, j = np.triu_indices(a.shape[1], 1)
    v, m = a.shape[1], len(i)
    rows = np.empty((len(a), 1, v + 2 * m))
    rows[:, 0, :v] = a - b
    ai, aj, bi, bj = a[:, i], a[:, j], b[:, i], b[:, j]
    np.subtract(ai * aj, bi * bj, out=rows[:, 0, v : v + m])
    np.subtract(ai * bj, aj * bi, out=rows[:, 0, v + m :])
    return rows


def _normal_equations(pieces: Iterable[Piece], agents: bool) -> tuple[np.ndarray, np.ndarray, int]:
    gram, moment, n = np.zeros((0, 0)), np.zeros(0), 0
    for rows, part in _rows(pieces, agents):
        flat, sides = rows.reshape(-1, rows.shape[2]), rows.shape[1]
        weight = np.repeat(part.share * part.weight, sides)
        response = (part.scores - 1 / part.scores.shape[1])[:, :sides].reshape(-1)
        block, line = flat.T @ (flat * weight[:, None]), flat.T @ (weight * response)
        gram, moment = (gram + block, moment + line) if n else (block, line)
        n += round(float(part.weight.sum()))
    return gram, moment, n


def _meat(pieces: Iterable[Piece], agents: bool, solution: np.ndarray) -> np.ndarray:
    """Sum over pairs of the outer product of a pair's score vector; see ``least_squares.meat``."""
    found = np.zeros((len(solution), len(solution)))
    for rows, part in _rows(pieces, agents):
        sides, weight = rows.shape[1], part.weight
        fitted, scores = rows @ solution + 1 / part.scores.shape[1], part.scores
        for i in range(sides):
            for j in range(sides):
                cross = fitted[:, i] * scores[:, j] + fitted[:, j] * scores[:, i]
                residual = part.squares[:, i, j] - weight * (cross - fitted[:, i] * fitted[:, j])
                found += part.share**2 * (rows[:, i].T @ (rows[:, j] * residual[:, None]))
    return found


def _table(found: PairFit, names: Sequence[str], kind: str) -> PairTable | Refusal:
    if refusal := _refused(found, len(names), kind):
        return refusal
    i, j = np.triu_indices(len(names), 1)
    values = (found.synergies if kind == "synergy" else found.counters)[i, j]
    errors = (found.synergy_errors if kind == "synergy" else found.counter_errors)[i, j]
    adjusted = benjamini_hochberg(
        np.array([two_sided(e, s, found.freedom) for e, s in zip(values, errors, strict=True)])
    )
    tau, factors = shrinkage(values, errors)
    widths = _widths(tau, errors, found.ranks[kind][1])
    rows = [
        _pair((names[a], names[b]), kind, (value, error), (factor, width), float(p), found)
        for a, b, value, error, factor, width, p in zip(
            i, j, values, errors, factors, widths, adjusted, strict=True
        )
    ]
    rows.sort(key=lambda row: -abs(row.shrunk.value) or -abs(row.effect.value))
    return PairTable(
        tuple(rows), tau, float(np.median(factors)), detectable(float(np.median(errors))), found.n
    )


def shrinkage(values: np.ndarray, errors: np.ndarray) -> tuple[float, np.ndarray]:
    """tau = sqrt(max(0, mean(e^2 - SE^2))) and the factors tau^2 / (tau^2 + SE^2) (Efron and Morris 1973)."""
    spread = max(0.0, float(np.mean(values**2 - errors**2)))
    total = spread + errors**2
    return float(np.sqrt(spread)), np.divide(spread, total, out=np.zeros_like(errors), where=total > 0)


def _widths(tau: float, errors: np.ndarray, freedom: int) -> np.ndarray:
    """Standard errors of shrunk effects, sqrt(factor) SE.

    tau^2 is itself uncertain by about sqrt(2 / df) SE^2; where it came out smaller than that, it is taken to
    be that, so that a spread estimated as zero does not pass for certainty.
    """
    spread = max(tau**2, float(np.mean(errors**2)) * np.sqrt(2 / max(freedom, 1)))
    total = spread + errors**2
    return errors * np.sqrt(np.divide(spread, total, out=np.zeros_like(errors), where=total > 0))


def _pair(
    names: tuple[str, str],
    kind: str,
    fitted: tuple[float, float],
    shrunken: tuple[float, float],
    p: float,
    found: PairFit,
) -> PairEffect:
    """One row; a counter is turned so that its first hero gains."""
    (value, error), (factor, width) = fitted, shrunken
    if kind == "counter" and value < 0:
        names, value = names[::-1], -value
    effect = interval(float(value), float(error), found.n, METHOD, found.freedom)
    shrunk = interval(float(factor * value) + 0.0, float(width), found.n, SHRUNK)
    return PairEffect(names[0], names[1], effect, shrunk, p)


def _refused(found: PairFit, v: int, kind: str) -> Refusal | None:
    rank, size = found.ranks[kind]
    what = "synergies" if kind == "synergy" else "counters"
    if not size:
        return Refusal(f"{v} heroes have no {what} beyond their strengths.", "Add heroes to the pool.")
    if kind not in found.fitted:
        if rank == size:
            return Refusal(
                f"Synergies and counters of this run cannot be told apart, so no {what} are given.", HELP
            )
        return Refusal(
            f"The rosters of this run determine only {rank} of the {size} independent {what} "
            f"of its {v} heroes, so none are given.",
            HELP,
        )
    wanted = PAIRS_A_PARAMETER * (found.n - found.freedom)
    if found.n < wanted:
        return Refusal(
            f"{found.n} pairs are too few for {size} independent {what}; at least {wanted} are needed.",
            "Play more pairs of this plan.",
        )
    return None


def contributions(team: Sequence[int], strengths: np.ndarray, synergies: np.ndarray) -> np.ndarray:
    """Shapley value of every member of a team: h_i + half the sum of s_ij over its team-mates.

    Exact for the additive model with pairs, against average opponents, where counters sum to zero.
    Source: Shapley (1953).

    Parameters
    ----------
    team : sequence of int, length m
    strengths : ndarray, shape (v,)
    synergies : ndarray, shape (v, v)
    """
    chosen = list(team)
    block = synergies[np.ix_(chosen, chosen)]
    return strengths[chosen] + (block.sum(axis=1) - np.diag(block)) / 2
