"""A kernel whose games are won by chance and by abilities of a planted worth, over the real game's plans."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from balance.games import get_game
from balance.games.jump_masters.layout import HERO_NAMES
from balance.play.cells import different_seatings
from balance.store.schema import HERO_KEY, RESULT
from tests.play.fakes import FakeKernel

GAME = get_game("jump_masters")
HERO = np.dtype([*HERO_KEY, ("chances", "i4"), ("pick", "i4"), ("ability_uses", "i4")])


@dataclass(frozen=True)
class Part:
    """As ``agents.playout.Part``."""

    stream_key: int
    first_pair: int
    pairs: int
    record: int
    full_every: int
    agents: tuple[Any, ...]
    defaults: Any = None


class PlantedKernel(FakeKernel):
    """The first side scores 1 when a number of the pair is below 1/2, moved by what abilities are worth.

    Parameters
    ----------
    worth : dict of str to float
        By hero; an ability that its agent may not use, or that the rules switch off, is worth nothing.
    """

    Part = Part

    def __init__(self, worth: dict[str, float], **options: Any) -> None:
        super().__init__(**options)
        self.worth = worth

    def play_part(self, game: Any, mode: Any, tables: Any, setup: Any, part: Any) -> Any:
        self.note(part)
        rows, heroes = [], []
        for pair in range(part.first_pair, part.first_pair + part.pairs):
            rosters = self.rosters(setup, pair)
            seatings = different(mode, rosters, part.agents)
            for seating in seatings:
                heroes += seated(len(rows), mode.seatings[seating], rosters)
                row = np.zeros(1, RESULT)[0]
                row["pair"], row["seating"], row["termination"] = pair, seating, 1
                row["weight"] = len(mode.seatings) // len(seatings)
                self.score(row, mode, tables, rosters, part)
                rows.append(row)
        return SimpleNamespace(results=np.array(rows), game=None, hero=np.array(heroes, HERO), node=None)

    def note(self, part: Any) -> None:
        """Remember the part, and break where that was asked for."""
        with self.lock:
            self.played.append((part.stream_key, part.first_pair))
            if self.fail_after is not None and len(self.played) > self.fail_after:
                raise RuntimeError("the kernel broke")

    def rosters(self, setup: Any, pair: int) -> list[tuple[str, ...]]:
        """Heroes by player."""
        rosters = zip(setup["roster"].tolist(), setup["given"].tolist(), strict=True)
        return [tuple(HERO_NAMES[hero] for hero in roster[:given]) for roster, given in rosters]

    def score(self, row: Any, mode: Any, tables: Any, rosters: Any, part: Any) -> None:
        """The scores of one game, from its pair and the seats alone."""
        strength = [0.0] * mode.sides
        for player, seat in enumerate(mode.seatings[row["seating"]]):
            worth = [self.worth_of(hero, tables, part.agents[player]) for hero in set(rosters[player])]
            strength[mode.side_of_seat[seat]] += sum(worth)
        luck = np.random.default_rng([part.stream_key, int(row["pair"])]).random()
        chance = 1 / mode.sides + strength[0] - sum(strength[1:])
        row["winner"] = 0 if luck < chance else 1
        row["score"] = np.nan
        for seat in range(mode.seats):
            row["score"][seat] = float(mode.side_of_seat[seat] == row["winner"])

    def worth_of(self, hero: str, tables: Any, agent: Any) -> float:
        """What a hero's ability adds to the chance of its side."""
        bits = GAME.restrictions.get(f"power:{hero}", 0)
        forbidden = GAME.restriction_mask(agent.restrict) & bits or not tables.able[HERO_NAMES.index(hero)]
        return 0.0 if forbidden else self.worth.get(hero, 0.0)


def different(mode: Any, rosters: Any, agents: Any) -> tuple[int, ...]:
    """Seatings that are different games."""
    return different_seatings(mode, tuple(rosters), agents)


def seated(row: int, seats: Any, rosters: Any) -> list[tuple[int, ...]]:
    """A row for every hero of a game; each uses its ability once."""
    return [
        (row, seat, player, HERO_NAMES.index(hero), slot, 0, 0, 1)
        for player, seat in enumerate(seats)
        for slot, hero in enumerate(rosters[player])
    ]
