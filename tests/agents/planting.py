"""Positions with something in them to be found, for any game: wins in one turn, threats, exact values.

Everything is found by slow search over the rules oracle, which knows no agent. Positions come from the ends
of random games; `Game` is all that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np

from balance.games.position import Position
from balance.kernel.rng import new_stream
from balance.study import oracle
from tests.conformance.playing import begin, walk

MOST_GAMES = 200  # random games that are looked through


class TooBigError(Exception):
    """A position with more to look at than a test may take."""


@cache
def opening(slug: str, mode: str, draft: str, most: int = 12, plies: int = 84) -> tuple[Position, ...]:
    """Some of the first positions of a random game, set-up and first turns; no game is played to its end."""
    found = [
        position for position, action in islice(walk(begin(slug, mode, draft, 5), 5), plies) if action >= 0
    ]
    return tuple(found[:: max(1, len(found) // most)][:most])


def mover(position: Position) -> int:
    """Side of the seat to move."""
    return position.mode.side_of_seat[int(position.state["to_move"])]


def scores(position: Position) -> tuple[float, ...]:
    """Scores per side of a finished game."""
    found = np.zeros(4)
    oracle.rule(position.game, "score")(position.state, position.tables, found)
    return tuple(found[: position.mode.sides].tolist())


def won_by(position: Position, side: int) -> bool:
    """Whether the game is over and this side has won it."""
    return oracle.is_over(position) and scores(position)[side] == 1.0


def is_certain(position: Position, action: int) -> bool:
    """Whether no chance enters what an action does."""
    stream = new_stream(5)
    before = stream[0]
    oracle.play(position, action, stream)
    return bool(stream[0] == before)


def ends_of_turn(position: Position, most: int) -> Iterator[Position]:
    """Ends of the turn as they are found, each position once; certain actions only.

    Raises
    ------
    TooBigError
        After `most` positions.
    """
    segment, seen = int(position.state["segment"]), {oracle.key(position)}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        for action in oracle.actions(here):
            new = oracle.play(here, action)
            name = oracle.key(new)
            if name in seen or not is_certain(here, action):
                continue
            seen.add(name)
            if len(seen) > most:
                raise TooBigError
            if int(new.state["segment"]) != segment or oracle.is_over(new):
                yield new
            else:
                waiting.append(new)


def can_win(position: Position, most: int = 4000) -> bool:
    """Whether the side to move can surely win in the turn that is being played."""
    side = mover(position)
    return any(won_by(end, side) for end in ends_of_turn(position, most))


def turn_starts(slug: str, mode: str, draft: str, seed: int) -> list[Position]:
    """The positions of one random game in which a turn begins."""
    found, segment = [], -1
    for position, _ in walk(begin(slug, mode, draft, seed), seed):
        if oracle.in_turn(position) and int(position.state["segment"]) != segment:
            segment = int(position.state["segment"])
            found.append(position)
    return found


def winning_positions(slug: str, mode: str, draft: str, wanted: int, seed: int = 1) -> Iterator[Position]:
    """Starts of turns, near the ends of random games, that some but not all ends of the turn win."""
    for number in range(seed, seed + MOST_GAMES):
        for position in turn_starts(slug, mode, draft, number)[-3:]:
            try:
                won = [won_by(end, mover(position)) for end in ends_of_turn(position, 4000)]
            except TooBigError:
                continue
            # A win that most turns give is found by chance.
            if 0 < sum(won) <= len(won) / 2:
                yield position
                wanted -= 1
                if wanted == 0:
                    return


def is_lost(end: Position, side: int) -> bool:
    """Whether an end of a turn of `side` is lost, or lets who moves next win at once.

    What is decided between the turns, each seat decides for its own side.
    """
    if oracle.is_over(end):
        return scores(end)[side] == 0.0
    if oracle.in_turn(end):
        return mover(end) != side and can_win(end)
    answers = (is_lost(oracle.play(end, action), side) for action in oracle.actions(end))
    return all(answers) if mover(end) == side else any(answers)


def threatened_positions(slug: str, mode: str, draft: str, wanted: int, seed: int = 1) -> Iterator[Position]:
    """Starts of turns without a win, of which a quarter or more of a sample of ends lose, but not all."""
    for number in range(seed, seed + MOST_GAMES):
        for position in turn_starts(slug, mode, draft, number)[-3:]:
            side, dice = mover(position), np.random.default_rng(number)
            try:
                ends = list(ends_of_turn(position, 4000))
                if any(won_by(end, side) for end in ends):
                    continue
                places = dice.permutation(len(ends))[:30]
                lost = [is_lost(ends[place], side) for place in places]
            except TooBigError:
                continue
            if len(lost) / 4 <= sum(lost) < len(lost):
                yield position
                wanted -= 1
                if wanted == 0:
                    return


def exact_value(position: Position, known: dict[int, tuple[float, ...]], most: int) -> tuple[float, ...]:
    """Scores per side when every side plays for its own; games without chance only.

    Raises
    ------
    TooBigError
        When more than `most` positions would have to be looked at.
    """
    if oracle.is_over(position):
        return scores(position)
    name = oracle.key(position)
    if name not in known:
        if len(known) >= most:
            raise TooBigError
        known[name] = ()  # counted while it is being looked at
        known[name] = best_reply(position, known, most)
    return known[name]


def best_reply(position: Position, known: dict[int, tuple[float, ...]], most: int) -> tuple[float, ...]:
    """Scores after the best action for whoever moves; a win at hand is looked for first."""
    side, results = mover(position), [oracle.play(position, one) for one in oracle.actions(position)]
    best: tuple[float, ...] = ()
    for result in sorted(results, key=lambda one: not oracle.is_over(one)):
        value = exact_value(result, known, most)
        if not best or value[side] > best[side]:
            best = value
        if best[side] == 1.0:
            break
    return best
