"""What a plan can find out: games that each question needs, what the plan's own games will show, how long."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.config.agents import SEARCHERS, AgentSpec
from balance.play.cells import Cell, expand
from balance.play.chunk import Task
from balance.play.run import loaded_kernel
from balance.play.worker import Worker
from balance.stats.estimate import Refusal
from balance.stats.plan_power import hero_variance_of, random_rosters, score_sd
from balance.stats.power import detectable_effect, half_width_size
from balance.stats.roster_power import Deck, counter_variance, hero_variance, synergy_variance

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan

DISCORDANCE = 0.1  # share of games that end otherwise after a change, unless the user knows better
PROBE_SECONDS = 0.5
PROBE_SIMULATIONS = 64  # a decision, at most: dearer agents are timed with so many, and reckoned up
GIVEN = "The rosters of this plan are given, and synergies and counters need many different ones."
DRAFT = "A plan that drafts rosters at random measures them."


@dataclass(frozen=True)
class Need:
    """One question.

    Attributes
    ----------
    question : str
    meaning : str
        What the half-width is of.
    games : int or None
        Games at one skill level for the half-width; None when no number is enough.
    planned : int
        Games of the plan at one level that answer it.
    half_width, detectable : float or None
        Of the plan as it stands: half of its 95 % interval, and the effect found with 80 % power.
    seconds : float or None
        For `games` at every level of the plan on this machine, all cores; None without a probe.
    note : str
        Why there is no number, or what was assumed.
    """

    question: str
    meaning: str
    games: int | None
    planned: int
    half_width: float | None
    detectable: float | None
    seconds: float | None
    note: str = ""


@dataclass(frozen=True)
class Speed:
    """What the probe saw at one level: games a second on one core."""

    label: str
    games: int
    rate: float


def needs(
    plan: LoadedPlan,
    half_width: float,
    speeds: Sequence[Speed] = (),
    cores: int = 1,
    discordance: float = DISCORDANCE,
) -> list[Need]:
    """Every question with the games that it needs.

    Parameters
    ----------
    plan : LoadedPlan
    half_width : float
        In score: 0.01 is one percentage point.
    speeds : sequence of Speed
        One a level; none when nothing was timed.
    cores : int
        That will play.
    discordance : float
        Share of games that end otherwise after a change of rules.
    """
    played = plan.games // len(plan.levels)
    seconds = sum(1 / speed.rate for speed in speeds) / max(cores, 1) if speeds else None
    found = []
    for question, meaning, variance, note in _variances(plan, discordance):
        if isinstance(variance, Refusal):
            words = f"{variance.reason} {variance.instead}".strip()
            found.append(Need(question, meaning, None, played, None, None, None, words))
            continue
        games = half_width_size(half_width, variance).whole
        reach = half_width_size(half_width, variance).n * half_width**2  # z^2 V
        half = float(np.sqrt(reach / played))
        smallest = detectable_effect(played, variance)
        total = None if seconds is None else games * seconds
        found.append(Need(question, meaning, games, played, half, smallest, total, note))
    return found


def _variances(plan: LoadedPlan, discordance: float) -> list[tuple[str, str, float | Refusal, str]]:
    """Question, meaning, variance of its estimate times games of one level, and what was assumed."""
    sigma, arenas = score_sd(plan.mode.sides), len(plan.arenas)
    one = sigma**2
    found: list[tuple[str, str, float | Refusal, str]] = [
        ("seat", "first side's mean score", one, ""),
        ("arena", "first side's mean score in each arena", one * arenas, ""),
    ]
    if plan.game.roster_size:
        found += _hero_variances(plan, sigma)
    if plan.matchups:
        teams = len({team for matchup in plan.matchups for team in matchup})
        each = teams / plan.mode.seats  # a team plays in this part of the games, on one seat
        cells = len(plan.matchups) * arenas
        found.append(("team", "mean score of a team over its matches", one * each, "a round robin"))
        found.append(("matchup", "score of one matchup in one arena", one * cells, ""))
    words = f"if {100 * discordance:g} % of the games end otherwise; games of both arms"
    found.append(("delta", "change of a score by a change of rules", 2 * discordance, words))
    return found


def _hero_variances(plan: LoadedPlan, sigma: float) -> list[tuple[str, str, float | Refusal, str]]:
    heroes = ("hero strength", "a hero's points for his side")
    pairs = (
        ("synergy", "a pair's points beyond its heroes, unshrunk"),
        ("counter", "a hero against a hero, unshrunk"),
    )
    if plan.matchups:
        refused = Refusal(GIVEN, DRAFT)
        given = hero_variance_of(_planned_rosters(plan), sigma)
        return [(*heroes, given, "the hero known least"), *((*pair, refused, "") for pair in pairs)]
    size = int(plan.ruleset.values.get(plan.game.roster_parameter, plan.game.roster_size))
    pool, copies, mode = len(plan.ruleset.heroes), plan.game.copies, plan.mode
    if mode.seats == 2 and mode.sides == 2:
        deck = Deck(pool, size, copies)
        known = (hero_variance(deck, sigma), synergy_variance(deck, sigma), counter_variance(deck, sigma))
        names = (heroes, *pairs)
        return [(*name, value, "random rosters") for name, value in zip(names, known, strict=True)]
    dealt = random_rosters(pool, copies, size, mode.side_of_seat)
    value = hero_variance_of(dealt, sigma) if len(dealt) else Refusal("There are not enough heroes to deal.")
    refused = Refusal("Synergies and counters are planned for two seats only.", "Plan them in a duel.")
    return [(*heroes, value, "random rosters"), *((*pair, refused, "") for pair in pairs)]


def _planned_rosters(plan: LoadedPlan) -> np.ndarray:
    """Copies by matchup, side and hero."""
    names = {hero: place for place, hero in enumerate(plan.ruleset.heroes)}
    counts = np.zeros((len(plan.matchups), plan.mode.sides, len(names)), np.int8)
    for row, matchup in enumerate(plan.matchups):
        for player, team in enumerate(matchup):
            for hero in plan.rosters[team]:
                counts[row, plan.mode.side_of_seat[player], names[hero]] += 1
    return counts


def probe(plan: LoadedPlan, progress: Any, kernel: Any = None, seconds: float = PROBE_SECONDS) -> list[Speed]:
    """Play the first cell of every level for about so long on one core; nothing is stored.

    The time of a search goes with its simulations, so one with many is timed with few.
    """
    kernel = loaded_kernel(plan, kernel, progress)
    cells = [next(cell for cell in expand(plan) if cell.level == level) for level in range(len(plan.levels))]
    quick = [replace(cell, number=place, agents=_quick(cell)) for place, cell in enumerate(cells)]
    worker = Worker(plan, quick, kernel)
    found = []
    for cell, timed in zip(cells, quick, strict=True):
        games, rate = _timed(worker, timed, seconds)
        label = " - ".join(dict.fromkeys(agent.label for agent in cell.agents))
        found.append(Speed(label, games, rate / _dearer(cell)))
    return found


def _dearer(cell: Cell) -> float:
    """How many times as long the cell's games take as those of :func:`_quick`."""
    budgets = [agent.number for agent in cell.agents if agent.kind in SEARCHERS]
    return max(1.0, max(budgets, default=0.0) / PROBE_SIMULATIONS)


def _quick(cell: Cell) -> tuple[AgentSpec, ...]:
    """The cell's agents with the simulations of the dearest brought down to the probe's, in proportion."""
    return tuple(
        replace(agent, number=max(1.0, agent.number // _dearer(cell))) if agent.kind in SEARCHERS else agent
        for agent in cell.agents
    )


def _timed(worker: Worker, cell: Cell, seconds: float) -> tuple[int, float]:
    """Games played, and games a second of the last and longest part."""
    worker.records(cell)
    pairs, total = 1, 0
    while True:
        began = time.perf_counter()
        rows = worker.rows(Task(cell.number, 0, 0, pairs)).results
        spent = max(time.perf_counter() - began, 1e-6)
        total += len(rows)
        if spent >= seconds / 2 or pairs >= 5000:
            return total, len(rows) / spent
        pairs = min(5000, max(2 * pairs, min(20 * pairs, int(pairs * seconds / spent))))
