"""``until``: a run that ends when the intervals of one kind of question are narrow enough."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from balance.config.fields import Frozen, Kind, Whole, Word, refusal
from balance.config.words import as_text

METRICS = ("hero_strength", "seat", "team", "matchup")
NARROWEST, WIDEST = 0.0005, 0.25
MOST_PAIRS = 1_000_000_000
POINTS = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(pp|%)\s*")


@dataclass(frozen=True)
class Points(Kind):
    """A width of scores: ``1pp``, ``0.5 pp``, ``1%`` or ``0.01``, all of which are stored as a number."""

    def check(self, value: Any) -> float:
        """See :class:`Kind`."""
        found = POINTS.fullmatch(value) if isinstance(value, str) else None
        number = float(found[1]) / 100 if found else value
        sound = isinstance(number, int | float) and not isinstance(number, bool)
        if not sound or not NARROWEST <= number <= WIDEST:
            raise refusal(
                f"must be a width from {100 * NARROWEST:g}pp to {100 * WIDEST:g}pp, not {as_text(value)}",
                "for example 1pp, which is 0.01",
            )
        return round(float(number), 9)

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        number = {"type": "number", "minimum": NARROWEST, "maximum": WIDEST}
        return {"anyOf": [number, {"type": "string", "pattern": r"^\s*[0-9.]+\s*(pp|%)\s*$"}]}

    def words(self) -> str:
        """See :class:`Kind`."""
        return "a width such as 1pp"


class Until(Frozen):
    """When a run has seen enough."""

    metric: Annotated[str, Word(METRICS)] | None = Field(
        None, description="which intervals count: hero_strength, seat, team or matchup (one score a cell)"
    )
    half_width: Annotated[float, Points()] = Field(
        description="half of the widest interval that is good enough, such as 1pp; valid at every look"
    )
    max_pairs: Annotated[int, Whole(1, MOST_PAIRS)] = Field(
        200_000, description="pairs in all cells together after which the run ends all the same"
    )
