"""The configuration of a game with parameters and arenas only: files, overrides, provenance, faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.config.fields import Flag, Whole
from balance.errors import ConfigError
from balance.games.plain import Parameter, PlainSchema

RULES = """game: tiny
rules:
  rows: {value: 2, source: printed}  # rows of pieces
  bold: {value: false, source: assumed}
"""
ARENAS = """game: tiny
arenas:
  board:
    title: Board
    source: printed
    map: |
      . .
      . .
"""


def map_fault(rows: tuple[str, ...]) -> str:
    return "" if rows == ("..", "..") else "must be two rows of two dots"


def write(folder: Path, rules: str = RULES, arenas: str = ARENAS) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "rules.yaml").write_text(rules)
    (folder / "arenas.yaml").write_text(arenas)
    return folder


@pytest.fixture
def schema(tmp_path: Path) -> PlainSchema:
    parameters = (
        Parameter("rows", Whole(1, 3), "rows of pieces"),
        Parameter("bold", Flag(), "whether to dare"),
    )
    return PlainSchema("tiny", write(tmp_path / "shipped"), parameters, map_fault)


def faults(schema: PlainSchema, *arguments) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        schema.load_ruleset(*arguments)
    return [f"{Path(one.file).name}:{one.line}:{one.path}: {one.message}" for one in caught.value.problems]


def test_shipped_numbers_have_their_sources(schema: PlainSchema) -> None:
    ruleset = schema.load_ruleset()
    assert ruleset.values == {"rows": 2, "bold": False}
    assert ruleset.heroes == ruleset.teams == {}
    assert ruleset.arenas["board"].rows == ("..", "..")
    assert [(one.path, one.source) for one in ruleset.numbers] == [
        ("rules.rows", "printed"), ("rules.bold", "assumed"), ("arenas.board", "printed"),
    ]  # fmt: skip
    assert ruleset.numbers[0].allowed == "1..3"
    assert schema.changed(ruleset) == {}


def test_overrides_and_edited_files_are_changes(schema: PlainSchema, tmp_path: Path) -> None:
    edited = write(tmp_path / "edited", "game: tiny\nrules: {rows: 3}\n")
    ruleset = schema.load_ruleset(edited, {"rules": {"bold": True}, "heroes": {}})
    assert ruleset.values == {"rows": 3, "bold": True}
    assert [one.path for one in ruleset.changed()] == ["rules.rows", "rules.bold"]
    assert schema.changed(ruleset) == {"rows": 3, "bold": True}
    same = schema.load_ruleset(None, {"rules": {"rows": 2}})
    assert same.changed() == ()


def test_a_parameter_left_out_keeps_its_shipped_value(schema: PlainSchema, tmp_path: Path) -> None:
    ruleset = schema.load_ruleset(write(tmp_path / "short", "game: tiny\nrules: {bold: true}\n"))
    assert ruleset.values == {"rows": 2, "bold": True}
    assert ruleset.numbers[0].source == "printed"


def test_faults_of_files_have_their_places(schema: PlainSchema, tmp_path: Path) -> None:
    wrong = write(
        tmp_path / "wrong", RULES.replace("2, ", "7, "), ARENAS.replace("      . .\n", "      .\n", 1)
    )
    assert faults(schema, wrong) == [
        "arenas.yaml:6:arenas.board.map: must be two rows of two dots",
        "rules.yaml:3:rules.rows.value: must be a whole number from 1 to 3, not 7",
    ]
    none = write(tmp_path / "none", arenas="game: tiny\narenas: {}\n")
    assert faults(schema, none) == ["arenas.yaml:2:arenas: names no arena"]
    (wrong / "rules.yaml").unlink()
    assert any(text.startswith("rules.yaml") for text in faults(schema, wrong))


def test_faults_of_overrides_name_the_value(schema: PlainSchema) -> None:
    assert faults(schema, None, {"rules": {"rows": "2"}}) == [
        "overrides:0:rules.rows: must be a whole number from 1 to 3, not '2'"
    ]
    assert faults(schema, None, {"rules": {"row": 2}}) == ["overrides:0:rules.row: unknown key 'row'"]
    assert faults(schema, None, {"heroes": {"bob": {"energy": 1}}}) == [
        "overrides:0:heroes.bob: unknown key 'bob'"
    ]
