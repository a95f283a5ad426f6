"""The tally of a game equals what is counted from the slow reference in the same game (section 12)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from balance.games.krosmaster_blast.books import book_of
from balance.games.krosmaster_blast.layout import EVENTS, ROOM, TEAM, cell_name
from balance.games.krosmaster_blast.metrics import GAME_COUNTS, HERO_COUNTS, NODE_COUNTS, SEAT_COUNTS
from balance.games.position import Position
from balance.kernel.contract import NONE
from balance.kernel.jit import new_record
from balance.study import oracle, scripted
from tests.games.krosmaster_blast.counting import Count
from tests.games.krosmaster_blast.forcing import NOTATION, slow_after, throws
from tests.games.krosmaster_blast.witness import watching
from tests.naive import krosmaster_blast as naive

MOST_DECISIONS = 2000
MOST_GAMES = 200
KINDS = ("plain", "strange", "crowded")

# A narrow field, three a side, the longest game and a third spell for everybody: for columns that need those.
NARROW = ["aG.Gb", "a.G.b", "aG.Gb"]
LONG = {"team_size": 3, "rounds": 7}
ZAP = {"zap": {"range": [1, 3], "target": "fighter", "damage": 1}}

Chooser = Callable[[Position, list[int], random.Random], int]


def at_random(fast: Position, actions: list[int], dice: random.Random) -> int:
    return dice.choice(actions)


def greedily(fast: Position, actions: list[int], dice: random.Random) -> int:
    """The action with the best estimate after one throw of it (section 13)."""
    return max(actions, key=lambda action: (estimate(fast, action, dice), dice.random()))


def estimate(fast: Position, action: int, dice: random.Random) -> float:
    scores = np.zeros(4)
    bound = NOTATION.chances(fast.state, fast.tables, action)
    result = oracle.play(fast, action, scripted.scripted(dice.randrange(bound), bound))
    if oracle.is_over(result):
        oracle.rule(fast.game, "score")(result.state, result.tables, scores)
    else:
        oracle.rule(fast.game, "evaluate")(result.state, result.tables, scores)
    return float(scores[int(fast.state["to_move"])])


def begin(kind: str, dice: random.Random) -> Any:
    """The first position of a game, plain or strange or crowded, in the slow engine."""
    if kind != "crowded":
        return naive.random_start(dice, kind == "plain")
    longer = {"krosmasters": {name: {"spells": ZAP} for name in naive.BOOK["krosmasters"]}}
    return naive.start(NARROW, LONG, "random", dice, data=longer)


def play(seed: int, kind: str, choose: Chooser = at_random) -> tuple[Any, Count, Any, int]:
    """One game in both engines with the same throws: final state, counts, tally, most events of a ply."""
    dice = random.Random(seed)
    slow, decisions, most = begin(kind, dice), 0, 0
    fast = oracle.load(naive.document(slow))
    tally = new_record(fast.game.part("rules").CONTRACT.tally)
    count = Count(slow)
    while slow.phase != "over" and decisions < MOST_DECISIONS:
        packed = choose(fast, oracle.actions(fast), dice)
        action = oracle.format_action(fast, packed)
        bound = throws(slow, action)
        throw = dice.randrange(bound)
        result = oracle.play(fast, packed, scripted.scripted(throw, bound))
        oracle.rule(fast.game, "observe")(fast.state, packed, result.state, fast.tables, tally)
        with watching() as seen:
            after = slow_after(slow, action, throw)
        assert result.text() == naive.canonical(after), (naive.canonical(slow), action)
        count.ply(slow, action, throw, after, seen)
        fast, slow, decisions = result, after, decisions + 1
        most = max(most, int(fast.state["events"]))
    return fast, count, tally, most


def differences(fast: Position, count: Count, tally: Any) -> list[str]:
    """Columns in which the tally is not what was counted."""
    found = compare("game", GAME_COUNTS, tally["game"].__getitem__, count.game)
    for number, seat in enumerate("AB"):
        kept = {name: tally["game"][name][number] for name in SEAT_COUNTS}
        found += compare(f"seat {seat}", SEAT_COUNTS, kept.__getitem__, count.seats[seat])
    figures = book_of(fast.tables).figures
    for number, seat in enumerate("AB"):
        for place in range(TEAM):
            figure = int(fast.state["fighter"][number * ROOM + place]["figure"])
            row, name = tally["hero"][number * TEAM + place], "" if figure == NONE else figures[figure]
            counted = count.heroes[seat, name]
            found += compare(f"{seat} {name}", HERO_COUNTS, row.__getitem__, counted)
    for cell in range(int(fast.tables["nodes"])):
        name = cell_name(cell, int(fast.tables["height"]))
        found += compare(name, NODE_COUNTS, tally["node"][cell].__getitem__, count.cells[name])
    return found


def compare(where: str, names: Iterable[str], kept: Callable[[str], Any], counted: Any) -> list[str]:
    """Differences in some columns; counts without a column are differences, too."""
    names = tuple(names)
    found = [
        f"{where}: {name} is {int(kept(name))}, counted {int(counted[name])}"
        for name in names
        if int(kept(name)) != int(counted[name])
    ]
    return found + [f"{where}: {name} has no column" for name in counted if name not in names]


def filled(count: Count) -> set[str]:
    """Names of the columns that are not 0 in a game."""
    parts = [count.game, *count.seats.values(), *count.heroes.values(), *count.cells.values()]
    return {name for part in parts for name, number in part.items() if number}


def check(seed: int, kind: str, choose: Chooser = at_random) -> set[str]:
    """Compare one game; games with more events in a ply than a state holds are not counted whole."""
    fast, count, tally, most = play(seed, kind, choose)
    if most < EVENTS and oracle.is_over(fast):
        assert differences(fast, count, tally) == []
    return filled(count)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_are_counted_as_the_slow_engine_counts_them(seed: int) -> None:
    check(seed, "plain")


@pytest.mark.parametrize("seed", range(50, 56))
def test_games_of_strange_cards_are_counted_alike(seed: int) -> None:
    check(seed, "strange")


@pytest.mark.parametrize("seed", range(80, 84))
def test_crowded_games_are_counted_alike(seed: int) -> None:
    check(seed, "crowded")


@pytest.mark.parametrize("seed", range(100, 103))
def test_games_with_knock_outs_are_counted_alike(seed: int) -> None:
    check(seed, "plain", greedily)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 5000, 200))
def test_many_games_are_counted_alike(first: int) -> None:
    for seed in range(first, first + 200):
        check(seed, KINDS[seed % 3])


@pytest.mark.slow
def test_every_column_is_filled_in_some_game() -> None:
    columns, seen = {*GAME_COUNTS, *SEAT_COUNTS, *HERO_COUNTS, *NODE_COUNTS}, set[str]()
    for seed in range(MOST_GAMES):
        seen |= check(seed, KINDS[seed % 3], greedily if seed % 4 == 3 else at_random)
        if columns <= seen:
            return
    assert columns - seen == set()
