"""This game's widest tables, on paper and on a telephone, in a real Chromium."""

from __future__ import annotations

import pytest

from balance.play.executors.serial import Serial
from balance.play.plan import load_plan_text
from balance.play.run import run
from balance.report import page as pages
from tests.report.test_browser import browser, opened, pytestmark  # noqa: F401

PLAN = """
game: krosmaster_blast
mode: duel
arenas: [fields_west]
draft: {format: random, picker: random}
agents: ["greedy:0"]
pairs: 40
record: basic
"""
PAPER = 182 * 96 / 25.4  # CSS pixels between the margins of A4
OVER = """width => [...document.querySelectorAll('table')].filter(table => table.getClientRects().length)
    .map(table => [table.rows[0].textContent.trim().slice(0, 40), table.getBoundingClientRect().right])
    .filter(found => found[1] > width + 1)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("paper") / "run"
    run(load_plan_text(PLAN), place, Serial())
    pages.write_report(place)
    return place


def test_no_table_is_cut_off_on_paper(folder, opened):  # noqa: F811
    page = opened(folder, width=int(PAPER))
    page.emulate_media(media="print")
    assert page.locator("table.dense").count() > 0
    assert page.evaluate(OVER, PAPER) == []


def test_nothing_scrolls_sideways_on_a_telephone(folder, opened):  # noqa: F811
    page = opened(folder, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
