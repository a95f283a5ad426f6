"""Which runs can be compared, what their plans do differently, and sweeps over several."""

from dataclasses import replace

import pytest

from balance.errors import RunError, UsageError
from balance.stats.analysis import columns_of
from balance.stats.estimate import Refusal
from balance.store.manifest import load
from balance.study.comparable import changed_of, matched_levels
from balance.study.comparison import compare_runs
from balance.study.sweep_data import sweep_data
from tests.stats import planted
from tests.stats.planted import Truth, planted_run
from tests.stats.twins import edited, numbered

TRUTH = Truth(levels=("random", "greedy"), scale=(0.5, 1.0))


def describe(slug):
    return columns_of(planted.COLUMNS if slug == "planted_game" else {}, ("cap",))


def compared(base, candidate):
    return compare_runs(base, candidate, describe)


def test_other_games_and_modes_are_refused(tmp_path):
    base = planted_run(tmp_path / "a", TRUTH, 60)
    other = edited(planted_run(tmp_path / "b", TRUTH, 60), game="chess")
    with pytest.raises(UsageError, match=r"another game \(planted_game, chess\)"):
        compared(base, other)
    team = planted_run(tmp_path / "c", replace(TRUTH, mode="team"), 60)
    with pytest.raises(UsageError, match="another mode"):
        compared(base, team)


def test_nothing_in_common_is_refused_with_what_each_has(tmp_path):
    base = planted_run(tmp_path / "a", replace(TRUTH, arena={"north": 0.0}), 60)
    other = planted_run(tmp_path / "b", replace(TRUTH, arena={"west": 0.0}), 60)
    with pytest.raises(UsageError, match="no cell in common.*random in north.*random in west"):
        compared(base, other)


def test_a_plan_a_file_a_missing_run_and_an_empty_run_are_told_apart(tmp_path):
    base = planted_run(tmp_path / "a", TRUTH, 60)
    (tmp_path / "plan.yaml").write_text("game: x\n")
    with pytest.raises(UsageError) as error:
        compared(base, tmp_path / "plan.yaml")
    assert "balance run" in error.value.hint and "plan.yaml" in error.value.hint
    with pytest.raises(RunError):
        compared(base, tmp_path / "none")
    manifest = load(planted_run(tmp_path / "b", TRUTH, 60))
    manifest.parts.clear()
    manifest.digest = None
    manifest.write()
    with pytest.raises(RunError, match="no games yet"):
        compared(base, tmp_path / "b")


def test_levels_of_one_label_belong_together_else_those_in_order():
    assert matched_levels(("random", "greedy"), ("greedy", "mcts:64")) == (((1, 0),), False)
    assert matched_levels(("greedy",), ("mcts:64",)) == (((0, 0),), True)
    assert matched_levels(("greedy",), ("mcts:64", "flat:8")) == ((), False)


def test_other_agents_in_the_same_place_are_compared_and_it_is_said(tmp_path):
    base = planted_run(tmp_path / "a", Truth(), 100)
    other = planted_run(tmp_path / "b", Truth(levels=("greedy",)), 100)
    found = compared(base, other)
    assert found.common.relabelled and found.sizes.paired == 2
    assert [(c.group, c.path) for c in found.changed] == [("agents", "agents")]


def test_runs_cut_short_are_compared_by_what_both_have(tmp_path):
    base = planted_run(tmp_path / "a", TRUTH, 200, part=100)
    other = planted_run(tmp_path / "b", TRUTH, 200, part=100)
    manifest = load(other)
    for key in [(0, 1), (1, 0), (1, 1)]:
        del manifest.parts[key]
    manifest.digest = None
    manifest.write()
    found = compared(base, other)
    assert found.sizes.pairs == 100 + 200 + 200
    assert found.common.only_base == ("random in south",)


def test_another_seed_is_compared_as_two_samples(tmp_path):
    base, other = planted_run(tmp_path / "a", TRUTH, 100), planted_run(tmp_path / "b", TRUTH, 100, seed=2)
    found = compared(base, other)
    assert (found.sizes.paired, found.sizes.apart, found.sizes.common) == (0, 4, 0)
    assert not found.sizes.identical
    assert [(c.path, c.before, c.after) for c in found.changed] == [("seed", 1, 2)]


def manifest_with(plan=None, heroes=None, weights=None, numbers=(), **rest):
    ruleset = {
        "numbers": [{"path": path, "value": value} for path, value in numbers],
        "heroes": heroes or {},
        "weights": weights or {},
    }
    return {"levels": ["x"], "seed": 1, "plan": {"plan": plan or {}, "ruleset": ruleset}, **rest}


def test_what_changed_has_paths_with_before_and_after():
    base = manifest_with(
        {"agents": ["random"], "pairs": 10, "name": "a"},
        {"hopper": {"text": "jumps"}},
        {"lead": 1.0},
        [("rules.hill_vp", 1), ("heroes.hopper.maximum", 4), ("arenas.mill", ". #")],
        kernel_hash="k",
    )
    other = manifest_with(
        {"agents": ["greedy"], "pairs": 20, "name": "b"},
        {"hopper": {"text": "jumps far"}},
        {"lead": 2.0},
        [("rules.hill_vp", 1), ("heroes.hopper.maximum", 6), ("arenas.mill", "# ."), ("rules.new", 3)],
        kernel_hash="l",
    )
    found = [(c.group, c.path, c.before, c.after) for c in changed_of(base, other)]
    assert found == [
        ("rules", "rules.new", None, 3),
        ("rules", "rules kernel", "k", "l"),
        ("heroes", "heroes.hopper.maximum", 4, 6),
        ("heroes", "heroes.hopper", "jumps", "jumps far"),
        ("arenas", "arenas.mill", ". #", "# ."),
        ("agents", "agents", ["random"], ["greedy"]),
        ("agents", "weights.lead", 1.0, 2.0),
        ("plan", "pairs", 10, 20),
    ]
    assert changed_of(base, base) == ()


@pytest.fixture
def star(tmp_path):
    """A base and runs that move one of two numbers; the first moves hero a by so many points."""

    def make(name, energy, hill):
        strength = (0.03 * energy - 0.06, 0.03, 0.01, 0.0, 0.0, -0.01, -0.03, -0.06)
        truth = replace(TRUTH, strength=strength, seat=0.02 * hill)
        folder = planted_run(tmp_path / name, truth, 200)
        return numbered(folder, heroes__a__maximum=energy, rules__hill_vp=hill)

    return [make("base", 4, 1), make("low", 2, 1), make("high", 6, 1), make("hill", 4, 5)]


def test_a_sweep_finds_its_numbers_and_slices(star):
    data = sweep_data(star, describe)
    assert data.parameters == ("heroes.a.maximum", "rules.hill_vp")
    assert [cell.values for cell in data.cells] == [(4, 1), (2, 1), (6, 1), (4, 5)]
    assert [cell.folder.name for cell in data.slice("heroes.a.maximum")] == ["low", "base", "high"]
    assert [cell.folder.name for cell in data.slice("rules.hill_vp")] == ["base", "hill"]
    metric = next(m for m in data.metrics() if m.topic == "heroes" and m.name == ("a",) and m.level == 1)
    base, low, high, _ = data.points(metric)
    assert base.difference is None and base.p == 1.0
    assert low.difference.high < 0 < high.difference.low and max(low.p, high.p) < 0.05
    found = data.sensitivity(metric)
    assert isinstance(found.sobol, Refusal) and isinstance(found.morris, Refusal)


def test_a_sweep_needs_numbers_that_differ(tmp_path):
    folders = [planted_run(tmp_path / name, TRUTH, 60) for name in "abc"]
    with pytest.raises(UsageError, match="differ in no number"):
        sweep_data(folders, describe)


def test_sobol_and_morris_from_runs_that_are_such_designs(tmp_path):
    def run(name, one, two):
        strength = (0.05 * one, 0.03, 0.01, 0.0, 0.0, -0.01, -0.03, -0.06)
        folder = planted_run(tmp_path / name, Truth(strength=strength, arena={"north": 0.0}), 100)
        return numbered(folder, x=one, y=two)

    a, b = [(1, 5), (2, 7), (1, 9), (2, 11)], [(3, 6), (4, 8), (4, 10), (3, 12)]
    points = [*a, *b, *[(q[0], p[1]) for p, q in zip(a, b, strict=True)]]
    points += [(p[0], q[1]) for p, q in zip(a, b, strict=True)]
    data = sweep_data([run(f"s{k}", *point) for k, point in enumerate(points)], describe)
    hero = next(m for m in data.metrics() if m.name == ("a",))
    x, y = data.sensitivity(hero).sobol
    assert (x.name, y.name) == ("x", "y") and x.total.value > 5 * y.total.value
    walks = [(1, 5), (3, 5), (3, 7), (1, 7), (1, 5), (3, 5)]
    data = sweep_data([run(f"w{k}", *point) for k, point in enumerate(walks)], describe)
    x, y = data.sensitivity(hero).morris
    assert x.mean_absolute.value == pytest.approx(0.9 * 0.1 * 7 / 8, abs=0.03)
    assert y.mean_absolute.value < 0.01
