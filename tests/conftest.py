"""One cache of compiled kernels for the whole session, filled before any worker starts.

Two workers that meet a cold cache would both compile the same rules, a minute each. So the controller of a
parallel session has a process compile every game that is discovered, once, and waits for its end, however
long that takes; with ``-n0`` there is nobody to race, and the tests compile when they first need it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

COMPILE = """
import sys
from balance.agents import playout
from balance.games import discover
from balance.kernel.jit import PURE_PYTHON
for game in discover().values():
    if sys.argv[1:] and game.slug not in sys.argv[1:]:
        continue
    if not PURE_PYTHON and playout.is_cold(game):
        print(f"compiling the rules of {game.slug}, usually 1-2 minutes, once per rules edit", flush=True)
        playout.load(game)
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Passes that take long can be had for some games only."""
    parser.addoption(
        "--games", default="", help="leave out tests of all games but these: slugs with commas between them"
    )


def wanted_games(config: pytest.Config) -> list[str]:
    """Games whose tests run; empty for all."""
    return [slug for slug in config.getoption("--games").split(",") if slug]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of games that are not wanted: those in their folder, those with their slug."""
    from balance.games import discover

    wanted = wanted_games(config)
    if unknown := sorted(set(wanted) - set(discover())):
        raise pytest.UsageError(f"--games: there is no game {', '.join(unknown)}")
    others = [slug for slug in discover() if wanted and slug not in wanted]
    left_out = [item for item in items if any(belongs(item, slug) for slug in others)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def belongs(item: pytest.Item, slug: str) -> bool:
    """Whether a test is one of a game's own, or the case of one for all games that is this game's."""
    case = getattr(item, "callspec", None)
    return slug in item.path.parts or case is not None and case.params.get("slug") == slug


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let every process of the session use this checkout and one cache; compile in the controller."""
    hear_signals()
    if hasattr(config, "workerinput"):
        return
    share_places()
    if runs_workers(config):
        compile_games(config)


def hear_signals() -> None:
    """Take signals as a program in a terminal does: who started us (``nohup``, ``&``) may ignore some."""
    usual = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL, "SIGTERM": signal.SIG_DFL}
    for name, handler in usual.items():
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


def share_places() -> None:
    """Name the cache and the sources in the environment, which workers and commands inherit."""
    from balance.kernel.cache import cache_root

    os.environ["BALANCE_CACHE_DIR"] = str(cache_root())
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if str(ROOT) not in paths:
        # An installed copy would be compiled a second time, in another folder.
        os.environ["PYTHONPATH"] = os.pathsep.join(path for path in (str(ROOT), *paths) if path)


def runs_workers(config: pytest.Config) -> bool:
    """Whether this process hands the tests to others."""
    return bool(getattr(config.option, "numprocesses", None)) and not config.option.collectonly


def compile_games(config: pytest.Config) -> None:
    """Have all kernels compiled, and say so while it lasts."""
    terminal = config.get_terminal_writer()
    command = [sys.executable, "-c", COMPILE, *wanted_games(config)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            terminal.write(line)
            terminal.flush()
    if process.returncode:
        raise pytest.UsageError("the rules do not compile; see the error above")
