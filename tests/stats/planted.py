"""Runs with a planted truth: hero strengths, seat advantage, arena effects and draws are known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from balance.games.metric import KILLS, Column
from balance.store.manifest import Manifest
from balance.store.schema import HERO_KEY, JUDGE_GRID, QUALITY, RESULT
from balance.store.write import encode, store_part

MODES = {
    "duel": (2, (0, 1), ((0, 1), (1, 0))),
    "team": (4, (0, 1, 0, 1), ((0, 1, 2, 3), (1, 0, 3, 2))),
    "ffa3": (3, (0, 1, 2), ((0, 1, 2), (1, 2, 0), (2, 0, 1))),
    "ffa4": (4, (0, 1, 2, 3), ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))),
}
ROWS = (". . # .", ". * . =", "= . * .", ". # . .")
SEATWISE = [(name, "i4", (4,)) for name in ("corner", "vp", "from_hill", "from_attack")]
GAME = np.dtype([("lead_changes", "i4"), ("win_by", "i4"), *SEATWISE])
HERO = np.dtype([(name, "i4") for name in ("steps", "vp_earned", "ability_uses", "pick")])
COUNTED_EVERY = 4  # at full, one pair in so many has its turns counted
NODE = np.dtype([("visits", "i8"), ("removals", "i8")])
EMPTY = np.dtype([("nothing", "i4")])


def column(label: str, role: str, codes: tuple[str, ...] = (), whole: str = "") -> Column:
    """A description of a column."""
    return Column(label, "per game", "as it says", role, codes, whole)


COLUMNS = {
    "games": {
        "lead_changes": column("Lead changes", "mean"),
        "win_by": column("Winning point", "label", ("none", "Hill", "attack")),
        "corner": column("Corner", "label", ("west", "east")),
        "vp": column("Victory points", "side"),
        "from_hill": column("Hill points", "side", whole="Sources of points"),
        "from_attack": column("Attack points", "side", whole="Sources of points"),
    },
    "heroes": {
        "steps": column("Steps", "mean"),
        "vp_earned": column("VP earned", "mean", whole=KILLS),
        "ability_uses": column("Ability uses", "mean"),
        "pick": column("Pick", "pick"),
    },
    "board": {"visits": column("Visits", "mean"), "removals": column("Removals", "mean")},
}
ENDINGS = {"won": "a win, as it should"}
LEGEND = {
    ".": ("plain", "plain"),
    "#": ("pillar", "pillar"),
    "=": ("wall", "wall"),
    "*": ("power node", "power"),
}


@dataclass
class Truth:
    """What is planted.

    `strength` is the effect on the expected score by hero; `scale` multiplies it by level;
    `seat` is added to the first seat's chance, `arena` to it on top by arena; `draws` is the share of games
    without a winner. In modes of k sides a hero moves his side by `strength` against the mean of the others.
    With `full` some pairs count their turns: five ends each, and hero number h could use its ability in
    (h + 1) of ten turns, used it in every second one; those pairs are judged as `judge` says. With `picked`
    low hero numbers are picked first.
    """

    heroes: tuple[str, ...] = tuple("abcdefgh")
    strength: tuple[float, ...] = (0.06, 0.03, 0.01, 0.0, 0.0, -0.01, -0.03, -0.06)
    seat: float = 0.02
    arena: dict[str, float] = field(default_factory=lambda: {"north": 0.0, "south": 0.0})
    draws: float = 0.1
    levels: tuple[str, ...] = ("random",)
    scale: tuple[float, ...] = (1.0,)
    size: int = 4
    mode: str = "duel"
    teams: dict[str, tuple[int, ...]] | None = None
    mirror: bool = False
    full: bool = False
    picked: bool = False


def planted_run(
    folder: Path, truth: Truth, pairs: int = 400, seed: int = 1, part: int = 200, record: bool = True
) -> Path:
    """Write a run folder whose games are drawn from `truth`; returns the folder."""
    cells = planned_cells(truth, pairs)
    manifest = Manifest(folder, manifest_head(truth, cells, seed))
    folder.mkdir(parents=True, exist_ok=True)
    seats = MODES[truth.mode][0]
    for cell in cells:
        random = np.random.default_rng([seed, cell["cell"]])
        for number, first in enumerate(range(0, pairs, part)):
            count = min(part, pairs - first)
            rows = play(random, truth, cell, first, count, record)
            manifest.add(store_part(folder, encode(cell["cell"], number, first, count, rows, seats)))
    manifest.digest = "0" * 32
    manifest.write()
    return folder


def manifest_head(truth: Truth, cells: list[dict[str, Any]], seed: int) -> dict[str, Any]:
    """As ``play.describe.head`` writes it."""
    seats, sides, seatings = MODES[truth.mode]
    return {
        "format": 1,
        "name": "planted",
        "game": "planted_game",
        "game_version": "1.0",
        "title": "Planted Game",
        "config_hash": "c" * 16,
        "kernel_hash": "k" * 16,
        "seed": seed,
        "record": "basic",
        "versions": {"balance": "0.1.0", "python": "3.11"},
        "git": None,
        "mode": {
            "name": truth.mode,
            "seats": seats,
            "side_of_seat": list(sides),
            "seatings": [list(s) for s in seatings],
            "sides": max(sides) + 1,
        },
        "heroes": list(truth.heroes),
        "terminations": ["running", "won", "cap"],
        "levels": list(truth.levels),
        "assumed": [
            {
                "path": f"heroes.{hero}.maximum",
                "value": 4,
                "source": "assumed",
                "shipped": None,
                "text": "energy",
            }
            for hero in truth.heroes
        ],
        "changed": [{"path": "rules.hill_vp", "value": 3, "source": "changed", "shipped": 2, "text": "Hill"}],
        "plan": {},
        "cells": cells,
    }


def planned_cells(truth: Truth, pairs: int) -> list[dict[str, Any]]:
    """Cells in the order of level, arena, matchup."""
    players = MODES[truth.mode][0]
    matchups: list[Any] = [None]
    if truth.teams:
        choose = combinations_with_replacement if truth.mirror else combinations
        matchups = list(choose(truth.teams, players))
        if truth.mode == "team":  # three ways of making two sides of four
            matchups = [m for a, b, c, d in matchups for m in ((a, b, c, d), (a, c, b, d), (a, b, d, c))]
    cells = []
    for level, label in enumerate(truth.levels):
        for arena in truth.arena:
            for teams in matchups:
                cells.append(
                    {
                        "cell": len(cells),
                        "level": level,
                        "arena": arena,
                        "teams": teams,
                        "rosters": None,
                        "draft": "fixed" if teams else "blind",
                        "agents": [label] * players,
                        "pairs": pairs,
                        "setup_key": "0" * 16,
                        "rows": list(ROWS),
                        "nodes": [f"{column}{row}" for column in "abcd" for row in range(1, 5)],
                    }
                )
    return cells


def play(
    random: np.random.Generator, truth: Truth, cell: dict[str, Any], first: int, n: int, record: bool
) -> Any:
    """Rows of one part: the same rosters in every seating, independent luck in every game."""
    seats, side_of_seat, seatings = MODES[truth.mode]
    rosters = draw_rosters(random, truth, cell, n)
    same = cell["teams"] is not None and len(set(cell["teams"])) == 1
    played = seatings[:1] if same else seatings
    results = np.zeros(n * len(played), RESULT + QUALITY * truth.full)
    results["pair"] = np.repeat(np.arange(first, first + n), len(played))
    results["seating"] = np.tile(np.arange(len(played)), n)
    results["weight"] = len(seatings) // len(played)
    seating = np.array(seatings)[results["seating"]]
    sides = max(side_of_seat) + 1
    roster = np.repeat(rosters, len(played), axis=0)
    chances = win_chances(truth, cell, roster, seating)
    winner = (random.random(len(results))[:, None] > chances.cumsum(axis=1)).sum(axis=1).clip(0, sides - 1)
    winner[random.random(len(results)) < truth.draws] = -1
    results["winner"] = winner
    score = np.where(winner[:, None] < 0, 1 / sides, winner[:, None] == np.array(side_of_seat))
    results["score"] = np.nan
    results["score"][:, :seats] = score
    results["place"] = np.where(np.arange(4) < seats, np.arange(4), -1)
    results["termination"] = np.where(winner < 0, 2, 1)
    results["turns"] = 10 + random.poisson(8, len(results))
    results["plies"] = 2 * results["turns"]
    if truth.full:
        results["counted"][:, :seats] = np.where(results["pair"] % COUNTED_EVERY, 0, 10)[:, None]
        results["ends"] = random.poisson(5 * results["counted"])
        own = random.bit_generator.state["state"]["state"] % 2**32  # `random` itself must not move on
        judge(np.random.default_rng([cell["cell"], first, own]), results)
    hero = heroes(random, results, seating, roster, record)
    if not record:
        return SimpleNamespace(results=results, game=None, hero=hero, node=None)
    if truth.picked:
        hero["pick"] = picks(roster)
    game = np.zeros(len(results), GAME)
    game["lead_changes"] = random.poisson(2, len(results))
    game["win_by"] = random.choice([0, 1, 2], len(results), p=[0.2, 0.5, 0.3])
    game["corner"] = random.random((len(results), 4)) < 0.25
    game["vp"] = random.poisson(12, (len(results), 4))
    game["from_hill"], game["from_attack"] = game["vp"] // 4, game["vp"] - game["vp"] // 4
    node = np.zeros(16, NODE)
    node["visits"], node["removals"] = random.poisson(20 * n, 16), random.poisson(n, 16)
    return SimpleNamespace(results=results, game=game, hero=hero, node=node)


def judge(random: np.random.Generator, results: np.ndarray) -> None:
    """Judge the counted games: in one of ten decisions nothing is to choose, else there are six actions.

    Lead changes are Poisson with mean 2. Every second game's winner was behind by a quarter at worst, half of
    that on average; the lead for good was taken after two fifths of the game, in one of ten at the end.
    """
    some = (results["pair"] % COUNTED_EVERY) == 0
    n = int(some.sum())
    results["swings"], results["behind"], results["trailed"], results["sealed"] = -1, np.nan, np.nan, np.nan
    decisions = results["plies"][some]
    forced = random.binomial(decisions, 0.1)
    results["decisions"][some], results["forced"][some] = decisions, forced
    results["options"][some] = forced + 6 * (decisions - forced)
    results["judged"][some] = results["turns"][some]
    results["swings"][some] = random.poisson(2, n)
    trailed = np.where(random.random(n) < 0.5, JUDGE_GRID // 4, 0) / JUDGE_GRID
    lost = results["winner"][some] < 0
    results["trailed"][some] = np.where(lost, np.nan, trailed)
    results["behind"][some] = results["trailed"][some] / 2
    results["sealed"][some] = np.where(lost, np.nan, np.where(random.random(n) < 0.1, 1.0, 0.4))


def picks(roster: np.ndarray) -> np.ndarray:
    """Number of every pick, low hero numbers first, flat as the rows of the heroes table."""
    flat = roster.reshape(len(roster), -1)
    return (1 + flat.argsort(axis=1, kind="stable").argsort(axis=1)).reshape(-1)


def draw_rosters(random: np.random.Generator, truth: Truth, cell: dict[str, Any], n: int) -> np.ndarray:
    """Hero indices, shape (n, players, size): the teams', or dealt from two copies of each."""
    players, kinds = MODES[truth.mode][0], len(truth.heroes)
    if cell["teams"]:
        given = [truth.teams[team] for team in cell["teams"]]
        return np.broadcast_to(np.array(given), (n, players, len(given[0])))
    deck = np.tile(np.arange(kinds), 2)
    dealt = random.permuted(np.tile(deck, (n, 1)), axis=1)[:, : players * truth.size]
    return dealt.reshape(n, players, truth.size)


def win_chances(truth: Truth, cell: dict[str, Any], roster: np.ndarray, seating: np.ndarray) -> np.ndarray:
    """Chance of each side to win a game that is won, shape (rows, sides)."""
    seats, side_of_seat, _ = MODES[truth.mode]
    sides, rows = max(side_of_seat) + 1, np.arange(len(roster))
    if not truth.heroes:
        worth = np.zeros(seating.shape)
    else:
        strength = np.array(truth.strength) * truth.scale[cell["level"]]
        worth = strength[roster].sum(axis=2)
    by_side = np.zeros((len(roster), sides))
    for player in range(seats):
        np.add.at(by_side, (rows, np.array(side_of_seat)[seating[:, player]]), worth[:, player])
    chances = 1 / sides + (sides * by_side - by_side.sum(axis=1, keepdims=True)) / (sides - 1)
    bonus = truth.seat + truth.arena[cell["arena"]]
    chances[:, 0] += bonus
    chances[:, 1:] -= bonus / (sides - 1)
    return np.clip(chances, 0, 1)


def heroes(
    random: np.random.Generator, results: np.ndarray, seating: np.ndarray, roster: np.ndarray, record: bool
) -> np.ndarray:
    """Rows of the heroes table."""
    rows, players, size = roster.shape
    dtype = np.dtype([*HERO_KEY, ("chances", "i4"), *(HERO.descr if record else [])])
    table = np.zeros(rows * players * size if len(roster) else 0, dtype)
    table["row"] = np.repeat(np.arange(rows), players * size)
    table["player"] = np.tile(np.repeat(np.arange(players), size), rows)
    table["seat"] = np.repeat(seating, size, axis=1).reshape(-1)
    table["hero"] = roster.reshape(-1)
    table["slot"] = np.tile(np.arange(size), rows * players)
    if record:
        table["steps"] = random.poisson(3 + table["hero"])
        table["vp_earned"] = random.poisson(1, len(table))
        counted = results["counted"][table["row"], table["seat"]]
        _, first, shared = np.unique(table[["row", "seat", "hero"]], return_index=True, return_inverse=True)
        chances = random.binomial(counted, (table["hero"] + 1) / 10)[first]
        table["chances"] = chances[shared]  # both copies of a seat have the seat's count
        table["ability_uses"][first] = random.binomial(chances, 0.5)
    return table


def planted_sums(truth: Truth, pairs: int, seed: int, change: Any = None, hero: tuple[str, ...] = ()) -> Any:
    """Sums of a planted run without any file: for simulations that repeat it often.

    `change(cell, rosters, scores)` may give other rosters and scores of a cell's pairs; `hero` names columns
    of heroes that the game describes, stored or not.
    """
    import polars

    from balance.stats.batch import make_batch
    from balance.stats.design import read_design
    from balance.stats.sums import Columns, collect
    from balance.store.schema import games_columns, heroes_columns

    head = manifest_head(truth, planned_cells(truth, pairs), seed)
    design = read_design(head)
    seats, batches = MODES[truth.mode][0], []
    for cell, known in zip(head["cells"], design.cells, strict=True):
        rows = play(np.random.default_rng([seed, cell["cell"]]), truth, cell, 0, pairs, bool(hero))
        games = polars.DataFrame(games_columns(cell["cell"], rows.results, None, seats))
        held = polars.DataFrame(heroes_columns(cell["cell"], rows.results, rows.hero, seats))
        if pairs:
            batch = make_batch(design, known, games, held)
            if change:
                counts, scores = change(known, batch.counts, batch.player_scores)
                batch = replace(batch, counts=counts, player_scores=scores)
            batches.append(batch)
    return collect(design, batches, Columns(hero=hero))
