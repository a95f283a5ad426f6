"""The page as a file: self-contained, small, complete, and deaf to hostile names."""

import errno
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from balance.errors import EnvironmentFault, RunError
from balance.report.build import build_context, build_view
from balance.report.page import script_json, write_report
from balance.report.summary import headlines, write_summary
from balance.store import write
from balance.store.manifest import Manifest
from tests.report.conftest import HOSTILE
from tests.stats.planted import Truth, manifest_head, planned_cells, planted_run

LIMIT = 2_500_000
SECTIONS = ["verdict", "seats", "heroes", "heroes-arenas", "heroes-skill", "presence", "deeds", "teams"]
SECTIONS += ["arenas", "pace", "drama", "method", "provenance"]
BARE = ["verdict", "seats", "heroes", "teams", "arenas", "pace", "drama", "method"]


def text_of(folder):
    return (folder / "report.html").read_text()


class Reader(HTMLParser):
    """Collects elements, ids and outside addresses."""

    def __init__(self):
        super().__init__()
        self.ids, self.tags, self.addresses, self.figures, self._figures = [], [], [], "", False

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.addresses += [found[name] for name in ("src", "href", "action", "data") if name in found]
        self._figures = found.get("id") == "figures"

    def handle_data(self, data):
        if self._figures:
            self.figures += data

    def handle_endtag(self, tag):
        self._figures = False


def read(folder):
    reader = Reader()
    reader.feed(text_of(folder))
    return reader


@pytest.mark.parametrize("run", ["drafted", "teams", "hostile", "hostile_drafted", "bare"])
def test_page_is_whole_small_and_alone(run, request):
    folder = request.getfixturevalue(run)
    assert (folder / "report.html").stat().st_size < LIMIT
    reader = read(folder)
    assert all(address.startswith(("#", "data:")) for address in reader.addresses)
    assert not re.search(r"@import|url\(", text_of(folder).split("</style>")[0])
    assert len(reader.ids) == len(set(reader.ids))
    assert set(SECTIONS if run != "bare" else BARE) <= set(reader.ids)


@pytest.mark.parametrize("run", ["drafted", "teams", "hostile", "bare"])
def test_every_chart_has_its_place_data_and_table(run, request):
    folder = request.getfixturevalue(run)
    reader = read(folder)
    figures = json.loads(reader.figures)
    assert figures and set(figures) == {slug for slug in reader.ids if slug.startswith("figure-")}
    assert text_of(folder).count('<details class="behind"') >= len(figures)
    assert text_of(folder).count('<p class="caption">') > len(figures)


def test_names_cannot_become_markup(hostile):
    plain, reader = text_of(hostile), read(hostile)
    assert HOSTILE not in plain
    assert reader.tags.count("script") == 3
    assert reader.tags.count("style") == 2
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in plain
    figures = json.dumps(json.loads(reader.figures))
    assert "<script" not in figures and "<b>" not in figures.replace("<extra>", "")


def test_the_same_run_gives_the_same_page(drafted, patched):
    before = text_of(drafted)
    write_report(drafted)
    assert text_of(drafted) == before


def test_the_page_names_assumed_and_changed_numbers(drafted):
    text = text_of(drafted)
    assert "8 hero numbers are assumed" in text
    assert "1 rule is changed" in text
    assert "rules.hill_vp = 3 (shipped: 2)" in text


def test_the_page_names_no_path_of_this_machine(drafted):
    assert str(drafted.parent) not in text_of(drafted)
    assert "balance report drafted" in text_of(drafted)


def test_sections_that_a_run_cannot_carry_say_why(bare, teams):
    text = text_of(bare)
    assert "no heroes" in text and "no board pictures" in text and "record: basic" in text
    assert "This game has no heroes, so there are no teams" in text
    assert "of the 7 differences between its 8 heroes" in text_of(teams)


def table_after(folder, heading):
    """The first table after a heading, as rows of plain cells."""
    part = text_of(folder).split(f"<h3>{heading}</h3>", 1)[1].split("</table>", 1)[0]
    part = re.sub(r'<span class="face[^>]*>[^<]*</span>', "", part)
    rows = re.findall(r"<tr>(.*?)</tr>", part, re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>([^<]*)<", row) for row in rows]


def test_what_playouts_recorded_is_shown_with_intervals(drafted):
    shares = {row[0]: row[1] for row in table_after(drafted, "Sources of points")}
    assert re.fullmatch(r"2\d\.\d % \(2\d\.\d to 2\d\.\d\)", shares["Hill points"])
    kinds = table_after(drafted, "Kinds")
    assert [row[:2] for row in kinds[1:]] == [
        ["Winning point", "none"],
        ["Winning point", "Hill"],
        ["Winning point", "attack"],
        ["Corner", "west"],
        ["Corner", "east"],
    ]
    assert [row[0] for row in table_after(drafted, "Choices in a turn")[1:]] == [
        "All arenas",
        "North",
        "South",
    ]
    abilities = table_after(drafted, "Abilities and their chances")
    assert [row[:2] for row in abilities[1:9]] == [[hero, "greedy"] for hero in "ABCDEFGH"]
    assert 78 < float(abilities[8][3].split()[0]) < 82  # planted: in eight of ten turns
    assert [row[0] for row in table_after(drafted, "When heroes are picked")[1:3]] == ["A", "B"]
    assert [row[0] for row in table_after(drafted, "What a pick is worth")[1:9]] == list("12345678")


def test_what_was_not_recorded_is_left_out_and_said(teams):
    text = text_of(teams)
    for heading in ("Choices in a turn", "Abilities and their chances", "When heroes are picked"):
        assert f"<h3>{heading}</h3>" not in text
    assert "record: full" in text


def test_endings_are_named_in_the_words_of_the_game(drafted):
    assert "Ended by: a win, as it should" in text_of(drafted)
    assert "Ended by: cap" in text_of(drafted)  # the game has no word for it


@pytest.mark.parametrize("seed", [1, 2])
def test_no_advantage_is_told_as_a_bound_and_never_as_a_fact(tmp_path, patched, seed):
    folder = planted_run(tmp_path / "run", Truth(seat=0.0), 200, seed)
    write_summary(folder)
    summary = json.loads((folder / "summary.json").read_text())
    seat, first = summary["seats"][0], summary["seats"][0]["places"][0]
    assert seat["p"] > 0.05
    told = [
        finding
        for finding in summary["findings"]
        if finding["topic"] == "seats" and "is nearest to even" not in finding["text"]
    ]
    word, end = ("advantage", first["high"]) if first["value"] >= 0.5 else ("disadvantage", first["low"])
    assert len(told) == 1 and told[0]["tag"] == "not shown"
    assert told[0]["text"].startswith(f"No first-seat {word} larger than {100 * abs(end - 0.5):.1f} pp found")


def test_an_advantage_of_lower_skill_only_is_told_beside_the_bound(tmp_path, patched):
    from balance.report import findings
    from balance.report.build import build_context
    from balance.stats.estimate import interval

    folder = planted_run(tmp_path / "run", Truth(levels=("random", "greedy"), scale=(1.0, 1.0)), 100)
    context = build_context(folder)

    def seat(place, value, se, p):
        score = interval(value, se, 100, "as planted")
        return replace(context.analysis.seats[place], places=(score, score), p=p)

    for greedy, tag in ((seat(1, 0.501, 0.002, 0.6), "skill-dependent"), (seat(1, 0.51, 0.02, 0.6), "open")):
        seats = (seat(0, 0.53, 0.005, 0.001), greedy)
        told = list(findings._seats(replace(context, analysis=replace(context.analysis, seats=seats))))
        assert told[0].text.startswith(
            "Moving first is an advantage at random play: the first seat scores 53.0 %"
        )
        assert told[0].tag == (tag if tag != "open" else "open: not clear at greedy play")
        assert told[1].text.startswith("No first-seat advantage larger than") and told[1].sure == 0


def test_an_unfinished_run_is_reported_as_such(tmp_path, patched):
    folder = planted_run(tmp_path / "run", Truth(), 200)
    manifest = Manifest(folder, json.loads((folder / "manifest.json").read_text()))
    data = manifest.head
    data |= {"digest": None, "complete": False, "parts": data["parts"][:1]}
    (folder / "manifest.json").write_text(json.dumps(data))
    write_report(folder)
    assert "This run is not complete: 200 of 400 pairs" in text_of(folder)
    assert "balance resume run" in text_of(folder)


def test_a_run_without_games_is_refused(tmp_path):
    truth = Truth()
    Manifest(tmp_path, manifest_head(truth, planned_cells(truth, 5), 1)).write()
    with pytest.raises(RunError, match="no games yet"):
        write_report(tmp_path)
    assert not (tmp_path / "report.html").exists()


def test_no_run_is_refused(tmp_path):
    with pytest.raises(RunError):
        write_report(tmp_path / "nothing")


def test_rows_that_are_damaged_inside_are_refused(tmp_path, patched):
    folder = planted_run(tmp_path / "run", Truth(), 200)
    part = next((folder / "games").glob("*.parquet"))
    content = bytearray(part.read_bytes())
    content[60:-60] = bytes(len(content) - 120)
    part.write_bytes(bytes(content))
    with pytest.raises(EnvironmentFault, match="has changed since") as caught:
        write_report(folder)
    assert "balance resume" in caught.value.hint


def test_one_changed_byte_is_noticed(tmp_path, patched):
    folder = planted_run(tmp_path / "run", Truth(), 200)
    part = next((folder / "heroes").glob("*.parquet"))
    content = bytearray(part.read_bytes())
    content[300] ^= 1
    part.write_bytes(bytes(content))
    with pytest.raises(EnvironmentFault, match="has changed since"):
        write_report(folder)


def test_marks_that_turn_numbers_round_are_left_out_of_names(hostile_drafted):
    assert "evil" in text_of(hostile_drafted) and "\u202e" not in text_of(hostile_drafted)


def test_a_single_pair_is_too_few_to_say_anything_of_seats(tmp_path, patched):
    folder = planted_run(tmp_path / "run", Truth(arena={"north": 0.0}), 1)
    write_report(folder)
    told = build_view(build_context(folder)).findings
    assert any("too few to say whether moving first matters" in finding.text for finding in told)
    assert not any("larger than 50" in finding.text for finding in told)


def test_json_in_a_script_cannot_end_it():
    text = script_json({"a": "</script><!--&\u2028"})
    assert "<" not in text and ">" not in text and "\u2028" not in text
    assert json.loads(text) == {"a": "</script><!--&\u2028"}


def test_headlines_are_three_plain_lines(drafted):
    lines = headlines(drafted)
    assert len(lines) == 3
    assert lines[0].startswith(("A is strong: +", "H is weak: \u2212"))
    assert "moving first" in " ".join(lines).lower()
    assert all("<" not in line and "\n" not in line for line in lines)


def test_headlines_of_other_rows_are_made_anew(tmp_path, patched):
    folder = planted_run(tmp_path / "run", Truth(), 300)
    write_summary(folder)
    summary = json.loads((folder / "summary.json").read_text())
    summary |= {"headlines": ["old"], "digest": "another"}
    (folder / "summary.json").write_text(json.dumps(summary))
    assert headlines(folder) != ["old"]


def test_summary_holds_the_numbers_of_the_page(drafted):
    summary = json.loads((drafted / "summary.json").read_text())
    top = summary["strengths"][1]["heroes"][0]
    assert top["hero"] == "a"
    value = f"{100 * top['effect']['value']:+.1f} pp"
    assert value in text_of(drafted) and value in (drafted / "summary.md").read_text()
    assert summary["games"] == 4800 and summary["pairs"] == 2400


def test_markdown_takes_hostile_names_as_text(hostile):
    text = (hostile / "summary.md").read_text()
    assert "<script" not in text
    assert "A\\|b\\`\\*" in text


def test_a_full_disk_says_how_to_go_on(bare, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(write, "write_atomic", full)
    with pytest.raises(EnvironmentFault, match="disk is full") as caught:
        write_report(bare)
    assert "balance report" in caught.value.hint
