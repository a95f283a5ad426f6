"""Signals and sudden death, in their own processes: nothing finished is lost, and the rows are the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.play.fakes import content

ROOT = Path(__file__).resolve().parents[2]
PLAN = "{game: jump_masters, arenas: [pillars, mill], draft: {format: blind}, pairs: 60, part_pairs: 2}\n"


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path / "plan.yaml"


def started(*arguments, seconds=0.0):
    command = [sys.executable, "-m", "tests.play.fake_cli", *map(str, arguments)]
    environ = os.environ | {"FAKE_SECONDS": str(seconds)}
    return subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finished(*arguments, seconds=0.0):
    process = started(*arguments, seconds=seconds)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def wait_for_parts(folder, count):
    until = time.monotonic() + 30
    while len(list(folder.glob("games/c*.parquet"))) < count:
        assert time.monotonic() < until, "no parts appear"
        time.sleep(0.01)


def listed(folder):
    return json.loads((folder / "manifest.json").read_text())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What an uninterrupted run leaves, by file."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "plan.yaml").write_text(PLAN)
    code, _, err = finished("run", folder / "plan.yaml", "--no-report", "-o", folder / "run", "-j", 1)
    assert code == 0, err
    return content(folder / "run")


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_signal_keeps_what_is_done_and_says_how_to_go_on(plan, whole, tmp_path, number, code, workers):
    run = tmp_path / "run"
    process = started("run", plan, "--no-report", "-o", run, "-j", workers, seconds=0.03)
    wait_for_parts(run, 5)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert f"balance resume {run}" in err
    assert "Traceback" not in err
    data = listed(run)
    stored = len(list(run.glob("games/c*.parquet")))
    assert 5 <= len(data["parts"]) == stored < 60
    assert data["complete"] is False

    code, out, err = finished("resume", run, "--no-report", "--json")
    assert code == 0, err
    assert json.loads(out)["digest"] == json.loads(whole["manifest.json"])["digest"]
    assert content(run) == whole


def test_a_second_signal_does_not_wait_for_a_game_without_end(plan, whole, tmp_path):
    run = tmp_path / "run"
    process = started("run", plan, "--no-report", "-o", run, "-j", 2, seconds=3600)
    until = time.monotonic() + 30
    while not (run / "manifest.json").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    time.sleep(1)  # the workers are at their games
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(1)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"balance resume {run}" in err and "Traceback" not in err
    assert finished("resume", run, "--no-report")[0] == 0
    assert content(run) == whole


def test_killed_in_the_middle_and_resumed(plan, whole, tmp_path):
    run = tmp_path / "run"
    process = started("run", plan, "--no-report", "-o", run, "-j", 2, seconds=0.03)
    wait_for_parts(run, 9)
    process.kill()
    process.communicate()
    code, _, err = finished("run", plan, "--no-report", "-o", run)
    assert code == 2
    assert f"balance resume {run}" in err
    assert finished("resume", run, "--no-report", "-j", 2)[0] == 0
    assert content(run) == whole


def test_ignored_signals_stay_ignored(plan, tmp_path):
    run = tmp_path / "run"
    command = [sys.executable, "-m", "tests.play.fake_cli", "run", str(plan), "--no-report", "-o", str(run)]
    shell = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command]
    process = subprocess.Popen(
        shell, cwd=ROOT, env=os.environ | {"FAKE_SECONDS": "0.01"}, stdout=subprocess.DEVNULL
    )
    wait_for_parts(run, 3)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=30) == 0
    assert listed(run)["complete"] is True


def test_two_processes_at_once(plan, tmp_path):
    run = tmp_path / "run"
    process = started("run", plan, "--no-report", "-o", run, seconds=0.3)
    wait_for_parts(run, 2)
    for command in (["resume", run], ["run", plan, "-o", run, "--force"]):
        code, _, err = finished(*command, "--no-report")
        assert (code, "another balance" in err) == (2, True)
    process.kill()
    process.communicate()
