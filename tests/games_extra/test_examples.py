"""The example games of ``docs/examples``: their own tests, and what the house expects of every game.

Each runs in a process that finds the examples as installed games: so the finding, the naming of their kernel
cache and the conformance tests are those of a game that somebody has installed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games_extra.installing import EXAMPLES, ROOT, environment, names


@pytest.fixture(scope="session")
def environ(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return environment(tmp_path_factory.mktemp("installed"), names())


def passed(environ: dict[str, str], *arguments: str | Path) -> int:
    """How many tests of a session of its own passed; none may fail."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    found = re.search(r"(\d+) passed", done.stdout)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("name", names())
def test_the_game_keeps_its_rules(name: str, environ: dict[str, str]) -> None:
    assert passed(environ, EXAMPLES / name / "tests") > 20


@pytest.mark.parametrize("name", names())
def test_the_game_keeps_the_contract(name: str, environ: dict[str, str]) -> None:
    assert passed(environ, "tests/conformance", "-k", name) > 20


@pytest.mark.parametrize("name", names())
def test_every_number_is_described(name: str, environ: dict[str, str]) -> None:
    wanted = f"test_every_number_of_a_game_is_described[{name}]"
    assert passed(environ, f"tests/house/test_commands.py::{wanted}") == 1


@pytest.mark.parametrize("name", names())
def test_the_game_is_judged_by_the_house(name: str, environ: dict[str, str], tmp_path: Path) -> None:
    """Choices and leads of a game that records nothing of the kind itself, from play to the summary."""
    assert passed(environ, "tests/agents/test_judging.py", "-k", f"choices and {name}") == 1
    plan = EXAMPLES / name / f"{name}_game" / "plans" / "quickstart.yaml"
    options = ["--set", "record=full", "--pairs", "40", "-o", str(tmp_path / "run"), "-q", "-j", "1"]
    command = [sys.executable, "-m", "balance", "run", str(plan), *options]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert found["drama"] and found["pace"]
    for drama, pace in zip(found["drama"], found["pace"], strict=False):
        assert pace["per_turn"]["value"] == 1 and pace["options"]["value"] > 2
        assert pace["capped"]["refused"] and "by its own rules" in pace["capped"]["reason"]
        assert 0 < drama["winners"]["sealed"]["value"] <= 1 and drama["swings"]["value"] >= 0
