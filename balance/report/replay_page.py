"""Replays in a page: their place in a report, and a page of their own for one game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from balance.report.replay_view import Replay, replay_data, replay_view
from balance.report.words import TURNING
from balance.study.replay import Replay as Played

FORM = "replay-{}"


def placer(environment: Any, replays: dict[str, Any]) -> Callable[[Replay], Markup]:
    """A function for templates that draws a replay, and puts what the script needs into `replays`."""

    def place(replay: Replay) -> Markup:
        slug = FORM.format(len(replays) + 1)
        replays[slug] = replay_data(replay)
        return Markup(environment.get_template("replay.html").module.player(replay, slug))

    return place


def replay_html(played: Played, folder: str) -> str:
    """One game as a page of its own; `folder` is the run as commands name it."""
    from balance.report.page import _environment, _source, script_json

    view = replay_view(played, folder)
    environment = _environment()
    page = environment.get_template("replay_page.html").render(
        replay=view,
        game=played.plan.game.title,
        facts=facts(played, view),
        data=script_json({FORM.format(1): replay_data(view)}),
        style=Markup(_source("style.css") + _source("replay.css")),
        script=Markup(_source("replay.js")),
    )
    return TURNING.sub("", page)


def facts(played: Played, view: Replay) -> tuple[tuple[str, str], ...]:
    """Where the game comes from, in a few figures."""
    return (
        ("Arena and mode", view.title),
        ("Seed", str(played.plan.plan.seed)),
        ("Stream", f"{played.cell.stream_key:016x}, pair {played.id.pair}"),
        ("Ends as stored", "no" if played.differences else "yes"),
    )
