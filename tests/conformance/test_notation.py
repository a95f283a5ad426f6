"""Texts and states are two forms of the same thing, in every game."""

from __future__ import annotations

import pytest

from balance.errors import RuleError
from balance.games import get_game
from balance.study import oracle
from tests.conformance.playing import CASES, GAMES, spread, visited


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_text_to_position_to_text(slug: str, mode: str, draft: str) -> None:
    notation = get_game(slug).part("notation")
    for position in [*spread(slug, mode, draft, 30), visited(slug, mode, draft)[-1]]:
        text = position.text()
        again = notation.parse_canonical(text, position)
        assert again.text() == text
        assert oracle.legal(again) == oracle.legal(position)


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_document_to_position_to_document(slug: str, mode: str, draft: str) -> None:
    notation = get_game(slug).part("notation")
    for position in spread(slug, mode, draft, 20):
        document = notation.document(position)
        again = oracle.load(document)
        assert again.text() == position.text()
        assert notation.document(again) == document
        assert again.tables.tobytes() == position.tables.tobytes()


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_text_to_action_to_text(slug: str, mode: str, draft: str) -> None:
    notation = get_game(slug).part("notation")
    for position in spread(slug, mode, draft, 12):
        texts = {oracle.format_action(position, action): action for action in oracle.actions(position)}
        assert len(texts) == len(oracle.actions(position)), "two actions have one text"
        for text, action in list(texts.items())[::7]:
            assert notation.parse_action(position.state, position.tables, text) == action


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_other_action_texts_are_refused(slug: str, mode: str, draft: str) -> None:
    notation = get_game(slug).part("notation")
    for position in [*spread(slug, mode, draft, 6), visited(slug, mode, draft)[-1]]:
        for text in (
            "",
            "jmup",
            "step",
            7,
            None,
            "\x00",
            "end end",
            *(one + " x" for one in oracle.legal(position)[:1]),
        ):
            with pytest.raises(RuleError):
                notation.parse_action(position.state, position.tables, text)


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_drawings_fit_the_terminal(slug: str, mode: str, draft: str) -> None:
    notation = get_game(slug).part("notation")
    for position in [*spread(slug, mode, draft, 12), visited(slug, mode, draft)[-1]]:
        lines = notation.draw(position).splitlines()
        assert 3 <= len(lines) <= 45
        assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("slug", GAMES)
def test_nodes_have_names(slug: str) -> None:
    game = get_game(slug)
    ruleset = game.part("schema").load_ruleset(None, {}, None)
    for arena in ruleset.arenas:
        names = game.part("notation").node_names(ruleset, arena)
        assert len(set(names)) == len(names) > 0
    assert all(len(legend) == 2 for legend in game.part("notation").LEGEND.values())


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_mirrored_positions_have_mirrored_actions(slug: str, mode: str, draft: str) -> None:
    notation = get_game(slug).part("notation")
    for position in spread(slug, mode, draft, 30):
        other = notation.mirror(position)
        if other is None:
            continue
        assert notation.mirror(other).text() == position.text()
        ours = [oracle.play(position, action).text() for action in oracle.actions(position)]
        theirs = [oracle.play(other, action).text() for action in oracle.actions(other)]
        assert sorted(notation.mirror_text(text, position) for text in ours) == sorted(theirs)


@pytest.mark.parametrize("slug", GAMES)
def test_some_positions_can_be_mirrored(slug: str) -> None:
    game = get_game(slug)
    if len(game.modes[0].side_of_seat) != 2:
        pytest.skip("the game has no mode for two seats")
    places = [place for draft in game.drafts for place in visited(slug, game.modes[0].name, draft)[:-1]]
    assert any(game.part("notation").mirror(place) is not None for place in places)
