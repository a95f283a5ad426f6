"""Who led, who came back, and when it was over: by the evaluation at every turn's end.

With x_s(t) side s's share of the evaluation after turn t, the result last, w the later winner, n values:

* behind, called drama: (1/n) sum_t (max_s x_s(t) - x_w(t)). As Ludii's drama (Stephenson and others 2021,
  General Board Game Concepts); Browne (2008) took roots, over the moves at which the winner trailed;
* trailed: max_t (max_s x_s(t) - x_w(t)); a comeback when larger than the dead band, 1/5 of an even share;
* swings, called lead changes: how often another side came to lead by more than the dead band; Browne (2008)
  counts every change, however small;
* sealed, called decisiveness: t/n for the first t from which no other side came to lead again. Browne (2008)
  puts a threshold on the evaluation in its place.

Means are ratios over pairs with the delta method's error: Cochran (1977), chapter 6.
"""

from __future__ import annotations

from dataclasses import dataclass

from balance.stats.estimate import Estimate, Refusal
from balance.stats.means import UNIT
from balance.stats.pace import first_of, why_not_counted
from balance.stats.recorded import COUNT, ratios_of
from balance.stats.sums import CellSums, Sums

NO_WINNER = Refusal(
    "No game that was judged had a winner, so nobody came back and nobody took the lead for good."
)


@dataclass(frozen=True)
class Winners:
    """What winners went through, over the judged games that were won.

    Attributes
    ----------
    behind : Estimate
        Drama: how far the later winner was behind, mean over a game's values.
    trailed : Estimate
        The largest deficit of a game.
    sealed : Estimate
        Decisiveness: share of the game that had been played when the winner took the lead for good.
    comeback : Estimate
        Share of games whose winner was behind by more than the dead band.
    trailed_by, sealed_by : tuple of Estimate
        Shares of games by tenths of either, each with its upper end; a winner who never was behind is in the
        first.
    """

    behind: Estimate
    trailed: Estimate
    sealed: Estimate
    comeback: Estimate
    trailed_by: tuple[Estimate, ...]
    sealed_by: tuple[Estimate, ...]


@dataclass(frozen=True)
class Drama:
    """Leads at one level, in one arena or in all.

    Attributes
    ----------
    level : int
    arena : str
        Empty for all arenas together.
    swings : Estimate
        Lead changes a game.
    swings_by : tuple of Estimate
        Share of games with 0, 1, 2 ... lead changes; the last stands for all above.
    winners : Winners or Refusal
        Refused when no judged game had a winner.
    """

    level: int
    arena: str
    swings: Estimate
    swings_by: tuple[Estimate, ...]
    winners: Winners | Refusal


def drama(sums: Sums, level: int, arena: str = "") -> Drama | Refusal:
    """Leads at a level; refused when the run judged none of its games. Sources: see the module."""
    cells = sums.of(level, arena or None)
    swings = first_of(cells, "swings", COUNT)
    if swings is None:
        return why_not_counted(cells)
    return Drama(level, arena, swings, _shares(cells, "swings_by"), _winners(cells))


def _winners(cells: list[CellSums]) -> Winners | Refusal:
    names = ("behind", "trailed", "sealed", "comeback")
    found = {name: estimate for name in names if (estimate := first_of(cells, name, UNIT))}
    if len(found) < len(names):
        return NO_WINNER
    return Winners(**found, trailed_by=_shares(cells, "trailed_by"), sealed_by=_shares(cells, "sealed_by"))


def _shares(cells: list[CellSums], name: str) -> tuple[Estimate, ...]:
    return tuple(estimate for estimate in ratios_of(cells, name, UNIT) if estimate)
