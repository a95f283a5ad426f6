"""Breakthrough and Connect Four beside OpenSpiel's C++: random playouts and tree search, on one core.

OpenSpiel is no dependency of ours. Give it an environment of its own, and name its Python:

    python3 -m venv .venv-peers && .venv-peers/bin/pip install open_spiel
    python -m benchmarks openspiel --python .venv-peers/bin/python

What is compared, in CPU seconds of one thread each, on one core, in turns:

- playouts: our loop of whole games at record level none (``agents.playout.play_part``, with its streams,
  seatings and result rows) against OpenSpiel's ``RandomRolloutEvaluator`` in C++, which plays from the first
  position to the end and gives back the mean. Its plies are its playouts times the mean length of its games.
- search: simulations of ``mcts:N`` (one random rollout to the end each) against those of ``MCTSBot`` with a
  ``RandomRolloutEvaluator`` of one rollout, without solver, with the same exploration. Both play whole games
  with the search on both seats, an empty tree at every move. Neither searches where one move is legal; moves
  of Connect Four from the 37th on, where that can be, are left out of the simulations of both sides, though
  not out of their time.

Before that, the legal moves of both are compared along a random game.
A ratio is the median over rounds of ours to theirs within a round, beside the lowest and the highest.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import output

PEER = Path(__file__).with_name("openspiel_peer.py")
LENGTH_GAMES = 4000


@dataclass(frozen=True)
class Size:
    """How much of one game is played in a round: playouts of each side; plies that are surely searched."""

    ours: int
    theirs: int
    searched: int


SIZES = {
    "breakthrough": Size(30_000, 3_000, 10_000),
    "connect_four": Size(100_000, 15_000, 36),
}


class Peer:
    """The process of OpenSpiel."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            [python, str(PEER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.line()

    def line(self) -> dict[str, Any]:
        """The next answer."""
        assert self.process.stdout is not None
        text = self.process.stdout.readline()
        if not text:
            raise SystemExit(f"OpenSpiel did not answer; how to install it:\n{__doc__}")
        return json.loads(text)

    def ask(self, do: str, game: str, **more: Any) -> dict[str, Any]:
        """An answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, "game": game, **more}) + "\n")
        self.process.stdin.flush()
        return self.line()

    def close(self) -> None:
        """Let the process end."""
        self.process.communicate()


def peer_moves(game: str, moves: list[str]) -> list[str]:
    """Our moves as OpenSpiel writes them; in Breakthrough its first player moves down the board."""
    if game == "connect_four":
        return [f"{'xo'[number % 2]}{'abcdefg'.index(move)}" for number, move in enumerate(moves)]
    return [peer_move(move) for move in moves]


def peer_move(move: str) -> str:
    """One move of Breakthrough."""
    flipped = f"{move[0]}{9 - int(move[1])}{move[3]}{9 - int(move[4])}"
    return flipped + ("*" if "x" in move else "")


def check_moves(slug: str, peer: Peer) -> None:
    """Compare the legal moves along one random game; other moves end the measurement."""
    from balance.games import get_game
    from balance.study import oracle

    dice, moves = random.Random(11), list[str]()
    place = oracle.start(get_game(slug), "duel", "board", "fixed")
    while not oracle.is_over(place):
        legal = oracle.legal(place)
        known = peer.ask("legal", slug, moves=peer_moves(slug, moves))["legal"]
        if sorted(peer_moves(slug, [*moves, one])[-1] for one in legal) != known:
            raise SystemExit(f"{slug}: other legal moves after {moves}: {legal} and {known}")
        moves.append(dice.choice(legal))
        place = oracle.after(place, moves[-1])


def our_games(slug: str, agent: str, games: int, seed: int) -> tuple[list[int], float]:
    """Plies of each game and CPU seconds of the house's loop."""
    from balance.agents.playout import Part, play_part
    from balance.config.agents import parse_agent
    from balance.games import get_game

    game, player = get_game(slug), parse_agent(agent)
    make, ruleset = game.part("tables"), game.part("schema").load_ruleset(None, {}, "duel")
    tables, setup = make.compile_tables(ruleset, "duel", "board"), make.make_setup(ruleset, "duel", "fixed")
    part = Part(seed, 0, games, 0, 1, [player, player])
    began = time.thread_time()
    rows = play_part(game, game.mode("duel"), tables, setup, part)
    spent = time.thread_time() - began
    return rows.results["plies"].tolist(), spent


def playout_round(slug: str, peer: Peer, number: int, mean: float) -> dict[str, tuple[float, float]]:
    """Playouts and plies a second, ours and theirs."""
    size = SIZES[slug]
    plies, spent = our_games(slug, "random", size.ours, number)
    theirs = size.theirs / peer.ask("playouts", slug, count=size.theirs, seed=number)["cpu"]
    return {"playouts": (len(plies) / spent, theirs), "plies": (sum(plies) / spent, theirs * mean)}


def search_round(slug: str, peer: Peer, number: int, options: Any) -> dict[str, tuple[float, float]]:
    """Simulations a second, ours and theirs."""
    budget, most = options.simulations, SIZES[slug].searched
    plies, spent = our_games(slug, f"mcts:{budget}", options.games, number)
    request = {"simulations": budget, "count": options.games, "seed": number}
    other = peer.ask("search", slug, **request)
    ours = budget * sum(min(one, most) for one in plies) / spent
    theirs = budget * sum(min(one, most) for one in other["plies"]) / other["cpu"]
    return {"simulations": (ours, theirs)}


def measure(slug: str, peer: Peer, options: Any) -> list[dict[str, Any]]:
    """Rows of one game."""
    check_moves(slug, peer)
    mean = peer.ask("lengths", slug, count=LENGTH_GAMES, seed=1)["plies"]
    our_games(slug, "random", 10, 0)  # compiles
    found: dict[str, list[tuple[float, float]]] = {}
    for number in range(options.rounds):
        rates = playout_round(slug, peer, number, mean) | search_round(slug, peer, number, options)
        for what, pair in rates.items():
            found.setdefault(what, []).append(pair)
    return [row(slug, what, pairs) for what, pairs in found.items()]


def row(slug: str, what: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Median rates and ratios of all rounds."""
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    return {
        "game": slug,
        "what": f"{what} a second",
        "ours": statistics.median(ours for ours, _ in pairs),
        "open_spiel": statistics.median(theirs for _, theirs in pairs),
        "ratio": statistics.median(ratios),
        "lowest": ratios[0],
        "highest": ratios[-1],
        "rounds": len(pairs),
    }


def one_core() -> None:
    """Keep this process and its children on one core, where the system lets us."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = output.parser("openspiel", __doc__)
    parser.add_argument("--python", default=sys.executable, help="a Python that can import pyspiel")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--simulations", type=int, default=1000, help="simulations of a search")
    parser.add_argument("--games", type=int, default=3, help="games that searches play in a round")
    options = parser.parse_args(arguments)
    one_core()
    from tests.games_extra.installing import install_here, names

    with tempfile.TemporaryDirectory() as folder:
        install_here(Path(folder), names())
        peer = Peer(options.python)
        rows = [line for slug in SIZES for line in measure(slug, peer, options)]
        peer.close()
    output.show("openspiel", rows)
    return 0
