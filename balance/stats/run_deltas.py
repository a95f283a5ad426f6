"""Every metric's difference between two runs: seats, endings, length, heroes, teams, matchups, arenas.

Named questions of one kind at one level are adjusted by Holm's method (any false finding); what is a grid to
look through (matchups, heroes by arena, what heroes did) by Benjamini and Hochberg's (share of false
findings). Sources: stratified means, Cochran (1977), chapter 5; Holm (1979); Benjamini and Hochberg (1995).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.stats.deltas import difference_estimate
from balance.stats.differences import agresti_caffo
from balance.stats.estimate import Estimate, Refusal, detectable, interval, two_sided
from balance.stats.hero_deltas import HeroDelta, Result, hero_deltas
from balance.stats.hero_gaps import PLAY, RatioGap, ratio_gaps
from balance.stats.means import RATIO, UNIT, finish
from balance.stats.means import mean_of as mean_of_run
from balance.stats.multiple import benjamini_hochberg, holm
from balance.stats.play_sums import CAPPED, capped_name
from balance.stats.run_gaps import CellGap, Gap, Side, gap_of
from balance.stats.sequences import Sample
from balance.stats.sums import CellSums, Columns
from balance.stats.team_gaps import Players, matchup_gaps, team_gaps

PAIRED = "mean paired difference on common streams, t interval"
APART = "difference of independent means, t interval"
MIXED = "mean difference, pairs on common streams where there are any, t interval"
LENGTH = ("turns", "plies")
GRIDS = frozenset({"matchups", "hero arenas", "hero metrics"})
SCORES = frozenset({"seats", "arena seats", "teams", "matchups", "heroes", "hero arenas"})
SHARES = SCORES | {"endings", "kinds"}
PLAY_SHARES = frozenset({"forced", "behind", "comeback", "trailed", "sealed"})


@dataclass(frozen=True)
class Change:
    """One metric at one common level.

    Attributes
    ----------
    topic : str
        ``seats``, ``arena seats``, ``endings``, ``length``, ``play`` (how games went), ``metrics`` (means of
        columns), ``leads`` (what the first seat has more of), ``kinds`` (shares of labels), ``heroes``,
        ``hero arenas``, ``hero metrics``, ``teams``, ``matchups``.
    name : tuple of str
        What it is about, within its topic.
    level : int
    base, candidate : Estimate
        In either run, over the cells and pairs that are compared.
    difference : Estimate
        Candidate less base.
    p : float
        For "no difference", adjusted within topic and level.
    raw : float
        The same, not adjusted.
    detectable : float
        Smallest true difference found with 80 % power, before adjusting.
    """

    topic: str
    name: tuple[str, ...]
    level: int
    base: Estimate
    candidate: Estimate
    difference: Estimate
    p: float
    raw: float
    detectable: float

    @property
    def is_share(self) -> bool:
        """Whether the metric is a score or a share, so that its difference is in percentage points."""
        return self.topic in SHARES or (self.topic == "play" and self.name[0] in PLAY_SHARES)

    @property
    def sure(self) -> float:
        """Distance from no difference to the near end of the interval; 0 when the interval holds it."""
        return max(0.0, self.difference.low, -self.difference.high)


def run_deltas(
    base: Side, candidate: Side, cells: Sequence[CellGap], columns: Columns
) -> tuple[tuple[Change, ...], dict[tuple[str, int], Refusal]]:
    """All differences, and what could not be compared by topic and level.

    Parameters
    ----------
    base, candidate : Side
    cells : sequence of CellGap
        At least one.
    columns : Columns
    """
    found: list[Change] = []
    refused: dict[tuple[str, int], Refusal] = {}
    fitted = hero_deltas(base, candidate, cells, columns) if base.design.heroes else {}
    for level in sorted({cell.twin.level for cell in cells}):
        held = [cell for cell in cells if cell.twin.level == level]
        found += _seats(held, level)
        found += _endings(base, held, level, columns)
        found += _columns(held, level, columns)
        found += _play(held, level)
        found += _teams(base, held, level)
        found += _hero_metrics(base, candidate, held, level, columns)
    found += _heroes(fitted, refused)
    return adjusted(found), refused


def adjusted(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes with p-values adjusted within each topic and level; seats over the levels."""
    families: dict[tuple[str, int], list[Change]] = {}
    for change in changes:
        level = -1 if change.topic == "seats" else change.level
        families.setdefault((change.topic, level), []).append(change)
    done = []
    for (topic, _), family in families.items():
        adjust = benjamini_hochberg if topic in GRIDS else holm
        p = adjust(np.array([change.raw for change in family]))
        done += [replace(change, p=float(value)) for change, value in zip(family, p, strict=True)]
    return tuple(done)


def change_of(
    topic: str,
    name: tuple[str, ...],
    level: int,
    sides: tuple[Estimate, Estimate],
    difference: Estimate,
    error: float | None = None,
    freedom: float = math.inf,
) -> Change:
    """A change with its test; `error` stands for the standard error where that alone would be too sure."""
    error = difference.se if error is None else error
    p = two_sided(difference.value, error, max(freedom, 1))
    limit = detectable(error) if math.isfinite(error) else math.nan
    return Change(topic, name, level, *sides, difference, p, p, limit)


def _scalar(
    topic: str, name: tuple[str, ...], level: int, cells: Sequence[CellGap], value: str, share: bool
) -> Change | None:
    """The difference of a mean over cells that count alike."""
    held = [(cell, gap) for cell in cells if (gap := gap_of(cell, value))]
    if not held:
        return None
    bounds = UNIT if share else (-math.inf, math.inf)
    sides = tuple(mean_of_run(_side(held, k), value, bounds) for k in (0, 1))
    estimate, error = mean_gap([cell for cell, _ in held], [gap for _, gap in held], share)
    return change_of(topic, name, level, sides, estimate, error, _freedom([c for c, _ in held]))  # type: ignore[arg-type]


def _side(held: Sequence[tuple[CellGap, Gap]], which: int) -> list[CellSums]:
    return [(cell.base, cell.candidate)[which] for cell, _ in held]


def _freedom(cells: Sequence[CellGap]) -> int:
    return sum(cell.n for cell in cells) - len(cells)


def mean_gap(cells: Sequence[CellGap], gaps: Sequence[Gap], share: bool) -> tuple[Estimate, float]:
    """Mean over cells of a difference, with the standard error for its test."""
    k, n, freedom = len(cells), sum(cell.n for cell in cells), _freedom(cells)
    value = float(np.mean([gap.candidate - gap.base for gap in gaps]))
    variance = sum(gap.variance for gap in gaps) / k**2
    paired = [cell.twin.paired for cell in cells]
    if not share or freedom <= 0:
        se = math.sqrt(variance) if freedom > 0 else math.nan
        return interval(value, se, n, _method(paired), freedom), se
    if all(paired):
        sample = Sample(n, value, variance * n * freedom, k)
        return difference_estimate(sample), _widened(sample)
    if variance == 0:
        base, other = (float(np.mean([getattr(gap, side) for gap in gaps])) for side in ("base", "candidate"))
        return agresti_caffo(other * n, n, base * n, n), 0.0
    estimate = interval(value, math.sqrt(variance), n, _method(paired), freedom, (-1.0, 1.0))
    return estimate, estimate.se


def _method(paired: Sequence[bool]) -> str:
    return PAIRED if all(paired) else MIXED if any(paired) else APART


def _widened(sample: Sample) -> float:
    """Standard error for a test, of Agresti and Min's table where no pair varied."""
    if sample.deviation > 0:
        return sample.se
    n = sample.n + 2
    centre = sample.n * sample.mean / n
    return math.sqrt(max((sample.n * sample.mean**2 + 1) / n - centre**2, 0.0) / n)


def _known(changes: Iterable[Change | None]) -> Iterator[Change]:
    return (change for change in changes if change is not None)


def _seats(cells: Sequence[CellGap], level: int) -> Iterator[Change]:
    """Score of the first seat, over all arenas and in each."""
    yield from _known([_scalar("seats", ("first",), level, cells, "place_0", True)])
    arenas = dict.fromkeys(cell.base.cell.arena for cell in cells)
    for arena in arenas if len(arenas) > 1 else ():
        held = [cell for cell in cells if cell.base.cell.arena == arena]
        yield from _known([_scalar("arena seats", (arena,), level, held, "place_0", True)])


def _endings(base: Side, cells: Sequence[CellGap], level: int, columns: Columns) -> Iterator[Change]:
    """Share of games without a winner, of capped ones, and of each other ending that occurred."""
    capped = capped_name(base.design, columns)
    for name, value in (("nobody", "nobody"), (CAPPED, capped)):
        yield from _known([_scalar("endings", (name,), level, cells, value, True)])
    for code, label in enumerate(base.design.terminations):
        if capped == f"end_{code}":
            continue
        change = _scalar("endings", (label,), level, cells, f"end_{code}", True)
        if change and (change.base.value or change.candidate.value):
            yield change


def _columns(cells: Sequence[CellGap], level: int, columns: Columns) -> Iterator[Change]:
    """Length, and every averaged column of the games table."""
    yield from _known(_scalar("length", (name,), level, cells, name, False) for name in LENGTH)
    spread = tuple(name for name, _ in columns.spread)
    names = (*columns.game, *spread)
    yield from _known(_scalar("metrics", (name,), level, cells, name, False) for name in names)
    yield from _known(_scalar("leads", (name,), level, cells, f"{name}_first", False) for name in spread)
    codes = [(name, str(code)) for name, count in columns.codes for code in range(count)]
    for name, code in codes:
        change = _scalar("kinds", (name, code), level, cells, f"{name}={code}", True)
        if change and (change.base.value or change.candidate.value):
            yield change


def _heroes(fitted: Result, refused: dict[tuple[str, int], Refusal]) -> Iterator[Change]:
    """Strengths, over all arenas and in each; what is refused is put into `refused`."""
    for (level, arena), deltas in fitted.items():
        topic = "hero arenas" if arena else "heroes"
        if isinstance(deltas, Refusal):
            refused[topic, level] = deltas
            continue
        for delta in deltas:
            yield _hero(topic, (delta.hero, arena) if arena else (delta.hero,), level, delta)


def _hero(topic: str, name: tuple[str, ...], level: int, delta: HeroDelta) -> Change:
    found = change_of(topic, name, level, (delta.base, delta.candidate), delta.difference, delta.error)
    return replace(found, p=delta.p, raw=delta.p)


def _hero_metrics(
    base: Side, candidate: Side, cells: Sequence[CellGap], level: int, columns: Columns
) -> Iterator[Change]:
    """What heroes did, a copy."""
    heroes = [hero for hero in base.design.heroes if hero in candidate.design.heroes]
    held = [(cell.heroes, cell.twin.paired) for cell in cells]
    method = f"{RATIO}; {_method([paired for _, paired in held])}"
    for column in columns.hero:
        for hero, gap in zip(heroes, ratio_gaps(held, column), strict=False):
            if gap and gap.freedom > 0:
                yield _ratio("hero metrics", (hero, column), level, gap, method)


def _ratio(topic: str, name: tuple[str, ...], level: int, gap: RatioGap, method: str) -> Change:
    one, two = (
        Estimate(value, math.nan, math.nan, math.nan, gap.n, RATIO) for value in (gap.base, gap.candidate)
    )
    estimate = interval(gap.candidate - gap.base, math.sqrt(gap.variance), gap.n, method, gap.freedom)
    return change_of(topic, name, level, (one, two), estimate, None, gap.freedom)


def _play(cells: Sequence[CellGap], level: int) -> Iterator[Change]:
    """Decisions a turn, choices, lead changes, comebacks: what both runs counted or judged."""
    held = [(cell.play, cell.twin.paired) for cell in cells]
    method = f"{RATIO}; {_method([paired for _, paired in held])}"
    for name in PLAY:
        for gap in ratio_gaps(held, name)[:1]:
            if gap and gap.freedom > 0:
                yield _ratio("play", (name,), level, gap, method)


def _teams(base: Side, cells: Sequence[CellGap], level: int) -> Iterator[Change]:
    """Mean scores of teams, and of every two that met."""
    for topic, found in (
        ("teams", team_gaps(base.design, cells)),
        ("matchups", matchup_gaps(base.design, cells)),
    ):
        for name, players in found.items():
            yield _team(topic, name, level, players)


def _team(topic: str, name: tuple[str, ...], level: int, players: Players) -> Change:
    k, n = players.cells, players.n
    one, two = (
        finish(value, variance, n, n - k, UNIT)
        for value, variance in zip(players.values, players.variances, strict=True)
    )
    value = players.values[1] - players.values[0]
    if players.paired and n > k:
        sample = Sample(n, value, players.variance * n * (n - k), k)
        estimate, error = difference_estimate(sample), _widened(sample)
    else:
        se = math.sqrt(players.variance) if n > k else math.nan
        estimate, error = interval(value, se, n, APART, n - k, (-1.0, 1.0)), se
    return change_of(topic, name, level, (one, two), estimate, error, n - k)


def of_topic(changes: Sequence[Change], topic: str, level: int | None = None) -> tuple[Change, ...]:
    """The changes of one topic, at one level or at all."""
    return tuple(c for c in changes if c.topic == topic and level in (None, c.level))


def by_name(changes: Sequence[Change], topic: str) -> Mapping[tuple[str, ...], tuple[Change, ...]]:
    """The changes of one topic by name, over the levels."""
    found: dict[tuple[str, ...], list[Change]] = {}
    for change in of_topic(changes, topic):
        found.setdefault(change.name, []).append(change)
    return {name: tuple(held) for name, held in found.items()}
