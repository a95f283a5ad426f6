"""What can go wrong for a user, with the exit code and the hint that belong to it.

Every error that a user can cause is a :class:`BalanceError`; the command line prints its message
and hint and leaves with its exit code. Anything else is a fault of ours (exit code 1).
"""

from __future__ import annotations

from dataclasses import dataclass


class BalanceError(Exception):
    """Base of all errors shown to users without a traceback.

    Parameters
    ----------
    message : str
        What is wrong, in one sentence.
    hint : str
        What to do about it; may be empty.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(BalanceError):
    """A command was called in a way that cannot work (exit code 2)."""


@dataclass(frozen=True)
class Problem:
    """One fault in a file: where it stands, what it is, what to do.

    Attributes
    ----------
    file : str
    line, column : int
        1-based; 0 when the place is not known.
    path : str
        Dotted path of the value, such as ``heroes.hopper.maximum``.
    message : str
    hint : str
    """

    file: str
    line: int
    column: int
    path: str
    message: str
    hint: str = ""

    def place(self) -> str:
        """``file:line:column`` as editors understand it."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


class ConfigError(BalanceError):
    """A configuration file or an override is wrong (exit code 2); carries every problem found."""

    def __init__(self, problems: list[Problem], hint: str = "") -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{first.place()}: {first.message}{more}", hint or first.hint)
        self.problems = problems


class RuleError(BalanceError):
    """A position document or an action that the rules do not allow (exit code 2)."""


class RunError(BalanceError):
    """A run folder that cannot be read or does not fit (exit code 2)."""


class EnvironmentFault(BalanceError):
    """The machine failed us, and the run can be resumed (exit code 5)."""

    exit_code = 5


class RequirementFailed(BalanceError):
    """What was required of a ladder was not shown (exit code 3)."""

    exit_code = 3


class VerifyMismatch(BalanceError):
    """Stored rows differ from recomputed ones (exit code 3)."""

    exit_code = 3
