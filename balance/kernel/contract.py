"""The rule functions of a game: their names, their signatures, and the bundle that agents call.

A game's ``rules.py`` makes one :class:`Contract` of its four record types and decorates its functions
with it; the function's name picks its signature. Nothing here knows any game.

================================================  =========================================================
setup(state, tables, setup, stream)               position before the first decision
legal(state, tables, actions) -> count            fills `actions` with packed actions of the seat to move
sample(state, tables, actions, stream) -> action  one uniformly random legal action
step(state, tables, action, stream)               plays one action, updates the header
score(state, tables, scores)                      per side, sums to 1; terminal positions only
evaluate(state, tables, scores)                   estimate per side in [0, 1]
conceal(state, tables, seat, stream)              redraws what this seat cannot see
tag(state, tables, action) -> uint64              bits that an agent can be restricted by
key(state, tables) -> uint64                      hash of what the canonical text shows
observe(before, action, after, tables, tally)     fills the game's metrics
rosters(state, tables, rosters)                   reads the drafted heroes back, per seat
================================================  =========================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from balance.kernel import jit
from balance.kernel.jit import PURE_PYTHON, compiled, function_type, record_type

NONE = -1  # the one sentinel of all games: no node, no hero, no seat
SEATS = 4  # the most seats any game has
ROSTER = 16  # the most heroes a seat's roster holds

HEADER = [
    ("to_move", "i4"),  # seat that decides; NONE when over
    ("seats", "i4"),
    ("phase", "i4"),  # the game's own enum; DRAFT = 0 in every game
    ("ply", "i4"),  # actions played so far
    ("turn", "i4"),  # number of the current turn, 0 before the first
    ("segment", "i4"),  # odd while a turn is being played; leaves that value when its last atom is played
    ("status", "i4"),  # RUNNING or OVER
    ("termination", "i4"),  # the game's own enum, 0 while running
]
DRAFT = 0
RUNNING, OVER = 0, 1

SETUP_HEADER = [
    ("mode", "i4"),
    ("draft", "i4"),  # the game's own enum; FIXED = 0 in every game
    ("given", "i4", (SEATS,)),  # heroes given to each seat
    ("roster", "i4", (SEATS, ROSTER)),  # hero ids per seat, NONE beyond `given`
]
FIXED = 0

#: Field names that np.record already uses for methods or attributes.
CLASHING = frozenset(name for name in dir(np.record) if not name.startswith("_"))


class Rules(NamedTuple):
    """The rule functions of one game, as agents and playout loops call them."""

    setup: Any
    legal: Any
    sample: Any
    step: Any
    score: Any
    evaluate: Any
    conceal: Any
    tag: Any
    key: Any
    observe: Any
    rosters: Any


class Contract:
    """Signatures of one game's rule functions, from its record types.

    Parameters
    ----------
    state, tables, setup, tally : numpy.dtype
        `state` begins with :data:`HEADER`, `setup` with :data:`SETUP_HEADER`; `tally` holds ``game``,
        ``hero`` and ``node`` (see ``store.schema``).
    """

    def __init__(self, state: np.dtype, tables: np.dtype, setup: np.dtype, tally: np.dtype) -> None:
        self.state, self.tables, self.setup, self.tally = state, tables, setup, tally
        self.functions: dict[str, Callable[..., Any]] = {}
        self.signatures = {} if PURE_PYTHON else _signatures(state, tables, setup, tally)

    def rule(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Register and compile one rule function; its name says which."""
        name = function.__name__
        if name not in Rules._fields:
            raise ValueError(f"{name} is no rule function; known: {', '.join(Rules._fields)}")
        self.functions[name] = compiled(function, self.signatures.get(name))
        return self.functions[name]

    def rules(self) -> tuple[Any, ...]:
        """All rule functions in the order of :class:`Rules`, as the argument of generic kernels."""
        missing = [name for name in Rules._fields if name not in self.functions]
        if missing:
            raise ValueError(f"rule functions missing: {', '.join(missing)}")
        bundle = tuple(self.functions[name] for name in Rules._fields)
        return Rules(*bundle) if PURE_PYTHON else bundle

    def rules_type(self) -> Any:
        """The compiler's type of :meth:`rules`."""
        return jit.types.Tuple(tuple(function_type(self.signatures[name]) for name in Rules._fields))


@jit.kernel
def bundle(functions):
    """The named bundle, built inside a kernel from the plain tuple that crossed the border."""
    return Rules(
        functions[0],
        functions[1],
        functions[2],
        functions[3],
        functions[4],
        functions[5],
        functions[6],
        functions[7],
        functions[8],
        functions[9],
        functions[10],
    )


def _signatures(state: np.dtype, tables: np.dtype, setup: np.dtype, tally: np.dtype) -> dict[str, Any]:
    t = jit.types
    s, tab, su, ta = (record_type(dtype) for dtype in (state, tables, setup, tally))
    actions, stream, scores = t.int64[::1], t.uint64[::1], t.float64[::1]
    return {
        "setup": t.void(s, tab, su, stream),
        "legal": t.int64(s, tab, actions),
        "sample": t.int64(s, tab, actions, stream),
        "step": t.void(s, tab, t.int64, stream),
        "score": t.void(s, tab, scores),
        "evaluate": t.void(s, tab, scores),
        "conceal": t.void(s, tab, t.int64, stream),
        "tag": t.uint64(s, tab, t.int64),
        "key": t.uint64(s, tab),
        "observe": t.void(s, t.int64, s, tab, ta),
        "rosters": t.void(s, tab, t.int32[:, ::1]),
    }
