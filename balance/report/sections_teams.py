"""Section on teams: table, and who beats whom."""

from __future__ import annotations

from collections.abc import Sequence

from balance.report.matrices import matchup_data
from balance.report.names import Context
from balance.report.needs import team_need
from balance.report.sections_model import power_note, team_blocks
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import count, listed, number, p_value, percent, points, share_range, value_range
from balance.stats.estimate import Estimate, Refusal, detectable
from balance.stats.teams import TeamTable

LEAD = "Mean score of each team over its matches, each counting alike; mirror matches are left out."


def teams_section(context: Context) -> Section:
    """Teams of a round robin, or why there are none."""
    tables = context.analysis.teams
    if not context.analysis.design.heroes:
        return Section("teams", "Teams", refusal=("This game has no heroes, so there are no teams.",))
    if isinstance(tables, Refusal):
        return Section("teams", "Teams", refusal=(tables.reason, *_instead(context)))
    blocks = [_scores(context, tables)]
    refusal: tuple[str, ...] = ()
    if any(table.matchups for table in tables):
        reach = max(100 * abs(e.value - 0.5) for table in tables for e in table.matchups.values())
        blocks += [_matrix(context, table, reach) for table in reversed(tables)]
    else:
        refusal = (
            "With more than two sides there is no matchup of two teams by itself, so no matrix is shown.",
        )
    more, why = team_blocks(context)
    return Section("teams", "Teams", LEAD, (*blocks, *more), (*refusal, *why), team_need(context))


def _instead(context: Context) -> tuple[str, ...]:
    """The plan that would show teams, where this run gave none."""
    if any(cell.teams for cell in context.analysis.design.cells) or not context.analysis.design.heroes:
        return ()
    return ("A plan with `teams: recommended` plays the ready-made teams against each other.",)


def _scores(context: Context, tables: Sequence[TeamTable]) -> Block:
    even = 100 / context.analysis.design.sides
    order = [team.team for team in tables[-1].teams]
    series, rows = [], []
    for table in tables:
        by_name = {team.team: team for team in table.teams}
        points_ = [_point(context.team(name), by_name[name].score) for name in order if name in by_name]
        series.append({"name": context.level(table.level), "points": points_})
    for table in reversed(tables):
        for team in table.teams:
            rating = team.rating
            rows.append(
                (
                    context.team(team.team),
                    context.level(table.level),
                    percent(team.score.value),
                    share_range(team.score),
                    p_value(team.p),
                    number(rating.value, 2, True) if rating else "\u2013",
                    value_range(rating) if rating else "\u2013",
                    count(team.score.n),
                )
            )
    best = tables[-1].teams[0]
    alt = f"Mean scores of the teams; the highest is {context.team(best.team)} with "
    alt += f"{percent(best.score.value)}."
    chart = Chart("forest", {"series": series, "zero": even, "unit": "% score"}, alt)
    head = ("Team", "Skill", "Score", "95 % interval", "p", "Rating", "95 % interval", context.unit.title())
    caption = f"Dots: mean score; bars: 95 % intervals. {context.samples()}. Method: "
    caption += f"{best.score.method}, stratified by "
    caption += (
        f"matchup and arena; p: no different from even, Holm over teams; rating: {tables[-1].rating_note}. "
    )
    caption += power_note(max(table.detectable for table in tables))
    return Block(
        "Strength of each team",
        caption,
        Table(head, tuple(rows), text=2),
        chart,
        text=_best_text(context, tables[-1]),
    )


def _best_text(context: Context, table: TeamTable) -> str:
    names = [context.team(name) for name in table.best]
    level = context.level(table.level)
    if len(names) == 1:
        return f"At {level} play {names[0]} is ahead of every other team beyond noise."
    return (
        f"At {level} play {names[0]} is ahead, but {listed(names[1:])} "
        f"{'is' if len(names) == 2 else 'are'} within noise of it."
    )


def _point(label: str, estimate: Estimate) -> dict[str, float | str]:
    return {"label": label, "x": 100 * estimate.value, "low": 100 * estimate.low, "high": 100 * estimate.high}


def _matrix(context: Context, table: TeamTable, reach: float) -> Block:
    level, matchups = context.level(table.level), table.matchups
    ranked = sorted(matchups.items(), key=lambda item: -item[1].value)
    rows = tuple(
        (
            context.team(one),
            context.team(two),
            percent(e.value),
            share_range(e),
            points(e.value - 0.5),
            count(e.n),
        )
        for (one, two), e in ranked
    )
    head = ("Team", "Against", "Score", "95 % interval", "Above even", context.unit.title())
    (one, two), top = ranked[0]
    caption = f"Score against the other, in %. {context.sample(table.level)}; about {count(top.n)} "
    caption += f"{context.unit} a "
    caption += f"matchup. Method: {top.method}; intervals each for itself, about "
    caption += (
        f"\u00b1{number(100 * top.half_width)} pp. {power_note(detectable(max(e.se for _, e in ranked)))}"
    )
    alt = f"Matchups at {level} play; the most one-sided is {context.team(one)} against {context.team(two)}, "
    alt += f"{percent(top.value)}."
    chart = Chart("heatmap", matchup_data(context, table, reach), alt)
    # Team-mates make sides that meet only once each: a matrix would be mostly holes.
    shown = chart if context.analysis.design.seats == 2 else None
    return Block(f"Who beats whom: {level} play", caption, Table(head, rows, text=2), shown)
