"""Games that are drawn as graphs, to put agents before positions of any shape; for pure Python only.

A position is a node. Each of its actions leads to a node, or by a fair die to one of several. A node may end
the turn, end the game, hide a secret. The rule functions are those of the contract.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from balance.agents.beam import LAYERS
from balance.agents.settings import fill_agent, tree_size
from balance.agents.workspace import AGENT, BEFORE, GAME, ROOT, SEARCH, Workspace, lend
from balance.config.agents import parse_agent
from balance.kernel.contract import HEADER, NONE, OVER, SEATS, SETUP_HEADER, Contract, Rules
from balance.kernel.jit import PURE_PYTHON, new_record, new_records
from balance.kernel.rng import below, seed_stream
from tests.agents.deciding import ATOM, TURN, decide
from tests.kernel.toygame import TALLY

assert PURE_PYTHON, "graphs are read by Python code only"

STATE = np.dtype([*HEADER, ("node", "i4"), ("secret", "i4")])
SECRETS = 1000
MOST_ACTIONS = 64


@dataclass
class Graph:
    """A game: `moves[node][action]` is a node or a tuple of equally likely ones.

    Attributes
    ----------
    value : estimates of the sides by node; 1/2 where none is given
    final : scores of the sides where the game is over
    breaks : by how much `segment` rises on entering a node
    owner : seat to move by node; 0 where none is given
    hidden : whether there is a secret that nobody sees, and that the key shows
    """

    moves: dict[int, dict[int, Any]]
    value: dict[int, tuple[float, ...]] = field(default_factory=dict)
    final: dict[int, tuple[float, ...]] = field(default_factory=dict)
    breaks: dict[int, int] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    seats: int = 2
    hidden: bool = False

    def legal(self, state, tables, actions):
        for index, action in enumerate(self.moves[int(state.node)]):
            actions[index] = action
        return len(self.moves[int(state.node)])

    def sample(self, state, tables, actions, stream):
        return actions[below(stream, self.legal(state, tables, actions))]

    def step(self, state, tables, action, stream):
        target = self.moves[int(state.node)][int(action)]  # an illegal action is a KeyError
        if isinstance(target, tuple):
            target = target[below(stream, len(target))]
        state.node = target
        state.ply += 1
        state.segment += self.breaks.get(target, 0)
        state.to_move = self.owner.get(target, 0)
        if target in self.final:
            state.status, state.to_move = OVER, NONE
            state.segment += 1

    def score(self, state, tables, scores):
        scores[: self.seats] = self.final[int(state.node)]

    def evaluate(self, state, tables, scores):
        node = int(state.node)
        scores[: self.seats] = self.value.get(node, self.final.get(node, (0.5,) * self.seats))

    def conceal(self, state, tables, seat, stream):
        if self.hidden:
            state.secret = below(stream, SECRETS)

    def tag(self, state, tables, action):
        return np.uint64(1) << np.uint64(action)

    def key(self, state, tables):
        return np.uint64(int(state.node) + 1 + 100_000 * int(state.secret))

    def nothing(self, *arguments):
        raise AssertionError("no search asks for this")

    def rules(self) -> Rules:
        return Rules(
            self.nothing, self.legal, self.sample, self.step, self.score, self.evaluate, self.conceal,
            self.tag, self.key, self.nothing, self.nothing,
        )  # fmt: skip

    def start(self, node: int = 0) -> Any:
        state = new_record(STATE)
        state.seats, state.phase, state.segment, state.node = self.seats, 1, 1, node
        state.to_move, state.secret = self.owner.get(node, 0), 7
        return state


TABLES = np.dtype([("limit", "i4")])
CONTRACT = Contract(STATE, TABLES, np.dtype(SETUP_HEADER), TALLY)


def new_work(nodes: int = 1, moves: int = 1) -> Workspace:
    return Workspace.make(CONTRACT, MOST_ACTIONS, nodes, moves)


def choices(graph: Graph, agent: str, times: int, limits=None, room=None, turn=False):
    """First actions of an agent at the start, nodes that it comes to, and the workspace."""
    spec = parse_agent(agent)
    nodes, moves = room or tree_size([spec], {}, MOST_ACTIONS)
    work, agents = new_work(nodes, moves), new_records(1, AGENT)
    fill_agent(agents[0], spec, {}, 0, 0)
    for seat, mask in (limits or {}).items():
        work.limits[seat] = mask
    work.states[BEFORE] = graph.start()
    before = work.states[BEFORE].tobytes()
    chosen, ends = np.zeros(times, np.int64), new_records(times, STATE)
    sides = np.arange(SEATS, dtype=np.int32)
    played = TURN if turn else ATOM
    decide(graph.rules(), new_record(TABLES), work.lent(), agents, sides, played, chosen, ends)
    assert work.states[BEFORE].tobytes() == before
    return chosen.tolist(), ends["node"].tolist(), work


def walked(graph: Graph, search, *arguments, seed: int = 0):
    """What a walk or a beam for side 0 from the start answers, and the workspace it leaves."""
    work = new_work()
    seed_stream(work.streams[SEARCH], 5, seed, 3)
    work.states[ROOT] = work.states[LAYERS] = work.states[GAME] = graph.start()
    tables, lent = new_record(TABLES), lend(work.lent())
    found = search(graph.rules(), lent, tables, tables, 0, *arguments, SEARCH)
    return found, work
