"""Pairs of heroes, the model's check, cycles and best mixes in the report; power beside every interval."""

import json

import pytest

from balance.report import build
from balance.report.sections_model import FOUND
from balance.report.summary import summary
from balance.report.terminal import as_text


@pytest.fixture(scope="module")
def views(drafted, teams):
    contexts = {
        name: build.build_context(folder) for name, folder in (("drafted", drafted), ("teams", teams))
    }
    return {name: (context, build.build_view(context)) for name, context in contexts.items()}


def section(views, name, slug):
    return next(found for found in views[name][1].sections if found.slug == slug)


def test_every_table_of_intervals_names_method_sample_and_detectable_effect(views):
    seen = 0
    for _, view in views.values():
        for part in view.sections:
            for block in part.blocks:
                if block.table and any("interval" in head for head in block.table.head):
                    assert FOUND in block.caption, block.title
                    assert "ethod" in block.caption or "Mean: " in block.caption, block.title
                    sized = any(unit in block.caption.lower() for unit in ("pairs", "rotations"))
                    assert sized or {"Pairs", "Rotations"} & set(block.table.head), block.title
                    seen += 1
    assert seen > 12


def test_pairs_of_heroes_and_the_check_are_shown(views):
    found = section(views, "drafted", "pairs")
    titles = [block.title for block in found.blocks]
    assert titles[:3] == [
        "Synergy: greedy play",
        "Counters: greedy play",
        "Is the sum of strengths enough? greedy play",
    ]
    assert len(found.blocks[0].table.rows) == 10 and "empirical Bayes" in found.blocks[0].caption
    assert found.blocks[2].text.split(".")[0] in ("Enough", "Open", "Not enough")


def test_given_teams_say_why_there_are_no_pairs_and_show_mix_and_cycles(views):
    assert any("determine only" in text for text in section(views, "teams", "pairs").refusal)
    titles = [block.title for block in section(views, "teams", "teams").blocks]
    assert "Best mix: random play" in titles and "Rock, paper, scissors: random play" in titles


def test_drafted_rosters_have_no_mix(views):
    assert not any("mix" in block.title for block in section(views, "drafted", "teams").blocks)


def test_the_summary_holds_all_of_it_as_numbers(views):
    for context, view in views.values():
        data = json.loads(json.dumps(summary(context, view), allow_nan=False))
        assert len(data["rosters"]) == len(data["cycles"]) == len(data["mixes"]) == 2
        assert all("slope" in entry for entry in data["skill"]) or data["skill"]["refused"]
    assert data["mixes"][0]["teams"][0]["weight"]["n"] == data["mixes"][0]["n"]


def test_the_terminal_shows_them(views):
    text = as_text(views["drafted"][1])
    assert "SYNERGY AND COUNTERS" in text and FOUND in text.replace("\n", " ")
