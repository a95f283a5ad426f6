"""What is compared: which abilities, forbidden for whom, in which cells; what is left out and why."""

from __future__ import annotations

import json

import pytest

from balance.errors import UsageError
from balance.games import get_game
from balance.play.cells import expand
from balance.play.plan import LoadedPlan, load_plan_text
from balance.study.restricted import compare, items_of

GAME = get_game("jump_masters")
HEAD = "game: jump_masters\narenas: [pillars]\npairs: 4\n"
TEAMS = HEAD + "teams: {h: [hopper, burnny], t: [torturn, unni], both: [hopper, torturn]}\n"


def plan(text=TEAMS, *sets):
    return load_plan_text(text, "x.yaml", sets)


def found(comparison):
    """By folder, the matchups that are played."""
    return {variant.folder: list(variant.plan.matchups) for variant in comparison.variants}


def test_an_ability_and_the_power_of_its_hero_are_one_item():
    known = items_of(GAME)
    assert known["power:hopper"] is known["ability:frog_bow"]
    assert known["ability:frog_bow"].heroes == ("hopper",)
    assert known["action:jump"].heroes == () and known["action:jump"].passive is None
    assert known["power:torturn"] is known["ability:stalwart"]
    assert known["ability:stalwart"].passive.parameter == "disabled_abilities"
    assert len({item.name for name, item in known.items() if not name.startswith("action:")}) == 10


def test_each_holder_is_forbidden_it_in_turn_in_the_cells_that_he_plays():
    assert found(compare(plan())) == {
        "ability-fire_step-A": [("h", "t"), ("h", "both")],
        "ability-frog_bow-A": [("h", "t"), ("h", "both")],
        "ability-frog_bow-B": [("h", "both"), ("t", "both")],
        "ability-missile_go-A": [("t", "both")],
        "ability-missile_go-B": [("h", "t")],
        "ability-stalwart-off": [("h", "t"), ("h", "both")],
    }


def test_of_two_equal_players_one_is_forbidden_it():
    comparison = compare(plan(TEAMS + "mirror: true\nmatchups: round_robin\n"), ["ability:frog_bow"])
    assert found(comparison) == {
        "ability-frog_bow-A": [("h", "h"), ("h", "t"), ("h", "both"), ("both", "both")],
        "ability-frog_bow-B": [("h", "both"), ("t", "both")],
    }
    # With agents that differ the two are no longer the same games.
    unlike = plan(TEAMS + "mirror: true\nagents: {A: random, B: greedy}\n")
    played = found(compare(unlike, ["ability:frog_bow"]))
    assert ("h", "h") in played["ability-frog_bow-A"] and ("h", "h") in played["ability-frog_bow-B"]


def test_rotations_of_equal_players():
    text = HEAD + "mode: ffa4\nteams: {a: [hopper], b: [unni]}\nmatchups: [[a, b, a, b], [a, a, b, b]]\n"
    comparison = compare(plan(text), ["ability:frog_bow"])
    assert found(comparison) == {
        "ability-frog_bow-A": [("a", "b", "a", "b"), ("a", "a", "b", "b")],
        "ability-frog_bow-B": [("a", "a", "b", "b")],
    }


def test_variants_share_the_streams_of_the_plan():
    comparison = compare(plan(TEAMS + "mirror: true\nagents: [random, greedy]\n"))
    streams = {(cell.level, cell.teams): cell.stream_key for cell in expand(comparison.baseline)}
    for variant in comparison.variants:
        for cell in expand(variant.plan):
            assert streams[cell.level, cell.teams] == cell.stream_key
    assert len({cell.stream_key for cell in expand(comparison.baseline)}) == 6


def test_only_the_one_player_is_restricted_at_every_level():
    comparison = compare(plan(TEAMS + "agents: [random, greedy]\nrestrict: {B: [action:jump]}\n"))
    variant = next(v for v in comparison.variants if v.folder == "ability-frog_bow-B")
    assert [[agent.restrict for agent in level] for level in variant.plan.levels] == [
        [(), ("ability:frog_bow", "action:jump")]
    ] * 2
    again = LoadedPlan.from_resolved(json.loads(json.dumps(variant.plan.resolved())))
    assert (again.levels, again.config_hash) == (variant.plan.levels, variant.plan.config_hash)


def test_a_passive_is_switched_off_by_the_rules_and_named_as_changed():
    variant = compare(plan(TEAMS, "rules.disabled_abilities=[katula]"), ["ability:stalwart"]).variants[0]
    assert variant.player == -1
    assert variant.plan.ruleset.values["disabled_abilities"] == ["katula", "torturn"]
    direct = plan(TEAMS, "rules.disabled_abilities=[katula, torturn]", "matchups=[[h, t], [h, both]]")
    assert variant.plan.ruleset == direct.ruleset
    assert variant.plan.config_hash == direct.config_hash


def test_drafts_restrict_every_player_everywhere():
    comparison = compare(plan(HEAD + "draft: {format: blind}\n"), ["power:unni", "ability:stalwart"])
    assert found(comparison) == {
        "ability-missile_go-A": [], "ability-missile_go-B": [], "ability-stalwart-off": [],
    }  # fmt: skip
    assert {variant.plan.cells for variant in comparison.variants} == {1}


def test_kinds_of_action_can_be_valued_too():
    comparison = compare(plan(), ["action:jump"])
    assert [variant.plan.cells for variant in comparison.variants] == [3, 3]


def test_what_is_left_out_is_said():
    comparison = compare(plan(HEAD + "teams: {a: [hopper, torturn], b: [unni, torturn]}\n"))
    assert "ability:aura is left out: no roster of this plan holds freeda" in comparison.notes
    assert "ability:stalwart is left out: every matchup has it on both sides" in comparison.notes
    assert [item.name for item in comparison.items] == ["ability:frog_bow", "ability:missile_go"]
    off = compare(plan(TEAMS, "rules.disabled_abilities=[torturn]"))
    assert "ability:stalwart is left out: the plan switches it off" in off.notes


def test_games_of_all_runs():
    comparison = compare(plan(), ["ability:frog_bow"])
    assert comparison.games == 2 * 4 * (3 + 2 + 2)


@pytest.mark.parametrize(
    ("text", "only", "message"),
    [
        (TEAMS, "ability:frogbow", "unknown restriction 'ability:frogbow'"),
        (TEAMS, "power:freeda", "no roster of this plan holds freeda"),
        (TEAMS + "restrict: {A: [power:hopper]}\n", "ability:frog_bow", "forbidden it already"),
        (TEAMS + "agents: [random without=power:hopper]\n", "ability:frog_bow", "forbidden it already"),
        (HEAD + "teams: {a: [torturn], b: [torturn]}\n", "ability:stalwart", "on both sides"),
    ],
)
def test_what_cannot_be_valued_is_refused(text, only, message):
    with pytest.raises(UsageError, match=message) as caught:
        compare(plan(text), [only])
    assert caught.value.exit_code == 2 and caught.value.hint


def test_a_plan_with_nothing_to_value_is_refused():
    with pytest.raises(UsageError, match="nobody in this plan has anything"):
        compare(plan(HEAD + "teams: {a: [torturn], b: [torturn]}\n"))
