"""A game's actions played one after another, and what a game's notation tells of its positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.games.piece import Piece, Tile
from balance.games.position import Position

SEATS = "ABCD"


@dataclass(frozen=True, eq=False)
class Ply:
    """One action and what came of it.

    Attributes
    ----------
    number : int
        From 1.
    turn, seat : int
        Number of the turn (0 before the first) and the seat that decided.
    in_turn : bool
        Whether a turn was being played, not what stands between turns.
    action : int
        As packed by the game.
    text : str
    chance : str
        What dice or cards did; empty when nothing was left to chance.
    points : tuple of int
        What each side has counted afterwards; empty when the game counts nothing on the way.
    after : Position
    """

    number: int
    turn: int
    seat: int
    in_turn: bool
    action: int
    text: str
    chance: str
    points: tuple[int, ...]
    after: Position


def stepped(start: Position, actions: Sequence[int], key: int, pair: int) -> Iterator[Ply]:
    """The plies of a game: its actions played one after another on its own stream of chance."""
    from balance.kernel.rng import DICE, new_stream, seed_stream
    from balance.study.oracle import format_action, play

    stream = new_stream()
    seed_stream(stream, np.uint64(key), pair, DICE)
    before = start
    for number, action in enumerate(actions, 1):
        drawn = int(stream[0])
        after = play(before, action, stream)
        chance = chance_text(before, action, after) if int(stream[0]) != drawn else ""
        state = before.state
        yield Ply(
            number,
            int(state["turn"]),
            int(state["to_move"]),
            int(state["segment"]) % 2 == 1,
            action,
            format_action(before, action),
            chance,
            points_of(after),
            after,
        )
        before = after


def chance_text(before: Position, action: int, after: Position) -> str:
    """What chance did in a step that drew from its stream, as the game says it."""
    say = getattr(before.game.part("notation"), "chance", None)
    text = say(before.state, action, after.state, before.tables) if say else ""
    return text or "left to chance"


def points_of(position: Position) -> tuple[int, ...]:
    """What each side has counted so far; empty for games that count nothing on the way."""
    count = getattr(position.game.part("notation"), "points", None)
    return tuple(int(value) for value in count(position.state, position.tables)) if count else ()


def pieces_of(position: Position) -> list[Piece]:
    """What stands where; empty for games that do not tell."""
    list_pieces = getattr(position.game.part("notation"), "pieces", None)
    return list(list_pieces(position.state, position.tables)) if list_pieces else []


def tiles_of(position: Position) -> list[Tile]:
    """What lies on nodes; empty for games that do not tell."""
    list_tiles = getattr(position.game.part("notation"), "tiles", None)
    return list(list_tiles(position.state, position.tables)) if list_tiles else []


def estimates(position: Position) -> tuple[float, ...]:
    """The game's own estimate for each side, between 0 and 1; the result once the game is over."""
    from balance.study.oracle import is_over, rule

    scores = np.zeros(len(SEATS))
    name = "score" if is_over(position) else "evaluate"
    rule(position.game, name)(position.state, position.tables, scores)
    return tuple(scores[: position.mode.sides].tolist())


def step_differences(name: str, end: Position, result: Mapping[str, Any]) -> list[str]:
    """What a game that was stepped through ends in otherwise than the same game in the playout loop."""
    from balance.study.oracle import is_over

    if not is_over(end):
        return [f"{name}: stepped through, the game does not end"]
    sides, scores = end.mode.side_of_seat, estimates(end)
    ends = {"turns": end.state["turn"], "plies": end.state["ply"], "termination": end.state["termination"]}
    ends |= {f"score_{SEATS[seat].lower()}": scores[side] for seat, side in enumerate(sides)}
    return [
        f"{name}: stepped through, {column} is {value}, not {result[column]}"
        for column, value in ends.items()
        if value != result[column]
    ]
