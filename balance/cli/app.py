"""The root command: collects the commands of this folder and turns errors into messages and exit codes.

Every module ``cmd_*.py`` beside this file is a command or a group of commands; it offers
``register(app)``. Nothing heavy is imported at module level, so that ``--help`` stays fast.
"""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
import sys
import traceback
from typing import Any

import typer

from balance import cli
from balance.cli.say import tell
from balance.errors import BalanceError, ConfigError

MOST_SHOWN = 50  # faults of a file
WIDEST = 200  # characters of a shown source line
NO_OUTPUT = (errno.ENOSPC, errno.EDQUOT, errno.EIO)

HELP = """Game balance for tabletop skirmish games.

Plays seeded games by the million, stores every one, and says which hero, team and arena is
strong, with honest intervals.

Example: balance demo
"""


def build_app() -> typer.Typer:
    """The Typer application with every command registered, in alphabetical order of file name."""
    app = typer.Typer(help=HELP, rich_markup_mode=None, add_completion=False, no_args_is_help=True)
    app.callback()(root)
    for module in sorted(found.name for found in pkgutil.iter_modules(cli.__path__)):
        if module.startswith("cmd_"):
            importlib.import_module(f"balance.cli.{module}").register(app)
    return app


def show_version(wanted: bool) -> None:
    """Print the version and leave, if asked to."""
    if wanted:
        from balance import __version__

        typer.echo(__version__)
        raise typer.Exit


def root(
    version: bool = typer.Option(
        False, "--version", help="Print the version and leave.", callback=show_version, is_eager=True
    ),
) -> None:
    """Options before any command."""


def run_app(arguments: list[str]) -> int:
    """Run one command; returns its exit code."""
    try:
        result = build_app()(arguments, standalone_mode=False, prog_name="balance")
        return result if isinstance(result, int) else 0
    except BalanceError as error:
        show_error(error)
        return error.exit_code
    except KeyboardInterrupt:
        tell("interrupted")
        return 130
    except SystemExit as leaving:
        if not isinstance(leaving.__context__, BrokenPipeError):
            raise
        drop_output()  # the reader left (`balance ... | head`): not our fault, and nothing to say
        return 0
    except Exception as error:  # noqa: BLE001 - the last line of defence
        return other_error(error)


def drop_output() -> None:
    """Let what is still to be written to stdout go nowhere: it cannot be written, not at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def other_error(error: Exception) -> int:
    """Exit code for what is no BalanceError: usage errors of the parser, else an internal error."""
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        return parser_error(error)
    if type(error).__name__ == "Abort":
        tell("interrupted")
        return 130
    if isinstance(error, OSError) and error.errno in NO_OUTPUT and error.filename is None:
        drop_output()
        tell(f"error: cannot write the output: {error.strerror}")
        return 5
    if os.environ.get("BALANCE_TRACEBACK"):
        traceback.print_exc()
    tell(f"internal error: {type(error).__name__}: {error}")
    tell("this is a fault of balance, not yours; BALANCE_TRACEBACK=1 shows where")
    return 1


def parser_error(error: Any) -> int:
    """Show how a command was misused; a group without a command shows its help."""
    context = getattr(error, "ctx", None)
    bare = type(error).__name__ == "NoArgsIsHelpError"
    tell(error.format_message() if bare else f"error: {error.format_message()}")
    if context is not None and not bare:
        tell(f"try: {context.command_path} --help")
    return 2


def show_error(error: BalanceError) -> None:
    """Print a user's error: every problem with its place, source line and caret, then the hint."""
    if isinstance(error, ConfigError):
        for problem in error.problems[:MOST_SHOWN]:
            tell(f"{problem.place()}: error: {problem.message}")
            show_source(problem.file, problem.line, problem.column)
            if problem.hint:
                tell(f"  hint: {problem.hint}")
        if len(error.problems) > MOST_SHOWN:
            tell(f"... and {len(error.problems) - MOST_SHOWN} more")
        return
    tell(f"error: {error.message}")
    if error.hint:
        tell(f"hint: {error.hint}")


def show_source(file: str, line: int, column: int) -> None:
    """Print a file's line with a caret under the column, when it can be read."""
    try:
        with open(file, encoding="utf-8") as source:  # noqa: PTH123
            text = source.read().splitlines()[line - 1] if line else ""
    except (OSError, IndexError, UnicodeDecodeError):
        return
    if text:
        start = max(0, column - WIDEST // 2) if len(text) > WIDEST else 0
        # Only what can be seen: a file must not steer the terminal.
        shown = "".join(mark if mark.isprintable() else " " for mark in text[start : start + WIDEST])
        tell(f"  {shown}")
        tell(f"  {' ' * (column - 1 - start)}^")
