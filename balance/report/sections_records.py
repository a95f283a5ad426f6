"""Exhibits on what games are made of: sources of a whole, kinds of a label, branching."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from balance.report.names import Context
from balance.report.view import Block, Table
from balance.report.words import NONE, count, percent, plain, share_range, title, value_range
from balance.stats.estimate import Estimate
from balance.stats.recorded import Branching, Shares

NOT_COUNTED = "Possible ends of turns were not counted; a plan with `record: full` counts them in some pairs."

NOT_LISTED = "Possible ends of turns are not counted in this game: a turn has too many, with dice on the way."


def record_blocks(context: Context) -> list[Block]:
    """Branching, one table a whole, and one for all labels; what was not recorded is left out."""
    recorded = context.analysis.recorded
    wholes = dict.fromkeys(shares.name for shares in recorded.sources)
    return [
        *([_branching(context, recorded.branching)] if recorded.branching else []),
        *(_sources(context, [s for s in recorded.sources if s.name == name]) for name in wholes),
        *([_kinds(context, recorded.kinds)] if recorded.kinds else []),
    ]


def _branching(context: Context, found: Sequence[Branching]) -> Block:
    by_level = {entry.level: entry for entry in found}
    levels = list(by_level)
    arenas = [a for a in context.analysis.design.arenas if any(a in entry.by_arena for entry in found)]
    rows: list[tuple[str, list[Estimate | None]]] = []
    if len(arenas) > 1:
        rows.append(("All arenas", [entry.ends for entry in found]))
    rows += [(context.arena(arena), [entry.by_arena.get(arena) for entry in found]) for arena in arenas]
    table = Table(
        ("Arena", *(context.level(level).capitalize() for level in levels)),
        tuple((name, *map(_mean_cell, estimates)) for name, estimates in rows),
    )
    sizes = [f"{context.level(e.level)}: {count(e.ends.n)} {context.unit}" for e in found]
    caption = "Distinct positions in which a turn could end, mean of all turns of the counted "
    caption += f"{context.unit} (95 % interval). {'; '.join(sizes)}. Method: {found[0].ends.method}."
    return Block("Choices in a turn", caption, table)


def _mean_cell(estimate: Estimate | None) -> str:
    return f"{plain(estimate.value)} ({value_range(estimate)})" if estimate else NONE


def _sources(context: Context, found: Sequence[Shares]) -> Block:
    """Shares of one whole: a row a part, a column a level."""
    described = context.columns.get("games", {})
    parts = list(dict.fromkeys(part for shares in found for part in shares.shares))
    labels = [described[part].label if part in described else title(part) for part in parts]
    role = described[parts[0]].role if parts[0] in described else "side"
    rows = _rows(found, list(zip(labels, parts, strict=True)))
    table = Table(("Source", *_levels(context, found)), rows, bars=_bars(found, parts))
    caption = f"Share of the sum over all {role}s (95 % interval). {context.samples()}. "
    return Block(found[0].name, f"{caption}Method: {_method(found)}.", table)


def _kinds(context: Context, kinds: Sequence[Shares]) -> Block:
    """Shares of every label column, one under the other."""
    described = context.columns.get("games", {})
    rows: list[tuple[str, ...]] = []
    for name in dict.fromkeys(shares.name for shares in kinds):
        found, column = [shares for shares in kinds if shares.name == name], described[name]
        codes = [code for code in _codes(found) if any(_seen(shares, code) for shares in found)]
        names = [_code_name(column.codes, code) for code in codes]
        rows += [(column.label, *row) for row in _rows(found, list(zip(names, codes, strict=True)))]
    caption = "Share of games, or of seats where each seat has its own (95 % interval); fixed: the same in "
    caption += f"every game. {context.samples()}. Method: {_method(kinds)}."
    head = ("Quantity", "Kind", *_levels(context, kinds))
    return Block("Kinds", caption, Table(head, tuple(rows), text=2))


def _codes(found: Sequence[Shares]) -> list[str]:
    return list(dict.fromkeys(code for shares in found for code in shares.shares))


def _seen(shares: Shares, code: str) -> bool:
    return code in shares.shares and shares.shares[code].value > 0


def _code_name(names: Sequence[str], code: str) -> str:
    return names[int(code)] if code.isdigit() and int(code) < len(names) else code


def _levels(context: Context, found: Sequence[Shares]) -> list[str]:
    levels = sorted({shares.level for shares in found})
    return [context.level(level).capitalize() for level in levels]


def _rows(found: Sequence[Shares], parts: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (label, *(_share_cell(shares.shares.get(part)) for shares in found)) for label, part in parts
    )


def _share_cell(share: Estimate | None) -> str:
    if share is None:
        return NONE
    # What never varied though it is neither all nor nothing is set by the rules, not met by chance.
    reach = "fixed" if share.se == 0 and 0 < share.value < 1 else share_range(share)
    return f"{percent(share.value)} ({reach})"


def _bars(found: Sequence[Shares], parts: Sequence[str]) -> Mapping[int, tuple[float, ...]]:
    """Shares behind the numbers, on one scale for all levels."""
    values = [[s.shares[part].value if part in s.shares else 0.0 for part in parts] for s in found]
    top = max((value for column in values for value in column), default=0.0) or 1.0
    return {place: tuple(v / top for v in column) for place, column in enumerate(values, start=1)}


def _method(found: Sequence[Shares]) -> str:
    methods = dict.fromkeys(share.method for shares in found for share in shares.shares.values())
    return " or ".join(methods)
