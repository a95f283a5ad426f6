"""The handed cases: all through the Python API, one of each kind through the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from balance.study import casefiles, oracle

FOLDER = Path(__file__).resolve().parents[2] / "cases" / "jump_masters"
CASES = [case for path in sorted(FOLDER.glob("*.yaml")) for case in casefiles.read_cases(str(path))]

FIRST_TURNS = {"pillars": 38, "pillars_b": 35, "ruins": 21, "divide": 32, "mill": 25}  # section 16
TEAMS = {
    "starters": "burnny hopper pinkbeary torturn",
    "steppers_and_stealers": "burnny katula roara wuffryder",
    "crowd_control": "hopper katula parena torturn",
    "big_hitters": "parena pinkbeary unni wuffryder",
}


def first_position(arena: str, team: str) -> oracle.Position:
    def entries(nodes: str) -> list[str]:
        return [
            f"{name} {node} 1 fresh" for name, node in zip(TEAMS[team].split(), nodes.split(), strict=True)
        ]

    heroes = {"A": entries("a1 a2 b1 b2"), "B": entries("h8 h7 g8 g7")}
    zones = {"A": "sw", "B": "ne"}
    return oracle.load(
        {"game": "jump_masters", "arena": arena, "to_move": "A", "zones": zones, "heroes": heroes}
    )


def balance(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "balance", "rules", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def document_of(name: str) -> str:
    case = next(case for case in CASES if case.name == name)
    return yaml.safe_dump(case.position)


def test_there_are_as_many_cases_as_were_handed() -> None:
    assert len(CASES) == 132
    assert {case.ask for case in CASES} == {"legal", "after", "turn_ends"}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: casefiles.Case) -> None:
    assert casefiles.check_case(case).difference == ""


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.ask == "after" and case.expect][::5], ids=lambda case: case.name
)
def test_after_cases_as_outcomes(case: casefiles.Case) -> None:
    # Every atom is deterministic (section 10): one outcome of share 1.
    shares = oracle.outcomes(oracle.load(case.position), *case.actions, samples=50)
    assert shares == {case.expect: 1.0}


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("arena", FIRST_TURNS)
def test_first_turns(arena: str, team: str) -> None:
    assert oracle.perft(first_position(arena, team), 1) == FIRST_TURNS[arena]


@pytest.mark.parametrize("arena", FIRST_TURNS)
def test_first_two_turns(arena: str) -> None:
    assert oracle.perft(first_position(arena, "starters"), 2) == FIRST_TURNS[arena] ** 2


def test_check_command_passes_the_handed_cases() -> None:
    done = balance("check", *map(str, sorted(FOLDER.glob("0[1-4]*.yaml"))))
    assert (done.returncode, done.stdout, done.stderr) == (0, "49 passed, 0 failed\n", "")


def test_check_command_names_the_difference(tmp_path: Path) -> None:
    text = (
        (FOLDER / "02_turn_hill.yaml")
        .read_text()
        .replace("vp=A:2,B:4", "vp=A:2,B:3")
        .replace("- pass\n", "- end\n")
    )
    (tmp_path / "cases.yaml").write_text(text)
    done = balance("check", str(tmp_path / "cases.yaml"))
    assert done.returncode == 3
    lines = done.stdout.splitlines()
    assert lines[0].endswith("cases.yaml:1: JM-020 (after): vp: expected A:2,B:3, got A:2,B:4")
    assert lines[1].endswith("JM-023 (legal): missing: end; not expected: pass")
    assert lines[-1] == "7 passed, 3 failed"
    answer = json.loads(balance("check", "--json", str(tmp_path / "cases.yaml")).stdout)
    assert (answer["passed"], answer["failed"]) == (7, 3)
    assert answer["cases"][0]["passed"] is False


def test_legal_command_prints_a_sorted_list() -> None:
    case = next(case for case in CASES if case.name == "JM-031")
    done = balance("legal", "jump_masters", "--position", "-", "--json", stdin=document_of("JM-031"))
    assert json.loads(done.stdout) == case.expect
    plain = balance("legal", "jump_masters", "--position", "-", stdin=document_of("JM-031"))
    assert plain.stdout.splitlines() == case.expect


def test_after_and_turn_ends_commands() -> None:
    case = next(case for case in CASES if case.name == "JM-040")
    done = balance(
        "after",
        "jump_masters",
        "--position",
        "-",
        "--action",
        *case.actions,
        "--json",
        stdin=document_of("JM-040"),
    )
    assert json.loads(done.stdout) == {"position": case.expect}
    ends = next(case for case in CASES if case.name == "JM-140")
    done = balance("turn-ends", "jump_masters", "--position", "-", "--json", stdin=document_of("JM-140"))
    assert json.loads(done.stdout) == ends.expect


def test_actions_are_played_one_after_another() -> None:
    actions = ("--action", "jump torturn d4", "--action", "jump torturn f4", "--action", "jump torturn f6")
    done = balance("after", "jump_masters", "--position", "-", *actions, stdin=document_of("JM-042"))
    assert done.stdout.startswith("phase=redeploy to_move=B active=A turn=1 zones=A:sw,B:ne vp=A:5,B:0")


def test_perft_outcomes_and_show_commands() -> None:
    text = document_of("JM-144")
    assert balance("perft", "jump_masters", "--position", "-", "--turns", "1", stdin=text).stdout == "38\n"
    done = balance(
        "outcomes",
        "jump_masters",
        "--position",
        "-",
        "--action",
        "step torturn a3",
        "--samples",
        "20",
        stdin=text,
    )
    assert done.stdout.startswith(" 1.00000  phase=turn to_move=B")
    shown = balance("show", "jump_masters", "--position", "-", stdin=text)
    assert "Abu1'z" in shown.stdout
    assert balance("perft", "jump_masters", "--position", "-", "--turns", "0", stdin=text).returncode == 2


LEGAL = ("legal", "jump_masters", "--position", "-")


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (("legal", "jump_masters", "--position", "nowhere.yaml"), "", "no such file"),
        (("legal", "jump_master", "--position", "-"), "game: jump_masters", "did you mean 'jump_masters'"),
        (LEGAL, "", "empty"),
        (LEGAL, "game: jumpiq", "-:1:7: error: must be one of jump_masters"),
        (LEGAL, "game: jump_masters\nturns: 4", "-:2:1: error: unknown key 'turns'"),
        (LEGAL, "game: a\ngame: b", "stands twice"),
        (("check", "nowhere.yaml"), "", "no such file"),
        (("check", "-"), "- id: X\n  ask: a\n  position: {}\n  expect: []", "-:2:8: error: must be one of"),
    ],
)  # fmt: skip
def test_mistakes_end_with_code_two(arguments: tuple[str, ...], stdin: str, words: str) -> None:
    done = balance(*arguments, stdin=stdin)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_illegal_action_ends_with_code_two() -> None:
    arguments = ("after", "jump_masters", "--position", "-", "--action", "step torturn a9")
    done = balance(*arguments, stdin=document_of("JM-144"))
    assert done.returncode == 2
    assert "error: 'step torturn a9' is not legal now" in done.stderr
    assert "hint: legal are 'step torturn a3'" in done.stderr
