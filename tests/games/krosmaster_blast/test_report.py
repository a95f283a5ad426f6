"""Reports of this game: spells one by one, knock-outs as shares, assumed numbers, replays with tiles."""

from __future__ import annotations

import json

import pytest

from balance.play.executors.serial import Serial
from balance.play.plan import load_plan_text
from balance.play.run import run
from balance.report.build import build_context, build_view
from balance.report.replay_view import laid, replay_data, replay_view
from balance.report.sections_spells import spell_blocks
from balance.study.replay import GameId, Replayer

PLAN = """
game: krosmaster_blast
mode: duel
arenas: [fields_west, grove_west]
draft: {format: random, picker: random}
agents: ["greedy:0"]
pairs: 40
record: full
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("blast") / "run"
    run(load_plan_text(PLAN), place, Serial())
    return place


@pytest.fixture(scope="module")
def context(folder):
    return build_context(folder)


def test_every_spell_has_a_row_with_its_casts_and_its_damage(context):
    (block,) = spell_blocks(context)
    assert block.table.head == ("Hero", "Ability", "Casts", "Damage")
    assert [row[:2] for row in block.table.rows[:3]] == [
        ("Agate", "Arrow"),
        ("Agate", "Capitol punishment"),
        ("Fern Sockem", "Block seed"),
    ]
    found = {(row[0], row[1]): row[2:] for row in block.table.rows}
    assert len(found) == 12
    assert found["Mender", "Healing word"][1] == "–"
    means = context.analysis.usage[0].metrics
    assert float(found["Ronimo", "Pressure"][1]) == pytest.approx(
        means["damage_1"]["ronimo"].value, abs=0.006
    )


def test_spells_of_a_card_beyond_the_columns_are_told_together():
    from balance.games.krosmaster_blast.schema import counted_spells

    assert counted_spells(["a", "b"]) == ("a", "b")
    assert counted_spells(["a", "b", "c", "d"]) == ("a", "b", "c_and_d")


def test_the_manifest_has_the_spells_and_reads_them_back(folder):
    from balance.play.resolved import ruleset_data, ruleset_from

    data = json.loads((folder / "manifest.json").read_text())["plan"]["ruleset"]
    assert data["heroes"]["agate"]["abilities"] == ["arrow", "capitol_punishment"]
    assert ruleset_data(ruleset_from(data)) == data


def test_the_report_says_what_it_must(context):
    view = build_view(context)
    told = {finding.topic: finding for finding in view.findings}
    strong = [f for f in view.findings if f.text.startswith("Ronimo is")]
    assert strong and "Ronimo's pressure range 1 and wild leap range 1-3" in strong[0].rests.replace(
        ", ", " and "
    )
    assert any("nearest to even" in finding.text for finding in view.findings)
    assert "length" in told
    titles = [block.title for section in view.sections for block in section.blocks]
    assert "Kill participation" in titles
    refused = [text for section in view.sections for text in section.refusal]
    assert any("too many, with dice on the way" in text for text in refused)


def test_replays_show_glyph_tiles_as_they_change(folder):
    played = Replayer(folder).play(GameId(0, 3, 1))
    assert not played.differences
    view = replay_view(played)
    lying = {node: (side, text) for node, side, text in view.tiles}
    for frame, ply in zip(view.frames, played.plies, strict=True):
        for node, side, text in frame.tiles:
            assert lying.get(node) != (side, text)
            lying[node] = (side, text)
        assert {node: tile for node, tile in lying.items() if tile[1]} == laid(ply.after)
    assert view.final_tiles == lying and any(lying.values())
    data = replay_data(view)
    assert any(len(frame) == 6 for frame in data["frames"])
