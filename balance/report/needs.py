"""How many games would narrow the intervals of a section to a width that people ask for."""

from __future__ import annotations

import math

from balance.report.names import Context
from balance.report.words import count, number

TARGET = 0.01  # half-width that is asked for, in score
FIGURES = 2  # of the numbers of games that are proposed


def games_for(games: int, half_width: float, target: float = TARGET) -> int:
    """Games for a half-width, from what a run of `games` reached: errors fall with the root of the sample.

    Rounded up to two figures.
    """
    wanted = games * (half_width / target) ** 2
    step = 10 ** max(0, math.floor(math.log10(max(wanted, 1))) - FIGURES + 1)
    return int(math.ceil(wanted / step - 1e-9) * step)


def need(context: Context, what: str, half_width: float) -> str:
    """One sentence that says how wide the intervals are and what makes them narrow; empty when they are."""
    if not TARGET < half_width < math.inf:
        return ""
    width = f"{what} here are known to \u00b1{number(100 * half_width)} pp at worst."
    if context.manifest.get("looks"):
        return f"{width} `balance run plan.yaml --until-ci 1pp` plays until \u00b1{number(100 * TARGET)} pp."
    cells = context.manifest["cells"]
    planned = sum(int(cell["pairs"]) for cell in cells) * len(context.analysis.design.seatings)
    wanted = games_for(planned, half_width)
    return (
        f"{width} \u00b1{number(100 * TARGET)} pp needs {count(wanted)} games; you have {count(planned)}: "
        f"`balance run plan.yaml --games {wanted}`."
    )


def hero_need(context: Context) -> str:
    """For hero strengths: the widest interval at any level."""
    widths = [entry.effect.half_width for table in context.strengths for entry in table.heroes]
    return need(context, "Strengths", max(widths, default=0.0))


def seat_need(context: Context) -> str:
    """For the first seat over all arenas."""
    return need(context, "First seats", max(seat.places[0].half_width for seat in context.analysis.seats))


def team_need(context: Context) -> str:
    """For the mean scores of teams."""
    tables = context.analysis.teams if isinstance(context.analysis.teams, tuple) else ()
    widths = [team.score.half_width for table in tables for team in table.teams]
    return need(context, "Teams", max(widths, default=0.0))
