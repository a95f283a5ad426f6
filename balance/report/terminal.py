"""The report as plain text for a terminal: aligned tables, no colour, no control characters from names."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from balance.report.view import Block, Table, View

WIDTH = 80


def as_text(view: View) -> str:
    """Findings and every table."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    yield clean(f"{view.title}: {view.name}")
    yield clean("  ".join(f"{label} {value}" for label, value in view.facts))
    if view.partial:
        yield from _paragraph(view.partial)
    for notice in view.notices:
        yield from _paragraph(notice.text)
    yield ""
    yield "WHAT CAME OUT"
    for place, finding in enumerate(view.findings, start=1):
        tag = f" [{finding.tag}]" if finding.tag else ""
        yield from _paragraph(f"{place}. {finding.text}{tag}", "   ")
    if view.more:
        yield from _paragraph(view.more)
    for section in view.sections:
        yield ""
        yield clean(section.title).upper()
        for text in section.refusal:
            yield from _paragraph(text)
        for block in section.blocks:
            yield from block_lines(block)


def block_lines(block: Block) -> Iterator[str]:
    """An exhibit: title, words, table, caption."""
    yield ""
    yield clean(block.title)
    for line in block.text.split("\n"):
        if line:
            yield from _paragraph(line)
    if block.table:
        yield from table_lines(block.table)
    if block.caption:
        yield from _paragraph(block.caption)


def _paragraph(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(clean(text), WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def table_lines(table: Table) -> list[str]:
    """A table with aligned columns: words to the left, numbers to the right."""
    rows = [tuple(clean(cell) for cell in row) for row in (table.head, *table.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    lines = [
        "  ".join(
            cell.ljust(width) if table.is_text(column) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return [lines[0], "-" * min(max(map(len, lines)), 2 * WIDTH), *lines[1:]]


def clean(text: str) -> str:
    """Text without characters that could move a terminal's cursor or change its colours."""
    return "".join(char if char.isprintable() else " " for char in text)
