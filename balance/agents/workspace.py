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
SEEN = 1 << 15  # places in the table of positions met in one walk
MOST_ENDS = 64  # most ends of a turn, and positions of a beam, that are kept
PATH = 64  # most edges from the root of a search tree to a leaf
RANDOM, GREEDY, FLAT, MCTS = 0, 1, 2, 3  # kinds of agent
KINDS = {"random": RANDOM, "greedy": GREEDY, "flat": FLAT, "mcts": MCTS}

#: Words of settings by number.
TREE_ATOMS, TREE_TURNS = 0, 1
ROLLOUT_RANDOM, ROLLOUT_GREEDY = 0, 1
HORIZON_TURN, HORIZON_PLY = 0, 1

#: An agent as kernels see it; see ``config.agents.SETTINGS``.
AGENT = np.dtype(
    [
        ("kind", "i4"),
        ("spec", "i4"),  # equal for equal agents
        ("forbidden", "u8"),  # tag bits of what it must not do
        ("noise", "f8"),  # share of random moves of greedy
        ("budget", "i4"),  # simulations a decision
        ("tree", "i4"),
        ("rollout", "i4"),
        ("depth", "i4"),
        ("exploration", "f8"),
        ("candidates", "i4"),
        ("caution", "f8"),
        ("beam", "i4"),
        ("horizon", "i4"),
    ]
)

#: What one seat's agent has in mind for the rest of its turn.
MIND = np.dtype(
    [
        ("segment", "i4"),  # the turn that this plan belongs to
        ("planned", "i4"),  # atoms of the plan
        ("played", "i4"),  # atoms of it that have been played
        ("astray", "i4"),  # whether this turn is played at random
        ("action", "i8", (DEPTH,)),
        ("expected", "u8", (DEPTH,)),  # key of the position in which each atom was planned
    ]
)

#: Bookkeeping of a walk through the ends of a turn.
WALK = np.dtype(
    [
        ("ends", "i4"),  # distinct ends met
        ("tags", "u8"),  # tags of every atom met
        ("filled", "i4"),  # entries of the table of seen positions
        ("met", "i4"),  # positions stepped into
        ("keep", "i4"),  # ends to keep, the best ones; 0 only counts
        ("kept", "i4"),
        ("least", "i4"),  # index of the worst kept end
        ("order", "i4", (MOST_ENDS,)),  # kept ends from best to worst
        ("at", "i4", (DEPTH + 1,)),  # next action to try at each depth
        ("count", "i4", (DEPTH + 1,)),  # actions there
    ]
)

#: A way through a turn: the atoms, the keys of the positions they are played in, what it leads to.
WAY = np.dtype(
    [
        ("value", "f8"),  # for the side that moves, rounded so that ties are equal
        ("tie", "u8"),  # breaks ties by chance
        ("length", "i4"),
        ("score", "f8", (SEATS,)),  # estimate per side
        ("action", "i8", (DEPTH,)),
        ("expected", "u8", (DEPTH,)),
    ]
)

#: A node of a search tree, with the edge that leads to it.
NODE = np.dtype(
    [
        ("action", "i8"),  # the edge, when it is one atom
        ("first", "i4"),  # the edge, when it is a turn: its atoms in `moves`
        ("length", "i4"),
        ("side", "i4"),  # who chose the edge
        ("child", "i4"),  # first child; NONE: not expanded
        ("next", "i4"),  # next sibling
        ("visits", "i4"),
        ("prior", "f8"),  # estimate for `side` when the edge was made
        ("total", "f8", (SEATS,)),  # sum of the scores of all visits, per side
        ("best", "f8", (SEATS,)),  # score under best replies among those visited
    ]
)

#: State of a search.
TREE = np.dtype(
    [
        ("nodes", "i4"),  # nodes in use
        ("moves", "i4"),  # atoms in use
        ("root", "i4"),
        ("chosen", "i4"),  # child of the root that was played; NONE: none of the tree
        ("seat", "i4"),  # who searched, NONE at the beginning of a game, in which turn, at which ply
        ("segment", "i4"),
        ("ply", "i4"),
        ("depth", "i4"),  # edges of the present path
        ("path", "i4", (PATH + 1,)),
    ]
)

# Rows of Work.streams; the agent on seat k has AGENTS + k, its search SEARCH + k.
DEAL, DICE, DRAFT, COUNT, AGENTS, SEARCH = 0, 1, 2, 3, 4, 4 + SEATS
STREAMS = SEARCH + SEATS
# Places in Work.states: the game, the position before a ply, a search's position, then walks.
GAME, BEFORE, SIMULATED, ROOT = 0, 1, 2, 3
SCRATCH = SEATS  # the mind that walks inside a search write to


class Work(NamedTuple):
    """Scratch of one thread as kernels see it: the same names as in :class:`Workspace`."""

    states: Any
    actions: Any
    scores: Any
    seen: Any
    places: Any
    streams: Any
    minds: Any
    walks: Any
    ways: Any
    limits: Any
    nodes: Any
    moves: Any
    words: Any
    trees: Any


@kernel
def lend(arrays):
    """The scratch arrays in one bundle, without counting references to them."""
    return Work(
        unowned(arrays[0]),
        unowned(arrays[1]),
        unowned(arrays[2]),
        unowned(arrays[3]),
        unowned(arrays[4]),
        unowned(arrays[5]),
        unowned(arrays[6]),
        unowned(arrays[7]),
        unowned(arrays[8]),
        unowned(arrays[9]),
        unowned(arrays[10]),
        unowned(arrays[11]),
        unowned(arrays[12]),
        unowned(arrays[13]),
    )


@dataclass
class Workspace:
    """Scratch of one thread; see the kernels for who uses what.

    Attributes
    ----------
    states : records, shape (ROOT + DEPTH + 1 + 2 MOST_ENDS,)
        GAME, BEFORE, SIMULATED, then a walk from ROOT on, then the two layers of a beam.
    actions : int64, shape (DEPTH + 1, game.max_actions)
    scores : float64, shape (SEATS,)
    seen, places : uint64 and int32, shape (SEEN,)
        Keys of the positions that a walk has met, and where they stand.
    streams : uint64, shape (STREAMS, 1)
    minds : records, shape (SEATS + 1,)
    walks : records, shape (1,)
    ways : records, shape (3 MOST_ENDS,)
        Kept ends of a turn, then the two layers of a beam.
    limits : uint64, shape (SEATS,)
        Tag bits of what each seat must not do.
    nodes, moves, words, trees
        The search tree: records; atoms of its edges, int64, and the keys they are planned in, uint64; one
        record. Sized by ``settings.tree_size``.
    rosters : int32, shape (2, SEATS, ROSTER)
    """

    states: Any
    actions: np.ndarray
    scores: np.ndarray
    seen: np.ndarray
    places: np.ndarray
    streams: np.ndarray
    minds: Any
    walks: Any
    ways: Any
    limits: np.ndarray
    nodes: Any
    moves: np.ndarray
    words: np.ndarray
    trees: Any
    rosters: np.ndarray

    @classmethod
    def make(cls, contract: Contract, max_actions: int, nodes: int = 1, moves: int = 1) -> Workspace:
        """A fresh workspace for one game, with room for a search tree of so many nodes and atoms."""
        return cls(
            states=jit.new_records(ROOT + DEPTH + 1 + 2 * MOST_ENDS, contract.state),
            actions=np.zeros((DEPTH + 1, max_actions), np.int64),
            scores=np.zeros(SEATS),
            seen=np.zeros(SEEN, np.uint64),
            places=np.zeros(SEEN, np.int32),
            streams=np.zeros((STREAMS, 1), np.uint64),
            minds=jit.new_records(SEATS + 1, MIND),
            walks=jit.new_records(1, WALK),
            ways=jit.new_records(3 * MOST_ENDS, WAY),
            limits=np.zeros(SEATS, np.uint64),
            nodes=jit.new_records(nodes, NODE),
            moves=np.zeros(moves, np.int64),
            words=np.zeros(moves, np.uint64),
            trees=jit.new_records(1, TREE),
            rosters=np.zeros((2, SEATS, ROSTER), np.int32),
        )

    def lent(self) -> tuple[Any, ...]:
        """The arrays that :func:`lend` takes, in its order."""
        return tuple(getattr(self, name) for name in Work._fields)


def lent_type(contract: Contract) -> Any:
    """The compiler's type of :meth:`Workspace.lent`."""
    t, record = jit.types, jit.record_type
    return t.Tuple(
        (
            record(contract.state)[::1],
            t.int64[:, ::1],
            t.float64[::1],
            t.uint64[::1],
            t.int32[::1],
            t.uint64[:, ::1],
            record(MIND)[::1],
            record(WALK)[::1],
            record(WAY)[::1],
            t.uint64[::1],
            record(NODE)[::1],
            t.int64[::1],
            t.uint64[::1],
            record(TREE)[::1],
        )
    )
