"""The compiled engine against the slow reference: one position, every question."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from balance.errors import BalanceError
from balance.games import get_game
from balance.games.position import Position
from balance.study import oracle
from tests.games.compared import Compared
from tests.naive import jump_masters as naive

GAME = get_game("jump_masters")
NOTATION = GAME.part("notation")

# Fields that a loaded state need not share with a played one: counters, events, how it was drafted.
HISTORY = {"ply", "segment", "events", "event", "draft"}


def naive_positions(rng: random.Random, count: int) -> Iterator[Any]:
    """Random documents and random play by turns, all modes and parameters."""
    played = naive.random_playout_positions(rng, count // 3)
    for index in range(count):
        yield next(played) if index % 3 == 2 and index // 3 < count // 3 else naive.random_position(rng)


def compared(seed: int, count: int) -> Iterator[Compared]:
    """Positions of random documents and of random play, compared."""
    for slow in naive_positions(random.Random(seed), count):
        found, legal = differences(slow), len(naive.legal(slow))
        same = hash((repr(naive.document(slow)), naive.canonical(slow)))
        said = report(slow, found) if found else ""
        yield Compared({"mode": slow.mode, "phase": slow.phase}, same, legal, legal, legal, said)


def differences(slow: Any) -> list[str]:
    """What the two engines say differently about one position; empty when they agree."""
    document = naive.document(slow)
    try:
        fast = oracle.load(document)
    except BalanceError as error:
        return [f"load refuses: {error.message}"]
    found = []
    if fast.text() != naive.canonical(slow):
        found.append(f"loaded as {fast.text()}")
    packed = [(oracle.format_action(fast, action), action) for action in oracle.actions(fast)]
    ours, theirs = sorted(text for text, _ in packed), naive.legal(slow)
    if ours != theirs:
        found.append(
            f"legal: missing {sorted(set(theirs) - set(ours))}, surplus {sorted(set(ours) - set(theirs))}"
        )
        found += ["legal: a text stands twice"] * (len(set(ours)) != len(ours))
    for text, action in packed:
        if text in theirs:
            found += after_differences(oracle.play(fast, action), slow, text)
    if slow.phase in ("turn", "stepped", "jumping") and oracle.turn_ends(fast) != naive.turn_ends(slow):
        found.append("turn_ends differ")
    return found


def after_differences(result: Position, slow: Any, action: str) -> list[str]:
    """What differs after one action: the text, and how the state is kept."""
    expected = naive.canonical(naive.after(slow, action))
    if result.text() != expected:
        return [f"after {action}: expected {expected}, got {result.text()}"]
    again = NOTATION.parse_canonical(expected, result)
    odd = state_differences(result, again)
    return [f"after {action}: played and loaded states differ in {odd}"] if odd else []


def state_differences(one: Position, other: Position) -> list[str]:
    """Fields in which two states of the same text differ, history apart."""
    if oracle.is_over(one):
        return [] if oracle.key(one) == oracle.key(other) else ["key"]
    odd = [
        name
        for name in one.state.dtype.names
        if name not in HISTORY and one.state[name].tobytes() != other.state[name].tobytes()
    ]
    if odd == ["hero"] and draft_heroes(one) == draft_heroes(other):
        odd = []
    if one.state["segment"] % 2 != other.state["segment"] % 2:
        odd.append("parity of segment")
    return odd + ([] if oracle.key(one) == oracle.key(other) else ["key"])


def draft_heroes(position: Position) -> Any:
    """Picks without their order, which the canonical text does not show; None after the draft."""
    if position.state["phase"] != 0:
        return object()
    return [sorted(position.state["hero"][seat * 4 : seat * 4 + 4].tolist()) for seat in range(4)]


def report(slow: Any, found: list[str]) -> str:
    """A failing position with its document, ready to be looked at."""
    return f"{naive.document(slow)}\n{naive.canonical(slow)}\n" + "\n".join(found)
