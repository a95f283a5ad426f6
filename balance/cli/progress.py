"""How far a run has come, on stderr: a bar on a terminal, else one plain line every ten seconds."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from balance.cli.say import tell

KINDS = ("auto", "bar", "plain", "none")
SECONDS_BETWEEN_LINES = 10.0


def progress_of(kind: str, quiet: bool) -> Any:
    """The progress that the user asked for.

    Parameters
    ----------
    kind : str
        One of :data:`KINDS`; ``auto`` is a bar on a capable terminal, else plain.
    quiet : bool
        Show nothing but errors.

    Raises
    ------
    UsageError
        No such kind.
    """
    if kind not in KINDS:
        from balance.errors import UsageError

        raise UsageError(f"unknown kind of progress {kind!r}", f"known: {', '.join(KINDS)}")
    if quiet or kind == "none":
        return Quiet()
    return Bar() if kind == "bar" or (kind == "auto" and capable()) else Plain()


def capable() -> bool:
    """Whether stderr is a terminal that can redraw a line, and somebody sits before it."""
    dumb = os.environ.get("TERM") in ("dumb", "unknown", "")
    return sys.stderr.isatty() and not dumb and not os.environ.get("CI")


class Quiet:
    """Only what went wrong is said."""

    def compiling(self, game: str) -> None:
        """See ``play.run.Progress``."""

    def start(self, games: int, done: int) -> None:
        """See ``play.run.Progress``."""

    def advance(self, games: int) -> None:
        """See ``play.run.Progress``."""

    def note(self, text: str) -> None:
        """Damaged parts are told even to those who want quiet."""
        tell(f"note: {text}")

    def finish(self) -> None:
        """See ``play.run.Progress``."""


class Plain(Quiet):
    """A line every ten seconds, for logs and dumb terminals."""

    def __init__(self) -> None:
        self.games = self.done = self.before = 0
        self.started = self.shown = time.monotonic()

    def compiling(self, game: str) -> None:
        """Say why nothing happens for a while."""
        tell(f"compiling the rules of {game}, usually 1-2 minutes, once per rules edit")

    def start(self, games: int, done: int) -> None:
        """See ``play.run.Progress``."""
        self.games, self.done, self.before = games, done, done
        self.started = self.shown = time.monotonic()

    def advance(self, games: int) -> None:
        """Count, and print a line when the last one is ten seconds old."""
        self.done += games
        now = time.monotonic()
        if now - self.shown >= SECONDS_BETWEEN_LINES:
            self.shown = now
            tell(self.line(now - self.started))

    def line(self, seconds: float) -> str:
        """``12,000 of 100,000 games (12 %), 3,200 games/s, 27 s left``."""
        rate = max((self.done - self.before) / max(seconds, 1e-9), 1e-9)
        left = (self.games - self.done) / rate
        share = 100 * self.done // max(self.games, 1)
        return f"{self.done:,} of {self.games:,} games ({share} %), {rate:,.0f} games/s, {span(left)} left"


class Bar(Plain):
    """A bar with rate and time left; drawn by rich, which honours NO_COLOR."""

    def __init__(self) -> None:
        super().__init__()
        self.bar: Any = None
        self.task: Any = None

    def start(self, games: int, done: int) -> None:
        """Draw the empty bar."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        super().start(games, done)
        words = TextColumn("{task.fields[words]}")
        self.bar = Progress(BarColumn(bar_width=24), words, console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task(
            "games", total=games, completed=done, words=f"{done:,} of {games:,} games"
        )
        self.bar.start()

    def advance(self, games: int) -> None:
        """Move the bar."""
        self.done += games
        words = self.line(time.monotonic() - self.started)
        self.bar.update(self.task, completed=self.done, words=words)

    def finish(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()


def span(seconds: float) -> str:
    """A length of time in the two largest units: ``27 s``, ``3 min 20 s``, ``2 h 5 min``."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
