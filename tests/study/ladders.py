"""Ladders whose truth is planted: real plans and the real run machinery over a kernel that draws results."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from balance.play.cells import key_of
from balance.play.executors.serial import Serial
from balance.play.ladder import load_ladder_text
from balance.play.run import run
from balance.store.digest import _mix
from balance.store.read import open_run
from balance.store.schema import RESULT
from balance.study.ladder import ladder_of
from tests.play.fakes import FakeKernel, Part, _heroes

STRENGTHS = {"random": -1.2, "greedy:0.6": -0.4, "greedy:0.3": 0.3, "greedy:0.05": 1.3}
AGENTS = "agents: [random, greedy:0.6, greedy:0.3, greedy]"
TEAMS = "teams: [starters, big_hitters, crowd_control]"
DUEL = f"{{game: jump_masters, {TEAMS}, arenas: [pillars, mill], {AGENTS}, pairs: 80, record: none}}"
TOP = 2.0**64


class PlantedKernel(FakeKernel):
    """Davidson's model between seats; a result depends on stream, pair, seating and the seated agents alone.

    Parameters
    ----------
    strengths : dict of str to float
        Log-strength by label.
    ties : float
        Davidson's nu; games of two sides only.
    """

    def __init__(self, strengths: dict[str, float] = STRENGTHS, ties: float = 0.2, **options: Any) -> None:
        super().__init__(**options)
        self.strengths, self.ties = strengths, ties

    def play_part(self, game: Any, mode: Any, tables: Any, setup: Any, part: Part) -> Any:
        super().play_part(game, mode, tables, setup, part)
        rows, words = self.results(mode, part)
        return SimpleNamespace(results=rows, game=None, hero=_heroes(mode, words, 0), node=None)

    def results(self, mode: Any, part: Part) -> tuple[np.ndarray, np.ndarray]:
        seatings, n = len(mode.seatings), part.pairs
        rows = np.zeros(n * seatings, RESULT)
        rows["pair"] = np.repeat(np.arange(part.first_pair, part.first_pair + n), seatings)
        rows["seating"] = np.tile(np.arange(seatings), n)
        rows["weight"], rows["stream"] = 1, part.stream_key
        seated = np.array([[seating.index(seat) for seat in range(mode.seats)] for seating in mode.seatings])
        labels = [agent.label for agent in part.agents]
        words = _mix(rows["pair"].astype(np.uint64) ^ np.uint64(part.stream_key))
        words = _mix(words + rows["seating"].astype(np.uint64))
        for label in labels:  # other agents, other luck
            words = _mix(words ^ np.uint64(key_of(label)))
        chances = np.stack([self.chances(mode, [labels[p] for p in players]) for players in seated])
        luck = words.astype(float) / TOP
        winner = (luck[:, None] > chances[rows["seating"]].cumsum(axis=1)).sum(axis=1)
        winner[winner >= mode.sides] = -1  # the rest of the chances: nobody
        rows["winner"] = winner
        rows["score"] = np.nan
        for seat, side in enumerate(mode.side_of_seat):
            rows["score"][:, seat] = np.where(winner < 0, 1 / mode.sides, winner == side)
        rows["termination"], rows["turns"], rows["plies"] = 1, 20 + words % np.uint64(9), 50
        return rows, words

    def chances(self, mode: Any, agents: list[str]) -> np.ndarray:
        """Chance of each side by Davidson's model, its seats having the same agent."""
        side = [
            next(a for a, s in zip(agents, mode.side_of_seat, strict=True) if s == k)
            for k in range(mode.sides)
        ]
        weights = np.exp([self.strengths[label] for label in side])
        tie = self.ties * np.sqrt(weights.prod()) if mode.sides == 2 else 0.0
        return weights / (weights.sum() + tie)


def planned(text: str = DUEL, **options: Any) -> Any:
    """A ladder's plan from text."""
    return load_ladder_text(text, "ladder.yaml", **options)


def played(folder, text: str = DUEL, kernel: Any = None, executor: Any = None, **options: Any):
    """Play a planted ladder into a folder."""
    run(planned(text, **options), folder, executor or Serial(), kernel=kernel or PlantedKernel())
    return folder


def numbers(folder):
    """A stored ladder's numbers."""
    return ladder_of(open_run(folder))


def true_share(gap: float, ties: float = 0.2) -> float:
    """Score of the stronger of two that are `gap` apart."""
    up, down = np.exp(gap / 2), np.exp(-gap / 2)
    return float((up + ties / 2) / (up + down + ties))
