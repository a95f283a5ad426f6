"""Comparison and sweep pages: differences first, tables behind charts, refusals in words, the command."""

import json
import re

import pytest

from balance.cli.app import run_app
from balance.report import sweep_page
from balance.report.compare_context import compare_context
from balance.report.compare_findings import compare_findings, cut
from balance.report.compare_view import compare_view
from balance.report.figures import figure_json
from balance.report.sweep_page import sweep_view
from balance.report.terminal import as_text
from balance.report.view import Chart
from tests.stats.planted import Truth, planted_run
from tests.stats.twins import numbered

MOST = 3.5 * 1024 * 1024
LEVELS = {"levels": ("random", "greedy:0.05"), "scale": (0.8, 1.0)}
STRONG = (0.14, 0.03, 0.01, 0.0, 0.0, -0.01, -0.03, -0.06)


@pytest.fixture(scope="module")
def runs(patched, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pair")
    base = numbered(planted_run(folder / "base", Truth(**LEVELS), 400), a__max=4)
    other = numbered(planted_run(folder / "strong", Truth(**LEVELS, strength=STRONG), 400), a__max=6)
    return base, other


@pytest.fixture(scope="module")
def context(runs):
    return compare_context(*runs)


def test_the_largest_sure_difference_comes_first_in_words(context):
    first, *_, last = compare_findings(context)
    pattern = r"A gains [\d.]+ pp \([\d.]+ to [\d.]+\) of strength at greedy play: "
    pattern += r"\+[\d.]+ pp in the base, \+[\d.]+ pp in the candidate"
    assert re.match(pattern, first.text), first.text
    assert first.tag == "robust"
    assert "would have been found in four runs of five" in last.text
    sures = [f.sure for f in compare_findings(context) if f.topic in ("heroes", "seats")]
    assert sures == sorted(sures, reverse=True)


def test_what_was_changed_stands_in_a_notice_and_a_table(context):
    view = compare_view(context)
    assert view.notices[0].text == "Changed: a.max 4 -> 6."
    changed = next(section for section in view.sections if section.slug == "changed")
    assert changed.blocks[0].table.rows == (("Rule", "a.max", "4", "6"),)


def test_every_chart_has_a_table_a_caption_and_a_name(context, swept):
    for view in (compare_view(context), sweep_view(swept)):
        blocks = [block for section in view.sections for block in section.blocks]
        charts = [block for block in blocks if block.chart]
        assert charts
        for block in charts:
            assert block.table and block.table.rows and block.chart.alt.endswith(".")
            assert "Method" in block.caption or "Intervals" in block.caption
            assert re.search(r"\d+ (pairs|points|walks)|n: \d+", block.caption), block.title
            assert figure_json(block.chart)["data"]
        assert all(len(row) == len(b.table.head) for b in blocks if b.table for row in b.table.rows)


def test_pages_are_small_and_of_one_file(comparison, hostile_comparison, sweep):
    for page in (comparison / "compare.html", hostile_comparison / "compare.html", sweep / "sweep.html"):
        text = page.read_text(encoding="utf-8")
        assert page.stat().st_size < MOST
        assert "<script>alert(1)" not in text and "src=" not in text.split("<main")[1].split("</main>")[0]


def test_identical_runs_are_said_to_be_identical(runs):
    found = compare_context(runs[0], runs[0])
    (only,) = compare_findings(found)
    assert only.text.startswith(
        "Nothing differs: all 1,600 common pairs ended alike in every recorded number"
    )
    assert cut(found) == ""
    assert "exactly zero" in as_text(compare_view(found))


def test_other_seeds_are_said_to_be_two_samples(runs, tmp_path):
    other = planted_run(tmp_path / "other", Truth(**LEVELS), 400, seed=2)
    view = compare_view(compare_context(runs[0], other))
    assert any("share no random streams (the seeds are 1 and 2)" in notice.text for notice in view.notices)
    assert ("Random streams", "not common") in view.facts


def test_unfinished_and_adaptive_runs_are_said_to_be_so(runs, tmp_path):
    from balance.store.manifest import load

    manifest = load(planted_run(tmp_path / "cut", Truth(**LEVELS), 400))
    del manifest.parts[(0, 1)]
    manifest.head["looks"] = [{}]
    manifest.digest = None
    manifest.write()
    view = compare_view(compare_context(runs[0], tmp_path / "cut"))
    assert "cut is not complete" in view.partial
    assert any("ended by itself" in notice.text for notice in view.notices)


def test_heroes_that_are_not_determined_are_refused_in_words(hostile_comparison):
    page = (hostile_comparison / "compare.html").read_text(encoding="utf-8")
    assert "determine only" in page and "Change of matchups" in page


def test_a_game_without_heroes_is_compared(patched, tmp_path):
    truth = Truth(heroes=(), strength=(), size=0, mode="ffa3", arena={"field": 0.0})
    one = planted_run(tmp_path / "a", truth, 60, record=False)
    two = planted_run(tmp_path / "b", Truth(**{**vars(truth), "seat": 0.3}), 60, record=False)
    view = compare_view(compare_context(one, two))
    assert [section.slug for section in view.sections] == [
        "differences",
        "changed",
        "seats",
        "length",
        "method",
    ]
    assert view.findings[0].text.startswith("The first seat gains")


def test_the_command_prints_writes_and_never_fails(runs, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run_app(["compare", *map(str, runs)]) == 0
    out = capsys.readouterr().out
    assert "A gains" in out and out.splitlines()[-1] == "reports/compare-base-strong/compare.html"
    data = json.loads((tmp_path / "reports/compare-base-strong/compare.json").read_text())
    assert data["sizes"]["identical"] is False and data["changed"][0]["path"] == "a.max"
    assert run_app(["compare", *map(str, runs), "--json", "-o", str(tmp_path / "x")]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == data and captured.err.strip() == str(tmp_path / "x" / "compare.html")
    assert run_app(["compare", *map(str, runs), "--no-report"]) == 0


def test_what_cannot_be_compared_is_a_user_error(runs, tmp_path, capsys):
    (tmp_path / "plan.yml").write_text("game: x\n")
    for arguments in (
        [runs[0]],
        [runs[0], tmp_path / "plan.yml"],
        [runs[0], tmp_path / "none"],
        [*runs, "-o", runs[0]],
        [*runs, "-o", tmp_path / "plan.yml"],
        [runs[0], runs[0], runs[0]],
    ):
        assert run_app(["compare", *map(str, arguments)]) == 2, arguments
        captured = capsys.readouterr()
        assert captured.err.startswith("error:") and "Traceback" not in captured.err
        assert "hint:" in captured.err


def test_a_ladder_and_a_folder_of_values_say_what_they_are(runs, ladder, tmp_path, capsys):
    assert run_app(["compare", str(runs[0]), str(ladder)]) == 2
    assert "holds a ladder" in capsys.readouterr().err
    planted_run(tmp_path / "value" / "baseline", Truth(), 60)
    assert run_app(["compare", str(tmp_path / "value"), str(runs[1])]) == 2
    assert str(tmp_path / "value" / "baseline") in capsys.readouterr().err


def test_more_than_two_runs_give_a_sweep(swept_runs, tmp_path, capsys):
    assert run_app(["compare", *map(str, swept_runs), "-o", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == str(tmp_path / "sweep.html")
    assert "WHICH NUMBER MATTERS" in out and "Sobol index" in out
    data = json.loads((tmp_path / "sweep.json").read_text())
    assert data["parameters"] == ["hero<b>", "%{y}"] and len(data["runs"]) == 16
    assert run_app(["compare", *map(str, swept_runs[:3]), "--json", "--no-report"]) == 0
    assert json.loads(capsys.readouterr().out)["sensitivity"][0]["sobol"]["refused"] is True


def test_sweep_findings_name_the_numbers_that_moved(swept):
    view = sweep_view(swept)
    titles = [block.title for section in view.sections for block in section.blocks]
    assert "Turns in a game over hero<b>" in titles and "A, greedy: Sobol indices" in titles
    assert re.match(
        r"(A|First seat): \+[\d.]+ pp \(.*\) with .*(hero<b>|%{y}) = \d+", view.findings[0].text
    ), view.findings[0]
    tornado = next(section for section in view.sections if section.slug == "tornado")
    rows = {row[0]: row for row in tornado.blocks[0].table.rows}
    assert rows["%{y}"][1] == "5" and rows["%{y}"][6] == "10"  # first seat: highest at 10, moved alone


def test_ranges_are_swept_by_their_middles_and_shown_with_their_ends(patched, tmp_path):
    def played(name, strong, reach, odd):
        truth = Truth(**LEVELS, strength=(strong, *[0.0] * 6, -strong))
        return numbered(planted_run(tmp_path / name, truth, 100), reach=reach, odd=odd)

    runs = [played("base", 0.02, [3, 5], [1, 5]), played("far", 0.09, [4, 6], [1, 5])]
    context = sweep_page.sweep_of([*runs, played("near", 0.0, [3, 4], [2, 4])])
    assert context.data.parameters == ("reach",) and context.data.others == ("odd",)
    assert [cell.values for cell in context.data.cells] == [(4.0,), (5.0,), (3.5,)]
    view = sweep_view(context)
    tornado = next(section for section in view.sections if section.slug == "tornado")
    rows = {row[0]: row for row in tornado.blocks[-1].table.rows}
    assert rows["reach"][1] == "3-5" and {rows["reach"][3], rows["reach"][6]} <= {"3-5", "4-6", "3-4"}


def test_bands_go_there_and_back_and_names_are_text():
    one = {"name": "<i>%{x}", "x": [1, 2, 4], "y": [0.0, 1.0, 2.0], "low": [-1, 0, 1], "high": [1, 2, 3]}
    data = {"series": [one], "x": "<b>", "y": "pp", "at": 2, "zero": 0.0}
    figure = figure_json(Chart("curves", data, "x."))
    band, line = figure["data"]
    assert band["x"] == [1, 2, 4, 4, 2, 1] and band["y"] == [-1, 0, 1, 3, 2, 1] and band["fill"] == "toself"
    assert line["name"] == "&lt;i&gt;%{x}" and line["hovertemplate"] == "%{text}<extra></extra>"
    assert figure["layout"]["xaxis"]["title"]["text"] == "&lt;b&gt;"
