"""What `balance ladder` prints when it has played: shares, strengths, steps, path and next command."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from balance.play.plan import LoadedPlan
    from balance.play.run import RunResult
    from balance.report.ladder_context import LadderContext
    from balance.study.costs import Cost
    from balance.study.ladder import Claim


def close(
    plan: LoadedPlan, result: RunResult, claims: Sequence[Claim], no_report: bool, as_json: bool
) -> None:
    """Measure costs, write numbers and page, print them; RequirementFailed when a claim is not shown."""
    from balance.cli.playing import outcome
    from balance.report.ladder import headlines_of, ladder_data, write_ladder

    costs = costs_of(plan, result)
    context, _ = write_ladder(result.folder, claims, costs, page=not no_report)
    page = None if no_report else result.folder / "report.html"
    if as_json:
        data = {**outcome(result, page, headlines_of(context)), "ladder": ladder_data(context)}
        typer.echo(json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False))
    else:
        if not result.played:
            typer.echo(f"{result.folder} holds this ladder already, complete; nothing was played", err=True)
        from balance.store.write import shell_name

        for line in lines(context):
            typer.echo(line)
        typer.echo(f"{page or result.folder}  (digest {result.digest})")
        typer.echo(f"next: balance {'report' if no_report else 'show'} {shell_name(result.folder)}")
    refuse(context)


def costs_of(plan: LoadedPlan, result: RunResult) -> tuple[Cost, ...]:
    """What the agents cost: as measured when this ladder was played, else measured now."""
    from balance.report.ladder import measured_costs
    from balance.study.costs import measure

    return measured_costs(result.folder, result.digest) or measure(plan)


def lines(context: LadderContext) -> Iterator[str]:
    """The tables of shares, strengths and cost, then what came out."""
    from balance.report.ladder_shares import contests_section
    from balance.report.ladder_view import cost_block, strength_section
    from balance.report.terminal import WIDTH, clean, table_lines

    for block in (
        *contests_section(context).blocks,
        *strength_section(context).blocks,
        cost_block(context),
    ):
        if block.table:
            yield from table_lines(block.table)
        yield ""
    if context.ladder.scale.separated:
        for text in context.words.groups().split("\n"):
            yield from textwrap.wrap(clean(text), WIDTH)
        yield ""
    for finding in context.words.findings(context.claims):
        yield clean(finding.text)


def refuse(context: LadderContext) -> None:
    """Raise RequirementFailed when a lower bound is below what was required."""
    from balance.errors import RequirementFailed

    failed = [one for one in context.claims if not one.holds]
    if failed:
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        hint = "more pairs raise the bound" if all(one.upper >= one.claim.least for one in failed) else ""
        raise RequirementFailed(f"not shown: {context.words.claim(failed[0])}{more}", hint)
