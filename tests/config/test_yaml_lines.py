"""Every value knows its place, scalars mean what YAML 1.2 says, and bad files are refused in plain words."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.config.yaml_lines import (
    DEEPEST,
    LARGEST_FILE,
    MOST_NODES,
    load_value,
    load_yaml,
    load_yaml_text,
    resolve,
)
from balance.errors import ConfigError
from tests.config.faulty import one

TEXT = """\
game: jump_masters
teams:
  fast: [hopper, unni]
  slow:
    - torturn
rules: {hill_vp: 2}
map: |
  z z
  # .
"""


def load(text):
    return load_yaml_text(text, "x.yaml")


def test_values_know_their_place():
    document = load(TEXT)
    assert document.data["teams"] == {"fast": ["hopper", "unni"], "slow": ["torturn"]}
    marks = {path: (mark.line, mark.column) for path, mark in document.marks.items()}
    assert marks["game",] == (1, 7)
    assert marks["teams", "fast", 1] == (3, 18)
    assert marks["teams", "slow", 0] == (5, 7)
    assert marks["rules", "hill_vp"] == (6, 18)


def test_problem_stands_at_value_key_row_or_what_is_around():
    document = load(TEXT)
    assert document.problem("rules.hill_vp", "m").place() == "x.yaml:6:18"
    assert document.problem("rules.hill_vp", "m", key=True).place() == "x.yaml:6:9"
    assert document.problem("map", "m", row=1).place() == "x.yaml:9:1"
    assert document.problem("teams.fast.7.x", "m").place() == "x.yaml:3:9"
    assert document.problem("nothing", "m").place() == "x.yaml:1:1"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("12:30", "12:30"),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("2024-01-02", "2024-01-02"),
        ("-7", -7),
        ("+7", 7),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-.inf", -math.inf),
        ("true", True),
        ("FALSE", False),
        ("tRUE", "tRUE"),
        ("null", None),
        ("~", None),
        ("", None),
        ("None", "None"),
        ("=", "="),
        (".", "."),
    ],
)
def test_plain_scalars_are_those_of_yaml_1_2(text, value):
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)
    assert load(f"a: {text}\n").data == {"a": value}


def test_not_a_number_and_quotes():
    assert math.isnan(resolve(".nan"))
    assert load("a: '4'\nb: \"true\"\nc: !!str 5\n").data == {"a": "4", "b": "true", "c": "5"}


def test_words_that_older_yaml_reads_as_booleans_can_be_keys():
    assert load("no: 1\non: 2\ny: 3\n").data == {"no": 1, "on": 2, "y": 3}


@given(st.integers())
def test_whole_numbers_come_back(number):
    assert resolve(str(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_come_back(number):
    assert resolve(repr(number)) == number


def test_anchors_are_copied_not_shared():
    document = load("a: &team [hopper]\nb: *team\n")
    document.data["a"].append("unni")
    assert document.data["b"] == ["hopper"]
    assert document.mark("b.0").line == 1


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", "3:1", "the key 'a' stands twice, in lines 1 and 3"),
        ("x: {a: 1, a: 2}\n", "1:11", "the key 'a' stands twice, in line 1"),
        ("a: 1\n\tb: 2\n", "2:1", "a tab cannot indent YAML"),
        ("a:\n  - b\n\t- c\n", "3:1", "a tab cannot indent YAML"),
        ("a: [1, 2\n", "2:1", "the text ends inside quotes or brackets"),
        ("a: 'x\n", "2:1", "the text ends inside quotes or brackets"),
        ("a: b: c\n", "1:5", "a colon where none may stand"),
        ("a:\n  b: 1\n c: 2\n", "3:2", "this line does not fit the lines above it"),
        ("a: @x\n", "1:4", "this character cannot begin a value"),
        ("a: 1\nb\n", "3:1", "a key without a colon, or a text that should be in quotes"),
        ("", "1:1", "is empty"),
        ("# only a comment\n", "1:1", "is empty"),
        ("a: 1\n---\nb: 2\n", "2:1", "a second document begins here"),
        ("a: 1\n5: 2\n", "2:1", "a key must be text, not 5"),
        ("true: 2\n", "1:1", "a key must be text, not true"),
        ("a:\n  ~: 2\n", "2:3", "a key must be text, not nothing"),
        ("? [a, b]\n: c\n", "1:3", "a key must be plain text"),
        ("<<: {a: 1}\n", "1:1", "merge keys (<<) are not part of YAML 1.2"),
        ("a: *b\n", "1:4", "the alias *b has no anchor &b before it"),
        ("a: &a [*a]\n", "1:8", "the alias *a stands inside its own anchor"),
        ("a: !!python/name:os.system\n", "1:4", "the tag tag:yaml.org,2002:python/name:os.system"),
        ("a: \x07\n", "1:4", "the character U+0007 is not allowed in YAML"),
        ("a: " + "9" * 5000, "1:4", "this number is too long"),
        ("[" * 5000, f"1:{DEEPEST + 2}", f"nested more than {DEEPEST} levels deep"),
        ("- " * 5000, f"1:{2 * DEEPEST + 3}", f"nested more than {DEEPEST} levels deep"),
        ("%YAML 3.0\n---\na: 1\n", "1:1", "found incompatible YAML document"),
    ],
)
def test_bad_text_is_refused_with_its_place(text, place, words):
    problem = one(load, text)
    assert problem.place() == f"x.yaml:{place}"
    assert words in problem.message


def test_a_billion_laughs_are_few():
    text = "a: &a [x,x,x,x,x,x,x,x,x]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        text += f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    problem = one(load, text)
    assert f"holds more than {MOST_NODES} values" in problem.message
    assert problem.line == 5  # 9 ** 5 values


def test_missing_alias_suggests_the_anchor():
    assert one(load, "a: &team 1\nb: *teem\n").hint == "did you mean 'team'?"


def test_a_file_is_read(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_bytes(b"\xef\xbb\xbfgame: x\r\nseed: 2\r\n")
    document = load_yaml(path)
    assert document.data == {"game": "x", "seed": 2}
    assert document.mark("seed").line == 2
    assert document.name == str(path)


def test_a_missing_file_names_its_neighbour(tmp_path):
    (tmp_path / "quickstart.yaml").write_text("a: 1")
    problem = one(load_yaml, tmp_path / "quickstrat.yaml")
    assert problem.message == "no such file"
    assert problem.hint == "did you mean 'quickstart.yaml'?"
    assert "no folder" in one(load_yaml, tmp_path / "nowhere" / "a.yaml").hint


def test_a_folder_is_no_file(tmp_path):
    assert one(load_yaml, tmp_path).message == "is a folder, not a file"


def test_other_encodings_are_refused_with_the_place_of_the_byte(tmp_path):
    path = tmp_path / "latin.yaml"
    path.write_bytes("a: 1\nb: caf\xe9\n".encode("latin-1"))
    problem = one(load_yaml, path)
    assert problem.place() == f"{path}:2:7"
    assert "not UTF-8" in problem.message
    path.write_bytes("a: 1\n".encode("utf-16"))
    assert "not UTF-8" in one(load_yaml, path).message


def test_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge.yaml"
    path.write_bytes(b"#" * (LARGEST_FILE + 1))
    assert "larger than 1 MB" in one(load_yaml, path).message


def test_values_of_options():
    assert load_value("[pillars, mill]", "--set") == ["pillars", "mill"]
    assert load_value("no", "--set") == "no"
    assert load_value("", "--set") is None
    assert load_value("{hopper: 5}", "--set") == {"hopper": 5}


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        load(text)
    except ConfigError as error:
        assert error.problems[0].line >= 1
