"""Runs that end by themselves: the same bytes however played, games where they help, true intervals."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from balance.config.until import Until
from balance.errors import UsageError
from balance.play.cells import expand
from balance.play.executors.serial import Serial
from balance.play.executors.threads import Threads
from balance.play.plan import load_plan_text
from balance.play.verify import verify
from balance.stats.allocation import Question, errors_per_half_width, next_round
from balance.stats.questions import Answer
from balance.store.read import open_run
from balance.study import adaptive
from tests.config.faulty import one
from tests.play.conftest import impatient_disk, one_kernel  # noqa: F401 - fixtures
from tests.play.fakes import FakeKernel, FakePlan, Shuffled, content

MATCHUPS = [["wings", "paws"], ["wings", "mixed"], ["paws", "mixed"]]
CHANCES = (0.5, 0.97, 0.98, 0.6, 0.96, 0.99)  # by cell: two arenas, three matchups


@dataclass(frozen=True)
class UntilPlan(FakePlan):
    """A fake plan that ends by itself."""

    @property
    def plan(self) -> Any:
        given = self.data["until"]
        return SimpleNamespace(**vars(super().plan), until=Until(**given))

    def resolved(self) -> dict[str, Any]:
        return self.data | {"plan": {"until": self.data["until"]}}


def until_plan(metric: str = "matchup", width: float = 0.04, most: int = 50_000, **data: Any) -> UntilPlan:
    until = {"metric": metric, "half_width": width, "max_pairs": most}
    return UntilPlan({"teams": MATCHUPS, "pairs": 50, "part_pairs": 25, "until": until} | data)


def restored(data: dict[str, Any]) -> UntilPlan:
    return UntilPlan({key: value for key, value in data.items() if key != "plan"})


class Planted(FakeKernel):
    """The first player wins with the chance that belongs to the cell, whatever seat he has."""

    def __init__(self, plan: Any, chances: Any = CHANCES, **options: Any) -> None:
        super().__init__(**options)
        keys = [cell.stream_key for cell in expand(plan)]
        self.chances = dict(zip(keys, chances, strict=True))

    def play_part(self, game: Any, mode: Any, tables: Any, setup: Any, part: Any) -> Any:
        rows = super().play_part(game, mode, tables, setup, part)
        random = np.random.default_rng([part.stream_key, part.first_pair])
        first = random.random(len(rows.results)) < self.chances[part.stream_key]
        winner = np.where(first, rows.results["seating"], 1 - rows.results["seating"])
        rows.results["winner"] = winner
        rows.results["score"][:, :2] = winner[:, None] == np.arange(2)
        return rows


def played(plan: Any, folder: Any, executor: Any = None, **options: Any) -> dict[str, Any]:
    kernel = options.pop("kernel", None) or Planted(plan)
    adaptive.run(plan, folder, executor or Serial(), kernel=kernel, **options)
    return open_run(folder).manifest


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("until") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("balance.kernel.cache.source_hash", lambda: "0123456789abcdef0123")
        played(until_plan(), folder)
    return folder


def test_a_planted_matrix_is_answered_with_far_fewer_games_than_uniformly(whole):
    """Uniformly, every cell would need what the neediest one does: its interval knows its own pairs only."""
    last = open_run(whole).manifest["looks"][-1]
    assert last["end"] == "narrow enough"
    assert all(answer["half_width"] <= 0.04 for answer in last["answers"])
    uniform = len(last["pairs"]) * max(last["pairs"])
    assert last["total"] < 0.6 * uniform
    neediest = int(np.argmax(last["pairs"]))
    assert CHANCES[neediest] in (0.5, 0.6)


def test_answers_are_near_the_truth(whole):
    last = open_run(whole).manifest["looks"][-1]
    for answer, chance in zip(last["answers"], CHANCES, strict=True):
        assert abs(answer["value"] - chance) < answer["half_width"]


def test_the_history_of_looks_is_kept(whole):
    manifest = open_run(whole).manifest
    looks = manifest["looks"]
    assert [look["look"] for look in looks] == list(range(1, len(looks) + 1))
    assert len(looks) >= 3
    totals = [look["total"] for look in looks]
    assert totals == sorted(set(totals))
    assert [look["end"] for look in looks[:-1]] == [""] * (len(looks) - 1)
    assert sum(part["pairs"] for part in manifest["parts"]) == totals[-1]
    assert [cell["pairs"] for cell in manifest["cells"]] == looks[-1]["pairs"]
    assert looks[0]["pairs"] == [50] * 6


@pytest.mark.parametrize("executor", [Threads(2), Threads(3), Shuffled(1)])
def test_workers_change_no_byte(whole, tmp_path, executor):
    played(until_plan(), tmp_path / "run", executor)
    assert content(tmp_path / "run") == content(whole)


@pytest.mark.parametrize("parts", [0, 3, 12, 13, 30, 70])
def test_a_broken_run_goes_on_as_if_nothing_had_happened(whole, tmp_path, parts):
    plan = until_plan()
    with pytest.raises(RuntimeError):
        played(plan, tmp_path / "run", kernel=Planted(plan, fail_after=parts))
    result = adaptive.resume(tmp_path / "run", Threads(2), kernel=Planted(plan), restore=restored)
    assert result.played
    assert content(tmp_path / "run") == content(whole)


def test_a_finished_run_is_left_alone(whole, tmp_path):
    import shutil

    shutil.copytree(whole, tmp_path / "run")
    kernel = Planted(until_plan())
    assert not adaptive.resume(tmp_path / "run", Serial(), kernel=kernel, restore=restored).played
    assert not adaptive.run(until_plan(), tmp_path / "run", Serial(), kernel=kernel).played
    assert kernel.played == []


def test_damaged_parts_are_played_again(whole, tmp_path):
    import shutil

    shutil.copytree(whole, tmp_path / "run")
    next((tmp_path / "run" / "games").iterdir()).unlink()
    assert adaptive.resume(tmp_path / "run", Serial(), kernel=Planted(until_plan()), restore=restored).played
    assert content(tmp_path / "run") == content(whole)


def test_a_run_can_be_verified(whole):
    found = verify(whole, Serial(), kernel=Planted(until_plan()), parts=None, restore=restored)
    assert found.differences == ()
    assert found.parts == found.listed > 12


def test_the_most_pairs_end_a_run(tmp_path):
    plan = until_plan(width=0.005, most=1000)
    looks = played(plan, tmp_path / "run")["looks"]
    assert looks[-1]["end"] == "max_pairs"
    assert 700 < looks[-1]["total"] <= 1000
    assert looks[-1]["open"] > 0
    words = adaptive.outcome(json.loads((tmp_path / "run" / "manifest.json").read_text()))
    assert "still wider than ± 0.5 pp" in words


def test_a_first_look_beyond_the_most_pairs_is_refused(tmp_path):
    with pytest.raises(UsageError, match="first look alone takes 300 pairs"):
        played(until_plan(most=299), tmp_path / "run")


@pytest.mark.parametrize("metric", ["team", "seat"])
def test_other_questions_end_too(tmp_path, metric):
    manifest = played(until_plan(metric, 0.05), tmp_path / "run")
    assert manifest["looks"][-1]["end"] == "narrow enough"
    names = {answer["question"] for answer in manifest["looks"][-1]["answers"]}
    assert names == ({"wings", "paws", "mixed"} if metric == "team" else {"first seat"})


def test_what_the_plan_cannot_answer_is_refused(tmp_path):
    plan = until_plan("matchup", teams=[["wings", "wings"], ["paws", "paws"]])
    with pytest.raises(UsageError, match="no matchup has a score"):
        played(plan, tmp_path / "run", kernel=Planted(plan, (0.5,) * 4))


def simulated(random: np.random.Generator, truth: np.ndarray, sd: np.ndarray) -> tuple[bool, int]:
    """One run over normal cells whose mean is asked for; whether any look missed, and the pairs taken."""
    k = len(truth)
    question, pairs, total = Question("mean", 0.02), dict.fromkeys(range(k), 200), 0
    missed = False
    while pairs:
        total += sum(pairs.values())
        means = {c: truth[c] + sd[c] * random.normal() / np.sqrt(n) for c, n in pairs.items()}
        squares = {c: sd[c] ** 2 * random.chisquare(n - 1) / (n - 1) / k**2 for c, n in pairs.items()}
        question.add(Answer("mean", float(np.mean(list(means.values()))), squares), pairs)
        known = question.estimate()
        missed |= not known.low <= truth.mean() <= known.high
        pairs = next_round([question], dict.fromkeys(range(k), 10), 10**7, 50)
    return missed, total


def test_intervals_hold_at_every_look_and_neyman_saves():
    random, truth, sd = np.random.default_rng(1), np.array([0.5, 0.8, 0.6]), np.array([0.5, 0.05, 0.1])
    runs = [simulated(random, truth, sd) for _ in range(400)]
    assert np.mean([missed for missed, _ in runs]) <= 0.05
    # Uniform cells reach a variance V with n = sum sd^2 / V pairs in all ... k times sum(sd^2)/k^2.
    adaptive_cost, uniform_cost = sd.sum() ** 2, len(sd) * (sd**2).sum()
    target = (0.02 / errors_per_half_width()) ** 2
    assert np.mean([total for _, total in runs]) < 0.85 * uniform_cost / len(sd) ** 2 / target
    assert adaptive_cost < uniform_cost


HEAD = "game: jump_masters\ndraft: {format: blind}\n"


def test_plans_say_until():
    loaded = load_plan_text(HEAD + "until: {half_width: 1pp}\n")
    assert (loaded.plan.until.metric, loaded.plan.until.half_width) == ("hero_strength", 0.01)
    assert loaded.plan.pairs == 200
    teams = load_plan_text("game: jump_masters\nteams: recommended\npairs: 30\n", until_ci="2 pp")
    assert (teams.plan.until.metric, teams.plan.until.half_width, teams.plan.pairs) == ("team", 0.02, 30)
    assert load_plan_text(HEAD).config_hash != loaded.config_hash


@pytest.mark.parametrize(
    ("until", "words"),
    [
        ("{half_width: 0}", "width from"),
        ("{half_width: 60pp}", "width from"),
        ("{half_width: wide}", "width from"),
        ("{half_width: true}", "width from"),
        ("{}", "half_width"),
        ("{half_width: 1pp, metric: luck}", "hero_strength"),
        ("{half_width: 1pp, metric: team}", "no teams"),
        ("{half_width: 1pp, max_pairs: 0}", "whole number"),
        ("1pp", "must be a mapping"),
    ],
)
def test_faults_of_until_have_their_place(until, words):
    assert words in one(load_plan_text, HEAD + f"until: {until}\n", "x.yaml").message


def test_games_and_until_do_not_go_together():
    with pytest.raises(UsageError, match="--games is a fixed number"):
        load_plan_text(HEAD + "until: {half_width: 1pp}\n", games=100)


def test_a_dry_run_shows_the_first_look(tmp_path, capsys):
    from balance.cli.app import run_app

    (tmp_path / "x.yaml").write_text(HEAD + "arenas: [pillars, mill]\n")
    assert run_app(["run", str(tmp_path / "x.yaml"), "--until-ci", "2pp", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "2 cells, 2,000 pairs" in shown  # whole parts
    assert "until hero strength is known within 2 pp, at most 200,000 pairs" in shown
    assert run_app(["run", str(tmp_path / "x.yaml"), "--until-ci", "2pp", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["until"]["half_width"] == 0.02


def test_the_command_tells_why_it_ended(tmp_path, capsys):
    from balance.cli.app import run_app

    (tmp_path / "x.yaml").write_text(HEAD + "arenas: [pillars]\nrecord: none\npart_pairs: 100\n")
    run = ["run", str(tmp_path / "x.yaml"), "--until-ci", "10pp", "--no-report", "-q"]
    assert run_app([*run, "-o", str(tmp_path / "one"), "-j", "1"]) == 0
    assert "hero strength: all 10 within ± 10 pp after" in capsys.readouterr().out
    assert run_app([*run, "-o", str(tmp_path / "two"), "-j", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["until"].startswith("hero strength: all 10")
    assert told["looks"][-1]["end"] == "narrow enough"
    one = json.loads((tmp_path / "one" / "manifest.json").read_text())
    assert one["digest"] == told["digest"]
