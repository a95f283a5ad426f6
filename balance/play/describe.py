"""The head of a manifest: everything that says what a run plays, and with what."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import balance
from balance.kernel import cache
from balance.play.cells import Cell
from balance.store.manifest import FORMAT

if TYPE_CHECKING:
    from balance.games.game import Number
    from balance.play.plan import LoadedPlan

SEATS = "ABCD"
LIBRARIES = ("numpy", "numba", "polars")


def head(plan: LoadedPlan, cells: Sequence[Cell]) -> dict[str, Any]:
    """A manifest without its parts; holds nothing of the clock, the user or the number of workers."""
    return {
        "format": FORMAT,
        "name": plan.name,
        "game": plan.game.slug,
        "game_version": plan.game.version,
        "title": plan.game.title,
        "config_hash": plan.config_hash,
        "kernel_hash": cache.source_hash(),
        "seed": plan.plan.seed,
        "record": plan.plan.record,
        "versions": versions(),
        "git": git_revision(),
        "mode": mode_facts(plan),
        "heroes": list(getattr(plan.game.part("layout"), "HERO_NAMES", plan.ruleset.heroes)),
        "terminations": list(plan.game.terminations),
        "levels": [level_facts(agents) for agents in plan.levels],
        "assumed": [number_facts(number) for number in plan.ruleset.assumed()],
        "changed": [number_facts(number) for number in plan.ruleset.changed()],
        "plan": plan.resolved(),
        "cells": [cell_facts(plan, cell) for cell in cells],
    }


def versions() -> dict[str, str]:
    """Versions of ourselves, Python and the libraries that can change a row or a byte."""
    found = {"balance": balance.__version__, "python": platform.python_version()}
    return found | {name: importlib.metadata.version(name) for name in LIBRARIES}


def mode_facts(plan: LoadedPlan) -> dict[str, Any]:
    """The mode as plain data."""
    mode = plan.mode
    return {
        "name": mode.name,
        "seats": mode.seats,
        "side_of_seat": list(mode.side_of_seat),
        "seatings": [list(seating) for seating in mode.seatings],
        "sides": mode.sides,
    }


def level_facts(agents: Sequence[Any]) -> str | dict[str, str]:
    """A skill level: one label when all players share it, else one a player."""
    labels = [agent.label for agent in agents]
    return labels[0] if len(set(labels)) == 1 else dict(zip(SEATS, labels, strict=False))


def number_facts(number: Number) -> dict[str, Any]:
    """A number of the rules with its provenance as plain data."""
    return {
        "path": number.path,
        "value": number.value,
        "source": number.source,
        "shipped": number.shipped,
        "text": number.text,
    }


def cell_facts(plan: LoadedPlan, cell: Cell) -> dict[str, Any]:
    """A cell as plain data, with the arena's rows and node names that its board rows refer to."""
    return {
        "cell": cell.number,
        "level": cell.level,
        "arena": cell.arena,
        "teams": cell.teams,
        "rosters": cell.rosters,
        "draft": cell.draft,
        "agents": [agent.label for agent in cell.agents],
        "pairs": cell.pairs,
        "setup_key": f"{cell.setup_key:016x}",
        "rows": list(plan.ruleset.arenas[cell.arena].rows),
        "nodes": list(plan.game.part("notation").node_names(plan.ruleset, cell.arena)),
    }


def git_revision(root: Path = cache.PACKAGE.parent) -> str | None:
    """Commit of the checkout that this package is run from; None when it was installed."""
    try:
        git = root / ".git"
        if git.is_file():  # a linked work tree
            git = root / git.read_text().removeprefix("gitdir:").strip()
        text = (git / "HEAD").read_text().strip()
        return _resolved(git, text.removeprefix("ref:").strip()) if text.startswith("ref:") else text
    except OSError:
        return None


def _resolved(git: Path, name: str) -> str | None:
    shared = git / "commondir"
    common = git / shared.read_text().strip() if shared.is_file() else git
    for place in (git, common):
        if (place / name).is_file():
            return (place / name).read_text().strip()
    packed = (common / "packed-refs").read_text().splitlines()
    return next((line.split()[0] for line in packed if line.endswith(f" {name}")), None)
