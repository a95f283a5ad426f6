"""What each ability and hero power is worth: restricted play against the plan on common streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from balance.errors import BalanceError, UsageError
from balance.play import folder as folders
from balance.play.executors import Executor
from balance.play.plan import LoadedPlan
from balance.play.resume import resume
from balance.play.run import Interrupted, Progress, RunResult, Silent, run
from balance.stats.deltas import Delta, paired_delta
from balance.stats.details import USES
from balance.stats.estimate import Estimate, holm
from balance.stats.reach import Reach, effect_of, reach
from balance.store.manifest import NAME
from balance.store.read import Run, open_run
from balance.study.pair_scores import CellScores, read_cell
from balance.study.restricted import Comparison, Item

BASELINE = "baseline"


@dataclass(frozen=True)
class Value:
    """What an item is worth at one skill level.

    Attributes
    ----------
    level : int
    delta : Delta
        Score of a side that may use it minus its score when it may not.
    p : float
        Holm-adjusted over the items of the level.
    used, possible : int or None
        Games of its holders in the baseline in which the hero used an ability, and in which he could have;
        None where the run did not record it.
    games : int
        Games of its holders in the baseline, one for each holder.
    counted : int
        Those whose possible turns were counted.
    """

    level: int
    delta: Delta
    p: float
    games: int
    used: int | None = None
    possible: int | None = None
    counted: int = 0

    @property
    def estimate(self) -> Estimate:
        """The difference with its interval."""
        return self.delta.effect


@dataclass(frozen=True)
class ItemValue:
    """An item over the skill levels; `reach` says whether the sign holds at adjacent levels."""

    item: Item
    values: tuple[Value, ...]
    reach: Reach


@dataclass(frozen=True)
class ValueResult:
    """All that was found.

    Attributes
    ----------
    folder : Path
    levels : tuple of str
        Labels of the baseline's skill levels.
    items : tuple of ItemValue
        In the order of the game.
    notes : tuple of str
        What is left out, and why.
    games, pairs : int
        Played in all runs; pairs of the baseline.
    digests : mapping
        Digest of each run by its folder's name.
    """

    folder: Path
    levels: tuple[str, ...]
    items: tuple[ItemValue, ...]
    notes: tuple[str, ...]
    games: int
    pairs: int
    digests: Mapping[str, str]


class Overall(Silent):
    """One progress for many runs; the end of one of them is no news."""

    def __init__(self, shown: Progress, games: int) -> None:
        self.shown, self.games, self.begun = shown, games, False

    def compiling(self, game: str) -> None:
        """See ``play.run.Progress``."""
        self.shown.compiling(game)

    def start(self, games: int, done: int) -> None:
        """Show the total once; what a resumed run has done counts."""
        if not self.begun:
            self.shown.start(self.games, 0)
            self.begun = True
        if done:
            self.shown.advance(done)

    def advance(self, games: int) -> None:
        """See ``play.run.Progress``."""
        self.shown.advance(games)

    def note(self, text: str) -> None:
        """See ``play.run.Progress``."""
        self.shown.note(text)

    def close(self) -> None:
        """All runs have ended."""
        if self.begun:
            self.shown.finish()


def value(
    comparison: Comparison,
    folder: Path,
    executor: Executor,
    progress: Progress | None = None,
    *,
    kernel: Any = None,
    force: bool = False,
) -> ValueResult:
    """Play what is not played yet, and compare.

    Every run is a run folder of its own under `folder`; finished ones are taken as they are.

    Raises
    ------
    UsageError
        `folder` holds a run itself, or one of the folders under it holds another run.
    BalanceError
        A signal came (exit code 128 + its number); the same call goes on.
    """
    if (folder / NAME).exists():
        raise UsageError(f"{folder} is the folder of a run", "choose another with -o")
    plans = {BASELINE: comparison.baseline}
    plans |= {variant.folder: variant.plan for variant in comparison.variants}
    overall = Overall(progress or Silent(), comparison.games)
    results: dict[str, RunResult] = {}
    try:
        for name, plan in plans.items():
            results[name] = play_one(plan, folder / name, executor, overall, kernel, force)
    except Interrupted as error:
        raise stopped(error, len(results), len(plans)) from None
    finally:
        overall.close()
    return ValueResult(
        folder,
        tuple(level_words(plan_level) for plan_level in comparison.baseline.levels),
        compared(comparison, folder),
        comparison.notes,
        sum(result.games for result in results.values()),
        results[BASELINE].pairs,
        {name: result.digest for name, result in results.items()},
    )


def play_one(
    plan: LoadedPlan, folder: Path, executor: Executor, overall: Overall, kernel: Any, force: bool
) -> RunResult:
    """One run: begun, gone on with, or found finished."""
    if not force and folders.holding(folder, plan) == "unfinished":
        return resume(folder, executor, overall, kernel=kernel, restore=type(plan).from_resolved)
    result = run(plan, folder, executor, overall, kernel=kernel, force=force)
    if not result.played:
        overall.start(0, result.games)
    return result


def stopped(error: Interrupted, done: int, runs: int) -> BalanceError:
    """The error of an interrupted comparison."""
    told = BalanceError(
        f"interrupted in run {done + 1} of {runs}; everything that was played is kept",
        "give the same command again to go on",
    )
    told.exit_code = error.exit_code
    return told


def level_words(agents: Sequence[Any]) -> str:
    """A skill level in words: one label, or one for each seat."""
    labels = [agent.label for agent in agents]
    named = ", ".join(f"{seat} {label}" for seat, label in zip("ABCD", labels, strict=False))
    return labels[0] if len(set(labels)) == 1 else named


@dataclass
class Gathered:
    """Aligned pairs of one item at one level, cell by cell."""

    first: list[np.ndarray] = field(default_factory=list)
    second: list[np.ndarray] = field(default_factory=list)
    games: int = 0
    used: int | None = None
    possible: int | None = None
    counted: int = 0


def compared(comparison: Comparison, folder: Path) -> tuple[ItemValue, ...]:
    """The values from the finished runs."""
    base = open_run(folder / BASELINE)
    runs = {variant.folder: open_run(folder / variant.folder) for variant in comparison.variants}
    places = {name: cells_by_place(other) for name, other in runs.items()}
    gathered: dict[tuple[Item, int], Gathered] = {}
    for cell in base.manifest["cells"]:
        scores = read_cell(base, cell["cell"])
        for item in comparison.items:
            others = {
                variant.player: read_cell(runs[variant.folder], places[variant.folder][place_of(cell)])
                for variant in comparison.variants
                if variant.item == item and place_of(cell) in places[variant.folder]
            }
            if others:
                slot = gathered.setdefault((item, cell["level"]), Gathered())
                gather(slot, base, scores, others, item)
    return values_of(comparison.items, len(base.manifest["levels"]), gathered)


def cells_by_place(run_: Run) -> dict[tuple[Any, ...], int]:
    """Number of each cell by level, arena and teams, which baseline and variants share."""
    return {place_of(cell): cell["cell"] for cell in run_.manifest["cells"]}


def place_of(cell: Mapping[str, Any]) -> tuple[Any, ...]:
    """Level, arena and teams of a cell."""
    return cell["level"], cell["arena"], tuple(cell["teams"] or ())


def gather(
    slot: Gathered, base: Run, scores: CellScores, others: Mapping[int, CellScores], item: Item
) -> None:
    """Add one cell: for each pair the mean over the players who hold the item."""
    numbers = [base.manifest["heroes"].index(hero) for hero in item.heroes]
    held = scores.holders(numbers) if item.heroes else np.ones(scores.scores.shape, bool)
    if item.passive:
        held &= (held.sum(axis=1) == 1)[:, None]
    first, second, holders = np.zeros((3, len(scores.pair)))
    for player in range(held.shape[1]):
        other = others.get(player, others.get(-1))
        if other is not None:
            first += np.where(held[:, player], scores.scores[:, player], 0)
            second += np.where(held[:, player], other.scores[:, player], 0)
            holders += held[:, player]
    some = holders > 0
    slot.first.append(first[some] / holders[some])
    slot.second.append(second[some] / holders[some])
    if not item.passive:
        count_uses(slot, scores, numbers, scores.pair[some])


def count_uses(slot: Gathered, scores: CellScores, numbers: list[int], pairs: np.ndarray) -> None:
    """Count the holders' games of these pairs, and those with a use or a chance."""
    rows = scores.heroes
    if not numbers or not rows.height:
        return
    wanted = np.isin(rows["hero"].to_numpy(), numbers) & np.isin(rows["pair"].to_numpy(), pairs)
    weight = np.where(wanted, rows["weight"].to_numpy(), 0)
    slot.games += int(weight.sum())
    if USES in rows.columns:
        slot.used = (slot.used or 0) + int(weight[rows[USES].to_numpy() > 0].sum())
    counted = scores.counted > 0
    if counted.any() and "chances" in rows.columns:
        slot.counted += int(weight[counted].sum())
        slot.possible = (slot.possible or 0) + int(weight[counted & (rows["chances"].to_numpy() > 0)].sum())


def values_of(
    items: Sequence[Item], levels: int, gathered: Mapping[tuple[Item, int], Gathered]
) -> tuple[ItemValue, ...]:
    """Estimates of all items, adjusted over the items of each level and labelled over the levels."""
    found: dict[Item, list[Value]] = {item: [] for item in items}
    for level in range(levels):
        held = [(item, gathered[item, level]) for item in items if _pairs(gathered.get((item, level)))]
        results = [delta_of(slot) for _, slot in held]
        adjusted = holm(np.array([result.p for result in results]))
        for (item, slot), result, p in zip(held, results, adjusted, strict=True):
            found[item].append(
                Value(level, result, float(p), slot.games, slot.used, slot.possible, slot.counted)
            )
    return tuple(
        ItemValue(item, tuple(values), reach([effect_of(v.level, v.estimate, v.p) for v in values]))
        for item, values in found.items()
        if values
    )


def delta_of(slot: Gathered) -> Delta:
    """The difference over all cells, each a stratum."""
    stratum = np.repeat(np.arange(len(slot.first)), [len(part) for part in slot.first])
    found = paired_delta(np.concatenate(slot.first) - np.concatenate(slot.second), stratum=stratum)
    assert isinstance(found, Delta)  # there are pairs
    return found


def _pairs(slot: Gathered | None) -> int:
    return sum(len(part) for part in slot.first) if slot else 0
