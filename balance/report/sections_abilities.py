"""Exhibits on the chances of abilities and on the picks of a draft."""

from __future__ import annotations

from collections.abc import Sequence

from balance.report.names import Context
from balance.report.view import Block, Table
from balance.report.words import NONE, count, listed, percent, plain, share_range, value_range
from balance.stats.details import USES
from balance.stats.estimate import Estimate
from balance.stats.means import RATIO
from balance.stats.recorded import Chances, Picks


def ability_blocks(context: Context) -> list[Block]:
    """How often abilities were possible and used, where a run counted its turns."""
    found = context.analysis.recorded.chances
    return [_abilities(context, found)] if found else []


def _abilities(context: Context, found: Sequence[Chances]) -> Block:
    idle = [hero for hero in found[0].possible if not any(_alive(context, entry, hero) for entry in found)]
    rows = tuple(
        (
            context.hero(hero),
            context.level(entry.level),
            _mean(_uses(context, entry.level, hero)),
            percent(possible.value),
            share_range(possible),
            *_used(entry.used.get(hero)),
        )
        for entry in reversed(found)
        for hero, possible in entry.possible.items()
        if hero not in idle
    )
    head = ("Hero", "Skill", "Uses per game", "Possible in", "95 % interval", "Uses when possible")
    table = Table((*head, "95 % interval"), rows, text=2)
    return Block("Abilities and their chances", _abilities_caption(context, found, idle), table)


def _abilities_caption(context: Context, found: Sequence[Chances], idle: Sequence[str]) -> str:
    samples = [next(iter(entry.possible.values())) for entry in found]
    sizes = [f"{context.level(e.level)}: {count(some.n)}" for e, some in zip(found, samples, strict=True)]
    caption = (
        "Uses per game: mean a copy. Possible in: share of the turns of a hero's seat in which the ability "
    )
    caption += (
        "could have been used. Uses when possible: per such turn (both copies of a hero count together). "
    )
    caption += f"Counted {context.unit}: {'; '.join(sizes)}. Method: {RATIO}."
    if idle:
        caption += (
            f" Never possible in a counted turn and never used: {listed([context.hero(h) for h in idle])}."
        )
    return caption


def _uses(context: Context, level: int, hero: str) -> Estimate | None:
    """Mean uses per game and copy of a hero at one level."""
    return next((u.metrics.get(USES, {}).get(hero) for u in context.analysis.usage if u.level == level), None)


def _alive(context: Context, entry: Chances, hero: str) -> bool:
    """Whether an ability is more than passive at one level: possible in some turn, or used."""
    possible, uses = entry.possible.get(hero), _uses(context, entry.level, hero)
    return bool(possible and possible.value) or bool(uses and uses.value)


def _mean(estimate: Estimate | None) -> str:
    return plain(estimate.value) if estimate else NONE


def _used(estimate: Estimate | None) -> tuple[str, str]:
    """Uses per chance; no interval from chances that never varied."""
    if estimate is None:
        return NONE, NONE
    return plain(estimate.value), value_range(estimate) if estimate.se > 0 else NONE


def pick_blocks(context: Context) -> list[Block]:
    """Mean number of each hero's pick, and what each pick is worth, where picks were stored."""
    found = context.analysis.recorded.picks
    return [_heroes(context, found), _numbers(context, found)] if found else []


def _heroes(context: Context, found: Sequence[Picks]) -> Block:
    raw = {use.level: use.raw if isinstance(use.raw, dict) else {} for use in context.analysis.usage}
    rows = tuple(
        (
            context.hero(hero),
            context.level(entry.level),
            plain(number.value),
            value_range(number),
            percent(score.value) if (score := raw[entry.level].get(hero)) else NONE,
            share_range(score) if score else NONE,
        )
        for entry in reversed(found)
        for hero, number in sorted(entry.number.items(), key=lambda item: item[1].value)
    )
    head = ("Hero", "Skill", "Pick number", "95 % interval", "Raw score with it", "95 % interval")
    caption = "Mean number of the pick, 1 = first of all; the earliest stands first. The raw score does not "
    caption += f"account for the other heroes. {context.samples()}. Method: {RATIO}."
    return Block("When heroes are picked", caption, Table(head, rows, text=2))


def _numbers(context: Context, found: Sequence[Picks]) -> Block:
    rows = tuple(
        (count(number), context.level(entry.level), percent(score.value), share_range(score), count(score.n))
        for entry in reversed(found)
        for number, score in entry.score.items()
    )
    head = ("Pick", "Skill", "Score", "95 % interval", context.unit.title())
    caption = (
        "Mean score of the side that had the pick, over all seatings, so that the turn order cannot blur "
    )
    caption += "it; picks of one side share its score. "
    return Block("What a pick is worth", f"{caption}Method: {RATIO}.", Table(head, rows, text=2))
