"""``balance replay``: any stored game again, ply by ply."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli.playing import ProgressKind, Quiet, RunFolder

if TYPE_CHECKING:
    from balance.study.replay import Replay

Game = Annotated[
    str, typer.Argument(metavar="GAME", help="Id of a game: cell, pair, seating, as in c3-p120-s1.")
]
Boards = Annotated[bool, typer.Option("--boards", help="Draw the board after every turn.")]
Turn = Annotated[
    int | None, typer.Option("--turn", min=0, help="Only this turn, with the board before and after.")
]
Html = Annotated[Path | None, typer.Option("--html", help="Write a page with a board that moves.")]
Json = Annotated[bool, typer.Option("--json", help="Print positions, actions and points as JSON.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay")(replay)


def replay(
    folder: RunFolder,
    game: Game,
    boards: Boards = False,
    turn: Turn = None,
    html: Html = None,
    as_json: Json = False,
    quiet: Quiet = False,
    progress: ProgressKind = "auto",
) -> None:
    """Play a stored game again from its seed and show every decision, the boards and why it ended.

    Leaves with 3 when it does not end as it is stored.

    Example: balance replay reports/demo c0-p0-s0 --turn 3
    """
    from balance.cli.progress import progress_of
    from balance.study.replay import replay as play

    found = play(folder, game, progress_of(progress, quiet))
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)
    if html is not None:
        write_page(found, folder, html)
    if as_json:
        from json import dumps

        from balance.cli.replay_text import as_data

        typer.echo(dumps(as_data(found), ensure_ascii=False, indent=1, allow_nan=False))
    elif html is None or boards or turn is not None:
        from balance.cli.replay_text import lines

        for line in lines(found, str(folder), boards, turn):
            typer.echo(line)
    judge(found)


def write_page(found: Replay, folder: Path, path: Path) -> None:
    """Write the page and say where it is."""
    from balance.errors import UsageError
    from balance.report.build import folder_name
    from balance.report.replay_page import replay_html
    from balance.store.write import disk_faults, write_atomic

    if path.is_dir() or not path.parent.is_dir():
        there = f"{path} is a folder" if path.is_dir() else f"there is no folder {path.parent}"
        raise UsageError(there, "name a file in a folder that is there, such as --html game.html")
    with disk_faults(path.parent, "the run is as it was; choose another file with --html"):
        write_atomic(path, replay_html(found, folder_name(folder)).encode())
    typer.echo(str(path))


def judge(found: Replay) -> None:
    """Leave with 3 when the game does not end as stored."""
    from balance.errors import VerifyMismatch

    if found.differences:
        more = f" (and {len(found.differences) - 1} more)" if len(found.differences) > 1 else ""
        hint = "see the notes above" if found.notes else "the files were edited, or the machine erred"
        raise VerifyMismatch(f"{found.differences[0]}{more}", hint)
