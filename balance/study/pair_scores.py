"""Scores by pair and player of one cell of a run, with every seating counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.errors import RunError
from balance.store.schema import SUFFIXES

if TYPE_CHECKING:
    import polars

    from balance.store.read import Run

HERO_COLUMNS = ("pair", "seating", "weight", "player", "hero", "seat", "chances", "ability_uses")
COLUMNS = ("score", "counted")  # of the games table, one a seat
SEATINGS = 64  # more than any mode has


@dataclass(frozen=True)
class CellScores:
    """The pairs of one cell.

    Attributes
    ----------
    pair : ndarray of int, shape (n,)
        Ascending.
    scores : ndarray, shape (n, players)
        Mean score of each player's side over all seatings.
    heroes : polars.DataFrame
        Rows of the heroes table with those of :data:`HERO_COLUMNS` that were stored.
    counted : ndarray of int
        For each of these rows, the turns of its seat whose possible ends were counted.
    """

    pair: np.ndarray
    scores: np.ndarray
    heroes: polars.DataFrame
    counted: np.ndarray

    def holders(self, numbers: list[int]) -> np.ndarray:
        """Whether each player holds one of these heroes, shape (n, players)."""
        held = np.zeros(self.scores.shape, bool)
        if self.heroes.height:
            wanted = np.isin(self.heroes["hero"].to_numpy(), numbers)
            places = np.searchsorted(self.pair, self.heroes["pair"].to_numpy()[wanted])
            held[places, self.heroes["player"].to_numpy()[wanted]] = True
        return held


def read_cell(run: Run, cell: int) -> CellScores:
    """The pairs of one cell of a finished run."""
    from balance.stats.batch import read_rows

    mode = run.manifest["mode"]
    parts = [part for part in run.manifest["parts"] if part["cell"] == cell]
    scores, counted = ([f"{name}_{SUFFIXES[seat]}" for seat in range(mode["seats"])] for name in COLUMNS)
    games = read_rows(run, parts, "games", ["pair", "seating", *scores, *counted])
    heroes = read_rows(run, parts, "heroes", HERO_COLUMNS)
    pair, by_player = pair_scores(
        games["pair"].to_numpy(), games["seating"].to_numpy(), games.select(scores).to_numpy(), mode
    )
    turns = games.select(counted).to_numpy() if counted[0] in games.columns else None
    return CellScores(pair, by_player, heroes, _of_heroes(games, heroes, turns))


def _of_heroes(games: polars.DataFrame, heroes: polars.DataFrame, by_seat: np.ndarray | None) -> np.ndarray:
    """For each row of `heroes` what its game has at its seat; zeros where nothing was stored."""
    if by_seat is None or not heroes.height:
        return np.zeros(heroes.height, int)
    games_key, heroes_key = (
        frame["pair"].to_numpy().astype(np.int64) * SEATINGS + frame["seating"].to_numpy()
        for frame in (games, heroes)
    )
    order = np.argsort(games_key)
    rows = order[np.searchsorted(games_key[order], heroes_key)]
    return by_seat[rows, heroes["seat"].to_numpy()]


def pair_scores(
    pair: np.ndarray, seating: np.ndarray, score: np.ndarray, mode: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs, and the mean score of each player over all seatings of the mode.

    A seating that puts the same on every seat as an earlier one is not stored. The seatings of a mode are
    the powers of one exchange of seats, so that with k stored ones seating s is the game of s mod k, played
    by other players.

    Parameters
    ----------
    pair, seating : ndarray of int, shape (rows,)
    score : ndarray, shape (rows, seats)
    mode : dict
        As in a manifest.
    """
    order = np.lexsort((seating, pair))
    pairs, first, stored = np.unique(pair[order], return_index=True, return_counts=True)
    if not np.array_equal(seating[order], np.arange(len(order)) - np.repeat(first, stored)):
        raise RunError("the seatings of some pair are not complete", "finish the run first")
    total = np.zeros((len(pairs), mode["seats"]))
    for number, seats in enumerate(mode["seatings"]):
        rows = order[first + number % stored]
        total += score[rows][:, list(seats)]
    return pairs, total / len(mode["seatings"])
