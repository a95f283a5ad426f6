"""The pages of a report, and the page that each section stands on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from balance.report.view import Page, Section

FINDINGS = Page("findings", "Findings")
PAGES = (
    FINDINGS,
    Page("tempo", "Seats and pace", ("seats", "pace")),
    Page("strength", "Heroes", ("heroes", "heroes-arenas", "presence", "deeds")),
    Page("together", "Synergy and counters", ("pairs",)),
    Page("rosters", "Teams", ("teams",)),
    Page("boards", "Arenas", ("arenas",)),
    Page("drafting", "Drafts", ("drafts",)),
    Page("levels", "Skill", ("skill", "heroes-skill", "luck")),
    Page("watch", "Games", ("games", "drama")),
    Page("about", "Method", ("method",)),
)


def paged(sections: Iterable[Section]) -> tuple[tuple[Page, ...], tuple[Section, ...]]:
    """The pages that have something on them, and the sections in the order of their pages.

    Raises
    ------
    KeyError
        A section that no page names: it would be found by nobody.
    """
    place = {slug: (k, spot) for k, page in enumerate(PAGES) for spot, slug in enumerate(page.sections)}
    ordered = sorted(sections, key=lambda section: place[section.slug])
    held = {section.slug for section in ordered}
    pages = tuple(
        replace(page, sections=tuple(slug for slug in page.sections if slug in held))
        for page in PAGES
        if page is FINDINGS or held.intersection(page.sections)
    )
    return pages, tuple(ordered)
