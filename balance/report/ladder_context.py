"""A ladder's run with everything its page needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.report.ladder_words import Words
from balance.report.names import named
from balance.report.words import count
from balance.study.costs import Cost
from balance.study.ladder import Checked, Ladder


@dataclass(frozen=True)
class LadderContext:
    """A ladder's run with everything its page needs.

    Attributes
    ----------
    manifest : mapping
    ladder : Ladder
    claims : tuple of Checked
    costs : tuple of Cost
        Empty when they were not measured.
    folder : str
        As it is named in commands.
    """

    manifest: Mapping[str, Any]
    ladder: Ladder
    claims: tuple[Checked, ...]
    costs: tuple[Cost, ...]
    folder: str

    @property
    def words(self) -> Words:
        """Sentences about the ladder."""
        return Words(self.ladder)

    def name(self, agent: str) -> str:
        """Short name of an agent."""
        return self.words.names[agent]

    def arena(self, slug: str) -> str:
        """Title of an arena."""
        return named(self.manifest, "arenas", slug)

    def sample(self) -> str:
        """``4,800 pairs (9,600 games)``."""
        return f"{count(self.ladder.pairs)} {self.ladder.unit} ({count(self.ladder.games)} games)"
