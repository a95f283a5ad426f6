"""A run that ended by itself shows its looks."""

from __future__ import annotations

import json

from balance.report import page
from balance.report.looks import looks_blocks
from tests.stats.planted import Truth, planted_run

LOOK = {"open": 1, "widest": "a<b>", "half_width": 0.0213, "end": "", "pairs": [200, 200]}
ANSWERS = [
    {"question": "a<b>", "value": 0.0612, "half_width": 0.0213},
    {"question": "c", "value": -0.01, "half_width": 0.0199},
]
LOOKS = [
    {"look": 1, "total": 400, "answers": ANSWERS, **LOOK},
    {"look": 2, "total": 800, "answers": ANSWERS, **LOOK, "open": 0, "end": "narrow enough"},
]
PLAN = {"plan": {"until": {"metric": "hero_strength", "half_width": 0.03}}}


def test_runs_of_a_fixed_size_have_no_looks():
    assert looks_blocks({}, "pairs") == ()
    assert looks_blocks({"looks": []}, "pairs") == ()


def test_looks_and_the_last_answers_are_shown():
    history, last = looks_blocks({"looks": LOOKS, "plan": PLAN}, "pairs")
    assert [row[:3] for row in history.table.rows] == [("1", "400", "1 of 2"), ("2", "800", "0 of 2")]
    assert last.table.rows[0] == ("a<b>", "+6.12 pp", "± 2.13 pp")
    assert "within ± 3.00 pp" in last.caption


def test_the_page_carries_them(tmp_path, patched):
    folder = planted_run(tmp_path / "run", Truth(), 200)
    path = folder / "manifest.json"
    from balance.store.manifest import load

    manifest = load(folder)
    manifest.head |= {"looks": LOOKS, "plan": PLAN}
    manifest.write()
    assert json.loads(path.read_text())["looks"] == LOOKS
    page.write_report(folder)
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "The looks of this run" in text
    assert "a&lt;b&gt;" in text
    assert "--until-ci" in text
