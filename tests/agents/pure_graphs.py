"""Agents before graphs: chance, hidden things, turns of every shape. ``test_pure.py`` runs it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import count

import numpy as np
import pytest
from scipy.stats import chisquare

from balance.agents import beam, lookahead, workspace
from balance.agents.beam import beam_turn
from balance.agents.lookahead import ALL, LOST, WON, walk_atoms, walk_turn
from balance.agents.rollout import roll_out
from balance.agents.settings import fill_agent
from balance.agents.workspace import DEPTH, GAME, MOST_ENDS, SIMULATED
from balance.config.agents import parse_agent
from balance.kernel.contract import NONE
from balance.kernel.jit import new_record
from tests.agents.graphs import Graph, choices, walked

SEARCHERS = ["flat:40 depth=2", "mcts:40", "mcts:40 tree=turns depth=0", "mcts:40 tree=turns depth=2"]
THINKERS = ["greedy:0", *SEARCHERS]
UNIFORM = 1e-4


def children(work, parent=0):
    """Actions of the children of a node of the tree that was left."""
    found, at = [], work.nodes[parent].child
    while at != NONE:
        found.append(int(work.nodes[at].action))
        at = work.nodes[at].next
    return found


# ---- chance

# A die shows one of four faces; who then names it wins, who does not, loses.
DICE = Graph(
    moves={0: {9: (1, 2, 3, 4)}}
    | {face: {guess: 10 if guess == face else 11 for guess in (1, 2, 3, 4)} for face in (1, 2, 3, 4)},
    final={10: (1.0, 0.0), 11: (0.0, 1.0)},
)
# The choice between a draw and a throw that wins once in six times.
GAMBLE = Graph(
    moves={0: {1: (10, 11, 11, 11, 11, 11), 2: 12}},
    final={10: (1.0, 0.0), 11: (0.0, 1.0), 12: (0.5, 0.5)},
)


@pytest.mark.parametrize("agent", THINKERS)
def test_a_plan_that_chance_breaks_is_made_anew(agent):
    assert set(choices(DICE, agent, 12, turn=True)[1]) == {10}


def test_a_turn_meant_to_be_random_stays_so():
    # A guess is right in a quarter of all turns.
    right = Counter(choices(DICE, "greedy:1", 400, turn=True)[1])[10]
    assert abs(right - 100) < 4 * np.sqrt(400 * 3 / 16)


@pytest.mark.parametrize("agent", SEARCHERS)
def test_a_lucky_look_is_no_certain_win(agent):
    assert set(choices(GAMBLE, agent.replace(":40", ":150"), 5)[0]) == {2}


# What is legal after the throw differs, and so does its order.
UNEVEN = Graph(
    moves={0: {9: (1, 2, 3)}, 1: {5: 10, 6: 11}, 2: {6: 11, 7: 10, 5: 11}, 3: {7: 11}},
    final={10: (1.0, 0.0), 11: (0.0, 1.0)},
)
FORKED = Graph(moves=UNEVEN.moves | {0: {9: (1, 2, 3), 8: (1, 2, 3)}}, final=UNEVEN.final)


def test_an_action_has_one_child_in_whatever_order_it_comes():
    _, _, work = choices(FORKED, "mcts:300", 1)
    assert children(work) == [9, 8]
    for child in (1, 2):
        assert sorted(children(work, child)) == [5, 6, 7]
    assert work.trees[0].nodes == 1 + 2 + 2 * 3


# A turn of two throws of one's choice: nothing in it is sure.
THROWS = {3: (10, 11), 4: (10, 10, 11), 5: (10, 11, 11)}
TWICE = Graph(moves={0: {1: 1, 2: 2}, 1: THROWS, 2: THROWS}, final={10: (1.0, 0.0), 11: (0.0, 1.0)})


def test_a_turn_goes_on_below_what_was_played_with_a_whole_budget():
    _, _, work = choices(TWICE, "mcts:100", 1, turn=True)
    nodes, root = work.nodes, int(work.trees[0].root)
    assert root in (1, 2)
    assert children(work) == [1, 2]  # nothing was added to the root of the turn
    assert sorted(children(work, root)) == [3, 4, 5]
    visits, at = 0, nodes[root].child
    while at != NONE:
        visits += int(nodes[at].visits)
        at = nodes[at].next
    # Every simulation through the root went on to a child, but for the one that made it.
    assert visits == nodes[root].visits - 1
    assert visits >= 100


# ---- hidden things

# Two numbers are to be chosen that add up to 4; the secret has nothing to do with it.
HIDDEN = Graph(
    moves={0: {1: 1, 2: 2, 3: 3}}
    | {first: {second: 10 if first + second == 4 else 11 for second in (1, 2, 3)} for first in (1, 2, 3)},
    final={10: (1.0, 0.0), 11: (0.0, 1.0)},
    hidden=True,
)


@pytest.mark.parametrize("agent", THINKERS)
def test_a_guess_at_what_is_hidden_breaks_no_plan(agent):
    assert set(choices(HIDDEN, agent, 8, turn=True)[1]) == {10}


# ---- turns of all shapes


def random_graph(dice: random.Random, layers: int, width: int) -> Graph:
    """A turn in layers, of which each position leads to some of the next or of the ends."""
    moves, breaks, value, numbers = {}, {}, {}, count(1)
    layer = [0]
    for _ in range(layers):
        below = [next(numbers) for _ in range(dice.randint(1, width))]
        ends = [next(numbers) for _ in range(dice.randint(1, 3))]
        for node in layer:
            targets = dice.sample(below, min(len(below), dice.randint(1, 4)))
            targets += [dice.choice(ends)] if dice.random() < 0.3 else []
            moves[node] = dict(zip(dice.sample(range(20), len(targets)), targets, strict=True))
        breaks |= dict.fromkeys(ends, 2)
        layer = below
    for node in layer:
        moves[node] = {3: next(numbers)}
        breaks[moves[node][3]] = 2
    for node in range(next(numbers)):
        mark = dice.randint(0, 40) / 40
        value[node] = (mark, 1 - mark)
    for end in breaks:
        moves[end] = {1: end}
    return Graph(moves, value, breaks=breaks)


def ends_reached(graph: Graph) -> set[int]:
    """Ends of the first turn, by the book."""
    found, waiting = set(), [0]
    while waiting:
        for target in graph.moves[waiting.pop()].values():
            if target in graph.breaks:
                found.add(target)
            else:
                waiting.append(target)
    return found


def led_to(graph: Graph, way) -> int:
    """Node that the atoms of a way lead to; the keys on the way must be those expected."""
    node = 0
    for index in range(way.length):
        assert way.expected[index] == node + 1 + 7 * 100_000
        node = graph.moves[node][int(way.action[index])]
    return node


def kept_ends(graph: Graph, work) -> list[int]:
    """Ends that a search kept, best first."""
    walk = work.walks[0]
    return [led_to(graph, work.ways[walk.order[rank]]) for rank in range(walk.kept)]


@pytest.mark.parametrize("keep", [1, 3, 64])
@pytest.mark.parametrize("search", ["walk", "beam"])
def test_the_best_ends_are_kept_in_order(search, keep):
    for seed in range(8):
        graph = random_graph(random.Random(seed), 4, 6)
        if search == "walk":
            found, work = walked(graph, walk_turn, keep, ALL, seed=seed)
            assert found
        else:  # a beam as wide as the widest layer cuts nothing
            _, work = walked(graph, beam_turn, keep, MOST_ENDS, seed=seed)
        reached = ends_reached(graph)
        kept = kept_ends(graph, work)
        assert len(set(kept)) == len(kept) == min(keep, len(reached))
        assert work.walks[0].ends == len(reached)
        worth = [graph.value[end][0] for end in kept]
        assert worth == sorted((graph.value[end][0] for end in reached), reverse=True)[:keep]


@pytest.mark.parametrize("width", [1, 2, 5])
def test_a_narrow_beam_keeps_true_ways(width):
    cut = 0
    for seed in range(8):
        graph = random_graph(random.Random(seed), 5, 8)
        _, work = walked(graph, beam_turn, 8, width, seed=seed)
        kept, reached = kept_ends(graph, work), ends_reached(graph)
        assert set(kept) <= reached
        assert len(set(kept)) == len(kept)
        cut += len(kept) < min(8, len(reached))
    assert cut > 0


@pytest.mark.parametrize("keep", [1, 2])
@pytest.mark.parametrize("search", ["walk", "beam", "atoms"])
def test_equal_ends_are_kept_by_chance(search, keep):
    # Seven equal ends, among worse ones and one better.
    targets = list(range(1, 12))
    value = {end: (0.7 if end < 8 else 0.2,) * 2 for end in targets}
    graph = Graph(
        {0: {end: end for end in targets}} | {end: {1: end} for end in targets},
        value,
        breaks=dict.fromkeys(targets, 2),
    )
    rest = {"walk": (walk_turn, keep, ALL), "beam": (beam_turn, keep, 16), "atoms": (walk_atoms, keep)}[
        search
    ]
    counts: Counter = Counter()
    for seed in range(210):
        counts.update(kept_ends(graph, walked(graph, *rest, seed=seed)[1]))
    assert set(counts) == set(range(1, 8))
    assert chisquare(list(counts.values())).pvalue > UNIFORM


def test_an_end_met_on_two_ways_is_one_end():
    # End 5 is met three times, end 6 once: a tie between two, not among four.
    graph = Graph(
        {0: {1: 1, 2: 2, 3: 3, 4: 6}, 1: {1: 5}, 2: {1: 5}, 3: {1: 5}, 5: {1: 5}, 6: {1: 6}},
        breaks={5: 2, 6: 2},
    )
    counts: Counter = Counter()
    for seed in range(160):
        found, work = walked(graph, walk_turn, 1, ALL, seed=seed)
        assert found
        assert work.walks[0].ends == 2
        counts.update(kept_ends(graph, work))
    assert chisquare(list(counts.values())).pvalue > UNIFORM
    assert set(counts) == {5, 6}


# ---- turns too large to be walked


@pytest.fixture
def short_walks(monkeypatch):
    """Let a beam take the place of a walk after ten positions."""
    monkeypatch.setattr(beam, "MOST_MET", 10)


def counter(length: int) -> Graph:
    """Each atom raises a sum by 0, 1 or 2 and the best sum is the largest."""

    def name(step, total):
        return step * 1000 + total

    moves, value, final = {}, {}, {}
    for step in range(length):
        for total in range(2 * step + 1):
            moves[name(step, total)] = {raised: name(step + 1, total + raised) for raised in range(3)}
            value[name(step, total)] = (total / (2 * length + 1), 0.0)
    for total in range(2 * length + 1):
        share = (total + 1) / (2 * length + 2)
        final[name(length, total)] = (share, 1 - share)
    return Graph(moves, value, final)


@pytest.mark.parametrize("width", [1, 2, 16, 64])
@pytest.mark.parametrize(
    "agent", ["greedy:0", "mcts:6 tree=turns depth=0", "mcts:3 tree=turns depth=1 rollout=greedy"]
)
def test_a_beam_finds_its_way_through_a_large_turn(short_walks, agent, width):
    graph = counter(9)
    assert set(choices(graph, f"{agent} beam={width}", 3, turn=True)[1]) == {9018}


@pytest.mark.parametrize(
    "agent",
    [
        "greedy:0",
        "flat:1 depth=1",
        "mcts:1 depth=1",
        "mcts:3 tree=turns depth=0",
        "mcts:3 tree=turns depth=1",
    ],
)
def test_a_turn_longer_than_any_plan_is_played_to_its_end(short_walks, agent):
    length = DEPTH + 5
    _, ends, _ = choices(counter(length), f"{agent} beam=1", 1, turn=True)
    assert ends[0] // 1000 == length
    if agent == "greedy:0":  # the plan is renewed where it stops
        assert ends == [length * 1000 + 2 * length]


# The beam keeps 2 rather than 1; from 2 only 1 can be reached, which it has met: no end is left. The
# subtree below 3 is what makes the walk give up.
DEAD = Graph(
    {0: {3: 3, 1: 1, 2: 2}, 1: {1: 50}, 2: {1: 1}}
    | {node: {4: node + 1, 5: node + 1} for node in range(3, 16)}
    | {16: {1: 50}},
    value={1: (0.2, 0.8), 2: (0.9, 0.1), **dict.fromkeys(range(3, 17), (0.1, 0.9))},
    final={50: (0.5, 0.5)},
)


@pytest.mark.parametrize(
    "agent",
    [
        "greedy:0",
        "mcts:6 tree=turns depth=0",
        "mcts:6 tree=turns rollout=greedy",
        "flat:6 rollout=greedy",
        "mcts:6 rollout=greedy",
    ],
)
def test_a_beam_without_an_end_is_no_end(short_walks, agent):
    _, work = walked(DEAD, beam_turn, 1, 1)
    assert work.walks[0].kept == 0
    assert set(choices(DEAD, f"{agent} beam=1", 4, turn=True)[1]) == {50}


def test_a_full_table_of_positions_forgets_but_never_overruns(monkeypatch):
    monkeypatch.setattr(lookahead, "SEEN", 32)
    graph = counter(6)
    found, work = walked(graph, walk_turn, 1, ALL)
    assert found
    assert kept_ends(graph, work) == [6012]
    assert work.walks[0].filled == 3 * 32 // 4
    assert not work.seen[32:].any()


# ---- what the end of a game is worth


def test_ends_of_games_have_their_scores_and_wins_come_first():
    # The estimate of a running position may reach 1; a win is still better. A draw of three is worth a third.
    third = (1 / 3,) * 3
    graph = Graph(
        {0: {1: 1, 2: 2, 3: 3, 4: 4}, 1: {1: 1}},
        value={1: (1.0, 0.0, 0.0), 2: (1.0, 0.0, 0.0), 3: (0.5,) * 3, 4: (0.0,) * 3},
        final={2: (1.0, 0.0, 0.0), 3: third, 4: (0.0, 1.0, 0.0)},
        breaks={1: 2},
        seats=3,
    )
    for seed in range(8):
        _, work = walked(graph, walk_turn, 8, ALL, seed=seed)
        assert kept_ends(graph, work) == [2, 1, 3, 4]
        ways = [work.ways[work.walks[0].order[rank]] for rank in range(4)]
        assert [way.value for way in (ways[0], ways[3])] == [WON, LOST]
        assert ways[2].score[:3].tolist() == list(third)


# ---- the tree

# The opponent answers 1 with a win, unless action 6 is forbidden to it; 2 gives a draw at once.
REPLY = Graph(
    {0: {1: 1, 2: 12}, 1: {5: 10, 6: 11}},
    final={10: (1.0, 0.0), 11: (0.0, 1.0), 12: (0.5, 0.5)},
    breaks={1: 2},
    owner={1: 1},
)


@pytest.mark.parametrize(
    "agent", [*SEARCHERS, "flat:40 rollout=greedy", "mcts:40 rollout=greedy", "mcts:40 caution=1"]
)
def test_a_search_reckons_with_the_restrictions_of_others(agent):
    assert set(choices(REPLY, agent, 8, limits={1: 1 << 6})[0]) == {1}
    if agent != SEARCHERS[0]:  # a random reply is no better for us than the draw, nor worse
        assert set(choices(REPLY, agent, 8)[0]) == {2}
        # Where all is forbidden the restriction yields, in the search as well.
        assert set(choices(REPLY, agent, 8, limits={1: (1 << 5) | (1 << 6)})[0]) == {2}


# Turns 1 to 9 look best and lose at once; 10, which looks worst, does not.
TRAP = Graph(
    {0: {one: one for one in range(1, 11)}}
    | {one: {1: 21, 2: 22} for one in range(1, 10)}
    | {10: {1: 22, 2: 22}},
    value={one: (1 - one / 20, one / 20) for one in range(1, 11)},
    final={21: (0.0, 1.0), 22: (0.5, 0.5)},
    breaks=dict.fromkeys(range(1, 11), 2),
    owner=dict.fromkeys(range(1, 11), 1),
)


@pytest.mark.parametrize("candidates", [1, 4, 9, 10, 64])
def test_where_all_candidates_are_lost_the_others_are_looked_at(candidates):
    agent = f"mcts:40 tree=turns depth=0 exploration=0.1 candidates={candidates}"
    assert set(choices(TRAP, agent, 3)[0]) == {10}


@pytest.mark.parametrize("agent", THINKERS)
def test_what_is_forbidden_is_not_played(agent):
    assert set(choices(REPLY, agent, 5, limits={0: 1 << 2})[0]) == {1}
    assert set(choices(REPLY, agent, 5, limits={0: 1 << 1})[0]) == {2}


@pytest.mark.parametrize("room", [(1, 1), (2, 1), (3, 50), (4, 200), (6, 400), (20, 2000)])
@pytest.mark.parametrize("agent", [*SEARCHERS, "mcts:40 rollout=greedy", "mcts:40 caution=1"])
def test_a_tree_without_room_still_plays(agent, room):
    for graph in (counter(3), UNEVEN, HIDDEN, REPLY):
        firsts, _, work = choices(graph, agent.replace(":40", ":12"), 3, room=room)
        assert set(firsts) <= set(graph.moves[0])
        assert work.nodes.shape[0] == room[0]
        assert work.trees[0].nodes <= room[0]
        assert work.trees[0].moves <= room[1]


def test_a_new_position_gets_all_of_its_children_or_none():
    for room in range(1, 30, 3):
        _, _, work = choices(counter(4), "mcts:60", 1, room=(room, 1))
        for node in range(work.trees[0].nodes):
            assert len(children(work, node)) in (0, 3)


def test_a_forced_atom_does_not_end_a_plan():
    # One search of the first decision is all that this turn needs.
    graph = Graph(
        {0: {1: 1, 2: 2}, 1: {1: 3}, 2: {1: 3}, 3: {1: 4, 2: 5}, 4: {1: 4}, 5: {1: 5}},
        value={4: (0.9, 0.1), 5: (0.1, 0.9)},
        breaks={4: 2, 5: 2},
    )
    _, ends, work = choices(graph, "mcts:8 tree=turns depth=0", 1, turn=True)
    assert ends == [4]
    assert work.minds[0].planned == work.minds[0].played == 3


def test_flat_search_begins_anywhere():
    # With a budget of one the first action tried is the one played.
    graph = Graph(
        {0: {one: one for one in range(1, 7)}} | {one: {1: one} for one in range(1, 7)},
        breaks=dict.fromkeys(range(1, 7), 2),
    )
    counts = Counter(choices(graph, "flat:1 depth=0", 300)[0])
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > UNIFORM


# Each turn is one atom; whoever plays atom number 3 wins.
TURNS = Graph(
    {0: {1: 1}, 1: {1: 2}, 2: {1: 3}, 3: {1: 4}},
    value={node: (node / 10, 0.0) for node in range(4)},
    final={4: (1.0, 0.0)},
    breaks={1: 1, 2: 1, 3: 2},
)


def agent_record(text):
    """An agent as kernels see it."""
    record = new_record(workspace.AGENT)
    fill_agent(record, parse_agent(text), {}, 0, 0)
    return record


@pytest.mark.parametrize(("depth", "estimate"), [(0, 0.0), (1, 0.1), (2, 0.3), (3, 1.0), (10_000, 1.0)])
def test_a_rollout_lasts_so_many_turns(depth, estimate):
    # Node 1 is between two turns: what is decided there is no turn of its own.
    def search(rules, work, tables, outlook, side, stream):
        work.states[SIMULATED] = work.states[GAME]
        roll_out(rules, work, tables, outlook, agent_record(f"flat:1 depth={depth}"), np.arange(4), stream)
        return work.scores[0]

    assert walked(TURNS, search)[0] == estimate


# A turn that wins for certain by its second atom; the position after its first looks worse than the other.
HIDDEN_WIN = Graph(
    {0: {1: 1, 2: 2}, 1: {3: 10, 4: 3}, 2: {5: 3}, 3: {6: 11}},
    value={1: (0.1, 0.9), 2: (0.9, 0.1), 3: (0.5, 0.5)},
    final={10: (1.0, 0.0), 11: (0.0, 1.0)},
)


@pytest.mark.parametrize("kind", ["flat:1 depth=0", "mcts:1 depth=0"])
def test_a_horizon_of_one_ply_leaves_sure_wins_to_the_search(kind):
    # With one simulation a search knows nothing: only who looks through the turn first is sure to win.
    assert set(choices(HIDDEN_WIN, kind, 12)[0]) == {1}
    assert set(choices(HIDDEN_WIN, f"{kind} horizon=ply", 12)[0]) == {1, 2}
    assert set(choices(HIDDEN_WIN, "mcts:60 depth=0 horizon=ply", 12)[0]) == {1}
