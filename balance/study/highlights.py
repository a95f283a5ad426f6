"""Three games of a run that are worth looking at: a typical one, the most dramatic, the most lopsided.

Chosen by what every game records and by its own evaluation, so that it works for all of them and whatever
was recorded. Deterministic: candidates stand evenly over the stored rows, ties go to the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.play.chunk import game_seconds
from balance.play.verify import sample
from balance.store.read import read_part
from balance.study.replay import GameId, Replay, Replayer
from balance.study.stepping import estimates

PARTS = 8  # parts that are read
CANDIDATES = 40  # games played again and measured
SECONDS = 1.5  # of playing again, roughly: fewer candidates when games are long
MOST_SECONDS = 8.0  # for the three games themselves; slower agents are not played again
COLUMNS = ("cell", "pair", "seating", "turns", "winner", "termination")


@dataclass(frozen=True)
class Course:
    """How a game went by its own evaluation at the ends of turns.

    Attributes
    ----------
    behind : float
        How far the later winner was behind the best of the others at worst, 0-1; 0 when it never was.
    behind_turn : int
        The turn after which that was.
    ahead : float
        How far it was ahead on average, negative when behind.
    """

    behind: float
    behind_turn: int
    ahead: float


@dataclass(frozen=True, eq=False)
class Chosen:
    """A game with the reason: ``typical``, ``dramatic``, ``lopsided``."""

    kind: str
    replay: Replay
    reason: str


@dataclass(frozen=True, eq=False)
class Highlights:
    """What was chosen, or why nothing was.

    Attributes
    ----------
    level : int
        Skill level of the games; -1 when none was chosen.
    rows, parts : int
        Games that the typical one was chosen among, and the parts that they stand in.
    candidates : int
        Games that were played again to find the other two.
    chosen : tuple of Chosen
    refusal : str
        Why no game is shown; empty when some are.
    ids : tuple of str
        Games that can be looked at by hand, when none is shown.
    """

    level: int
    rows: int
    parts: int
    candidates: int
    chosen: tuple[Chosen, ...]
    refusal: str = ""
    ids: tuple[str, ...] = ()


def highlights(replayer: Replayer) -> Highlights:
    """Choose three games of a run; see :class:`Highlights`."""
    keys = sorted(replayer.manifest.parts)
    first = str(GameId(keys[0][0], replayer.manifest.parts[keys[0]]["first_pair"], 0))
    if replayer.other_kernel:
        return _none(
            "This run was played under another kernel: rules code, Python, NumPy, Numba or processor "
            "differ, so a game played again may be another one.",
            first,
        )
    level = affordable(replayer)
    if level is None:
        return _none(
            "Its agents think so long that playing three games again would take more than "
            f"{MOST_SECONDS:.0f} seconds.",
            first,
        )
    return _chosen(replayer, level)


def _none(reason: str, game: str) -> Highlights:
    return Highlights(-1, 0, 0, 0, (), reason, (game,))


def affordable(replayer: Replayer) -> int | None:
    """The highest skill level with stored games of which three can be played again in a few seconds."""
    levels = {replayer.cells[cell].level for cell, _ in replayer.manifest.parts}
    for level in sorted(levels, reverse=True):
        if 3 * pair_seconds(replayer, level) <= MOST_SECONDS:
            return level
    return None


def pair_seconds(replayer: Replayer, level: int) -> float:
    """Rough seconds of a pair in all its seatings, of the slowest cell of a level."""
    cells = [cell for cell in replayer.cells if cell.level == level]
    return max(game_seconds(cell.agents) * len(cell.seatings) for cell in cells)


def _chosen(replayer: Replayer, level: int) -> Highlights:
    rows, parts = sampled_rows(replayer, level)
    typical = typical_row(rows)
    most = int(np.clip(SECONDS / pair_seconds(replayer, level), 3, CANDIDATES))
    spots = sorted({index * len(rows["cell"]) // most for index in range(most)} | {typical})
    games = {spot: replayer.play(_id(rows, spot)) for spot in spots}
    if wrong := next((game for game in games.values() if game.differences), None):
        return _none(
            f"A game played again does not end as it is stored: {wrong.differences[0]}.", str(wrong.id)
        )
    chosen = [Chosen("typical", games.pop(typical), typical_reason(rows, typical))]
    courses = {spot: course(game) for spot, game in games.items() if game.result["winner"] >= 0}
    if courses:
        spot = max(courses, key=lambda one: (courses[one].behind, -one))
        chosen.append(Chosen("dramatic", games[spot], dramatic_reason(courses.pop(spot))))
    if courses:
        spot = max(courses, key=lambda one: (courses[one].ahead, -one))
        chosen.append(Chosen("lopsided", games[spot], lopsided_reason(courses.pop(spot))))
    return Highlights(level, len(rows["cell"]), parts, len(spots), tuple(chosen))


def sampled_rows(replayer: Replayer, level: int) -> tuple[dict[str, np.ndarray], int]:
    """Rows of some parts of a level, evenly spread, in order of cell, pair, seating; and how many parts."""
    parts = replayer.manifest.parts
    keys = sample([key for key in parts if replayer.cells[key[0]].level == level], PARTS)
    tables = [read_part(replayer.manifest.folder, parts[key], "games") for key in keys]
    return {name: np.concatenate([table[name] for table in tables]) for name in COLUMNS}, len(keys)


def _id(rows: dict[str, np.ndarray], spot: int) -> GameId:
    return GameId(*(int(rows[name][spot]) for name in ("cell", "pair", "seating")))


def typical_row(rows: dict[str, np.ndarray]) -> int:
    """The row nearest to the median length among those with the commonest winner and ending."""
    outcomes = list(zip(rows["winner"].tolist(), rows["termination"].tolist(), strict=True))
    commonest = max(sorted(set(outcomes)), key=outcomes.count)
    median = float(np.median(rows["turns"]))
    own = [spot for spot, outcome in enumerate(outcomes) if outcome == commonest]
    return min(own, key=lambda spot: (abs(float(rows["turns"][spot]) - median), spot))


def course(game: Replay) -> Course:
    """How a game with a winner went; see :class:`Course`."""
    winner = game.result["winner"]
    behind, behind_turn, leads = 0.0, 0, [0.0]
    turns = [(turn, plies) for turn, plies in game.turns() if turn]
    for turn, plies in turns[:-1]:
        shares: list[Any] = list(estimates(game.plies[plies[-1]].after))
        lead = shares.pop(winner) - max(shares, default=0.0)
        leads.append(lead)
        if -lead > behind:
            behind, behind_turn = -lead, turn
    return Course(behind, behind_turn, float(np.mean(leads)))


def typical_reason(rows: dict[str, np.ndarray], spot: int) -> str:
    """Why it is typical, in words."""
    median = float(np.median(rows["turns"]))
    return (
        f"Its {int(rows['turns'][spot])} turns are nearest to the median of {median:g}, among the games "
        "with the commonest winner and ending."
    )


def dramatic_reason(course: Course) -> str:
    """Why it is dramatic, in words."""
    if course.behind <= 0:
        return (
            "In none of the games played again was the later winner ever behind; this is the first of them."
        )
    return (
        f"The later winner was furthest behind: by {100 * course.behind:.0f} points of 100 in the game's own "
        f"estimate after turn {course.behind_turn}."
    )


def lopsided_reason(course: Course) -> str:
    """Why it is lopsided, in words."""
    return (
        f"The winner was furthest ahead on average: by {100 * course.ahead:.0f} points of 100 in the game's "
        "own estimate at the ends of turns."
    )
