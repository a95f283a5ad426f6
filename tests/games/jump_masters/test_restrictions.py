"""Every ability but the passive one is an action of its own with its own tag bit, parts of jumps included."""

from __future__ import annotations

import random

import numpy as np
import pytest

from balance.errors import UsageError
from balance.games import get_game
from balance.games.jump_masters import rules
from balance.games.jump_masters.files import shipped_files
from balance.games.jump_masters.layout import Event, Hero, Kind
from balance.games.jump_masters.restrictions import ABILITIES, FIRST_ABILITY, KINDS, PASSIVE
from balance.kernel.rng import new_stream
from balance.study import oracle

GAME = get_game("jump_masters")
ROSTERS = (
    (("burnny", "freeda", "hopper", "katula"), ("parena", "pinkbeary", "roara", "torturn")),
    (("torturn", "unni", "wuffryder", "parena"), ("freeda", "pinkbeary", "unni", "wuffryder")),
)
ACTIVE = [hero for hero in ABILITIES if hero != PASSIVE]


def positions(rosters, seed):
    """Every position of one random game in which heroes like to jump."""
    dice, stream = random.Random(seed), new_stream(seed)
    far = {"rules": {"ensnare_range": 9}}  # or random play hardly meets one
    position = oracle.start(GAME, "duel", "pillars", "fixed", rosters, seed, far)
    while not oracle.is_over(position):
        yield position
        actions = oracle.actions(position)
        jumps = [action for action in actions if action & 15 == Kind.JUMP]
        position = oracle.play(
            position, dice.choice(jumps if jumps and dice.random() < 0.4 else actions), stream
        )


def tag(position, action):
    return int(oracle.rule(GAME, "tag")(position.state, position.tables, action))


def users(position, action):
    """Heroes that use their ability in an action, by what the rules note down."""
    after = oracle.play(position, action).state
    used = [event for event in after["event"][: after["events"]] if event["what"] == Event.USED]
    return {Hero(int(position.state["hero"][event["who"]]["kind"])).name.lower() for event in used}


@pytest.fixture(scope="module")
def seen():
    """(kind, heroes that use an ability, tag) of all ability actions met in random games, and of others."""
    found, dice = [], random.Random(1)
    for seed in range(16):
        for position in positions(ROSTERS[seed % 2], seed):
            actions = oracle.actions(position) if position.state["turn"] else []
            tags = [tag(position, action) for action in actions]
            for action, word in zip(actions, tags, strict=True):
                if word >> FIRST_ABILITY or dice.random() < 0.1:
                    found.append((Kind(action & 15), users(position, action), word))
    return found


def test_names_and_numbers_are_those_of_the_rules():
    assert tuple(ABILITIES) == tuple(hero.name.lower() for hero in Hero)
    assert rules.ABILITY_BIT == FIRST_ABILITY == GAME.ability_bit
    assert all(Kind[name.upper()] == bit for name, bit in KINDS.items())
    cards = shipped_files().cards.heroes
    written = {hero: getattr(cards, hero).ability.lower().replace(" ", "_") for hero in ABILITIES}
    assert written == ABILITIES


def test_the_kinds_left_out_are_never_one_choice_among_others():
    left_out = set(Kind) - {Kind[name.upper()] for name in KINDS}
    assert {kind.name for kind in left_out} == {"PICK", "ZONE", "DEPLOY", "REDEPLOY"}
    met = set()
    for seed in range(6):
        for position in positions(ROSTERS[0], seed):
            kinds = {Kind(action & 15) for action in oracle.actions(position)}
            if kinds & left_out:
                met |= kinds
                assert len(kinds) == 1
    assert {Kind.ZONE, Kind.DEPLOY, Kind.REDEPLOY} <= met


def test_the_tag_says_whose_ability_an_action_uses(seen):
    for kind, heroes, word in seen:
        bits = {hero for hero in ACTIVE if word & GAME.restrictions[f"power:{hero}"]}
        assert bits == heroes
        if kind.name.lower() in KINDS:
            assert word & 0xFFFF == GAME.restrictions[f"action:{kind.name.lower()}"]


def test_every_ability_is_met_and_jumps_carry_four_of_them(seen):
    carried = {}
    for kind, heroes, _ in seen:
        for hero in heroes:
            carried.setdefault(hero, set()).add(kind)
    assert sorted(carried) == sorted(ACTIVE)
    jumps = {hero for hero, kinds in carried.items() if kinds == {Kind.JUMP}}
    assert jumps == {"freeda", "parena", "pinkbeary", "wuffryder"}
    assert all(len(kinds) == 1 for kinds in carried.values())


@pytest.mark.parametrize("hero", ACTIVE)
def test_power_and_ability_are_the_same_bit(hero):
    assert GAME.restriction_mask([f"ability:{ABILITIES[hero]}"]) == GAME.restriction_mask([f"power:{hero}"])
    assert GAME.restriction_mask([f"power:{hero}"]) == 1 << (FIRST_ABILITY + Hero[hero.upper()])


def test_masks_add_up_and_fit_a_tag():
    everything = GAME.restriction_mask(GAME.restrictions)
    assert everything == sum(set(GAME.restrictions.values()))
    assert GAME.restriction_mask(()) == 0
    assert int(np.uint64(everything)) == everything


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("ability:frogbow", "unknown restriction 'ability:frogbow'", "did you mean 'ability:frog_bow'?"),
        ("jump", "unknown restriction 'jump'", "known: action:step"),
        (
            "ability:stalwart",
            "no agent can be forbidden 'ability:stalwart'",
            "rules.disabled_abilities: [torturn]",
        ),
        ("power:torturn", "no agent can be forbidden 'power:torturn'", "rules.disabled_abilities: [torturn]"),
    ],
)
def test_names_that_cannot_be_forbidden(name, message, hint):
    with pytest.raises(UsageError) as caught:
        GAME.restriction_mask([name])
    assert caught.value.message == message
    assert hint in caught.value.hint


def test_the_passive_is_switched_off_by_the_parameter_that_is_named():
    passive = GAME.passives["ability:stalwart"]
    off = {"rules": {passive.parameter: [passive.hero]}}
    position = oracle.start(GAME, "duel", "pillars", "fixed", ROSTERS[0], 1, off)
    usual = oracle.start(GAME, "duel", "pillars", "fixed", ROSTERS[0], 1)
    assert (position.tables.able[Hero.TORTURN], usual.tables.able[Hero.TORTURN]) == (0, 1)
