"""Greedy duels on one core: plies and games a second, and how long such games are."""

from __future__ import annotations

from balance.config.agents import AgentSpec
from benchmarks import output, playing


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = output.parser("greedy", __doc__)
    parser.add_argument("--pairs", type=int, default=300, help="pairs of games in a repeat")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args(arguments)
    agent = AgentSpec("greedy", 0.05)
    rows = [playing.rates(setup, "basic", agent, options.pairs, options.repeats) for setup in playing.SETUPS]
    output.show("greedy", rows)
    return 0
