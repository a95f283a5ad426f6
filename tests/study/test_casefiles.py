"""Case files: their form, expected errors, and the comparison of shares with probabilities."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from balance.errors import ConfigError
from balance.study import casefiles

CASE = """\
- id: X-1
  note: two heroes
  position:
    game: jump_masters
    arena: pillars
    zones: {A: sw, B: ne}
    to_move: A
    heroes: {A: [torturn d4 2], B: [unni g5 2]}
  ask: after
  action: step torturn d5
  expect: phase=turn to_move=B turn=2 zones=A:sw,B:ne vp=A:0,B:0 A=torturn:d5:2 B=unni:g5:2
"""


def write(folder: Path, text: str) -> str:
    path = folder / "cases.yaml"
    path.write_text(text)
    return str(path)


def verdict(folder: Path, text: str, samples: int = 500) -> casefiles.Verdict:
    (case,) = casefiles.read_cases(write(folder, text))
    return casefiles.check_case(case, samples=samples)


def test_a_right_case_passes(tmp_path: Path) -> None:
    assert verdict(tmp_path, CASE).passed


def test_an_unexpected_refusal_fails(tmp_path: Path) -> None:
    found = verdict(tmp_path, CASE.replace("torturn d5\n", "torturn d4\n"))
    assert found.difference == "refused: 'step torturn d4' is not legal now"


def test_a_missing_refusal_fails(tmp_path: Path) -> None:
    text = CASE[: CASE.index("  expect:")] + "  expect: {error: true}\n"
    assert verdict(tmp_path, text).difference.startswith("expected a refusal, got phase=turn")
    assert verdict(tmp_path, text.replace("unni g5 2", "unni d4 2")).passed
    assert verdict(tmp_path, text.replace("jump_masters", "chess")).passed


def test_several_actions_are_played_in_turn(tmp_path: Path) -> None:
    many = CASE.replace("action: step torturn d5", "action: [step torturn d5, step unni h5]")
    found = verdict(tmp_path, many)
    assert "expected to_move=B, got to_move=A" in found.difference


def test_outcomes_in_both_forms(tmp_path: Path) -> None:
    text = CASE.replace("ask: after", "ask: outcomes")
    line = text[text.index("expect: ") + 8 :].strip()
    start = text[: text.index("expect: ")]
    assert verdict(tmp_path, f"{start}expect:\n    {line}: 1\n").passed
    assert verdict(tmp_path, f"{start}expect:\n  - p: 1\n    position: {line}\n").passed
    half = verdict(tmp_path, f"{start}expect:\n    {line}: 1/2\n    elsewhere: 1/2\n")
    assert "elsewhere: expected 0.50000, got 0.00000" in half.difference


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("ask: after", "ask: afters", 9, "must be one of legal, after"),
        ("id: X-1", "id: 7", 1, "must be text, not 7"),
        ("note:", "notes:", 2, "unknown key 'notes'"),
        ("game: jump_masters", "game: jump_master", 4, "unknown game 'jump_master'"),
        ("  action: step torturn d5\n", "", 1, "must be an action's text"),
        ("action: step torturn d5", "action: []", 10, "must be an action's text"),
        ("ask: after", "ask: legal", 10, "has no place with ask: legal"),
        ("expect: phase", "expect: [a]  # phase", 11, "must be a canonical text"),
        ("expect: phase", "expect: {error: yes}  # phase", 11, "an expected error is written {error: true}"),
        ("  position:", "  places:", 3, "unknown key 'places'"),
    ],
)
def test_faults_of_form_have_a_place(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    assert old in CASE
    with pytest.raises(ConfigError) as caught:
        casefiles.read_cases(write(tmp_path, CASE.replace(old, new)))
    assert (caught.value.problems[0].line, words in caught.value.problems[0].message) == (line, True)


@pytest.mark.parametrize("text", ["a: 1", "[]", "- 5", CASE + CASE, "- id: X"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError):
        casefiles.read_cases(write(tmp_path, text))


@pytest.mark.parametrize(
    "expect",
    [{}, [], 5, {"a": 2}, {"a": "x"}, {"a": True}, {"a": "1/0"}, {"a": 0.6, "b": 0.6}, [{"p": 1}],
     {"a": float("nan")},
     [{"p": 1, "position": "a"}, {"p": 0, "position": "a"}], [{"p": 1, "position": "a", "tol": -1}]],
)  # fmt: skip
def test_bad_probabilities_are_refused(expect: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        casefiles.read_outcomes(expect)


def shares(seed: int, weights: dict[str, float], samples: int) -> dict[str, float]:
    drawn = random.Random(seed).choices(list(weights), list(weights.values()), k=samples)
    return {text: count / samples for text, count in Counter(drawn).items()}


def test_true_probabilities_hardly_ever_fail() -> None:
    expected = casefiles.read_outcomes({"a": "1/3", "b": "1/2", "c": "1/6"})
    truth = {"a": 1 / 3, "b": 1 / 2, "c": 1 / 6}
    alarms = sum(
        bool(casefiles.outcome_difference(expected, shares(seed, truth, 2000), 2000)) for seed in range(1000)
    )
    assert alarms <= 5  # one in a thousand is allowed for; six or more happen with probability 0.0006


def test_wrong_probabilities_are_found() -> None:
    expected = casefiles.read_outcomes({"a": "1/3", "b": "2/3"})
    assert casefiles.outcome_difference(expected, shares(1, {"a": 0.36, "b": 0.64}, 20_000), 20_000)
    assert casefiles.outcome_difference(
        expected, {"a": 1 / 3, "b": 2 / 3 - 0.001, "c": 0.001}, 20_000
    ).startswith("not listed, such as c")


def test_a_tolerance_widens_the_bound() -> None:
    expected = casefiles.read_outcomes(
        [{"p": 0.30, "position": "a", "tol": 0.02}, {"p": 0.70, "position": "b", "tol": 0.02}]
    )
    assert not casefiles.outcome_difference(expected, {"a": 0.32, "b": 0.68}, 20_000)
    assert casefiles.outcome_difference(expected, {"a": 0.35, "b": 0.65}, 20_000)
