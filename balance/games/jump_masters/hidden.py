"""What a seat cannot see in a pass draft, and how it is redrawn (section 10)."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.layout import COPIES, HEROES, TEAM, Draft, Phase
from balance.games.jump_masters.preparation import draw_card, holds, picks_made
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel
from balance.kernel.rng import below


@kernel
def knows_hand(state, tables, seat, owner):
    """Whether `seat` has held the hand that `owner` holds now: hands travel one seat a round (section 10)."""
    rounds = picks_made(state, tables) // tables.seats
    return (owner - seat) % tables.seats <= rounds


@kernel
def hidden_pick(state, tables, seat, other):
    """Slot of a pick that `other` made in this round, unseen by `seat`; NONE when there is none (JM74)."""
    rounds = picks_made(state, tables) // tables.seats
    if other == seat or state.count[other] <= rounds:
        return NONE
    return other * TEAM + state.count[other] - 1


@kernel
def conceal_draft(state, tables, seat, stream):
    """Redraw what a seat cannot see in a pass draft: unseen hands, and this round's picks of others."""
    if state.phase != Phase.DRAFT or state.draft != Draft.PASS:
        return
    gather_unseen(state, tables, seat)
    for other in range(tables.seats):
        if other != seat and not knows_hand(state, tables, seat, other):
            refill(state, tables, other, stream)
    for other in range(tables.seats):
        slot = hidden_pick(state, tables, seat, other)
        if slot != NONE:
            redraw_pick(state, tables, other, slot, stream)
    for kind in range(HEROES):
        state.pool[kind] = 0


@kernel
def gather_unseen(state, tables, seat):
    """Take this round's hidden picks back into their hands, and pool every card the seat has not seen."""
    for kind in range(HEROES):
        state.pool[kind] = COPIES
    for other in range(tables.seats):
        slot = hidden_pick(state, tables, seat, other)
        if slot != NONE:
            state.hand[other, state.hero[slot].kind] += 1
            state.hero[slot].kind = NONE
        for index in range(state.count[other]):
            kind = state.hero[other * TEAM + index].kind
            if kind != NONE:
                state.pool[kind] -= 1
        if other == seat or knows_hand(state, tables, seat, other):
            for kind in range(HEROES):
                state.pool[kind] -= state.hand[other, kind]


@kernel
def refill(state, tables, other, stream):
    """Replace an unseen hand by random unseen cards."""
    cards = 0
    for kind in range(HEROES):
        cards += state.hand[other, kind]
        state.hand[other, kind] = 0
    for _ in range(cards):
        kind = draw_card(state, stream, NONE)
        state.hand[other, kind] += 1


@kernel
def redraw_pick(state, tables, other, slot, stream):
    """A random pick that `other` could have made in this round."""
    total = 0
    for kind in range(HEROES):
        total += pick_weight(state, tables, other, kind)
    forced = total == 0
    if forced:
        for kind in range(HEROES):
            total += state.hand[other, kind]
    card = below(stream, total)
    for kind in range(HEROES):
        card -= state.hand[other, kind] if forced else pick_weight(state, tables, other, kind)
        if card < 0:
            state.hand[other, kind] -= 1
            state.hero[slot].second = np.int32(holds(state, other, kind))
            state.hero[slot].kind = kind
            return


@kernel
def pick_weight(state, tables, other, kind):
    """Cards of a hero in the hand of `other` that the rule on doubles lets it take."""
    if tables.both_copies == 0 and holds(state, other, kind):
        return 0
    return state.hand[other, kind]
