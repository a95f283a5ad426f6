"""Compile the rules of a game into an empty cache folder, then load them from it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks import children, output

LOAD = """
from balance.agents.playout import load
from balance.games import get_game
load(get_game("{game}"))
"""


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = output.parser("cold", __doc__)
    parser.add_argument("--repeats", type=int, default=1, help="cold compilations; the best counts")
    parser.add_argument("--games", nargs="+", default=["jump_masters", "krosmaster_blast"], help="in turns")
    options = parser.parse_args(arguments)
    best: dict[tuple[str, str], tuple[float, float]] = {}
    for _ in range(options.repeats):
        for game in options.games:
            with tempfile.TemporaryDirectory() as cache:
                for cache_state in ("cold", "warm"):
                    load = LOAD.format(game=game)
                    took = children.seconds(["-c", load], str(Path.cwd()), BALANCE_CACHE_DIR=cache)
                    best[game, cache_state] = min(took, best.get((game, cache_state), took))
    rows: list[dict[str, Any]] = [
        {"game": game, "cache": name, "seconds": clock, "cpu_seconds": cpu}
        for (game, name), (clock, cpu) in best.items()
    ]
    output.show("cold", rows)
    return 0
