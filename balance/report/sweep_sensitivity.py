"""Exhibits of a sweep that is a design: Sobol indices and Morris' elementary effects."""

from __future__ import annotations

from balance.report.sweep_blocks import SweepContext
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import number, points, points_range
from balance.stats.estimate import Estimate, Refusal
from balance.stats.sensitivity import MORRIS
from balance.study.sweep_data import Metric

FEW_POINTS = 32
FEW_WORDS = "So few points leave much open, whatever the intervals say. "


def sensitivity_section(context: SweepContext) -> Section:
    """Sobol indices and Morris' effects, where the runs are such a design."""
    blocks: list[Block] = []
    refused: list[str] = []
    for metric in context.targets():
        found = context.data.sensitivity(metric)
        if isinstance(found.sobol, Refusal):
            refused.append(f"{found.sobol.reason} {found.sobol.instead}")
        else:
            blocks.append(_sobol_block(context, metric, found.sobol))
        if isinstance(found.morris, Refusal):
            refused.append(f"{found.morris.reason} {found.morris.instead}")
        else:
            blocks.append(_morris_block(context, metric, found.morris))
    lead = "Shares of the variance over the runs that come from each number alone, and with its interactions."
    return Section(
        "sensitivity", "Sensitivity", lead if blocks else "", tuple(blocks), tuple(dict.fromkeys(refused))
    )


def _sobol_block(context: SweepContext, metric: Metric, found: tuple) -> Block:  # type: ignore[type-arg]
    series = [
        {
            "name": name,
            "values": [getattr(one, f"shown_{kind}") for one in found],
            "low": [min(max(getattr(one, kind).low, 0), 1) for one in found],
            "high": [min(max(getattr(one, kind).high, 0), 1) for one in found],
        }
        for name, kind in (("alone", "first"), ("with interactions", "total"))
    ]
    lines = tuple(
        (one.name, *(cell for e in (one.first, one.total) for cell in (number(e.value, 2), _ends(e))))
        for one in found
    )
    head = ("Number", "Alone", "95 % interval", "With interactions", "95 % interval")
    best = max(found, key=lambda one: one.total.value)
    alt = f"Sobol indices of {context.full_label(metric)}; {best.name} has the largest share with "
    alt += f"interactions, {number(best.total.value, 2)}."
    caption = f"n = {found[0].first.n} points of the design ({len(context.data.cells)} runs). "
    caption += FEW_WORDS if found[0].first.n < FEW_POINTS else ""
    caption += "Method: "
    caption += (
        f"{found[0].first.method}. Noise of the games counts as interaction; bars are clipped to 0 and 1."
    )
    chart = Chart("sobol_bars", {"labels": [one.name for one in found], "series": series}, alt)
    return Block(f"{context.full_label(metric)}: Sobol indices", caption, Table(head, lines), chart)


def _ends(estimate: Estimate) -> str:
    return f"{number(estimate.low, 2)} to {number(estimate.high, 2)}"


def _morris_block(context: SweepContext, metric: Metric, found: tuple) -> Block:  # type: ignore[type-arg]
    dots = [
        {
            "label": one.name,
            "x": 100 * one.mean_absolute.value,
            "low": 100 * one.mean_absolute.low,
            "high": 100 * one.mean_absolute.high,
        }
        for one in sorted(found, key=lambda one: -one.mean_absolute.value)
    ]
    lines = tuple(
        (
            one.name,
            points(one.mean_absolute.value).lstrip("+"),
            points_range(one.mean_absolute),
            points(one.mean),
            points(one.sd).lstrip("+"),
        )
        for one in found
    )
    head = ("Number", "Mean size of effect", "95 % interval", "Mean effect", "SD of effects")
    alt = f"Elementary effects on {context.full_label(metric)}; {dots[0]['label']} has the largest."
    caption = f"Effect of moving a number over its whole range, {found[0].mean_absolute.n} walks. Method: "
    caption += f"{MORRIS}. Noise of the games adds to every size."
    series = [{"name": "Mean size", "points": dots}]
    chart = Chart("forest", {"series": series, "zero": 0.0, "unit": "pp of score"}, alt)
    return Block(f"{context.full_label(metric)}: elementary effects", caption, Table(head, lines), chart)
