"""Team strength from a round robin: mean scores, matchups and ratings with ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.davidson import PRIOR_DRIVEN, Games, Ratings, davidson
from balance.stats.estimate import Estimate, Refusal, detectable, holm, interval, p_against, two_sided
from balance.stats.means import balanced_mean
from balance.stats.sums import CellSums, Sums

RIDGE = 0.1  # weak prior used only when the maximum does not exist, and then said
RATING = "Davidson Bradley-Terry with ties, error clustered by pair"


@dataclass(frozen=True)
class TeamScore:
    """One team at one level.

    Attributes
    ----------
    team : str
    score : Estimate
        Mean score over its opponents and arenas, each counting alike.
    p : float
        Holm over teams, for "no better or worse than even".
    rating : Estimate or None
        Log-strength, sum zero.
    """

    team: str
    score: Estimate
    p: float
    rating: Estimate | None


@dataclass(frozen=True)
class TeamTable:
    """Teams at one skill level.

    Attributes
    ----------
    level : int
    teams : tuple of TeamScore
        Best first.
    matchups : dict of (str, str) to Estimate
        Mean score of the first team against the second.
    rating_note : str
        How the ratings were made, or why there are none.
    detectable : float
    best : tuple of str
        Teams that the best one does not beat beyond noise, itself included.
    """

    level: int
    teams: tuple[TeamScore, ...]
    matchups: dict[tuple[str, str], Estimate]
    rating_note: str
    detectable: float
    best: tuple[str, ...]


def team_results(sums: Sums) -> tuple[TeamTable, ...] | Refusal:
    """Team strengths at every skill level."""
    if not any(cell.cell.teams for cell in sums.cells):
        return Refusal("The rosters of this run were drafted, so there are no teams to compare.")
    tables = [table for level in range(len(sums.design.levels)) if (table := _level(sums, level))]
    return (
        tuple(tables) if tables else Refusal("Every match was a mirror match, so teams never met each other.")
    )


def _level(sums: Sums, level: int) -> TeamTable | None:
    design = sums.design
    by_side: dict[str, list[tuple[CellSums, str]]] = {}
    by_matchup: dict[tuple[str, str], list[tuple[CellSums, str]]] = {}
    for cell in sums.of(level):
        names = [design.team_of_side(cell.cell, side) for side in range(design.sides)]
        if len(set(names)) < 2:
            continue  # a mirror match says nothing about teams
        for side, name in enumerate(names):
            by_side.setdefault(name, []).append((cell, f"player_{side}"))
        if design.sides == 2:
            by_matchup.setdefault((names[0], names[1]), []).append((cell, "player_0"))
            by_matchup.setdefault((names[1], names[0]), []).append((cell, "player_1"))
    if not by_side:
        return None
    matchups = {key: score for key, cells in by_matchup.items() if (score := balanced_mean(cells))}
    scores = {name: score for name, cells in by_side.items() if (score := balanced_mean(cells))}
    return _table(sums, level, scores, matchups)


def _table(
    sums: Sums, level: int, scores: dict[str, Estimate], matchups: dict[tuple[str, str], Estimate]
) -> TeamTable:
    names, even = list(scores), 1 / sums.design.sides
    adjusted = holm(np.array([p_against(s, even) for s in scores.values()]))
    ratings, note = _ratings(sums, level, names)
    teams = [
        TeamScore(name, scores[name], float(p), _rating(ratings, place, scores[name].n))
        for place, (name, p) in enumerate(zip(names, adjusted, strict=True))
    ]
    teams.sort(key=lambda team: -team.score.value)
    smallest = detectable(float(np.median([team.score.se for team in teams])))
    return TeamTable(level, tuple(teams), matchups, note, smallest, _best(teams, matchups))


def _ratings(sums: Sums, level: int, names: Sequence[str]) -> tuple[Ratings | None, str]:
    design = sums.design
    if design.sides != 2:
        return None, "Ratings compare two sides; with more sides only mean scores are given."
    rows = []
    for cell in sums.of(level):
        one, two = (
            names.index(team) if (team := design.team_of_side(cell.cell, side)) in names else -1
            for side in (0, 1)
        )
        if one != two and min(one, two) >= 0:
            rows.append((one, two, cell.outcomes, cell.outcome_products))
    games = Games(
        np.array([row[0] for row in rows]),
        np.array([row[1] for row in rows]),
        np.stack([row[2] for row in rows]),
        len(names),
        np.stack([row[3] for row in rows]),
        float(len(design.seatings)),
    )
    result = davidson(games)
    if isinstance(result, Refusal):
        reason, result = result.reason, davidson(games, ridge=RIDGE)
        if isinstance(result, Refusal):
            return None, reason
        note = "some teams never lost or drew, so a weak prior holds them finite"
        return result, f"{PRIOR_DRIVEN}: {note} (ridge {RIDGE})"
    return result, RATING


def _rating(ratings: Ratings | None, place: int, n: int) -> Estimate | None:
    if ratings is None:
        return None
    se = float(np.sqrt(max(ratings.covariance[place, place], 0)))
    return interval(float(ratings.ratings[place]), se, n, f"{RATING} ({ratings.label})")


def _best(teams: Sequence[TeamScore], matchups: dict[tuple[str, str], Estimate]) -> tuple[str, ...]:
    """Teams whose mean score is not significantly below the highest one (Holm).

    Two teams share the pairs in which they met, where one's gain is the other's loss; that negative
    covariance is added to the error of their difference.
    """
    top, count = teams[0], len(teams)
    raw = []
    for team in teams[1:]:
        met = matchups.get((top.team, team.team))
        shared = 2 * (met.se / (count - 1)) ** 2 if met else 0.0
        error = float(np.sqrt(top.score.se**2 + team.score.se**2 + shared))
        raw.append(two_sided(top.score.value - team.score.value, error))
    adjusted = holm(np.array(raw))
    return (top.team, *(team.team for team, p in zip(teams[1:], adjusted, strict=True) if p >= 0.05))
