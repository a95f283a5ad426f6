"""Play a part of a cell: the border between Python and the kernels.

`load` compiles (or loads) the kernels of a game, `play_part` plays. Both are safe from any thread.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields

from balance.agents import loop
from balance.agents.settings import Given, fill_agent, tree_size, weights_of
from balance.agents.workspace import Workspace, lent_type
from balance.config.agents import AgentSpec
from balance.games.game import Game, Mode
from balance.kernel import cache, jit
from balance.kernel.contract import NONE, SETUP_HEADER, Contract
from balance.store.schema import QUALITY, RESULT

RESULT_ROW = np.dtype(RESULT + QUALITY)
BASIC_FIELDS = [str(field[0]) for field in RESULT]
SETUP_FIELDS = [name for name, *_ in SETUP_HEADER]
_lock = threading.Lock()
_kernels: dict[str, Any] = {}


@dataclass(frozen=True)
class Part:
    """A range of pairs of one cell.

    Attributes
    ----------
    stream_key : int
        64 bits, from the run's seed and the set-up key.
    first_pair, pairs : int
    record : int
        0 results only, 1 metrics, 2 metrics and counted turns.
    full_every : int
        At level 2, one pair in so many has its turns counted.
    agents : sequence of AgentSpec
        One for each player of the set-up.
    defaults : mapping
        The game's settings of agents by kind, see ``Ruleset.agents``.
    keep_every : int
        One turn end in so many has its position kept, at most ``loop.KEPT_A_GAME`` a game; 0 keeps none.
    trace : int
        Seating whose actions are kept (of the last pair, if there are several); NONE keeps none.
    room : int
        Most actions that are kept.
    """

    stream_key: int
    first_pair: int
    pairs: int
    record: int
    full_every: int
    agents: Sequence[AgentSpec]
    defaults: Given = field(default_factory=dict)
    keep_every: int = 0
    trace: int = NONE
    room: int = 0


@dataclass(frozen=True)
class Trace:
    """How one game went.

    Attributes
    ----------
    origin : array of one position record
        The position before the first decision; empty when the seating was not played.
    actions : int64 array
        Packed actions in order, as far as there was room.
    plies : int
        All actions that were played.
    stands_for : tuple of int
        By seating: the earlier one that it repeats, NONE where it was played itself.
    """

    origin: np.ndarray
    actions: np.ndarray
    plies: int
    stands_for: tuple[int, ...]


@dataclass(frozen=True)
class PartRows:
    """What a part gave.

    Attributes
    ----------
    results : structured array of ``store.schema.RESULT``, at level 2 with ``QUALITY``, one row a game
    game : structured array of the tally's ``game``, same length, or None at level 0
    hero : structured array: ``row, seat, player, hero, slot, chances, pick``, from level 1
        the tally's hero fields
    node : structured array of the tally's ``node``, summed over the part, one row a node, or None
    states, owners : array of position records, and the row of `results` that each belongs to; what
        `Part.keep_every` asked for
    trace : Trace or None
        What `Part.trace` asked for.
    """

    results: np.ndarray
    game: np.ndarray | None
    hero: np.ndarray
    node: np.ndarray | None
    states: np.ndarray
    owners: np.ndarray
    trace: Trace | None = None


def is_cold(game: Game) -> bool:
    """Whether :func:`load` will have to compile."""
    return game.slug not in _kernels and not _stamp(game).exists()


def load(game: Game) -> None:
    """Compile the kernels of a game, or load them from the disk cache."""
    with _lock:
        if game.slug not in _kernels:
            contract = game.part("rules").CONTRACT
            _kernels[game.slug] = jit.compiled(loop.play_pairs, _signature(contract))
            if not jit.PURE_PYTHON:
                _stamp(game).touch()


def play_part(game: Game, mode: Mode, tables: Any, setup: Any, part: Part) -> PartRows:
    """Play the pairs of a part in every seating.

    The rows are a pure function of the arguments: no clock, no thread, no machine enters.
    """
    load(game)
    contract: Contract = game.part("rules").CONTRACT
    nodes, moves = tree_size(part.agents, part.defaults, game.max_actions)
    work = Workspace.make(contract, game.max_actions, nodes, moves)
    setups = jit.new_records(2, contract.setup)
    setups[0] = setup
    tallies = jit.new_records(2, contract.tally)
    most = part.pairs * len(mode.seatings)
    slots = contract.tally["hero"].shape[0]
    results = jit.new_records(most, RESULT_ROW)
    games = jit.new_records(most, contract.tally["game"])
    heads = jit.new_records(most * slots, loop.HERO_HEAD)
    heroes = jit.new_records(most * slots, hero_type(contract))
    parts = _part_record(game, mode, part, slots, contract)
    kept = most * loop.KEPT_A_GAME if part.keep_every else 0
    states, owners = jit.new_records(kept, contract.state), np.zeros(kept, np.int32)
    tracing = part.trace != NONE
    trace, origins = np.zeros(part.room, np.int64), jit.new_records(int(tracing), contract.state)
    rows, hero_rows = _kernels[game.slug](
        contract.rules(), tables, _outlooks(tables, part, contract), setups, parts, work.lent(), tallies,
        work.rosters, results, games, heads, heroes, states, owners, trace, origins,
    )  # fmt: skip
    kept = int(parts[0].kept)
    recorded = part.record >= loop.BASIC
    return PartRows(
        results=_results(results[:rows], part.record),
        game=_plain(games[:rows]) if recorded else None,
        hero=_joined(heads[:hero_rows], heroes[:hero_rows] if recorded else None),
        node=_plain(tallies["node"][1])[: int(tables.nodes)] if recorded else None,
        states=states[:kept].copy(),
        owners=owners[:kept].copy(),
        trace=_trace(parts[0], trace, origins, len(mode.seatings)) if tracing else None,
    )


def _trace(record: Any, trace: np.ndarray, origins: np.ndarray, seatings: int) -> Trace:
    stands_for = tuple(record.stands_for[:seatings].tolist())
    plies = int(record.traced)
    played = origins[: int(stands_for[record.watched] == NONE)]
    return Trace(played, trace[:plies], plies, stands_for)


def hero_type(contract: Contract) -> np.dtype:
    """The record type of one hero's counts."""
    return contract.tally["hero"].base


def _stamp(game: Game) -> Any:
    return cache.cache_folder() / f"{game.slug}.compiled"


def _signature(contract: Contract) -> Any:
    if jit.PURE_PYTHON:
        return None
    t = jit.types
    record = jit.record_type
    tally = contract.tally
    return t.UniTuple(t.int64, 2)(
        contract.rules_type(),
        record(contract.tables),
        record(contract.tables)[::1],
        record(contract.setup)[::1],
        record(loop.PART)[::1],
        lent_type(contract),
        record(tally)[::1],
        t.int32[:, :, ::1],
        record(RESULT_ROW)[::1],
        record(tally["game"])[::1],
        record(loop.HERO_HEAD)[::1],
        record(hero_type(contract))[::1],
        record(contract.state)[::1],
        t.int32[::1],
        t.int64[::1],
        record(contract.state)[::1],
    )


def _part_record(game: Game, mode: Mode, part: Part, slots: int, contract: Contract) -> Any:
    parts = jit.new_records(1, loop.PART)
    record = parts[0]
    record.stream_key, record.first_pair, record.pairs = part.stream_key, part.first_pair, part.pairs
    record.record, record.full_every = part.record, max(1, part.full_every)
    record.keep_every, record.watched = part.keep_every, part.trace
    record.ability_bit, record.listed_turns = game.ability_bit, int(game.listed_turns)
    record.nodes = contract.tally["node"].shape[0]
    record.team = slots // len(record.given)
    record.seatings = len(mode.seatings)
    record.player_at[:] = NONE
    for number, seating in enumerate(mode.seatings):
        record.seating[number, : mode.seats] = seating
        for player, seat in enumerate(seating):
            record.player_at[number, seat] = player
    record.side_of[: mode.seats] = mode.side_of_seat
    record.sides = mode.sides
    for player, agent in enumerate(part.agents):
        forbidden = game.restriction_mask(agent.restrict)
        fill_agent(record.agent[player], agent, part.defaults, forbidden, list(part.agents).index(agent))
    return parts


def _outlooks(tables: Any, part: Part, contract: Contract) -> Any:
    """The tables as each player's evaluation reads them: with the player's own weights."""
    outlooks = jit.new_records(len(part.agents), contract.tables)
    for player, agent in enumerate(part.agents):
        outlooks[player] = tables
        for name, value in weights_of(agent, part.defaults).items():
            outlooks[player]["weights"][name] = value
    return outlooks


def _results(records: np.ndarray, record: int) -> np.ndarray:
    """Rows of results without what was not asked for, and without the room that it took."""
    plain = _plain(records)
    return plain if record == loop.FULL else repack_fields(plain[BASIC_FIELDS])


def _plain(records: np.ndarray) -> np.ndarray:
    """The same rows as a plain structured array."""
    return np.asarray(records).view(np.dtype(records.dtype.descr))


def _joined(heads: np.ndarray, heroes: np.ndarray | None) -> np.ndarray:
    """Hero heads and hero counts side by side."""
    if heroes is None:
        return _plain(heads)
    fields = heads.dtype.descr + heroes.dtype.descr
    joined = np.zeros(len(heads), np.dtype(fields))
    for source in (heads, heroes):
        for name in source.dtype.names or ():
            joined[name] = source[name]
    return joined
