"""Planted runs with their reports, made once."""

from collections.abc import Iterator

import pytest

from balance.report import build, compare_context, compare_page, page, sweep_page
from balance.report.compare_view import compare_view
from balance.report.ladder import write_ladder
from balance.report.names import GameParts
from balance.store.manifest import load
from balance.study.costs import measure
from balance.study.ladder import Claim
from tests.stats import planted
from tests.stats.planted import Truth, planted_run
from tests.stats.twins import numbered
from tests.study import ladders

HOSTILE = "<script>alert(1)</script>"
NASTY = ("%{x} & \"q'", HOSTILE, "</script><b>x", "a|b`*", "\u202eevil\u2028", "f", "g", "h")


def with_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Describe the planted game, which is not installed."""
    real = build.parts_of_game
    known = {"planted_game": GameParts(planted.COLUMNS, planted.LEGEND, planted.ENDINGS, ("cap",))}
    for module in (build, compare_context):
        monkeypatch.setattr(module, "parts_of_game", lambda slug: known.get(slug) or real(slug))


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


def compare_written(folder, base, candidate):
    """A folder with the page and data of a comparison."""
    context = compare_context.compare_context(base, candidate)
    view = compare_view(context)
    compare_page.write_page(folder, view, compare_page.as_json(context, view))
    return folder


STRONG = (0.14, 0.03, 0.01, 0.0, 0.0, -0.01, -0.03, -0.06)


@pytest.fixture(scope="session")
def comparison(patched, tmp_path_factory):
    """A hero made stronger, on common streams."""
    runs = tmp_path_factory.mktemp("compared")
    base = planted_run(runs / "base", Truth(**LEVELS, full=True, picked=True), 400)
    other = planted_run(runs / "strong", Truth(**LEVELS, full=True, picked=True, strength=STRONG), 400)
    return compare_written(runs / "page", numbered(base, a__max=4), numbered(other, a__max=6))


@pytest.fixture(scope="session")
def hostile_comparison(hostile, tmp_path_factory):
    """Hostile names and numbers, teams, other seeds and a folder that wants to be markup."""
    runs = tmp_path_factory.mktemp("hostile_compared")
    given = {HOSTILE: (0, 1, 2, 3), "</script>": (4, 5, 6, 7), "%{x}": (1, 3, 5, 7)}
    truth = Truth(heroes=NASTY, arena={HOSTILE: 0.0, "</style>": 0.0}, teams=given, **LEVELS, strength=STRONG)
    other = planted_run(runs / "<b>bold", truth, 300, seed=2)
    return compare_written(runs / "page", hostile, numbered(other, **{HOSTILE: 3, "</script>": 4}))


@pytest.fixture(scope="session")
def swept_runs(patched, tmp_path_factory):
    """Sixteen runs that are a Saltelli design of two numbers; the first is the base."""
    runs = tmp_path_factory.mktemp("swept")

    def run(name, one, two):
        strength = (0.03 * one, 0.03, 0.01, 0.0, 0.0, -0.01, -0.03, -0.06)
        truth = Truth(**LEVELS, strength=strength, seat=0.02 * two)
        return numbered(planted_run(runs / name, truth, 100), **{"hero<b>": one, "%{y}": two})

    a, b = [(1, 5), (2, 7), (1, 9), (2, 11)], [(3, 6), (4, 8), (4, 10), (3, 12)]
    points = [*a, *b, *[(q[0], p[1]) for p, q in zip(a, b, strict=True)]]
    points += [(p[0], q[1]) for p, q in zip(a, b, strict=True)]
    return [run(f"run{place}", *point) for place, point in enumerate(points)]


@pytest.fixture(scope="session")
def swept(swept_runs):
    return sweep_page.sweep_of(swept_runs)


@pytest.fixture(scope="session")
def sweep(swept, tmp_path_factory):
    """A sweep page with curves, tornado and Sobol bars."""
    folder, view = tmp_path_factory.mktemp("sweep"), sweep_page.sweep_view(swept)
    sweep_page.write_sweep(folder, view, sweep_page.as_json(swept, view))
    return folder


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
