"""Method page, notices about assumed numbers, and provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report.names import Context
from balance.report.view import Block, Notice, Section, Table
from balance.report.words import count, listed, plural, points
from balance.stats.heroes import StrengthTable
from balance.stats.teams import TeamTable

ASSUMPTIONS = (
    "The sampling unit is the {unit}: the same rosters, arena and random streams, played "
    "once from every seat. "
    "Games of one {one} are never treated as independent.",
    "A game without a winner counts {even} for every side.",
    "Intervals hold 95 % each. Where many heroes or teams are tested at once, p-values are adjusted (Holm).",
    "Hero strengths are additive: they leave out what heroes gain from each other or lose "
    "against particular ones.",
    "Skill levels share their random streams, so that comparing them is, if anything, cautious.",
    "All results hold for these agents, rosters and arenas, not for people or for other agents.",
)


def method_section(context: Context) -> Section:
    """Agents, samples, what could have been seen, what is assumed."""
    design = context.analysis.design
    drafted = not any(cell.teams for cell in design.cells)
    agents = listed([design.levels[level] for level in context.played])
    lead = (
        f"Mode {context.manifest['mode']['name']}, {design.seats} seats, {design.sides} "
        f"sides. Agents: {agents}. "
        f"Rosters: {'drafted (' + _drafts(context) + ')' if drafted else 'given teams'}. "
        f"Arenas: {listed([context.arena(arena) for arena in design.arenas])}."
    )
    one = {"pairs": "pair", "rotations": "rotation"}[context.unit]
    even = "\u00bd" if design.sides == 2 else f"1/{design.sides}"
    text = "\n".join(line.format(unit=one, one=one, even=even) for line in ASSUMPTIONS)
    return Section("method", "Method", lead, (_detectable(context), Block("What is assumed", "", text=text)))


def _drafts(context: Context) -> str:
    return listed(sorted({str(cell.get("draft")) for cell in context.manifest["cells"]}))


def _detectable(context: Context) -> Block:
    """What each headline number could have shown at all."""
    rows = []
    for seat in context.analysis.seats:
        level = context.level(seat.level)
        rows.append(("First-seat advantage", level, _limit(seat.detectable), count(seat.places[0].n)))
        strength = context.analysis.strengths[seat.level]
        if isinstance(strength, StrengthTable):
            n = strength.heroes[0].effect.n
            rows.append(("Strength of a hero (median)", level, _limit(strength.detectable), count(n)))
        for table in context.analysis.teams if isinstance(context.analysis.teams, tuple) else ():
            if isinstance(table, TeamTable) and table.level == seat.level:
                n = table.teams[0].score.n
                rows.append(("Mean score of a team (median)", level, _limit(table.detectable), count(n)))
    head = ("Question", "Skill", "Smallest effect found", context.unit.title())
    caption = "The true effect that a two-sided 5 % test finds with 80 % power: 2.8 standard errors, "
    caption += "before adjusting "
    caption += "for many heroes or teams. Anything smaller may be there unseen."
    return Block("What this run could have seen", caption, Table(head, tuple(rows), text=2))


def _limit(value: float) -> str:
    return points(value, 2).lstrip("+")


def notices(context: Context) -> tuple[Notice, ...]:
    """Assumed and changed numbers, grouped by what they belong to."""
    found = []
    everything = _total_by_group(context.manifest)
    for key, verb in (
        ("changed", "changed from the shipped configuration"),
        ("assumed", "assumed: nobody printed them"),
    ):
        numbers = [_as_number(entry) for entry in context.manifest.get(key) or ()]
        if numbers:
            groups = listed(_grouped(numbers, everything))
            text = f"{groups[:1].upper()}{groups[1:]} {'is' if len(numbers) == 1 else 'are'} {verb}."
            found.append(Notice(text, _items(numbers, key)))
    return tuple(found)


def _as_number(entry: Any) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {"path": str(entry)}


def _total_by_group(manifest: Mapping[str, Any]) -> dict[str, int]:
    numbers = ((manifest.get("plan") or {}).get("ruleset") or {}).get("numbers") or ()
    totals: dict[str, int] = {}
    for number in numbers:
        totals[_group(number["path"])] = totals.get(_group(number["path"]), 0) + 1
    return totals


def _group(path: str) -> str:
    return path.split(".", 1)[0]


def _grouped(numbers: Sequence[Mapping[str, Any]], totals: Mapping[str, int]) -> list[str]:
    words = {"heroes": "hero number", "arenas": "arena map", "rules": "rule", "teams": "team"}
    counted: dict[str, int] = {}
    for number in numbers:
        counted[_group(str(number["path"]))] = counted.get(_group(str(number["path"])), 0) + 1
    return [
        ("all " if n == totals.get(group) and n > 1 else "")
        + plural(n, words.get(group, f"number of {group}"))
        for group, n in counted.items()
    ]


def _items(numbers: Sequence[Mapping[str, Any]], key: str) -> tuple[str, ...]:
    lines = []
    for number in numbers:
        value = number.get("value")
        shown = (
            ""
            if isinstance(value, str) and "\n" in value or isinstance(value, list | dict)
            else f" = {value}"
        )
        was = (
            f" (shipped: {number.get('shipped')})"
            if key == "changed" and not isinstance(number.get("shipped"), list | dict)
            else ""
        )
        lines.append(f"{number['path']}{shown}{was}")
    return tuple(lines)


def provenance(context: Context) -> tuple[tuple[str, str], ...]:
    """Facts that identify the rows behind the page."""
    manifest = context.manifest
    versions = ", ".join(f"{name} {version}" for name, version in (manifest.get("versions") or {}).items())
    facts = [
        ("Game", f"{manifest.get('title', manifest['game'])} {manifest.get('game_version', '')}".strip()),
        ("Seed", str(manifest.get("seed"))),
        ("Digest of the rows", str(manifest.get("digest") or "none yet: the run is not complete")),
        ("Configuration", str(manifest.get("config_hash"))),
        ("Rules kernel", str(manifest.get("kernel_hash"))),
        ("Versions", versions),
        ("Git revision", str(manifest.get("git") or "none")),
    ]
    return tuple(facts)
