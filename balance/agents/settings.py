"""Agents of a plan as records for the kernels, and the room that their searches need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from balance.agents.workspace import DEPTH, KINDS
from balance.config.agents import SEARCHERS, SETTINGS, AgentSpec, with_defaults

if TYPE_CHECKING:
    from balance.games.game import Game

MOST_NODES = 4_000_000  # of one tree: half a gigabyte; a search without room stops growing, not playing


def fill_agent(record: Any, spec: AgentSpec, game: Game, spec_number: int) -> None:
    """Write one agent into a record of dtype ``workspace.AGENT``."""
    settings = with_defaults(spec, game.agents)
    record.kind, record.spec = KINDS[spec.kind], spec_number
    record.noise = spec.number if spec.kind == "greedy" else 0.0
    record.budget = int(spec.number) if spec.kind in SEARCHERS else 0
    record.forbidden = game.restriction_mask(spec.restrict)
    for name, taken in SETTINGS.items():
        value = settings[name]
        record[name] = taken.index(value) if isinstance(taken, tuple) else value


def tree_size(agents: Sequence[AgentSpec], game: Game) -> tuple[int, int]:
    """Nodes and atoms that the largest search tree of these agents can have.

    A tree of turns makes `candidates` nodes a simulation, of at most DEPTH atoms each; a tree of atoms
    makes a node for every legal action of the positions that it has visited, at most `max_actions` each,
    and grows no more when MOST_NODES are in use.
    """
    nodes, moves = 1, 1
    for spec in agents:
        if spec.kind not in SEARCHERS:
            continue
        settings = with_defaults(spec, game.agents)
        if spec.kind == "mcts" and settings["tree"] == "turns":
            edges = int(spec.number) * int(settings["candidates"])
            nodes, moves = max(nodes, edges + 1), max(moves, edges * MEAN_ATOMS + DEPTH)
        else:
            nodes = max(nodes, int(spec.number) * min(game.max_actions, BRANCHING) + game.max_actions + 1)
    return min(nodes, MOST_NODES), min(moves, 4 * MOST_NODES)


MEAN_ATOMS = 10  # atoms of a turn that room is made for, on the average of a tree
BRANCHING = 128  # actions of a position that room is made for, on the average of a tree
