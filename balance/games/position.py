"""A position of any game with its frame, and the error of a faulty position document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from balance.errors import RuleError
from balance.games.game import ArenaInfo, Game, Mode, Ruleset


class DocumentError(RuleError):
    """A position document that breaks a rule of its game (exit code 2).

    Parameters
    ----------
    path : tuple of str or int
        Keys and list places that lead to the faulty value; a reader of files turns it into a line.
    message, hint : str
    at_key : bool
        The key is at fault, not the value.
    """

    def __init__(
        self, path: tuple[str | int, ...], message: str, hint: str = "", at_key: bool = False
    ) -> None:
        name = ".".join(str(step) for step in path)
        super().__init__(f"{name}: {message}" if name else message, hint)
        self.path = path
        self.reason = message
        self.at_key = at_key


@dataclass(frozen=True, eq=False)
class Position:
    """One position of a game: the state, and the frame that gives it a meaning.

    Attributes
    ----------
    game : Game
    mode : Mode
    ruleset : Ruleset
        With all overrides applied.
    arena : ArenaInfo
        The slug is empty for a map that a document brought along.
    tables, state : numpy.record
        Of the game's dtypes; neither is changed by anything that gets a position.
    """

    game: Game
    mode: Mode
    ruleset: Ruleset
    arena: ArenaInfo
    tables: Any
    state: Any

    def with_state(self, state: Any) -> Position:
        """The same frame around another state."""
        return replace(self, state=state)

    def text(self) -> str:
        """The canonical text."""
        return self.game.part("notation").canonical(self.state, self.tables)
