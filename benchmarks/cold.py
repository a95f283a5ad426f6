"""Compile the rules of Jump Masters into an empty cache folder, then load them from it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks import children, output

LOAD = """
from balance.agents.playout import load
from balance.games import get_game
load(get_game("jump_masters"))
"""


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = output.parser("cold", __doc__)
    parser.add_argument("--repeats", type=int, default=1, help="cold compilations; the best counts")
    options = parser.parse_args(arguments)
    best: dict[str, tuple[float, float]] = {}
    for _ in range(options.repeats):
        with tempfile.TemporaryDirectory() as cache:
            for cache_state in ("cold", "warm"):
                took = children.seconds(["-c", LOAD], str(Path.cwd()), BALANCE_CACHE_DIR=cache)
                best[cache_state] = min(took, best.get(cache_state, took))
    rows: list[dict[str, Any]] = [
        {"cache": name, "seconds": clock, "cpu_seconds": cpu} for name, (clock, cpu) in best.items()
    ]
    output.show("cold", rows)
    return 0
