"""Which teams meet: every legal combination once, as decision 0001 says."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from balance.games.game import Mode

MOST = 100_000  # combinations looked at; nobody plays more

Matchup = tuple[str, ...]


def round_robin(names: Sequence[str], mode: Mode, mirror: bool, ordered: bool) -> Iterator[Matchup]:
    """Every way in which these teams can meet, one team per player.

    Parameters
    ----------
    names : sequence of str
    mode : Mode
    mirror : bool
        Whether a team may also meet itself.
    ordered : bool
        Whether it matters which player holds which team, because the players' agents differ. If not, one
        arrangement stands for all that share the sides: both seatings of a pair are played anyway.
    """
    choose = itertools.combinations_with_replacement if mirror else itertools.combinations
    for chosen in choose(names, mode.seats):
        seen = set()
        for matchup in dict.fromkeys(itertools.permutations(chosen)):
            key = matchup if ordered else _sides(matchup, mode)
            if key not in seen:
                seen.add(key)
                yield matchup


def combinations(teams: int, mode: Mode, mirror: bool) -> int:
    """How many choices of teams there are, before they are arranged."""
    return math.comb(teams + mode.seats - 1, mode.seats) if mirror else math.comb(teams, mode.seats)


def copies(matchup: Matchup, rosters: Mapping[str, Sequence[str]]) -> Counter[str]:
    """How often each hero stands on the table."""
    return Counter(hero for team in matchup for hero in rosters[team])


def _sides(matchup: Matchup, mode: Mode) -> tuple[tuple[str, ...], ...]:
    sides: list[list[str]] = [[] for _ in range(mode.sides)]
    for player, team in enumerate(matchup):
        sides[mode.side_of_seat[player]].append(team)
    return tuple(sorted(tuple(sorted(side)) for side in sides))
