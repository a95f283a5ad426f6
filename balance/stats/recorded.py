"""Results on what the playouts recorded beside the score: sources, kinds, branching, chances and picks.

Source: ratio estimates over pairs, Cochran (1977), chapter 6.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from balance.stats.details import OTHER
from balance.stats.estimate import Estimate
from balance.stats.means import UNIT, mean_of, ratios
from balance.stats.sums import CellSums, Sums

COUNT = (0.0, math.inf)


@dataclass(frozen=True)
class Shares:
    """What something consists of, at one level.

    Attributes
    ----------
    name : str
        Name of the whole, or of the column of codes.
    level : int
    shares : dict of str to Estimate
        By column, or by code (``0``, ``1``, ..., ``other``); they sum to 1.
    """

    name: str
    level: int
    shares: Mapping[str, Estimate]


@dataclass(frozen=True)
class Branching:
    """Distinct ends per counted turn at one level; by arena as well."""

    level: int
    ends: Estimate
    by_arena: Mapping[str, Estimate]


@dataclass(frozen=True)
class Chances:
    """Abilities in the counted turns of one level.

    Attributes
    ----------
    level : int
    possible : dict of str to Estimate
        By hero: share of its seat's counted turns in which its ability was possible.
    used : dict of str to Estimate
        By hero: uses per turn in which it was possible.
    """

    level: int
    possible: Mapping[str, Estimate]
    used: Mapping[str, Estimate]


@dataclass(frozen=True)
class Picks:
    """Picks of a draft at one level.

    Attributes
    ----------
    level : int
    number : dict of str to Estimate
        By hero: mean number of its pick, 1 = first.
    score : dict of int to Estimate
        By number: mean score of the side that had that pick.
    """

    level: int
    number: Mapping[str, Estimate]
    score: Mapping[int, Estimate]


@dataclass(frozen=True)
class Recorded:
    """All of it, by rising level; empty where a run recorded nothing of the kind."""

    sources: tuple[Shares, ...] = ()
    kinds: tuple[Shares, ...] = ()
    branching: tuple[Branching, ...] = ()
    chances: tuple[Chances, ...] = ()
    picks: tuple[Picks, ...] = ()


def recorded(sums: Sums) -> Recorded:
    """Everything of a run, in the order of columns and levels."""
    levels = [level for level in range(len(sums.design.levels)) if sums.of(level)]
    sources = [
        _sources(sums, level, name, parts) for name, _, parts in sums.columns.wholes for level in levels
    ]
    kinds = [_kinds(sums, level, name, codes) for name, codes in sums.columns.codes for level in levels]
    return Recorded(
        tuple(shares for shares in sources if shares.shares),
        tuple(shares for shares in kinds if shares.shares),
        tuple(branching for level in levels if (branching := _branching(sums, level))),
        tuple(chances for level in levels if (chances := _chances(sums, level)).possible),
        tuple(picks for level in levels if (picks := _picks(sums, level)).number),
    )


def ratios_of(cells: Sequence[CellSums], name: str, bounds: tuple[float, float]) -> list[Estimate | None]:
    """Ratios of :class:`balance.stats.details.Details` over cells; empty when no cell has them."""
    held = [cell.details.ratios[name] for cell in cells if name in cell.details.ratios]
    return ratios([ratio.sums for ratio in held], [ratio.pairs for ratio in held], bounds)


def _first(found: Sequence[Estimate | None]) -> Estimate | None:
    return found[0] if found else None


def _sources(sums: Sums, level: int, name: str, parts: Sequence[str]) -> Shares:
    cells = sums.of(level)
    found = {part: _first(ratios_of(cells, f"part:{part}", UNIT)) for part in parts}
    return Shares(name, level, {part: share for part, share in found.items() if share})


def _kinds(sums: Sums, level: int, name: str, codes: int) -> Shares:
    cells = sums.of(level)
    found = {code: mean_of(cells, f"{name}={code}", UNIT) for code in (*map(str, range(codes)), OTHER)}
    occurred = {code: share for code, share in found.items() if share and (share.value > 0 or code != OTHER)}
    return Shares(name, level, occurred)


def _branching(sums: Sums, level: int) -> Branching | None:
    ends = _first(ratios_of(sums.of(level), "branching", COUNT))
    arenas = {a: _first(ratios_of(sums.of(level, a), "branching", COUNT)) for a in sums.design.arenas}
    return Branching(level, ends, {a: e for a, e in arenas.items() if e}) if ends else None


def _chances(sums: Sums, level: int) -> Chances:
    cells, heroes = sums.of(level), sums.design.heroes
    possible, used = ratios_of(cells, "chances", UNIT), ratios_of(cells, "used", COUNT)
    return Chances(level, _named(heroes, possible), _named(heroes, used))


def _picks(sums: Sums, level: int) -> Picks:
    cells = sums.of(level)
    numbers = enumerate(ratios_of(cells, "picked", UNIT))
    score = {number: estimate for number, estimate in numbers if estimate}
    return Picks(level, _named(sums.design.heroes, ratios_of(cells, "pick", COUNT)), score)


def _named(names: Sequence[str], found: Sequence[Estimate | None]) -> dict[str, Estimate]:
    return {name: estimate for name, estimate in zip(names, found, strict=False) if estimate}
