"""Hash words of positions, and whose ability an action uses."""

from __future__ import annotations

import numpy as np

from balance.games.jump_masters.layout import HEROES, SLOTS, TEAM, Extra, Hero, Kind, Phase
from balance.kernel.contract import NONE
from balance.kernel.jit import kernel
from balance.kernel.rng import mix


@kernel
def ability_owner(kind, extra, length):
    """Hero whose ability an action uses, NONE for plain ones."""
    if kind == Kind.JUMP:
        if length == 3:
            return np.int64(Hero.PINKBEARY)
        if extra == Extra.AURA:
            return np.int64(Hero.FREEDA)
        if extra == Extra.WINDSTORM:
            return np.int64(Hero.PARENA)
        return np.int64(Hero.WUFFRYDER) if extra == Extra.SWIPE_OUT else np.int64(NONE)
    if kind == Kind.FIRE_STEP:
        return np.int64(Hero.BURNNY)
    if kind == Kind.MISSILE_GO:
        return np.int64(Hero.UNNI)
    if kind == Kind.FROG_BOW:
        return np.int64(Hero.HOPPER)
    if kind == Kind.BLOOD_BOON:
        return np.int64(Hero.KATULA)
    return np.int64(Hero.ROARA) if kind == Kind.ENSNARE else np.int64(NONE)


@kernel
def vp_word(state):
    """Victory points as one hash word; the turn number too, while the game goes on."""
    word = np.uint64(state.turn + 1) if state.phase != Phase.OVER else np.uint64(0)
    for side in range(4):
        word = word * np.uint64(1009) + np.uint64(state.vp[side])
    return mix(word)


@kernel
def draft_word(state, tables):
    """Picks and hands, each without order."""
    word = np.uint64(state.draft)
    for seat in range(tables.seats):
        for slot in range(seat * TEAM, seat * TEAM + state.count[seat]):
            word += mix(np.uint64(seat * 64 + state.hero[slot].kind + 1))
        for kind in range(HEROES):
            word += mix(np.uint64((seat * 16 + kind + 1) * 64 + state.hand[seat, kind] + 4096))
    return word


@kernel
def position_word(state, tables):
    """Zones, heroes, and what is going on in this turn."""
    word = np.uint64((state.acting + 1) * 4 + state.used)
    if state.phase == Phase.REDEPLOY:
        word = np.uint64(state.active + 1000)
    for seat in range(tables.seats):
        word = word * np.uint64(8) + np.uint64(state.zone[seat] + 1)
    word = mix(word)
    for slot in range(SLOTS):
        hero = state.hero[slot]
        if hero.kind != NONE:
            place = (hero.node + 1) * 64 + hero.energy * 4 + hero.fresh * 2 + hero.jumped
            word ^= mix(np.uint64((np.int64(place) * 16 + slot) * 16 + hero.kind + 77))
    return word
