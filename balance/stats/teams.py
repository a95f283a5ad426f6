"""Team strength from a round robin: mean scores, matchups and ratings with ties.

Sources: stratified means, Cochran (1977), chapter 5; Davidson (1970); Holm (1979).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.davidson import PRIOR_DRIVEN, Games, Ratings, davidson
from balance.stats.design import Design
from balance.stats.estimate import Estimate, Refusal, detectable, holm, interval, p_against, two_sided
from balance.stats.means import UNIT, balanced_mean, finish, player_covariance, player_means
from balance.stats.sums import CellSums, Sums

ALPHA = 0.05
RIDGE = 0.1  # weak prior used only when the maximum does not exist, and then said
RATING = "Davidson Bradley-Terry with ties, error clustered by pair"


@dataclass(frozen=True)
class TeamScore:
    """One team at one level.

    Attributes
    ----------
    team : str
    score : Estimate
        Mean score over the matches it played (opponents, arenas, team-mates), each counting alike.
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
        Mean score of the first side against the second; team-mates are joined by ``+``.
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


@dataclass(frozen=True)
class Shares:
    """A team's mean score as a weighted sum of side means: cell to weights of its sides."""

    weights: dict[int, np.ndarray]

    def minus(self, other: Shares) -> Shares:
        """The difference of two teams' scores."""
        keys = {*self.weights, *other.weights}
        zero = np.zeros_like(next(iter(self.weights.values())))
        return Shares({key: self.weights.get(key, zero) - other.weights.get(key, zero) for key in keys})

    def value(self, cells: Mapping[int, CellSums]) -> float:
        """The weighted sum."""
        return float(sum(weight @ player_means(cells[key]) for key, weight in self.weights.items()))

    def variance(self, cells: Mapping[int, CellSums]) -> float:
        """Its sampling variance; the sides of a pair are correlated, and so are teams that met."""
        return float(
            sum(
                weight @ player_covariance(cells[key]) @ weight / cells[key].moments.n
                for key, weight in self.weights.items()
            )
        )

    def pairs(self, cells: Mapping[int, CellSums]) -> int:
        """Pairs behind it."""
        return sum(cells[key].moments.n for key in self.weights)


def _level(sums: Sums, level: int) -> TeamTable | None:
    cells = {cell.cell.number: cell for cell in sums.of(level) if meets_others(sums.design, cell)}
    shares = team_shares(sums.design, cells)
    if len(shares) < 2:
        return None
    scores = {name: _score(share, cells) for name, share in shares.items()}
    names, even = list(scores), 1 / sums.design.sides
    adjusted = holm(np.array([p_against(score, even) for score in scores.values()]))
    ratings, note = _ratings(sums.design, list(cells.values()), names)
    teams = [
        TeamScore(name, scores[name], float(p), _rating(ratings, place, scores[name].n))
        for place, (name, p) in enumerate(zip(names, adjusted, strict=True))
    ]
    teams.sort(key=lambda team: -team.score.value)
    smallest = detectable(float(np.median([team.score.se for team in teams])))
    best = _best([team.team for team in teams], shares, cells)
    return TeamTable(level, tuple(teams), _matchups(sums.design, cells), note, smallest, best)


def _sides(design: Design, cell: CellSums) -> list[tuple[str, ...]]:
    """Teams of every setup side."""
    return [
        tuple(cell.cell.teams[player] for player in design.seats_of_side(side))
        for side in range(design.sides)
    ]


def meets_others(design: Design, cell: CellSums) -> bool:
    """Whether the sides differ: a mirror match says nothing about teams."""
    return bool(cell.cell.teams) and len({tuple(sorted(side)) for side in _sides(design, cell)}) > 1


def team_shares(design: Design, cells: Mapping[int, CellSums]) -> dict[str, Shares]:
    """Every team's score over the sides it played on, each counting alike."""
    found: dict[str, dict[int, np.ndarray]] = {}
    for number, cell in cells.items():
        sides = _sides(design, cell)
        for team in dict.fromkeys(name for side in sides for name in side):
            held = np.array([float(team in side) for side in sides])
            if not held.all():  # on every side it can neither win nor lose
                found.setdefault(team, {})[number] = held
    totals = {team: sum(weight.sum() for weight in weights.values()) for team, weights in found.items()}
    return {
        team: Shares({number: weight / totals[team] for number, weight in weights.items()})
        for team, weights in found.items()
    }


def _score(share: Shares, cells: Mapping[int, CellSums]) -> Estimate:
    n = share.pairs(cells)
    return finish(share.value(cells), share.variance(cells), n, n - len(share.weights), UNIT)


def _matchups(design: Design, cells: Mapping[int, CellSums]) -> dict[tuple[str, str], Estimate]:
    """Mean score of a side against another, arenas counting alike; two sides only."""
    held: dict[tuple[str, str], list[tuple[CellSums, str]]] = {}
    for cell in cells.values() if design.sides == 2 else ():
        one, two = (design.team_of_side(cell.cell, side) for side in (0, 1))
        held.setdefault((one, two), []).append((cell, "player_0"))
        held.setdefault((two, one), []).append((cell, "player_1"))
    return {key: score for key, group in held.items() if (score := balanced_mean(group))}


def _ratings(design: Design, cells: Sequence[CellSums], names: Sequence[str]) -> tuple[Ratings | None, str]:
    if design.seats != 2:
        return None, "none, because ratings compare one team with one other"
    seated = [[names.index(team) for team in cell.cell.teams] for cell in cells]
    games = Games(
        np.array([first for first, _ in seated]),
        np.array([second for _, second in seated]),
        np.stack([cell.outcomes for cell in cells]),
        len(names),
        np.stack([cell.outcome_products for cell in cells]),
        float(len(design.seatings)),
    )
    result = davidson(games)
    if isinstance(result, Refusal):
        reason, result = result.reason, davidson(games, ridge=RIDGE)
        if isinstance(result, Refusal):
            return None, reason
        note = "wins and draws do not lead from every team to every other, so a weak prior holds them finite"
        return result, f"{PRIOR_DRIVEN}: {note} (ridge {RIDGE})"
    return result, RATING


def _rating(ratings: Ratings | None, place: int, n: int) -> Estimate | None:
    if ratings is None:
        return None
    se = float(np.sqrt(max(ratings.covariance[place, place], 0)))
    return interval(float(ratings.ratings[place]), se, n, f"{RATING} ({ratings.label})")


def _best(
    names: Sequence[str], shares: Mapping[str, Shares], cells: Mapping[int, CellSums]
) -> tuple[str, ...]:
    """Teams whose mean score is not significantly below the highest one (Holm); `names` are best first."""
    gaps = [shares[names[0]].minus(shares[name]) for name in names[1:]]
    raw = [two_sided(gap.value(cells), float(np.sqrt(max(gap.variance(cells), 0)))) for gap in gaps]
    return (names[0], *(name for name, p in zip(names[1:], holm(np.array(raw)), strict=True) if p >= ALPHA))
