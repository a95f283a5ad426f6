"""Compiled and pure Python rules are the same rules: transcripts of two processes are compared."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.playing import GAMES

ROOT = Path(__file__).resolve().parents[2]


def transcript(slug: str, pure: str) -> list[str]:
    environ = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    environ.pop("NUMBA_DISABLE_JIT", None)  # any NUMBA_* flag names another cache
    if pure == "1":
        environ["NUMBA_DISABLE_JIT"] = pure
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.conformance.transcript", slug]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize("slug", GAMES)
def test_jitted_equals_pure(slug: str) -> None:
    compiled, pure = transcript(slug, "0"), transcript(slug, "1")
    assert len(compiled) > 100
    for number, (one, two) in enumerate(zip(compiled, pure, strict=True), 1):
        assert one == two, f"line {number} of the transcripts differs"
