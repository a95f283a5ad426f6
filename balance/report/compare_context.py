"""What the things that two runs differ in are called, and how their numbers are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.report.build import folder_name
from balance.report.names import GameParts, abilities_of, named, parts_of_game
from balance.report.words import (
    NONE,
    level_words,
    listed,
    number,
    percent,
    plain,
    points,
    points_range,
    title,
)
from balance.stats.analysis import columns_of
from balance.stats.estimate import Estimate
from balance.stats.reach import OPEN, Reach, effect_of, reach
from balance.stats.run_deltas import Change
from balance.stats.sums import Columns
from balance.study.comparable import ruleset_in
from balance.study.comparison import Compared, Comparison, compare_runs

PLAY_WORDS: Mapping[str, str] = {
    "pace": "Decisions a turn",
    "options": "Actions a decision",
    "forced": "Forced decisions",
    "branching": "Choices in a turn",
    "swings": "Lead changes a game",
    "behind": "Drama",
    "comeback": "Comebacks",
    "trailed": "Largest deficit of the winner",
    "sealed": "Played when decided",
}
STRENGTHS = frozenset({"heroes", "hero arenas"})  # signed points against the mean hero


@dataclass(frozen=True)
class CompareContext:
    """A comparison with everything its page needs.

    Attributes
    ----------
    comparison : Comparison
    parts : GameParts
        What the game says about its rows.
    levels : tuple of str
        Words for every common level.
    """

    comparison: Comparison
    parts: GameParts
    levels: tuple[str, ...]

    @property
    def unit(self) -> str:
        """What the sampling unit is called."""
        return self.comparison.base.design.unit

    @property
    def folders(self) -> tuple[str, str]:
        """Both folders as they are named in commands."""
        return folder_name(self.comparison.base.folder), folder_name(self.comparison.candidate.folder)

    def named(self, kind: str, slug: str) -> str:
        """Title of a hero, arena or team in the base, or in the candidate where only that has it."""
        for run in (self.comparison.base, self.comparison.candidate):
            if slug in (ruleset_in(run.manifest).get(kind) or {}):
                return named(run.manifest, kind, slug)
        return title(slug)

    def team(self, name: str) -> str:
        """Title of a team, or of team-mates' teams joined by ``+``."""
        return " + ".join(self.named("teams", slug) for slug in name.split(" + "))

    def level(self, level: int) -> str:
        """Words for a common level."""
        return self.levels[level]

    def column(self, table: str, name: str) -> tuple[str, str]:
        """Label and unit of a column."""
        if name in ("turns", "plies"):
            return ("Turns", "per game") if name == "turns" else ("Decisions", "per game")
        column = self.parts.columns.get(table, {}).get(name)
        if column is None:
            return title(name), ""
        role = f", per {column.role}" if column.role in ("side", "seat") else ""
        return column.label + role, column.unit

    def kind(self, name: str, code: str) -> str:
        """What a code of a label column is called."""
        column = self.parts.columns.get("games", {}).get(name)
        codes = column.codes if column is not None else ()
        return codes[int(code)] if int(code) < len(codes) else f"code {code}"

    def label(self, change: Change) -> str:
        """What a change is about, in a few words."""
        first, last = change.name[0], change.name[-1]
        words: Mapping[str, Callable[[], str]] = {
            "seats": lambda: "First seat",
            "arena seats": lambda: f"First seat in {self.named('arenas', first)}",
            "endings": lambda: self._ending(first),
            "length": lambda: self.column("games", first)[0],
            "metrics": lambda: self.column("games", first)[0],
            "leads": lambda: f"{self.column('games', first)[0].split(', per ')[0]}, lead of the first seat",
            "kinds": lambda: f"{self.column('games', first)[0].split(', per ')[0]}: {self.kind(first, last)}",
            "play": lambda: PLAY_WORDS[first],
            "heroes": lambda: self.named("heroes", first),
            "hero arenas": lambda: f"{self.named('heroes', first)} in {self.named('arenas', last)}",
            "hero metrics": lambda: f"{self.named('heroes', first)}: {self._deed(first, last)}",
            "teams": lambda: self.team(first),
            "matchups": lambda: f"{self.team(first)} against {self.team(last)}",
        }
        return words[change.topic]()

    def _deed(self, hero: str, name: str) -> str:
        """What a hero column counts, with the ability if it counts one."""
        column, runs = self.parts.columns.get("heroes", {}).get(name), self.comparison
        label = self.column("heroes", name)[0]
        if column is None or not column.ability:
            return label
        for run in (runs.base, runs.candidate):
            names = abilities_of(run.manifest, hero)
            if column.ability <= len(names):
                return f"{label}, {names[column.ability - 1]}"
        return f"{label}, ability {column.ability}"

    def _ending(self, label: str) -> str:
        own = {"nobody": "No winner", "capped": "Capped games"}
        return own.get(label) or f"Ended by: {self.parts.endings.get(label, label)}"

    def reach(self, changes: Sequence[Change]) -> Reach:
        """How far a difference reaches over the levels."""
        return reach([effect_of(change.level, change.difference, change.p) for change in changes])

    def reach_words(self, found: Reach) -> str:
        """The same in words."""
        if found.label != OPEN:
            return found.label
        return f"{OPEN}: not clear at {listed([self.level(level) for level in found.open_at])} play"


def compare_context(base: Path, candidate: Path) -> CompareContext:
    """Compare two run folders; errors as in :func:`balance.study.comparison.compare_runs`."""
    return context_of(compare_runs(base, candidate, columns_for))


def columns_for(slug: str) -> Columns:
    """The columns of a game that are averaged."""
    parts = parts_of_game(slug)
    return columns_of(parts.columns, parts.caps)


def context_of(comparison: Comparison) -> CompareContext:
    """A comparison with its words."""
    parts = parts_of_game(str(comparison.base.manifest["game"]))
    return CompareContext(comparison, parts, _levels(comparison))


def _levels(comparison: Comparison) -> tuple[str, ...]:
    """Short names of the common levels; two names where other agents stand against each other."""
    one, two = (level_words(run.design.levels) for run in (comparison.base, comparison.candidate))
    return tuple(
        one[a] if not comparison.common.relabelled else f"{one[a]} to {two[b]}"
        for a, b in comparison.common.levels
    )


def side_text(change: Change, estimate: Estimate) -> str:
    """One run's number."""
    if change.topic in STRENGTHS:
        return points(estimate.value)
    return percent(estimate.value) if change.is_share else plain(estimate.value)


def gap_text(change: Change) -> str:
    """The difference, signed."""
    if change.is_share:
        return points(change.difference.value)
    return number(change.difference.value, _digits(change), signed=True)


def gap_range(change: Change) -> str:
    """Its interval."""
    if change.is_share:
        return points_range(change.difference)
    low, high = change.difference.low, change.difference.high
    ends = [number(value, _digits(change), signed=True) for value in (low, high)]
    return NONE if NONE in ends else f"{ends[0]} to {ends[1]}"


def limit_text(change: Change) -> str:
    """The smallest difference that would have been found."""
    if change.is_share:
        return points(change.detectable, 2).lstrip("+")
    return number(change.detectable, _digits(change))


def _digits(change: Change) -> int:
    """Decimals for a difference: one more than for the number itself, as it is smaller."""
    size = max(abs(change.base.value), abs(change.candidate.value))
    return 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 1 else 3


def size_words(change: Change) -> str:
    """Size and interval without a sign, for sentences that say the direction: ``2.1 pp (1.4 to 2.8)``."""
    low, high = sorted((abs(change.difference.low), abs(change.difference.high)))
    size = abs(change.difference.value)
    if change.is_share:
        return f"{points(size).lstrip('+')} ({number(100 * low)} to {number(100 * high)})"
    digits = _digits(change)
    return f"{number(size, digits)} ({number(low, digits)} to {number(high, digits)})"


def run_words(run: Compared) -> str:
    """A run in the page: the name of its folder."""
    return run.name


def value_words(value: Any) -> str:
    """A value of a plan or rule in one line; long ones are cut, and a map is only named."""
    if value is None:
        return NONE
    if isinstance(value, str) and "\n" in value or isinstance(value, list) and len(str(value)) > 80:
        return "a map or list"
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
