"""Planted values come out with their signs; nothing used is exactly nothing; runs go on and repeat."""

from __future__ import annotations

import numpy as np
import pytest

from balance.errors import BalanceError, UsageError
from balance.play.executors.serial import Serial
from balance.play.executors.threads import Threads
from balance.play.plan import load_plan_text
from balance.play.run import Interrupted
from balance.report.value_page import as_data, as_json, write_value
from balance.stats.reach import DEPENDENT, ROBUST, SINGLE, UNCLEAR
from balance.study.restricted import compare
from balance.study.value import BASELINE, value
from tests.play.conftest import impatient_disk, one_kernel  # noqa: F401
from tests.play.fakes import Recorder, content
from tests.study.planted_value import PlantedKernel

PLAN = """game: jump_masters
name: planted
arenas: [pillars, mill]
teams: {h: [hopper, burnny], t: [torturn, unni], both: [hopper, torturn], k: [katula, freeda]}
pairs: 150
record: none
"""
WORTH = {"hopper": 0.15, "burnny": -0.1, "unni": 0.05, "torturn": 0.1}


def played(folder, text=PLAN, worth=WORTH, only=(), executor=None, progress=None, **options):
    kernel = options.pop("kernel", None) or PlantedKernel(worth)
    comparison = compare(load_plan_text(text), only)
    return value(comparison, folder, executor or Serial(), progress, kernel=kernel, **options)


def by_name(result):
    return {item.item.name: item for item in result.items}


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    from balance.kernel import cache

    patch.setattr(cache, "source_hash", lambda: "0123456789abcdef0123")
    yield played(tmp_path_factory.mktemp("planted") / "out")
    patch.undo()


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        ("ability:frog_bow", 0.15),
        ("ability:fire_step", -0.1),
        ("ability:missile_go", 0.05),
        ("ability:stalwart", 0.1),
    ],
)
def test_planted_values_with_their_signs(planted, name, truth):
    found = by_name(planted)[name].values[0]
    assert abs(found.estimate.value - truth) < 3.5 * found.estimate.se
    assert found.estimate.low < found.estimate.value < found.estimate.high
    assert np.sign(found.estimate.value) == np.sign(truth)
    assert found.p < 0.05 and found.estimate.se < 0.02


def test_what_decides_nothing_is_exactly_nothing(planted):
    """Katula's ability is used in every game and changes none of them: common streams."""
    for name in ("ability:blood_boon", "ability:aura"):
        found = by_name(planted)[name].values[0]
        assert (found.estimate.value, found.estimate.se, found.delta.discordance, found.p) == (0, 0, 0, 1)


def test_the_pairs_are_those_of_the_cells_that_hold_the_hero(planted):
    pairs = {name: item.values[0].estimate.n for name, item in by_name(planted).items()}
    assert pairs["ability:frog_bow"] == 2 * 150 * 5  # all matchups but t - k
    assert pairs["ability:missile_go"] == 2 * 150 * 3
    assert pairs["ability:stalwart"] == 2 * 150 * 4  # not t - both
    assert planted.pairs == 2 * 150 * 6


def test_uses_of_the_holders(planted):
    found = by_name(planted)["ability:missile_go"].values[0]
    assert found.games == found.used == 2 * 2 * 150 * 3
    assert (found.possible, found.counted) == (None, 0)
    assert by_name(planted)["ability:stalwart"].values[0].used is None


def test_holm_over_the_abilities(planted):
    raw = {name: item.values[0].delta.p for name, item in by_name(planted).items()}
    adjusted = {name: item.values[0].p for name, item in by_name(planted).items()}
    least = min(raw, key=raw.get)
    assert adjusted[least] == pytest.approx(min(1.0, len(raw) * raw[least]))
    assert all(adjusted[name] >= raw[name] for name in raw)


def test_both_sides_of_a_cell_count_once(tmp_path):
    text = PLAN.replace("both: [hopper, torturn], k: [katula, freeda]", "u: [hopper, unni]")
    text = text.replace("pairs: 150", "pairs: 300\nmatchups: [[h, u]]")
    found = by_name(played(tmp_path / "out", text))["ability:frog_bow"].values[0]
    assert found.estimate.n == 600
    assert abs(found.estimate.value - 0.15) < 3.5 * found.estimate.se


def test_mirror_matches(tmp_path):
    text = PLAN.replace("pairs: 150", "pairs: 300\nmatchups: [[h, h]]")
    result = played(tmp_path / "out", text, only=["ability:frog_bow"])
    assert sorted(result.digests) == ["ability-frog_bow-A", BASELINE]
    found = by_name(result)["ability:frog_bow"].values[0]
    assert found.estimate.n == 600 and found.games == 600 * 4
    assert abs(found.estimate.value - 0.15) < 3.5 * found.estimate.se


def test_one_seat_of_a_team_is_restricted(tmp_path):
    text = PLAN.replace("both: [hopper, torturn], k: [katula, freeda]", "c: [katula], d: [roara]")
    text = text.replace("pillars, mill]", "pillars]\nmode: team\nmatchups: [[h, t, c, d], [c, t, h, d]]")
    result = played(tmp_path / "out", text, only=["ability:frog_bow"])
    assert sorted(result.digests) == ["ability-frog_bow-A", "ability-frog_bow-C", BASELINE]
    found = by_name(result)["ability:frog_bow"].values[0]
    assert found.estimate.n == 300
    assert abs(found.estimate.value - 0.15) < 3.5 * found.estimate.se


def test_rotations(tmp_path):
    text = PLAN.replace("pillars, mill]", "pillars]\nmode: ffa3\nmatchups: [[h, h, k]]")
    found = by_name(played(tmp_path / "out", text, {}, only=["ability:frog_bow"]))["ability:frog_bow"]
    assert found.values[0].estimate.n == 150
    assert (found.values[0].estimate.value, found.values[0].delta.discordance) == (0, 0)


class Drafted(PlantedKernel):
    """The draft gives hopper to player 0 in even pairs, to nobody in odd ones."""

    def rosters(self, setup, pair):
        return [("hopper" if pair % 2 == 0 else "freeda", "burnny"), ("katula", "parena"), (), ()]


def test_drafts_count_the_pairs_in_which_it_was_drafted(tmp_path):
    text = "game: jump_masters\narenas: [pillars]\ndraft: {format: blind}\npairs: 400\nrecord: none\n"
    found = by_name(played(tmp_path / "out", text, only=["power:hopper"], kernel=Drafted({"hopper": 0.2})))
    estimate = found["ability:frog_bow"].values[0].estimate
    assert estimate.n == 200
    assert abs(estimate.value - 0.2) < 3.5 * estimate.se


def test_abilities_that_nobody_drafted_have_no_row(tmp_path):
    text = "game: jump_masters\narenas: [pillars]\ndraft: {format: blind}\npairs: 5\nrecord: none\n"
    result = played(tmp_path / "out", text, kernel=Drafted({}), only=["power:hopper", "power:roara"])
    assert sorted(by_name(result)) == ["ability:frog_bow"]


class ByLevel(PlantedKernel):
    """What Unni's ability is worth depends on the agent."""

    def worth_of(self, hero, tables, agent):
        sign = -1 if hero == "unni" and agent.kind == "greedy" else 1
        return sign * super().worth_of(hero, tables, agent)


def test_reach_over_the_levels(tmp_path):
    text = PLAN.replace("pairs: 150", "pairs: 60\nagents: [random, greedy]")
    found = by_name(played(tmp_path / "out", text, kernel=ByLevel({"hopper": 0.2, "unni": 0.2})))
    assert found["ability:frog_bow"].reach.label == ROBUST
    assert found["ability:missile_go"].reach.label == DEPENDENT
    assert found["ability:blood_boon"].reach.label == UNCLEAR
    signs = [np.sign(v.estimate.value) for v in found["ability:missile_go"].values]
    assert signs == [1, -1]


def test_one_level_says_so(planted):
    assert by_name(planted)["ability:frog_bow"].reach.label == SINGLE


SMALL = PLAN.replace("pairs: 150", "pairs: 6\npart_pairs: 2")


@pytest.mark.usefixtures("one_kernel")
class TestFolders:
    def test_the_same_bytes_for_any_number_of_workers(self, tmp_path):
        for workers in (1, 3):
            write_value(played(tmp_path / str(workers) / "out", SMALL, executor=Threads(workers)))
        assert content(tmp_path / "1") == content(tmp_path / "3")
        assert {"out/report.html", "out/value.json", "out/baseline/manifest.json"} <= set(
            content(tmp_path / "1")
        )

    def test_a_second_call_plays_nothing(self, tmp_path):
        first = played(tmp_path / "out", SMALL)
        kernel = PlantedKernel(WORTH)
        again = played(tmp_path / "out", SMALL, kernel=kernel)
        assert kernel.played == []
        assert as_json(again) == as_json(first)

    def test_further_abilities_reuse_what_there_is(self, tmp_path):
        played(tmp_path / "out", SMALL, only=["ability:frog_bow"])
        kernel = PlantedKernel(WORTH)
        result = played(tmp_path / "out", SMALL, only=["ability:frog_bow", "ability:stalwart"], kernel=kernel)
        assert len(kernel.played) == 2 * 4 * 3  # arenas, matchups with one torturn, parts
        assert len(result.items) == 2

    def test_an_interrupted_call_goes_on(self, tmp_path, monkeypatch):
        whole = played(tmp_path / "whole", SMALL)
        from balance.study import value as module

        def stopping(plan, folder, executor, progress, *, kernel, force):
            """Break off in the third run, after one part."""
            stopping.runs += 1
            if stopping.runs < 3:
                return real(plan, folder, executor, progress, kernel=kernel, force=force)
            kernel.fail_after = len(kernel.played) + 1
            with pytest.raises(RuntimeError):
                real(plan, folder, executor, progress, kernel=kernel, force=force)
            raise Interrupted(folder, 1, 12, 2)

        real, stopping.runs = module.run, 0
        monkeypatch.setattr(module, "run", stopping)
        with pytest.raises(BalanceError) as caught:
            played(tmp_path / "out", SMALL)
        assert caught.value.exit_code == 130
        assert "interrupted in run 3 of" in caught.value.message and "same command again" in caught.value.hint
        monkeypatch.setattr(module, "run", real)
        assert as_json(played(tmp_path / "out", SMALL)) == as_json(whole)

    def test_one_bar_over_all_runs(self, tmp_path):
        progress = Recorder()
        comparison = compare(load_plan_text(SMALL))
        value(comparison, tmp_path / "out", Serial(), progress, kernel=PlantedKernel(WORTH))
        starts = [call for call in progress.calls if call[0] == "start"]
        assert starts == [("start", comparison.games, 0)]
        assert sum(call[1] for call in progress.calls if call[0] == "advance") == comparison.games
        assert [call[0] for call in progress.calls].count("finish") == 1

    def test_other_runs_are_not_written_over(self, tmp_path):
        played(tmp_path / "out", SMALL)
        with pytest.raises(UsageError, match="holds another run"):
            played(tmp_path / "out", SMALL.replace("pairs: 6", "pairs: 8"))
        played(tmp_path / "out", SMALL.replace("pairs: 6", "pairs: 8"), force=True)
        with pytest.raises(UsageError, match="is the folder of a run"):
            played(tmp_path / "out" / BASELINE, SMALL)


def test_the_data_names_method_pairs_interval_and_limit(planted):
    data = as_data(planted)
    first = data["items"][0]["values"][0]
    assert {"value", "se", "low", "high", "pairs", "p_holm", "detectable", "games_used", "level"} <= set(
        first
    )
    assert data["method"].startswith("mean paired difference")
    assert data["levels"] == ["random"]


def test_the_page_has_the_forest_its_table_and_its_caption(planted):
    page = write_value(planted).read_text()
    for text in (
        "What an ability is worth",
        "Frog bow (Hopper)",
        "Smallest found",
        "Holm over",
        "95 % interval",
    ):
        assert text in page
    assert "1,500 pairs" in page or "1,500" in page
