"""The page of a comparison as frozen data: differences first, then what was changed, then every number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.report.compare_blocks import (
    changed_section,
    differences_section,
    heroes_section,
    overlap_block,
    play_section,
    seats_section,
    teams_section,
    value_words,
)
from balance.report.compare_context import CompareContext
from balance.report.compare_findings import compare_findings, cut
from balance.report.portraits import portraits
from balance.report.sections_method import agent_lines, notices_of
from balance.report.view import Block, Notice, Section, View
from balance.report.words import count, listed, percent
from balance.study.comparable import ruleset_in

KIND = "Comparison of two runs"
READING = (
    "Candidate less base, in pp: percentage points, of the score out of 100 %. Scores are ordered by the "
    "size that is sure: the end of the 95 % interval nearest to no difference. Robust: the sign is shown at "
    "the neighbouring skill levels too. Skill-dependent: a neighbour shows the opposite or clearly less. "
    "Open: a neighbour neither shows nor contradicts it."
)
ASSUMPTIONS = (
    "Streams are keyed by the seed and by what is set up, never by rules or agents. So a pair of one run "
    "meets the same deals and dice in the other, and is compared with itself; what differs is what was "
    "changed.",
    "Cells on other streams (another seed, other rosters or another draft) are compared as two samples, with "
    "wider intervals.",
    "Only cells that both runs have are compared, and on common streams only pairs that both have; cells "
    "count alike.",
    "Strengths are fitted in each run; the error of their difference is that of the paired differences, "
    "clustered by {unit}. A strength is measured against the mean hero, so that one hero's loss is shared "
    "out as a small gain of all others.",
    "p-values are adjusted within each kind of question and skill level: Holm for named questions (heroes, "
    "teams, arenas' first seat, endings, length, columns), Benjamini-Hochberg for grids (matchups, heroes by "
    "arena, what heroes did). Intervals hold 95 % each for itself.",
    "A difference is not a verdict: with many games the smallest one is beyond noise. Results hold for these "
    "agents, rosters and arenas.",
)
APART = (
    "The runs share no random streams (the seeds are {seeds}): they are compared as two samples, and the "
    "intervals are wide. With the same seed each pair would be compared with itself."
)
SOME_APART = (
    "{apart} of {cells} common cells were played on other streams (other rosters or another draft) and are "
    "compared as two samples."
)
ADAPTIVE = (
    "A run that ended by itself chose its cells' pairs by what it had seen; the intervals here do not allow "
    "for that."
)
RELABELLED = (
    "No skill level has the same agents in both runs, so levels stand against each other in order: {}."
)


def compare_view(context: CompareContext) -> View:
    """All words and tables of the page."""
    comparison = context.comparison
    base, candidate = comparison.base, comparison.candidate
    sections = (
        differences_section(context),
        changed_section(context),
        heroes_section(context),
        seats_section(context),
        teams_section(context),
        play_section(context),
        method_section(context),
    )
    one, two = context.folders
    return View(
        str(base.manifest.get("title") or base.manifest["game"]),
        f"{base.name} against {candidate.name}",
        _facts(context),
        notices(context),
        compare_findings(context),
        tuple(section for section in sections if section),
        (),
        provenance(context),
        f"balance compare {one} {two}",
        f"balance verify {two}",
        partial=_partial(context),
        more=cut(context),
        kind=KIND,
        reading=READING,
        portraits=portraits({hero: context.named("heroes", hero) for hero in base.design.heroes}),
    )


def _facts(context: CompareContext) -> tuple[tuple[str, str], ...]:
    comparison, sizes = context.comparison, context.comparison.sizes
    streams = "common" if not sizes.apart else "not common" if not sizes.paired else "partly common"
    altered = (("Scores changed in", percent(sizes.altered / sizes.common)),) if sizes.common else ()
    return (
        (f"{context.unit.capitalize()} compared", count(sizes.pairs)),
        ("Random streams", streams),
        *altered,
        ("Cells in common", str(sizes.paired + sizes.apart)),
        ("Mode", str(comparison.base.manifest["mode"]["name"])),
        ("Skill", listed([context.level(level) for level in comparison.levels])),
    )


def notices(context: CompareContext) -> tuple[Notice, ...]:
    """What was changed, how far the runs can be compared, and the assumed numbers of the base."""
    comparison = context.comparison
    found = []
    changed = [entry for entry in comparison.changed if entry.path != "seed"]
    if changed:
        numbers = ruleset_in(comparison.base.manifest).get("numbers") or ()
        guesses = {number["path"] for number in numbers if number["source"] == "assumed"}
        named = ", ".join(
            f"{entry.path} {value_words(entry.before)}{' (assumed)' if entry.path in guesses else ''} -> "
            f"{value_words(entry.after)}"
            for entry in changed[:5]
        )
        more = f", + {len(changed) - 5} more" if len(changed) > 5 else ""
        items = tuple(
            f"{entry.path}: {value_words(entry.before)} -> {value_words(entry.after)}" for entry in changed
        )
        found.append(Notice(f"Changed: {named}{more}.", items))
    found += [Notice(text, ()) for text in _limits(context)]
    manifest = {**comparison.base.manifest, "changed": ()}
    return (*found, *notices_of(manifest, comparison.base.design.arenas))


def _limits(context: CompareContext) -> list[str]:
    comparison, sizes = context.comparison, context.comparison.sizes
    runs = (comparison.base.manifest, comparison.candidate.manifest)
    found = []
    if not sizes.paired:
        found.append(APART.format(seeds=listed([str(run["seed"]) for run in runs])))
    elif sizes.apart:
        found.append(SOME_APART.format(apart=sizes.apart, cells=sizes.apart + sizes.paired))
    if comparison.common.relabelled:
        found.append(RELABELLED.format(listed(list(context.levels))))
    if any(run.get("looks") for run in runs):
        found.append(ADAPTIVE)
    return found


def _partial(context: CompareContext) -> str:
    runs = zip(context.folders, (context.comparison.base, context.comparison.candidate), strict=True)
    open_ = [name for name, run in runs if not run.manifest.get("complete")]
    if not open_:
        return ""
    verb = "is" if len(open_) == 1 else "are"
    return (
        f"{listed(open_)} {verb} not complete; only what was played is compared. "
        f"Go on with: balance resume {open_[0]}"
    )


def method_section(context: CompareContext) -> Section:
    """What is compared, the agents, and what is assumed."""
    comparison = context.comparison
    one = context.unit.removesuffix("s")
    labels = " ".join(label for run in (comparison.base, comparison.candidate) for label in run.design.levels)
    text = "\n".join(line.format(unit=one) for line in ASSUMPTIONS)
    blocks = (
        overlap_block(context),
        *agent_lines(labels, comparison.base.manifest),
        Block("What is assumed", "", text=text),
    )
    return Section("method", "Method", "", blocks)


def provenance(context: CompareContext) -> tuple[tuple[str, str], ...]:
    """Facts that identify the rows of both runs."""
    found: list[tuple[str, str]] = []
    for word, run in (("Base", context.comparison.base), ("Candidate", context.comparison.candidate)):
        found += [(f"{word}: {label}", value) for label, value in _identity(run.manifest)]
    return tuple(found)


def _identity(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        ("seed", str(manifest.get("seed"))),
        ("digest of the rows", str(manifest.get("digest") or "none yet: the run is not complete")),
        ("configuration", str(manifest.get("config_hash"))),
        ("rules kernel", str(manifest.get("kernel_hash"))),
    ]
