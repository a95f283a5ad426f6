"""All first statistics of a match run, from one pass over its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.stats import heroes, lengths, means, recorded, rotations, seats, skill, teams
from balance.stats.batch import read_rows
from balance.stats.best_mix import BestMix, best_mix
from balance.stats.cycles import Cycles, cycles
from balance.stats.design import Design, read_design
from balance.stats.drafts import DraftOrder, draft_order
from balance.stats.drama import Drama, drama
from balance.stats.encounters import encounters
from balance.stats.estimate import Estimate, Refusal
from balance.stats.interaction import Interaction, Interactions
from balance.stats.levels import paired_levels
from balance.stats.luck import NEVER_MET, SkillStep
from balance.stats.matchups import Matchups, level_matchups
from balance.stats.pace import Pace, pace
from balance.stats.roster_model import RosterModel, roster_model
from balance.stats.scan import collect_run
from balance.stats.sums import Columns, Sums

if TYPE_CHECKING:
    from balance.store.read import Run

COMMON = ("turns", "plies")
MOST_CODES = 12  # told apart in a column that does not name its codes


@dataclass(frozen=True)
class Usage:
    """How often heroes were there, and how their sides scored, at one level.

    Attributes
    ----------
    level : int
    presence : dict of str to Estimate
        Share of sides that held the hero.
    raw : dict of str to Estimate, or Refusal
        Mean score of the sides that held him; refused when rosters were not drafted at random.
    metrics : dict of str to dict of str to Estimate
        By column, then by hero: mean per game and copy.
    shares : dict of str to dict of str to Estimate
        By column, then by hero: what a copy did over what its side did.
    """

    level: int
    presence: Mapping[str, Estimate]
    raw: Mapping[str, Estimate] | Refusal
    metrics: Mapping[str, Mapping[str, Estimate]]
    shares: Mapping[str, Mapping[str, Estimate]]


@dataclass(frozen=True)
class BoardCounts:
    """Counts per node of one arena at one level.

    Attributes
    ----------
    arena : str
    level : int
    games : int
        Games played, the divisor of the counts.
    counts : dict of str to ndarray
        By column, in the order of the arena's nodes.
    """

    arena: str
    level: int
    games: int
    counts: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Analysis:
    """Every number of a report, still without words.

    Attributes
    ----------
    design : Design
    games, pairs : int
        Games (mirror matches counted by weight) and sampling units.
    by_level : tuple of (int, int)
        Games and pairs at every level.
    seats : tuple of SeatResult
    strengths : tuple of StrengthTable or Refusal
        One a level.
    interactions : tuple of Interactions or Refusal
        Heroes by arena, one a level.
    skill : tuple of SkillEntry or Refusal
        Levels paired on common streams where they share pairs.
    places : tuple of Places or Refusal
        Places in the turn order, one a level; refused with two sides.
    rosters : tuple of RosterModel
        Synergies, counters and the check of the additive model, one a level.
    usage : tuple of Usage
    teams : tuple of TeamTable or Refusal
    cycles : tuple of Cycles or Refusal
        Rock-paper-scissors among teams, one a level.
    mixes : tuple of BestMix or Refusal
        Best mix of teams, one a level.
    metrics : tuple of Metric
    arena_metrics : dict of str to tuple of Metric
    histograms : tuple of Histogram
    recorded : Recorded
    board : tuple of BoardCounts
    drafts : tuple of DraftOrder or Refusal
        What the order of the draft was worth, one a level.
    met : tuple of SkillStep, or Refusal
        Agents that met in this run.
    pace : tuple of Pace
        One a level, then one a level and arena where there are several.
    drama : tuple of Drama or Refusal
        One a level; `arena_drama` one a level and arena where there are several.
    """

    design: Design
    games: int
    pairs: int
    by_level: tuple[tuple[int, int], ...]
    seats: tuple[seats.SeatResult, ...]
    strengths: tuple[heroes.StrengthTable | Refusal, ...]
    interactions: tuple[Interactions | Refusal, ...]
    skill: tuple[skill.SkillEntry, ...] | Refusal
    places: tuple[rotations.Places | Refusal, ...]
    rosters: tuple[RosterModel, ...]
    usage: tuple[Usage, ...]
    teams: tuple[teams.TeamTable, ...] | Refusal
    cycles: tuple[Cycles | Refusal, ...]
    mixes: tuple[BestMix | Refusal, ...]
    metrics: tuple[lengths.Metric, ...]
    arena_metrics: Mapping[str, tuple[lengths.Metric, ...]]
    histograms: tuple[lengths.Histogram, ...]
    recorded: recorded.Recorded
    board: tuple[BoardCounts, ...]
    pace: tuple[Pace, ...]
    drama: tuple[Drama | Refusal, ...]
    arena_drama: tuple[Drama, ...]
    drafts: tuple[DraftOrder | Refusal, ...] = ()
    met: tuple[SkillStep, ...] | Refusal = NEVER_MET

    @property
    def arenas(self) -> tuple[tuple[Interaction, ...] | Refusal, ...]:
        """Heroes by arena, one a level, those that depend most on it first."""
        return tuple(found if isinstance(found, Refusal) else found.heroes for found in self.interactions)


def columns_of(described: Mapping[str, Mapping[str, Any]], caps: tuple[str, ...] | None = None) -> Columns:
    """Which columns are averaged, from a game's ``metrics.COLUMNS``, and its ``Game.caps``."""
    game, hero = described.get("games", {}), described.get("heroes", {})
    labels = {name: column for name, column in game.items() if column.role == "label"}
    return Columns(
        tuple(name for name, column in game.items() if column.role == "mean"),
        tuple((name, column.role) for name, column in game.items() if column.role in ("side", "seat")),
        tuple((name, len(column.codes) or MOST_CODES) for name, column in labels.items()),
        tuple(name for name, column in hero.items() if column.role == "mean"),
        _wholes(game),
        next((name for name, column in hero.items() if column.role == "pick"), ""),
        tuple(name for name, column in hero.items() if column.whole),
        caps,
    )


def _wholes(described: Mapping[str, Any]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Columns that are parts of one whole, by the whole's name and their role."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, column in described.items():
        if column.whole and column.role in ("side", "seat"):
            found.setdefault((column.whole, column.role), []).append(name)
    return tuple((whole, role, tuple(names)) for (whole, role), names in found.items())


def analyse(
    run: Run, described: Mapping[str, Mapping[str, Any]], caps: tuple[str, ...] | None = None
) -> Analysis:
    """Read a run once and compute all of its statistics.

    Parameters
    ----------
    run : Run
    described : mapping
        The game's ``metrics.COLUMNS``.
    caps : tuple of str, optional
        The game's terminations that are caps; nothing is said of them when left out.
    """
    design, columns = read_design(run.manifest), columns_of(described, caps)
    wanted = [*columns.hero, "seat", "chances", *([columns.pick] if columns.pick else [])]
    sums = collect_run(run, design, columns, wanted)
    return analyse_sums(sums, board_counts(run, sums), paired_levels(run, sums))


def analyse_sums(
    sums: Sums,
    board: tuple[BoardCounts, ...] = (),
    crossed: dict[tuple[int, int], dict[str, float]] | None = None,
) -> Analysis:
    """Statistics from sums that have been collected.

    Parameters
    ----------
    sums : Sums
    board : tuple of BoardCounts
    crossed : dict, optional
        Covariances between skill levels; see :func:`balance.stats.levels.paired_levels`.
    """
    design, levels = sums.design, range(len(sums.design.levels))
    tables = tuple(heroes.strengths(sums, level) for level in levels)
    met: list[Matchups | Refusal] = [level_matchups(sums, level) for level in levels]
    spread = tuple(name for name, _ in sums.columns.spread)
    names = (*COMMON, *sums.columns.game, *spread, *(f"{name}_first" for name in spread))
    return Analysis(
        design,
        sum(cell.games for cell in sums.cells),
        sum(cell.moments.n for cell in sums.cells),
        tuple(
            (sum(c.games for c in sums.of(level)), sum(c.moments.n for c in sums.of(level)))
            for level in levels
        ),
        seats.seat_results(sums),
        tables,
        tuple(_arenas(sums, level, tables[level]) for level in levels),
        _skill(tables, design, crossed),
        tuple(rotations.level_places(sums, level) for level in levels),
        tuple(roster_model(sums, level, tables[level]) for level in levels),
        tuple(_usage(sums, level) for level in levels if sums.of(level)),
        teams.team_results(sums),
        tuple(found if isinstance(found, Refusal) else cycles(found) for found in met),
        tuple(found if isinstance(found, Refusal) else best_mix(found) for found in met),
        lengths.metrics(sums, names),
        {arena: lengths.metrics(sums, names, arena) for arena in design.arenas},
        lengths.histograms(sums, (*COMMON, *sums.columns.game)),
        recorded.recorded(sums),
        board,
        *_play(sums),
        tuple(draft_order(sums, level) for level in levels if sums.of(level)),
        encounters(sums),
    )


def _play(sums: Sums) -> tuple[tuple[Pace, ...], tuple[Drama | Refusal, ...], tuple[Drama, ...]]:
    """Pace and drama by level, and by arena where there are several."""
    levels = [level for level in range(len(sums.design.levels)) if sums.of(level)]
    arenas = sums.design.arenas if len(sums.design.arenas) > 1 else ()
    places = [(level, arena) for level in levels for arena in arenas if sums.of(level, arena)]
    found = [drama(sums, level, arena) for level, arena in places]
    return (
        tuple(pace(sums, level, arena) for level, arena in [*((level, "") for level in levels), *places]),
        tuple(drama(sums, level) for level in levels),
        tuple(entry for entry in found if isinstance(entry, Drama)),
    )


def _arenas(sums: Sums, level: int, table: heroes.StrengthTable | Refusal) -> Interactions | Refusal:
    return table if isinstance(table, Refusal) else heroes.over_arenas(sums, level)


def _skill(
    tables: tuple[heroes.StrengthTable | Refusal, ...],
    design: Design,
    crossed: dict[tuple[int, int], dict[str, float]] | None,
) -> tuple[skill.SkillEntry, ...] | Refusal:
    found = [table for table in tables if isinstance(table, heroes.StrengthTable)]
    if found:
        return skill.over_levels(found, design.heroes, crossed)
    return tables[0] if tables and isinstance(tables[0], Refusal) else Refusal("No games were played.")


def _usage(sums: Sums, level: int) -> Usage:
    cells, names = sums.of(level), sums.design.heroes
    held = means.presence(cells)
    drafted = not any(cell.cell.teams for cell in cells)
    raw: Mapping[str, Estimate] | Refusal = Refusal(
        "Raw win rates mix a hero with the team that holds him when rosters are given, so none are shown."
    )
    if drafted:
        raw = _named(names, means.hero_ratio(cells, 0, means.UNIT))
    metrics = {name: _named(names, values) for name, values in lengths.hero_metrics(sums, level).items()}
    shares = {
        name: _named(names, recorded.ratios_of(cells, f"share:{name}", means.UNIT))
        for name in sums.columns.shares
    }
    return Usage(level, _named(names, list(held)), raw, metrics, {k: v for k, v in shares.items() if v})


def _named(names: tuple[str, ...], values: list[Estimate | None]) -> dict[str, Estimate]:
    return {name: value for name, value in zip(names, values, strict=False) if value is not None}


def board_counts(run: Run, sums: Sums) -> tuple[BoardCounts, ...]:
    """Counts per node by arena and level, summed over parts and cells."""
    import polars

    found: dict[tuple[str, int], tuple[int, dict[str, np.ndarray]]] = {}
    for cell in sums.cells:
        parts = [part for part in run.manifest["parts"] if part["cell"] == cell.cell.number]
        frame = read_rows(run, parts, "board")
        if not frame.height:
            continue
        frame = frame.group_by("node").agg(polars.all().exclude("cell").sum()).sort("node")
        games, held = found.get((cell.cell.arena, cell.cell.level), (0, {}))
        counts = {name: frame[name].to_numpy() for name in frame.columns if name != "node"}
        merged = {name: values + held.get(name, 0) for name, values in counts.items()}
        found[cell.cell.arena, cell.cell.level] = (games + cell.rows, merged)
    return tuple(
        BoardCounts(arena, level, games, counts) for (arena, level), (games, counts) in found.items()
    )
