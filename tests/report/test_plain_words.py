"""What a first reader asked for: doubt in words, changes by name, and what would show more."""

import json
from dataclasses import replace

import pytest

from balance.report.build import build_context, build_view
from balance.report.findings import _seats, cut_findings
from balance.report.page import with_code
from balance.report.sections_method import agent_lines, method_section, notices
from balance.report.sections_play import _arenas_text
from balance.report.sections_teams import teams_section
from balance.report.summary import escape
from balance.report.terminal import as_text
from balance.stats.estimate import holm, interval, p_against
from balance.stats.seats import arena_tests


@pytest.fixture(scope="module")
def context(drafted, patched):
    return build_context(drafted)


def scored(value, se=0.005, n=1000):
    return interval(value, se, n, "as planted")


def with_seats(context, *values, p=0.08):
    """The context with first-seat scores by level, the highest last."""
    seats = [
        replace(seat, places=(scored(value), scored(1 - value)), p=p)
        for seat, value in zip(context.analysis.seats, values, strict=True)
    ]
    return replace(context, analysis=replace(context.analysis, seats=tuple(seats)))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.511, "Moving first may be a slight advantage: 51.1 % (50.1 to 52.1) at greedy play"),
        (0.489, "Moving first may be a slight disadvantage: 48.9 % (47.9 to 49.9) at greedy play"),
        (0.57, "Moving first may be an advantage: 57.0 %"),
    ],
)
def test_an_interval_without_even_that_is_not_significant_is_told_as_doubt(context, value, words):
    (told,) = _seats(with_seats(context, 0.5, value))
    assert told.text.startswith(words)
    assert "not certain once 2 skill levels are allowed for (p = .080)" in told.text
    assert told.tag == "" and told.sure == 0


def test_an_interval_with_even_is_told_as_a_bound(context):
    (told,) = _seats(with_seats(context, 0.5, 0.505))
    assert told.text.startswith("No first-seat advantage larger than 1.5 pp found at greedy play")
    assert told.tag == "not shown"


def changed(n, **more):
    return [{"path": f"heroes.h{k}.maximum", "value": 6, "shipped": 4} | more for k in range(n)]


def bar(context, **manifest):
    found = notices(replace(context, manifest={**context.manifest, "assumed": [], "changed": [], **manifest}))
    return found[0].text if found else ""


def test_changes_are_named_in_the_closed_bar_and_in_the_terminal(context, drafted):
    assert "Changed: rules.hill_vp 2 -> 3. 1 rule is changed" in as_text(build_view(context))
    assert "Changed: rules.hill_vp 2 -> 3. 1 rule is changed" in (drafted / "summary.md").read_text()
    assert "<summary>Changed: rules.hill_vp 2 -&gt; 3." in (drafted / "report.html").read_text()


def test_many_changes_are_cut_after_five(context):
    text = bar(context, changed=changed(7))
    assert text.startswith("Changed: heroes.h0.maximum 4 -> 6, heroes.h1.maximum 4 -> 6, ")
    assert "heroes.h4.maximum 4 -> 6, + 2 more. 7 hero numbers" in text and "h5" not in text
    assert "more" not in bar(context, changed=changed(5))


@pytest.mark.parametrize("value", [[1, 2], "#..\n..#", {"a": 1}])
def test_a_change_that_is_no_short_number_is_named_by_its_path(context, value):
    assert bar(context, changed=changed(1, value=value)).startswith("Changed: heroes.h0.maximum. 1 hero")


def test_arenas_are_assumed_only_where_they_were_played(context):
    numbers = [{"path": f"arenas.{arena}"} for arena in ("north", "south", "unplayed")]
    plan = {"ruleset": {"numbers": numbers}}
    told = bar(context, assumed=numbers, plan=plan)
    assert told == "All 2 arena maps played here are assumed: nobody printed them."
    assert bar(context, assumed=numbers[1:], plan=plan).startswith("1 arena map played here is assumed")
    assert bar(context, assumed=numbers[2:], plan=plan) == ""


def test_the_header_counts_heroes_that_played(context):
    nobody = replace(context.analysis.usage[0].presence["a"], value=0.0)
    usage = tuple(replace(use, presence={**use.presence, "a": nobody}) for use in context.analysis.usage)
    left_out = replace(context, analysis=replace(context.analysis, usage=usage))
    assert dict(build_view(context).facts)["Heroes"] == "8"
    assert dict(build_view(left_out).facts)["Heroes"] == "7"


def arenas_told(context, **values):
    seat = replace(context.analysis.seats[-1], by_arena={k: scored(v) for k, v in values.items()})
    return _arenas_text(context, seat, 0.5)


def test_the_seats_section_says_which_arenas_favour_the_first_seat(context):
    assert arenas_told(context, north=0.53, south=0.5) == (
        "At greedy play, beyond noise, North at 53.0 % (52.0 to 54.0) favours the first seat."
    )
    both = arenas_told(context, north=0.53, south=0.47)
    assert "favours the first seat and South at 47.0 % (46.0 to 48.0) puts the first seat at a dis" in both
    assert arenas_told(context, north=0.505, south=0.492) == (
        "At greedy play no arena differs from even beyond noise; "
        "the widest is South at 49.2 % (48.2 to 50.2)."
    )
    assert arenas_told(context, north=0.53) == ""


def test_arenas_are_tested_together(context):
    seat = replace(context.analysis.seats[-1], by_arena={"north": scored(0.511), "south": scored(0.509)})
    wanted = holm([p_against(first, 0.5) for first in seat.by_arena.values()])
    assert list(arena_tests(seat, 0.5).values()) == list(wanted)
    assert p_against(scored(0.511), 0.5) < 0.05  # alone it would have been told, of two it is not
    assert "no arena differs" in arenas_told(context, north=0.511, south=0.5)


def test_the_method_says_what_halves_the_intervals_and_who_played(context):
    seen, agents = method_section(context).blocks[:2]
    # 4,800 games were planned: 600 pairs in 2 arenas at 2 levels, twice each.
    assert "four times as many games: `--games 19200`" in seen.text
    assert agents.text.startswith("random: ") and "\ngreedy:0.05: " in agents.text
    assert "In 5 % of its turns it plays at random instead." in agents.text


def test_greedy_that_looks_one_action_ahead_is_not_said_to_look_through_turns(context):
    ply = {"plan": {"ruleset": {"agents": {"greedy": {"horizon": "ply"}}}}}
    (found,) = agent_lines("random greedy:0.1", ply)
    assert "takes the best of its single actions" in found.text and "In 10 % of its decisions" in found.text
    (told,) = agent_lines("greedy:0 greedy:0.2 horizon=ply", {})
    assert "greedy:0: looks through the ends of its own turn" in told.text
    assert "greedy:0.2: takes the best of its single actions" in told.text


def test_findings_that_were_cut_are_counted(context):
    table = context.analysis.strengths[-1]
    heroes = tuple(
        replace(hero, p=0.001, effect=interval(0.1 if k < 5 else -0.1, 0.01, 100, "as planted"))
        for k, hero in enumerate(table.heroes)
    )
    strengths = (*context.analysis.strengths[:-1], replace(table, heroes=heroes))
    interactions = tuple(
        replace(found, heroes=tuple(replace(e, p=1.0) for e in found.heroes))
        for found in context.analysis.interactions
    )
    analysis = replace(context.analysis, strengths=strengths, interactions=interactions)
    many = replace(context, analysis=analysis)
    assert cut_findings(many) == "2 more in Hero strength."
    view = build_view(many)
    assert view.more in as_text(view)
    few = tuple(replace(hero, p=1.0) for hero in heroes)
    none = replace(many.analysis, strengths=(*strengths[:-1], replace(table, heroes=few)))
    assert cut_findings(replace(context, analysis=none)) == ""


def test_what_is_to_be_typed_is_marked_and_nothing_else(drafted, bare):
    text = "a plan with `record: full` <b> `x`"
    assert with_code(text) == "a plan with <code>record: full</code> &lt;b&gt; `x`"
    assert escape(text) == "a plan with `record: full` &lt;b> \\`x\\`"
    for folder in (drafted, bare):
        assert "`" not in (folder / "report.html").read_text().split("<main")[1].split("</main>")[0]


def test_a_drafted_run_names_the_plan_that_shows_teams(context, teams, bare, patched):
    assert any("`teams: recommended`" in text for text in teams_section(context).refusal)
    for folder in (teams, bare):
        refusal = teams_section(build_context(folder)).refusal
        assert not any("recommended" in text for text in refusal)


def test_the_page_says_what_pp_is(drafted):
    assert "pp: percentage points" in (drafted / "report.html").read_text()
    assert json.loads((drafted / "summary.json").read_text())["findings"]
