"""How many equally likely results an action has: every action draws once at most (section 5)."""

from __future__ import annotations

from typing import Any

from balance.games.krosmaster_blast.enums import Kind, Phase
from balance.games.krosmaster_blast.layout import ROOM, TEAM, WHICH_SHIFT
from balance.kernel.contract import NONE


def chances(state: Any, tables: Any, action: int) -> int:
    """The bound of the one draw that ``step`` may make; 1 when it draws nothing.

    Parameters
    ----------
    state, tables : numpy.record
    action : int
        Packed, and legal in `state`.
    """
    kind, which = int(action) & 15, (int(action) >> WHICH_SHIFT) & 255
    if kind == Kind.MOVE:
        return int(tables["faces"]) ** dodge_dice(state, tables)
    if kind == Kind.CAST:
        figure = int(state["fighter"][int(state["active"])]["figure"])
        row = tables["row"][int(tables["figure"][figure]["first_spell"]) + which]
        return int(tables["faces"]) if row["damage"] > 0 else 1
    last_turn = state["turn"] >= tables["turns"]
    if kind == Kind.DEPLOY and _left_to_deploy(state) == 1 or kind == Kind.END and not last_turn:
        return max(1, int(state["unseen"]).bit_count())
    return 1


def dodge_dice(state: Any, tables: Any) -> int:
    """Dice of a dodge of the active Fighter (KB39)."""
    if not tables["tackle_zones"]:
        return 0
    slot = int(state["active"])
    near = tables["beside"][int(state["fighter"][slot]["cell"])].tolist()
    others = [int(state["at"][cell]) for cell in near if cell != NONE]
    foes = [
        other for other in others if other != NONE and other // ROOM != slot // ROOM and other % ROOM < TEAM
    ]
    return min(len(foes), int(tables["dodge_dice_cap"]))


def _left_to_deploy(state: Any) -> int:
    if state["phase"] != Phase.DEPLOY:
        return 0
    fighters = state["fighter"]
    return int(((fighters["figure"] != NONE) & (fighters["cell"] == NONE)).sum())
