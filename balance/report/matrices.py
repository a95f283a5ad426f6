"""Matrices as heat maps: pairs of heroes, and who beats whom."""

from __future__ import annotations

from typing import Any

from balance.report.names import Context
from balance.report.view import Chart
from balance.report.words import count, number, points, points_range, share_range
from balance.stats.pair_effects import PairEffect, PairTable
from balance.stats.teams import TeamTable

MOST = 24  # heroes a side of a matrix that can still be read
LEAST_REACH = 4.0  # pp that get the full colour at least: noise must not look loud


def pair_chart(context: Context, found: PairTable, word: str, mirrored: bool, level: str) -> Chart | None:
    """Shrunk effects of all pairs of heroes; None when there are too many to be read.

    `mirrored` says that the effect of (a, b) is that of (b, a) with the other sign, as for counters.
    """
    held = {hero for pair in found.pairs for hero in (pair.first, pair.second)}
    heroes = [hero for hero in context.analysis.design.heroes if hero in held]
    if not 2 <= len(heroes) <= MOST:
        return None
    known = {(pair.first, pair.second): (pair, 1.0) for pair in found.pairs}
    known |= {(two, one): (pair, -1.0 if mirrored else 1.0) for (one, two), (pair, _) in known.items()}
    values = [[_effect(known.get((row, column))) for column in heroes] for row in heroes]
    hovers = [[_pair_hover(known.get((row, column)), found.n) for column in heroes] for row in heroes]
    titles = [context.hero(hero) for hero in heroes]
    largest = found.pairs[0]
    alt = f"{word} of all pairs of heroes at {level} play; the largest is {context.hero(largest.first)} "
    alt += (
        f"{'against' if mirrored else 'and'} {context.hero(largest.second)}, {points(largest.shrunk.value)}."
    )
    data = {
        "rows": titles,
        "columns": titles,
        "values": values,
        "texts": [[number(v, 1, True) if v is not None else "" for v in row] for row in values],
        "hovers": hovers,
        "zero": 0.0,
        "unit": "pp",
        "reach": max(LEAST_REACH, *(abs(v) for row in values for v in row if v is not None)),
    }
    return Chart("heatmap", data, alt)


def _effect(entry: tuple[PairEffect, float] | None) -> float | None:
    return None if entry is None else 100 * entry[1] * entry[0].shrunk.value


def _pair_hover(entry: tuple[PairEffect, float] | None, n: int) -> str:
    if entry is None:
        return "not fitted"
    pair, sign = entry
    said = points(sign * pair.shrunk.value)
    if sign > 0:
        said += f" ({points_range(pair.shrunk)})"
    return f"{said}, fit over {count(n)} in all"


def matchup_data(context: Context, table: TeamTable, reach: float) -> dict[str, Any]:
    """Scores of row against column in per cent; on hovering interval and sample."""
    names = [team.team for team in table.teams]
    titles = [context.team(name) for name in names]
    values = [[_score(table, row, column) for column in names] for row in names]
    return {
        "rows": titles,
        "columns": titles,
        "values": values,
        "texts": [[number(v) if v is not None else "" for v in row] for row in values],
        "hovers": [[_match_hover(context, table, row, column) for column in names] for row in names],
        "zero": 50.0,
        "unit": "% score",
        "reach": reach,
    }


def _score(table: TeamTable, row: str, column: str) -> float | None:
    score = table.matchups.get((row, column))
    return None if score is None else 100 * score.value


def _match_hover(context: Context, table: TeamTable, row: str, column: str) -> str:
    score = table.matchups.get((row, column))
    if score is None:
        return "not played"
    return f"{number(100 * score.value)} % ({share_range(score)}), {count(score.n)} {context.unit}"
