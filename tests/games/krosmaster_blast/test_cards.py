"""Cards are data: new ones are YAML only, and what a row may not say is refused at its line."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from balance.config.places import shipped
from balance.errors import ConfigError
from balance.games import get_game
from balance.games.position import DocumentError
from balance.kernel.jit import new_record
from balance.kernel.rng import new_stream
from balance.play.plan import load_plan_text
from balance.study import oracle
from tests.games.krosmaster_blast.placing import fields, position

GAME = get_game("krosmaster_blast")
KINDS = ("cards", "arenas", "rules", "agents")

NEW_HERO = """  bramble:
    title: Bramble
    text: Drags thorns behind her.
    source: ours
    mp: 3
    hp: 13
    ap: 2
    spells:
      thorn: {element: earth, range: [1, 2], target: enemy, damage: 1, effects: [{do: mp, amount: -1}]}
      hop: {range: [2, 2], target: free_cell, los: false, per_turn: 1, effects: [{do: leap}]}
    powers:
      rooted: {glyphs: 2, damage: 1}
"""
NEW_MINION = """  sprout:
    {source: ours, mp: 1, hp: 1, ap: 1, spells: {poke: {range: [1, 1], target: enemy, damage: 1}}}
"""
NEW_FAVOR = (
    "  seedling: {source: ours, target: free_cell, range: [1, 2], effects: [{do: summon, minion: sprout}]}\n"
)
NEW_CHALLENGE = """  forest_day:
    source: ours
    passive:
      growth: {glyphs: 1, of: all, max_range: 2}
    active:
      bloom: {glyphs: 0, target: none, effects: [{do: heal, amount: 1, who: own_krosmasters}]}
"""
NEW_SPELL = "      lullaby: {source: ours, range: [1, 3], target: enemy, effects: [{do: ap, amount: -1}]}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The shipped files with one new card of every kind, and a spell more for Mender."""
    for kind in KINDS:
        (tmp_path / f"{kind}.yaml").write_text(shipped("krosmaster_blast", f"{kind}.yaml").read_text())
    text = (tmp_path / "cards.yaml").read_text()
    for head, more in (
        ("\nheroes:\n", NEW_HERO),
        ("\nminions:\n", NEW_MINION),
        ("\nfavors:\n", NEW_FAVOR),
        ("\nchallenges:\n", NEW_CHALLENGE),
    ):
        assert text.count(head) == 1
        text = text.replace(head, head + more)
    brush = "      brush:"
    assert text.count(brush) == 1
    (tmp_path / "cards.yaml").write_text(text.replace(brush, NEW_SPELL + brush))
    return tmp_path


def start(folder: Path, teams: list[list[str]], seed: int) -> oracle.Position:
    """A game's first position with the cards of a folder and the new challenge."""
    rules = {"rules": {"challenge_pool": ["forest_day"]}}
    ruleset = GAME.part("schema").load_ruleset(folder, rules, "duel")
    tables = GAME.part("tables").compile_tables(ruleset, "duel", "fields_west")
    setup = GAME.part("tables").make_setup(ruleset, "duel", "fixed", teams)
    state = new_record(GAME.part("rules").CONTRACT.state)
    oracle.rule(GAME, "setup")(state, tables, setup, new_stream(seed))
    return oracle.Position(GAME, GAME.mode("duel"), ruleset, ruleset.arenas["fields_west"], tables, state)


def test_new_cards_are_played_from_yaml_alone(folder: Path) -> None:
    wanted = {"cast thorn", "cast hop", "cast lullaby", "use seedling", "use bloom", "activate sprout"}
    wanted.add("cast poke")
    dice, seen = random.Random(2), set()
    for seed in range(60):
        place, stream = start(folder, [["bramble", "mender"], ["agate", "bramble"]], seed), new_stream(seed)
        while not oracle.is_over(place) and not wanted <= seen:
            texts = {oracle.format_action(place, action): action for action in oracle.actions(place)}
            new = [text for text in texts if " ".join(text.split()[:2]) in wanted]
            seen |= {" ".join(text.split()[:2]) for text in new}
            text = dice.choice(new or sorted(texts)) if dice.random() < 0.5 else dice.choice(sorted(texts))
            place = oracle.play(place, texts[text], stream)
    assert seen == wanted


def test_positions_with_new_cards_are_written_and_read(folder: Path) -> None:
    place, stream, dice = (
        start(folder, [["bramble", "mender"], ["agate", "bramble"]], 1),
        new_stream(1),
        random.Random(1),
    )
    for _ in range(60):
        if oracle.is_over(place):
            break
        notation = GAME.part("notation")
        again = oracle.load(notation.document(place))
        assert again.text() == place.text()
        assert oracle.legal(again) == oracle.legal(place)
        place = oracle.play(place, dice.choice(oracle.actions(place)), stream)


def test_a_plan_plays_a_folder_with_new_cards(folder: Path) -> None:
    text = f"""
game: krosmaster_blast
configs: {folder}
teams: {{new: [bramble, mender], old: [agate, ronimo]}}
heroes: {{bramble: {{spells: {{thorn: {{damage: 2}}}}}}}}
pairs: 2
"""
    plan = load_plan_text(text)
    assert plan.ruleset.values["krosmasters"]["bramble"]["spells"]["thorn"]["damage"] == 2
    changed = {number.path: number for number in plan.ruleset.changed()}
    assert changed["heroes.bramble.spells.thorn.damage"].value == 2
    assert list(plan.ruleset.heroes)[1] == "bramble"


def test_a_changed_spell_is_merged_and_named(folder: Path) -> None:
    changes = {"heroes": {"oone": {"spells": {"sting": {"damage": 2}}}, "fleeflee": {"hp": 4}}}
    ruleset = GAME.part("schema").load_ruleset(None, changes)
    assert ruleset.values["krosmasters"]["oone"]["spells"]["sting"]["range"] == [2, 4]
    assert {number.path for number in ruleset.changed()} == {
        "heroes.oone.spells.sting.damage",
        "heroes.fleeflee.hp",
    }


# ---- what is refused

FREE = {"target": "free_cell", "range": [1, 1]}
AIMED = {"target": "fighter", "range": [1, 1]}
ROWS: dict[str, dict[str, Any]] = {
    "unknown field": AIMED | {"dammage": 1},
    "a field of favors": AIMED | {"superior": True},
    "a field of bonuses": AIMED | {"glyphs": 1},
    "unknown target": {"target": "foe", "range": [1, 1]},
    "no range": {"target": "fighter"},
    "range backwards": {"target": "fighter", "range": [3, 1]},
    "range of three": {"target": "fighter", "range": [1, 2, 3]},
    "range below 0": {"target": "fighter", "range": [-1, 1]},
    "range of flags": {"target": "fighter", "range": [False, True]},
    "damage below 0": AIMED | {"damage": -1},
    "damage as text": AIMED | {"damage": "1"},
    "damage as flag": AIMED | {"damage": True},
    "half a damage": AIMED | {"damage": 0.5},
    "sight as a number": AIMED | {"los": 1},
    "unknown verb": AIMED | {"effects": [{"do": "heel", "amount": 1}]},
    "no verb": AIMED | {"effects": [{"amount": 1}]},
    "no list of effects": AIMED | {"effects": {"do": "heal", "amount": 1}},
    "no amount": AIMED | {"effects": [{"do": "heal"}]},
    "amount below 0": AIMED | {"effects": [{"do": "heal", "amount": -1}]},
    "a field of another verb": AIMED | {"effects": [{"do": "shove", "amount": 1, "who": "target"}]},
    "unknown who": AIMED | {"effects": [{"do": "heal", "amount": 1, "who": "all"}]},
    "around without dist": AIMED | {"effects": [{"do": "heal", "amount": 1, "who": "around"}]},
    "dist without around": AIMED | {"effects": [{"do": "heal", "amount": 1, "dist": [1, 2]}]},
    "unknown condition": AIMED | {"effects": [{"do": "bonus", "amount": 1, "if": {"tree_adjacent": True}}]},
    "a condition that is false": AIMED
    | {"effects": [{"do": "bonus", "amount": 1, "if": {"ally_adjacent": False}}]},
    "damage on a free cell": FREE | {"damage": 1},
    "per_target on a free cell": FREE | {"per_target": 1},
    "max_run without a target": {"target": "none", "max_run": 1},
    "shove on a free cell": FREE | {"effects": [{"do": "shove", "amount": 1}]},
    "swap on a Glyph": {"target": "enemy_glyph", "range": [1, 1], "effects": [{"do": "swap"}]},
    "a target that is none": {"target": "none", "effects": [{"do": "heal", "amount": 1}]},
    "beside a bush, of a free cell": FREE
    | {"effects": [{"do": "ap", "amount": 1, "who": "caster", "if": {"bush_adjacent": True}}]},
    "leap onto a Fighter": AIMED | {"effects": [{"do": "leap"}]},
    "leap and summon": FREE | {"effects": [{"do": "leap"}, {"do": "summon", "minion": "fleeflee"}]},
    "two leaps": FREE | {"effects": [{"do": "leap"}, {"do": "leap"}]},
    "unknown minion": FREE | {"effects": [{"do": "summon", "minion": "flea"}]},
    "a Krosmaster as a minion": FREE | {"effects": [{"do": "summon", "minion": "agate"}]},
    "flip without a Glyph": FREE | {"effects": [{"do": "flip_glyph"}]},
    "tile before the end": {
        "target": "none",
        "effects": [{"do": "tile", "kind": "ice"}, {"do": "ignore_los"}],
    },
    "tile with damage": AIMED | {"damage": 1, "effects": [{"do": "tile", "kind": "ice"}]},
    "no tiles": {"target": "none", "effects": [{"do": "tile", "kind": "ice", "count": 0}]},
    "unknown tile": {"target": "none", "effects": [{"do": "tile", "kind": "mud"}]},
}
CARDS: dict[str, dict[str, Any]] = {
    "HP 0": {"krosmasters": {"agate": {"hp": 0}}},
    "MP below 0": {"krosmasters": {"agate": {"mp": -1}}},
    "a new one without HP": {"krosmasters": {"bob": {"mp": 1, "ap": 1}}},
    "unknown section": {"heroes": {}},
    "unknown field of a card": {"minions": {"fleeflee": {"hat": 1}}},
    "one name twice": {"minions": {"agate": {"mp": 1, "hp": 1, "ap": 1}}},
    "a bonus named as a favor": {"challenges": {"x": {"active": {"haste": {"target": "none"}}}}},
    "a challenge for itself": {"challenges": {"x": {"passive": {"y": {"of": "self", "damage": 1}}}}},
    "a challenge for nobody": {"challenges": {"x": {"passive": {"y": {"damage": 1}}}}},
    "unknown gain": {"krosmasters": {"agate": {"powers": {"y": {"hp": 1}}}}},
    "half a run bonus": {"krosmasters": {"agate": {"powers": {"y": {"run_bonus": {"amount": 1}}}}}},
    "a name of two words": {"favors": {"big bang": {"target": "none"}}},
    "a list of favors": {"favors": ["haste"]},
}


@pytest.mark.parametrize("name", ROWS)
def test_bad_rows_are_refused(name: str) -> None:
    data = {"krosmasters": {"agate": {"spells": {"odd": ROWS[name]}}}}
    with pytest.raises(DocumentError) as caught:
        position(data=data)
    assert caught.value.path[:5] == ("data", "krosmasters", "agate", "spells", "odd"), caught.value.message


@pytest.mark.parametrize("name", CARDS)
def test_bad_cards_are_refused(name: str) -> None:
    with pytest.raises(DocumentError) as caught:
        position(data=CARDS[name])
    assert caught.value.path[0] == "data"


def test_passives_may_take_away() -> None:
    weak = {"challenges": {"weary": {"passive": {"sloth": {"of": "all", "max_range": -9, "damage": -1}}}}}
    place = position(data=weak, challenges=["weary"])
    assert not [text for text in oracle.legal(place) if text.startswith("cast")]


def test_faults_of_files_have_their_line(folder: Path) -> None:
    text = (folder / "cards.yaml").read_text()
    wrong = text.replace("range: [3, 5]", "range: [5, 3]")
    assert wrong != text
    (folder / "cards.yaml").write_text(wrong)
    with pytest.raises(ConfigError) as caught:
        GAME.part("schema").load_ruleset(folder)
    problem = caught.value.problems[0]
    assert problem.path == "heroes.agate.spells.arrow.range"
    assert problem.line == wrong[: wrong.index("[5, 3]")].count("\n") + 1


@pytest.mark.parametrize(
    ("overrides", "path"),
    [
        ({"heroes": {"bob": {"hp": 3}}}, "heroes.bob"),
        ({"heroes": {"agate": {"hp": 0}}}, "heroes.agate.hp"),
        ({"heroes": {"agate": {"spells": {"arrow": {"range": 3}}}}}, "heroes.agate.spells.arrow.range"),
        ({"rules": {"roster": ["agate", "bob"]}}, "rules.roster"),
        ({"rules": {"challenge_pool": ["bob"]}}, "rules.challenge_pool"),
        ({"rules": {"level": "basic", "rounds": 6}}, "rules.rounds"),
        ({"rules": {"challenge_count": 3}}, "rules.challenge_count"),
        ({"rules": {"roster": ["agate", "oone"]}}, "rules.roster"),
    ],
)
def test_faults_of_overrides_have_their_path(overrides: dict[str, Any], path: str) -> None:
    with pytest.raises(ConfigError) as caught:
        GAME.part("schema").load_ruleset(None, overrides, "duel")
    assert caught.value.problems[0].path == path


def test_effects_judge_their_conditions_before_the_first() -> None:
    # The flipped Glyph would be the first: the second effect does not know it yet (KB60).
    turn = {"do": "flip_glyph"}
    after = {"do": "ap", "amount": 5, "who": "caster", "if": {"glyphs": 1}}
    row = {"target": "enemy_glyph", "range": [0, 9], "los": False, "effects": [turn, after]}
    data = {"favors": {"usurp": row}}
    place = position(data=data, glyphs={"e6": "B"}, favors={"left": "usurp"})
    assert fields(oracle.after(place, "use usurp e6"))["act"].startswith("1:3:")
