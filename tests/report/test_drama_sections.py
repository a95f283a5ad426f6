"""Pace, drama and kill participation on the page: numbers, words, charts with tables, reasons for none."""

import json
from dataclasses import replace

import pytest

from balance.games.metric import KILLS
from balance.report.build import build_context, build_view
from balance.report.page import with_code
from balance.report.sections_drama import drama_section
from balance.report.sections_pace import pace_section
from balance.report.summary import markdown, summary
from balance.stats.drama import NO_WINNER
from balance.stats.estimate import Estimate
from balance.stats.pace import NO_CAP
from tests.report.conftest import HOSTILE

COMMAND = "`balance run PLAN --set record=full`"


@pytest.fixture(scope="module")
def contexts(drafted, teams, bare, hostile, patched):
    folders = {"drafted": drafted, "teams": teams, "bare": bare, "hostile": hostile}
    return {name: build_context(folder) for name, folder in folders.items()}


def block_of(section, title):
    return next(block for block in section.blocks if block.title == title)


def values(block, first):
    """Value column of the rows that begin with a quantity, by skill."""
    return {row[1]: row[2] for row in block.table.rows if row[0] == first}


def test_pace_names_every_measure_at_every_level(contexts):
    block = block_of(pace_section(contexts["drafted"]), "Decisions and choices")
    names = list(dict.fromkeys(row[0] for row in block.table.rows))
    assert names == [
        "Turns a game", "Decisions a game", "Decisions a turn",
        "Actions a decision", "Forced decisions", "Capped games",
    ]  # fmt: skip
    for name in names:
        assert list(values(block, name)) == ["random", "greedy"]
    assert values(block, "Decisions a turn") == {"random": "2.00", "greedy": "2.00"}
    assert all(9 < float(v.split()[0]) < 11 for v in values(block, "Forced decisions").values())
    assert all(7 < float(v.split()[0]) < 13 for v in values(block, "Capped games").values())
    assert "ratio over pairs" in block.caption and "95 %" in block.caption and "1,200 pairs" in block.caption
    for word in ("Decisions a turn", "Forced", "Capped"):
        assert f"{word}:" in block.text  # each is explained


def test_length_and_what_was_recorded_stay(contexts):
    titles = [block.title for block in pace_section(contexts["drafted"]).blocks]
    assert titles[:3] == ["Turns in a game", "Decisions and choices", "Pace by arena"]
    for title in ("What happens in a game", "Choices in a turn", "Sources of points", "Kinds"):
        assert title in titles


def test_drama_has_charts_with_tables_and_captions(contexts):
    section = drama_section(contexts["drafted"])
    assert [block.title for block in section.blocks] == [
        "Lead changes", "Drama, comebacks, decisiveness", "When games are decided",
        "What winners came back from", "Drama by arena",
    ]  # fmt: skip
    assert section.refusal == ()
    for block in section.blocks:
        assert block.table and "95 %" in block.caption and "Method: " in block.caption
    for block in (section.blocks[0], section.blocks[2], section.blocks[3]):
        assert block.chart.kind == "histogram" and "mean" in block.chart.alt
        for series in block.chart.data["series"]:
            assert sum(series["y"]) == pytest.approx(100)
            assert len(series["x"]) == len(block.table.rows)
    measures = block_of(section, "Drama, comebacks, decisiveness")
    assert all(40 < float(v.split()[0]) < 60 for v in values(measures, "Comebacks").values())
    assert all(42 < float(v.split()[0]) < 50 for v in values(measures, "Played when decided").values())
    assert "10 points of 100" in measures.text


def test_long_tails_of_lead_changes_are_folded(contexts):
    table = block_of(drama_section(contexts["drafted"]), "Lead changes").table
    assert len(table.rows) <= 11
    assert table.rows[-1][0] in ("10 or more", str(len(table.rows) - 1))


@pytest.mark.parametrize("name", ["teams", "bare"])
def test_sections_say_why_they_are_empty_and_what_would_fill_them(contexts, name):
    drama, pace = drama_section(contexts[name]), pace_section(contexts[name])
    assert drama.blocks == ()
    for section in (drama, pace):
        text = " ".join(section.refusal)
        assert "record: full" in text and COMMAND in text
    assert f"<code>{COMMAND.strip('`')}</code>" in with_code(drama.refusal[0])
    shown = {row[0] for row in block_of(pace, "Decisions and choices").table.rows}
    assert "Decisions a turn" in shown and "Forced decisions" not in shown


def test_no_winner_and_no_cap_are_told(contexts):
    context = contexts["drafted"]
    drama = tuple(replace(entry, winners=NO_WINNER) for entry in context.analysis.drama)
    pace = tuple(replace(entry, capped=NO_CAP) for entry in context.analysis.pace)
    other = replace(context, analysis=replace(context.analysis, drama=drama, arena_drama=(), pace=pace))
    section = drama_section(other)
    assert [block.title for block in section.blocks] == ["Lead changes", "Drama, comebacks, decisiveness"]
    assert section.refusal == (NO_WINNER.reason,)
    assert NO_CAP.reason in pace_section(other).refusal
    assert not values(block_of(pace_section(other), "Decisions and choices"), "Capped games")


def test_kill_participation_stands_among_the_deeds(contexts):
    view = build_view(contexts["drafted"])
    deeds = next(section for section in view.sections if section.slug == "deeds")
    block = block_of(deeds, KILLS)
    assert len(block.table.rows) == 16 and block.chart.kind == "forest"
    for row in block.table.rows:
        assert 20 < float(row[2].split()[0]) < 30 and " to " in row[3]
    assert "ratio over pairs" in block.caption and "its whole side" in block.caption


def test_hostile_names_stay_text(contexts, hostile):
    deeds = next(s for s in build_view(contexts["hostile"]).sections if s.slug == "deeds")
    assert any(HOSTILE in row[0] for row in block_of(deeds, KILLS).table.rows)
    assert HOSTILE not in (hostile / "report.html").read_text()


def test_the_summary_holds_them(contexts):
    context = contexts["drafted"]
    view = build_view(context)
    data = json.loads(json.dumps(summary(context, view), allow_nan=False))
    assert data["drama"][1]["winners"]["comeback"]["n"] > 250
    assert data["pace"][0]["forced"]["method"] == "ratio over pairs, t interval"
    assert set(data["usage"][0]["shares"]["vp_earned"]) == set("abcdefgh")
    found = context.analysis.drama[0].swings
    assert isinstance(found, Estimate) and data["drama"][0]["swings"]["value"] == found.value
    text = markdown(view)
    assert "## Pace" in text and "## Drama" in text and "| Comebacks | greedy |" in text
    bare = summary(contexts["bare"], build_view(contexts["bare"]))
    assert bare["drama"][0]["refused"] and "record: full" in bare["drama"][0]["reason"]
