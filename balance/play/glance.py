"""A first look at a run: what the first seat scores, with nothing but the frames (no statistics library)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from balance.store.read import Run, level_label, reading

Z95 = 1.96  # half a 95 % interval in standard errors
FEWEST = 20  # pairs below which their spread is not to be trusted, and no interval is shown


@dataclass(frozen=True)
class Glance:
    """The first seat at one skill level.

    Attributes
    ----------
    label : str
        The agents.
    games, pairs : int
    score : float
        Mean score of seat A's side over pairs, 0-1.
    half_width : float or None
        1.96 standard errors over pairs; None for a single pair.
    """

    label: str
    games: int
    pairs: int
    score: float
    half_width: float | None


def glance(run: Run) -> list[Glance]:
    """The first seat's score by skill level; the pair is the sampling unit (statistics page, "The unit")."""
    import polars as pl

    levels = run.cells().lazy().select("cell", "level")
    weight = pl.col("weight")
    pairs = (
        run.games()
        .group_by("cell", "pair")
        .agg(score=(pl.col("score_a") * weight).sum() / weight.sum(), games=weight.sum())
    )
    by_level = (
        pairs.join(levels, on="cell")
        .group_by("level")
        .agg(
            pl.col("games").sum(),
            pl.len().alias("pairs"),
            pl.col("score").mean(),
            pl.col("score").std().alias("sd"),
        )
    )
    with reading(run.folder):
        rows = by_level.sort("level").collect(engine="streaming").to_dicts()
    return [_glance(run, row) for row in rows]


def _glance(run: Run, row: dict[str, Any]) -> Glance:
    half = None if row["sd"] is None else Z95 * row["sd"] / math.sqrt(row["pairs"])
    label = level_label(run.manifest["levels"][row["level"]])
    return Glance(label, row["games"], row["pairs"], row["score"], half)


def verdict(run: Run) -> str:
    """One plain line: games, and the first seat's score at each skill level."""
    mode = run.manifest["mode"]
    found = glance(run)
    first = [seat for seat in range(mode["seats"]) if mode["side_of_seat"][seat] == 0]
    who = "the first seat" if len(first) == 1 else f"side {''.join('ABCD'[seat] for seat in first)}"
    shares = ", ".join(f"{_percent(one)} with {one.label}" for one in found)
    games = sum(one.games for one in found)
    return f"{games:,} games: {who} scores {shares} (even is {100 / mode['sides']:.1f} %)"


def _percent(one: Glance) -> str:
    # Pairs that are all alike, and a handful of them, say nothing of their spread.
    spread = f" ± {100 * one.half_width:.1f}" if one.half_width and one.pairs >= FEWEST else ""
    return f"{100 * one.score:.1f} %{spread}"
