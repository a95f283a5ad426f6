"""What a run's slugs are called, and what its columns mean; survives a game that is not installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.report.words import TURNING, level_words, listed, title
from balance.stats.analysis import Analysis
from balance.stats.heroes import StrengthTable
from balance.stats.reach import OPEN, Reach
from balance.study.comparable import ruleset_in


@dataclass(frozen=True)
class Context:
    """A run with everything its report needs.

    Attributes
    ----------
    manifest : dict
    analysis : Analysis
    columns : mapping
        The game's ``metrics.COLUMNS``.
    legend : mapping
        Legend character to (label, look).
    endings : mapping
        What people read for the label of a termination.
    levels : tuple of str
        Short names of the skill levels.
    folder : str
        The run folder as it is named in commands.
    listed_turns : bool
        Whether the game's turns have so few ends that they can be counted.
    """

    manifest: Mapping[str, Any]
    analysis: Analysis
    columns: Mapping[str, Mapping[str, Any]]
    legend: Mapping[str, tuple[str, str]]
    endings: Mapping[str, str]
    levels: tuple[str, ...]
    folder: str
    listed_turns: bool = True

    def named(self, kind: str, slug: str) -> str:
        """Title of a hero, arena or team as the run's configuration has it, else made of its slug."""
        return named(self.manifest, kind, slug)

    def hero(self, slug: str) -> str:
        """Title of a hero."""
        return self.named("heroes", slug)

    def arena(self, slug: str) -> str:
        """Title of an arena."""
        return self.named("arenas", slug)

    def team(self, name: str) -> str:
        """Title of a team, or of team-mates' teams joined by ``+``."""
        return " + ".join(self.named("teams", slug) for slug in name.split(" + "))

    def level(self, level: int) -> str:
        """Short name of a skill level."""
        return self.levels[level]

    def ending(self, label: str) -> str:
        """Words for the label of a termination."""
        return self.endings.get(label, label)

    def reach(self, reach: Reach) -> str:
        """A finding's label in words: ``open: not clear at random play``."""
        if reach.label != OPEN:
            return reach.label
        levels = listed([self.level(level) for level in reach.open_at])
        return f"{OPEN}: not clear at {levels} play"

    @property
    def played(self) -> tuple[int, ...]:
        """Levels that have games, by rising skill."""
        return tuple(seat.level for seat in self.analysis.seats)

    @property
    def top(self) -> int:
        """The highest skill level that has games."""
        return self.played[-1]

    @property
    def strengths(self) -> list[StrengthTable]:
        """Hero strengths of the levels that have them, by rising skill."""
        return [table for table in self.analysis.strengths if isinstance(table, StrengthTable)]

    @property
    def unit(self) -> str:
        """What the sampling unit is called: ``pairs`` or ``rotations``."""
        return self.analysis.design.unit

    def sample(self, level: int) -> str:
        """Size of one level's sample: ``4,800 pairs (9,600 games)``."""
        games, pairs = self.analysis.by_level[level]
        return f"{pairs:,} {self.unit} ({games:,} games)"

    def samples(self) -> str:
        """Sizes of all levels' samples."""
        return "; ".join(f"{self.level(level)}: {self.sample(level)}" for level in self.played)


def named(manifest: Mapping[str, Any], kind: str, slug: str) -> str:
    """Title of a hero, arena or team as a manifest's configuration has it, else made of its slug."""
    entry = (ruleset_in(manifest).get(kind) or {}).get(slug) or {}
    return TURNING.sub("", str(entry.get("title") or title(slug)))


def abilities_of(manifest: Mapping[str, Any], hero: str) -> list[str]:
    """Names of a hero's abilities as a manifest's configuration has them; empty when it has none."""
    entry = (ruleset_in(manifest).get("heroes") or {}).get(hero) or {}
    return [TURNING.sub("", title(str(name))) for name in entry.get("abilities") or ()]


@dataclass(frozen=True)
class GameParts:
    """What an installed game says about its rows; empty when it is not installed.

    Attributes
    ----------
    columns, legend, endings : mapping
        As in :class:`Context`.
    caps : tuple of str or None
        The game's endings that are caps; None when nobody can say.
    listed_turns : bool
        As in :class:`Context`.
    """

    columns: Mapping[str, Mapping[str, Any]]
    legend: Mapping[str, tuple[str, str]]
    endings: Mapping[str, str]
    caps: tuple[str, ...] | None = None
    listed_turns: bool = True


def make_context(manifest: Mapping[str, Any], analysis: Analysis, parts: GameParts, folder: str) -> Context:
    """A context with the levels' short names filled in."""
    levels = level_words(analysis.design.levels)
    return Context(
        manifest,
        analysis,
        parts.columns,
        parts.legend,
        parts.endings,
        levels,
        folder,
        parts.listed_turns,
    )


def parts_of_game(slug: str) -> GameParts:
    """Column descriptions, board legend and words for endings of a game."""
    from balance.errors import UsageError
    from balance.games import get_game

    try:
        game = get_game(slug)
    except UsageError:
        return GameParts({}, {}, {})
    columns = getattr(game.part("metrics"), "COLUMNS", {})
    legend = getattr(game.part("notation"), "LEGEND", {})
    return GameParts(columns, legend, game.termination_words, game.caps, game.listed_turns)
