"""Words, figures, boards, terminal and provenance by themselves."""

import json
import math

import pytest

from balance.report.board import draw
from balance.report.figures import KINDS, _spread, figure_json
from balance.report.figures_scatter import _beside
from balance.report.needs import games_for
from balance.report.pages import PAGES, paged
from balance.report.portraits import TONES, portraits
from balance.report.sections_arenas import clean_rows, node_grid
from balance.report.sections_presence import pareto
from balance.report.terminal import as_text, clean, table_lines
from balance.report.view import Board, Chart, Section, Table
from balance.report.words import level_words, listed, number, p_value, percent, plain, points, title


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (number(-0.04), "0.0"),  # no minus zero
        (number(-1.26), "\u22121.3"),
        (number(1234.5, 0), "1,234"),
        (number(math.nan), "\u2013"),
        (percent(0.5), "50.0 %"),
        (percent(math.nan), "\u2013"),
        (points(0.0149), "+1.5 pp"),
        (points(0.0), "0.0 pp"),
        (p_value(0.0004), "< .001"),
        (p_value(0.04), ".040"),
        (p_value(1.0), "1"),
        (p_value(0.9999), "1"),
        (plain(0.123), "0.12"),
        (plain(1234.6), "1,235"),
        (title("big_hitters"), "Big hitters"),
        (listed(["a", "b", "c"]), "a, b and c"),
        (listed(["a"]), "a"),
    ],
)
def test_words(text, wanted):
    assert text == wanted


def test_levels_are_shortened_only_while_they_stay_different():
    assert level_words(("random", "greedy:0.05")) == ("random", "greedy")
    assert level_words(("greedy:0.05", "greedy:0.5")) == ("greedy:0.05", "greedy:0.5")
    assert level_words(("A greedy:0.05, B random",)) == ("A greedy:0.05, B random",)


POINT = {"label": "<b>", "x": 1.0, "low": 0.5, "high": 1.5}
DATA = {
    "forest": {"series": [{"name": "<i>", "points": [POINT]}], "zero": 0.0, "unit": "pp"},
    "heatmap": {
        "rows": ["<b>"],
        "columns": ["<i>"],
        "values": [[None]],
        "texts": [["<u>"]],
        "zero": 0.0,
        "unit": "",
        "reach": 0.0,
    },
    "slopes": {"x": ["<b>"], "lines": [{"name": "<i>%{y}", "label": "robust", "y": [1.0]}], "unit": "pp"},
    "histogram": {"series": [{"name": "<i>", "x": [0], "y": [100.0]}], "x": "turns", "y": "%", "width": 1},
    "bars": {"labels": ["<b>"], "values": [0.0], "lows": [0.0], "highs": [1.0], "unit": "%"},
    "curves": {
        "series": [{"name": "<i>", "x": [1.0, 2.0], "y": [0.0, 1.0], "low": [-1.0, 0.0], "high": [1.0, 2.0]}],
        "x": "<b>",
        "y": "<u>",
        "at": 1.0,
        "zero": None,
    },
    "tornado": {
        "rows": [{"label": "<b>", "low": -1.0, "high": 0.0, "at_low": "<i>", "at_high": "<u>"}],
        "unit": "<u>",
    },
    "sobol_bars": {
        "labels": ["<b>"],
        "series": [{"name": "<i>", "values": [0.5], "low": [0.2], "high": [0.7]}],
    },
    "scatter": {"points": [POINT | {"y": 1.0, "front": True}], "line": [[1.0, 1.0]], "x": "<i>", "y": "<u>"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_figures_are_plain_json_without_markup_or_numbers_that_json_lacks(kind):
    text = json.dumps(figure_json(Chart(kind, DATA[kind], "")), allow_nan=False)
    for name in ("<b>", "<i>", "<u>"):
        assert name not in text
    assert "template" not in json.loads(text)["layout"]


def test_labels_of_dots_side_by_side_do_not_cover_each_other():
    places = _beside([(0.0, 0.0, "Katula"), (0.02, 0.01, "Wuffryder"), (1.0, 1.0, "Hopper")])
    assert places[0] == "middle right" and places[1] != "middle right" and places[2] == "middle right"


def test_the_front_holds_whom_nobody_beats_in_both():
    places = {"a": (0.3, 0.1), "b": (0.2, 0.2), "c": (0.25, 0.05), "d": (0.3, 0.05), "e": (0.1, 0.2)}
    assert pareto(places) == ("a", "b")
    assert pareto({}) == ()


def test_portraits_differ_and_need_no_latin_letters():
    faces = portraits({"a": "Hopper", "b": "Hop", "c": "Big Bear", "d": "Bug Bear", "e": "", "f": "\u98a8"})
    initials = [face.initials for face in faces.values()]
    assert len(set(initials)) == len(initials) == 6
    assert initials[:3] == ["Ho", "Hp", "BB"]
    assert all(0 <= face.tone < TONES for face in faces.values())


def test_games_for_a_width_are_rounded_up_to_two_figures():
    assert games_for(6_000, 0.024) == 35_000
    assert games_for(100, 0.01) == 100
    assert games_for(100, 0.02) == 400


def test_every_section_stands_on_one_page():
    slugs = [slug for page in PAGES for slug in page.sections]
    assert len(slugs) == len(set(slugs))
    pages, ordered = paged([Section("method", "Method"), Section("heroes", "Heroes")])
    assert [page.title for page in pages] == ["Findings", "Heroes", "Method"]
    assert [section.slug for section in ordered] == ["heroes", "method"]
    with pytest.raises(KeyError):
        paged([Section("nowhere", "")])


def test_labels_are_moved_apart_in_order():
    moved = _spread([0.0, 0.01, 5.0, None], 5.0, 300)
    assert moved[3] is None
    assert moved[0] < moved[1] < moved[2]
    assert moved[1] - moved[0] > 0.3
    assert _spread([None], 0.0, 100) == [None]


def test_nodes_find_their_place_from_the_bottom_left():
    rows = clean_rows(["# . .", ". . *"])
    assert rows == ("#..", "..*")
    grid = node_grid(rows, ["a1", "a2", "b1", "b2", "c1", "c2"])
    assert grid == {(1, 0): 0, (0, 0): 1, (1, 1): 2, (0, 1): 3, (1, 2): 4, (0, 2): 5}


@pytest.mark.parametrize("nodes", [["hub"], ["a1", "a3"], ["d1"], ["a0"]])
def test_names_that_tell_no_grid_get_none(nodes):
    assert node_grid(("...", "..."), nodes) is None


def test_a_board_shows_terrain_and_heat_and_escapes_names():
    picture = Board("<b>", '"><script>', ("#.",), ((math.nan, 2.0),), (("a1", "<i>"),))
    svg = draw(picture, {"#": "pillar", ".": 'plain" onload="x'})
    assert svg.count("<rect") == 3
    assert "t-pillar" in svg and "t-other" in svg
    assert "<script" not in svg and "<i>" not in svg and "onload" not in svg
    assert 'fill-opacity="1.00"' in svg


def test_a_board_without_counts_has_no_heat():
    picture = Board("x", "x", ("..",), ((0.0, 0.0),), (("a1", "b1"),))
    assert "heat" not in draw(picture, {".": "plain"})


def test_terminal_tables_are_aligned():
    lines = table_lines(Table(("Hero", "x"), (("long name", "1"), ("b", "22"))))
    assert lines == ["Hero        x", "-------------", "long name   1", "b          22"]


def test_terminal_takes_no_orders_from_names():
    assert clean("a\x1b[31m\u202eb\n") == "a [31m b "


def test_terminal_shows_what_the_page_shows(drafted, patched):
    from balance.report.build import build_context, build_view

    text = as_text(build_view(build_context(drafted)))
    assert "WHAT CAME OUT" in text and "A is strong" in text
    assert text.count("\n") > 100
    assert all(len(line) <= 130 for line in text.splitlines())
