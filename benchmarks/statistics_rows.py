"""All statistics of a report over planted runs of 1, 10 and 100 million games: seconds and peak memory.

Blind drafts of ten heroes in five arenas, in Parquet parts of 10,000 pairs in a temporary folder: games,
their heroes and board counts, as the tests plant them. Runs above `--distinct` millions of games hold the
same parts several times under other numbers, by hard links: planting takes far longer than reading, and long
before ten million games all rosters have been seen. Every analysis is made in a process of its own, whose
peak memory is that of all it did; the strengths found are compared with those planted (in standard errors;
repeated games are counted as if they were new, so only the distinct sizes can be judged by that).
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
from types import SimpleNamespace
from typing import Any

import numpy as np

from balance.store.digest import checksum
from balance.store.schema import TABLES
from balance.store.write import parquet_bytes, part_columns, part_file
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
    from tests.stats import planted

    pairs = games // 2 // len(ARENAS)
    different = max(min(pairs, distinct // 2 // len(ARENAS)) // PART, 1)
    cells = planted.planned_cells(truth(), pairs)
    manifest = Manifest(folder, planted.manifest_head(truth(), cells, 1))
    for table in TABLES:
        (folder / table).mkdir(parents=True)
    base = planted.play(np.random.default_rng(1), truth(), cells[0], 0, PART, True)
    for number in range(pairs // PART):
        for cell in cells:
            held = manifest.parts.get((cell["cell"], number % different))
            entry = (
                linked(folder, held, number)
                if held
                else written(folder, dealt(base, cell, number), cell, number)
            )
            manifest.parts[cell["cell"], number] = entry
    manifest.digest = "0" * 32
    manifest.write()
    return folder


def dealt(base: Any, cell: dict[str, Any], number: int) -> Any:
    """Rows with new rosters and results; what else was recorded is that of `base`."""
    random = np.random.default_rng([number, cell["cell"]])
    roster = np.sort((random.random((PART, 20)).argsort(axis=1) % 10)[:, :8].reshape(PART, 2, 4), axis=2)
    edge = np.array(STRENGTH)[roster].sum(axis=2)
    edge = edge[:, 0] - edge[:, 1]
    won = random.random((PART, 2)) < 0.5 + edge[:, None]  # by the first player, in either seat
    winner = np.where(random.random((PART, 2)) < 0.1, -1, np.where(won, [[0, 1]], [[1, 0]])).reshape(-1)
    results, hero = base.results.copy(), base.hero.copy()
    results["pair"] += number * PART
    results["winner"] = winner
    results["score"][:, :2] = np.where(winner[:, None] < 0, 0.5, winner[:, None] == np.arange(2))
    hero["hero"] = np.repeat(roster.reshape(PART, 1, 8), 2, axis=1).reshape(-1)
    return SimpleNamespace(results=results, game=base.game, hero=hero, node=base.node)


def written(folder: Path, rows: Any, cell: dict[str, Any], number: int) -> dict[str, Any]:
    """Store a part as a run does, but for its digest; its line in the manifest."""
    files = {table: parquet_bytes(columns) for table, columns in part_columns(cell["cell"], rows, 2).items()}
    for table, content in files.items():
        (folder / part_file(table, cell["cell"], number)).write_bytes(content)
    sizes = {table: len(content) for table, content in files.items()}
    sums = {table: checksum(content) for table, content in files.items()}
    return {
        "cell": cell["cell"],
        "part": number,
        "first_pair": number * PART,
        "pairs": PART,
        "played": 2 * PART,
        "checksums": sums,
        "sizes": sizes,
        "sum": "0",
    }


def linked(folder: Path, entry: dict[str, Any], number: int) -> dict[str, Any]:
    """The same part again, under another number."""
    for table in entry["sizes"]:
        source = folder / part_file(table, entry["cell"], entry["part"])
        os.link(source, folder / part_file(table, entry["cell"], number))
    return {**entry, "part": number, "first_pair": number * PART}


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


def page_child(folder: Path) -> dict[str, Any]:
    """Make the whole page of one run, its columns described as the planted game's; what it took."""
    began, cpu = time.perf_counter(), time.process_time()
    from balance.report import build, page
    from balance.report.names import GameParts
    from tests.stats import planted

    parts = GameParts(planted.COLUMNS, planted.LEGEND, planted.ENDINGS)
    build.parts_of_game = lambda slug: parts
    path = page.write_report(folder)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "cpu": cpu, "peak": peak, "size": path.stat().st_size / MILLION}


def asked(option: str, folder: Path) -> dict[str, Any]:
    """What a process of its own says of a run."""
    command = [sys.executable, "-m", "benchmarks", "statistics", option, str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measured(folder: Path, page: bool) -> dict[str, Any]:
    """One row of the table."""
    if page:
        row, parts = (
            asked("--page-child", folder),
            json.loads((folder / "manifest.json").read_text())["parts"],
        )
        return {
            "games": sum(part["played"] for part in parts),
            "seconds": row["seconds"],
            "CPU seconds": row["cpu"],
            "peak MiB": row["peak"],
            "page in MB": row["size"],
        }
    row = asked("--child", folder)
    return {
        "games": row["games"],
        "seconds": row["seconds"],
        "CPU seconds": row["cpu"],
        "peak MiB": row["peak"],
        "microseconds a game": 1e6 * row["seconds"] / row["games"],
        "largest error of a hero, in SE": row["worst"],
    }


def planted_and_measured(millions: int, distinct: int, page: bool) -> dict[str, Any]:
    """Plant a run, measure, and take it away."""
    with tempfile.TemporaryDirectory(prefix="balance-statistics-") as place:
        written = min(millions, distinct) * MILLION * BYTES_A_GAME
        free = shutil.disk_usage(place).free
        if free < 2 * written:
            raise SystemExit(f"{written / 1e9:.1f} GB are needed in {place}; {free / 1e9:.1f} GB are free")
        began = time.perf_counter()
        folder = plant(Path(place) / "run", millions * MILLION, distinct * MILLION)
        print(f"planted {millions} million games in {time.perf_counter() - began:.0f} s", file=sys.stderr)
        return measured(folder, page)


def main(arguments: list[str]) -> int:
    """Plant, measure and print."""
    parser = output.parser("statistics", __doc__)
    parser.add_argument("--millions", type=int, nargs="+", default=[1, 10], help="games of each run")
    parser.add_argument("--distinct", type=int, default=10, help="millions of games that are not repeated")
    parser.add_argument("--page", action="store_true", help="measure the whole report instead")
    parser.add_argument("--child", help="analyse this run and print one JSON line")
    parser.add_argument("--page-child", help="make the report of this run and print one JSON line")
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(child(Path(options.child))))
        return 0
    if options.page_child:
        print(json.dumps(page_child(Path(options.page_child))))
        return 0
    rows = [planted_and_measured(one, options.distinct, options.page) for one in options.millions]
    output.show("statistics", rows)
    return 0
