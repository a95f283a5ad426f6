"""Random duel playouts on one core, beside the same source in pure Python and the slow reference engine.

All abilities are on and set-up decisions count. The peers play fewer games of the same kind in the same run;
their ratios are to the compiled median of the same set-up at record level none, in CPU time.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from typing import Any

from balance.config.agents import AgentSpec
from benchmarks import output, playing

RANDOM = AgentSpec("random")


def pure_python(setup: str, games: int) -> float:
    """Plies a CPU second of the very same source without the compiler, in a process of its own."""
    with tempfile.TemporaryDirectory() as cache:
        environ = os.environ | {"NUMBA_DISABLE_JIT": "1", "BALANCE_CACHE_DIR": cache}
        command = [
            sys.executable,
            "-m",
            "benchmarks",
            "random",
            "--pure-child",
            setup,
            "--peer-games",
            str(games),
        ]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["rate"])


def pure_child(setup: str, games: int) -> None:
    """What that process does."""
    playing.timed(setup, "none", RANDOM, 1)
    _, plies, cpu, _ = playing.timed(setup, "none", RANDOM, games)
    print(json.dumps({"rate": plies / cpu}))


def slow_engine(setup: str, games: int) -> float:
    """Plies a CPU second of the obvious reference engine of the tests."""
    from tests.naive import jump_masters as naive

    dice, plies, began = random.Random(1), 0, time.thread_time()
    teams = None if setup == "blind" else [naive.TEAMS[setup]] * 2
    for _ in range(games):
        position = naive.start("duel", "pillars", {}, "fixed" if teams else "blind", dice, teams)
        while position.phase != "over":
            position = naive.after(position, dice.choice(naive.legal(position)))
            plies += 1
    return plies / (time.thread_time() - began)


def measure(options: Any) -> list[dict[str, Any]]:
    """Rows of all set-ups."""
    rows = []
    for setup in playing.SETUPS:
        ours = [
            playing.rates(setup, level, RANDOM, options.pairs, options.repeats) for level in playing.LEVELS
        ]
        compiled = ours[0]["plies_per_cpu_s_median"]
        peers = {"pure_python": pure_python, "slow_reference": slow_engine}
        found = {name: peer(setup, options.peer_games) for name, peer in peers.items()}
        for row in ours:
            for name, rate in found.items():
                row[name] = rate
                row[f"times_{name}"] = compiled / rate
            rows.append(row)
    return rows


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = output.parser("random", __doc__)
    parser.add_argument("--pairs", type=int, default=5000, help="pairs of games in a repeat")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--peer-games", type=int, default=4, help="games of each slow peer")
    parser.add_argument("--pure-child", metavar="SETUP", help="used by the measurement itself")
    options = parser.parse_args(arguments)
    if options.pure_child:
        pure_child(options.pure_child, options.peer_games)
        return 0
    output.show("random", measure(options))
    return 0
