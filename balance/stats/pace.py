"""How games go: decisions a turn, branching, forced and capped shares.

Ratios of sums over pairs with the delta method's error, sum (a - r m)^2 over pairs: Cochran (1977), Sampling
Techniques, chapter 6. What is measured: branching, length and share of timeouts as in Browne (2008),
Automatic Generation and Evaluation of Recombination Games.
"""

from __future__ import annotations

from dataclasses import dataclass

from balance.stats.estimate import Estimate, Refusal
from balance.stats.means import UNIT, mean_of
from balance.stats.play_sums import capped_name
from balance.stats.recorded import COUNT, ratios_of
from balance.stats.sums import CellSums, Sums

FULL = "`balance run PLAN --set record=full`"  # what carries the numbers that are missing
NOT_COUNTED = Refusal(
    "What the rules allowed at each decision was not counted; a plan with `record: full` counts it in one "
    "pair of twenty.",
    f"To have it: {FULL}.",
)
BEFORE = Refusal(
    "This run was stored before decisions were counted and leads judged.", f"To have it: {FULL}."
)
NO_CAP = Refusal("No ending of this game is a cap: every game ends by its own rules.")
UNKNOWN_CAP = Refusal("The game is not installed here, so which of its endings are caps is not known.")


@dataclass(frozen=True)
class Pace:
    """How games go at one level, in one arena or in all.

    Attributes
    ----------
    level : int
    arena : str
        Empty for all arenas together.
    per_turn : Estimate or None
        Decisions over turns; None when no game had a turn.
    options : Estimate or Refusal
        Legal actions a decision.
    forced : Estimate or Refusal
        Share of decisions with a single legal action.
    capped : Estimate or Refusal
        Share of games that a cap ended.
    """

    level: int
    arena: str
    per_turn: Estimate | None
    options: Estimate | Refusal
    forced: Estimate | Refusal
    capped: Estimate | Refusal


def pace(sums: Sums, level: int, arena: str = "") -> Pace:
    """Ratios sum a / sum m over all pairs of a level, e.g. plies over turns (Cochran 1977)."""
    cells = sums.of(level, arena or None)
    counted = [first_of(cells, name, bounds) for name, bounds in (("options", COUNT), ("forced", UNIT))]
    options, forced = (found or why_not_counted(cells) for found in counted)
    return Pace(level, arena, first_of(cells, "pace", COUNT), options, forced, _capped(sums, cells))


def first_of(cells: list[CellSums], name: str, bounds: tuple[float, float]) -> Estimate | None:
    """A single ratio of :class:`balance.stats.details.Details` over cells; None when none was summed."""
    found = ratios_of(cells, name, bounds)
    return found[0] if found else None


def why_not_counted(cells: list[CellSums]) -> Refusal:
    """Why nothing was counted or judged: the level of recording, or the age of the run."""
    return BEFORE if any("branching" in cell.details.ratios for cell in cells) else NOT_COUNTED


def _capped(sums: Sums, cells: list[CellSums]) -> Estimate | Refusal:
    if sums.columns.caps is None:
        return UNKNOWN_CAP
    return mean_of(cells, capped_name(sums.design, sums.columns), UNIT) or NO_CAP
