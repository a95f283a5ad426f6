"""A game small enough to compile in a test: a counter that two seats raise until it reaches a limit."""

from __future__ import annotations

import numpy as np

from balance.kernel.contract import HEADER, NONE, OVER, SETUP_HEADER, Contract

STATE = np.dtype([*HEADER, ("total", "i4")])
TABLES = np.dtype([("limit", "i4"), ("nodes", "i4")])
SETUP = np.dtype(SETUP_HEADER)
GAME = np.dtype([("raised", "i4", (4,))])
HERO = np.dtype([("raised", "i4")])
NODE = np.dtype([("visits", "i4")])
TALLY = np.dtype([("game", GAME), ("hero", HERO, (4,)), ("node", NODE, (1,))])


def setup(state, tables, setup, stream):
    state.seats, state.phase, state.segment = 2, 1, 1


def legal(state, tables, actions):
    actions[0], actions[1] = 1, 2
    return 2


def sample(state, tables, actions, stream):
    return actions[0]


def step(state, tables, action, stream):
    state.total += np.int32(action)
    state.ply += 1
    state.to_move = 1 - state.to_move
    if state.total >= tables.limit:
        state.status, state.to_move = OVER, NONE


def score(state, tables, scores):
    scores[0], scores[1] = 1.0, 0.0


def evaluate(state, tables, scores):
    scores[0], scores[1] = 0.5, 0.5


def conceal(state, tables, seat, stream):
    return


def tag(state, tables, action):
    return np.uint64(action)


def key(state, tables):
    return np.uint64(state.total)


def observe(before, action, after, tables, tally):
    tally.game.raised[before.to_move] += np.int32(action)


def rosters(state, tables, rosters):
    rosters[0, 0] = NONE


FUNCTIONS = (setup, legal, sample, step, score, evaluate, conceal, tag, key, observe, rosters)


def contract() -> Contract:
    """A new contract of this game without any function yet."""
    return Contract(STATE, TABLES, SETUP, TALLY)
