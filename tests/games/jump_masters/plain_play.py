"""Random playouts in the plainest loop over the contract, which also counts what a turn could begin with.

It draws from the same streams as ``agents.loop``, so both must play the same games.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from balance.agents.playout import Part, PartRows, play_part
from balance.config.agents import AgentSpec
from balance.games import get_game
from balance.games.jump_masters.layout import Phase
from balance.kernel import jit
from balance.kernel.contract import OVER, bundle
from balance.kernel.rng import AGENT, DEAL, DICE, DRAFT, seed_stream

GAME = get_game("jump_masters")
TEAMS = {
    "starters": ["burnny", "hopper", "pinkbeary", "torturn"],
    "steppers_and_stealers": ["burnny", "katula", "roara", "wuffryder"],
    "crowd_control": ["hopper", "katula", "parena", "torturn"],
    "big_hitters": ["parena", "pinkbeary", "unni", "wuffryder"],
}
DEALT, DICED, DRAFTED, SEATED = 0, 1, 2, 3  # rows of streams

#: One game: what the spec's table of random play speaks of.
ROW = np.dtype(
    [
        ("winner", "i8"),  # side
        ("turns", "i8"),
        ("plies", "i8"),  # decisions, draft included
        ("picks", "i8"),  # decisions of the draft
        ("vp", "i8"),  # of all sides
        ("starts", "i8"),  # turns begun
        ("atoms", "i8"),  # legal atoms at those starts, summed
    ]
)


def play_plainly(functions, tables, setups, states, actions, streams, key, rows):
    """Play one game a row, uniformly at random from the first pick to the end."""
    rules = bundle(functions)
    for index in range(rows.shape[0]):
        for purpose in range(4):
            seed_stream(streams[SEATED + purpose], key, index, AGENT + purpose)
        seed_stream(streams[DEALT], key, index, DEAL)
        seed_stream(streams[DICED], key, index, DICE)
        seed_stream(streams[DRAFTED], key, index, DRAFT)
        state, row = states[0], rows[index]
        rules.setup(state, tables, setups[0], streams[DEALT])
        while state.status != OVER:
            drafting = state.phase == Phase.DRAFT
            row.picks += np.int64(drafting)
            if state.phase == Phase.TURN:
                row.starts += 1
                row.atoms += rules.legal(state, tables, actions)
            stream = streams[DRAFTED if drafting else SEATED + state.to_move]
            rules.step(state, tables, rules.sample(state, tables, actions, stream), streams[DICED])
        row.winner, row.turns, row.plies = state.winner, state.turn, state.ply
        for side in range(tables.sides):
            row.vp += state.vp[side]


@cache
def compiled_loop() -> Any:
    """The loop above for Jump Masters."""
    contract = GAME.part("rules").CONTRACT
    if jit.PURE_PYTHON:
        return play_plainly
    t, record = jit.types, jit.record_type
    signature = t.void(
        contract.rules_type(),
        record(contract.tables),
        record(contract.setup)[::1],
        record(contract.state)[::1],
        t.int64[::1],
        t.uint64[:, ::1],
        t.uint64,
        record(ROW)[::1],
    )
    return jit.compiled(play_plainly, signature)


def frame(mode: str, arena: str, draft: str, overrides: Any = None) -> tuple[Any, Any]:
    """Tables and set-up; `draft` is a format or the team that everybody has."""
    ruleset = GAME.part("schema").load_ruleset(None, overrides or {}, mode)
    make = GAME.part("tables")
    rosters = [TEAMS[draft]] * GAME.mode(mode).seats if draft in TEAMS else None
    setup = make.make_setup(ruleset, mode, "fixed" if rosters else draft, rosters)
    return make.compile_tables(ruleset, mode, arena), setup


def plain_rows(mode: str, arena: str, draft: str, key: int, games: int, overrides: Any = None) -> np.ndarray:
    """Rows of :data:`ROW` from the plain loop."""
    contract = GAME.part("rules").CONTRACT
    tables, setup = frame(mode, arena, draft, overrides)
    setups, states = jit.new_records(1, contract.setup), jit.new_records(1, contract.state)
    setups[0] = setup
    rows = jit.new_records(games, ROW)
    actions, streams = np.zeros(GAME.max_actions, np.int64), np.zeros((7, 1), np.uint64)
    compiled_loop()(contract.rules(), tables, setups, states, actions, streams, np.uint64(key), rows)
    return np.asarray(rows).view(ROW)


def part_rows(
    mode: str, arena: str, draft: str, key: int, pairs: int, record: int = 1, overrides: Any = None
) -> PartRows:
    """What the product's own loop gives for the same games, in every seating."""
    tables, setup = frame(mode, arena, draft, overrides)
    agents = [AgentSpec("random")] * GAME.mode(mode).seats
    return play_part(GAME, GAME.mode(mode), tables, setup, Part(key, 0, pairs, record, 1, agents))
