"""What stands under and beside a finding: assumed numbers, arenas, opponents, the way to its section."""

from dataclasses import replace

import pytest

from balance.report.assumed import MOST, arena_numbers, hero_numbers, rests_on, team_numbers
from balance.report.build import build_context, build_view
from balance.report.fairest import fairest_arena
from balance.report.findings import _first_by_arena, _hardest, findings
from balance.report.needs import hero_need, need
from balance.stats.estimate import interval


@pytest.fixture(scope="module")
def context(drafted):
    return build_context(drafted)


@pytest.fixture(scope="module")
def rosters(teams):
    return build_context(teams)


def scored(value, se=0.005):
    return interval(value, se, 1000, "as planted")


def in_arenas(context, *values):
    """The same run with other scores of the first seat by arena, at every level."""
    arenas = context.analysis.design.arenas
    by_arena = dict(zip(arenas, map(scored, values), strict=True))
    seats = tuple(replace(seat, by_arena=by_arena) for seat in context.analysis.seats)
    return replace(context, analysis=replace(context.analysis, seats=seats))


def test_every_finding_points_to_a_section_that_is_there(drafted, teams):
    for folder in (drafted, teams):
        view = build_view(build_context(folder))
        slugs = {section.slug for section in view.sections}
        assert view.findings and all(finding.section in slugs for finding in view.findings)


def test_hero_findings_name_the_numbers_nobody_printed(context):
    told = [finding for finding in findings(context) if finding.topic == "heroes" and finding.sure]
    assert told
    for finding in told:
        assert finding.rests.startswith("Rests on assumed numbers: ")
        assert f"{finding.text.split()[0]}'s maximum 4" in finding.rests


def test_printed_numbers_are_not_called_assumed(context):
    printed = replace(context, manifest={**context.manifest, "assumed": []})
    assert hero_numbers(printed, ["a"]) == [] == arena_numbers(printed, ["north"])
    assert rests_on([]) == ""
    assert all(not finding.rests for finding in findings(printed))


def test_many_numbers_are_cut():
    text = rests_on([f"n{number}" for number in range(MOST + 3)])
    assert text == "Rests on assumed numbers: n0, n1, n2, n3 and 3 more."


def test_maps_and_teams_are_named(context):
    paths = [{"path": f"arenas.{arena}", "value": "...", "source": "assumed"} for arena in ("north", "south")]
    maps = replace(context, manifest={**context.manifest, "assumed": paths})
    assert arena_numbers(maps, ["north"]) == ["the map of North"]
    assert arena_numbers(maps, ["north", "south"]) == ["the maps of North and South"]
    plan = {"plan": {"rosters": {"x": ["a", "b"], "y": ["b", "c"]}}}
    held = replace(context, manifest={**context.manifest, **plan})
    assert [text.split("'")[0] for text in team_numbers(held, "x + y")] == ["A", "B", "C"]


def test_the_arena_that_favours_the_first_seat_is_named_with_the_others(context):
    (found,) = _first_by_arena(in_arenas(context, 0.60, 0.53))
    assert found.text.startswith("North favours the first seat most: it scores 60.0 %")
    assert found.text.endswith("beyond noise also South (53.0 %).") and found.tag == "robust"
    (alone,) = _first_by_arena(in_arenas(context, 0.50, 0.40))
    assert alone.text.startswith("South is worst for the first seat")
    assert "nowhere else" in alone.text
    assert list(_first_by_arena(in_arenas(context, 0.50, 0.50))) == []


def test_the_arena_nearest_to_even_is_named_with_those_shown_to_be_farther(context):
    (found,) = fairest_arena(in_arenas(context, 0.60, 0.51))
    assert found.text.startswith("South is nearest to even: the first seat scores 51.0 %")
    assert found.text.endswith("North (60.0 %) is shown to be farther.") and not found.tag
    (alike,) = fairest_arena(in_arenas(context, 0.49, 0.505))
    assert "the other is not shown to be farther" in alike.text and alike.tag == "not shown"
    assert not alike.sure


def test_ranges_and_deep_numbers_are_named_and_the_rest_is_counted(context):
    paths = {
        "spells.leap.range": [1, 3],
        "spells.hit.range": [2, 2],
        "hp": 12,
        "spells.hit.target": "fighter",
    }
    assumed = [{"path": f"heroes.a.{path}", "value": value} for path, value in paths.items()]
    held = replace(context, manifest={**context.manifest, "assumed": assumed})
    assert hero_numbers(held, ["a"]) == ["A's leap range 1-3, hit range 2, hp 12 and 1 more"]


def test_the_best_team_says_whom_it_loses_to(rosters):
    table = rosters.analysis.teams[-1]
    one, two, three = (team.team for team in table.teams)

    def said(against_two, against_three):
        met = {(one, two): scored(against_two), (one, three): scored(against_three)}
        return _hardest(rosters, replace(table, matchups=met), one)

    assert said(0.4, 0.8).startswith(f"It loses to {rosters.team(two)}: 40.0 %")
    assert said(0.7, 0.6).startswith(f"It loses to nobody; {rosters.team(three)} is hardest: 60.0 %")
    assert said(0.501, 0.8).startswith(f"Its hardest opponent is {rosters.team(two)}: 50.1 %")
    assert _hardest(rosters, replace(table, matchups={}), one) == ""


def test_wide_intervals_say_what_would_narrow_them(context):
    assert need(context, "Strengths", 0.01) == "" == need(context, "Strengths", 0.0)
    text = need(context, "Strengths", 0.02)
    planned = 4 * 600 * 2  # cells, pairs, seatings
    assert (
        f"you have {planned:,}" in text
        and f"`balance run plan.yaml --games {4 * planned // 1000 + 1}" in text
    )
    looked = replace(context, manifest={**context.manifest, "looks": [{}]})
    assert "--until-ci 1pp" in need(looked, "Strengths", 0.02)
    assert hero_need(context).startswith("Strengths here are known to")
