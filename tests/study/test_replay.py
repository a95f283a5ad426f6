"""Stored games again: they end as stored, in every mode, and what does not is said."""

from __future__ import annotations

import random

import polars as pl
import pytest

from balance.errors import EnvironmentFault, RunError, UsageError
from balance.games import discover
from balance.play.executors.serial import Serial
from balance.play.plan import load_plan_text
from balance.play.run import run
from balance.store.manifest import load
from balance.store.write import part_file
from balance.study import highlights as chosen
from balance.study import oracle
from balance.study.replay import GameId, Replayer, parse_id, replay
from balance.study.stepping import chance_text, pieces_of

HEAD = "game: jump_masters, arenas: [pillars, mill], pairs: 12, part_pairs: 5, record: full, seed: 3"
PLANS = {
    "duel": f"{{{HEAD}, mode: duel, draft: {{format: blind}}, agents: [random, 'greedy:0.2']}}",
    "teams": f"{{{HEAD}, mode: duel, teams: [starters, big_hitters], mirror: true, agents: ['greedy:0.2']}}",
    "seats": f"{{{HEAD}, mode: duel, teams: [starters, big_hitters], agents: {{A: random, B: 'mcts:8'}}}}",
    "team": f"{{{HEAD}, mode: team, draft: {{format: free}}, agents: ['greedy:0.3']}}",
    "ffa3": f"{{{HEAD}, mode: ffa3, draft: {{format: snake}}, agents: [random]}}",
    "ffa4": f"{{{HEAD}, mode: ffa4, draft: {{format: pass}}, agents: [random]}}",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Run folders by name, each played once."""
    folders = {}

    def folder(name):
        if name not in folders:
            folders[name] = tmp_path_factory.mktemp("replays") / name
            run(load_plan_text(PLANS[name]), folders[name], Serial())
        return folders[name]

    return folder


@pytest.fixture
def own(runs, tmp_path):
    """A copy of the small run of teams, to be damaged."""
    import shutil

    return shutil.copytree(runs("teams"), tmp_path / "own")


def stored(folder):
    return pl.concat([pl.read_parquet(path) for path in sorted((folder / "games").iterdir())])


@pytest.mark.parametrize("name", PLANS)
def test_games_end_as_they_are_stored(name, runs):
    rows, replayer = stored(runs(name)), Replayer(runs(name))
    for row in random.Random(name).sample(rows.to_dicts(), 8):
        game = replayer.play(GameId(row["cell"], row["pair"], row["seating"]))
        assert game.differences == game.notes == ()
        assert game.id == game.asked
        assert len(game.plies) == row["plies"]
        assert game.end.state["termination"] == row["termination"]
        assert {name: repr(game.result[name]) for name in row} == {name: repr(row[name]) for name in row}


@pytest.mark.parametrize("name", ["duel", "team"])
def test_every_action_is_legal_where_it_was_played(name, runs):
    game = Replayer(runs(name)).play(GameId(0, 4, 1))
    for index, ply in enumerate(game.plies):
        before = game.before(index)
        assert ply.text in oracle.legal(before)
        assert oracle.format_action(before, ply.action) == ply.text
    assert oracle.is_over(game.end)


def test_turns_hold_every_ply_once_and_in_order(runs):
    game = Replayer(runs("teams")).play(GameId(1, 2, 0))
    turns = list(game.turns())
    assert [index for _, plies in turns for index in plies] == list(range(len(game.plies)))
    numbers = [number for number, _ in turns]
    assert numbers == sorted(set(numbers)) and numbers[0] == 0


def test_players_sit_where_the_rows_say(runs):
    folder = runs("duel")
    game = Replayer(folder).play(GameId(2, 7, 1))
    head = load(folder).head
    rows = pl.concat([pl.read_parquet(path) for path in sorted((folder / "heroes").iterdir())])
    for seat, player in enumerate(game.players):
        own = rows.filter((pl.col("cell") == 2) & (pl.col("pair") == 7) & (pl.col("seating") == 1))
        own = own.filter(pl.col("seat") == seat).sort("pick")
        assert [head["heroes"][hero] for hero in own["hero"]] == list(player.heroes)
        assert player.agent == "greedy:0.2"
    assert game.drafted
    seats = Replayer(runs("seats")).play(GameId(0, 0, 1))
    assert [player.agent for player in seats.players] == ["mcts:8", "random"]
    assert {player.team for player in seats.players} == {"starters", "big_hitters"}
    shown = {(piece.seat, piece.name) for piece in pieces_of(seats.end)}
    assert shown == {(seat, hero) for seat, player in enumerate(seats.players) for hero in player.heroes}


def test_a_seating_that_was_not_played_answers_with_the_one_that_stands_for_it(runs):
    folder = runs("teams")
    mirror = next(cell["cell"] for cell in load(folder).head["cells"] if len(set(cell["teams"])) == 1)
    game = Replayer(folder).play(GameId(mirror, 3, 1))
    assert (str(game.id), str(game.asked)) == (f"c{mirror}-p3-s0", f"c{mirror}-p3-s1")
    assert game.differences == ()
    assert f"c{mirror}-p3-s1 was not played" in game.notes[0]


def test_a_game_longer_than_the_room_is_played_whole(runs, monkeypatch):
    whole = Replayer(runs("teams")).play(GameId(0, 0, 0))
    monkeypatch.setattr("balance.study.replay.ROOM", 7)
    again = Replayer(runs("teams")).play(GameId(0, 0, 0))
    assert [ply.text for ply in again.plies] == [ply.text for ply in whole.plies]


@pytest.mark.parametrize(
    ("game", "error", "hint"),
    [
        ("c4-p0-s0", "there is no game c4-p0-s0", "cells c0 to c3"),
        ("c0-p12-s0", "there is no game c0-p12-s0", "pairs p0 to p11"),
        ("c0-p0-s2", "there is no game c0-p0-s2", "seatings s0 to s1"),
        ("c0-p0", "no game id", "c3-p120-s1"),
        ("c-1-p0-s0", "no game id", "c3-p120-s1"),
        ("", "no game id", "c3-p120-s1"),
        ("c0-p0-s0 ", "no game id", "c3-p120-s1"),
        ("c9999999999-p0-s0", "no game id", "c3-p120-s1"),
    ],
)
def test_games_that_do_not_exist(game, error, hint, runs):
    with pytest.raises(UsageError, match=error) as caught:
        replay(runs("duel"), game)
    assert hint in caught.value.hint and caught.value.exit_code == 2


def test_a_game_that_is_still_to_be_played(own):
    manifest = load(own)
    del manifest.parts[0, 1]
    manifest.digest = None
    manifest.write()
    assert Replayer(own).play(GameId(0, 4, 0)).differences == ()
    with pytest.raises(RunError, match="c0-p5-s0 has not been played yet") as caught:
        replay(own, "c0-p5-s0")
    assert "balance resume" in caught.value.hint


def change(folder, table, column, edit, cell=0, part=0):
    """Edit one column of a part of a table."""
    path = folder / part_file(table, cell, part)
    frame = pl.read_parquet(path)
    frame.with_columns(pl.Series(column, edit(frame[column].to_list()), frame[column].dtype)).write_parquet(
        path
    )


def test_a_changed_row_is_named(own):
    change(own, "games", "turns", lambda values: [values[0] + 1, *values[1:]])
    replayer = Replayer(own)
    wrong = replayer.play(parse_id("c0-p0-s0"))
    assert len(wrong.differences) == 1 and "c0-p0-s0: turns is" in wrong.differences[0]
    assert len(wrong.plies) == wrong.result["plies"]
    assert replayer.play(parse_id("c0-p1-s0")).differences == ()


def test_a_changed_hero_is_named(own):
    change(own, "heroes", "jumps", lambda values: [values[0] + 1, *values[1:]])
    differences = Replayer(own).play(parse_id("c0-p0-s0")).differences
    assert len(differences) == 1 and "of seat A: jumps is" in differences[0]


def test_a_missing_row_is_a_difference(own):
    path = own / part_file("games", 0, 0)
    pl.read_parquet(path)[1:].write_parquet(path)
    assert "0 rows stored, 1 played" in Replayer(own).play(parse_id("c0-p0-s0")).differences[0]


def test_a_damaged_part_can_be_played_again(own):
    (own / part_file("games", 0, 0)).write_bytes(b"PAR1")
    with pytest.raises(EnvironmentFault) as caught:
        Replayer(own).play(parse_id("c0-p0-s0"))
    assert "balance resume" in caught.value.hint


def test_another_kernel_and_other_columns_are_noted(own):
    manifest = load(own)
    manifest.head["kernel_hash"], manifest.head["game_version"] = "f" * 20, "0.9"
    manifest.write()
    path = own / part_file("games", 0, 0)
    pl.read_parquet(path).drop("comeback").write_parquet(path)
    game = Replayer(own).play(parse_id("c0-p0-s0"))
    assert game.differences == ()
    said = " ".join(game.notes)
    for text in ("another kernel (ffff", "version 0.9", "comeback"):
        assert text in said


def test_chance_is_said_by_the_game_or_in_general(runs, monkeypatch):
    game = Replayer(runs("teams")).play(parse_id("c0-p0-s0"))
    assert {ply.chance for ply in game.plies} == {""}, "nothing is left to chance in this game"
    before, after = game.start, game.plies[0].after
    assert chance_text(before, 0, after) == "left to chance"
    notation = before.game.part("notation")
    monkeypatch.setattr(notation, "chance", lambda *places: f"dice {places[1]}", raising=False)
    assert chance_text(before, 6, after) == "dice 6"


# ---- three games worth a look


def test_three_different_games_are_chosen_and_always_the_same(runs):
    found = chosen.highlights(Replayer(runs("duel")))
    assert found.refusal == "" and found.level == 1
    assert [one.kind for one in found.chosen] == ["typical", "dramatic", "lopsided"]
    assert len({one.replay.id for one in found.chosen}) == 3
    again = chosen.highlights(Replayer(runs("duel")))
    assert [one.replay.id for one in again.chosen] == [one.replay.id for one in found.chosen]
    assert all(one.replay.cell.level == 1 and not one.replay.differences for one in found.chosen)


def test_the_typical_game_ends_as_most_do_and_lasts_as_long(runs):
    found = chosen.highlights(Replayer(runs("duel")))
    rows = stored(runs("duel")).filter(pl.col("cell") >= 2)
    outcome, length = rows.select("winner", "termination").to_dicts(), rows["turns"].median()
    result = found.chosen[0].replay.result
    commonest = max(outcome, key=lambda one: (outcome.count(one), -one["winner"]))
    assert {name: result[name] for name in commonest} == commonest
    same = rows.filter(
        (pl.col("winner") == result["winner"]) & (pl.col("termination") == result["termination"])
    )
    assert abs(result["turns"] - length) == (same["turns"] - length).abs().min()
    assert found.rows == len(rows)


def test_the_winner_was_behind_in_the_dramatic_game_and_ahead_in_the_lopsided(runs):
    _, dramatic, lopsided = chosen.highlights(Replayer(runs("duel"))).chosen
    most, least = chosen.course(dramatic.replay), chosen.course(lopsided.replay)
    assert most.behind > least.behind and least.ahead > most.ahead
    assert 0 < most.behind <= 1 and f"after turn {most.behind_turn}" in dramatic.reason
    assert f"by {100 * least.ahead:.0f} points" in lopsided.reason


def test_other_kernels_slow_agents_and_changed_rows_show_no_game(own, monkeypatch):
    monkeypatch.setattr(chosen, "MOST_SECONDS", 0.0)
    assert "more than 0 seconds" in chosen.highlights(Replayer(own)).refusal
    monkeypatch.undo()
    for cell, part in load(own).parts:
        change(own, "games", "plies", lambda values: [value + 1 for value in values], cell, part)
    assert "does not end as it is stored" in chosen.highlights(Replayer(own)).refusal
    manifest = load(own)
    manifest.head["kernel_hash"] = "0" * 20
    manifest.write()
    found = chosen.highlights(Replayer(own))
    assert "another kernel" in found.refusal and found.chosen == () and found.ids == ("c0-p0-s0",)


def test_every_installed_game_can_be_replayed(tmp_path):
    for slug, game in discover().items():
        plan = (game.plans / "quickstart.yaml").read_text()
        folder = tmp_path / slug
        run(load_plan_text(plan, sets=["agents=[random]"], pairs=3), folder, Serial())
        assert Replayer(folder).play(GameId(0, 1, 0)).differences == ()
