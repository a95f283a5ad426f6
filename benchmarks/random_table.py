"""The spec's table of uniformly random play (section 16) beside ours, differences in standard errors."""

from __future__ import annotations

from typing import Any

from benchmarks import output
from tests.games.jump_masters import random_table


def row(number: int, games: int) -> tuple[dict[str, Any], list[random_table.Difference]]:
    """One match: spec, ours and the difference, number by number."""
    match = random_table.MATCHES[number]
    found = random_table.compare(match, random_table.sample(number, games))
    cells = {one.what: f"{one.spec:g} / {one.ours:.4g} ({one.errors:+.1f})" for one in found}
    return {"match": match.label, "games": f"{match.games:,} / {games:,}", **cells}, found


def main(arguments: list[str]) -> int:
    """Play, print, and say what chance does not explain."""
    parser = output.parser("table", __doc__)
    parser.add_argument("--games", type=int, default=20_000, help="games a match")
    options = parser.parse_args(arguments)
    rows, differences = [], []
    for number in range(len(random_table.MATCHES)):
        one, found = row(number, options.games)
        rows.append(one)
        differences += found
    output.show("table", rows)
    wrong = random_table.refuted(differences)
    print(f"{len(wrong)} of {len(differences)} numbers refuted (Holm, family-wise {random_table.FAMILY:.0%})")
    for difference in wrong:
        print(random_table.line(difference))
    return int(bool(wrong))
