"""Replays as data: every position can be had from the changes, for any game's pieces, in little room."""

from __future__ import annotations

import dataclasses
import gzip
import json

import pytest

from balance.games.piece import NONE, Piece
from balance.play.executors.serial import Serial
from balance.play.plan import load_plan_text
from balance.play.run import run
from balance.report import page, replay_page
from balance.report.replay_view import COUNTED, REMOVED, Cast, replay_data, replay_view
from balance.report.sections_games import games_section
from balance.study.replay import GameId, Replayer
from balance.study.stepping import pieces_of
from tests.report.conftest import HOSTILE

PLAN = (
    "{game: jump_masters, mode: team, arenas: [pillars], draft: {format: free}, "
    "agents: ['greedy:0.2'], pairs: 4}"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("view") / "run"
    run(load_plan_text(PLAN), place, Serial())
    return place


@pytest.fixture(scope="module")
def played(folder):
    return Replayer(folder).play(GameId(0, 2, 0))


def positions(view):
    """Seat, name and node of every figure after each ply, by the changes alone."""
    places = [tuple(place) for place in view.start]
    yield places
    for frame in view.frames:
        places = list(places)
        for figure, node, text in frame.moves:
            assert places[figure] != (node, text), "a change changes something"
            places[figure] = (node, text)
        yield places


def test_the_changes_give_every_position(played):
    view = replay_view(played)
    for places, position in zip(
        positions(view), [played.start, *(p.after for p in played.plies)], strict=True
    ):
        shown = sorted((view.figures[i].seat, *place) for i, place in enumerate(places))
        assert shown == sorted((piece.seat, piece.node, piece.text) for piece in pieces_of(position))
    assert view.final == tuple(places)


def test_marks_stand_where_pieces_leave_or_points_change(played):
    view = replay_view(played)
    before = played.start
    for frame, ply in zip(view.frames, played.plies, strict=True):
        gone = {(p.seat, p.name) for p in pieces_of(before) if p.node != NONE} - {
            (p.seat, p.name) for p in pieces_of(ply.after) if p.node != NONE
        }
        counted = bool(frame.points)
        assert frame.marks == (REMOVED if gone else COUNTED if counted else 0)
        before = ply.after
    assert view.mark == REMOVED
    assert sum(len(plies) for _, plies in view.turns()) == len(view.frames)


def test_the_line_ends_with_the_result(played):
    line = replay_view(played).line
    assert line[0][0] == 0 and line[-1][0] == len(played.plies)
    assert [played.result["score_a"], played.result["score_b"]] == list(line[-1][1])
    assert all(0 <= share <= 1 for _, shares in line for share in shares)


def test_pieces_that_nobody_tells_apart_are_followed():
    cast = Cast()
    cast.follow([Piece(0, "piece", 3), Piece(0, "piece", 4), Piece(1, "piece", 9)])
    assert cast.follow([Piece(0, "piece", 4), Piece(0, "piece", 8), Piece(1, "piece", 9)]) == ((0, 8, ""),)
    # The first takes the third: it moves, the other is off the board.
    assert cast.follow([Piece(0, "piece", 9), Piece(0, "piece", 4)]) == ((0, 9, ""), (2, NONE, ""))
    # A new one comes, and does not take the place of one that left.
    assert cast.follow([Piece(0, "piece", 9), Piece(0, "piece", 4), Piece(0, "piece", 1)]) == ((3, 1, ""),)


def test_pieces_with_names_come_back_as_themselves():
    cast = Cast()
    cast.follow([Piece(0, "hopper", 3, "2"), Piece(0, "unni", NONE)])
    assert cast.follow([Piece(0, "hopper", NONE), Piece(0, "unni", 3, "1")]) == ((0, NONE, ""), (1, 3, "1"))
    assert cast.follow([Piece(0, "hopper", 5, "1"), Piece(0, "unni", 3, "1")]) == ((0, 5, "1"),)


def test_three_replays_take_little_room(folder):
    section = games_section(folder, "run")
    assert [block.title for block in section.blocks] == [
        "A typical game",
        "The most dramatic",
        "The most lopsided",
    ]
    views = [block.replay for block in section.blocks]
    environment = page._environment()
    data: dict = {}
    place = replay_page.placer(environment, data)
    text = "".join(place(view) for view in views) + json.dumps(data, separators=(",", ":"))
    style = page._source("replay.css") + page._source("replay.js")
    assert len(text.encode()) + len(style) < 150_000
    assert len(gzip.compress(text.encode())) < 25_000


def test_names_of_files_stay_text(played, tmp_path):
    ruleset = played.start.ruleset
    heroes = {slug: dataclasses.replace(hero, title=HOSTILE) for slug, hero in ruleset.heroes.items()}
    arenas = {slug: dataclasses.replace(arena, title="</script>") for slug, arena in ruleset.arenas.items()}
    hostile = dataclasses.replace(ruleset, heroes=heroes, arenas=arenas)
    start = dataclasses.replace(played.start, ruleset=hostile)
    text = replay_page.replay_html(dataclasses.replace(played, start=start), "a<b")
    assert HOSTILE not in text and "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert text.count("<script") == text.count("</script>") == 2
    assert "a&lt;b" in text


def test_data_for_the_script_is_plain(played):
    data = json.loads(json.dumps(replay_data(replay_view(played))))
    assert len(data["frames"]) == len(played.plies)
    assert len(data["owners"]) == len(data["names"]) == len(data["start"])
    assert data["seats"] == [["A", 0], ["B", 1], ["C", 0], ["D", 1]]


def test_a_game_that_is_not_installed_shows_no_games(drafted):
    section = games_section(drafted, "run")
    assert section.blocks == () and "No game can be played again" in section.refusal[0]
    assert 'id="games"' in (drafted / "report.html").read_text()
