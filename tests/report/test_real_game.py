"""A small run of every game that ships a quickstart plan: its columns and its legend fit its rows."""

import json

import pytest

from balance.cli.app import run_app
from balance.games import discover

GAMES = [slug for slug, game in discover().items() if (game.plans / "quickstart.yaml").is_file()]


@pytest.fixture(scope="module", params=GAMES)
def played(request, tmp_path_factory):
    game = discover()[request.param]
    folder = tmp_path_factory.mktemp("real") / "run"
    plan = str(game.plans / "quickstart.yaml")
    options = ["--set", "agents=[random]", "--pairs", "20", "-o", str(folder), "-q", "-j", "1"]
    assert run_app(["run", plan, *options]) == 0
    return game, folder


def test_the_report_shows_titles_columns_and_boards(played):
    game, folder = played
    page = (folder / "report.html").read_text()
    manifest = json.loads((folder / "manifest.json").read_text())
    assert game.title in page
    for hero in manifest["plan"]["ruleset"]["heroes"].values():
        assert hero["title"] in page
    described = game.part("metrics").COLUMNS
    for columns in described.values():
        for column in columns.values():
            assert column.role in ("mean", "side", "seat", "label", "full", "pick", "kept")
    for column in described["games"].values():
        assert column.role != "mean" or column.label in page
    assert page.count('<svg class="board"') >= len({cell["arena"] for cell in manifest["cells"]})
    assert "are assumed" in page or not manifest["assumed"]


def test_the_plan_in_the_footer_plays_the_same_rows(played, tmp_path):
    _, folder = played
    summary = json.loads((folder / "summary.json").read_text())
    from balance.report.build import plan_text

    manifest = json.loads((folder / "manifest.json").read_text())
    plan = tmp_path / "plan.yaml"
    plan.write_text(plan_text(manifest))
    assert run_app(["run", str(plan), "-o", str(tmp_path / "again"), "--no-report", "-q", "-j", "1"]) == 0
    again = json.loads((tmp_path / "again" / "manifest.json").read_text())
    assert again["digest"] == manifest["digest"] == summary["digest"]


def test_an_edited_number_is_named_as_changed(played, tmp_path):
    game, folder = played
    if game.slug != "jump_masters":
        pytest.skip("the parameter is of the main game")
    plan = str(game.plans / "quickstart.yaml")
    options = ["--set", "agents=[random]", "--set", "rules.hill_vp=2", "--pairs", "5", "-q", "-j", "1"]
    assert run_app(["run", plan, *options, "-o", str(tmp_path / "run")]) == 0
    page = (tmp_path / "run" / "report.html").read_text()
    assert "1 rule is changed" in page and "rules.hill_vp = 2" in page
