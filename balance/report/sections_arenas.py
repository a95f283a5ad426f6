"""Section on arenas: their numbers side by side, and board pictures of what happens where."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from balance.report.names import Context
from balance.report.view import Block, Board, Section, Table
from balance.report.words import count, number, percent, plain, share_range, value_range
from balance.stats.analysis import BoardCounts

NODE = re.compile(r"([a-z])(\d+)")


def arenas_section(context: Context) -> Section:
    """Arenas compared, then one block of board pictures an arena."""
    lead = "The arenas side by side, and where on each board things happen."
    blocks = [_overview(context)]
    top = [counts for counts in context.analysis.board if counts.level == context.top]
    blocks += [block for counts in top if (block := _pictures(context, counts))]
    refusal = (
        ()
        if len(blocks) > 1
        else (
            "No counts per node were recorded, so there are no board pictures; a plan with "
            "`record: basic` stores them.",
        )
    )
    return Section("arenas", "Arenas", lead, tuple(blocks), refusal)


def _overview(context: Context) -> Block:
    rows = []
    for seat in reversed(context.analysis.seats):
        for arena, first in seat.by_arena.items():
            metrics = {m.name: m for m in context.analysis.arena_metrics[arena] if m.level == seat.level}
            turns, plies = metrics["turns"].mean, metrics["plies"].mean
            rows.append(
                (
                    context.arena(arena),
                    context.level(seat.level),
                    percent(first.value),
                    share_range(first),
                    plain(turns.value),
                    value_range(turns),
                    plain(plies.value),
                    count(first.n),
                )
            )
    head = (
        "Arena",
        "Skill",
        "First seat",
        "95 % interval",
        "Turns",
        "95 % interval",
        "Decisions",
        context.unit.title(),
    )
    caption = f"{context.samples()}. Method: mean over pairs, t interval."
    return Block("Arenas side by side", caption, Table(head, tuple(rows), text=2))


def _pictures(context: Context, counts: BoardCounts) -> Block | None:
    """Board pictures of one arena, a column of counts each."""
    cell: Mapping[str, Any] = next(
        (c for c in context.manifest["cells"] if c["arena"] == counts.arena and c["level"] == counts.level),
        {},
    )
    nodes = [str(name) for name in cell.get("nodes", ())]
    described = context.columns.get("board", {})
    shown = [
        n
        for n, column in described.items()
        if n in counts.counts and column.role != "label" and counts.counts[n].any()
    ]
    if not nodes or not shown or not counts.games:
        return None
    table = _node_table(described, shown, nodes, counts)
    rows = clean_rows(cell.get("rows", ()))
    grid = node_grid(rows, nodes)
    caption = (
        f"Counts per game on each node at {context.level(counts.level)} play, "
        f"{counts.games:,} games (equal games of a pair are played once); the stronger the colour, "
        "the more, each picture on its own scale. Sums over all games, without interval."
    )
    title = context.arena(counts.arena)
    if grid is None:
        return Block(title, caption + " The nodes' names tell no grid, so there is a table only.", table)
    boards = tuple(
        _board(title, described[name], rows, grid, nodes, counts.counts[name] / counts.games)
        for name in shown
    )
    return Block(title, caption, table, boards=boards)


def clean_rows(rows: Sequence[str]) -> tuple[str, ...]:
    """Arena rows without blanks."""
    return tuple("".join(str(row).split()) for row in rows)


def node_grid(rows: Sequence[str], nodes: Sequence[str]) -> dict[tuple[int, int], int] | None:
    """Index of the node at each (row, column), top row first; None when names and rows do not fit together.

    Names are a column letter and a row number counted from the bottom, as in ``a1``.
    """
    grid = {}
    for index, name in enumerate(nodes):
        match = NODE.fullmatch(name)
        if not match:
            return None
        row, column = len(rows) - int(match[2]), ord(match[1]) - ord("a")
        if not 0 <= row < len(rows) or column >= len(rows[row]):
            return None
        grid[row, column] = index
    return grid


def _board(
    arena: str,
    column: Any,
    rows: Sequence[str],
    grid: Mapping[tuple[int, int], int],
    nodes: Sequence[str],
    values: np.ndarray,
) -> Board:
    def at(row: int, place: int) -> float:
        index = grid.get((row, place), -1)
        return float(values[index]) if 0 <= index < len(values) else float("nan")

    shape = [[(row, place) for place in range(len(line))] for row, line in enumerate(rows)]
    best = int(np.argmax(values[: len(nodes)]))
    alt = f"{column.label} on {arena}: most on {nodes[best]}, {plain(float(values[best]))} a game."
    return Board(
        column.label,
        alt,
        tuple(rows),
        tuple(tuple(at(*spot) for spot in line) for line in shape),
        tuple(tuple(nodes[grid[spot]] if spot in grid else "" for spot in line) for line in shape),
    )


def _node_table(
    described: Mapping[str, Any], shown: Sequence[str], nodes: Sequence[str], counts: BoardCounts
) -> Table:
    rows = tuple(
        (node, *(number(float(counts.counts[name][place]) / counts.games, 3) for name in shown))
        for place, node in enumerate(nodes)
        if any(counts.counts[name][place] for name in shown)
    )
    return Table(("Node", *(described[name].label for name in shown)), rows)
