"""From a run folder to the frozen report data."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from balance.report.findings import cut_findings, findings
from balance.report.names import Context, make_context, parts_of_game
from balance.report.pages import paged
from balance.report.portraits import portraits
from balance.report.sections_arenas import arenas_section
from balance.report.sections_drafts import drafts_section
from balance.report.sections_drama import drama_section
from balance.report.sections_heroes import hero_sections
from balance.report.sections_method import method_section, notices, provenance
from balance.report.sections_model import pairs_section, with_power
from balance.report.sections_pace import pace_section
from balance.report.sections_play import seats_section
from balance.report.sections_skill import luck_section
from balance.report.sections_teams import teams_section
from balance.report.view import Section, View
from balance.report.words import listed, plural


def build_context(folder: Path) -> Context:
    """Read a run and compute its statistics.

    Raises
    ------
    RunError
        There is no run, or it has no games yet.
    """
    from balance.stats.analysis import analyse
    from balance.store.read import open_played

    run = open_played(folder)
    parts = parts_of_game(run.manifest["game"])
    return make_context(run.manifest, analyse(run, parts.columns, parts.caps), parts, folder_name(folder))


def folder_name(folder: Path) -> str:
    """The folder for commands in the page: as given when relative, else its name (no path of a machine)."""
    return shlex.quote(folder.as_posix() if not folder.is_absolute() else folder.name)


def build_view(context: Context) -> View:
    """All words and tables of the report."""
    manifest = context.manifest
    pages, sections = paged(with_power(section) for section in _sections(context))
    return View(
        str(manifest.get("title") or manifest["game"]),
        str(manifest.get("name") or "run"),
        _facts(context),
        notices(context),
        findings(context),
        sections,
        tuple((char, *look) for char, look in context.legend.items()),
        provenance(context),
        f"balance report {context.folder}",
        f"balance verify {context.folder}",
        f"balance run plan.yaml -o {context.folder}-again",
        plan_text(manifest),
        _partial(context),
        cut_findings(context),
        pages=pages,
        portraits=portraits({hero: context.hero(hero) for hero in context.analysis.design.heroes}),
    )


def _sections(context: Context) -> tuple[Section, ...]:
    return (
        seats_section(context),
        pace_section(context),
        drama_section(context),
        *hero_sections(context),
        *((pairs_section(context),) if context.analysis.design.heroes else ()),
        teams_section(context),
        arenas_section(context),
        drafts_section(context),
        luck_section(context),
        method_section(context),
    )


def plan_text(manifest: Mapping[str, Any], load: Callable[[str], Any] | None = None) -> str:
    """The plan as the text of a plan file, if that text alone gives the configuration that was played.

    It does not when the run read an edited configuration folder; then nothing is promised. `load` is how
    the text is read back.
    """
    from balance.errors import BalanceError
    from balance.play.plan import load_plan_text

    load = load or load_plan_text
    plan = (manifest.get("plan") or {}).get("plan") or {}
    lines = [
        f"{key}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in plan.items()
        if value not in (None, {}, "") and key != "configs"
    ]
    text = "\n".join(lines)
    try:
        same = load(text).config_hash == manifest.get("config_hash")
    except BalanceError:
        return ""
    return text if same else ""


def _facts(context: Context) -> tuple[tuple[str, str], ...]:
    analysis, design = context.analysis, context.analysis.design
    heroes = (("Heroes", str(len(_heroes_played(context)))),) if design.heroes else ()
    return (
        ("Games", f"{analysis.games:,}"),
        (context.unit.capitalize(), f"{analysis.pairs:,}"),
        ("Mode", str(context.manifest["mode"]["name"])),
        ("Skill", listed([context.level(level) for level in context.played])),
        ("Arenas", str(len(design.arenas))),
        *heroes,
    )


def _heroes_played(context: Context) -> set[str]:
    """Heroes that some roster of the run held; a draft may leave out some of those it could pick."""
    usage = context.analysis.usage
    return {hero for use in usage for hero, share in use.presence.items() if share.value > 0}


def _partial(context: Context) -> str:
    manifest = context.manifest
    if manifest.get("complete"):
        return ""
    planned = sum(int(cell["pairs"]) for cell in manifest["cells"])
    return (
        f"This run is not complete: {context.analysis.pairs:,} of "
        f"{plural(planned, context.unit[:-1])} were played. "
        f"Go on with: balance resume {context.folder}"
    )
