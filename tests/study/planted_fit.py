"""A game of numbers: a position is two facts, its worth a known function of them; estimates use weights."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from balance.play.cells import key_of
from balance.store.schema import RESULT
from tests.play.fakes import FakeKernel

TRUE = {"lead": 0.8, "energy": -0.4, "turn": 0.3}
NAMES = tuple(TRUE)
POSITIONS = 6  # kept a game


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
    keep_every: int = 0


def chance(facts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What positions of these facts (n, k) are worth to side 0 under weights (m, k): shape (m, n)."""
    return 1 / (1 + np.exp(-(weights @ facts.T)))


class FitKernel(FakeKernel):
    """Games whose result is drawn by the true worth of their positions; better weights win more.

    The winner of a game depends on its facts and on how far each player's weights are from the true ones.
    """

    Part = Part

    def play_part(self, game: Any, mode: Any, tables: Any, setup: Any, part: Any) -> Any:
        with self.lock:
            self.played.append((part.stream_key, part.first_pair))
        if self.on_part:
            self.on_part(len(self.played))
        results, states, owners = [], [], []
        for pair in range(part.first_pair, part.first_pair + part.pairs):
            for seating, seats in enumerate(mode.seatings):
                random = np.random.default_rng(key_of(part.stream_key, pair, seating) % 2**32)
                facts = np.repeat(random.normal(size=(1, len(NAMES))), POSITIONS, axis=0)
                row = self.result(random, facts, seats, part)
                row["pair"], row["seating"], row["stream"] = pair, seating, part.stream_key
                if part.keep_every:
                    states.append(facts)
                    owners += [len(results)] * POSITIONS
                results.append(row)
        states = np.concatenate(states) if states else np.zeros((0, len(NAMES)))
        return SimpleNamespace(results=np.array(results), states=states, owners=np.array(owners, np.int32))

    def result(self, random: Any, facts: np.ndarray, seats: Any, part: Any) -> Any:
        row = np.zeros(1, RESULT)[0]
        skill = {seat: -distance(part.agents[player]) for player, seat in enumerate(seats)}
        worth = facts[0] @ np.array(list(TRUE.values())) + skill[0] - skill[1]
        won = random.random() < 1 / (1 + np.exp(-worth))
        row["score"], row["weight"] = np.nan, 1
        row["score"][:2] = won, not won
        return row


def distance(agent: Any) -> float:
    """How far an agent's weights are from the true ones."""
    own = dict(agent.settings)
    return float(np.linalg.norm([own.get(name, 0.0) - value for name, value in TRUE.items()]))


def estimates(
    game: Any, tables: Any, states: np.ndarray, names: Any, weights: np.ndarray, sides: int
) -> np.ndarray:
    """As ``agents.estimates.estimates``."""
    whole = np.stack([np.full(len(weights), float(tables["weights"][name])) for name in NAMES], axis=1)
    for place, name in enumerate(names):
        whole[:, NAMES.index(name)] = weights[:, place]
    first = chance(states, whole)
    return np.stack([first, 1 - first], axis=2)
