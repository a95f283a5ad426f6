"""Exhibit on what heroes do with each of their abilities, where their game counts them one by one."""

from __future__ import annotations

from collections.abc import Iterable

from balance.report.names import Context, abilities_of
from balance.report.view import Block, Table
from balance.report.words import NONE, percent, plain, value_range
from balance.stats.analysis import Usage
from balance.stats.estimate import Estimate

Cell = tuple[str, int]  # label of a column, number of the ability


def spell_blocks(context: Context) -> list[Block]:
    """One table a level: a row for every ability of every hero, the highest level first."""
    return [block for use in reversed(context.analysis.usage) if (block := _block(context, use))]


def columns_by_ability(context: Context, use: Usage) -> dict[Cell, str]:
    """Names of the stored columns that count one ability, by label and number."""
    described = context.columns.get("heroes", {})
    return {
        (column.label, column.ability): name
        for name, column in described.items()
        if column.ability and use.metrics.get(name)
    }


def _block(context: Context, use: Usage) -> Block | None:
    columns = columns_by_ability(context, use)
    labels = list(dict.fromkeys(label for label, _ in columns))
    rows = tuple(_rows(context, use, columns, labels))
    if not rows:
        return None
    held = [estimate for name in columns.values() for estimate in use.metrics[name].values()]
    widest = max((e.half_width / abs(e.value) for e in held if e.value), default=0.0)
    first = next(estimate for estimate in held)
    caption = f"Means per game and copy; – where an ability does no such thing. {context.sample(use.level)}. "
    caption += f"Method: {first.method}; the widest 95 % interval is \u00b1{percent(widest, 0)} of its value "
    caption += f"(first cell: {plain(first.value)}, {value_range(first)})."
    heading = f"Each ability: {context.level(use.level)} play"
    return Block(heading, caption, Table(("Hero", "Ability", *labels), rows, text=2))


def _rows(
    context: Context, use: Usage, columns: dict[Cell, str], labels: list[str]
) -> Iterable[tuple[str, ...]]:
    heroes = {hero for name in columns.values() for hero in use.metrics[name]}
    for hero in sorted(heroes, key=context.analysis.design.heroes.index):
        for number, ability in enumerate(abilities_of(context.manifest, hero), 1):
            cells = [use.metrics.get(columns.get((label, number), ""), {}).get(hero) for label in labels]
            yield context.hero(hero), ability, *map(_cell, cells)


def _cell(mean: Estimate | None) -> str:
    return plain(mean.value) if mean and (mean.value or mean.se > 0) else NONE
