"""``balance run --dry-run``: what would be played."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan


def show(plan: LoadedPlan, as_json: bool) -> None:
    """Print every cell with its games and parts, and the sum."""
    rows = cell_rows(plan)
    total = {key: sum(row[key] for row in rows) for key in ("pairs", "games", "parts")}
    until = plan.plan.until
    if as_json:
        ends = {"until": until.model_dump()} if until else {}
        typer.echo(
            json.dumps({"name": plan.name, "cells": rows, **total, **ends}, indent=1, ensure_ascii=False)
        )
        return
    wide = {key: max(len(key), *(len(row[key]) for row in rows)) for key in ("agents", "arena", "rosters")}
    typer.echo(
        "cell  " + "  ".join(f"{key:{width}}" for key, width in wide.items()) + "     pairs     games  parts"
    )
    for row in rows:
        words = "  ".join(f"{row[key]:{width}}" for key, width in wide.items())
        typer.echo(f"{row['cell']:>4}  {words}  {row['pairs']:>8,}  {row['games']:>8,}  {row['parts']:>5,}")
    typer.echo(
        f"{len(rows)} cells, {total['pairs']:,} pairs, {total['games']:,} games, {total['parts']:,} parts"
    )
    if until:
        asked = f"{str(until.metric).replace('_', ' ')} is known within {100 * until.half_width:g} pp"
        typer.echo(f"this is the first look; then on until {asked}, at most {until.max_pairs:,} pairs")


def cell_rows(plan: LoadedPlan) -> list[dict[str, Any]]:
    """One plain record a cell."""
    from balance.play.cells import expand
    from balance.play.chunk import split

    cells = expand(plan)
    if plan.plan.until:
        from balance.study.adaptive import first_cells

        cells = first_cells(plan)
    parts = [0] * len(cells)
    for task in split(cells, plan.plan.part_pairs):
        parts[task.cell] += 1
    return [
        {
            "cell": cell.number,
            "agents": " - ".join(dict.fromkeys(agent.label for agent in cell.agents)),
            "arena": cell.arena,
            "rosters": " - ".join(cell.teams) if cell.teams else f"draft {cell.draft}",
            "pairs": cell.pairs,
            "games": cell.games,
            "parts": parts[cell.number],
        }
        for cell in cells
    ]
