"""What a playout needs beside the rules: records and buffers, allocated once a part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from balance.kernel import jit
from balance.kernel.contract import ROSTER, SEATS, Contract
from balance.kernel.jit import kernel
from balance.kernel.unowned import unowned

DEPTH = 40  # most atoms of one turn that a search looks ahead
SEEN = 1 << 15  # places in the table of positions met in one search
RANDOM, GREEDY = 0, 1  # kinds of agent
KINDS = {"random": RANDOM, "greedy": GREEDY}

AGENT = np.dtype([("kind", "i4"), ("number", "f8")])

#: What one seat's greedy agent has in mind for the rest of its turn.
MIND = np.dtype(
    [
        ("segment", "i4"),  # the turn that this plan belongs to
        ("planned", "i4"),  # atoms of the plan
        ("played", "i4"),  # atoms of it that have been played
        ("action", "i8", (DEPTH,)),
        ("expected", "u8", (DEPTH,)),  # key of the position in which each atom was planned
    ]
)

#: Result and bookkeeping of a walk through all ends of a turn.
WALK = np.dtype(
    [
        ("ends", "i4"),  # distinct ends met
        ("ties", "i4"),  # ends as good as the best
        ("best", "f8"),
        ("tags", "u8"),  # tags of every atom met
        ("filled", "i4"),  # entries of the table of seen positions
        ("planned", "i4"),
        ("action", "i8", (DEPTH,)),
        ("expected", "u8", (DEPTH,)),
        ("at", "i4", (DEPTH + 1,)),  # next action to try at each depth
        ("count", "i4", (DEPTH + 1,)),  # actions there
    ]
)


DEAL, DICE, DRAFT, SEARCH, AGENTS = 0, 1, 2, 3, 4  # rows of Work.streams; the agent on seat k has AGENTS + k


class Work(NamedTuple):
    """Scratch of one thread as kernels see it: the same names as in :class:`Workspace`."""

    states: Any
    actions: Any
    scores: Any
    seen: Any
    streams: Any
    minds: Any
    walks: Any


@kernel
def lend(states, actions, scores, seen, streams, minds, walks):
    """The scratch arrays in one bundle, without counting references to them."""
    return Work(
        unowned(states),
        unowned(actions),
        unowned(scores),
        unowned(seen),
        unowned(streams),
        unowned(minds),
        unowned(walks),
    )


@dataclass
class Workspace:
    """Scratch of one thread; see the kernels for who uses what.

    Attributes
    ----------
    states : records, shape (DEPTH + 3,)
        0 the game, 1 the position before a ply, 2.. the search.
    actions : int64, shape (DEPTH + 1, game.max_actions)
    scores : float64, shape (SEATS,)
    seen : uint64, shape (SEEN,)
    streams : uint64, shape (8, 1)
        DEAL, DICE, DRAFT, SEARCH, AGENTS + seat.
    minds : records, shape (SEATS,)
    walks : records, shape (1,)
    rosters : int32, shape (2, SEATS, ROSTER)
    """

    states: Any
    actions: np.ndarray
    scores: np.ndarray
    seen: np.ndarray
    streams: np.ndarray
    minds: Any
    walks: Any
    rosters: np.ndarray

    @classmethod
    def make(cls, contract: Contract, max_actions: int) -> Workspace:
        """A fresh workspace for one game."""
        return cls(
            states=jit.new_records(DEPTH + 3, contract.state),
            actions=np.zeros((DEPTH + 1, max_actions), np.int64),
            scores=np.zeros(SEATS),
            seen=np.zeros(SEEN, np.uint64),
            streams=np.zeros((8, 1), np.uint64),
            minds=jit.new_records(SEATS, MIND),
            walks=jit.new_records(1, WALK),
            rosters=np.zeros((2, SEATS, ROSTER), np.int32),
        )
