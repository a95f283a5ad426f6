"""What replays show of a position, where a game offers it: pieces and tiles on nodes, points a side."""

from __future__ import annotations

import pytest

from balance.games import get_game
from balance.kernel.contract import NONE
from balance.study.stepping import pieces_of, points_of, tiles_of
from tests.conformance.playing import CASES, GAMES, visited


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_pieces_stand_on_nodes_of_the_board(slug: str, mode: str, draft: str) -> None:
    notation = get_game(slug).part("notation")
    seen = False
    for position in visited(slug, mode, draft):
        before = position.state.tobytes()
        pieces = pieces_of(position)
        assert position.state.tobytes() == before
        nodes = notation.node_names(position.ruleset, position.arena.slug)
        standing = [piece.node for piece in pieces if piece.node != NONE]
        assert all(0 <= node < len(nodes) for node in standing)
        assert len(set(standing)) == len(standing) or not hasattr(notation, "pieces")
        for piece in pieces:
            assert 0 <= piece.seat < position.mode.seats
            assert piece.name and isinstance(piece.text, str)
            assert piece.node != NONE or piece.text == ""
        seen = seen or bool(standing)
    assert seen or not hasattr(notation, "pieces")


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_tiles_lie_on_nodes_of_the_board(slug: str, mode: str, draft: str) -> None:
    notation = get_game(slug).part("notation")
    seen = False
    for position in visited(slug, mode, draft):
        before = position.state.tobytes()
        tiles = tiles_of(position)
        assert position.state.tobytes() == before
        nodes = notation.node_names(position.ruleset, position.arena.slug)
        lying = [tile.node for tile in tiles]
        assert len(set(lying)) == len(lying)
        assert all(0 <= node < len(nodes) for node in lying)
        for tile in tiles:
            assert tile.seat == NONE or 0 <= tile.seat < position.mode.seats
            assert tile.text or tile.seat != NONE
            assert len(tile.text) <= 6
        seen = seen or bool(tiles)
    assert seen or not hasattr(notation, "tiles")


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_points_are_one_number_a_side(slug: str, mode: str, draft: str) -> None:
    for position in visited(slug, mode, draft):
        points = points_of(position)
        assert len(points) in (0, position.mode.sides)
        assert all(isinstance(value, int) for value in points)


@pytest.mark.parametrize("slug", GAMES)
def test_pieces_of_heroes_bear_their_names(slug: str) -> None:
    game = get_game(slug)
    ruleset = game.part("schema").load_ruleset(None, {}, None)
    if not ruleset.heroes or not hasattr(game.part("notation"), "pieces"):
        pytest.skip("the game has no heroes, or shows no pieces")
    last = visited(slug, game.modes[0].name, "fixed")[-1]
    names = {piece.name.partition(".")[0] for piece in pieces_of(last)}
    assert names and names & set(ruleset.heroes)
