"""Editors accept what we accept: JSON Schemas against the shipped files and against faults."""

from __future__ import annotations

import jsonschema
import pytest

from balance.config.yaml_lines import load_yaml_text
from balance.games import discover, get_game
from balance.play.editor import any_plan_schema, game_schema

GAME = get_game("jump_masters")
KINDS = ("plan", "cards", "arenas", "rules")


def faults(kind, data, game=GAME):
    schema = game_schema(game, kind)
    return [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(data)]


def shipped(folder):
    return [item for item in folder.iterdir() if item.name.endswith(".yaml")]


def data_of(item):
    return load_yaml_text(item.read_text(encoding="utf-8"), item.name).data


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_schemas(kind):
    schema = game_schema(GAME, kind)
    jsonschema.Draft7Validator.check_schema(schema)
    assert schema["$schema"].endswith("draft-07/schema#")
    assert "x-names" not in str(schema)


def test_shipped_files_fit():
    for slug, game in discover().items():
        for item in shipped(game.configs):
            kind = item.name.removesuffix(".yaml")
            assert faults(kind, data_of(item), game) == [], (slug, item.name)
        for item in shipped(game.plans):
            assert faults("plan", data_of(item), game) == [], (slug, item.name)


def base(**more):
    return {"game": "jump_masters", "teams": "recommended", **more}


@pytest.mark.parametrize(
    "plan",
    [
        base(teams=["starters", "big_hitters"], matchups=[["starters", "big_hitters"]]),
        base(teams={"a": ["unni"], "b": ["hopper"]}, agents={"A": "greedy:0.1", "B": "random"}),
        base(arenas=["my_own", "mill"]),
        base(rules={"hero_max": {"unni": 6}, "hill_vp": 2}, heroes={"hopper": {"lowest": 2}}),
        {"game": "jump_masters", "draft": {"format": "snake"}, "mode": "ffa3"},
    ],
)
def test_plans_that_fit(plan):
    assert faults("plan", plan) == []


@pytest.mark.parametrize(
    "plan",
    [
        base(pairs=0),
        base(pairs="3"),
        base(arena=["mill"]),
        base(mode="dual"),
        base(teams={"a": ["uni"]}),
        base(rules={"hil_vp": 2}),
        base(rules={"hill_vp": 9}),
        base(heroes={"hoper": {"maximum": 3}}),
        base(heroes={"hopper": {"maximum": 10}}),
        base(draft={"format": "fixed"}),
        base(agents=["greeedy"]),
        base(game="chess"),
        base(record="all"),
        {"teams": "recommended"},
    ],
)
def test_plans_that_do_not_fit(plan):
    assert faults("plan", plan)


def test_files_that_do_not_fit():
    cards = data_of(GAME.configs / "cards.yaml")
    cards["heroes"]["unni"]["maximum"] = 6
    assert faults("cards", cards) == []
    for value in (10, "6", {"value": 10}, {"value": 6, "source": "guessed"}, {"source": "ours"}):
        cards["heroes"]["unni"]["maximum"] = value
        assert faults("cards", cards)
    rules = data_of(GAME.configs / "rules.yaml")
    rules["rules"]["hill_vp"] = None
    assert faults("rules", rules)
    assert faults("arenas", {"game": "jump_masters", "arenas": {"x": {"title": "no map"}}})


def test_editors_can_complete_names_and_show_meanings():
    schema = game_schema(GAME, "plan")
    text = str(schema)
    for name in ("starters", "pillars_b", "snake", "ffa4", "hopper"):
        assert f"'{name}'" in text
    hill = schema["$defs"]["RuleOverrides"]["properties"]["hill_vp"]
    assert "Hill" in hill["description"]
    assert all("description" in part for part in schema["properties"].values())


def test_plans_of_any_game():
    schema = any_plan_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    assert schema["properties"]["game"]["enum"] == list(discover())
