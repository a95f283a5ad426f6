"""What plans and ``--set`` change of cards: slips are told where they were written."""

from __future__ import annotations

import pytest

from balance.errors import ConfigError
from balance.games.krosmaster_blast.files import check_file
from balance.games.krosmaster_blast.schema import load_ruleset


def refused(heroes: dict[str, object] | None = None, **rules: object) -> str:
    with pytest.raises(ConfigError) as caught:
        load_ruleset(None, {"heroes": heroes or {}, "rules": rules}, "duel")
    (problem,) = caught.value.problems
    return f"{problem.path}: {problem.message} {problem.hint}"


def test_a_slip_in_the_name_of_a_spell_makes_no_new_spell():
    told = refused({"agate": {"spells": {"arow": {"range": [1, 2]}}}})
    assert told.startswith("heroes.agate.spells.arow: agate has no 'arow'") and "'arrow'" in told
    new = {"agate": {"spells": {"zip": {"range": [1, 2], "target": "fighter", "damage": 1}}}}
    spells = load_ruleset(None, {"heroes": new}, "duel").values["krosmasters"]["agate"]["spells"]
    assert set(spells) == {"arrow", "capitol_punishment", "zip"}


@pytest.mark.parametrize("verb", [["leap"], {"a": 1}, 3, None, "lep"])
def test_a_verb_that_is_none_is_refused_where_it_stands(verb):
    told = refused({"agate": {"spells": {"arrow": {"effects": [{"do": verb}]}}}})
    assert told.startswith("heroes.agate.spells.arrow.effects.0: an effect begins with do:")


def test_a_die_without_faces_is_refused():
    assert "a die has 1 to 20 faces, not 0" in refused(die=[])


SECTIONS = ("heroes", "minions", "favors", "challenges")


def cards(text: str) -> str:
    """What is wrong with a cards file."""
    from balance.config.yaml_lines import load_yaml_text

    rest = "".join(f"{key}: {{}}\n" for key in SECTIONS if f"\n{key}:" not in text)
    with pytest.raises(ConfigError) as caught:
        check_file("cards", load_yaml_text(text + rest, "cards.yaml"))
    return "\n".join(f"{p.line} {p.path}: {p.message}" for p in caught.value.problems)


HERO = "  {name}: {{mp: 3, hp: 12, ap: 2, title: {title}}}\n"


def test_titles_of_cards_are_short_and_printable():
    head = "game: krosmaster_blast\nheroes:\n"
    two = HERO.format(name="b", title="Bee")
    assert "at most 60 characters" in cards(head + HERO.format(name="a", title="x" * 61) + two)
    assert "U+001B" in cards(head + HERO.format(name="a", title='"\\e[31m"') + two)
    assert "must be text" in cards(head + HERO.format(name="a", title="[1]") + two)


def test_too_many_cards_are_told_with_their_place():
    spells = "".join(f"      s{number}: {{}}\n" for number in range(17))
    text = f"game: krosmaster_blast\nheroes:\n  a:\n    mp: 3\n    hp: 9\n    ap: 1\n    spells:\n{spells}"
    assert "heroes.a.spells: 17 spells; there is room for 16" in cards(text)
    favors = "".join(f"  f{number}: {{}}\n" for number in range(65))
    assert "favors: 65 favors; there is room for 64" in cards(f"game: krosmaster_blast\nfavors:\n{favors}")


def test_a_team_of_one_is_refused():
    text = (
        f"game: krosmaster_blast\nheroes:\n{HERO.format(name='a', title='A')}teams:\n  t: {{heroes: [a]}}\n"
    )
    assert "a team is 2 or 3 different Krosmasters" in cards(text)


def test_a_field_needs_a_start_cell_for_every_krosmaster(tmp_path):
    from balance.cli.app import run_app

    assert run_app(["init", "krosmaster_blast", str(tmp_path / "game")]) == 0
    arenas = tmp_path / "game" / "arenas.yaml"
    field = "".join(f"      {row}\n" for row in ("a.T", "aGb", "..b"))
    arenas.write_text(f"game: krosmaster_blast\narenas:\n  tiny:\n    title: Tiny\n    map: |\n{field}")
    load_ruleset(tmp_path / "game", {}, "duel")
    with pytest.raises(ConfigError) as caught:
        load_ruleset(tmp_path / "game", {"rules": {"team_size": 3}}, "duel")
    told = [f"{problem.line} {problem.path}: {problem.message}" for problem in caught.value.problems]
    assert told == [
        "5 arenas.tiny.map: seat A has 2 start cells for 3 Krosmasters",
        "5 arenas.tiny.map: seat B has 2 start cells for 3 Krosmasters",
    ]
    load_ruleset(tmp_path / "game", {"rules": {"team_size": 3}}, None)  # positions may stand on it
