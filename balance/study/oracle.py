"""The rules oracle: what is legal in a position, what follows, how a turn can end.

Written once over the rules contract; games differ only in their notation and their kernels. All
functions take and give :class:`Position`; nothing they are given is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from balance.errors import RuleError
from balance.games import get_game
from balance.games.game import ArenaInfo, Game
from balance.games.position import DocumentError, Position
from balance.kernel.contract import OVER
from balance.kernel.jit import new_record, new_records
from balance.kernel.rng import new_stream
from balance.study import scripted

SAMPLES = 20_000  # plays of an action that `outcomes` makes by default


def load(document: Any, game: Game | None = None) -> Position:
    """The position of a document; the game is the document's unless given.

    Raises
    ------
    RuleError
        A faulty document, or one of another game than `game`.
    UsageError
        An unknown game.
    """
    slug = document.get("game") if isinstance(document, Mapping) else None
    if game is None:
        if not isinstance(slug, str):
            raise DocumentError(
                ("game",) if slug is not None else (), "a position names its game: game: SLUG"
            )
        game = get_game(slug)
    return game.part("notation").load_position(document)


def start(
    game: Game,
    mode: str,
    arena: str,
    draft: str,
    rosters: Sequence[Sequence[str]] | None = None,
    seed: int = 0,
    overrides: Mapping[str, Any] | None = None,
) -> Position:
    """The position before the first decision of a game."""
    ruleset = game.part("schema").load_ruleset(None, dict(overrides or {}), mode)
    tables = game.part("tables").compile_tables(ruleset, mode, arena)
    setup = game.part("tables").make_setup(ruleset, mode, draft, rosters)
    state = new_record(game.part("rules").CONTRACT.state)
    rule(game, "setup")(state, tables, setup, new_stream(seed))
    info: ArenaInfo = ruleset.arenas[arena]
    return Position(game, game.mode(mode), ruleset, info, tables, state)


def rule(game: Game, name: str) -> Callable[..., Any]:
    """One compiled rule function of a game."""
    return game.part("rules").CONTRACT.functions[name]


def copied(state: Any) -> Any:
    """An independent copy of a state record."""
    box = new_records(1, state.dtype)
    box[0] = state
    return box[0]


def is_over(position: Position) -> bool:
    """Whether nobody has anything more to decide."""
    return bool(position.state["status"] == OVER)


def actions(position: Position) -> list[int]:
    """Packed legal actions in the order of the kernel; none when the game is over."""
    if is_over(position):
        return []
    buffer = np.zeros(position.game.max_actions, np.int64)
    count = int(rule(position.game, "legal")(position.state, position.tables, buffer))
    return buffer[:count].tolist()


def key(position: Position) -> int:
    """The contract's key: equal for positions with equal canonical text."""
    return int(rule(position.game, "key")(position.state, position.tables))


def format_action(position: Position, action: int) -> str:
    """The text of a packed action."""
    return position.game.part("notation").format_action(position.state, position.tables, action)


def play(position: Position, action: int, stream: np.ndarray | None = None) -> Position:
    """The position after a packed action, which must be legal; chance comes from `stream`."""
    state = copied(position.state)
    rule(position.game, "step")(state, position.tables, action, new_stream() if stream is None else stream)
    return position.with_state(state)


def legal(position: Position) -> list[str]:
    """Texts of all legal actions, sorted."""
    return sorted(format_action(position, action) for action in actions(position))


def after(
    position: Position, *texts: str, seed: int = 0, on_chance: Callable[[str], None] | None = None
) -> Position:
    """The position after one or more actions, played one after another.

    `on_chance` hears of every action that chance had a part in: the position is then one of several.

    Raises
    ------
    RuleError
        An action that is not understood or not legal when its turn comes.
    """
    stream = new_stream(seed)
    notation = position.game.part("notation")
    for text in texts:
        action = notation.parse_action(position.state, position.tables, text)
        drawn = stream[0]
        position = play(position, action, stream)
        if on_chance and stream[0] != drawn:
            on_chance(text)
    return position


def outcomes(
    position: Position, *texts: str, samples: int = SAMPLES, seed: int = 0
) -> dict[str, float] | dict[str, Fraction]:
    """Canonical texts that the last action can lead to, with their probabilities.

    Actions before the last are played once. Where the game's notation has ``chances``, every result of the
    last one is played once and the probabilities are exact (Fractions); else it is played `samples` times on
    fresh streams and they are shares (floats).
    """
    if not texts:
        raise RuleError("outcomes need an action", "name one with --action")
    before = after(position, *texts[:-1], seed=seed)
    notation = before.game.part("notation")
    action = notation.parse_action(before.state, before.tables, texts[-1])
    known = getattr(notation, "chances", None)
    bound = known(before.state, before.tables, action) if known else scripted.MOST + 1
    if bound <= scripted.MOST:
        counts = _counted(play(before, action, stream) for stream in scripted.every(bound))
        return {text: Fraction(count, bound) for text, count in counts.items()}
    streams = (new_stream(seed + sample + 1) for sample in range(samples))
    counts = _counted(play(before, action, stream) for stream in streams)
    return {text: count / samples for text, count in counts.items()}


def _counted(results: Iterator[Position]) -> dict[str, int]:
    """How often each canonical text came out, sorted by text."""
    counts: dict[int, int] = {}
    names: dict[int, str] = {}
    for result in results:
        name = key(result)
        counts[name] = counts.get(name, 0) + 1
        if name not in names:
            names[name] = result.text()
    return {names[name]: counts[name] for name in sorted(names, key=names.__getitem__)}


# ---- whole turns


def in_turn(position: Position) -> bool:
    """Whether a seat's turn is being played (decision 0001: the segment is odd then)."""
    return not is_over(position) and int(position.state["segment"]) % 2 == 1


def turn_end_positions(position: Position) -> list[Position]:
    """The first positions after the current seat's last atom of this turn, one per canonical text.

    Depth first over legal and step; a position is visited once, told apart by the contract's key.

    Raises
    ------
    RuleError
        No turn is being played.
    """
    if not in_turn(position):
        raise RuleError("no turn is being played in this position", "whole turns begin where a turn begins")
    segment, seen = int(position.state["segment"]), {key(position)}
    ends: dict[int, Position] = {}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        for action in actions(here):
            new = play(here, action)
            name = key(new)
            if int(new.state["segment"]) != segment or is_over(new):
                ends.setdefault(name, new)
            elif name not in seen:
                seen.add(name)
                waiting.append(new)
    return list(ends.values())


def turn_ends(position: Position) -> list[str]:
    """Canonical texts of :func:`turn_end_positions`, sorted."""
    return sorted(end.text() for end in turn_end_positions(position))


def next_turns(position: Position) -> Iterator[Position]:
    """The starts of the next turn in every possible way of deciding what stands between; none when over."""
    if is_over(position):
        return
    if in_turn(position):
        yield position
        return
    for action in actions(position):
        yield from next_turns(play(position, action))


def perft(position: Position, turns: int) -> int:
    """How many distinct positions `turns` whole turns can lead to.

    Depth 1 is the number of turn ends; each deeper count takes every end that is not over to the next
    turn in every possible way, and counts the distinct turn ends of all of those together.
    """
    if turns < 1:
        raise RuleError(f"the number of turns must be at least 1, not {turns}")
    frontier, ends = [position], list[Position]()
    for depth in range(turns):
        if depth:
            frontier = _distinct(turn for end in ends for turn in next_turns(end))
        ends = _distinct(end for turn in frontier for end in turn_end_positions(turn))
    return len(ends)


def _distinct(positions: Iterator[Position]) -> list[Position]:
    found: dict[int, Position] = {}
    for position in positions:
        found.setdefault(key(position), position)
    return list(found.values())
