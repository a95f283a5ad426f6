"""How the estimates of two skill levels go together: one more look at pairs that both levels played.

The covariance of two least-squares estimates on shared pairs is B_a (sum_p u_ap u_bp') B_b', with u the score
vector of a pair in either fit and B the inverse information. It is a variance, so a part of the pairs is
enough to know it well. Source: the cross term of the cluster sandwich (Liang and Zeger 1986).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.stats.batch import Batch, read_batch
from balance.stats.design import Cell, Design
from balance.stats.heroes import agents_differ, pieces_of
from balance.stats.least_squares import contrast_rows, normal_equations, pseudo_inverse
from balance.stats.sums import CellSums, Sums

if TYPE_CHECKING:
    from balance.store.read import Run

MOST_PAIRS = 200_000  # matched pairs that are looked at, over the whole run


@dataclass
class Level:
    """One level's fit and what is summed for it.

    Attributes
    ----------
    level : int
    present : ndarray of int
        Heroes of the fit.
    solution : ndarray, shape (p,)
    bread : ndarray, shape (v, p)
        Centred inverse information, with the root of the fit's finite-sample factor.
    agents : bool
        Whether the fit has columns for agents.
    shares : dict of int to float
        By cell: what each pair counts for.
    """

    level: int
    present: np.ndarray
    solution: np.ndarray
    bread: np.ndarray
    agents: bool
    shares: dict[int, float]

    def vectors(self, counts: np.ndarray, scores: np.ndarray, cell: int, differ: bool) -> np.ndarray:
        """Score vector of every pair, shape (n, p)."""
        k = scores.shape[1]
        rows = contrast_rows(counts[:, :, self.present], self.agents)
        if self.agents and not differ:
            rows[:, :, len(self.present) :] = 0
        residual = scores - 1 / k - rows @ self.solution
        return self.shares.get(cell, 1.0) * np.einsum("nkp,nk->np", rows, residual)


@dataclass
class Crossed:
    """Sums over matched pairs for two levels.

    Attributes
    ----------
    total : ndarray, shape (p_a, p_b)
    used : int
        Pairs looked at.
    """

    total: np.ndarray
    used: int = 0


def level_fit(sums: Sums, level: int) -> Level | None:
    """The fit of one level as the cross term needs it; None without heroes or with too few pairs."""
    cells = [cell for cell in sums.of(level) if cell.rosters is not None]
    if not cells:
        return None
    present = np.flatnonzero(sum(cell.rosters.copies for cell in cells))  # type: ignore[union-attr,misc]
    pieces = pieces_of(sums.design, cells, present)
    agents = any(agents_differ(sums.design, cell) for cell in cells)
    gram, moment, n = normal_equations(pieces, agents)
    inverse, projector = pseudo_inverse(gram)
    freedom = n - round(float(np.trace(projector)))
    if freedom <= 0:
        return None
    v = len(present)
    centre = np.zeros((v, len(gram)))
    centre[:, :v] = np.eye(v) - 1 / v
    mean = sum(cell.moments.n for cell in cells) / len(cells)
    shares = {cell.cell.number: mean / cell.moments.n for cell in cells}
    # The fit's own error is widened by n / freedom; its cross term has to be as well.
    bread = centre @ inverse * np.sqrt(n / freedom)
    return Level(level, present, inverse @ moment, bread, agents, shares)


def crossed_covariances(
    design: Design,
    fits: Sequence[Level],
    matched: Iterable[Sequence[tuple[Cell, Batch]]],
    counts: dict[Any, int],
) -> dict[tuple[int, int], dict[str, float]]:
    """Covariance of every hero's estimates at two levels.

    Parameters
    ----------
    design : Design
    fits : sequence of Level
        By rising skill.
    matched : iterable of sequence of (Cell, Batch)
        The same pairs of one cell at several levels.
    counts : dict
        Pairs of levels to the number of pairs that both played, of which `matched` may be a part.
    """
    by_level = {fit.level: fit for fit in fits}
    held: dict[tuple[int, int], Crossed] = {}
    for group in matched:
        vectors = {}
        for cell, batch in group:
            fit = by_level.get(cell.level)
            if fit is not None:
                differ = agents_differ(design, CellSums(cell))
                vectors[cell.level] = fit.vectors(batch.counts, batch.player_scores, cell.number, differ)
        levels = sorted(vectors)
        for place, a in enumerate(levels):
            for b in levels[place + 1 :]:
                total = vectors[a].T @ vectors[b]
                crossed = held.setdefault((a, b), Crossed(np.zeros(total.shape)))
                crossed.total += total
                crossed.used += len(vectors[a])
    return {
        key: _by_hero(design, by_level[key[0]], by_level[key[1]], crossed, counts.get(key, crossed.used))
        for key, crossed in held.items()
    }


def _by_hero(design: Design, a: Level, b: Level, crossed: Crossed, matched: int) -> dict[str, float]:
    """The diagonal of the cross term, heroes of both levels only, scaled up to all matched pairs."""
    whole = a.bread @ crossed.total @ b.bread.T * (matched / max(crossed.used, 1))
    where = {int(hero): place for place, hero in enumerate(b.present)}
    return {
        design.heroes[int(hero)]: float(whole[place, where[int(hero)]])
        for place, hero in enumerate(a.present)
        if int(hero) in where
    }


def matched_parts(
    manifest: dict[str, Any], design: Design
) -> tuple[list[list[tuple[Cell, dict[str, Any]]]], dict[tuple[int, int], int]]:
    """Parts that hold the same pairs of the same cell at several levels, and how many pairs they share."""
    cells = {cell.number: cell for cell in design.cells}
    groups: dict[tuple[Any, ...], dict[int, tuple[Cell, dict[str, Any]]]] = {}
    keys = {entry["cell"]: entry.get("setup_key") for entry in manifest["cells"]}
    for part in manifest["parts"]:
        cell = cells[part["cell"]]
        key = (cell.arena, cell.teams, keys[cell.number], part["part"], part["first_pair"], part["pairs"])
        groups.setdefault(key, {})[cell.level] = (cell, part)
    found = [[held[level] for level in sorted(held)] for held in groups.values() if len(held) > 1]
    counts: dict[tuple[int, int], int] = {}
    for group in found:
        for place, (one, part) in enumerate(group):
            for other, _ in group[place + 1 :]:
                counts[one.level, other.level] = counts.get((one.level, other.level), 0) + part["pairs"]
    return found, counts


def paired_levels(run: Run, sums: Sums) -> dict[tuple[int, int], dict[str, float]]:
    """Covariances of hero strengths between the levels of a run, from at most 200,000 matched pairs.

    Parameters
    ----------
    run : Run
    sums : Sums
        Of the same run.

    Returns
    -------
    dict of (int, int) to dict of str to float
        Empty when no pair was played at two levels.
    """
    design = sums.design
    fits = [fit for level in range(len(design.levels)) if (fit := level_fit(sums, level)) is not None]
    if len(fits) < 2:
        return {}
    groups, counts = matched_parts(run.manifest, design)
    return crossed_covariances(design, fits, _read(run, design, _some(groups)), counts)


def _some(groups: list[list[tuple[Cell, dict[str, Any]]]]) -> list[list[tuple[Cell, dict[str, Any]]]]:
    """Every so many-th group, so that few enough pairs are read."""
    pairs = sum(group[0][1]["pairs"] for group in groups)
    step = max(1, -(-pairs // MOST_PAIRS))
    return groups[::step]


def _read(
    run: Run, design: Design, groups: Iterable[Sequence[tuple[Cell, dict[str, Any]]]]
) -> Iterator[list[tuple[Cell, Batch]]]:
    for group in groups:
        batches = [(cell, read_batch(run, design, (), cell.number, [part])) for cell, part in group]
        whole = [(cell, batch) for cell, batch in batches if batch is not None]
        if len({batch.n for _, batch in whole}) == 1:  # a part that lacks pairs cannot be matched
            yield whole
