"""All statistics of a report over planted runs of 1, 10 and 100 million games: seconds and peak memory.

Blind drafts of ten heroes in five arenas, in Parquet parts of 10,000 pairs in a temporary folder: games,
their heroes and board counts, as the tests plant them. Runs above `--distinct` millions of games hold the
same parts several times under other numbers, by hard links: planting takes far longer than reading, and long
before ten million games all rosters have been seen. Every analysis is made in a process of its own, whose
peak memory is that of all it did; the strengths found are compared with those planted.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import output

PART = 10_000  # pairs
ARENAS = ("north", "south", "east", "west", "middle")
STRENGTH = (0.06, 0.04, 0.02, 0.01, 0.0, 0.0, -0.01, -0.02, -0.04, -0.06)
MILLION = 1_000_000
BYTES_A_GAME = 60  # on the disk, generously


def truth() -> Any:
    """What is planted."""
    from tests.stats.planted import Truth

    return Truth(heroes=tuple("abcdefghij"), strength=STRENGTH, arena=dict.fromkeys(ARENAS, 0.0))


def plant(folder: Path, games: int, distinct: int) -> Path:
    """A run folder of so many games, of which so many are distinct."""
    from balance.store.manifest import Manifest
    from balance.store.write import encode, part_file, store_part
    from tests.stats import planted

    pairs = games // 2 // len(ARENAS)
    different = min(pairs, distinct // 2 // len(ARENAS)) // PART
    cells = planted.planned_cells(truth(), pairs)
    manifest = Manifest(folder, planted.manifest_head(truth(), cells, 1))
    folder.mkdir()
    for number in range(pairs // PART):
        for cell in cells:
            if number < different:
                random = planted.np.random.default_rng([number, cell["cell"]])
                rows = planted.play(random, truth(), cell, number * PART, PART, True)
                entry = store_part(folder, encode(cell["cell"], number, number * PART, PART, rows, 2))
            else:
                entry = manifest.parts[cell["cell"], number % different]
                for table in entry["checksums"]:
                    source = folder / part_file(table, cell["cell"], number % different)
                    os.link(source, folder / part_file(table, cell["cell"], number))
            first = number * PART
            manifest.parts[cell["cell"], number] = {**entry, "part": number, "first_pair": first}
    manifest.digest = "0" * 32
    manifest.write()
    return folder


def child(folder: Path) -> dict[str, Any]:
    """Analyse one run; what it took, and the largest error of a strength in standard errors."""
    from balance.stats.analysis import analyse
    from balance.store.read import open_run
    from tests.stats.planted import COLUMNS

    began, cpu = time.perf_counter(), time.process_time()
    found = analyse(open_run(folder), COLUMNS)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    table = found.strengths[0]
    planted = dict(zip(truth().heroes, STRENGTH, strict=True))
    errors = [abs(h.effect.value - 0.9 * planted[h.hero]) / h.effect.se for h in table.heroes]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"games": found.games, "seconds": seconds, "cpu": cpu, "peak": peak, "worst": max(errors)}


def measured(folder: Path) -> dict[str, Any]:
    """One row of the table."""
    command = [sys.executable, "-m", "benchmarks", "statistics", "--child", str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    row = json.loads(done.stdout)
    return {
        "games": row["games"],
        "seconds": row["seconds"],
        "CPU seconds": row["cpu"],
        "peak MiB": row["peak"],
        "microseconds a game": 1e6 * row["seconds"] / row["games"],
        "largest error of a hero, in SE": row["worst"],
    }


def planted_and_measured(millions: int, distinct: int) -> dict[str, Any]:
    """Plant a run, measure, and take it away."""
    with tempfile.TemporaryDirectory(prefix="balance-statistics-") as place:
        written = min(millions, distinct) * MILLION * BYTES_A_GAME
        free = shutil.disk_usage(place).free
        if free < 2 * written:
            raise SystemExit(f"{written / 1e9:.1f} GB are needed in {place}; {free / 1e9:.1f} GB are free")
        began = time.perf_counter()
        folder = plant(Path(place) / "run", millions * MILLION, distinct * MILLION)
        print(f"planted {millions} million games in {time.perf_counter() - began:.0f} s", file=sys.stderr)
        return measured(folder)


def main(arguments: list[str]) -> int:
    """Plant, measure and print."""
    parser = output.parser("statistics", __doc__)
    parser.add_argument("--millions", type=int, nargs="+", default=[1, 10], help="games of each run")
    parser.add_argument("--distinct", type=int, default=10, help="millions of games that are not repeated")
    parser.add_argument("--child", help="analyse this run and print one JSON line")
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(child(Path(options.child))))
        return 0
    output.show("statistics", [planted_and_measured(one, options.distinct) for one in options.millions])
    return 0
