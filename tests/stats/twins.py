"""Two planted runs that share their streams, or a part of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from balance.stats.analysis import columns_of
from balance.stats.design import read_design
from balance.stats.run_deltas import run_deltas
from balance.stats.run_gaps import Side, collect_gaps
from balance.store.manifest import Manifest, load
from balance.store.read import open_run
from balance.store.write import encode, store_part
from balance.study.comparable import common_of
from tests.stats import planted
from tests.stats.planted import MODES, Truth, manifest_head, planned_cells, play


class SharedDeal:
    """Deals as the base does, and has luck of its own for everything else."""

    def __init__(self, deal: np.random.Generator, luck: np.random.Generator) -> None:
        self.deal, self.luck = deal, luck

    def __getattr__(self, name: str) -> Any:
        return getattr(self.deal if name == "permuted" else self.luck, name)


def redrawn_run(
    folder: Path, truth: Truth, pairs: int, seed: int, luck: int, share: float = 0.5, part: int = 200
) -> Path:
    """A run with the deals of ``planted_run`` of the same seed, and new luck in a share of its pairs."""
    cells = planned_cells(truth, pairs)
    manifest = Manifest(folder, manifest_head(truth, cells, seed))
    folder.mkdir(parents=True, exist_ok=True)
    for cell in cells:
        same = np.random.default_rng([seed, cell["cell"]])
        deal, own = np.random.default_rng([seed, cell["cell"]]), np.random.default_rng([luck, cell["cell"]])
        for number, first in enumerate(range(0, pairs, part)):
            count = min(part, pairs - first)
            rows = play(same, truth, cell, first, count, False)
            other = play(SharedDeal(deal, own), truth, cell, first, count, False)
            chosen = rows.results["pair"] % 100 < 100 * share
            rows.results[chosen] = other.results[chosen]
            manifest.add(
                store_part(folder, encode(cell["cell"], number, first, count, rows, MODES[truth.mode][0]))
            )
    manifest.digest = "1" * 32
    manifest.write()
    return folder


def edited(folder: Path, **head: Any) -> Path:
    """The same run with other entries in its manifest's head."""
    manifest = load(folder)
    manifest.head.update(head)
    manifest.write()
    return folder


def numbered(folder: Path, **values: Any) -> Path:
    """The same run with numbers of the rules that it was played with; ``_`` stands for a dot."""
    numbers = [
        {"path": path.replace("__", "."), "value": value, "source": "assumed", "shipped": value, "text": ""}
        for path, value in values.items()
    ]
    return edited(folder, plan={"ruleset": {"numbers": numbers}})


def differences(base: Path, candidate: Path) -> tuple[tuple[Any, ...], dict[Any, Any], list[Any]]:
    """Changes, refusals and cells of two runs of the planted game."""
    runs = open_run(base), open_run(candidate)
    sides = [Side(run, read_design(run.manifest)) for run in runs]
    common = common_of(*runs, (sides[0].design, sides[1].design))
    columns = columns_of(planted.COLUMNS, ("cap",))
    cells = collect_gaps(*sides, common.twins, columns)
    return (*run_deltas(*sides, cells, columns), cells)
