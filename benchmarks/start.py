"""Starting up: ``balance --help``, and a whole warm run of 1,000 random games without a report."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import children, output

PLAN = """\
game: jump_masters
arenas: [pillars, ruins, divide, mill]
draft: {format: blind}
agents: [random]
pairs: 125
record: basic
seed: 1
"""


def best_of(repeats: int, *arguments: str, fresh: bool = False) -> dict[str, Any]:
    """Best and median of some repeats of ``python -m balance ARGUMENTS``, each in a new folder if `fresh`."""
    took = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            if fresh:
                (Path(folder) / "plan.yaml").write_text(PLAN, encoding="utf-8")
            took.append(children.seconds(["-m", "balance", *arguments], folder))
    clock, cpu = zip(*took, strict=True)
    return {
        "command": "balance " + " ".join(arguments),
        "repeats": repeats,
        "cpu_s_best": min(cpu),
        "cpu_s_median": statistics.median(cpu),
        "s_best": min(clock),
        "s_median": statistics.median(clock),
    }


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = output.parser("start", __doc__)
    parser.add_argument("--help-repeats", type=int, default=7)
    parser.add_argument("--run-repeats", type=int, default=5)
    options = parser.parse_args(arguments)
    run = ("run", "plan.yaml", "--no-report", "-q", "-o", "out")
    best_of(1, *run, fresh=True)  # compiles if need be
    rows = [best_of(options.help_repeats, "--help"), best_of(options.run_repeats, *run, fresh=True)]
    output.show("start", rows)
    return 0
