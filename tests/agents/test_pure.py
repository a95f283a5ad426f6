"""What needs pure Python: graphs as games, searches that are watched at every step, both kinds of kernels.

Each runs in a process of its own, for whether kernels are compiled is settled at the first import.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents import watched
from tests.conformance.playing import GAMES

ROOT = Path(__file__).resolve().parents[2]


def run_pure(*arguments: str) -> str:
    """What a module prints in pure Python; it must succeed."""
    environ = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    environ |= {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


def test_agents_before_graphs():
    printed = run_pure("pytest", "-q", "-n0", "-p", "no:cacheprovider", "tests/agents/pure_graphs.py")
    assert "passed" in printed
    assert "skipped" not in printed


def compare(slug: str, size: str) -> None:
    """Compiled and pure decisions; in the latter every atom of every simulation is looked at."""
    compiled = watched.decided(slug, size == "few")
    assert len(compiled) >= 2 * len(watched.agents_of(slug))
    assert run_pure("tests.agents.watched", slug, size).splitlines() == compiled


@pytest.mark.parametrize("slug", GAMES)
def test_jitted_agents_decide_as_pure_ones(slug):
    compare(slug, "few")


@pytest.mark.slow
@pytest.mark.parametrize("slug", GAMES)
def test_jitted_agents_decide_as_pure_ones_in_all_modes(slug):
    compare(slug, "many")
