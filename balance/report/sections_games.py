"""Section with three games of the run, played again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from balance.errors import BalanceError
from balance.report.pages import paged
from balance.report.replay_view import ending, replay_view
from balance.report.view import Block, Section, View
from balance.report.words import plural

if TYPE_CHECKING:
    from balance.play.run import Progress

TITLES = {"typical": "A typical game", "dramatic": "The most dramatic", "lopsided": "The most lopsided"}
SLUG, TITLE = "games", "Games"


def with_games(view: View, folder: Path, progress: Progress | None = None) -> View:
    """The view with the section of games on its page."""
    from balance.report.build import folder_name

    section = games_section(folder, folder_name(folder), progress)
    pages, sections = paged((*view.sections, section))
    return replace(view, pages=pages, sections=sections)


def games_section(folder: Path, name: str, progress: Progress | None = None) -> Section:
    """Three games of a run, or why there are none; `name` is the run as commands name it."""
    from balance.study.highlights import highlights
    from balance.study.replay import Replayer

    try:
        replayer = Replayer(folder, progress)
        found = highlights(replayer)
    except BalanceError as error:  # a game that is not installed, a plan or a part that cannot be read
        return Section(SLUG, TITLE, refusal=(f"No game can be played again: {error.message}.",))
    if found.refusal:
        way = f"Look at one yourself: `balance replay {name} {found.ids[0]}`"
        return Section(SLUG, TITLE, refusal=(f"{found.refusal} {way}",))
    agents = " and ".join(sorted({agent.label for agent in replayer.plan.levels[found.level]}))
    lead = (
        f"Three games of {agents}, played again from their stored seeds; each ends as it is stored. "
        f"The typical one is chosen among {plural(found.rows, 'game')} in {plural(found.parts, 'part')} of "
        f"the run, the others among {plural(found.candidates, 'game')} of these that were played again."
    )
    blocks = tuple(
        Block(
            TITLES[one.kind],
            "",
            text=f"{one.reason} {ending(one.replay)}",
            replay=replay_view(one.replay, name),
        )
        for one in found.chosen
    )
    return Section(SLUG, TITLE, lead, blocks)
