"""A ladder's page, summary and terminal text: whole, in plain words, and the same numbers everywhere."""

import json
import re

import pytest

from balance.cli.app import run_app
from balance.report.ladder import holds_ladder, ladder_headlines, write_ladder
from balance.report.ladder_words import bound, seconds, short_names
from balance.report.page import write_report
from balance.report.summary import headlines
from balance.study.ladder import Claim
from tests.report.test_page import LIMIT, read, text_of

SECTIONS = ["verdict", "strength", "contests", "steps", "by-arena", "pace", "method", "provenance"]


@pytest.fixture(scope="module")
def data(ladder):
    return json.loads((ladder / "ladder.json").read_text())


@pytest.mark.parametrize("run", ["ladder", "torn"])
def test_page_is_whole_small_and_alone(run, request):
    folder = request.getfixturevalue(run)
    reader = read(folder)
    assert (folder / "report.html").stat().st_size < LIMIT
    assert all(address.startswith(("#", "data:")) for address in reader.addresses)
    assert len(reader.ids) == len(set(reader.ids))
    assert set(SECTIONS) <= set(reader.ids)
    assert "seats" not in reader.ids and "heroes" not in reader.ids
    figures = json.loads(reader.figures)
    assert len(figures) == 4
    assert text_of(folder).count('<details class="behind"') == 4


def test_the_same_rows_give_the_same_files(ladder):
    before = {path.name: path.read_bytes() for path in ladder.glob("*.*")}
    write_report(ladder)  # what was required and measured is kept
    assert {path.name: path.read_bytes() for path in ladder.glob("*.*")} == before
    assert not (ladder / "summary.json").exists()


def test_findings_name_requirements_and_steps(ladder, data):
    lines = data["headlines"]
    assert re.fullmatch(r"greedy beats random at least 60 %: holds, lower bound \d\d\.\d %\.", lines[0])
    assert re.fullmatch(
        r"greedy:0.3 beats greedy:0.6 at least 99 %: does not hold, lower bound \d\d\.\d %\.", lines[1]
    )
    assert re.fullmatch(
        r"greedy beats greedy:0.3: \d\d\.\d % \(\d\d\.\d to \d\d\.\d\), at least \d\d\.\d %; 960 pairs\.",
        lines[4],
    )
    assert len(lines) == 5
    text = text_of(ladder)
    assert all(line in text for line in lines)
    assert headlines(ladder) == ladder_headlines(ladder) == lines


def test_the_numbers_of_the_file_are_those_of_the_rows(data):
    assert (data["agents"], data["unit"], data["complete"]) == (
        ["random", "greedy:0.6", "greedy:0.3", "greedy:0.05"],
        "pairs",
        True,
    )
    assert (data["pairs"], data["games"], len(data["encounters"])) == (6 * 960, 12 * 960, 6)
    assert [one["holds"] for one in data["required"]] == [True, False]
    assert [one["agent"] for one in data["measured"]] == data["agents"]
    met = data["encounters"][-1]
    assert met["share"]["lower"] < met["share"]["estimate"]["value"] < met["share"]["upper"]
    assert met["share"]["estimate"]["n"] == 960


def test_time_is_nowhere_but_beside_the_rows(ladder, data):
    assert "seconds" not in (ladder / "manifest.json").read_text()
    assert data["digest"] == json.loads((ladder / "manifest.json").read_text())["digest"]


def test_hovering_over_the_matrix_tells_sample_and_bound(ladder):
    figures = json.loads(read(ladder).figures)
    matrix = figures["figure-2"]["data"][0]
    assert re.fullmatch(r"greedy / random: .* %.*at least .* %, 960 pairs", matrix["hovertext"][0][3])
    assert matrix["hovertext"][0][0].endswith("have not met")
    assert matrix["z"][0][3] + matrix["z"][3][0] == pytest.approx(100)


def test_torn_ladders_say_so(torn):
    text = text_of(torn)
    assert "This ladder is not complete" in text and "balance resume torn" in text
    assert "their strengths have no finite estimate" in text
    assert "Groups: random, greedy:0.6 and greedy:0.3; greedy." in text
    assert "greedy won all" in text
    assert "one seat against the rest" in text and "rotations" in text
    assert "cost of the agents was not measured" in text


def test_the_plan_in_the_page_plays_the_same_ladder(ladder, tmp_path):
    from html import unescape

    from balance.play.ladder import load_ladder_text

    (plan,) = re.findall(r"<pre[^>]*>(.*?)</pre>", text_of(ladder), re.S)
    stored = json.loads((ladder / "manifest.json").read_text())
    assert load_ladder_text(unescape(plan)).config_hash == stored["config_hash"]
    assert "balance ladder plan.yaml -o ladder-again" in text_of(ladder)


def test_show_prints_the_ladder(ladder, data, capsys):
    assert run_app(["show", str(ladder)]) == 0
    out = capsys.readouterr().out
    assert "WHO BEATS WHOM" in out and "HERO STRENGTH" not in out and "seat advantage" not in out
    assert data["headlines"][2][:30] in out
    assert run_app(["show", str(ladder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == data


def test_claims_on_agents_of_another_ladder_are_dropped(ladder, tmp_path):
    assert holds_ladder(ladder)
    context, _ = write_ladder(ladder, [Claim("mcts:64", "random", 0.5)], page=False)
    assert context.claims == ()
    claims = [Claim("greedy:0.05", "random", 0.6), Claim("greedy:0.3", "greedy:0.6", 0.99)]
    write_ladder(ladder, claims, page=False)


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["random", "greedy:0.05"], ["random", "greedy"]),
        (["greedy:0.05", "greedy:0.3"], ["greedy", "greedy:0.3"]),
        (["mcts:256", "mcts:64 depth=2"], ["mcts:256", "mcts:64"]),
        (["mcts:64", "mcts:64 depth=2"], ["mcts:64", "mcts:64 depth=2"]),
        (["mcts:64 depth=2", "mcts:64 depth=3"], ["mcts:64 depth=2", "mcts:64 depth=3"]),
        (["greedy:0.05", "greedy:0.05 horizon=ply"], ["greedy:0.05", "greedy:0.05 horizon=ply"]),
    ],
)
def test_short_names_are_never_alike(labels, names):
    found = short_names(labels)
    assert len(set(found.values())) == len(labels)
    assert [found[label] for label in labels] == names


def test_bounds_are_cut_and_times_have_units():
    assert [bound(0.5999999), bound(0.6), bound(0.63449)] == ["59.9 %", "60.0 %", "63.4 %"]
    times = [seconds(value) for value in (3.41, 0.0123, 4.1e-7, 0.0, 250.0)]
    assert times == ["3.41 s", "12.3 ms", "0.41 \u00b5s", "0.00 \u00b5s", "250 s"]
