"""A game's kernels beside its slow reference engine on random positions: counts, differences, CPU seconds."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from benchmarks import output
from tests.games.compared import Compared

SHOWN = 20  # differences that are printed in full
TIMES = 20  # how often the state of a long comparison is told


class Counts:
    """What was compared, by group."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, ...], Counter[str]] = {}
        self.groups: dict[tuple[str, ...], dict[str, str]] = {}
        self.seen: set[int] = set()
        self.positions = self.different = 0

    def add(self, one: Compared, seconds: float) -> None:
        """Count one position, which took so many CPU seconds."""
        key = tuple(one.group.values())
        self.groups[key] = one.group
        row = self.rows.setdefault(key, Counter())
        new = one.counts and one.position not in self.seen
        self.seen.add(one.position)
        self.positions += one.counts
        self.different += bool(one.difference)
        row.update(positions=1, distinct=int(new), actions=one.actions, followed=one.followed)
        row.update(outcomes=one.outcomes, differences=int(bool(one.difference)))
        row["microseconds"] += round(1e6 * seconds)

    def table(self, by: int) -> list[dict[str, Any]]:
        """Rows by the first `by` words of the groups, sorted."""
        sums: dict[tuple[str, ...], Counter[str]] = {}
        for key, row in self.rows.items():
            sums.setdefault(key[:by], Counter()).update(row)
        names = max(self.groups.values(), key=len)
        return [self.line(dict(zip(names, key, strict=False)), row) for key, row in sorted(sums.items())]

    @staticmethod
    def line(words: dict[str, str], row: Counter[str]) -> dict[str, Any]:
        """One row as printed."""
        numbers = ("positions", "distinct", "actions", "followed", "outcomes", "differences")
        return (
            words
            | {name: int(row[name]) for name in numbers}
            | {"CPU s": round(row["microseconds"] / 1e6, 1)}
        )


def count(compared: Iterable[Compared], wanted: int, minutes: float) -> Counts:
    """Compare, show what differs, and tell now and then how far it is; end early when time is up."""
    counts, clock, end = Counts(), time.process_time(), time.monotonic() + 60 * minutes
    for one in compared:
        now = time.process_time()
        counts.add(one, now - clock)
        clock = now
        if one.difference and counts.different <= SHOWN:
            print(one.difference, flush=True)
        if one.counts and counts.positions % max(1, wanted // TIMES) == 0:
            told = f"{counts.positions:,} positions, {counts.different} differences"
            print(told, file=sys.stderr, flush=True)
        if time.monotonic() > end:
            break
    return counts


def main(arguments: list[str]) -> int:
    """Compare and print; 1 if the engines differ anywhere."""
    parser = output.parser("positions", __doc__)
    parser.add_argument("game", help="a game with a slow engine in tests/naive")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2_000, help="positions in all")
    parser.add_argument("--by", type=int, default=2, help="how many of the words of a group make a row")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after so much clock time")
    options = parser.parse_args(arguments)
    comparing = import_module(f"tests.games.{options.game}.comparing")
    counts = count(comparing.compared(options.seed, options.count), options.count, options.minutes)
    output.show("positions", counts.table(options.by))
    print(f"{counts.positions:,} positions, seed {options.seed}: {counts.different} differences")
    return int(bool(counts.different))
