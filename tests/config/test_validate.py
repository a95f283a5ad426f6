"""Models refuse what they should, all at once, at the right places and in plain words."""

from __future__ import annotations

import re
from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from balance.config.agents import AgentSpec, parse_agent
from balance.config.fields import Flag, Frozen, Name, Real, Text, Whole, Word
from balance.config.models import Plan
from balance.config.sourced import sourced
from balance.config.validate import check, faults
from balance.config.yaml_lines import load_yaml_text
from tests.config.faulty import one, places, problems


def plan(text):
    return check(Plan, load_yaml_text(text, "x.yaml"))


def message_of(kind, value):
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Annotated[Any, kind]).validate_python(value)
    context = caught.value.errors()[0]["ctx"]
    return context["message"], context["hint"]


@pytest.mark.parametrize(
    ("kind", "value", "message", "hint"),
    [
        (Whole(1, 9), 12, "must be a whole number from 1 to 9, not 12", ""),
        (Whole(1, 9), "4", "must be a whole number from 1 to 9, not '4'", "remove the quotes"),
        (Whole(0, 9), True, "must be a whole number from 0 to 9, not true", ""),
        (Whole(1, 9), 4.0, "must be a whole number from 1 to 9, not 4.0", ""),
        (Whole(1, 9), None, "must be a whole number from 1 to 9, not nothing", ""),
        (Whole(1, 9), [1], "must be a whole number from 1 to 9, not a list", ""),
        (Real(0, 1), float("nan"), "must be a number from 0 to 1, not nan", ""),
        (Real(0, 1), True, "must be a number from 0 to 1, not true", ""),
        (Flag(), "no", "must be true or false, not 'no'", "write false"),
        (Flag(), 1, "must be true or false, not 1", ""),
        (Word(("free", "snake")), "snak", "must be one of free, snake, not 'snak'", "did you mean 'snake'?"),
        (Word(("free", "snake")), "x", "must be one of free, snake, not 'x'", ""),
        (Word(("hopper",), "hero"), "hoper", "unknown hero 'hoper'", "did you mean 'hopper'?"),
        (Text(5), "", "must not be empty", ""),
        (Text(5), "123456", "must have at most 5 characters, not 6", ""),
        (Text(5), 7, "must be text, not 7", "write '7' in quotes"),
        (Name("arena"), "a.b", "'a.b' cannot name an arena", None),
        (Name("team"), {}, "must be text naming a team, not a mapping", ""),
    ],
)
def test_kinds_refuse_in_plain_words(kind, value, message, hint):
    said, hinted = message_of(kind, value)
    assert said == message
    if hint is not None:
        assert hinted == hint


def test_kinds_accept_bounds():
    number = TypeAdapter(Annotated[int, Whole(1, 9)])
    assert [number.validate_python(value) for value in (1, 9)] == [1, 9]
    assert TypeAdapter(Annotated[float, Real(0, 1)]).validate_python(1) == 1.0


ALL_WRONG = """\
game: jump_masters
arenas: [pillars, 3]
teams: {a: [burnny], b: 3}
matchup: round_robin
agents: [random, gredy, "greedy:2", oracle]
pairs: "3"
record: basics
seed: -1
draft: {forma: blind}
mirror: no
"""


def test_all_faults_come_at_once_and_in_order():
    found = problems(plan, ALL_WRONG)
    assert places(found) == [
        (2, 19, "arenas.1"),
        (3, 25, "teams.b"),
        (4, 1, "matchup"),
        (5, 18, "agents.1"),
        (5, 25, "agents.2"),
        (5, 37, "agents.3"),
        (6, 8, "pairs"),
        (7, 9, "record"),
        (8, 7, "seed"),
        (9, 8, "draft"),
        (9, 9, "draft.forma"),
        (10, 9, "mirror"),
    ]
    hints = {problem.path: problem.hint for problem in found}
    assert hints["matchup"] == "did you mean 'matchups'?"
    assert hints["agents.1"] == "did you mean 'greedy'?"
    assert hints["agents.3"] == "known: random, greedy, flat, mcts"
    assert hints["draft.forma"] == "did you mean 'format'?"
    assert hints["record"] == "did you mean 'basic'?"
    assert not any(word in problem.message for problem in found for word in ("Input", "valid ", "pydantic"))


@pytest.mark.parametrize("text", ["- a\n", "3\n", "word\n"])
def test_no_mapping_is_no_plan(text):
    assert one(plan, text).message.startswith("must be a mapping of names to values")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("arenas: pillars", "must be a list of arena names or the word all, not 'pillars'"),
        ("arenas: {pillars: 1}", "must be a list of arena names or the word all, not a mapping"),
        ("teams: starters", "must be a mapping of team names to heroes, a list of ready-made teams"),
        ("agents: greedy", "must be a list of agents such as"),
        ("agents: {E: greedy}", "unknown seat 'E'"),
        ("matchups: all_of_them", "must be round_robin or a list of matchups"),
        ("matchups: [[a, b], c]", "must be a list, not 'c'"),
        ("pairs: 0", "must be at least 1: a run with zero games says nothing"),
        ("pairs: 1.5", "must be a whole number from 1 to"),
        ("seed: 9223372036854775808", "must be a whole number from 0 to 9223372036854775807"),
        ("rules: [1]", "must be a mapping of names to values, not a list"),
        ("draft: {format: blind, picker: clever}", "must be one of random, not 'clever'"),
        ("name: a/b", "'a/b' cannot name a plan name"),
    ],
)
def test_plan_keys_refuse(line, message):
    problem = one(plan, f"game: jump_masters\n{line}\n")
    assert message in problem.message
    assert problem.line == 2


def test_both_teams_and_draft_are_refused():
    assert (
        "both teams and a draft" in one(plan, "game: g\nteams: recommended\ndraft: {format: free}\n").message
    )


def test_an_empty_key_is_a_key_left_out():
    assert plan("game: g\nteams:\ndraft: {format: free}\nmode:\n").mode is None


def test_plans_cannot_be_changed():
    with pytest.raises(ValidationError):
        plan("game: g\nteams: recommended\n").seed = 5


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", AgentSpec("random", 0.0)),
        ("greedy", AgentSpec("greedy", 0.05)),
        ("greedy:0.1", AgentSpec("greedy", 0.1)),
        ("greedy:0", AgentSpec("greedy", 0.0)),
        ("greedy:1", AgentSpec("greedy", 1.0)),
        ("flat", AgentSpec("flat", 256.0)),
        ("mcts:64", AgentSpec("mcts", 64.0)),
        ("mcts:64  depth=3 rollout=greedy", AgentSpec("mcts", 64.0, (("depth", 3.0), ("rollout", "greedy")))),
        ("greedy:0 hill_own=-0.5", AgentSpec("greedy", 0.0, (("hill_own", -0.5),))),
        ("greedy:0 without=b:x,a:y,b:x", AgentSpec("greedy", 0.0, (), ("a:y", "b:x"))),
    ],
)
def test_agents_and_their_labels(text, spec):
    assert parse_agent(text) == spec
    assert parse_agent(spec.label) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "oracle",
        "greedy:",
        "greedy:x",
        "greedy:-1",
        "greedy:nan",
        "random:1",
        3,
        "mcts:0",
        "mcts:1.5",
        "flat:-3",
        "mcts:1e7",
        "mcts:",
        "greedy exploration=1",
        "mcts:64 rollout=best",
        "mcts:64 depth=-1",
        "mcts:64 depth=1.5",
        "mcts depth",
        "mcts depth=",
        "mcts depth=1 depth=2",
        "mcts hill_own=much",
        "random hill_own=1",
        "mcts tre=atoms",
        "mcts scale=0",
        "greedy scale=-5",
    ],  # fmt: skip
)
def test_bad_agents(text):
    with pytest.raises(ValueError, match=r"agent|NUMBER|setting|must be"):
        parse_agent(text)


class Table(Frozen):
    energy: sourced("Energy", Whole(1, 9))  # type: ignore[valid-type]


@pytest.mark.parametrize(
    ("given", "value", "source"),
    [(4, 4, None), ({"value": 4}, 4, None), ({"value": 4, "source": "printed"}, 4, "printed")],
)
def test_values_with_and_without_a_source(given, value, source):
    energy = Table.model_validate({"energy": given}).energy
    assert (energy.value, energy.source) == (value, source)


def test_faults_of_values_with_a_source_stand_where_they_are():
    def load(text):
        return check(Table, load_yaml_text(text, "x.yaml"))

    assert places(problems(load, "energy: 10\n")) == [(1, 9, "energy")]
    assert places(problems(load, "energy: {value: 10}\n")) == [(1, 17, "energy.value")]
    found = problems(load, "energy: {value: 4, source: guessed, who: me}\n")
    assert places(found) == [(1, 28, "energy.source"), (1, 37, "energy.who")]
    assert found[1].hint.startswith("known: value, source") or "mean" in found[1].hint
    assert faults(Table, {"energy": 0}) == [(("energy",), "must be a whole number from 1 to 9, not 0", "")]


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("\u202eaneraP", "U+202E"),
        ("Hop\u2066per", "U+2066"),
        ("\u200b\u200f", "can be seen"),
        ("  ", "must not be empty"),
    ],
)
def test_titles_that_turn_text_round_or_cannot_be_seen_are_refused(title, said):
    with pytest.raises(PydanticCustomError, match=re.escape(said)):
        Text(60).check(title)


def test_titles_in_any_script_are_taken():
    for title in ("\u98a8", "\u05d0\u05d1", "\U0001f43a Wolf", "\u00c9clair"):
        assert Text(60).check(title) == title
