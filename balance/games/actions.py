"""Legal actions of a position by their texts, for the notation of any game."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from balance.games.game import Game
from balance.kernel.contract import OVER


def texts_of_legal(
    game: Game, state: Any, tables: Any, format_action: Callable[[Any, Any, int], str]
) -> dict[str, int]:
    """Every legal action by its text, sorted by text; empty when the game is over."""
    if int(state["status"]) == OVER:
        return {}
    buffer = np.zeros(game.max_actions, np.int64)
    count = int(game.part("rules").CONTRACT.functions["legal"](state, tables, buffer))
    return dict(sorted((format_action(state, tables, action), action) for action in buffer[:count].tolist()))


def find_legal(text: Any, legal: dict[str, int]) -> int | None:
    """The legal action that a text means, however it is spaced; None when it means none."""
    return legal.get(" ".join(text.split())) if isinstance(text, str) else None


def near_legal(text: Any, legal: Sequence[str]) -> str:
    """A hint that names the legal actions nearest to a text, and how many more there are."""
    same = [one for one in legal if str(text).split()[:2] == one.split()[:2]]
    near = difflib.get_close_matches(str(text), same or legal, n=4, cutoff=0.3) or legal[:4]
    rest = len(legal) - len(near)
    return f"legal are {', '.join(repr(one) for one in near)}" + (f" and {rest} more" if rest > 0 else "")
