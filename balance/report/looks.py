"""Looks of a run that ended by itself: what was known when, and the intervals that hold at all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.report.view import Block, Table
from balance.report.words import count, points

SHOWN = 60  # answers of the last look in the table, widest first
CAPTION = (
    "Games were sent where the intervals asked for were widest, and the run ended by itself. These intervals "
    "hold 95 % over all looks together (normal-mixture confidence sequence), so they are wider than those "
    "elsewhere in this report, which hold for a number of games that was fixed beforehand."
)


def looks_blocks(manifest: Mapping[str, Any], unit: str) -> tuple[Block, ...]:
    """The history of looks and the last look's answers; nothing for runs with a fixed number of games."""
    looks = manifest.get("looks")
    if not looks:
        return ()
    head = ("Look", unit.title(), "Still open", "Widest", "Half-width")
    rows = [
        (
            str(look["look"]),
            count(look["total"]),
            f"{look['open']} of {len(look['answers'])}",
            look["widest"],
            _half(look["half_width"]),
        )
        for look in looks
    ]
    history = Table(head, tuple(rows), text=1, words=(3,))
    return Block("The looks of this run", CAPTION, history), _answers(manifest, looks[-1])


def _answers(manifest: Mapping[str, Any], last: Mapping[str, Any]) -> Block:
    until = manifest["plan"]["plan"]["until"]
    effect = until["metric"] == "hero_strength"
    widest = sorted(last["answers"], key=lambda answer: -answer["half_width"])[:SHOWN]
    rows = tuple(
        (
            answer["question"],
            points(answer["value"], 2) if effect else f"{100 * answer['value']:.2f} %",
            _half(answer["half_width"]),
        )
        for answer in widest
    )
    wanted = f"Asked for: {until['metric'].replace('_', ' ')} within {_half(until['half_width'])}."
    table = Table(("Question", "Estimate", "Half-width, valid at every look"), rows, text=1)
    return Block("What the last look knew", wanted, table)


def _half(value: float) -> str:
    return f"\u00b1 {100 * value:.2f} pp"
