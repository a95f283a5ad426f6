"""A replayed game as text for the terminal, and as plain data for machines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.study.replay import Replay
    from balance.study.stepping import Ply

ACTION = 44  # columns of an action before what came of it


def lines(replay: Replay, folder: str, boards: bool, turn: int | None) -> Iterator[str]:
    """The game, turn by turn: all of it, or one turn with the board before and after.

    Raises
    ------
    UsageError
        The game has no such turn.
    """
    from balance.errors import UsageError

    turns = list(replay.turns())
    if turn is not None and turn not in [number for number, _ in turns]:
        raise UsageError(
            f"{replay.id} has no turn {turn}", f"it has the turns {turns[0][0]} to {turns[-1][0]}"
        )
    if turn is None:
        yield from head(replay, folder)
    for number, plies in turns:
        if turn not in (None, number):
            continue
        drawn = boards and number != turns[0][0]  # at the end of what prepares the first turn
        if turn is not None or number == first_turn(turns) and not drawn:
            yield board(replay.before(plies[0]))
        yield f"turn {number}" if number else "before turn 1"
        yield from turn_lines(replay, plies)
        if boards or turn is not None:
            yield ""
            yield board(replay.plies[plies[-1]].after)
    if turn is None:
        yield from foot(replay, boards)


def first_turn(turns: list[tuple[int, range]]) -> int:
    """The turn before which the opening board is drawn: the first, after what prepares it."""
    return next((number for number, _ in turns if number > 0), turns[0][0])


def head(replay: Replay, folder: str) -> Iterator[str]:
    """What was played, by whom."""
    from balance.report.replay_view import title_of

    game, plan = replay.plan.game, replay.plan.plan
    arena = title_of(replay, "arenas", replay.cell.arena)
    yield f"{replay.id} of {folder}: {game.title}, {replay.mode.name} on {arena}"
    for player in replay.players:
        heroes = ", ".join(title_of(replay, "heroes", hero) for hero in player.heroes)
        team = f"{title_of(replay, 'teams', player.team)}: " if player.team else ""
        picked = f"  (drafted: {replay.cell.draft})" if replay.drafted else ""
        yield f"  {player.seat}  {player.agent}  {team}{heroes}{picked}".rstrip()
    yield f"seed {plan.seed}, stream {replay.cell.stream_key:016x}, pair {replay.id.pair}"
    yield ""


def turn_lines(replay: Replay, plies: range) -> Iterator[str]:
    """One line a decision: its number, the seat, the action, and what came of it."""
    for index in plies:
        ply = replay.plies[index]
        seat = replay.players[ply.seat].seat
        yield f"{ply.number:6}  {seat}  {ply.text:<{ACTION}} {'; '.join(outcome(replay, index))}".rstrip()


def outcome(replay: Replay, index: int) -> list[str]:
    """What a decision changed beside the position: chance, points, pieces that left the board."""
    from balance.study.stepping import SEATS, pieces_of, points_of

    ply, before = replay.plies[index], replay.before(index)
    found = [ply.chance] if ply.chance else []
    left = standing(pieces_of(before))
    for key, number in standing(pieces_of(ply.after)).items():
        left[key] = left.get(key, 0) - number
    found += [
        f"{name} of {SEATS[seat]} is off the board" for (seat, name), number in left.items() if number > 0
    ]
    name = points_name(replay)
    for side, (was, now) in enumerate(zip(points_of(before), ply.points, strict=True)):
        if was != now:
            found.append(f"{name} {replay.mode.side_name(side)} {now} ({now - was:+d})")
    return found


def standing(pieces: Any) -> dict[tuple[int, str], int]:
    """How many pieces of each kind stand on the board."""
    counts: dict[tuple[int, str], int] = {}
    for piece in pieces:
        if piece.node >= 0:
            counts[piece.seat, piece.name] = counts.get((piece.seat, piece.name), 0) + 1
    return counts


def points_name(replay: Replay) -> str:
    """What the game's points are called."""
    return str(getattr(replay.plan.game.part("notation"), "POINTS", "points"))


def board(position: Any) -> str:
    """The board as the game draws it."""
    return str(position.game.part("notation").draw(position))


def foot(replay: Replay, boards: bool) -> Iterator[str]:
    """The last board unless it was just drawn, and why the game ended."""
    from balance.report.replay_view import ending

    yield ""
    if not boards:
        yield board(replay.end)
    yield ending(replay)
    yield "ends as stored" if not replay.differences else "does not end as stored:"
    yield from (f"  {text}" for text in replay.differences)


def as_data(replay: Replay) -> dict[str, Any]:
    """The whole game as plain data: positions as texts and documents, actions, points."""
    return {
        "game": str(replay.id),
        "asked": str(replay.asked),
        "ruleset": replay.plan.game.slug,
        "mode": replay.mode.name,
        "arena": replay.cell.arena,
        "players": [vars(player) for player in replay.players],
        "seed": replay.plan.plan.seed,
        "stream": f"{replay.cell.stream_key:016x}",
        "result": {name: None if value != value else value for name, value in replay.result.items()},
        "differences": list(replay.differences),
        "notes": list(replay.notes),
        "start": position_data(replay.start),
        "plies": [ply_data(replay, ply) for ply in replay.plies],
    }


def ply_data(replay: Replay, ply: Ply) -> dict[str, Any]:
    """One decision as plain data."""
    return {
        "ply": ply.number,
        "turn": ply.turn,
        "seat": replay.players[ply.seat].seat,
        "action": ply.text,
        "packed": ply.action,
        "chance": ply.chance,
        "points": list(ply.points),
        "after": position_data(ply.after),
    }


def position_data(position: Any) -> dict[str, Any]:
    """A position as canonical text and, while the game goes on, as the document that the oracle reads."""
    from balance.study.oracle import is_over

    document = None if is_over(position) else position.game.part("notation").document(position)
    return {"text": position.text(), "document": document}
