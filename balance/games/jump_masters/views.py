"""What one seat can see of a Jump Masters position (JM74): everything, but in a pass draft.

There a seat knows its present hand, all picks of finished rounds, and every hand that it has held
before, as the picks made from it since are known. It does not know this round's picks of the others,
nor hands that have not come round to it yet.
"""

from __future__ import annotations

from typing import Any

from balance.games.jump_masters.layout import Draft, Phase
from balance.games.jump_masters.texts import SEATS, canonical, hand_names, names_text, pieces, seat_name

HIDDEN = "?"


def view(state: Any, tables: Any, seat: int) -> str:
    """Canonical text with what `seat` cannot know masked by ``?``.

    Two states that look alike to a seat give the same text. A hand it has held before is shown as it
    was before this round's pick when that pick is hidden.
    """
    if state["phase"] != Phase.DRAFT or state["draft"] != Draft.PASS:
        return canonical(state, tables)
    seats = range(int(tables["seats"]))
    lap = finished_rounds(state, tables)
    fields = ["phase=draft", f"to_move={seat_name(int(state['to_move']))}", "draft=pass"]
    fields += [f"{SEATS[other]}={_picks(state, lap, other, seat)}" for other in seats]
    fields += [f"hand_{SEATS[other]}={_hand(state, tables, lap, other, seat)}" for other in seats]
    return " ".join(fields)


def finished_rounds(state: Any, tables: Any) -> int:
    """Rounds of picks that every seat has finished."""
    return int(min(state["count"].tolist()[: int(tables["seats"])]))


def _picks(state: Any, lap: int, other: int, seat: int) -> str:
    names = [hero.name for hero in pieces(state, other)]
    if other == seat:
        return names_text(names)
    shown = names_text(names[:lap])
    return f"{shown}+{HIDDEN}" if len(names) > lap else shown


def _hand(state: Any, tables: Any, lap: int, other: int, seat: int) -> str:
    cards = hand_names(state, other)
    if other == seat:
        return names_text(cards)
    picked = [hero.name.split(".")[0] for hero in pieces(state, other)[lap:]]
    if has_held(lap, other, seat, int(tables["seats"])):
        return names_text(cards + picked)
    return f"{HIDDEN}{len(cards)}"


def has_held(lap: int, other: int, seat: int, seats: int) -> bool:
    """Whether the hand now at seat `other` has been in the hands of `seat` in an earlier round."""
    return 0 < (other - seat) % seats <= lap
