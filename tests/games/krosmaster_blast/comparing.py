"""The compiled engine against the slow reference: one document, every question."""

from __future__ import annotations

import random
from typing import Any

from balance.errors import BalanceError
from balance.games import get_game
from balance.games.position import Position
from balance.study import oracle
from tests.naive import krosmaster_blast as naive

GAME = get_game("krosmaster_blast")
NOTATION = GAME.part("notation")
MOST_RESULTS = 12  # actions of a position whose outcomes are compared


def differences(document: Any, dice: random.Random) -> list[str]:
    """What the two engines say differently about a document; empty when they agree."""
    try:
        slow = naive.load(document)
    except naive.RuleError as error:
        return _refused(document, str(error))
    try:
        fast = oracle.load(document)
    except BalanceError as error:
        return [f"load refuses: {error.message}"]
    return position_differences(fast, slow, dice)


def _refused(document: Any, why: str) -> list[str]:
    try:
        fast = oracle.load(document)
    except BalanceError:
        return []
    return [f"load accepts, the slow engine refuses ({why}): {fast.text()}"]


def position_differences(fast: Position, slow: Any, dice: random.Random) -> list[str]:
    """What differs in one position: its text, what is legal, what follows."""
    if fast.text() != naive.canonical(slow):
        return [f"loaded as {fast.text()}", f"expected  {naive.canonical(slow)}"]
    ours, theirs = oracle.legal(fast), naive.legal(slow)
    if ours != theirs:
        missing, surplus = sorted(set(theirs) - set(ours)), sorted(set(ours) - set(theirs))
        return [f"legal: missing {missing}, surplus {surplus}"]
    found = []
    for action in dice.sample(ours, min(len(ours), MOST_RESULTS)):
        found += result_differences(fast, slow, action)
    return found


def result_differences(fast: Position, slow: Any, action: str) -> list[str]:
    """What differs after one action: texts with their exact probabilities, and keys of what is read back."""
    ours, theirs = oracle.outcomes(fast, action), naive.outcomes(slow, action)
    if dict(ours) != dict(theirs):
        odd = sorted(set(ours.items()) ^ set(theirs.items()))
        return [f"after {action}: {odd}"]
    text = next(iter(ours))
    again = NOTATION.parse_canonical(text, fast)
    return [] if again.text() == text else [f"after {action}: {text} is read as {again.text()}"]


def report(document: Any, found: list[str]) -> str:
    """A failure in words that can be pasted into a case file."""
    return "\n".join([f"document: {document}", *found])
