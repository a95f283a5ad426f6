"""Timed playouts of Jump Masters duels: what the measurements of speed share."""

from __future__ import annotations

import statistics
import time
from typing import Any

from balance.agents.playout import Part, load, play_part
from balance.config.agents import AgentSpec
from balance.games import get_game

GAME = get_game("jump_masters")
LEVELS = {"none": 0, "basic": 1}
SETUPS = ("starters", "big_hitters", "blind")
KEY = 5


def cell(setup: str, arena: str = "pillars") -> tuple[Any, Any]:
    """Tables and set-up record of a mirror match of one ready-made team, or of a blind draft."""
    ruleset = GAME.part("schema").load_ruleset(None, {}, "duel")
    make = GAME.part("tables")
    tables = make.compile_tables(ruleset, "duel", arena)
    if setup == "blind":
        return tables, make.make_setup(ruleset, "duel", "blind")
    return tables, make.make_setup(ruleset, "duel", "fixed", [ruleset.teams[setup].heroes] * 2)


def timed(setup: str, record: str, agent: AgentSpec, pairs: int) -> tuple[int, int, float, float]:
    """Games and plies of one part, with CPU seconds of this thread and seconds on the clock."""
    tables, record_ = cell(setup)
    part = Part(KEY, 0, pairs, LEVELS[record], 1, [agent, agent])
    clock, cpu = time.perf_counter(), time.thread_time()
    rows = play_part(GAME, GAME.mode("duel"), tables, record_, part)
    cpu, clock = time.thread_time() - cpu, time.perf_counter() - clock
    return len(rows.results), int(rows.results["plies"].sum()), cpu, clock


def rates(setup: str, record: str, agent: AgentSpec, pairs: int, repeats: int) -> dict[str, Any]:
    """Plies a second on one core, best and median of some repeats; compiled beforehand."""
    load(GAME)
    timed(setup, record, agent, 1)
    runs = [timed(setup, record, agent, pairs) for _ in range(repeats)]
    games, plies = runs[0][:2]
    cpu, clock = [run[2] for run in runs], [run[3] for run in runs]
    return {
        "setup": setup,
        "record": record,
        "games": games,
        "plies": plies,
        "plies_per_cpu_s_best": plies / min(cpu),
        "plies_per_cpu_s_median": plies / statistics.median(cpu),
        "plies_per_s_median": plies / statistics.median(clock),
        "games_per_cpu_s_median": games / statistics.median(cpu),
    }
