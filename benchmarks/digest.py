"""One plan with 1 and 2 workers and parts of several sizes: one digest, or exit code 1."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from balance.play.executors.serial import Serial
from balance.play.executors.threads import Threads
from balance.play.plan import load_plan_text
from balance.play.run import run
from benchmarks import output

PLAN = """\
game: jump_masters
arenas: [pillars, mill]
draft: {format: blind}
agents: [random, greedy]
record: basic
seed: 1
"""
SIZES = (7, 100, 1000)


def play(folder: Path, workers: int, size: int, pairs: int) -> dict[str, Any]:
    """One run as a row."""
    plan = load_plan_text(PLAN, sets=[f"part_pairs={size}", f"pairs={pairs}"])
    outcome = run(plan, folder, Serial() if workers == 0 else Threads(workers))
    return {
        "executor": "serial" if workers == 0 else f"{workers} threads",
        "part_pairs": size,
        "parts": outcome.parts,
        "games": outcome.games,
        "seconds": outcome.seconds,
        "games_per_s": outcome.games / outcome.seconds,
        "digest": outcome.digest,
    }


def main(arguments: list[str]) -> int:
    """Measure, print and compare."""
    parser = output.parser("digest", __doc__)
    parser.add_argument("--pairs", type=int, default=600, help="pairs of games in each of the four cells")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        cases = [(workers, size) for workers in (0, 1, 2) for size in SIZES]
        rows = [
            play(Path(folder) / f"{workers}-{size}", workers, size, options.pairs) for workers, size in cases
        ]
    output.show("digest", rows)
    return int(len({row["digest"] for row in rows}) != 1)
