"""The report as one self-contained HTML file: no outside request, plotly.js packed inside."""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from balance.report import board, replay_page
from balance.report.build import build_context, build_view
from balance.report.figures import figure_json
from balance.report.sections_games import with_games
from balance.report.view import Chart, View
from balance.report.words import CODE, TURNING

if TYPE_CHECKING:
    from balance.play.run import Progress

NAME = "report.html"


def write_report(folder: Path, replays: bool = True, progress: Progress | None = None) -> Path:
    """Write ``report.html`` and the summary of a run or ladder; returns the page's path.

    Parameters
    ----------
    folder : Path
    replays : bool
        Play three games of a run again and show them.
    progress : Progress, optional
        Told when rules have to be compiled for that.

    Raises
    ------
    RunError
        No run, or no games yet.
    EnvironmentFault
        Damaged rows, or the disk cannot be written to.
    """
    from balance.report.ladder import holds_ladder, write_ladder
    from balance.report.summary import store_summary
    from balance.store.write import disk_faults, shell_name, write_atomic

    folder = Path(folder)
    if holds_ladder(folder):
        write_ladder(folder)
        return folder / NAME
    context = build_context(folder)
    view = build_view(context)
    store_summary(folder, context, view)
    if replays:
        view = with_games(view, folder, progress)
    with disk_faults(folder, f"the games are kept; mend it, then: balance report {shell_name(folder)}"):
        write_atomic(folder / NAME, render(view).encode())
    return folder / NAME


def render(view: View) -> str:
    """The page as text."""
    figures: dict[str, Any] = {}

    def place(chart: Chart) -> str:
        slug = f"figure-{len(figures) + 1}"
        figures[slug] = figure_json(chart)
        return slug

    replays: dict[str, Any] = {}
    looks = {char: look for char, _, look in view.legend}
    environment = _environment()
    environment.globals["place"] = place
    environment.globals["draw"] = lambda picture: board.draw(picture, looks)
    environment.globals["replay"] = replay_page.placer(environment, replays)
    environment.filters["code"] = with_code
    body = environment.get_template("body.html").render(view=view)
    page = environment.get_template("page.html").render(
        view=view,
        body=Markup(body),
        style=Markup(_source("style.css") + (_source("replay.css") if replays else "")),
        script=Markup(_source("csv.js") + _source("page.js") + (_source("replay.js") if replays else "")),
        replays=script_json(replays) if replays else "",
        figures=script_json(figures),
        plotly=Markup(packed_plotly()),
    )
    return TURNING.sub("", page)


def _environment() -> Any:
    import jinja2

    # Every name in a report comes from a file that anybody may have written.
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("balance.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["look_class"] = board.look_class
    return environment


def with_code(text: str) -> Markup:
    """A sentence, escaped, with what is to be typed in `code` elements."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))


def script_json(data: Any) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


def _source(name: str) -> str:
    return files("balance.report").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def packed_plotly() -> str:
    """plotly.js of the installed package, gzipped (without a time, so that pages can be "
    "compared), in base64."""
    from plotly.offline import get_plotlyjs

    return base64.b64encode(gzip.compress(get_plotlyjs().encode(), 9, mtime=0)).decode()
