"""Case files: their form, expected errors, and the comparison of shares with probabilities."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from balance.cli.rules_check import as_data, as_lines
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
    assert "to_move: expected B, got A" in found.difference


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("vp=A:0,B:0 A=torturn:d5:2", "vp=A:5,B:0 A=torturn:d5:3",
         "vp: expected A:5,B:0, got A:0,B:0; A: expected torturn:d5:3, got torturn:d5:2"),
        ("to_move=B turn", "to_move=B hero=unni turn", "hero: expected unni, got no such field"),
        ("turn=2 ", "", "turn: expected no such field, got 2"),
    ],
)  # fmt: skip
def test_only_the_fields_that_differ_are_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert verdict(tmp_path, CASE.replace(old, new)).difference == words


def test_texts_that_are_not_made_of_fields_are_shown_whole(tmp_path: Path) -> None:
    for text in ("the end", "turn=2 turn=2", "phase="):
        found = verdict(tmp_path, CASE[: CASE.index("expect: ")] + f"expect: {text}\n")
        assert found.difference == f"expected {text}, got {found.got}"


def test_the_same_fields_in_another_order_are_shown_whole(tmp_path: Path) -> None:
    found = verdict(tmp_path, CASE.replace("phase=turn to_move=B", "to_move=B phase=turn"))
    assert found.difference.startswith("expected to_move=B phase=turn turn=2")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("unni g5", "uni g5",
         ":8:37: X-1 (after): refused: heroes.B.0: unknown hero 'uni' (did you mean 'unni'?)"),
        ("to_move: A", "to_mov: A", ":7:5: X-1 (after): refused: to_mov: unknown key 'to_mov' (did you mean"),
        ("step torturn d5", "stp torturn d5",
         ":10:11: X-1 (after): refused: the action 'stp torturn d5' is not understood (legal are 'step "),
    ],
)  # fmt: skip
def test_a_refusal_has_its_place_and_hint(tmp_path: Path, old: str, new: str, line: str) -> None:
    first = CASE.replace("X-1", "X-0")
    text = first + CASE.replace(old, new)
    found = [casefiles.check_case(case) for case in casefiles.read_cases(write(tmp_path, text))]
    number, rest = line[1:].split(":", 1)
    wanted = f"{tmp_path / 'cases.yaml'}:{int(number) + first.count(chr(10))}:{rest}"
    assert as_lines(found).startswith(wanted)
    assert as_lines(found).endswith("\n1 passed, 1 failed")


def test_json_keeps_whole_texts(tmp_path: Path) -> None:
    found = verdict(tmp_path, CASE.replace("vp=A:0", "vp=A:5"))
    (shown,) = json.loads(as_data([found]))["cases"]
    assert (shown["expected"], shown["got"]) == (found.case.expect, found.got)
    assert shown["difference"] == "vp: expected A:5,B:0, got A:0,B:0"


def test_an_action_that_is_not_understood_lists_the_actions(tmp_path: Path) -> None:
    refusal = verdict(tmp_path, CASE.replace("step torturn d5", "walk torturn d5")).refusal
    assert refusal is not None
    assert "; the actions of phase turn: step HERO NODE, run HERO VIA NODE, " in refusal.hint
    assert "redeploy" not in refusal.hint


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
