"""The rule functions of Krosmaster: Blast: the contract over the phases."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.casting import do_bonus, do_cast, do_favor, do_move
from balance.games.krosmaster_blast.choices import list_legal
from balance.games.krosmaster_blast.enums import Kind, Termination
from balance.games.krosmaster_blast.harm import finish
from balance.games.krosmaster_blast.keys import position_key
from balance.games.krosmaster_blast.layout import PLAYERS, ROOM, SETUP, STATE, TABLES, kind_of, which_of
from balance.games.krosmaster_blast.metrics import TALLY
from balance.games.krosmaster_blast.preparation import do_deploy, do_pick, prepare
from balance.games.krosmaster_blast.tally import record_ply
from balance.games.krosmaster_blast.turns import do_activate, do_done, do_end, do_reveal, do_tile
from balance.games.krosmaster_blast.value import estimates, final_scores
from balance.kernel.contract import NONE, OVER, Contract
from balance.kernel.jit import kernel
from balance.kernel.rng import below

CONTRACT = Contract(STATE, TABLES, SETUP, TALLY)


@kernel
def play_fighter(state, tables, kind, action, stream):
    """What the active Fighter does."""
    if kind == Kind.MOVE:
        do_move(state, tables, action, stream)
    elif kind == Kind.CAST:
        do_cast(state, tables, action, stream)
    elif kind == Kind.USE:
        do_favor(state, tables, action)
    elif kind == Kind.BONUS:
        do_bonus(state, tables, action)
    elif kind == Kind.DONE:
        do_done(state)
    else:
        do_tile(state, kind, action)


@kernel
def play_other(state, tables, kind, action, stream):
    """What is decided before the first turn or with nobody active."""
    if kind == Kind.PICK:
        do_pick(state, tables, action)
    elif kind == Kind.DEPLOY:
        do_deploy(state, tables, action, stream)
    elif kind == Kind.FAVOR:
        do_reveal(state, action)
    elif kind == Kind.ACTIVATE:
        do_activate(state, tables, action)
    else:
        do_end(state, tables, stream)


@CONTRACT.rule
def setup(state, tables, setup, stream):
    """Position before the first decision."""
    prepare(state, tables, setup, stream)


@CONTRACT.rule
def legal(state, tables, actions):
    """All legal actions of the seat to move."""
    return list_legal(state, tables, actions)


@CONTRACT.rule
def sample(state, tables, actions, stream):
    """One legal action, uniform."""
    return actions[below(stream, list_legal(state, tables, actions))]


@CONTRACT.rule
def step(state, tables, action, stream):
    """Play one action; a game without end is a draw at the cap."""
    state.events = 0
    state.ply += 1
    kind = kind_of(action)
    if kind >= Kind.MOVE and kind <= Kind.DONE:
        play_fighter(state, tables, kind, action, stream)
    else:
        play_other(state, tables, kind, action, stream)
    if state.ply >= tables.action_cap and state.status != OVER:
        finish(state, NONE, Termination.CAP)


@CONTRACT.rule
def score(state, tables, scores):
    """Score per side of a finished game."""
    final_scores(state, tables, scores)


@CONTRACT.rule
def evaluate(state, tables, scores):
    """Estimate per side (section 13)."""
    estimates(state, tables, scores)


@CONTRACT.rule
def conceal(state, tables, seat, stream):
    """Nothing is hidden; which favors are still to come is drawn when they are (KB68)."""
    state.events = 0


@CONTRACT.rule
def tag(state, tables, action):
    """Bit of the kind of action, bits of the card that it uses and of the hero that acts."""
    kind = kind_of(action)
    word = np.uint64(1) << np.uint64(kind)
    if kind == Kind.CAST:
        figure = tables.figure[state.fighter[state.active].figure]
        word |= figure.tag | tables.row[figure.first_spell + which_of(action)].tag
    elif kind == Kind.USE:
        word |= tables.row[tables.first_favor + state.favor[which_of(action)]].tag
    elif kind == Kind.BONUS:
        word |= tables.row[tables.first_bonus + which_of(action)].tag
    return word


@CONTRACT.rule
def key(state, tables):
    """Hash of what the canonical text shows."""
    return position_key(state, tables)


@CONTRACT.rule
def observe(before, action, after, tables, tally):
    """Count what this ply did."""
    record_ply(before, action, after, tables, tally)


@CONTRACT.rule
def rosters(state, tables, rosters):
    """Krosmasters of each seat, by number; NONE beyond its count."""
    for seat in range(PLAYERS):
        for index in range(rosters.shape[1]):
            given = index < state.count[seat]
            rosters[seat, index] = state.fighter[seat * ROOM + index].figure if given else NONE
