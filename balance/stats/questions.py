"""What a run can be asked to answer to a stated width, round by round, with the share of every cell in it.

Each answer is a mean over cells with weights that the plan fixes, so that what is estimated does not follow
the allocation; its variance is the sum over cells of :attr:`Answer.spread` / pairs.
Source: stratified estimates with fixed weights, Cochran (1977), chapter 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.design import Design
from balance.stats.estimate import Refusal
from balance.stats.heroes import agents_differ
from balance.stats.least_squares import fit, meat, normal_equations, pseudo_inverse
from balance.stats.means import player_covariance, player_means, spread
from balance.stats.rosters import Chosen
from balance.stats.sums import CellSums, Sums
from balance.stats.teams import meets_others, team_shares

LEAST_SQUARE = 0.25  # squared deviation of one pair that a cell without any spread is taken to have


@dataclass(frozen=True)
class Answer:
    """One question's answer from the pairs of one round.

    Attributes
    ----------
    name : str
        Words that are the same in every round.
    value : float
    spread : dict of int to float
        By number of cell: its part of the variance, times its pairs.
    """

    name: str
    value: float
    spread: Mapping[int, float]


def answers(sums: Sums, metric: str) -> list[Answer] | Refusal:
    """All answers of one kind that the pairs of a round give.

    Parameters
    ----------
    sums : Sums
    metric : str
        ``hero_strength``, ``seat``, ``team`` or ``matchup``.

    Returns
    -------
    list of Answer, or Refusal
        A refusal when the design cannot answer, however many pairs are played. Levels whose cells have not
        all been played twice are left out.
    """
    kinds = {"hero_strength": _heroes, "seat": _seats, "team": _teams, "matchup": _matchups}
    found: list[Answer] = []
    for level in range(len(sums.design.levels)):
        cells = sums.of(level)
        whole = len(cells) == sum(cell.level == level for cell in sums.design.cells)
        answered = kinds[metric](sums.design, [cell for cell in cells if cell.moments.n > 1], whole)
        if isinstance(answered, Refusal):
            return answered
        found += answered
    return found


def _called(design: Design, cell: CellSums, words: str) -> str:
    level = design.levels[cell.cell.level]
    return f"{words}, {level}" if len(design.levels) > 1 else words


def _floor(square: float, n: int) -> float:
    """A variance that is not zero because nothing happened to differ in few pairs."""
    return max(square, LEAST_SQUARE / n)


def _seats(design: Design, cells: Sequence[CellSums], whole: bool) -> list[Answer]:
    """The first side's mean score over all cells of the level."""
    if not whole or not cells:
        return []
    k = len(cells)
    value = sum(cell.moments.total["place_0"] / cell.moments.n for cell in cells) / k
    squares = {c.cell.number: _floor(spread(c, "place_0"), c.moments.n) / k**2 for c in cells}
    return [Answer(_called(design, cells[0], "first seat"), value, squares)]


def _matchups(design: Design, cells: Sequence[CellSums], whole: bool) -> list[Answer] | Refusal:
    """The first player's mean score in every cell."""
    found = []
    for cell in cells:
        if not meets_others(design, cell):
            continue
        words = " v ".join(cell.cell.teams)
        words = f"{words}, {cell.cell.arena}" if len(design.arenas) > 1 else words
        square = _floor(spread(cell, "player_0"), cell.moments.n)
        mean = float(player_means(cell)[0])
        found.append(Answer(_called(design, cell, words), mean, {cell.cell.number: square}))
    if whole and cells and not found:
        return Refusal("Every match is a mirror match or drafted, so no matchup has a score of its own.")
    return found


def _teams(design: Design, cells: Sequence[CellSums], whole: bool) -> list[Answer] | Refusal:
    """Every team's mean score over its opponents and arenas, once all of its cells were played."""
    held = {cell.cell.number: cell for cell in cells if meets_others(design, cell)}
    if not held:
        return Refusal("No two teams meet, so no team has a score.") if whole and cells else []
    planned = _planned(design, cells[0].cell.level)
    found = []
    for team, share in team_shares(design, held).items():
        if set(share.weights) != planned.get(team):
            continue
        squares = {
            number: max(
                float(weight @ player_covariance(held[number]) @ weight),
                LEAST_SQUARE * float(weight.max()) ** 2 / held[number].moments.n,
            )
            for number, weight in share.weights.items()
        }
        found.append(Answer(_called(design, cells[0], team), share.value(held), squares))
    return found


def _planned(design: Design, level: int) -> dict[str, set[int]]:
    """The cells that a team's score is taken over, by team."""
    every = {
        cell.number: sums
        for cell in design.cells
        if cell.level == level and meets_others(design, sums := CellSums(cell))
    }
    return {team: set(share.weights) for team, share in team_shares(design, every).items()}


def _heroes(design: Design, cells: Sequence[CellSums], whole: bool) -> list[Answer] | Refusal:
    """Every hero's strength: least squares with all cells counting alike."""
    held = [cell for cell in cells if cell.rosters]
    if not whole or not cells:
        return []
    if not held:
        return Refusal("This game has no heroes, or none were recorded.")
    present = np.flatnonzero(sum(cell.rosters.copies for cell in held))  # type: ignore[union-attr,misc]
    mean = sum(cell.moments.n for cell in held) / len(held)
    parts = [
        Chosen([(cell.rosters, agents_differ(design, cell), mean / cell.moments.n)], present, cancelled=True)  # type: ignore[list-item]
        for cell in held
    ]
    every = Chosen([entry for part in parts for entry in part.cells], present, cancelled=True)
    if not fit(every).estimable:
        return Refusal("The rosters of this plan do not determine the strengths of its heroes.")
    effects, squares = _shares(every, parts, len(present))
    pairs = [cell.moments.n for cell in held]
    return [
        Answer(
            _called(design, held[0], design.heroes[hero]),
            float(effects[place]),
            {c.cell.number: float(squares[i][place]) * pairs[i] for i, c in enumerate(held)},
        )
        for place, hero in enumerate(present)
    ]


def _shares(every: Chosen, parts: Sequence[Chosen], v: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Effects, and of every cell its part of their variances: the sandwich with each cell's own filling."""
    agents = any(differ for _, differ, _ in every.cells)
    gram, moment, n = normal_equations(every, agents)
    inverse, projector = pseudo_inverse(gram)
    solution = inverse @ moment
    centre = np.zeros((v, len(solution)))
    centre[:, :v] = np.eye(v) - 1 / v
    outer = centre @ inverse
    scale = n / max(n - round(float(np.trace(projector))), 1)
    squares = [scale * np.einsum("ij,jk,ik->i", outer, meat(part, agents, solution), outer) for part in parts]
    return centre @ solution, squares
