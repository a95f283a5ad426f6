"""Game balance for tabletop skirmish games: plans in, seeded playouts, honest intervals out.

The Python interface, in the order of use; everything heavy is imported when it is called::

    import balance

    plan = balance.load_plan("my_game/plans/quickstart.yaml", sets=["agents=[random]"], games=400)
    result = balance.run(plan, "reports/python")
    games = balance.scan(result.folder).collect()
    analysis = balance.fit(result.folder)
    page = balance.write_report(result.folder)
    changes = balance.compare("reports/before", "reports/after").changes
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

    from balance.play.plan import LoadedPlan
    from balance.play.run import RunResult
    from balance.stats.analysis import Analysis
    from balance.study.comparison import Comparison

__version__ = "0.1.0"
__all__ = ["compare", "fit", "load_plan", "run", "scan", "write_report"]

AnyPath = str | PathLike[str]


def load_plan(path: AnyPath, sets: Sequence[str] = (), **options: Any) -> LoadedPlan:
    """Read and check a plan; `sets` are overrides as ``--set`` takes them.

    Parameters
    ----------
    path : path
        A YAML file.
    sets : sequence of str
        ``"rules.hill_vp=2"`` and the like.
    **options
        ``seed``, ``pairs`` or ``games`` (in all).

    Raises
    ------
    ConfigError
        With every fault, by file, line and column.
    """
    from balance.play.plan import load_plan as load

    return load(Path(path), sets=sets, **options)


def run(plan: LoadedPlan, folder: AnyPath, workers: int = 1, force: bool = False) -> RunResult:
    """Play a plan into a folder; the rows are the same for any number of `workers` (threads)."""
    from balance.play.executors import local
    from balance.play.run import run as play

    return play(plan, Path(folder), local(workers), force=force)


def scan(folder: AnyPath, table: str = "games") -> polars.LazyFrame:
    """The stored rows of a run: ``games`` (one a game), ``heroes`` (one a hero a game) or ``board``."""
    from balance.store.read import open_run

    return open_run(Path(folder)).scan(table)


def fit(folder: AnyPath) -> Analysis:
    """All statistics of a run, with standard errors and intervals; the pair is the sampling unit."""
    from balance.report.build import build_context

    return build_context(Path(folder)).analysis


def compare(base: AnyPath, candidate: AnyPath) -> Comparison:
    """Every metric's difference between two runs, pair by pair where both used the same random streams.

    Raises
    ------
    UsageError
        The runs cannot be compared.
    """
    from balance.report.compare_context import compare_context

    return compare_context(Path(base), Path(candidate)).comparison


def write_report(folder: AnyPath) -> Path:
    """Write ``report.html`` and the summaries of a run; returns the page's path."""
    from balance.report.page import write_report as write

    return write(Path(folder))
