"""Does an effect depend on skill? Levels compared pair by pair, because they share rosters and streams.

Every level plays the same cells: the same pair at two levels differs only in who plays. The estimates of two
levels are therefore correlated, and their difference is surer than if they were independent.
Sources: Wald's test of equal means under a joint covariance, which is Cochran's Q when levels are independent
(Cochran 1954); Holm (1979) over heroes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import Estimate, Refusal, detectable, interval
from balance.stats.heroes import StrengthTable
from balance.stats.multiple import holm
from balance.stats.reach import Reach, effect_of, reach

PAIRED = "levels paired on common streams"
APART = "levels taken as independent"
SLOPE = "change a skill level (generalised least squares line)"
STEP = "difference of neighbouring skill levels"


@dataclass(frozen=True)
class SkillTest:
    """One effect over the skill levels.

    Attributes
    ----------
    name : str
    slope : Estimate
        Change of the effect from one level to the next.
    steps : tuple of Estimate
        Each level less the one below.
    q : float
        Wald's statistic of the effect being the same at all levels.
    freedom : int
    p : float
        Its p-value; Holm over the names where several were tested together.
    """

    name: str
    slope: Estimate
    steps: tuple[Estimate, ...]
    q: float
    freedom: int
    p: float


@dataclass(frozen=True)
class SkillEntry:
    """One hero over the skill levels.

    Attributes
    ----------
    hero : str
    effects : dict of int to Estimate
        By level.
    p : float
        For "the same at all levels", Holm over heroes.
    reach : Reach
        Whether the sign of the surest level holds at its neighbours: robust or skill-dependent.
    slope : Estimate or Refusal
        Change a level.
    steps : tuple of Estimate
        Each level less the one below.
    correlation : float
        Mean correlation of the estimates of two levels; 0 when they were taken as independent.
    detectable : float
        Smallest true difference between neighbouring levels found with 80 % power; NaN with one level.
    method : str
    """

    hero: str
    effects: dict[int, Estimate]
    p: float
    reach: Reach
    slope: Estimate | Refusal
    steps: tuple[Estimate, ...]
    correlation: float
    detectable: float
    method: str


def skill_tests(
    names: Sequence[str], effects: np.ndarray, covariance: np.ndarray, n: int, method: str = PAIRED
) -> tuple[SkillTest, ...] | Refusal:
    """Slope over levels, steps between neighbours, and a test of no change, for several effects.

    slope = sum_l w_l h_l with the generalised least squares weights of a line; steps h_{l+1} - h_l; Q =
    (Ch)' (C S C')^-1 (Ch) with C the differences of neighbours, against chi-square with L - 1 degrees of
    freedom. With a diagonal S this is Cochran's Q.

    Parameters
    ----------
    names : sequence of str, length m
    effects : ndarray, shape (L, m)
        By rising skill.
    covariance : ndarray, shape (m, L, L)
        Of the levels' estimates of each effect.
    n : int
        Sampling units a level.
    method : str

    Returns
    -------
    tuple of SkillTest, or Refusal
        A refusal with fewer than two levels.
    """
    levels = len(effects)
    if levels < 2:
        return Refusal(
            "The run has one skill level only, so nothing can depend on skill.",
            "Give the plan several agents: agents: [random, greedy].",
        )
    found = [_test(name, effects[:, place], covariance[place], n, method) for place, name in enumerate(names)]
    from dataclasses import replace

    adjusted = holm(np.array([test.p for test in found]))
    return tuple(replace(test, p=float(p)) for test, p in zip(found, adjusted, strict=True))


def _test(name: str, values: np.ndarray, covariance: np.ndarray, n: int, method: str) -> SkillTest:
    from scipy.special import chdtrc

    levels = len(values)
    change = np.diff(np.eye(levels), axis=0)
    gaps, spread = change @ values, change @ covariance @ change.T
    q, freedom = _wald(gaps, spread)
    weights = _line(covariance)
    slope = interval(
        float(weights @ values),
        float(np.sqrt(max(weights @ covariance @ weights, 0))),
        n,
        f"{SLOPE}, {method}",
    )
    steps = tuple(
        interval(float(gap), float(np.sqrt(max(variance, 0))), n, f"{STEP}, {method}")
        for gap, variance in zip(gaps, np.diag(spread), strict=True)
    )
    return SkillTest(name, slope, steps, q, freedom, float(chdtrc(freedom, q)) if freedom else 1.0)


def _wald(gaps: np.ndarray, spread: np.ndarray) -> tuple[float, int]:
    """Statistic over the directions that have any spread."""
    values, vectors = np.linalg.eigh(spread)
    held = values > 1e-12 * max(values.max(), 1e-300)
    held &= values > 0
    along = vectors[:, held].T @ gaps
    return float((along**2 / values[held]).sum()), int(held.sum())


def _line(covariance: np.ndarray) -> np.ndarray:
    """Weights of the slope over level numbers 0, 1, ...: least variance where the covariance allows."""
    levels = len(covariance)
    design = np.stack([np.ones(levels), np.arange(levels)], axis=1)
    if np.linalg.eigvalsh(covariance)[0] > 1e-12 * max(np.trace(covariance), 1e-300):
        inverse = np.linalg.inv(covariance)
        return np.linalg.solve(design.T @ inverse @ design, design.T @ inverse)[1]
    return np.linalg.pinv(design)[1]


def skill_entries(
    names: Sequence[str],
    effects: dict[int, dict[str, tuple[Estimate, float]]],
    crossed: dict[tuple[int, int], dict[str, float]],
    n: int,
) -> tuple[SkillEntry, ...]:
    """Every hero over the levels: label, slope, steps.

    Parameters
    ----------
    names : sequence of str
    effects : dict of int to dict of str to (Estimate, float)
        By level and hero: the strength, and its p-value adjusted over the heroes of that level.
    crossed : dict of (int, int) to dict of str to float
        Covariance of a hero's estimates at two levels, first below second; missing ones count as zero.
    n : int
        Sampling units a level.

    Notes
    -----
    Heroes that were measured at one level only get no slope.
    """
    rows = [
        (name, {level: held[name] for level, held in sorted(effects.items()) if name in held})
        for name in names
    ]
    rows = [(name, held) for name, held in rows if held]
    method = PAIRED if crossed else APART
    tests = [_hero_test(name, held, crossed, n, method) for name, held in rows]
    known = [place for place, test in enumerate(tests) if isinstance(test, SkillTest)]
    adjusted = dict(zip(known, holm(np.array([tests[k].p for k in known])), strict=True))  # type: ignore[union-attr]
    return tuple(
        _entry(name, held, tests[place], float(adjusted.get(place, 1.0)), crossed, method)
        for place, (name, held) in enumerate(rows)
    )


def over_levels(
    tables: Sequence[StrengthTable],
    heroes: Sequence[str],
    crossed: dict[tuple[int, int], dict[str, float]] | None = None,
) -> tuple[SkillEntry, ...]:
    """Each hero over the skill levels; see :func:`skill_entries`.

    Parameters
    ----------
    tables : sequence of StrengthTable
        One a level, by rising skill.
    heroes : sequence of str
    crossed : dict, optional
        As :func:`balance.stats.levels.paired_levels` gives it; levels are independent without it.
    """
    effects = {
        table.level: {entry.hero: (entry.effect, entry.p) for entry in table.heroes} for table in tables
    }
    n = min((table.heroes[0].effect.n for table in tables if table.heroes), default=0)
    return skill_entries(heroes, effects, crossed or {}, n)


def _hero_test(
    name: str,
    held: dict[int, tuple[Estimate, float]],
    crossed: dict[tuple[int, int], dict[str, float]],
    n: int,
    method: str,
) -> SkillTest | Refusal:
    values = np.array([[estimate.value] for estimate, _ in held.values()])
    found = skill_tests([name], values, _covariance(name, held, crossed)[None], n, method)
    return found if isinstance(found, Refusal) else found[0]


def _covariance(
    name: str, held: dict[int, tuple[Estimate, float]], crossed: dict[tuple[int, int], dict[str, float]]
) -> np.ndarray:
    levels = list(held)
    found = np.diag([max(held[level][0].se, 0.0) ** 2 for level in levels])
    for a, one in enumerate(levels):
        for b in range(a + 1, len(levels)):
            found[a, b] = found[b, a] = crossed.get((one, levels[b]), {}).get(name, 0.0)
    return found


def _entry(
    name: str,
    held: dict[int, tuple[Estimate, float]],
    test: SkillTest | Refusal,
    p: float,
    crossed: dict[tuple[int, int], dict[str, float]],
    method: str,
) -> SkillEntry:
    label = reach([effect_of(level, estimate, own) for level, (estimate, own) in held.items()])
    effects = {level: estimate for level, (estimate, _) in held.items()}
    if isinstance(test, Refusal):
        return SkillEntry(name, effects, 1.0, label, test, (), 0.0, float("nan"), method)
    covariance = _covariance(name, held, crossed)
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    pairs = np.triu_indices(len(scale), 1)
    correlation = float((covariance / np.outer(scale, scale))[pairs].mean())
    smallest = detectable(float(np.median([step.se for step in test.steps])))
    return SkillEntry(name, effects, p, label, test.slope, test.steps, correlation, smallest, method)
