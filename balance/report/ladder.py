"""A ladder's run folder: its numbers in ``ladder.json``, its words in ``summary.md``, its page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from balance.play.ladder import is_ladder
from balance.report.build import folder_name
from balance.report.ladder_context import LadderContext
from balance.report.ladder_view import ladder_view
from balance.report.summary import markdown, plain
from balance.report.view import View
from balance.store.manifest import load
from balance.study.costs import Cost
from balance.study.ladder import Claim, check_claims, ladder_of

NAME = "ladder.json"
FORMAT = 1


def holds_ladder(folder: Path) -> bool:
    """Whether a run folder holds a ladder.

    Raises
    ------
    RunError
        It holds no run.
    """
    return is_ladder(load(Path(folder)).head)


def ladder_context(
    folder: Path, claims: Sequence[Claim] | None = None, costs: Sequence[Cost] | None = None
) -> LadderContext:
    """Read a ladder's run and compute its numbers.

    Parameters
    ----------
    folder : Path
    claims, costs : sequence, optional
        What was required and measured; None for what an earlier ``ladder.json`` of the same rows says.

    Raises
    ------
    RunError
        There is no run, or it has no games yet.
    """
    from balance.store.read import open_played

    run = open_played(folder)
    ladder = ladder_of(run)
    before = _before(folder, run.manifest["digest"])
    asked = [Claim(**one) for one in before.get("asked", [])] if claims is None else claims
    measured = [Cost(**one) for one in before.get("measured", [])] if costs is None else costs
    asked = [claim for claim in asked if {claim.one, claim.other} <= set(ladder.agents)]
    checked = check_claims(ladder, asked)
    return LadderContext(run.manifest, ladder, checked, tuple(measured), folder_name(folder))


def _before(folder: Path, digest: str | None) -> dict[str, Any]:
    """What an earlier ``ladder.json`` of the same rows holds; nothing when there is none."""
    try:
        data = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return data if data["format"] == FORMAT and digest is not None and data["digest"] == digest else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def ladder_headlines(folder: Path) -> list[str]:
    """The lines that say what came out, from the file beside the rows, made when it is missing or old."""
    digest = load(Path(folder)).digest
    known = _before(Path(folder), digest).get("headlines")
    return list(known) if known else headlines_of(write_ladder(folder, page=False)[0])


def measured_costs(folder: Path, digest: str) -> tuple[Cost, ...]:
    """Costs that an earlier ``ladder.json`` of the same rows holds."""
    return tuple(Cost(**one) for one in _before(folder, digest).get("measured", []))


def ladder_data(context: LadderContext) -> dict[str, Any]:
    """Everything as plain data; numbers that do not exist are null."""
    manifest, ladder = context.manifest, context.ladder
    scale = ladder.scale
    return {
        "format": FORMAT,
        "game": manifest["game"],
        "name": manifest.get("name"),
        "complete": bool(manifest.get("complete")),
        "digest": manifest.get("digest"),
        "seed": manifest.get("seed"),
        "agents": list(ladder.agents),
        "unit": ladder.unit,
        "games": ladder.games,
        "pairs": ladder.pairs,
        "headlines": headlines_of(context),
        "strengths": [{**plain(one), "agent": ladder.agents[one.agent]} for one in scale.strengths],
        "separated": scale.separated,
        "encounters": [{**plain(met), "verdict": met.verdict} for met in ladder.encounters],
        "steps": [[step.one, step.other, step.verdict] for step in ladder.steps()],
        "required": [{**plain(one), "holds": one.holds} for one in context.claims],
        "asked": [plain(one.claim) for one in context.claims],
        "measured": [plain(one) for one in context.costs],
    }


def headlines_of(context: LadderContext) -> list[str]:
    """Requirements and steps, a line each."""
    return [one.text for one in context.words.findings(context.claims)]


def write_ladder(
    folder: Path,
    claims: Sequence[Claim] | None = None,
    costs: Sequence[Cost] | None = None,
    page: bool = True,
) -> tuple[LadderContext, View]:
    """Write ``ladder.json``, ``summary.md`` and, with `page`, ``report.html``.

    Raises
    ------
    RunError
        No run, or no games yet.
    EnvironmentFault
        Damaged rows, or the disk cannot be written to.
    """
    from balance.report.page import NAME as PAGE
    from balance.report.page import render
    from balance.store.write import disk_faults, shell_name, write_atomic

    folder = Path(folder)
    context = ladder_context(folder, claims, costs)
    view = ladder_view(context)
    text = json.dumps(ladder_data(context), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    with disk_faults(folder, f"the games are kept; mend it, then: balance report {shell_name(folder)}"):
        write_atomic(folder / NAME, text.encode())
        write_atomic(folder / "summary.md", markdown(view).encode())
        if page:
            write_atomic(folder / PAGE, render(view).encode())
    return context, view
