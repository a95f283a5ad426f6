"""Sums of what the playouts recorded beside results: sources, kinds, branching, chances and picks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from balance.stats.batch import SUFFIXES, Batch
from balance.stats.design import Design

if TYPE_CHECKING:
    from balance.stats.sums import Columns, Moments

PICKS = 65  # pick numbers that are told apart
OTHER = "other"  # a code that its column does not name
USES = "ability_uses"  # the hero column that is set against `chances`


@dataclass
class Ratio:
    """Sums of k ratios over the pairs that have a divisor.

    Attributes
    ----------
    pairs : int
    sums : ndarray, shape (5, k)
        Sums over pairs of a, m, a a, a m, m m for the ratio of a to m.
    """

    pairs: int
    sums: np.ndarray


@dataclass
class Details:
    """Sums of one cell.

    Attributes
    ----------
    ratios : dict of str to Ratio
        ``branching``: distinct ends per counted turn; ``part:NAME``: share of a whole; ``chances`` and
        ``used`` (k = heroes): counted turns in which an ability was possible, and its uses in those;
        ``pick`` (k = heroes): pick number a copy; ``picked`` (k = ``PICKS``): score of the side by number;
        and what ``play_sums`` adds.
    """

    ratios: dict[str, Ratio] = field(default_factory=dict)

    def add(self, name: str, a: np.ndarray, m: np.ndarray) -> None:
        """Add pairs, shape (n, k) each; pairs without any divisor are left out."""
        held = (m != 0).any(axis=1)
        if not held.all():
            a, m = a[held], m[held]
        if not len(a):
            return
        sums = products(a.T, m.T)
        ratio = self.ratios.setdefault(name, Ratio(0, np.zeros_like(sums)))
        ratio.pairs += len(a)
        ratio.sums += sums

    def merge(self, other: Details) -> None:
        """Add what other pairs gave."""
        for name, more in other.ratios.items():
            ratio = self.ratios.setdefault(name, Ratio(0, np.zeros_like(more.sums)))
            ratio.pairs += more.pairs
            ratio.sums += more.sums


def products(a: np.ndarray, m: np.ndarray, of_m: tuple[np.ndarray, np.ndarray] | None = None) -> np.ndarray:
    """Sums over pairs of a, m, a a, a m, m m: shape (k, n) each to (5, k).

    Not by BLAS, whose order of summing follows the number of cores. `of_m` holds the sums of m and m m,
    where they are known.
    """
    alone, square = of_m or (m.sum(axis=1), np.einsum("kn,kn->k", m, m))
    mixed = [np.einsum("kn,kn->k", a, x) for x in (a, m)]
    return np.stack([a.sum(axis=1), alone, *mixed, square])


def add_details(design: Design, details: Details, moments: Moments, batch: Batch, columns: Columns) -> None:
    """Add one batch."""
    for _, role, names in columns.wholes:
        _add_parts(details, batch, design.sides if role == "side" else design.seats, names)
    for name, codes in columns.codes:
        _add_codes(moments, batch, design.seats, name, codes)
    counted = _spread(batch, "counted", design.seats)
    ends = _spread(batch, "ends", design.seats)
    if counted is not None and ends is not None:
        details.add("branching", _by_pair(batch, ends.sum(axis=0)), _by_pair(batch, counted.sum(axis=0)))
        _add_chances(design, details, batch, counted)
    if columns.pick in batch.heroes.columns:
        _add_picks(design, details, batch, columns.pick)


def _spread(batch: Batch, name: str, width: int) -> np.ndarray | None:
    """Columns ``name_a``, ``name_b``, ... as rows, shape (width, rows); None when they were not stored."""
    names = [f"{name}_{SUFFIXES[i]}" for i in range(width)]
    if not all(column in batch.games.columns for column in names):
        return None
    return np.stack([batch.games[column].to_numpy() for column in names])


def _by_pair(batch: Batch, values: np.ndarray) -> np.ndarray:
    """Weighted sum of a row value within each pair, shape (n, 1)."""
    return batch.sum(values)[:, None]


def _add_parts(details: Details, batch: Batch, width: int, names: Sequence[str]) -> None:
    """Shares of a whole, over all sides or seats of a game."""
    held = {name: values.sum(axis=0) for name in names if (values := _spread(batch, name, width)) is not None}
    if not held:
        return
    whole = _by_pair(batch, np.sum(list(held.values()), axis=0))
    for name, values in held.items():
        details.add(f"part:{name}", _by_pair(batch, values), whole)


def _add_codes(moments: Moments, batch: Batch, seats: int, name: str, codes: int) -> None:
    """Share of games, or of seats, with each code; codes without a name are summed up."""
    if name in batch.games.columns:
        values = batch.games[name].to_numpy()[None]
    else:
        spread = _spread(batch, name, seats)
        if spread is None:
            return
        values = spread
    for code in range(codes):
        moments.add(f"{name}={code}", batch.mean((values == code).mean(axis=0)))
    moments.add(f"{name}={OTHER}", batch.mean(((values < 0) | (values >= codes)).mean(axis=0)))


def _add_chances(design: Design, details: Details, batch: Batch, counted: np.ndarray) -> None:
    """How often each hero's ability was possible in the counted turns of its seat, and was then used.

    Both copies on one seat share the seat's count, so a seat counts once a hero.
    """
    heroes, kinds = batch.heroes, batch.counts.shape[2]
    if "chances" not in heroes.columns or not kinds:
        return
    game = game_of_hero(design, batch)
    turns = counted[heroes["seat"].to_numpy(), game]
    shown = np.flatnonzero(turns > 0)
    hero = heroes["hero"].to_numpy()[shown]
    place = (game[shown] * design.seats + heroes["seat"].to_numpy()[shown]) * kinds + hero
    _, first, seat = np.unique(place, return_index=True, return_inverse=True)
    weight = heroes["weight"].to_numpy()[shown][first].astype(float)
    keys = (batch.hero_pair[shown] * kinds + hero)[first]

    def summed(values: np.ndarray) -> np.ndarray:
        return np.bincount(keys, weight * values, batch.n * kinds).reshape(batch.n, kinds)

    chances = summed(heroes["chances"].to_numpy()[shown][first])
    details.add("chances", chances, summed(turns[shown][first]))
    if USES in heroes.columns:
        details.add("used", summed(np.bincount(seat, heroes[USES].to_numpy()[shown], len(first))), chances)


def game_of_hero(design: Design, batch: Batch) -> np.ndarray:
    """Row of `games` that each row of `heroes` belongs to."""
    width = len(design.seatings)
    row = np.zeros(batch.n * width, int)
    row[batch.pair * width + batch.games["seating"].to_numpy()] = np.arange(batch.games.height)
    return row[batch.hero_pair * width + batch.heroes["seating"].to_numpy()]


def _add_picks(design: Design, details: Details, batch: Batch, name: str) -> None:
    """Number of the pick a hero, and score of the side a number; a pair is drafted once for all seatings."""
    heroes, kinds = batch.heroes, batch.counts.shape[2]
    number = heroes[name].to_numpy()
    shown = np.flatnonzero((heroes["seating"].to_numpy() == 0) & (number > 0) & (number < PICKS))
    if not len(shown):
        return
    pair, number = batch.hero_pair[shown], number[shown]
    keys, shape = pair * kinds + heroes["hero"].to_numpy()[shown], (batch.n, kinds)
    copies = np.bincount(keys, minlength=batch.n * kinds).reshape(shape)
    details.add("pick", np.bincount(keys, number, batch.n * kinds).reshape(shape), copies.astype(float))
    side = np.array(design.side_of_seat)[heroes["player"].to_numpy()[shown]]
    keys, shape = pair * PICKS + number, (batch.n, PICKS)
    picks = np.bincount(keys, minlength=batch.n * PICKS).reshape(shape).astype(float)
    score = np.bincount(keys, batch.player_scores[pair, side], batch.n * PICKS).reshape(shape)
    details.add("picked", score, picks)
