"""Planted runs with their reports, made once."""

from collections.abc import Iterator

import pytest

from balance.report import build, page
from balance.report.ladder import write_ladder
from balance.report.names import GameParts
from balance.store.manifest import load
from balance.study.costs import measure
from balance.study.ladder import Claim
from tests.stats import planted
from tests.stats.planted import Truth, planted_run
from tests.study import ladders

HOSTILE = "<script>alert(1)</script>"
NASTY = ("%{x} & \"q'", HOSTILE, "</script><b>x", "a|b`*", "\u202eevil\u2028", "f", "g", "h")


def with_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Describe the planted game, which is not installed."""
    real = build.parts_of_game
    known = {"planted_game": GameParts(planted.COLUMNS, planted.LEGEND, planted.ENDINGS, ("cap",))}
    monkeypatch.setattr(build, "parts_of_game", lambda slug: known.get(slug) or real(slug))


@pytest.fixture(scope="session")
def patched() -> Iterator[pytest.MonkeyPatch]:
    monkeypatch = pytest.MonkeyPatch()
    with_columns(monkeypatch)
    yield monkeypatch
    monkeypatch.undo()


def reported(patched, tmp_path_factory, name, truth, pairs=300, record=True):
    folder = planted_run(tmp_path_factory.mktemp("runs") / name, truth, pairs, record=record)
    page.write_report(folder)
    return folder


LEVELS = {"levels": ("random", "greedy:0.05"), "scale": (0.8, 1.0)}


@pytest.fixture(scope="session")
def drafted(patched, tmp_path_factory):
    return reported(patched, tmp_path_factory, "drafted", Truth(**LEVELS, full=True, picked=True), 600)


@pytest.fixture(scope="session")
def teams(patched, tmp_path_factory):
    given = {"starters": (0, 1, 2, 3), "crowd": (4, 5, 6, 7), "mixed": (0, 2, 4, 6)}
    return reported(patched, tmp_path_factory, "teams", Truth(teams=given, **LEVELS))


@pytest.fixture(scope="session")
def hostile(patched, tmp_path_factory):
    """Names that want to be markup, on heroes, arenas and teams."""
    given = {HOSTILE: (0, 1, 2, 3), "</script>": (4, 5, 6, 7), "%{x}": (1, 3, 5, 7)}
    truth = Truth(heroes=NASTY, arena={HOSTILE: 0.0, "</style>": 0.0}, teams=given, **LEVELS)
    return reported(patched, tmp_path_factory, "hostile", truth)


@pytest.fixture(scope="session")
def hostile_drafted(patched, tmp_path_factory):
    truth = Truth(heroes=NASTY, arena={HOSTILE: 0.0, "</style>": 0.0}, **LEVELS)
    return reported(patched, tmp_path_factory, "hostile_drafted", truth)


@pytest.fixture(scope="session")
def ladder(tmp_path_factory):
    """A ladder of four agents."""
    folder = ladders.played(tmp_path_factory.mktemp("runs") / "ladder")
    plan = ladders.planned()
    claims = [Claim("greedy:0.05", "random", 0.6), Claim("greedy:0.3", "greedy:0.6", 0.99)]
    write_ladder(folder, claims, measure(plan, ladders.PlantedKernel(), enough=0.0))
    return folder


@pytest.fixture(scope="session")
def torn(tmp_path_factory):
    """A ladder whose best agent always wins, three at a table, not finished and not measured."""
    text = ladders.DUEL.replace("{game: jump_masters", "{game: jump_masters, mode: ffa3")
    strengths = {**ladders.STRENGTHS, "greedy:0.05": 500.0}
    folder = ladders.played(tmp_path_factory.mktemp("runs") / "torn", text, ladders.PlantedKernel(strengths))
    manifest = load(folder)
    for key in sorted(manifest.parts)[-3:]:
        del manifest.parts[key]
    manifest.digest = None
    manifest.write()
    page.write_report(folder)
    return folder


@pytest.fixture(scope="session")
def bare(patched, tmp_path_factory):
    """No heroes, nothing recorded, one arena, one level, three seats."""
    truth = Truth(heroes=(), strength=(), size=0, mode="ffa3", arena={"field": 0.0})
    return reported(patched, tmp_path_factory, "bare", truth, 40, record=False)
