"""Ladders whose truth is planted, through the real run machinery."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from balance.errors import ConfigError, UsageError
from balance.play.executors.threads import Threads
from balance.play.ladder import arrangements, is_ladder
from balance.play.plan import LoadedPlan, load_plan_text
from balance.play.resume import resume
from balance.play.run import Interrupted, run
from balance.play.verify import verify
from balance.store.read import open_run
from balance.study.costs import measure
from balance.study.ladder import BEHIND, OPEN, check_claims, meetings_of, read_claim
from tests.play.fakes import Shuffled, content
from tests.study.ladders import (
    AGENTS,
    DUEL,
    STRENGTHS,
    TEAMS,
    PlantedKernel,
    numbers,
    planned,
    played,
    true_share,
)

LABELS = tuple(STRENGTHS)
FFA = DUEL.replace("{game: jump_masters", "{game: jump_masters, mode: MODE").replace(
    TEAMS, "teams: recommended"
)


@pytest.fixture(scope="module")
def duel(tmp_path_factory):
    return numbers(played(tmp_path_factory.mktemp("ladder") / "duel"))


def bad(text, **options):
    with pytest.raises(ConfigError) as found:
        planned(text, **options)
    (problem,) = found.value.problems
    return problem


# ---- the plan


def test_every_two_agents_meet_in_every_cell():
    plan = planned()
    assert plan.ladder == LABELS
    assert len(plan.levels) == 6
    assert [[agent.label for agent in level] for level in plan.levels][0] == ["greedy:0.6", "random"]
    assert plan.cells == 6 * 2 * 6 and plan.games == plan.cells * 80 * 2


def test_neighbours_only():
    levels = [[agent.label for agent in level] for level in planned(neighbours=True).levels]
    assert levels == [["greedy:0.6", "random"], ["greedy:0.3", "greedy:0.6"], ["greedy:0.05", "greedy:0.3"]]


def test_each_agent_gets_each_team_also_where_the_plan_lists_matchups():
    listed = DUEL.replace("pairs", "matchups: [[starters, big_hitters]], pairs")
    assert planned(listed).matchups == (("starters", "big_hitters"), ("big_hitters", "starters"))


def test_teams_move_as_seatings_move_players():
    modes = {mode.name: mode for mode in planned().game.modes}
    assert arrangements([("p", "q", "r")], modes["ffa3"]) == (
        ("p", "q", "r"),
        ("r", "p", "q"),
        ("q", "r", "p"),
    )
    assert arrangements([("p", "q", "r", "s")], modes["team"]) == (("p", "q", "r", "s"), ("q", "p", "s", "r"))
    assert arrangements([("p", "p")], modes["duel"]) == (("p", "p"),)


def test_games_are_those_of_the_ladder():
    assert planned(games=1000).plan.pairs == 7  # 72 cells of 2 games each: 6.9 pairs


def test_the_stored_plan_is_the_same_ladder():
    plan = planned()
    again = LoadedPlan.from_resolved(json.loads(json.dumps(plan.resolved())))
    assert again.config_hash == plan.config_hash and again.ladder == LABELS
    assert again.levels == plan.levels
    assert "ladder" not in load_plan_text(DUEL).resolved()


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        ("[greedy]", "a ladder needs at least two agents; the plan names one"),
        ("{A: greedy, B: random}", "a ladder needs a list of agents"),
        ("[greedy, random, greedy]", "the agent greedy:0.05 stands twice"),
        ("[greedy, greedy:0.05]", "the agent greedy:0.05 stands twice"),
        ("[]", "names no agent"),
        ("[gredy, random]", "unknown agent"),
        ("[random, 'mcts:0']", "must be a whole number from 1"),
    ],
)
def test_agents_that_form_no_ladder(agents, message):
    problem = bad(DUEL.replace(AGENTS, f"agents: {agents}"))
    assert message in problem.message
    assert problem.file == "ladder.yaml" and problem.line == 1 and problem.column > 1


def test_restrictions_belong_to_agents():
    problem = bad(DUEL.replace("pairs", "restrict: {A: [action:step]}, pairs"))
    assert "restrict changes the agent of a seat" in problem.message


def test_too_many_parts():
    assert "are the most" in bad(DUEL.replace("pairs: 80", "pairs: 80000, part_pairs: 10")).message


# ---- results


def test_planted_strengths_come_back(duel):
    mean = sum(STRENGTHS.values()) / 4
    for one, (label, true) in zip(duel.scale.strengths, STRENGTHS.items(), strict=True):
        assert duel.agents[one.agent] == label
        assert abs(one.estimate.value - (true - mean)) < 4 * one.estimate.se
        assert 0.01 < one.estimate.se < 0.05
    assert duel.scale.ties[0] == pytest.approx(0.2, abs=0.04)


def test_planted_shares_come_back(duel):
    assert len(duel.encounters) == 6
    for met in duel.encounters:
        true = true_share(STRENGTHS[met.one] - STRENGTHS[met.other])
        assert met.pairs == 2 * 6 * 80 and met.games == 2 * met.pairs
        assert abs(met.share.estimate.value - true) < 4 * met.share.estimate.se
        assert met.share.lower < met.share.estimate.value
        assert met.fitted == pytest.approx(true, abs=0.02)
        assert set(met.arenas) == {"pillars", "mill"}
        assert (met.turns.value, met.plies.value) == (pytest.approx(24, abs=0.2), 50)
        assert 0.02 < met.draws.estimate.value < 0.15


def test_steps_stand_from_below(duel):
    assert [(step.other, step.one) for step in duel.steps()] == list(zip(LABELS, LABELS[1:], strict=False))
    assert {step.verdict for step in duel.steps()} == {"ahead"}


def test_listing_the_agents_the_other_way_mirrors_the_numbers(duel, tmp_path):
    back = DUEL.replace(AGENTS, "agents: [greedy, greedy:0.3, greedy:0.6, random]")
    other = numbers(played(tmp_path / "run", back))
    assert {step.verdict for step in other.steps()} == {BEHIND}
    for met in duel.encounters:
        turned = other.between(met.one, met.other)
        assert (turned.one, turned.other) == (met.other, met.one)
        error = (met.share.estimate.se**2 + turned.share.estimate.se**2) ** 0.5
        assert abs(met.share.estimate.value + turned.share.estimate.value - 1) < 4 * error


@pytest.mark.parametrize(("mode", "sides"), [("ffa3", 3), ("ffa4", 4), ("team", 2)])
def test_equal_agents_have_one_half_in_every_mode(mode, sides, tmp_path):
    equal = PlantedKernel(dict.fromkeys(STRENGTHS, 0.0))
    found = numbers(played(tmp_path / "run", FFA.replace("MODE", mode), equal))
    for met in found.encounters:
        assert abs(met.share.estimate.value - 0.5) < 4 * met.share.estimate.se
        assert met.games == met.pairs * {"ffa3": 6, "ffa4": 8, "team": 2}[mode]


def test_with_three_seats_the_better_one_wins_more_than_its_seats(tmp_path):
    found = numbers(played(tmp_path / "run", FFA.replace("MODE", "ffa3")))
    assert found.unit == "rotations"
    for met in found.encounters:
        one, other = (2.718281828 ** STRENGTHS[label] for label in (met.one, met.other))
        true = (one / (one + 2 * other) + 2 * one / (2 * one + other)) / 2
        assert abs(met.share.estimate.value - true) < 4 * met.share.estimate.se
    values = [one.estimate.value for one in found.scale.strengths]
    assert values == sorted(values)


def test_drafted_rosters(tmp_path):
    drafted = DUEL.replace(TEAMS, "draft: {format: blind}").replace("pairs: 80", "pairs: 400")
    found = numbers(played(tmp_path / "run", drafted))
    met = found.between("greedy:0.05", "random")
    assert met.pairs == 800
    assert abs(met.share.estimate.value - true_share(2.5)) < 4 * met.share.estimate.se


def test_an_agent_that_always_wins_has_a_bound_and_no_strength(tmp_path):
    strengths = {**STRENGTHS, "greedy:0.05": 500.0}
    found = numbers(played(tmp_path / "run", kernel=PlantedKernel(strengths, ties=0.0)))
    met = found.between("greedy:0.05", "random")
    assert (met.unanimous, met.share.estimate.value) == ("won", 1.0)
    assert met.share.lower == pytest.approx(960 / (960 + 1.6448536**2), abs=1e-6)
    assert [one.group for one in found.scale.strengths] == [0, 0, 0, 1]
    assert found.scale.strengths[3].estimate is None


def test_few_pairs_of_equals_are_not_told_apart(tmp_path):
    text = DUEL.replace("pairs: 80", "pairs: 1").replace("arenas: [pillars, mill]", "arenas: [mill]")
    found = numbers(played(tmp_path / "run", text, PlantedKernel(dict.fromkeys(STRENGTHS, 0.0))))
    assert OPEN in {met.verdict for met in found.encounters}
    assert all(met.share.lower > 0 for met in found.encounters)


# ---- identity


def test_workers_and_order_change_nothing(tmp_path):
    played(tmp_path / "one")
    for name, executor in {"two": Threads(2), "any": Shuffled(4)}.items():
        played(tmp_path / name, executor=executor)
        assert content(tmp_path / "one") == content(tmp_path / name)


class Stopping(PlantedKernel):
    """Stops its worker's run after some parts, as a signal does."""

    def play_part(self, *arguments):
        if len(self.played) == 30:
            raise KeyboardInterrupt
        return super().play_part(*arguments)


def test_interrupted_and_resumed(tmp_path):
    played(tmp_path / "whole")
    with pytest.raises(Interrupted) as stopped:
        played(tmp_path / "run", kernel=Stopping())
    assert "balance resume" in stopped.value.hint
    part = numbers(tmp_path / "run")  # what is there can be looked at
    assert 0 < len(part.encounters) < 6
    resume(tmp_path / "run", Threads(2), kernel=PlantedKernel())
    assert content(tmp_path / "run") == content(tmp_path / "whole")
    assert verify(tmp_path / "run", Threads(1), kernel=PlantedKernel()).differences == ()


def test_a_level_without_its_partner_does_not_count(tmp_path):
    """Three seats: one against the rest was played, the rest against one was not yet."""
    text = FFA.replace("MODE", "ffa3").replace(AGENTS, "agents: [random, greedy]")
    folder = played(tmp_path / "run", text)
    whole = open_run(folder)
    half = [part for part in whole.manifest["parts"] if whole.manifest["cells"][part["cell"]]["level"] == 0]
    from balance.study.ladder import ladder_of

    assert ladder_of(replace(whole, manifest={**whole.manifest, "parts": half})).encounters == ()


def test_a_run_of_the_same_plan_is_no_ladder(tmp_path):
    run(load_plan_text(DUEL), tmp_path / "run", Threads(1), kernel=PlantedKernel())
    assert not is_ladder(open_run(tmp_path / "run").manifest)
    with pytest.raises(UsageError, match="holds another run"):
        played(tmp_path / "run")


# ---- requirements


MEETINGS = meetings_of(
    [("random", "greedy:0.6"), ("greedy:0.6", "greedy:0.05"), ("mcts:64 depth=2", "random")]
)
NAMES = ("random", "greedy:0.6", "greedy:0.05", "mcts:64 depth=2")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("greedy>greedy:0.6>=0.6", ("greedy:0.05", "greedy:0.6", 0.6)),
        (" greedy:0.60 > random >= 95 % ", ("greedy:0.6", "random", 0.95)),
        ("random>greedy:0.6>=0", ("random", "greedy:0.6", 0.0)),
        ("mcts:64 depth=2>random>=1", ("mcts:64 depth=2", "random", 1.0)),
        ("mcts:64>random>=.5", ("mcts:64 depth=2", "random", 0.5)),
    ],
)
def test_requirements_are_read(text, read):
    claim = read_claim(text, NAMES, MEETINGS)
    assert (claim.one, claim.other, claim.least) == read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("greedy>random", "cannot read the requirement"),
        ("", "cannot read the requirement"),
        (">=0.5", "cannot read the requirement"),
        ("greedy>>=0.5", "cannot read the requirement"),
        ("greedy>=0.5", "cannot read the requirement"),
        ("greedy>greedy:0.6>=1.5", "must be from 0 to 1"),
        ("greedy>greedy:0.6>=60", "must be from 0 to 1"),
        ("greedy>greedy:0.6>=nan", "must be from 0 to 1"),
        ("greedy>greedy:0.6>=much", "must be from 0 to 1"),
        ("gredy>random>=0.5", "'gredy' in the requirement"),
        ("mcts:128>random>=0.5", "'mcts:128' in the requirement"),
        ("greedy>random>=0.5", "do not meet"),
        ("random>random>=0.5", "do not meet"),
    ],
)
def test_requirements_that_cannot_be_read(text, message):
    with pytest.raises(UsageError, match=message):
        read_claim(text, NAMES, MEETINGS)


def test_a_requirement_goes_by_the_lower_bound_whichever_way_it_is_put(duel):
    meetings = meetings_of([[agent.label for agent in level] for level in planned().levels])
    up = read_claim("greedy>random>=0.8", LABELS, meetings)
    down = read_claim("random>greedy>=0.8", LABELS, meetings)
    held, refused = check_claims(duel, [up, down])
    met = duel.between("greedy:0.05", "random")
    assert held.holds and held.lower == met.share.lower
    assert not refused.holds and refused.lower == pytest.approx(1 - met.share.upper)
    (close,) = check_claims(duel, [replace(up, least=met.share.estimate.value)])
    assert not close.holds and close.upper > close.claim.least


# ---- cost


def test_costs_are_measured_and_bounded():
    plan = planned()
    quick = measure(plan, PlantedKernel())
    assert [cost.agent for cost in quick] == list(LABELS)
    assert all(cost.games == 512 and cost.decisions == 512 * 50 for cost in quick)
    dear = measure(plan, PlantedKernel(), enough=0.0)
    assert all(cost.games == 2 and cost.decisions == 100 and cost.seconds > 0 for cost in dear)
