"""Decisions of every kind of agent in a few positions; in pure Python, with an eye on every step.

Usage, in pure Python: python -m tests.agents.watched SLUG few|many
"""

from __future__ import annotations

import sys

import numpy as np

from balance.config.agents import parse_agent
from balance.games import get_game
from balance.games.position import Position
from balance.kernel.contract import Contract
from balance.kernel.jit import PURE_PYTHON
from balance.study import oracle
from tests.agents.deciding import ATOM, TURN, ask
from tests.agents.planting import opening

AGENTS = [
    "random",
    "greedy:0.5",
    "greedy:0 horizon=ply",
    "flat:4 depth=2",
    "mcts:5 tree=atoms depth=3 exploration=0.5",
    "mcts:2 tree=atoms depth=1 rollout=greedy",
    "mcts:5 tree=atoms depth=0 horizon=ply",
    "mcts:4 tree=turns depth=0 caution=0.5",
    "mcts:2 tree=turns depth=1 candidates=3",
]
#: Where turns are too many to look through, walks of whole turns would take pure Python hours.
ONE_PLY = [
    "random",
    "greedy:0.5 horizon=ply",
    "flat:4 depth=1 horizon=ply",
    "mcts:5 tree=atoms depth=2 exploration=0.5 horizon=ply",
    "mcts:5 tree=atoms depth=0 horizon=ply caution=0.5",
]
MOST_LEGAL = 60  # positions with more actions would take long in pure Python


class Watch:
    """Wraps the rule functions of a contract: refuses illegal and forbidden steps."""

    def __init__(self, contract: Contract) -> None:
        self.legal, self.tag = contract.functions["legal"], contract.functions["tag"]
        self.plain = contract.functions["step"]
        self.limits = [0] * 4
        self.steps = 0
        contract.functions["step"] = self.step

    def step(self, state, tables, action, stream):
        self.steps += 1
        buffer = np.zeros(8192, np.int64)
        legal = buffer[: self.legal(state, tables, buffer)].tolist()
        assert action in legal, f"illegal: {action}"
        limit = self.limits[int(state.to_move)]
        if limit and int(self.tag(state, tables, int(action))) & limit:
            left = [one for one in legal if not int(self.tag(state, tables, one)) & limit]
            assert not left, f"forbidden: {action}"
        self.plain(state, tables, action, stream)


def asked_about(slug: str, few: bool) -> list[tuple[Position, dict[int, tuple[str, ...]]]]:
    """Positions with restrictions of the seats: none, and a third of all there are for each seat."""
    game = get_game(slug)
    names = sorted(game.restrictions)
    found = []
    for number, mode in enumerate(game.modes[:1] if few else game.modes):
        running = opening(slug, mode.name, game.drafts[-1 if number else 0], 28)
        small = [one for one in running if len(oracle.actions(one)) <= MOST_LEGAL]
        for position in small[len(small) // 2 :: 8]:
            found.append((position, {}))
            found.append((position, {seat: tuple(names[seat % 3 :: 3]) for seat in range(mode.seats)}))
    return found[-2:] if few else found


def agents_of(slug: str) -> list[str]:
    """Agents that are asked in a game."""
    return AGENTS if get_game(slug).listed_turns else ONE_PLY


def decided(slug: str, few: bool, watch: Watch | None = None) -> list[str]:
    """One line for each decision."""
    game, lines = get_game(slug), []
    for number, (position, limits) in enumerate(asked_about(slug, few)):
        for text in agents_of(slug):
            seat = int(position.state["to_move"])
            agent = parse_agent(text + (f" without={','.join(limits[seat])}" if limits.get(seat) else ""))
            if watch:
                watch.limits = [game.restriction_mask(limits.get(other, ())) for other in range(4)]
            played = TURN if oracle.in_turn(position) else ATOM
            chosen = ask(position, agent, 1, played, limits=limits).chosen[0]
            lines.append(f"{number} {text}: {oracle.format_action(position, chosen)}")
    return lines


if __name__ == "__main__":
    assert PURE_PYTHON
    slug = sys.argv[1]
    eye = Watch(get_game(slug).part("rules").CONTRACT)
    print("\n".join(decided(slug, sys.argv[2] == "few", eye)))
    assert eye.steps > 100
