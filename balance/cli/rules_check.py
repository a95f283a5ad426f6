"""`balance rules check`: case files of positions, questions and expected answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from balance.cli.rules_options import JSON, SAMPLES, SEED

if TYPE_CHECKING:
    from balance.study.casefiles import Verdict

FILES = typer.Argument(metavar="FILE...", help="Case files (YAML), or - for standard input.")


def check(files: list[str] = FILES, samples: int = SAMPLES, seed: int = SEED, as_json: bool = JSON) -> None:
    """Answer the cases of a rulebook's case files; exit code 3 when one fails.

    Prints one line a failing case with the difference between expected and got, and a last line
    that counts. Shares of outcomes may differ by what chance does in that many plays.

    Example: balance rules check cases/*.yaml
    """
    from balance.study import casefiles

    cases = [case for file in files for case in casefiles.read_cases(file)]
    verdicts = [casefiles.check_case(case, samples, seed) for case in cases]
    typer.echo(as_data(verdicts) if as_json else as_lines(verdicts))
    if not all(verdict.passed for verdict in verdicts):
        raise typer.Exit(3)


def as_lines(verdicts: list[Verdict]) -> str:
    """One line a failing case, and the counts."""
    failed = [one for one in verdicts if not one.passed]
    lines = [as_line(one) for one in failed]
    return "\n".join([*lines, f"{len(verdicts) - len(failed)} passed, {len(failed)} failed"])


def as_line(one: Verdict) -> str:
    """A failing case: the place of what was refused with its hint, else the case's first line."""
    words = f"{one.case.name} ({one.case.ask}): {one.difference}"
    if one.refusal is None:
        return f"{one.case.file}:{one.case.line}: {words}"
    return f"{one.refusal.place()}: {words}" + (f" ({one.refusal.hint})" if one.refusal.hint else "")


def as_data(verdicts: list[Verdict]) -> str:
    """All cases with their answers, whole texts, as JSON."""
    cases = [
        {
            "id": one.case.name,
            "file": one.case.file,
            "line": one.case.line,
            "ask": one.case.ask,
            "passed": one.passed,
            "difference": one.difference,
            "place": one.refusal.place() if one.refusal else f"{one.case.file}:{one.case.line}",
            "hint": one.refusal.hint if one.refusal else "",
            "expected": {"error": True} if one.case.expect is None else one.case.expect,
            "got": one.got,
        }
        for one in verdicts
    ]
    passed = sum(one.passed for one in verdicts)
    found = {"passed": passed, "failed": len(verdicts) - passed, "cases": cases}
    return json.dumps(found, indent=1, default=str)
