"""Random playouts of games of OpenSpiel (C++ rules, Python loop) beside ours; needs ``open_spiel``.

OpenSpiel is no dependency of ours: give the Python of an environment that has it with ``--python``. The games
differ, so the rates say what each tool does in a second and not which game is faster. OpenSpiel is driven the
way its own Python examples do: legal_actions, choose, apply_action, one call a ply.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from balance.config.agents import AgentSpec
from benchmarks import output, playing

CHILD = """
import json, random, sys, time
import pyspiel
name, games = sys.argv[1], int(sys.argv[2])
game, dice, plies = pyspiel.load_game(name), random.Random(1), 0
began = time.thread_time()
for _ in range(games):
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
        plies += 1
print(json.dumps({"plies": plies, "cpu": time.thread_time() - began}))
"""


def peer(python: str, name: str, games: int) -> dict[str, Any]:
    """One game of OpenSpiel."""
    done = subprocess.run([python, "-c", CHILD, name, str(games)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    rate = found["plies"] / found["cpu"]
    return {
        "what": f"open_spiel {name}, Python loop",
        "games": games,
        "plies": found["plies"],
        "plies_per_cpu_s": rate,
    }


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = output.parser("peers", __doc__)
    parser.add_argument("--python", default=sys.executable, help="a Python that can import pyspiel")
    parser.add_argument("--games", type=int, default=300)
    options = parser.parse_args(arguments)
    ours = playing.rates("starters", "none", AgentSpec("random"), 3000, 5)
    rows = [
        {
            "what": "jump_masters starters, compiled loop",
            "games": ours["games"],
            "plies": ours["plies"],
            "plies_per_cpu_s": ours["plies_per_cpu_s_median"],
        }
    ]
    rows += [peer(options.python, name, options.games) for name in ("breakthrough", "checkers")]
    for row in rows:
        row["ours_is_times"] = rows[0]["plies_per_cpu_s"] / row["plies_per_cpu_s"]
    output.show("peers", rows)
    return 0
