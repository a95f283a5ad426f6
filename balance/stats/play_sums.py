"""Sums of how games went: pace, choices, caps, who led, and each hero's share of what its side did.

Sources: ratio estimates over pairs, Cochran (1977), chapter 6; what is counted: ``agents.judging``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from balance.stats.batch import Batch
from balance.stats.design import Design
from balance.stats.details import Details, game_of_hero
from balance.store.schema import JUDGE_GRID, LEAD_BAND

if TYPE_CHECKING:
    from balance.stats.sums import Columns, Moments

SWINGS = 11  # numbers of lead changes that are told apart; the last stands for all above
STEPS = 10  # parts of the game, and of a deficit
CAPPED = "capped"


def add_play(design: Design, details: Details, moments: Moments, batch: Batch, columns: Columns) -> None:
    """Add one batch; columns that were not stored are left out."""
    games = batch.games
    _ratio(details, batch, "pace", games["plies"].to_numpy(), games["turns"].to_numpy())
    codes = cap_codes(design, columns)
    if len(codes) > 1:  # the share of a single one is summed as of every ending
        ends = games["termination"].to_numpy()
        moments.add(CAPPED, batch.mean(np.any([ends == code for code in codes], axis=0)))
    if "decisions" in games.columns:
        decisions = games["decisions"].to_numpy()
        _ratio(details, batch, "options", games["options"].to_numpy(), decisions)
        _ratio(details, batch, "forced", games["forced"].to_numpy(), decisions)
    if "judged" in games.columns:
        _add_leads(design, details, batch)
    for name in columns.shares:
        _add_share(design, details, batch, name)


def cap_codes(design: Design, columns: Columns) -> list[int]:
    """Numbers of the terminations that are caps; none when nobody can say."""
    return [code for code, label in enumerate(design.terminations) if label in (columns.caps or ())]


def capped_name(design: Design, columns: Columns) -> str:
    """The pair value that is the share of capped games; empty when no ending is a cap, or nobody can say."""
    codes = cap_codes(design, columns)
    return CAPPED if len(codes) > 1 else f"end_{codes[0]}" if codes else ""


def _ratio(details: Details, batch: Batch, name: str, a: np.ndarray, m: np.ndarray) -> None:
    """Add the ratio of two row values, weighted and summed by pair."""
    details.add(name, batch.sum(a)[:, None], batch.sum(m)[:, None])


def _add_leads(design: Design, details: Details, batch: Batch) -> None:
    """Lead changes of the judged games; deficits of the later winner in those of them that were won."""
    games = batch.games
    judged = games["judged"].to_numpy() > 0
    _ratio(details, batch, "swings", np.where(judged, games["swings"].to_numpy(), 0), judged)
    _spread(details, batch, "swings_by", games["swings"].to_numpy(), judged, SWINGS)
    won = judged & ~np.isnan(games["behind"].to_numpy())
    for name in ("behind", "trailed", "sealed"):
        _ratio(details, batch, name, np.where(won, games[name].to_numpy(), 0.0), won)
    grid = {name: _on_grid(games[name].to_numpy(), won) for name in ("trailed", "sealed")}
    _ratio(details, batch, "comeback", grid["trailed"] * LEAD_BAND * design.sides > JUDGE_GRID, won)
    # Steps hold their upper end: a lead taken with the last value belongs to the last tenth.
    for name, values in grid.items():
        _spread(details, batch, f"{name}_by", (values * STEPS - 1) // JUDGE_GRID, won, STEPS)


def _on_grid(shares: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Shares as whole numbers, 0 where there is none."""
    return np.rint(np.where(known, shares, 0.0) * JUDGE_GRID).astype(np.int64)


def _spread(
    details: Details, batch: Batch, name: str, kind: np.ndarray, counted: np.ndarray, kinds: int
) -> None:
    """Share of the counted rows that are of each kind; what is beyond belongs to the last."""
    keys = (batch.pair * kinds + np.clip(kind, 0, kinds - 1))[counted]
    held = np.bincount(keys, batch.weight[counted], batch.n * kinds).reshape(batch.n, kinds)
    details.add(name, held, np.repeat(batch.sum(counted)[:, None], kinds, axis=1))


def _add_share(design: Design, details: Details, batch: Batch, name: str) -> None:
    """What each copy of a hero did, over what its side did in the games that it was in."""
    heroes, kinds = batch.heroes, batch.counts.shape[2]
    if name not in heroes.columns or not kinds:
        return
    done, side = heroes[name].to_numpy(), np.array(design.side_of_seat)[heroes["seat"].to_numpy()]
    place = game_of_hero(design, batch) * design.sides + side
    whole = np.bincount(place, done, batch.games.height * design.sides)[place]
    keys, weight = batch.hero_pair * kinds + heroes["hero"].to_numpy(), batch.hero_weight

    def summed(values: np.ndarray) -> np.ndarray:
        weighted = values if weight is None else weight * values
        return np.bincount(keys, weighted, batch.n * kinds).reshape(batch.n, kinds)

    details.add(f"share:{name}", summed(done), summed(whole))
