"""Parts with searching and restricted agents: the same rows however the pairs are cut, in every mode."""

from __future__ import annotations

import numpy as np
import pytest

from balance.agents.playout import Part, PartRows, play_part
from balance.config.agents import parse_agent
from balance.games import discover
from tests.conformance.playing import GAMES

AGENTS = {
    "greedy by the ply": "greedy:0.2 horizon=ply",
    "flat": "flat:2 depth=1",
    "atoms": "mcts:3 tree=atoms depth=1 exploration=0.5",
    "greedy rollouts": "mcts:2 tree=atoms depth=1 rollout=greedy",
    "turns": "mcts:2 tree=turns depth=0 candidates=4",
    "turns, greedy rollouts": "mcts:2 tree=turns depth=1 rollout=greedy candidates=4 caution=0.5",
}
#: Games of a few turns tell as much.
SHORT = {"jump_masters": {"rules": {"turn_cap": 12}}, "krosmaster_blast": {"rules": {"rounds": 1}}}
#: One draft for each mode, so that every draft has its turn.
CASES = [
    pytest.param(slug, mode.name, game.drafts[number % len(game.drafts)], id=f"{slug}-{mode.name}")
    for slug, game in discover().items()
    for number, mode in enumerate(game.modes)
]


def play(slug, mode, draft, agents, first, pairs, key=41) -> PartRows:
    """A part of a short game; `agents` are dealt to the players in turn, one in two of them restricted."""
    game = discover()[slug]
    ruleset = game.part("schema").load_ruleset(None, SHORT.get(slug, {}), mode)
    seats = game.mode(mode).seats
    deck = sorted(ruleset.heroes) * game.copies
    size = game.roster_size
    given = [deck[seat * size : (seat + 1) * size] for seat in range(seats)] if deck else None
    setup = game.part("tables").make_setup(ruleset, mode, draft, given if draft == "fixed" else None)
    tables = game.part("tables").compile_tables(ruleset, mode, sorted(ruleset.arenas)[0])
    names = ",".join(sorted(game.restrictions)[::3])
    words = [f" without={names}" if names and player % 2 else "" for player in range(seats)]
    specs = [parse_agent(agents[player % len(agents)] + words[player]) for player in range(seats)]
    part = Part(key, first, pairs, 1, 2, specs, ruleset.agents)
    return play_part(game, game.mode(mode), tables, setup, part)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_a_part_in_pieces_gives_the_same_rows(slug, mode, draft, agent):
    agents = [AGENTS[agent], "greedy:0.1"]
    whole = play(slug, mode, draft, agents, 2, 4)
    pieces = [play(slug, mode, draft, agents, first, pairs) for first, pairs in ((2, 1), (3, 3))]
    for name in ("results", "game"):
        assert (
            getattr(whole, name).tobytes() == np.concatenate([getattr(one, name) for one in pieces]).tobytes()
        )
    shifted = pieces[1].hero.copy()
    shifted["row"] += len(pieces[0].results)
    assert whole.hero.tobytes() == np.concatenate([pieces[0].hero, shifted]).tobytes()
    if whole.node is not None:
        for name in whole.node.dtype.names:
            assert (whole.node[name] == pieces[0].node[name] + pieces[1].node[name]).all()


@pytest.mark.parametrize("slug", GAMES)
def test_games_of_different_searches_differ(slug):
    mode = discover()[slug].modes[0].name
    rows = [play(slug, mode, discover()[slug].drafts[0], [agent], 0, 4) for agent in AGENTS.values()]
    assert len({one.results.tobytes() + one.game.tobytes() for one in rows}) == len(AGENTS)
