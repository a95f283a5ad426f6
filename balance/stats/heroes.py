"""Hero strength: who raises the score of his side, by how much, where, and at which skill.

Sources: adjusted plus-minus, Rosenbaum (2004) and Sill (2010); clustered sandwich, Liang and Zeger (1986);
Holm (1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.design import Design
from balance.stats.estimate import Estimate, Refusal, detectable, holm, interval, two_sided
from balance.stats.interaction import Interactions, interactions
from balance.stats.least_squares import Fit, fit
from balance.stats.means import spread
from balance.stats.reach import ALPHA
from balance.stats.rosters import Chosen
from balance.stats.sums import CellSums, Sums

METHOD = "least squares with sum zero, sandwich error clustered by pair, t interval"
LEAST_PAIRS = 30  # clusters below which a sandwich error is not to be trusted


@dataclass(frozen=True)
class HeroStrength:
    """Effect of one hero on his side's expected score.

    Attributes
    ----------
    hero : str
    effect : Estimate
        In score (0.01 is one percentage point) against the mean of all heroes that played.
    p : float
        Holm-adjusted over the heroes, for "no different from the mean hero".
    alike : tuple of str
        Heroes that this one cannot be told apart from (Holm over all pairs of heroes).
    """

    hero: str
    effect: Estimate
    p: float
    alike: tuple[str, ...] = ()


@dataclass(frozen=True)
class StrengthTable:
    """Strengths from one set of cells.

    Attributes
    ----------
    level : int
    arena : str
        Empty when all arenas are pooled.
    heroes : tuple of HeroStrength
        Strongest first.
    absent : tuple of str
        Heroes that never played.
    detectable : float
        Smallest true effect of a hero that would be found with 80 % power (median hero, unadjusted).
    """

    level: int
    arena: str
    heroes: tuple[HeroStrength, ...]
    absent: tuple[str, ...]
    detectable: float

    def of(self, hero: str) -> HeroStrength | None:
        """The entry of one hero."""
        return next((entry for entry in self.heroes if entry.hero == hero), None)


def strengths(sums: Sums, level: int, arena: str | None = None) -> StrengthTable | Refusal:
    """Hero strengths at one skill level, over all arenas or in one.

    Returns
    -------
    StrengthTable or Refusal
        A refusal when the design cannot separate the heroes, or when there are too few pairs.
    """
    cells = [cell for cell in sums.of(level, arena) if cell.rosters is not None]
    if not cells:
        return Refusal("No heroes were recorded.")
    present = np.flatnonzero(sum(cell.rosters.copies for cell in cells))  # type: ignore[union-attr,misc]
    names = tuple(sums.design.heroes[h] for h in present)
    absent = tuple(name for name in sums.design.heroes if name not in names)
    n = sum(cell.moments.n for cell in cells)
    if len(present) < 2:
        return Refusal("Only one hero ever played, so there is nothing to compare it with.")
    if n < max(LEAST_PAIRS, 2 * len(present)):
        wanted = max(LEAST_PAIRS, 2 * len(present))
        return Refusal(
            f"{n} {sums.design.unit} are too few for hero strengths; at least {wanted} are needed."
        )
    if _all_alike(cells, sums.design.sides):
        return Refusal(
            f"All {sums.design.unit} ended alike, so nothing tells heroes apart.",
            "Let agents of like strength meet, or play more games.",
        )
    result = fit(pieces_of(sums.design, cells, present))
    if not result.estimable:
        return _not_identifiable(result, names, bool(cells[0].cell.teams))
    entries = _entries(result, names)
    errors = [entry.effect.se for entry in entries]
    return StrengthTable(level, arena or "", entries, absent, detectable(float(np.median(errors))))


def _all_alike(cells: Sequence[CellSums], sides: int) -> bool:
    """Whether every setup side scored the same in all pairs: what is left for heroes is rounding."""
    names = [f"player_{side}" for side in range(sides)]
    if any(spread(cell, name) != 0 for cell in cells for name in names):
        return False
    means = np.array([[cell.moments.total[name] / cell.moments.n for name in names] for cell in cells])
    return bool(np.ptp(means, axis=0).max() < 1e-12)


def pieces_of(design: Design, cells: Sequence[CellSums], present: np.ndarray) -> Chosen:
    """The folded pairs of some cells, with the heroes of `present` only, for a fit of differences.

    Cells count alike, however many pairs each has: what is estimated must not follow the allocation.
    """
    held = [cell for cell in cells if cell.rosters]
    mean = sum(cell.moments.n for cell in held) / max(len(held), 1)
    parts = [(cell.rosters, agents_differ(design, cell), mean / cell.moments.n) for cell in held]
    return Chosen(parts, present, cancelled=True)  # type: ignore[arg-type]


def agents_differ(design: Design, cell: CellSums) -> bool:
    """Whether the setup sides of a cell are played by different agents."""
    sides = {
        tuple(cell.cell.agents[player] for player in design.seats_of_side(side))
        for side in range(design.sides)
        if cell.cell.agents
    }
    return len(sides) > 1


def _entries(result: Fit, names: Sequence[str]) -> tuple[HeroStrength, ...]:
    errors = np.sqrt(np.maximum(np.diag(result.covariance), 0))
    raw = np.array([two_sided(e, s, result.freedom) for e, s in zip(result.effects, errors, strict=True)])
    adjusted, alike = holm(raw), _alike(result, names)
    entries = [
        HeroStrength(
            names[h],
            interval(float(result.effects[h]), float(errors[h]), result.n, METHOD, result.freedom),
            float(adjusted[h]),
            alike[h],
        )
        for h in range(len(names))
    ]
    return tuple(sorted(entries, key=lambda entry: -entry.effect.value))


def _alike(result: Fit, names: Sequence[str]) -> list[tuple[str, ...]]:
    """For each hero those whose difference from him is not significant."""
    i, j = np.triu_indices(len(names), 1)
    difference = result.effects[i] - result.effects[j]
    variances = np.diag(result.covariance)
    error = np.sqrt(np.maximum(variances[i] + variances[j] - 2 * result.covariance[i, j], 0))
    raw = np.array([two_sided(d, e, result.freedom) for d, e in zip(difference, error, strict=True)])
    same = holm(raw) >= ALPHA
    order = np.argsort(-result.effects)
    groups: list[set[int]] = [set() for _ in names]
    for a, b, equal in zip(i, j, same, strict=True):
        if equal:
            groups[a].add(int(b))
            groups[b].add(int(a))
    return [tuple(names[h] for h in order if h in group) for group in groups]


def _not_identifiable(result: Fit, names: Sequence[str], teams: bool) -> Refusal:
    """Why the heroes cannot be separated, and what can be said all the same."""
    v = len(names)
    reason = (
        f"The rosters of this run determine only {result.rank} of the {v - 1} differences "
        f"between its {v} heroes, "
        "because some heroes always appear together or never against each other; "
        "no number is given rather than an arbitrary one."
    )
    known = [
        f"{names[i]} against {names[j]}"
        for i in range(v)
        for j in range(i + 1, v)
        if _inside(result.space, i, j)
    ]
    parts = []
    if teams:
        parts.append("The strength of whole teams can be measured: see the teams.")
    if known:
        parts.append(f"Determined differences: {', '.join(known[:6])}{' ...' if len(known) > 6 else ''}.")
    parts.append("A plan that drafts rosters at random measures every hero.")
    return Refusal(reason, " ".join(parts))


def _inside(space: np.ndarray, i: int, j: int) -> bool:
    difference = np.zeros(len(space))
    difference[i], difference[j] = 1, -1
    return bool(np.abs(space @ difference - difference).max() < 1e-6)


def over_arenas(sums: Sums, level: int) -> Interactions | Refusal:
    """Hero strengths arena by arena, with a test of each hero for being the same in all."""
    arenas = sums.design.arenas
    if len(arenas) < 2:
        return Refusal("The run has one arena only, so nothing can differ between arenas.")
    tables = {arena: strengths(sums, level, arena) for arena in arenas}
    for arena, table in tables.items():
        if isinstance(table, Refusal):
            return Refusal(f"{arena}: {table.reason}", table.instead)
    found = {arena: table for arena, table in tables.items() if isinstance(table, StrengthTable)}
    rows = {
        hero: {arena: entry.effect for arena, table in found.items() if (entry := table.of(hero))}
        for hero in sums.design.heroes
    }
    return interactions({hero: effects for hero, effects in rows.items() if effects})
