"""The page of a sweep as frozen data: effects first, then which number matters, then every run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from balance.report.build import folder_name
from balance.report.compare_findings import SEEN
from balance.report.compare_view import notices as compare_notices
from balance.report.portraits import portraits
from balance.report.sections_method import agent_lines
from balance.report.sweep_blocks import (
    SweepContext,
    cells_section,
    effects_section,
    number_words,
    tornado_section,
)
from balance.report.sweep_sensitivity import sensitivity_section
from balance.report.view import Block, Finding, Notice, Section, View
from balance.report.words import count, listed, plural, points
from balance.stats.reach import ALPHA, UNCLEAR
from balance.study.sweep_data import Metric, Point

KIND = "Sweep"
MOST_FINDINGS = 8
READING = (
    "pp: percentage points, of the score out of 100 %. Changes are the run less the base, ordered by the "
    "size that is sure: the end of the 95 % interval nearest to no change."
)
ASSUMPTIONS = (
    "Each run is compared with the base: pair by pair where both were played on the same random streams, as "
    "two samples otherwise.",
    "A curve goes through the runs that differ from the base in one number only; between them nothing is "
    "known.",
    "Bands are the 95 % intervals of each run by itself; the change from the base is often surer, because "
    "what the runs share cancels.",
    "p-values are adjusted over all metrics and runs of the sweep (Benjamini-Hochberg): a list to look at, "
    "in which one in twenty is expected to be nothing.",
    "The best of many runs looks better than it is: play it again with another seed before you trust it.",
)


def sweep_view(context: SweepContext) -> View:
    """All words and tables of the page."""
    data, words = context.data, context.words
    manifest = words.comparison.base.manifest
    heroes = words.comparison.base.design.heroes
    folders = [folder_name(cell.folder) for cell in data.cells]
    sections = (
        effects_section(context),
        tornado_section(context),
        sensitivity_section(context),
        cells_section(context),
        _method(context),
    )
    return View(
        str(manifest.get("title") or manifest["game"]),
        f"{len(data.cells)} runs over {_named_numbers(data.parameters)}",
        _facts(context),
        _notices(context),
        sweep_findings(context),
        sections,
        (),
        _provenance(context),
        f"balance compare {' '.join(folders)}",
        f"balance verify {folders[0]}",
        partial=_partial(context),
        kind=KIND,
        reading=READING,
        portraits=portraits({hero: words.named("heroes", hero) for hero in heroes}),
    )


def _named_numbers(paths: Sequence[str]) -> str:
    """The swept numbers by name while they are few."""
    return listed(list(paths)) if len(paths) < 4 else f"{len(paths)} numbers"


def _facts(context: SweepContext) -> tuple[tuple[str, str], ...]:
    data, words = context.data, context.words
    pairs = sum(c.comparison.sizes.candidate_pairs for c in data.cells if c.comparison)
    pairs += data.first.sizes.base_pairs
    return (
        ("Runs", str(len(data.cells))),
        ("Numbers", str(len(data.parameters))),
        (words.unit.capitalize(), count(pairs)),
        ("Mode", str(words.comparison.base.manifest["mode"]["name"])),
        ("Skill", listed([words.level(level) for level in words.comparison.levels])),
    )


def _notices(context: SweepContext) -> tuple[Notice, ...]:
    """The swept numbers with their values, other differences, and what every comparison has to say."""
    data = context.data
    ranges = []
    for place, path in enumerate(data.parameters):
        values = sorted({cell.values[place] for cell in data.cells})
        shown = [number_words(value) for value in values]
        text = listed(shown) if len(shown) <= 8 else f"{shown[0]} to {shown[-1]} ({len(shown)} values)"
        ranges.append(f"{path}: {text}")
    found = [Notice(f"Swept: {'; '.join(ranges[:4])}{' ...' if len(ranges) > 4 else ''}.", tuple(ranges))]
    if data.others:
        text = f"The runs differ in {plural(len(data.others), 'setting')} that "
        text += f"{'is' if len(data.others) == 1 else 'are'} no number: {', '.join(data.others[:5])}."
        found.append(Notice(text, data.others))
    apart = [cell.folder.name for cell in data.cells if cell.comparison and cell.comparison.sizes.apart]
    if apart:
        text = f"Not on the same random streams as the base: {listed(apart[:6])}; compared as two samples."
        found.append(Notice(text, ()))
    assumed = [note for note in compare_notices(context.words) if "assumed" in note.text]
    return (*found, *assumed)


def sweep_findings(context: SweepContext) -> tuple[Finding, ...]:
    """The largest sure change of each followed metric at the highest level, one a metric."""
    found = []
    for metric in context.data.metrics():
        if metric.level != context.top or metric.topic == "length":
            continue
        beyond = [point for point in context.data.points(metric) if point.difference and point.p < ALPHA]
        if beyond:
            found.append(_finding(context, metric, max(beyond, key=_sure)))
    found.sort(key=lambda finding: -finding.sure)
    if found or _length(context):
        return (*found[:MOST_FINDINGS], *_length(context))
    level = context.words.level(context.top)
    text = f"No hero, team or first seat leaves the base beyond noise in any run at {level} play"
    errors = sorted(
        change.detectable
        for cell in context.data.cells
        if cell.comparison
        for topic in ("seats", "heroes", "teams")
        for change in cell.comparison.of(topic, context.top)
        if math.isfinite(change.detectable)
    )
    if errors:
        limit = points(errors[len(errors) // 2]).lstrip("+")
        text += f"; a change of {limit} in one of them {SEEN} (before adjusting)"
    text += "."
    return (Finding("none", text, UNCLEAR, level, 0.0),)


def _length(context: SweepContext) -> tuple[Finding, ...]:
    """The largest sure change of the number of turns; it has no place among scores."""
    for metric in context.metrics("length", context.top):
        beyond = [point for point in context.data.points(metric) if point.difference and point.p < ALPHA]
        if beyond:
            return (replace(_finding(context, metric, max(beyond, key=_sure)), sure=0.0),)
    return ()


def _sure(point: Point) -> float:
    one = point.difference
    return max(0.0, one.low, -one.high) if one else 0.0


def _finding(context: SweepContext, metric: Metric, point: Point) -> Finding:
    """``Hopper: -2.1 pp (-2.8 to -1.4) with heroes.hopper.maximum = 6 at greedy play, from +10.1 pp ...``."""
    assert point.difference is not None  # the base has no change
    data, level = context.data, context.words.level(metric.level)
    moved = [
        f"{path} = {number_words(value)}"
        for path, value, base in zip(data.parameters, point.cell.values, data.base.values, strict=True)
        if value != base
    ]
    base = data.points(metric)[0].value
    where = f"with {listed(moved)}" if moved else f"in {point.cell.folder.name}, with the base's numbers,"
    change, reach = context.change(metric, point)
    text = f"{context.label(metric)}: {change} ({reach}) {where} at {level} play, from "
    text += f"{context.value(metric, base)} to {context.value(metric, point.value)}."
    return Finding(metric.topic, text, "", level, _sure(point), section="effects")


def _partial(context: SweepContext) -> str:
    runs = [context.data.first.base, *(c.comparison.candidate for c in context.data.cells if c.comparison)]
    open_ = [folder_name(run.folder) for run in runs if not run.manifest.get("complete")]
    if not open_:
        return ""
    return f"Not complete: {listed(open_)}. Go on with: balance resume {open_[0]}"


def _method(context: SweepContext) -> Section:
    labels = " ".join(context.words.comparison.base.design.levels)
    return Section(
        "method",
        "Method",
        "",
        (
            *agent_lines(labels, context.words.comparison.base.manifest),
            Block("What is assumed", "", text="\n".join(ASSUMPTIONS)),
        ),
    )


def _provenance(context: SweepContext) -> tuple[tuple[str, str], ...]:
    runs = [context.data.first.base, *(c.comparison.candidate for c in context.data.cells if c.comparison)]
    digests = tuple(
        (f"Digest of {run.name}", str(run.manifest.get("digest") or "none yet: the run is not complete"))
        for run in runs
    )
    base = runs[0].manifest
    return (
        ("Seed of the base", str(base.get("seed"))),
        ("Rules kernel", str(base.get("kernel_hash"))),
        *digests,
    )
