"""What replays show of this game: health left, Glyph Tiles, special tiles, dice and the favor deck."""

from __future__ import annotations

import pytest

from balance.games.krosmaster_blast.showing import chance, pieces, points, tiles
from balance.games.piece import NONE, Piece, Tile
from balance.kernel.rng import new_stream
from balance.study import oracle

DOCUMENT = {
    "game": "krosmaster_blast",
    "turn": 3,
    "to_move": "A",
    "glyphs": {"c7": "A", "e6": "B", "d5": "B"},
    "tiles": {"j8": "fire", "j7": "fog"},
    "favors": {"left": "haste", "right": "balm"},
    "fighters": {
        "A": [
            {"name": "agate", "cell": "c5", "injuries": 5, "state": "active"},
            {"name": "mender", "cell": "b8"},
        ],
        "B": [{"name": "oone", "cell": "c4"}, {"name": "ronimo", "cell": "i3"}],
    },
}


@pytest.fixture
def position():
    return oracle.load(DOCUMENT)


def node(position, name: str) -> int:
    return position.game.part("notation").node_names(position.ruleset, position.arena.slug).index(name)


def test_pieces_carry_the_health_that_is_left(position) -> None:
    assert pieces(position.state, position.tables)[:2] == [
        Piece(0, "agate", node(position, "c5"), "7"),
        Piece(0, "mender", node(position, "b8"), "12"),
    ]
    assert pieces(position.state, position.tables)[3] == Piece(1, "ronimo", node(position, "i3"), "16")


def test_glyph_tiles_have_a_seat_and_special_tiles_a_word(position) -> None:
    assert set(tiles(position.state, position.tables)) == {
        Tile(node(position, "c7"), 0),
        Tile(node(position, "e6"), 1),
        Tile(node(position, "d5"), 1),
        Tile(node(position, "j8"), NONE, "fire"),
        Tile(node(position, "j7"), NONE, "fog"),
    }
    assert points(position.state, position.tables) == (1, 2)


def said(position, text: str) -> set[str]:
    """What 60 plays of an action are told to have thrown."""
    action = next(a for a in oracle.actions(position) if oracle.format_action(position, a) == text)
    found = set()
    for seed in range(60):
        after = oracle.play(position, action, new_stream(seed))
        found.add(chance(position.state, action, after.state, position.tables))
    return found


def test_a_dodge_is_told(position) -> None:
    assert said(position, "move b5") == {"dodge: free", "dodge: caught", "dodge: tackled"}


def test_a_combat_die_is_told(position) -> None:
    foes = [{"name": "oone", "cell": "c2"}, {"name": "ronimo", "cell": "i3"}]
    ready = DOCUMENT | {"fighters": {"A": DOCUMENT["fighters"]["A"], "B": foes}}
    assert said(oracle.load(ready), "cast arrow c2") == {"combat die +1", "combat die 0", "combat die -1"}


def test_a_revealed_favor_is_told() -> None:
    fighters = {
        "A": [
            {"name": "agate", "cell": "c5", "state": "done"},
            {"name": "mender", "cell": "b8", "state": "done"},
        ],
        "B": DOCUMENT["fighters"]["B"],
    }
    unseen = ["bolt", "push", "snare", "surge", "usurp", "brazier", "precision"]
    told = said(oracle.load(DOCUMENT | {"fighters": fighters, "unseen": unseen}), "end")
    assert told == {f"favor revealed: {name}" for name in unseen}
