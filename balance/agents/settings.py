"""Agents of a plan as records for the kernels, and the room that their searches need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.agents.workspace import DEPTH, KINDS, MOST_ENDS
from balance.config.agents import SEARCHERS, SETTINGS, AgentSpec, with_defaults

MEAN_ATOMS = 10  # atoms of a turn that room is made for, on the average of a tree
BRANCHING = 128  # actions of a position that room is made for, on the average of a tree
MOST_NODES = 4_000_000  # of one tree, 416 MB; a search without room stops growing, not playing


Given = Mapping[str, Mapping[str, str | float]]  # settings by kind of agent, as a game's agents.yaml has them


def fill_agent(record: Any, spec: AgentSpec, given: Given, forbidden: int, number: int) -> None:
    """Write one agent into a record of dtype ``workspace.AGENT``; equal agents have equal `number`."""
    settings = with_defaults(spec, given)
    record.kind, record.spec = KINDS[spec.kind], number
    record.noise = spec.number if spec.kind == "greedy" else 0.0
    record.budget = int(spec.number) if spec.kind in SEARCHERS else 0
    record.forbidden = forbidden
    for name, taken in SETTINGS.items():
        value = settings[name]
        record[name] = taken.index(value) if isinstance(taken, tuple) else value


def weights_of(spec: AgentSpec, given: Given) -> dict[str, float]:
    """Weights of the evaluation that an agent does not share with the game."""
    settings = with_defaults(spec, given)
    return {name: float(value) for name, value in settings.items() if name not in SETTINGS}


def tree_size(agents: Sequence[AgentSpec], given: Given, max_actions: int) -> tuple[int, int]:
    """Nodes and atoms that the largest search tree of these agents can have.

    A tree of turns makes MOST_ENDS nodes at its root and `candidates` nodes a simulation, and grows while
    there is room for as many turns of DEPTH atoms, which is checked before their true lengths are known.
    A tree of atoms makes a node for every legal action of a position that it expands, one position a
    simulation, at most `max_actions` each. Flat Monte Carlo has the actions of the root. No tree grows
    when MOST_NODES are in use.
    """
    nodes, moves = 1, 1
    for spec in agents:
        if spec.kind not in SEARCHERS:
            continue
        settings = with_defaults(spec, given)
        if spec.kind == "flat":
            nodes = max(nodes, max_actions + 1)
        elif settings["tree"] == "turns":
            edges = int(spec.number) * int(settings["candidates"]) + MOST_ENDS
            nodes, moves = max(nodes, edges + 1), max(moves, edges * MEAN_ATOMS + MOST_ENDS * DEPTH)
        else:
            nodes = max(nodes, int(spec.number) * min(max_actions, BRANCHING) + max_actions + 1)
    return min(nodes, MOST_NODES), min(moves, 4 * MOST_NODES)
