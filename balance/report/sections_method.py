"""Method page, notices about assumed numbers, and provenance."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from balance.report.looks import looks_blocks
from balance.report.names import Context
from balance.report.view import Block, Notice, Section, Table
from balance.report.words import count, listed, percent, plural, points
from balance.stats.heroes import StrengthTable
from balance.stats.teams import TeamTable
from balance.study.comparable import ruleset_in

ASSUMPTIONS = (
    "The sampling unit is the {unit}: the same rosters, arena and random streams, played "
    "once from every seat. "
    "Games of one {one} are never treated as independent.",
    "A game without a winner counts {even} for every side.",
    "Intervals hold 95 % each. Where many heroes or teams are tested at once, p-values are adjusted (Holm).",
    "Hero strengths add up: what heroes gain from each other or lose against particular ones is left out "
    "of them, and whether that is good enough is checked on matchups that were not fitted.",
    "Skill levels share their random streams, so they are compared pair by pair.",
    "All results hold for these agents, rosters and arenas, not for people or for other agents.",
)

RANDOM = "random: every decision is drawn from the legal ones, each alike."
GREEDY = "{label}: looks through the ends of its own turn and takes the best, without looking at answers."
ONE_PLY = "{label}: takes the best of its single actions, by the mean over the dice, without looking further."
SEARCHERS = {
    "flat": "{label}: plays on from each of its choices, {n} times in all, and takes the best on average.",
    "mcts": "{label}: looks ahead in a tree of its own and others' choices, {n} simulations a decision.",
}
FOUND_GREEDY = r"(?<![=\w])greedy(?::([\d.]+))?(?: horizon=(ply|turn))?"
MOST_CHANGES = 5  # named in the closed bar


def method_section(context: Context) -> Section:
    """Agents, samples, what could have been seen, what is assumed."""
    design = context.analysis.design
    drafted = not any(cell.teams for cell in design.cells)
    rosters = f"drafted ({_drafts(context)})" if drafted else "given teams"
    if not design.heroes:
        rosters = "none, as the game has no heroes"
    agents = listed([design.levels[level] for level in context.played])
    lead = (
        f"Mode {context.manifest['mode']['name']}, {design.seats} seats, {design.sides} "
        f"sides. Agents: {agents}. "
        f"Rosters: {rosters}. "
        f"Arenas: {listed([context.arena(arena) for arena in design.arenas])}."
    )
    one = {"pairs": "pair", "rotations": "rotation"}[context.unit]
    even = "\u00bd" if design.sides == 2 else f"1/{design.sides}"
    text = "\n".join(line.format(unit=one, one=one, even=even) for line in ASSUMPTIONS)
    looks = looks_blocks(context.manifest, context.unit)
    blocks = (_detectable(context), *looks, *_agents(context), Block("What is assumed", "", text=text))
    return Section("method", "Method", lead, blocks)


def _agents(context: Context) -> tuple[Block, ...]:
    """What the agents of the run do, for each kind that played."""
    labels = " ".join(context.analysis.design.levels[level] for level in context.played)
    return agent_lines(labels, context.manifest)


def agent_lines(labels: str, manifest: Mapping[str, Any]) -> tuple[Block, ...]:
    """What the agents with these labels do, with the settings that their game gives them."""
    far = ((ruleset_in(manifest).get("agents") or {}).get("greedy") or {}).get("horizon", "turn")
    lines = [RANDOM] if re.search(r"(?<![=\w])random\b", labels) else []
    for chance, horizon in dict.fromkeys(re.findall(FOUND_GREEDY, labels)):
        one_ply = (horizon or far) == "ply"
        label = f"greedy:{chance}" if chance else "greedy"
        share = float(chance.rstrip(".") or 0) if chance else 0.0
        what = "decisions" if one_ply else "turns"
        often = f" In {percent(share, 0 if share >= 0.01 else 1)} of its {what} it plays at random instead."
        lines.append((ONE_PLY if one_ply else GREEDY).format(label=label) + (often if share else ""))
    for kind, simulations in dict.fromkeys(re.findall(r"(?<![=\w])(flat|mcts):(\d+)", labels)):
        lines.append(SEARCHERS[kind].format(n=f"{int(simulations):,}", label=f"{kind}:{simulations}"))
    return (Block("The agents", "", text="\n".join(lines)),) if lines else ()


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
    shown = Table(head, tuple(rows), text=2)
    return Block("What this run could have seen", caption, shown, text=_more_games(context))


def _more_games(context: Context) -> str:
    """Errors fall with the root of the sample, so half an interval takes four times the games."""
    if context.manifest.get("looks"):
        return "To halve these intervals takes four times the games: ask for half the width (`--until-ci`)."
    pairs = sum(int(cell["pairs"]) for cell in context.manifest["cells"])
    games = 4 * pairs * len(context.analysis.design.seatings)
    return f"To halve these intervals, play four times as many games: `--games {games}`."


def _limit(value: float) -> str:
    return points(value, 2).lstrip("+")


def notices(context: Context) -> tuple[Notice, ...]:
    """Assumed and changed numbers, grouped by what they belong to."""
    return notices_of(context.manifest, context.analysis.design.arenas)


def notices_of(manifest: Mapping[str, Any], arenas: Sequence[str]) -> tuple[Notice, ...]:
    """As :func:`notices`, of a manifest and the arenas that were played."""
    found = []
    everything = _total_by_group(manifest, arenas)
    for key, verb in (
        ("changed", "changed from the shipped configuration"),
        ("assumed", "assumed: nobody printed them"),
    ):
        numbers = [_as_number(entry) for entry in manifest.get(key) or ()]
        if key == "assumed":
            numbers = [number for number in numbers if _played(str(number["path"]), arenas)]
        if numbers:
            groups = listed(_grouped(numbers, everything, " played here" if key == "assumed" else ""))
            text = f"{groups[:1].upper()}{groups[1:]} {'is' if len(numbers) == 1 else 'are'} {verb}."
            if key == "changed":
                text = f"Changed: {_changes(numbers)}. {text}"
            found.append(Notice(text, _items(numbers, key)))
    return tuple(found)


def _changes(numbers: Sequence[Mapping[str, Any]]) -> str:
    """The first changes with both values: ``heroes.a.maximum 4 -> 6``."""
    more = len(numbers) - MOST_CHANGES
    named = ", ".join(map(_change, numbers[:MOST_CHANGES]))
    return f"{named}, + {more} more" if more > 0 else named


def _change(number: Mapping[str, Any]) -> str:
    value, shipped = number.get("value"), number.get("shipped")
    if not (_is_short(value) and _is_short(shipped)):
        return str(number["path"])
    return f"{number['path']} {'(new)' if shipped is None else shipped} -> {value}"


def _is_short(value: Any) -> bool:
    """Whether a value can be read inside a line: no list, no map, no drawing of an arena."""
    return not isinstance(value, list | dict) and len(str(value)) <= 40 and "\n" not in str(value)


def _played(path: str, arenas: Sequence[str]) -> bool:
    """Whether a number was in play: all but the arenas that the run left out."""
    return _group(path) != "arenas" or path.split(".")[1:2] == [] or path.split(".")[1] in arenas


def _as_number(entry: Any) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {"path": str(entry)}


def _total_by_group(manifest: Mapping[str, Any], arenas: Sequence[str]) -> dict[str, int]:
    numbers = ruleset_in(manifest).get("numbers") or ()
    totals: dict[str, int] = {}
    for number in numbers:
        if not _played(str(number["path"]), arenas):
            continue
        totals[_group(number["path"])] = totals.get(_group(number["path"]), 0) + 1
    return totals


def _group(path: str) -> str:
    return path.split(".", 1)[0]


def _grouped(numbers: Sequence[Mapping[str, Any]], totals: Mapping[str, int], played: str = "") -> list[str]:
    """Counts by what the numbers belong to; `played` is said of arenas."""
    words = {"heroes": "hero number", "arenas": "arena map", "rules": "rule", "teams": "team"}
    counted: dict[str, int] = {}
    for number in numbers:
        counted[_group(str(number["path"]))] = counted.get(_group(str(number["path"])), 0) + 1
    return [
        ("all " if n == totals.get(group) and n > 1 else "")
        + plural(n, words.get(group, f"{group.removesuffix('s')} number"))
        + (played if group == "arenas" else "")
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
    return provenance_of(context.manifest)


def provenance_of(manifest: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """As :func:`provenance`, of a manifest."""
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
