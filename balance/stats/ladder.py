"""Strengths of agents on one scale, where the results allow one.

Davidson's Bradley-Terry model has no finite maximum when some agents never lost a game against the rest.
The agents then fall into groups: inside a group wins and draws lead from every agent to every other, and a
scale exists; between groups only the lower bounds of the win shares say how far they are apart.

Sources: R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
experiments" (1970); L. R. Ford, "Solution of a ranking problem from binary comparisons" (1957), for when a
scale exists.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.stats.contests import LOST, TIED, WON, Contest, Units, outcome_table
from balance.stats.davidson import Games, Ratings, davidson
from balance.stats.estimate import Estimate, Refusal, interval

METHOD = "Davidson Bradley-Terry with ties, error clustered by {unit}"
ALONE = "no finite strength: see the lower bounds"
NOT_PLAYED = "has not played yet"
UNSETTLED = "no finite strength: no decided games, or draws outrun the wins"


@dataclass(frozen=True)
class Strength:
    """One agent on the scale of its group.

    Attributes
    ----------
    agent : int
        Place in the ladder.
    group : int
        Agents with the same number can be compared by their strengths; groups of one have none.
    estimate : Estimate or None
        Log-odds, sum zero inside the group.
    note : str
        Why there is no number; empty when there is one.
    """

    agent: int
    group: int
    estimate: Estimate | None
    note: str


@dataclass(frozen=True)
class Scale:
    """Fitted strengths.

    Attributes
    ----------
    strengths : tuple of Strength
        In the order of the ladder.
    fitted : dict of Contest to float
        Win share that the strengths imply, for contests inside a group.
    ties : dict of int to float
        Davidson's nu by group.
    """

    strengths: tuple[Strength, ...]
    fitted: dict[Contest, float]
    ties: dict[int, float]

    @property
    def separated(self) -> bool:
        """Whether one scale does not hold all agents that played."""
        played = [one for one in self.strengths if one.note != NOT_PLAYED]
        return len({one.group for one in played}) > 1


def scale_of(units: Mapping[Contest, Units], agents: int, per_unit: float, unit: str = "pairs") -> Scale:
    """Strengths of all agents, group by group.

    Parameters
    ----------
    units : mapping of Contest to Units
        Contests that were played.
    agents : int
    per_unit : float
        Games of a unit.
    unit : str
        What units are called.
    """
    labels = groups_of(units, agents)
    found: dict[int, Strength] = {}
    fitted: dict[Contest, float] = {}
    ties: dict[int, float] = {}
    for group in sorted(set(labels)):
        members = [agent for agent in range(agents) if labels[agent] == group]
        inside = [c for c in units if labels[c.one] == labels[c.other] == group]
        ratings = _fit(units, inside, members, per_unit) if inside else None
        for agent in members:
            note = _note(units, agent, inside, ratings)
            found[agent] = Strength(
                agent, group, _estimate(units, inside, members, ratings, agent, unit), note
            )
        if ratings is not None:
            ties[group] = ratings.ties
            fitted |= {c: _implied(ratings, members, c) for c in inside}
    return Scale(tuple(found[agent] for agent in range(agents)), fitted, ties)


def groups_of(units: Mapping[Contest, Units], agents: int) -> list[int]:
    """Group of each agent: strongly connected by won and tied games; numbered in the order of the ladder."""
    from scipy.sparse.csgraph import connected_components

    graph = np.zeros((agents, agents))
    for contest, own in units.items():
        won, tied, lost = (own.values[:, column].sum() for column in (WON, TIED, LOST))
        graph[contest.one, contest.other] += won + tied
        graph[contest.other, contest.one] += lost + tied
    _, labels = connected_components(graph > 0, directed=True, connection="strong")
    order = {label: place for place, label in enumerate(dict.fromkeys(labels.tolist()))}
    return [order[label] for label in labels.tolist()]


def _fit(
    units: Mapping[Contest, Units], inside: Sequence[Contest], members: Sequence[int], per_unit: float
) -> Ratings | None:
    counts, clusters = outcome_table(units, inside)
    games = Games(
        np.array([members.index(contest.one) for contest in inside]),
        np.array([members.index(contest.other) for contest in inside]),
        counts,
        len(members),
        per_pair=per_unit,
        clusters=clusters,
    )
    found = davidson(games)
    return None if isinstance(found, Refusal) else found


def _estimate(
    units: Mapping[Contest, Units],
    inside: Sequence[Contest],
    members: Sequence[int],
    ratings: Ratings | None,
    agent: int,
    unit: str,
) -> Estimate | None:
    if ratings is None:
        return None
    place = members.index(agent)
    n = sum(len(units[c].key) for c in inside if agent in (c.one, c.other))
    error = math.sqrt(max(float(ratings.covariance[place, place]), 0.0))
    return interval(float(ratings.ratings[place]), error, n, METHOD.format(unit=unit))


def _note(
    units: Mapping[Contest, Units], agent: int, inside: Sequence[Contest], ratings: Ratings | None
) -> str:
    if ratings is not None:
        return ""
    if not any(agent in (contest.one, contest.other) for contest in units):
        return NOT_PLAYED
    return UNSETTLED if inside else ALONE


def _implied(ratings: Ratings, members: Sequence[int], contest: Contest) -> float:
    """Win share of `one` under the model, a tie counting one half."""
    gap = ratings.ratings[members.index(contest.one)] - ratings.ratings[members.index(contest.other)]
    up, down = math.exp(gap / 2), math.exp(-gap / 2)
    return float((up + ratings.ties / 2) / (up + ratings.ties + down))
