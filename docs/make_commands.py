"""Writes ``docs/commands.md`` from the commands themselves: run it after any change of a command.

python docs/make_commands.py
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from balance.cli.app import build_app

PAGE = Path(__file__).with_name("commands.md")
HEAD = """# Commands

Made by `docs/make_commands.py` from the commands themselves; do not edit.
`balance COMMAND --help` says the same.

Results go to standard output, progress and warnings to standard error.

| exit code | means |
|---|---|
| 0 | done |
| 1 | a fault of ours; `BALANCE_TRACEBACK=1` shows where |
| 2 | a mistake in files or options; the message says which and where |
| 3 | a check failed: other rows (`verify`, `replay`), other answers (`rules check`), `ladder --require` |
| 4 | not decided: `agents fit --write` could not show that the new weights are better |
| 5 | the machine failed (a full disk, a damaged file); the run can be resumed |
| 130, 143 | interrupted by Ctrl-C or by the system; the message names the command that goes on, if any |
"""


def commands() -> Iterator[tuple[str, Any]]:
    """Every command by its full name, groups opened, in alphabetical order."""

    def opened(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name, command
            return
        for key in sorted(inner):
            yield from opened(f"{name} {key}", inner[key])

    yield from opened("balance", get_command(build_app()))


def options(command: Any) -> Iterator[tuple[str, str]]:
    """What a command takes: how it is written, and what it means."""
    for parameter in command.params:
        if parameter.name == "help":
            continue
        if parameter.param_type_name == "argument":
            yield f"`{parameter.metavar or parameter.name.upper()}`", meaning(parameter)
        else:
            yield written(parameter), meaning(parameter)


def written(option: Any) -> str:
    """An option with its short forms and what it takes."""
    names = sorted((*option.opts, *option.secondary_opts), key=len, reverse=True)
    value = "" if option.is_flag else f" {option.metavar or names[0].strip('-').upper()}"
    return ", ".join(f"`{name}{value if name == names[0] else ''}`" for name in names)


def meaning(option: Any) -> str:
    """The help of an argument or option with its default and whether it must be given."""
    text = str(option.help or "")
    if option.param_type_name == "argument":
        return text
    if option.required:
        return f"{text} Required."
    if getattr(option, "is_flag", False) or option.default in (None, [], ()) or callable(option.default):
        return text
    return f"{text} Default: `{option.default}`."


def section(name: str, command: Any) -> str:
    """One command as a section: what it does, its options, an example."""
    text, _, example = inspect.cleandoc(command.help or "").partition("Example:")
    rows = [f"| {left} | {right.replace('|', chr(92) + '|')} |" for left, right in options(command)]
    table = ["| | |", "|---|---|", *rows, ""] if rows else []
    lines = [f"## {name}", "", text.strip(), "", *table, f"Example: `{' '.join(example.split())}`", ""]
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(name, command) for name, command in commands())])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
