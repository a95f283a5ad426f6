"""Restricted play, and play at the edges of every setting: always legal, never what is forbidden."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from scipy.stats import chisquare

from balance.config.agents import AgentSpec, parse_agent
from balance.games import discover
from balance.games.position import Position
from balance.study import oracle
from tests.agents.deciding import ATOM, ask, decisions
from tests.agents.planting import opening
from tests.conformance.playing import CASES, GAMES

KINDS = [
    "random",
    "greedy:0",
    "greedy:1",
    "greedy:0 horizon=ply",
    "flat:9 depth=2",
    "mcts:9 tree=atoms depth=2",
    "mcts:4 tree=turns depth=0",
]
EDGES = [
    f"{kind} {setting}"
    for kind in ("mcts:1 tree=atoms", "mcts:1 tree=turns", "mcts:6 tree=atoms", "mcts:6 tree=turns")
    for setting in (
        "depth=0",
        "depth=10000",
        "candidates=1 depth=1",
        "candidates=64 depth=0",
        "caution=1 depth=2",
        "exploration=0 depth=2",
        "exploration=100 depth=1",
        "beam=1 depth=1 rollout=greedy",
        "beam=64 depth=1 rollout=greedy",
    )
] + ["flat:1 depth=0", "flat:1", "flat:6 depth=1 rollout=greedy", "greedy:0 beam=1", "greedy:0 beam=64"]
ROOMY = [
    "flat:30 depth=1",
    "mcts:30 tree=atoms depth=1",
    "mcts:30 tree=turns depth=0",
    "mcts:30 tree=turns depth=1 candidates=1",
]
UNIFORM = 1e-4


def limited(agent: AgentSpec, *names: str) -> AgentSpec:
    return AgentSpec(agent.kind, agent.number, agent.settings, tuple(sorted(names)))


def allowed(position: Position, mask: int) -> list[int]:
    """Legal actions that a restriction leaves; all of them when it leaves none."""
    legal, tag = oracle.actions(position), oracle.rule(position.game, "tag")
    left = [one for one in legal if not int(tag(position.state, position.tables, one)) & mask]
    return left or legal


def restricted(slug: str) -> list[tuple[str, ...]]:
    """Every restriction of a game alone, and all of them together."""
    names = sorted(discover()[slug].restrictions)
    return [(name,) for name in names] + [tuple(names)] if names else []


RESTRICTED = [
    pytest.param(slug, names, id=f"{slug}-{names[0] if len(names) == 1 else 'all'}")
    for slug in GAMES
    for names in restricted(slug)
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("slug", "names"), RESTRICTED)
def test_what_is_forbidden_is_not_played(slug, names, kind):
    game = discover()[slug]
    mask = game.restriction_mask(names)
    mode = game.modes[len(names[0]) % len(game.modes)].name
    for position in opening(slug, mode, game.drafts[0])[2::2]:
        chosen, _ = decisions(position, limited(parse_agent(kind), *names), 2, whole_turn=False)
        assert set(chosen) <= set(allowed(position, mask))


@pytest.mark.parametrize("slug", GAMES)
def test_restrictions_bite(slug):
    game = discover()[slug]
    bites = {
        names
        for mode in game.modes
        for position in opening(slug, mode.name, game.drafts[0], 12)
        for names in restricted(slug)
        if len(allowed(position, game.restriction_mask(names))) < len(oracle.actions(position))
    }
    assert len(bites) > len(restricted(slug)) / 3 or not game.restrictions


def all_forbidden(position) -> bool:
    """Whether every legal action is one that the game's restrictions together forbid."""
    mask = position.game.restriction_mask(position.game.restrictions)
    tags = [
        int(oracle.rule(position.game, "tag")(position.state, position.tables, action))
        for action in oracle.actions(position)
    ]
    return all(tag & mask for tag in tags)


def test_restrictions_yield_somewhere():
    """In some game and position all is forbidden: what the other tests see there is that all is allowed."""
    games = [game for game in discover().values() if game.restrictions]
    assert any(
        all_forbidden(position)
        for game in games
        for mode in game.modes
        for position in opening(game.slug, mode.name, game.drafts[0], 12)
    )


@pytest.mark.parametrize("slug", GAMES)
def test_restricted_random_play_is_uniform_over_what_is_left(slug):
    game, tested = discover()[slug], 0
    for position in opening(slug, game.modes[0].name, game.drafts[0])[4::3]:
        for names in restricted(slug):
            left = allowed(position, game.restriction_mask(names))
            if 1 < len(left) < len(oracle.actions(position)):
                tested += 1
                chosen, _ = decisions(
                    position, limited(parse_agent("random"), *names), 40 * len(left), whole_turn=False
                )
                counts = Counter(chosen)
                assert set(counts) <= set(left)
                assert chisquare([counts[one] for one in left]).pvalue > UNIFORM / 100
    assert tested or not game.restrictions


# ---- the edges


@pytest.mark.parametrize("kind", EDGES)
@pytest.mark.parametrize(("slug", "mode", "draft"), CASES[:1] + CASES[7:8] + CASES[-1:])
def test_every_setting_plays_legally_at_its_edge(slug, mode, draft, kind):
    for position in opening(slug, mode, draft)[::2]:
        in_turn = oracle.in_turn(position)
        chosen, ends = decisions(position, parse_agent(kind), 1, whole_turn=in_turn)
        assert chosen[0] in oracle.actions(position)
        assert not in_turn or ends[0].state["segment"] != position.state["segment"] or oracle.is_over(ends[0])


@pytest.mark.parametrize("room", [(1, 1), (2, 1), (40, 41), (500, 700)])
@pytest.mark.parametrize("kind", ROOMY)
@pytest.mark.parametrize("slug", GAMES)
def test_a_tree_without_room_plays_on(slug, kind, room):
    game = discover()[slug]
    for position in opening(slug, game.modes[0].name, game.drafts[0])[::2]:
        asked = ask(position, parse_agent(kind), 2, ATOM, room=room)
        assert set(asked.chosen) <= set(oracle.actions(position))
        assert asked.work.trees[0].nodes <= room[0] == len(asked.work.nodes)
        assert asked.work.trees[0].moves <= room[1] == len(asked.work.moves)


@cache
def forced(slug: str) -> list[tuple[Position, tuple[str, ...]]]:
    """Positions with one legal action, or with one that a restriction leaves."""
    game = discover()[slug]
    alone, left_alone = [], []
    for mode in game.modes:
        for position in opening(slug, mode.name, game.drafts[0], 84):
            if len(oracle.actions(position)) == 1:
                alone.append((position, ()))
        for position in opening(slug, mode.name, game.drafts[0]):
            left_alone += [
                (position, names)
                for names in restricted(slug)
                if len(allowed(position, game.restriction_mask(names))) == 1
            ]
    return alone[:6] + left_alone[:6]


@pytest.mark.parametrize("budget", [1, 2, 1000])
@pytest.mark.parametrize("kind", ["flat:{}", "mcts:{} tree=atoms", "mcts:{} tree=turns"])
def test_the_only_action_is_played(kind, budget):
    agent = parse_agent(kind.format(budget))
    positions = [one for slug in GAMES for one in forced(slug)]
    assert len(positions) > 6
    for position, names in positions:
        left = allowed(position, position.game.restriction_mask(names))
        assert decisions(position, limited(agent, *names), 2, whole_turn=False)[0] == left * 2
