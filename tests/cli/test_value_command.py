"""``balance value`` with the real rules: from plan to table, JSON and page; what is refused, and how."""

from __future__ import annotations

import json

import pytest

from balance.cli.app import run_app
from tests.play.fakes import content

PLAN = """game: jump_masters
name: tiny
arenas: [pillars]
teams: {a: [burnny, hopper, torturn], b: [katula, unni, wuffryder]}
agents: [random, greedy]
pairs: 12
record: full
"""
ONLY = ["--only", "ability:frog_bow", "--only", "power:torturn"]


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "tiny.yaml"
    path.write_text(PLAN)
    return str(path)


def call(plan, folder, *options):
    return run_app(["value", plan, "-o", str(folder), "--quiet", *options])


def test_table_page_and_json(plan, tmp_path, capsys):
    folder = tmp_path / "out"
    assert call(plan, folder, *ONLY) == 0
    said = capsys.readouterr()
    for text in ("Random play", "Greedy play", "Frog bow (Hopper)", "Stalwart (Torturn)", "Smallest found"):
        assert text in said.out
    assert said.out.splitlines()[-1] == str(folder / "report.html")
    assert said.err == ""
    assert "Frog bow (Hopper)" in (folder / "report.html").read_text()
    before = content(folder)
    assert call(plan, folder, *ONLY, "--json", "-j", "1") == 0
    data = json.loads(capsys.readouterr().out)
    assert data == json.loads((folder / "value.json").read_text())
    assert content(folder) == before
    bow = data["items"][0]
    assert (bow["name"], bow["heroes"]) == ("ability:frog_bow", ["hopper"])
    assert [value["level"] for value in bow["values"]] == data["levels"] == ["random", "greedy:0.05"]
    assert all(value["pairs"] == 12 and 0 < value["games_used"] <= value["games"] for value in bow["values"])
    assert sorted(data["digests"]) == ["ability-frog_bow-A", "ability-stalwart-off", "baseline"]


def test_the_same_seed_gives_the_same_bytes(plan, tmp_path, capsys):
    for name, workers in (("one", "1"), ("two", "2")):
        assert call(plan, tmp_path / name / "out", "--only", "ability:frog_bow", "-j", workers) == 0
    one, two = content(tmp_path / "one"), content(tmp_path / "two")
    assert one == two
    assert call(plan, tmp_path / "three" / "out", "--only", "ability:frog_bow", "--seed", "9") == 0
    assert content(tmp_path / "three")["out/value.json"] != one["out/value.json"]


def test_a_restriction_that_never_bites_changes_no_game(plan, tmp_path, capsys):
    """Frog Bow has no legal use when it takes nothing, so both runs are the same games."""
    sets = ["--set", "rules.frog_bow_damage=1", "--set", "rules.disabled_abilities=[hopper]"]
    assert call(plan, tmp_path / "out", "--only", "ability:frog_bow", "--json", *sets) == 0
    for value in json.loads(capsys.readouterr().out)["items"][0]["values"]:
        assert (value["value"], value["se"], value["changed_pairs"], value["games_used"]) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (["--only", "ability:frogbow"], "unknown restriction 'ability:frogbow'", "did you mean"),
        (["--only", "ability:aura"], "no roster of this plan holds freeda", "leave --only out"),
        (["--pairs", "0"], "at least 1", ""),
        (["--set", "restrict={A: [action:jmp]}"], "unknown restriction 'action:jmp'", "did you mean"),
        (["--progress", "loud"], "unknown kind of progress", "known: auto"),
    ],
)
def test_mistakes_are_told_and_leave_with_2(plan, tmp_path, capsys, options, message, hint):
    assert call(plan, tmp_path / "out", *options) == 2
    said = capsys.readouterr().err
    assert message in said and hint in said
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way(plan, tmp_path, capsys):
    (tmp_path / "out").write_text("mine")
    assert call(plan, tmp_path / "out", "--only", "ability:frog_bow") == 2
    assert "out" in capsys.readouterr().err
    assert (tmp_path / "out").read_text() == "mine"
