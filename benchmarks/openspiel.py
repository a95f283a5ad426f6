"""Breakthrough and Connect Four beside OpenSpiel's C++: random playouts and tree search, on one core.

OpenSpiel is no dependency of ours. Give it an environment of its own, and name its Python:

    python3 -m venv .venv-peers && .venv-peers/bin/pip install open_spiel
    python -m benchmarks openspiel --python .venv-peers/bin/python

What is compared, in CPU seconds of one thread each, on one core, in turns:

- playouts: our loop of whole games at record level none (``agents.playout.play_part``, with its streams,
  seatings and result rows) against OpenSpiel's ``RandomRolloutEvaluator`` in C++, which plays from the first
  position to the end and gives back the mean. Its plies are its playouts times the mean length of its games.
- search: simulations of ``mcts:N`` (one random rollout to the end each) against those of ``MCTSBot`` with a
  ``RandomRolloutEvaluator`` of one rollout, without solver, with the same exploration; both search the same
  positions, and start each search with an empty tree. The positions must have the same legal moves in both.

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
    """How much of one game is played in a round: playouts of each side, and where searches begin."""

    ours: int
    theirs: int
    plies: tuple[int, ...]


SIZES = {
    "breakthrough": Size(30_000, 3_000, (0, 10, 20, 30)),
    "connect_four": Size(100_000, 15_000, (0, 5, 10, 15)),
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


def positions(slug: str, peer: Peer) -> list[tuple[Any, list[str]]]:
    """Positions of one random game with OpenSpiel's moves to them; both must name the same legal moves."""
    from balance.games import get_game
    from balance.study import oracle

    dice, found, moves = random.Random(11), [], []
    place = oracle.start(get_game(slug), "duel", "board", "fixed")
    for ply in range(max(SIZES[slug].plies) + 1):
        legal = oracle.legal(place)
        known = peer.ask("legal", slug, moves=peer_moves(slug, moves))["legal"]
        if sorted(peer_moves(slug, [*moves, one])[-1] for one in legal) != known:
            raise SystemExit(f"{slug}: other legal moves after {moves}: {legal} and {known}")
        if ply in SIZES[slug].plies:
            found.append((place, peer_moves(slug, moves)))
        moves.append(dice.choice(legal))
        place = oracle.after(place, moves[-1])
    return found


def our_playouts(slug: str, games: int) -> tuple[int, int, float]:
    """Games, plies and CPU seconds of the house's loop."""
    from balance.agents.playout import Part, play_part
    from balance.config.agents import AgentSpec
    from balance.games import get_game

    game, agent = get_game(slug), AgentSpec("random")
    make, ruleset = game.part("tables"), game.part("schema").load_ruleset(None, {}, "duel")
    tables, setup = make.compile_tables(ruleset, "duel", "board"), make.make_setup(ruleset, "duel", "fixed")
    part = Part(5, 0, games, 0, 1, [agent, agent])
    began = time.thread_time()
    rows = play_part(game, game.mode("duel"), tables, setup, part)
    spent = time.thread_time() - began
    return len(rows.results), int(rows.results["plies"].sum()), spent


def our_searches(place: Any, simulations: int, times: int) -> float:
    """CPU seconds of some searches of one position."""
    from balance.config.agents import parse_agent
    from tests.agents.deciding import decisions

    began = time.thread_time()
    decisions(place, parse_agent(f"mcts:{simulations}"), times, whole_turn=False)
    return time.thread_time() - began


def playout_round(slug: str, peer: Peer, number: int, mean: float) -> dict[str, tuple[float, float]]:
    """Playouts and plies a second, ours and theirs."""
    size = SIZES[slug]
    games, plies, spent = our_playouts(slug, size.ours)
    theirs = size.theirs / peer.ask("playouts", slug, count=size.theirs, seed=number)["cpu"]
    return {"playouts": (games / spent, theirs), "plies": (plies / spent, theirs * mean)}


def search_round(
    slug: str, peer: Peer, number: int, places: list[tuple[Any, list[str]]], options: Any
) -> dict[str, tuple[float, float]]:
    """Simulations a second, ours and theirs."""
    ours = theirs = 0.0
    for place, moves in places:
        ours += our_searches(place, options.simulations, options.searches)
        request = {"simulations": options.simulations, "times": options.searches, "seed": number}
        theirs += peer.ask("search", slug, moves=moves, **request)["cpu"]
    total = options.simulations * options.searches * len(places)
    return {"simulations": (total / ours, total / theirs)}


def measure(slug: str, peer: Peer, options: Any) -> list[dict[str, Any]]:
    """Rows of one game."""
    places = positions(slug, peer)
    mean = peer.ask("lengths", slug, count=LENGTH_GAMES, seed=1)["plies"]
    our_playouts(slug, 10)  # compiles
    our_searches(places[0][0], 10, 1)
    found: dict[str, list[tuple[float, float]]] = {}
    for number in range(options.rounds):
        rates = playout_round(slug, peer, number, mean) | search_round(slug, peer, number, places, options)
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
    parser.add_argument("--searches", type=int, default=3, help="searches of each position in a round")
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
