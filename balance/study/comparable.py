"""Whether two runs can be compared, which cells they share, and what their plans do differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.errors import UsageError
from balance.stats.design import Design
from balance.stats.run_gaps import Twin
from balance.store.read import Run, open_played
from balance.store.write import shell_name

YAML = (".yaml", ".yml")
GROUPS = ("rules", "heroes", "arenas", "teams", "agents", "plan")
IGNORED = ("name", "note", "configs", "part_pairs", "until")  # of a plan: they change no game
SAID_ELSEWHERE = ("rules", "heroes")  # of a plan: overrides, which the numbers show


@dataclass(frozen=True)
class Changed:
    """Something that two plans do differently.

    Attributes
    ----------
    group : str
        One of :data:`GROUPS`.
    path : str
        As ``--set`` takes it, where it can be set.
    before, after : object
        Plain data; None where only one of the runs has it.
    """

    group: str
    path: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Common:
    """What two runs have in common.

    Attributes
    ----------
    levels : tuple of (int, int)
        Skill levels that belong together, by number in either run.
    relabelled : bool
        Whether levels of other agents stand against each other, because none has the same label.
    twins : tuple of Twin
        Cells of both, in the order of the base.
    only_base, only_candidate : tuple of str
        Cells of one only, in words.
    """

    levels: tuple[tuple[int, int], ...]
    relabelled: bool
    twins: tuple[Twin, ...]
    only_base: tuple[str, ...]
    only_candidate: tuple[str, ...]


def open_side(path: Path) -> Run:
    """A run folder that can be compared.

    Raises
    ------
    UsageError
        A plan file, or the folder of a ladder.
    RunError
        There is no run, or it has no games yet.
    EnvironmentFault
        A part is damaged.
    """
    from balance.play.ladder import is_ladder

    if path.suffix.lower() in YAML or path.is_file():
        raise UsageError(
            f"{path} is a file: compare takes the folders of runs",
            f"run both plans first, such as: balance run {shell_name(path)} -o reports/{path.stem}; "
            "then: balance compare reports/BASE reports/CANDIDATE",
        )
    inner = path / "baseline"
    if not (path / "manifest.json").exists() and (inner / "manifest.json").exists():
        raise UsageError(f"{path} is a folder of balance value", f"compare its runs, such as {inner}")
    run = open_played(path)
    if is_ladder(run.manifest):
        raise UsageError(
            f"{path} holds a ladder, and a ladder has no rosters to compare",
            f"read it with: balance show {shell_name(path)}",
        )
    return run


def common_of(base: Run, candidate: Run, designs: tuple[Design, Design]) -> Common:
    """Cells that both runs have.

    Raises
    ------
    UsageError
        Another game or mode, or no cell in common.
    """
    for key, one, two in _identity(base.manifest, candidate.manifest):
        if one != two:
            raise UsageError(
                f"{base.folder} and {candidate.folder} cannot be compared: another {key} ({one}, {two})",
                f"compare runs of one {key}",
            )
    levels, relabelled = matched_levels(designs[0].levels, designs[1].levels)
    places = [_places(run.manifest) for run in (base, candidate)]
    pairs = {two: one for one, two in levels}
    there = {
        (pairs[level], arena, teams): number
        for (level, arena, teams), number in places[1].items()
        if level in pairs
    }
    numbers = {one: place for place, (one, _) in enumerate(levels)}
    twins = tuple(
        Twin(number, there[place], numbers[place[0]], _same_streams(base, candidate, number, there[place]))
        for place, number in places[0].items()
        if place in there
    )
    twins = tuple(twin for twin in twins if _has_pairs(base, candidate, twin))
    if not twins:
        raise _nothing_common(base, candidate, designs)
    held = {twin.base for twin in twins}, {twin.candidate for twin in twins}
    alone = [
        tuple(
            cell_words(design, run, number) for number in sorted(places[k].values()) if number not in held[k]
        )
        for k, (design, run) in enumerate(zip(designs, (base, candidate), strict=True))
    ]
    return Common(levels, relabelled, twins, alone[0], alone[1])


def _identity(base: Mapping[str, Any], candidate: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [
        ("game", str(base["game"]), str(candidate["game"])),
        ("mode", str(base["mode"]["name"]), str(candidate["mode"]["name"])),
        ("order of seats", str(base["mode"]["seatings"]), str(candidate["mode"]["seatings"])),
    ]


def matched_levels(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Levels of two runs that belong together, and whether it is by their order.

    Equal labels belong together. If there are none, and as many levels, the agents themselves are what is
    compared, and the levels stand against each other in order.
    """
    equal = tuple((place, two.index(label)) for place, label in enumerate(one) if label in two)
    if equal or len(one) != len(two):
        return equal, False
    return tuple((place, place) for place in range(len(one))), True


Place = tuple[int, str, tuple[str, ...]]


def _places(manifest: Mapping[str, Any]) -> dict[Place, int]:
    """Level, arena and teams of every cell, with its number."""
    return {
        (cell["level"], cell["arena"], tuple(cell["teams"] or ())): cell["cell"] for cell in manifest["cells"]
    }


def _cell(run: Run, number: int) -> Mapping[str, Any]:
    return next(cell for cell in run.manifest["cells"] if cell["cell"] == number)


def _same_streams(base: Run, candidate: Run, one: int, two: int) -> bool:
    """Streams are keyed by the seed and by what is set up, never by rules or agents."""
    keys = _cell(base, one).get("setup_key"), _cell(candidate, two).get("setup_key")
    return base.manifest["seed"] == candidate.manifest["seed"] and keys[0] is not None and keys[0] == keys[1]


def _has_pairs(base: Run, candidate: Run, twin: Twin) -> bool:
    """Whether both have games there: with common streams, games of the same pairs."""
    held = [
        {(part["first_pair"], part["first_pair"] + part["pairs"]) for part in run.manifest["parts"]
         if part["cell"] == number}
        for run, number in ((base, twin.base), (candidate, twin.candidate))
    ]  # fmt: skip
    if not twin.paired:
        return all(held)
    return any(low < end and start < high for low, high in held[0] for start, end in held[1])


def _nothing_common(base: Run, candidate: Run, designs: tuple[Design, Design]) -> UsageError:
    """What each run has, so that the reader sees why nothing fits."""
    words = [
        f"{run.folder} has {'; '.join(cell_words(design, run, cell.number) for cell in design.cells[:3])}"
        + (" ..." if len(design.cells) > 3 else "")
        for run, design in zip((base, candidate), designs, strict=True)
    ]
    return UsageError(
        f"the two runs have no cell in common: {words[0]}; {words[1]}",
        "a cell is a skill level, an arena and the teams; play both plans with the same of these",
    )


def cell_words(design: Design, run: Run, number: int) -> str:
    """A cell in words: level, arena and teams."""
    cell = _cell(run, number)
    teams = f", {' against '.join(cell['teams'])}" if cell["teams"] else ""
    return f"{design.levels[cell['level']]} in {cell['arena']}{teams}"


def changed_of(base: Mapping[str, Any], candidate: Mapping[str, Any]) -> tuple[Changed, ...]:
    """What two manifests do differently, by group and path."""
    found = _numbers(base, candidate)
    told = {entry.path for entry in found}
    one, two = (_settings(manifest) for manifest in (base, candidate))
    for path in dict.fromkeys((*one, *two)):
        if one.get(path) != two.get(path) and path not in told:
            group = "agents" if path.split(".")[0] in ("agents", "weights", "restrict") else "plan"
            found.append(Changed(group, path, one.get(path), two.get(path)))
    found += _titles(base, candidate, told)
    for key, path in (("game_version", "game version"), ("kernel_hash", "rules kernel")):
        if base.get(key) != candidate.get(key):
            found.append(Changed("rules", path, base.get(key), candidate.get(key)))
    return tuple(sorted(found, key=lambda entry: GROUPS.index(entry.group)))


def ruleset_in(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """The ruleset that a run was played with, as plain data; empty where a manifest has none."""
    return (manifest.get("plan") or {}).get("ruleset") or {}


def _numbers(base: Mapping[str, Any], candidate: Mapping[str, Any]) -> list[Changed]:
    """Numbers of the rules that differ; those of one run only have None in the other."""
    one, two = numbers_of(base), numbers_of(candidate)
    shipped = {n["path"]: n.get("shipped") for m in (base, candidate) for n in m.get("changed") or ()}
    found = []
    for path in dict.fromkeys((*one, *two)):
        before, after = (held.get(path, shipped.get(path)) for held in (one, two))
        if before != after:
            group = path.split(".")[0]
            found.append(Changed(group if group in GROUPS else "rules", path, before, after))
    return found


def numbers_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Every number of a run's rules by path; of manifests without them those that are listed as changed."""
    held = ruleset_in(manifest).get("numbers") or manifest.get("changed") or ()
    return {number["path"]: number["value"] for number in held}


def _settings(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The plan's own settings, and the agents' weights, as flat paths."""
    plan = manifest.get("plan") or {}
    found = {
        key: value
        for key, value in (plan.get("plan") or {}).items()
        if key not in IGNORED and key not in SAID_ELSEWHERE
    }
    if not plan:  # only what the head says
        found = {"agents": list(manifest["levels"]), "seed": manifest["seed"]}
    flat = {f"rosters.{team}": heroes for team, heroes in (plan.get("rosters") or {}).items()}
    flat |= _flat("weights", ruleset_in(manifest).get("weights") or {})
    flat |= _flat("agents.yaml", ruleset_in(manifest).get("agents") or {})
    return {**found, **flat}


def _flat(prefix: str, data: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in data.items():
        path = f"{prefix}.{key}"
        found |= _flat(path, value) if isinstance(value, Mapping) else {path: value}
    return found


def _titles(base: Mapping[str, Any], candidate: Mapping[str, Any], told: set[str]) -> list[Changed]:
    """Heroes, arenas and teams that differ in what no number says: ability text, map, members."""
    found = []
    for group, key in (("heroes", "text"), ("arenas", "rows"), ("teams", "heroes")):
        one, two = (ruleset_in(manifest).get(group) or {} for manifest in (base, candidate))
        for slug in dict.fromkeys((*one, *two)):
            before, after = (held.get(slug, {}).get(key) for held in (one, two))
            if before != after and f"{group}.{slug}" not in told:
                found.append(Changed(group, f"{group}.{slug}", before, after))
    return found
