"""How the estimates of two skill levels go together: one more look at pairs that both levels played.

The covariance of two least-squares estimates on shared pairs is B_a (sum_p u_ap u_bp') B_b', with u the score
vector of a pair in either fit and B the inverse information. It is a variance, so a part of the pairs is
enough to know it well. Source: the cross term of the cluster sandwich (Liang and Zeger 1986).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, pairwise
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


@dataclass(frozen=True)
class Pairs:
    """Some pairs of one cell: rosters, shape (n, k, v), and scores by setup side, shape (n, k)."""

    counts: np.ndarray
    player_scores: np.ndarray


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
    matched: Iterable[Sequence[tuple[Cell, Pairs]]],
    counts: dict[Any, int],
) -> dict[tuple[int, int], dict[str, float]]:
    """Covariance of every hero's estimates at two levels.

    Parameters
    ----------
    design : Design
    fits : sequence of Level
        By rising skill.
    matched : iterable of sequence of (Cell, Pairs)
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


@dataclass(frozen=True)
class Window:
    """Pairs of one setup that several levels played, in whole parts of each.

    Attributes
    ----------
    parts : dict of int to (Cell, list of dict)
        By level: its cell and the parts' entries in the manifest.
    pairs : int
        Pairs of the level with most of them.
    """

    parts: dict[int, tuple[Cell, list[dict[str, Any]]]]
    pairs: int


def matched_parts(
    manifest: dict[str, Any], design: Design
) -> tuple[list[Window], dict[tuple[int, int], int]]:
    """Where the same pairs of the same setup were played at several levels, and how many two levels share.

    Levels may cut their pairs into parts of other sizes; a window ends where parts of all levels end.
    """
    cells = {cell.number: cell for cell in design.cells}
    keys = {entry["cell"]: entry.get("setup_key") for entry in manifest["cells"]}
    groups: dict[tuple[Any, ...], dict[int, tuple[Cell, list[dict[str, Any]]]]] = {}
    for part in sorted(manifest["parts"], key=lambda part: part["first_pair"]):
        cell = cells[part["cell"]]
        held = groups.setdefault((cell.arena, cell.teams, keys[cell.number]), {})
        held.setdefault(cell.level, (cell, []))[1].append(part)
    windows: list[Window] = []
    counts: dict[tuple[int, int], int] = {}
    for held in groups.values():
        if len(held) > 1:
            windows += _windows(held)
            for a, b in combinations(sorted(held), 2):
                shared = _overlap(held[a][1], held[b][1])
                if shared:
                    counts[a, b] = counts.get((a, b), 0) + shared
    return windows, counts


def _ends(part: dict[str, Any]) -> tuple[int, int]:
    return part["first_pair"], part["first_pair"] + part["pairs"]


def _windows(held: dict[int, tuple[Cell, list[dict[str, Any]]]]) -> list[Window]:
    """Windows of one setup that hold parts of at least two levels."""
    edges = [{edge for part in parts for edge in _ends(part)} for _, parts in held.values()]
    top = max(max(level) for level in edges)
    cuts = sorted(set.intersection(*edges) | {0, top})
    found = []
    for low, high in pairwise(cuts):
        inside = {
            level: (cell, [part for part in parts if low <= part["first_pair"] < high])
            for level, (cell, parts) in held.items()
        }
        inside = {level: chosen for level, chosen in inside.items() if chosen[1]}
        if len(inside) > 1:
            most = max(sum(part["pairs"] for part in parts) for _, parts in inside.values())
            found.append(Window(inside, most))
    return found


def _overlap(one: Sequence[dict[str, Any]], two: Sequence[dict[str, Any]]) -> int:
    """Pairs in both of two sorted lists of parts."""
    shared = a = b = 0
    while a < len(one) and b < len(two):
        (low, high), (other_low, other_high) = _ends(one[a]), _ends(two[b])
        shared += max(0, min(high, other_high) - max(low, other_low))
        if high <= other_high:
            a += 1
        else:
            b += 1
    return shared


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
    windows, counts = matched_parts(run.manifest, design)
    return crossed_covariances(design, fits, _read(run, design, _some(windows)), counts)


def _some(windows: list[Window]) -> list[Window]:
    """Every so many-th window, so that few enough pairs are read."""
    step = max(1, -(-sum(window.pairs for window in windows) // MOST_PAIRS))
    return windows[::step]


def _read(run: Run, design: Design, windows: Iterable[Window]) -> Iterator[list[tuple[Cell, Pairs]]]:
    """Pairs that all levels of a window have, in one order."""
    for window in windows:
        batches = {
            level: (cell, batch)
            for level, (cell, parts) in window.parts.items()
            if (batch := read_batch(run, design, (), cell.number, parts)) is not None
        }
        numbers = {level: np.unique(batch.games["pair"].to_numpy()) for level, (_, batch) in batches.items()}
        if len(numbers) > 1:
            common = reduce(np.intersect1d, numbers.values())
            yield [
                (cell, _chosen(batch, np.searchsorted(numbers[level], common)))
                for level, (cell, batch) in batches.items()
            ]


def _chosen(batch: Batch, rows: np.ndarray) -> Pairs:
    return Pairs(batch.counts[rows], batch.player_scores[rows])
