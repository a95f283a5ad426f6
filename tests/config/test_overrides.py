"""``--set`` puts values into data and is named in the faults that they cause."""

from __future__ import annotations

import pytest

from balance.config.overrides import apply, flag, parse_set, path_meant
from balance.config.yaml_lines import load_yaml_text
from tests.config.faulty import one

TEXT = "game: g\narenas: [pillars, mill]\nrules: {hill_vp: 1}\nteams:\n  '1': [a]\n"


def changed(*sets):
    return apply(load_yaml_text(TEXT, "x.yaml"), [parse_set(text) for text in sets])


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("seed=7", ["seed"], 7),
        ("seed = 7", ["seed"], 7),
        ("rules.hill_vp=2", ["rules", "hill_vp"], 2),
        ("rules.hero_max.hopper=5", ["rules", "hero_max", "hopper"], 5),
        ("heroes.hopper.maximum=5", ["heroes", "hopper", "maximum"], 5),
        ("arenas=[divide]", ["arenas"], ["divide"]),
        ("arenas.1=divide", ["arenas", 1], "divide"),
        ("draft.format=snake", ["draft", "format"], "snake"),
        ("teams=null", ["teams"], None),
        ("teams.1=[b]", ["teams", "1"], ["b"]),
        ("note=a=b", ["note"], "a=b"),
        ("rules.friendly_fire=no", ["rules", "friendly_fire"], "no"),
    ],
)
def test_values_are_put_in(text, path, value):
    data = changed(text).data
    for step in path:
        data = data[step]
    assert data == value


def test_the_document_itself_stays():
    document = load_yaml_text(TEXT, "x.yaml")
    apply(document, [parse_set("rules.hill_vp=2")])
    assert document.data["rules"] == {"hill_vp": 1}


def test_later_overrides_win():
    assert changed("seed=1", "seed=2").data["seed"] == 2


def test_faults_name_the_option():
    document = changed("rules.hil_vp=2")
    assert document.problem("rules.hil_vp", "m", key=True).place() == "--set rules.hil_vp=2"
    assert document.problem("rules.hill_vp", "m").place() == "x.yaml:3:18"
    assert apply(document, [flag("part_pairs", 3)]).problem("part_pairs", "m").place() == "--part-pairs 3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed", "is no override"),
        ("=3", "is no override"),
        ("rules..x=3", "is no override"),
        ("arenas=[a", "the value cannot be read: the text ends inside"),
        ("game.x=3", "'game' is 'g' and holds no 'x'"),
        ("arenas.5=mill", "5 is no position in a list of 2"),
        ("arenas.x=mill", "'x' is no position in a list of 2"),
    ],
)
def test_bad_overrides(text, message):
    problem = one(changed, text)
    assert problem.place() == f"--set {text}"
    assert message in problem.message


NAMES = ("unni", "hopper", "ana", "bo")
KNOWN = [("seed",), ("rules", "hill_vp"), *(("heroes", name, "maximum") for name in NAMES)]


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("hopper.maximum", "did you mean 'heroes.hopper.maximum'?"),
        ("hoper.maximum", "did you mean 'heroes.hopper.maximum'?"),
        ("hero.hopper.maximum", "did you mean 'heroes.hopper.maximum'?"),
        ("hill_vp", "did you mean 'rules.hill_vp'?"),
        ("maximum", "did you mean 'heroes.unni.maximum' or 'heroes.hopper.maximum' or 'heroes.ana.maximum'"
         " ... (4 in all)?"),
        ("rules.hil_vp", ""),  # the misspelt word has a hint of its own
        ("zzz", ""),
    ],
)  # fmt: skip
def test_the_end_of_a_path_finds_the_whole(path, hint):
    assert path_meant(tuple(path.split(".")), KNOWN) == hint
