"""What an agent can be forbidden has the names and the bits of the shipped cards."""

from __future__ import annotations

import random

from balance.games import get_game
from balance.games.krosmaster_blast import metrics, restrictions
from balance.games.krosmaster_blast.books import make_book
from balance.games.krosmaster_blast.enums import Kind
from balance.games.krosmaster_blast.files import shipped_files
from balance.kernel.rng import new_stream
from balance.study import oracle
from tests.conformance.playing import begin

GAME = get_game("krosmaster_blast")
BOOK = make_book(shipped_files().plain.data)


def test_names_are_those_of_the_shipped_cards() -> None:
    spells = dict(zip(BOOK.figures, BOOK.spells, strict=True))
    assert {name: set(names) for name, names in restrictions.SPELLS.items()} == {
        name: set(spells[name]) for name in BOOK.figures[: BOOK.krosmasters]
    }
    minions = BOOK.figures[BOOK.krosmasters :]
    assert set(restrictions.MINION_SPELLS) == {spell for name in minions for spell in spells[name]}
    assert BOOK.favors == restrictions.FAVORS
    assert set(restrictions.BONUSES) == set(BOOK.bonuses)
    assert minions == metrics.MINIONS
    assert BOOK.challenges == metrics.CHALLENGES


def test_bits_do_not_overlap() -> None:
    bits = list(restrictions.CARD_BITS.values())
    assert len(set(bits)) == len(bits)
    assert max(bits) < 1 << restrictions.FIRST_HERO
    assert min(bits) == 1 << restrictions.FIRST_CARD > 1 << max(Kind)
    assert {
        1 << Kind.MOVE,
        1 << Kind.CAST,
        1 << Kind.USE,
        1 << Kind.BONUS,
        1 << Kind.PLACE,
        1 << Kind.LIFT,
    } == {restrictions.RESTRICTIONS[f"action:{kind}"] for kind in restrictions.KINDS}


def test_tags_name_the_card_and_the_hero_that_uses_it() -> None:
    dice, seen = random.Random(3), set()
    for seed in range(8):
        place, stream = begin("krosmaster_blast", "duel", "random", seed), new_stream(seed)
        while not oracle.is_over(place):
            for action in oracle.actions(place):
                words = oracle.format_action(place, action).split()
                tag = int(oracle.rule(GAME, "tag")(place.state, place.tables, action))
                cards = {name for name, bit in restrictions.CARD_BITS.items() if tag & bit}
                assert cards == ({words[1]} if words[0] in ("cast", "use") else set())
                heroes = [hero for hero, spells in restrictions.SPELLS.items() if cards & set(spells)]
                numbers = [BOOK.figures.index(hero) for hero in heroes]
                assert tag >> restrictions.FIRST_HERO == sum(1 << number for number in numbers)
                seen |= cards
            place = oracle.play(place, dice.choice(oracle.actions(place)), stream)
    assert set(restrictions.FAVORS) <= seen
