"""What rosters add beyond the sum of their heroes, at one skill level of a run.

Sources: those of :mod:`balance.stats.pair_effects` and :mod:`balance.stats.holdout` (Scheffe 1959; Cox
1958).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.stats.estimate import Refusal
from balance.stats.heroes import StrengthTable, pieces_of
from balance.stats.holdout import WIDEST, Holdout, holdout, matchup_hash, taken
from balance.stats.pair_effects import PairTable, pair_tables
from balance.stats.rosters import Chosen, Piece
from balance.stats.sums import Sums

WORK = 5e8  # rows times squared columns that a fit of pairs may cost: some seconds
TOO_WIDE = "With more than {most} heroes the pairs of heroes are too many to be fitted for a report."


@dataclass(frozen=True)
class RosterModel:
    """Beyond strengths, at one level.

    Attributes
    ----------
    level : int
    synergies, counters : PairTable or Refusal
    check : Holdout or Refusal
        Whether the sum of strengths is enough.
    """

    level: int
    synergies: PairTable | Refusal
    counters: PairTable | Refusal
    check: Holdout | Refusal


def roster_model(sums: Sums, level: int, strengths: StrengthTable | Refusal) -> RosterModel:
    """Synergies, counters and the out-of-sample check of one level.

    Very large runs are thinned by whole matchups, chosen by their hash, so that the fits stay quick; the
    results say how many pairs are behind them.

    Parameters
    ----------
    sums : Sums
    level : int
    strengths : StrengthTable or Refusal
        Of that level; where strengths are refused, so is the rest.
    """
    if isinstance(strengths, Refusal):
        return RosterModel(level, strengths, strengths, strengths)
    cells = [cell for cell in sums.of(level) if cell.rosters is not None]
    present = np.flatnonzero(sum(cell.rosters.copies for cell in cells))  # type: ignore[union-attr,misc]
    whole = Chosen(pieces_of(sums.design, cells, present).cells, present)
    names = tuple(sums.design.heroes[hero] for hero in present)
    pieces = thinned(whole, len(names))
    check = holdout(pieces, len(names))
    if len(names) > WIDEST:
        wide = Refusal(TOO_WIDE.format(most=WIDEST), "Use balance.stats.pair_effects.pair_tables for them.")
        return RosterModel(level, wide, wide, check)
    synergies, counters = pair_tables(pieces, names)
    return RosterModel(level, synergies, counters, check)


def thinned(pieces: Chosen, heroes: int) -> list[Piece]:
    """One in so many matchups, with all their pairs: as many as a fit of pairs can take in some seconds.

    They are few enough to be held, so that the fits that follow do not unfold all rows again and again.
    """
    columns = heroes * heroes if heroes <= WIDEST else 4 * heroes
    rows = sum(len(piece.counts) for piece in pieces)
    step = max(1, -(-int(rows * columns**2) // int(WORK)))
    found = []
    for piece in pieces:
        place = (matchup_hash(piece.counts) >> np.uint64(20)) % np.uint64(step)
        held = np.flatnonzero(place == 0)
        if len(held):
            found.append(taken(piece, held))
    return found
