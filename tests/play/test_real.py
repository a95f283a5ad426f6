"""Jump Masters with the real kernel: the same rows however they are played, the same deals across plans."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from balance.play.executors.serial import Serial
from balance.play.executors.threads import Threads
from balance.play.plan import load_plan_text
from balance.play.run import run
from balance.play.verify import verify
from balance.store.read import open_run
from tests.play.fakes import content

BLIND = "{game: jump_masters, arenas: [pillars, mill], draft: {format: blind}, pairs: 12, part_pairs: 5}"
FULL = BLIND.replace("pairs: 12", "record: full, pairs: 22")
TEAMS = (
    "{game: jump_masters, arenas: [divide], teams: [starters, big_hitters], mirror: true, "
    "agents: [random, greedy], pairs: 4}"
)
RESULTS = ["cell", "pair", "seating", "weight", "stream", "winner", "score_a", "score_b", "turns", "plies"]


def played(text, folder, *sets, executor=None):
    return run(load_plan_text(text, sets=sets), folder, executor or Serial())


def rows(folder, table="games"):
    return open_run(folder).scan(table).collect()


@pytest.mark.parametrize("text", [BLIND, TEAMS, FULL])
def test_threads_give_the_same_bytes(text, tmp_path):
    played(text, tmp_path / "serial")
    for workers in (1, 2, 3):
        played(text, tmp_path / str(workers), executor=Threads(workers))
        assert content(tmp_path / "serial") == content(tmp_path / str(workers))


@pytest.mark.parametrize("size", [1, 4, 12, 1000])
def test_the_size_of_parts_changes_nothing(size, tmp_path):
    usual = played(BLIND, tmp_path / "usual")
    other = played(BLIND, tmp_path / "other", f"part_pairs={size}", executor=Threads(2))
    assert usual.digest == other.digest
    assert rows(tmp_path / "usual").equals(rows(tmp_path / "other"))
    assert rows(tmp_path / "usual", "heroes").equals(rows(tmp_path / "other", "heroes"))


@pytest.mark.parametrize("record", ["none", "full"])
def test_recording_changes_no_game(record, tmp_path):
    played(BLIND, tmp_path / "basic")
    played(BLIND, tmp_path / record, f"record={record}")
    assert rows(tmp_path / "basic").select(RESULTS).equals(rows(tmp_path / record).select(RESULTS))
    assert ("judged" in rows(tmp_path / record).columns) == (record == "full")
    assert "judged" not in rows(tmp_path / "basic").columns


def deals(folder):
    """Heroes of every player in every pair."""
    heroes = rows(folder, "heroes")
    keys = ["cell", "pair", "seating", "player"]
    return heroes.group_by(keys).agg(pl.col("hero").sort()).sort(keys)


@pytest.mark.parametrize("draft", ["blind", "pass", "free"])
@pytest.mark.parametrize(
    "change", ["rules.hill_vp=3", "heroes.hopper.maximum=7", "agents=[greedy]", "record=none"]
)
def test_rules_and_agents_share_every_deal(draft, change, tmp_path):
    sets = [f"draft.format={draft}", "pairs=6"]
    played(BLIND, tmp_path / "base", *sets)
    played(BLIND, tmp_path / "variant", *sets, change)
    assert deals(tmp_path / "base").equals(deals(tmp_path / "variant"))
    assert rows(tmp_path / "base")["stream"].equals(rows(tmp_path / "variant")["stream"])


def test_the_seed_changes_the_deals(tmp_path):
    played(BLIND, tmp_path / "base")
    played(BLIND, tmp_path / "other", "seed=2")
    assert not deals(tmp_path / "base").equals(deals(tmp_path / "other"))


@pytest.mark.parametrize("mode", ["duel", "team", "ffa3", "ffa4"])
def test_a_pair_keeps_its_rosters_in_every_seating(mode, tmp_path):
    outcome = played(BLIND, tmp_path / "run", f"mode={mode}", "pairs=3")
    found = deals(tmp_path / "run").group_by("cell", "pair", "player").agg(pl.col("hero").n_unique())
    assert found["hero"].max() == 1
    seatings = len(load_plan_text(BLIND, sets=[f"mode={mode}"]).mode.seatings)
    assert outcome.games == 2 * 3 * seatings
    seats = rows(tmp_path / "run", "heroes").group_by("player").agg(pl.col("seat").n_unique())
    assert seats["seat"].to_list() == [seatings] * len(seats)


def test_mirror_matches_are_played_once_and_weigh_two(tmp_path):
    outcome = played(TEAMS, tmp_path / "run")
    games = rows(tmp_path / "run").join(open_run(tmp_path / "run").cells(), on="cell")
    mirror = pl.col("teams").list.n_unique() == 1
    assert games.filter(mirror)["weight"].unique().to_list() == [2]
    assert games.filter(~mirror)["weight"].unique().to_list() == [1]
    assert games["weight"].sum() == outcome.games == 2 * 3 * 4 * 2


def test_scores_and_heroes_fit_their_games(tmp_path):
    played(BLIND, tmp_path / "run")
    games, heroes = rows(tmp_path / "run"), rows(tmp_path / "run", "heroes")
    assert (games["score_a"] + games["score_b"] == 1).all()
    assert (games.filter(pl.col("winner") == 0)["score_a"] == 1).all()
    assert len(heroes) == 8 * len(games)
    joined = heroes.join(games, on=["cell", "pair", "seating"])
    seat_a = joined.filter(pl.col("seat") == 0)
    assert (seat_a["score"] == seat_a["score_a"]).all()
    assert heroes["hero"].is_between(0, 9).all()
    board = rows(tmp_path / "run", "board")
    nodes = json.loads((tmp_path / "run" / "manifest.json").read_text())["cells"][0]["nodes"]
    assert board["node"].max() == len(nodes) - 1 == 63
    assert board["visits"].sum() > 0


@pytest.mark.parametrize("text", [BLIND, TEAMS])
def test_a_run_verifies(text, tmp_path):
    played(text, tmp_path / "run")
    found = verify(tmp_path / "run", Threads(2), parts=None)
    assert (found.differences, found.other_kernel) == ((), False)


# --- the command line


def balance(*arguments, cwd, **options):
    command = [sys.executable, "-m", "balance", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def finished(*arguments, cwd):
    process = balance(*arguments, cwd=cwd)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out, err


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_ended_early_and_resumed(number, tmp_path):
    (tmp_path / "plan.yaml").write_text(BLIND)
    sets = ["--set", "agents=[random, greedy]", "--pairs", "60", "--no-report"]
    finished("run", "plan.yaml", *sets, "-o", "whole", "-j", "1", cwd=tmp_path)
    process = balance("run", "plan.yaml", *sets, "-o", "run", cwd=tmp_path)
    until = time.monotonic() + 240
    while len(list(tmp_path.glob("run/games/c*.parquet"))) < 3:
        assert time.monotonic() < until
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(number)
    process.communicate(timeout=60)
    finished("resume", "run", "--no-report", cwd=tmp_path)
    assert content(tmp_path / "run") == content(tmp_path / "whole")
    out, _ = finished("verify", "run", cwd=tmp_path)
    assert ": the same" in out


def test_without_a_report_nothing_heavy_is_loaded(tmp_path):
    (tmp_path / "plan.yaml").write_text(BLIND)
    code = (
        "import sys; from balance.cli.app import run_app\n"
        "assert run_app(['run', 'plan.yaml', '--no-report', '-q']) == 0\n"
        "heavy = {'scipy.stats', 'plotly', 'jinja2', 'rich', 'balance.report', 'balance.stats'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_demo_makes_a_report_and_may_be_repeated(tmp_path):
    out, _ = finished("demo", "--games", "64", "-q", cwd=tmp_path)
    lines = out.splitlines()
    assert lines[-1] == "reports/demo/report.html"
    assert 2 <= len(lines) <= 4
    assert "<html" in (tmp_path / lines[-1]).read_text()
    again, _ = finished("demo", "--games", "64", "-q", cwd=tmp_path)
    assert again == out
    process = balance("demo", "--games", "80", "-q", cwd=tmp_path)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 2
    assert "--force" in err


def test_an_unfinished_demo_is_finished(tmp_path):
    finished("demo", "--games", "64", "-q", cwd=tmp_path)
    folder = tmp_path / "reports" / "demo"
    data = json.loads((folder / "manifest.json").read_text())
    short = data | {"parts": data["parts"][:2], "digest": None, "complete": False}
    (folder / "manifest.json").write_text(json.dumps(short))
    finished("demo", "--games", "64", "-q", cwd=tmp_path)
    assert json.loads((folder / "manifest.json").read_text())["digest"] == data["digest"]
    assert Path(folder / "report.html").exists()
