"""Agents that met in one run, and the share of games that the better of them decided.

Source: the share 2w - 1 of :mod:`balance.stats.luck`, w a stratified mean (Cochran 1977, chapter 5).
"""

from __future__ import annotations

from balance.stats.design import Cell, Design
from balance.stats.drafts import scaled_sample
from balance.stats.estimate import Refusal
from balance.stats.luck import NEVER_MET, SkillStep, adjusted_steps, skill_step
from balance.stats.sums import CellSums, Sums

ONE_WAY = Refusal(
    "The agents that met did not play the same teams both ways, so agent and team cannot be told apart.",
    "Let the rosters be drafted.",
)


def encounters(sums: Sums) -> tuple[SkillStep, ...] | Refusal:
    """The share of games that skill decided wherever the two sides of a level had different agents.

    s = 2w - 1 with w the mean score of the better agent, over cells that count alike.
    Source: :func:`balance.stats.luck.skill_step`.

    Parameters
    ----------
    sums : Sums

    Returns
    -------
    tuple of SkillStep, or Refusal
        A refusal when no two agents met, or met only with rosters of their own.
    """
    design, steps, confounded = sums.design, [], False
    for level in range(len(design.levels)):
        cells = [cell for cell in sums.of(level) if cell.moments.n > 1]
        names = _agents(design, cells)
        if not names:
            continue
        if not _balanced(design, [cell.cell for cell in cells]):
            confounded = True
            continue
        one, two = names
        sample = scaled_sample(cells, "player_0", 1.0, 0.0)
        if sample.mean < 0.5:
            one, two, sample = two, one, scaled_sample(cells, "player_1", 1.0, 0.0)
        steps.append(skill_step(one, two, sample))
    if steps:
        return adjusted_steps(steps)
    return ONE_WAY if confounded else NEVER_MET


def _agents(design: Design, cells: list[CellSums]) -> tuple[str, str] | None:
    """The two agents of a level, one a side; None when they are alike, mixed, or there are more sides."""
    if design.sides != 2 or not cells or not cells[0].cell.agents:
        return None
    sides = [{cells[0].cell.agents[p] for p in design.seats_of_side(side)} for side in (0, 1)]
    if sides[0] == sides[1] or any(len(side) != 1 for side in sides):
        return None
    return sides[0].pop(), sides[1].pop()


def _balanced(design: Design, cells: list[Cell]) -> bool:
    """Whether rosters were drafted, or every match of teams was played both ways round."""
    met = {(c.arena, design.team_of_side(c, 0), design.team_of_side(c, 1)) for c in cells if c.teams}
    return all((arena, two, one) in met for arena, one, two in met)
