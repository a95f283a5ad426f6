"""Run one measurement, or all that need nothing else: ``python -m benchmarks NAME``.

Names: random, greedy, cold, start, digest, table, positions, statistics, calibration, peers, openspiel, all.
Every one has ``--help``.
"""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = {
    "random": "random_play",
    "greedy": "greedy_play",
    "cold": "cold",
    "start": "start",
    "digest": "digest",
    "peers": "peers",
    "openspiel": "openspiel",
    "table": "random_table",
    "positions": "positions",
    "statistics": "statistics_rows",
    "calibration": "calibration",
}
# Libraries that are no dependencies of ours; minutes and gigabytes; minutes; which game is to be named.
LEFT_OUT = ("peers", "openspiel", "statistics", "calibration", "positions")


def main(arguments: list[str]) -> int:
    """Hand over to the measurement that is named."""
    wanted = arguments[0] if arguments else ""
    if wanted == "all":
        modules = [module for name, module in NAMES.items() if name not in LEFT_OUT]
        return max(import_module(f"benchmarks.{module}").main([]) or 0 for module in modules)
    if wanted not in NAMES:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    return import_module(f"benchmarks.{NAMES[wanted]}").main(arguments[1:]) or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
