"""Two stored runs compared: all differences, with what the two plans do differently."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.stats.design import Design, read_design
from balance.stats.estimate import Refusal
from balance.stats.run_deltas import Change, of_topic, run_deltas
from balance.stats.run_gaps import CellGap, Side, collect_gaps
from balance.stats.sums import Columns
from balance.study.comparable import Changed, Common, changed_of, common_of, open_side

Describe = Callable[[str], Columns]


@dataclass(frozen=True)
class Compared:
    """One of the two runs.

    Attributes
    ----------
    folder : Path
    manifest : dict
    design : Design
    """

    folder: Path
    manifest: Mapping[str, Any]
    design: Design

    @property
    def name(self) -> str:
        """Name of its folder."""
        return self.folder.name or self.folder.resolve().name


@dataclass(frozen=True)
class Sizes:
    """How much was compared.

    Attributes
    ----------
    paired, apart : int
        Common cells on the same random streams, and on others.
    pairs : int
        Sampling units behind the differences: common pairs, and the smaller sample of other cells.
    base_pairs, candidate_pairs : int
        All pairs of the runs.
    changed, altered : int
        Common pairs in which anything differs, and in which a score does.
    common : int
        Pairs of the cells on the same streams.
    """

    paired: int
    apart: int
    pairs: int
    base_pairs: int
    candidate_pairs: int
    changed: int
    altered: int
    common: int

    @property
    def identical(self) -> bool:
        """Whether nothing at all differs in any recorded number of any pair."""
        return self.apart == 0 and self.changed == 0


@dataclass(frozen=True)
class Comparison:
    """What differs between two runs.

    Attributes
    ----------
    base, candidate : Compared
    changed : tuple of Changed
    common : Common
    levels : tuple of int
        Common levels that have pairs, by rising skill; indices of ``common.levels``.
    changes : tuple of Change
    refused : dict of (str, int) to Refusal
        What could not be compared, by topic and level.
    sizes : Sizes
    by_level : dict of int to int
        Sampling units at every common level.
    """

    base: Compared
    candidate: Compared
    changed: tuple[Changed, ...]
    common: Common
    levels: tuple[int, ...]
    changes: tuple[Change, ...]
    refused: Mapping[tuple[str, int], Refusal]
    sizes: Sizes
    by_level: Mapping[int, int]

    @property
    def top(self) -> int:
        """The highest common level."""
        return self.levels[-1]

    def of(self, topic: str, level: int | None = None) -> tuple[Change, ...]:
        """The changes of one topic."""
        return of_topic(self.changes, topic, level)


def compare_runs(base: Path, candidate: Path, describe: Describe) -> Comparison:
    """Compare two run folders.

    Parameters
    ----------
    base, candidate : Path
    describe : callable
        From a game's slug to the columns that are averaged.

    Raises
    ------
    UsageError
        The runs cannot be compared.
    RunError
        There is no run, or it has no games yet.
    EnvironmentFault
        A part is damaged.
    """
    runs = open_side(Path(base)), open_side(Path(candidate))
    designs = read_design(runs[0].manifest), read_design(runs[1].manifest)
    common = common_of(runs[0], runs[1], designs)
    sides = Side(runs[0], designs[0]), Side(runs[1], designs[1])
    columns = describe(str(runs[0].manifest["game"]))
    cells = collect_gaps(*sides, common.twins, columns)
    changes, refused = run_deltas(*sides, cells, columns)
    compared = [Compared(run.folder, run.manifest, design) for run, design in zip(runs, designs, strict=True)]
    levels = tuple(sorted({cell.twin.level for cell in cells}))
    return Comparison(
        compared[0],
        compared[1],
        changed_of(runs[0].manifest, runs[1].manifest),
        common,
        levels,
        changes,
        refused,
        _sizes(runs[0].manifest, runs[1].manifest, cells),
        {level: sum(cell.n for cell in cells if cell.twin.level == level) for level in levels},
    )


def _sizes(base: Mapping[str, Any], candidate: Mapping[str, Any], cells: list[CellGap]) -> Sizes:
    paired = [cell for cell in cells if cell.twin.paired]
    return Sizes(
        len(paired),
        len(cells) - len(paired),
        sum(cell.n for cell in cells),
        sum(part["pairs"] for part in base["parts"]),
        sum(part["pairs"] for part in candidate["parts"]),
        sum(cell.changed for cell in paired),
        sum(cell.altered for cell in paired),
        sum(cell.n for cell in paired),
    )
