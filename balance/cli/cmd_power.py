"""``balance power``: how many games a question needs, and what a plan's own games can show."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.cmd_run import PlanFile, Sets
from balance.cli.playing import Json, Quiet, Workers

if TYPE_CHECKING:
    from balance.study.power import Need, Speed

Width = Annotated[str, typer.Option("--half-width", "-w", metavar="WIDTH", help="Wanted, such as 1pp.")]
Discordance = Annotated[
    float, typer.Option(min=0.001, max=1.0, help="Share of games that a change of rules turns round.")
]
NoProbe = Annotated[bool, typer.Option("--no-probe", help="Play nothing, so that no time is told.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("power")(power)


def power(
    plan: PlanFile,
    half_width: Width = "1pp",
    sets: Sets = None,
    discordance: Discordance = 0.1,
    workers: Workers = None,
    no_probe: NoProbe = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say how many games each question of a plan needs, how long they take, and what the plan will show.

    Games are those of one skill level, for a 95 % interval of the wanted half-width with the games' spread
    at its largest. A look before the end needs 2.4 times as many (--until-ci of balance run).

    Example: balance power configs/plans/jump_masters/quickstart.yaml --half-width 1pp --no-probe
    """
    from balance.cli.cmd_run import load
    from balance.cli.playing import executor_of
    from balance.cli.progress import progress_of
    from balance.study.power import needs, probe

    width, loaded = width_of(half_width), load(plan, sets or [])
    speeds = [] if no_probe else probe(loaded, progress_of("auto", quiet))
    found = needs(loaded, width, speeds, executor_of(workers).workers, discordance)
    if as_json:
        data = {"plan": loaded.name, "half_width": width, "games_a_level": loaded.games // len(loaded.levels)}
        data |= {"speeds": [asdict(one) for one in speeds], "questions": [asdict(one) for one in found]}
        return typer.echo(json.dumps(data, indent=1, ensure_ascii=False))
    return typer.echo("\n".join(text(found, speeds, width)))


def width_of(value: str) -> float:
    """A half-width as typed, in score."""
    from pydantic_core import PydanticCustomError

    from balance.config.until import Points
    from balance.errors import UsageError

    try:
        return Points().check(value if value.strip(" .0123456789") else float(value))
    except (PydanticCustomError, ValueError):
        raise UsageError(f"--half-width {value} is no width", "for example 1pp or 0.01") from None


def text(found: list[Need], speeds: list[Speed], width: float) -> list[str]:
    """The table, then why some questions have no number."""
    from balance.cli.progress import span

    head = ("question", f"games for ± {100 * width:g} pp", "time", "plan has", "its interval", "it finds")
    rows = [head] + [row(one, span) for one in found]
    wide = [max(len(line[column]) for line in rows) for column in range(len(head))]
    lines = [
        f"{line[0]:{wide[0]}}  " + "  ".join(f"{c:>{w}}" for c, w in zip(line[1:], wide[1:], strict=True))
        for line in rows
    ]
    lines += [f"{one.question}: {one.meaning}" + (f"; {one.note}" if one.note else "") for one in found]
    return lines + [f"{one.label}: {one.rate:,.0f} games/s on one core" for one in speeds]


def row(need: Need, span: Any) -> tuple[str, ...]:
    """One question as text; a dash where there is no number."""
    if need.games is None or need.half_width is None or need.detectable is None:
        return (need.question, "-", "-", f"{need.planned:,}", "-", "-")
    taken = "-" if need.seconds is None else span(need.seconds)
    shown = f"± {100 * need.half_width:.2f} pp", f"{100 * need.detectable:.2f} pp"
    return (need.question, f"{need.games:,}", taken, f"{need.planned:,}", *shown)
