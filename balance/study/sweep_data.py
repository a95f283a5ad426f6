"""Several runs that differ in one or more numbers: what a sweep page is made of.

The base is compared with every other run on common streams where there are any. A later command that plays
the runs itself hands over the same data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from balance.errors import UsageError
from balance.stats.estimate import Estimate, Refusal
from balance.stats.multiple import benjamini_hochberg
from balance.stats.played_design import find_saltelli, find_walks, sobol_of_design
from balance.stats.run_deltas import Change
from balance.stats.sensitivity import Effect, SobolIndex, morris_effects
from balance.study.comparable import numbers_of, open_side
from balance.study.comparison import Comparison, Describe, compare_runs

TARGETS = ("seats", "heroes", "teams")  # topics whose metrics are followed over a sweep
LENGTH = ("turns",)  # and of the lengths this one


class Middle(float):
    """The middle of a range, such as 4 of 3-5: where the range stands on an axis, with its ends as text."""

    text: str

    @classmethod
    def of(cls, ends: Sequence[float]) -> Middle:
        """The middle of some numbers in order."""
        middle = cls(sum(ends) / len(ends))
        middle.text = "-".join(f"{end:g}" for end in ends)
        return middle


@dataclass(frozen=True)
class SweepCell:
    """One run of a sweep.

    Attributes
    ----------
    folder : Path
    values : tuple of float
        Of the swept numbers, in their order; a range is its :class:`Middle`.
    comparison : Comparison or None
        With the base; None for the base itself.
    """

    folder: Path
    values: tuple[float, ...]
    comparison: Comparison | None


@dataclass(frozen=True)
class Metric:
    """What is followed over the sweep.

    Attributes
    ----------
    topic : str
    name : tuple of str
    level : int
        Common level, of the base's.
    """

    topic: str
    name: tuple[str, ...]
    level: int


@dataclass(frozen=True)
class Point:
    """A metric in one run.

    Attributes
    ----------
    cell : SweepCell
    value : Estimate
        In the run.
    difference : Estimate or None
        Less the base; None for the base.
    p : float
        For "as in the base", Benjamini-Hochberg over all metrics and runs of the sweep; 1 for the base.
    """

    cell: SweepCell
    value: Estimate
    difference: Estimate | None
    p: float


@dataclass(frozen=True)
class Sensitivity:
    """Indices of one metric, or why there are none.

    Attributes
    ----------
    metric : Metric
    sobol : tuple of SobolIndex, or Refusal
    morris : tuple of Effect, or Refusal
    """

    metric: Metric
    sobol: tuple[SobolIndex, ...] | Refusal
    morris: tuple[Effect, ...] | Refusal


@dataclass(frozen=True)
class SweepData:
    """A sweep.

    Attributes
    ----------
    parameters : tuple of str
        Paths of the numbers that differ.
    cells : tuple of SweepCell
        The base first, then in the order given.
    others : tuple of str
        Paths of what differs between the runs and is no number.
    levels : tuple of str
        Labels of the base's skill levels that all runs have.
    """

    parameters: tuple[str, ...]
    cells: tuple[SweepCell, ...]
    others: tuple[str, ...]
    levels: tuple[str, ...]

    @property
    def base(self) -> SweepCell:
        """The run that the others are compared with."""
        return self.cells[0]

    @property
    def first(self) -> Comparison:
        """The first comparison, for what all have in common."""
        found = self.cells[1].comparison
        assert found is not None  # only the base has none
        return found

    def metrics(self) -> tuple[Metric, ...]:
        """What can be followed at every level that all comparisons have: seats, heroes, teams, turns."""
        known = [
            {Metric(c.topic, c.name, c.level) for c in cell.comparison.changes if _followed(c)}
            for cell in self.cells
            if cell.comparison
        ]
        common = set.intersection(*known)
        order = [Metric(c.topic, c.name, c.level) for c in self.first.changes]
        return tuple(metric for metric in dict.fromkeys(order) if metric in common)

    def points(self, metric: Metric) -> tuple[Point, ...]:
        """The metric in every run, in the order of the cells."""
        found = []
        for cell in self.cells:
            change = change_in(cell.comparison or self.first, metric)
            assert change is not None  # `metrics` offers only what all have
            if cell.comparison is None:
                found.append(Point(cell, change.base, None, 1.0))
            else:
                p = self._adjusted[metric, cell.folder]
                found.append(Point(cell, change.candidate, change.difference, p))
        return tuple(found)

    @cached_property
    def _adjusted(self) -> Mapping[tuple[Metric, Path], float]:
        """Adjusted p-values of all followed metrics in all runs: a grid to look through."""
        asked = {
            (metric, cell.folder): change.raw
            for metric in self.metrics()
            for cell in self.cells
            if cell.comparison and (change := change_in(cell.comparison, metric))
        }
        return dict(zip(asked, benjamini_hochberg(np.array(list(asked.values()))).tolist(), strict=True))

    def slice(self, parameter: str) -> tuple[SweepCell, ...]:
        """Runs that differ from the base in one number only, and the base, by that number."""
        place = self.parameters.index(parameter)
        held = [
            cell
            for cell in self.cells
            if all(cell.values[k] == self.base.values[k] for k in range(len(cell.values)) if k != place)
        ]
        alone = {cell.values[place]: cell for cell in reversed(held)}  # of equal values the first
        alone[self.base.values[place]] = self.base
        return tuple(alone[value] for value in sorted(alone))

    def grid(self) -> np.ndarray:
        """Values of the numbers by run, shape (runs, parameters)."""
        return np.array([cell.values for cell in self.cells], dtype=float)

    def sensitivity(self, metric: Metric) -> Sensitivity:
        """Sobol indices and Morris' effects of a metric, where the runs are such a design."""
        grid = self.grid()
        values = np.array([point.value.value for point in self.points(metric)])
        return Sensitivity(metric, self._sobol(grid, values), self._morris(grid, values))

    def _sobol(self, grid: np.ndarray, values: np.ndarray) -> tuple[SobolIndex, ...] | Refusal:
        design = find_saltelli(grid)
        return design if isinstance(design, Refusal) else sobol_of_design(self.parameters, values, *design)

    def _morris(self, grid: np.ndarray, values: np.ndarray) -> tuple[Effect, ...] | Refusal:
        walks = find_walks(grid)
        if isinstance(walks, Refusal):
            return walks
        low, high = grid.min(axis=0), grid.max(axis=0)
        return morris_effects(self.parameters, (grid[walks] - low) / (high - low), values[walks])


def _followed(change: Change) -> bool:
    return change.topic in TARGETS or change.topic == "length" and change.name == LENGTH


def change_in(comparison: Comparison, metric: Metric) -> Change | None:
    """A metric's change in one comparison."""
    for change in comparison.of(metric.topic, metric.level):
        if change.name == metric.name:
            return change
    return None


def sweep_data(folders: Sequence[Path], describe: Describe) -> SweepData:
    """The sweep of some run folders, the first being the base.

    Parameters
    ----------
    folders : sequence of Path
        At least three.
    describe : callable
        From a game's slug to the columns that are averaged.

    Raises
    ------
    UsageError
        The runs differ in no number, or cannot be compared.
    RunError, EnvironmentFault
        As in :func:`balance.study.comparison.compare_runs`.
    """
    manifests = [open_side(Path(folder)).manifest for folder in folders]
    parameters, others = swept(manifests)
    if not parameters:
        raise UsageError(
            f"the {len(folders)} runs differ in no number, so there is nothing to draw effects over"
            + (f"; they differ in {', '.join(others[:5])}" if others else ""),
            f"compare two of them: balance compare {folders[0]} {folders[1]}",
        )
    comparisons = [compare_runs(folders[0], folder, describe) for folder in folders[1:]]
    cells = [
        SweepCell(Path(folder), tuple(as_number(numbers[path]) for path in parameters), comparison)
        for folder, numbers, comparison in zip(
            folders, map(_filled(manifests), manifests), [None, *comparisons], strict=True
        )
    ]
    kinds = {comparison.common.levels for comparison in comparisons}
    if len(kinds) > 1 or any(comparison.common.relabelled for comparison in comparisons):
        raise UsageError(
            "the runs were played at different skill levels", "play all of them with the same agents"
        )
    labels = comparisons[0].base.design.levels
    return SweepData(
        parameters, tuple(cells), others, tuple(labels[one] for one, _ in comparisons[0].common.levels)
    )


def _filled(manifests: Sequence[Mapping[str, Any]]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Numbers of a run; of manifests that list changes only, what others say was shipped."""
    shipped = {n["path"]: n.get("shipped") for m in manifests for n in m.get("changed") or ()}

    def filled(manifest: Mapping[str, Any]) -> dict[str, Any]:
        numbers = numbers_of(manifest)
        return {**numbers, **{path: value for path, value in shipped.items() if path not in numbers}}

    return filled


def swept(manifests: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Paths of the numbers in which runs differ, and paths of other things in which their rules do."""
    held = list(map(_filled(manifests), manifests))
    paths = dict.fromkeys(path for numbers in held for path in numbers)
    differing = [path for path in paths if any(n.get(path) != held[0].get(path) for n in held[1:])]
    numeric = [path for path in differing if _is_swept([n.get(path) for n in held])]
    return tuple(numeric), tuple(path for path in differing if path not in numeric)


def as_number(value: Any) -> float:
    """A number as it is; a range by its middle."""
    return Middle.of(value) if isinstance(value, list | tuple) else float(value)


def _is_swept(values: Sequence[Any]) -> bool:
    """Whether values are numbers, or ranges that their middles tell apart."""
    if all(_is_number(value) for value in values):
        return True
    if not all(isinstance(value, list | tuple) and value and all(map(_is_number, value)) for value in values):
        return False
    return len({as_number(value) for value in values}) == len({tuple(value) for value in values})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
