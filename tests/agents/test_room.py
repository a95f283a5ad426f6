"""The memory of a search: bounded by its budget, allocated once, as docs/decisions/0005-search.md says."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from balance.agents.settings import BRANCHING, MEAN_ATOMS, MOST_NODES, tree_size
from balance.agents.workspace import DEPTH, MOST_ENDS, NODE, Workspace
from balance.config.agents import parse_agent
from balance.games import discover, get_game
from tests.agents.deciding import ask
from tests.agents.planting import opening
from tests.conformance.playing import GAMES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "decisions" / "0005-search.md"
TEXTS = [
    f"{kind} {setting}"
    for kind, setting in product(
        ("mcts:1", "mcts:2", "mcts:7", "mcts:64"),
        ("tree=atoms", "tree=turns", "tree=turns candidates=1", "tree=turns candidates=64"),
    )
] + ["flat:1", "flat:64"]


def size_of(agents: list[str], most: int = 8192) -> tuple[int, int]:
    return tree_size([parse_agent(text) for text in agents], {}, most)


def tree_bytes(work: Workspace) -> int:
    """Bytes of a tree: what grows with the budget."""
    return work.nodes.nbytes + work.moves.nbytes + work.words.nbytes


def all_bytes(work: Workspace) -> int:
    return sum(value.nbytes for value in vars(work).values() if isinstance(value, np.ndarray))


@pytest.mark.parametrize(
    "agents",
    [
        ["random"],
        ["greedy"],
        *([text] for text in TEXTS),
        ["mcts:9 tree=turns", "mcts:9 tree=atoms", "flat:3"],
    ],
)
def test_a_workspace_has_the_room_that_was_asked_for(agents):
    contract = get_game("jump_masters").part("rules").CONTRACT
    nodes, moves = size_of(agents)
    work = Workspace.make(contract, 8192, nodes, moves)
    assert tree_bytes(work) == nodes * NODE.itemsize + moves * 16
    blank = Workspace.make(contract, 8192)
    assert all_bytes(work) - all_bytes(blank) == tree_bytes(work) - tree_bytes(blank)


@pytest.mark.parametrize("text", TEXTS)
def test_the_room_is_that_of_the_formula_and_grows_with_the_budget(text):
    agent = parse_agent(text)
    nodes, moves = size_of([text])
    settings = dict(agent.settings)
    if agent.kind == "flat":
        assert (nodes, moves) == (8193, 1)
    elif settings["tree"] == "turns":
        wide = int(settings.get("candidates", 16))
        assert nodes == agent.number * wide + MOST_ENDS + 1
        assert moves == (agent.number * wide + MOST_ENDS) * MEAN_ATOMS + MOST_ENDS * DEPTH
    else:
        assert (nodes, moves) == (agent.number * BRANCHING + 8193, 1)


def test_no_tree_is_larger_than_the_largest():
    for text in ("mcts:1000000 tree=turns candidates=64", "mcts:1000000 tree=atoms", "flat:1000000"):
        nodes, moves = size_of([text])
        assert nodes <= MOST_NODES
        assert moves <= 4 * MOST_NODES


def test_the_largest_agent_decides_the_room():
    alone = [size_of([text]) for text in TEXTS]
    assert size_of(TEXTS) == (max(nodes for nodes, _ in alone), max(moves for _, moves in alone))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("slug", GAMES)
def test_the_first_simulation_always_has_room(slug, text):
    # A tree that could not hold the root's children would play at random.
    game = discover()[slug]
    position = max(opening(slug, game.modes[0].name, game.drafts[0]), key=lambda one: int(one.state["ply"]))
    asked = ask(position, parse_agent(f"{text} depth=0"), 1)
    tree = asked.work.trees[0]
    assert 1 < tree.nodes <= len(asked.work.nodes)
    assert tree.moves <= len(asked.work.moves)
    assert asked.work.nodes[0].child == 1
    assert asked.work.nodes[0].visits == parse_agent(text).number


@pytest.mark.parametrize("text", ["mcts:300 tree=atoms depth=0", "mcts:300 tree=turns depth=0"])
@pytest.mark.parametrize("slug", GAMES)
def test_no_node_of_a_search_of_this_size_is_refused(slug, text):
    # One visit of the root a simulation, and a tree with room left for another position.
    game = discover()[slug]
    for position in opening(slug, game.modes[0].name, game.drafts[0])[4::4]:
        work = ask(position, parse_agent(text), 1).work
        assert work.trees[0].nodes < len(work.nodes)


def test_the_page_states_what_is_allocated():
    page = PAGE.read_text(encoding="utf-8")
    game = get_game("jump_masters")
    contract = game.part("rules").CONTRACT
    ruleset = game.part("schema").load_ruleset(None, {}, "duel")
    rows = re.findall(r"^\| `([a-z:0-9= ]+)` \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) MB \|$", page, re.MULTILINE)
    assert len(rows) >= 4
    for text, nodes, moves, megabytes in rows:
        size = tree_size([parse_agent(text)], ruleset.agents, game.max_actions)
        assert size == (int(nodes.replace(",", "")), int(moves.replace(",", "")))
        assert f"{tree_bytes(Workspace.make(contract, game.max_actions, *size)) / 1e6:.1f}" == megabytes
    stated = re.search(r"([\d.]+) MB whatever the agents", page)
    assert stated
    assert f"{all_bytes(Workspace.make(contract, game.max_actions)) / 1e6:.1f}" == stated[1]
    assert f"{NODE.itemsize} bytes" in page
