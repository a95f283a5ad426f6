"""Known weights come out; the seed alone decides; what cannot be fitted is said; the file is read back."""

from __future__ import annotations

import signal

import numpy as np
import pytest

from balance.config.agents import parse_agent
from balance.errors import ConfigError, UsageError
from balance.games import get_game
from balance.play.executors.serial import Serial
from balance.play.executors.threads import Threads
from balance.play.plan import load_plan_text
from balance.play.run import Silent
from balance.study.fit import fit, round_plan, task_of, trial_plan, with_weights
from balance.study.fit_file import agent_text, agents_yaml
from tests.play.fakes import Recorder, Shuffled
from tests.study.planted_fit import NAMES, TRUE, FitKernel, estimates

PLAN = """game: jump_masters
arenas: [pillars, mill]
teams: {h: [hopper, burnny], t: [torturn, unni], k: [katula, freeda]}
agents: ["greedy:0.1 lead=0.2 energy=0.3 turn=0"]
"""


def task(names=NAMES, rounds=2, pairs=200, test_pairs=60, text=PLAN, **flags):
    return task_of(load_plan_text(text, **flags), names, rounds, pairs, test_pairs)


def planted(wanted, executor=None, progress=None, kernel=None):
    return fit(wanted, executor or Serial(), progress, kernel=kernel or FitKernel(), estimates=estimates)


@pytest.fixture(scope="module")
def found():
    return planted(task())


def test_the_true_weights_are_approached(found):
    # 2,400 games of one fact each: a standard error of about 0.06 a weight
    for name, value in TRUE.items():
        assert found.weights[name] == pytest.approx(value, abs=0.2)
        assert abs(found.weights[name] - value) < abs(found.task.old[name] - value)


def test_the_rounds_say_what_they_did(found):
    assert [one.games for one in found.rounds] == [2 * 3 * 200 * 2] * 2
    assert found.rounds[0].positions == 6 * found.rounds[0].games
    assert found.rounds[0].after < found.rounds[0].before
    assert found.games == 2 * 2400 + found.test_games


def test_the_gain_is_shown_on_pairs_of_the_test_alone(found):
    assert found.share.estimate.n == 2 * 6 * 60  # arenas x ordered matchups x pairs
    assert found.test_games == 2 * found.share.estimate.n
    assert 0.5 < found.share.lower < found.share.estimate.value
    assert found.better


def test_equal_weights_are_not_shown_to_be_better():
    good = " ".join(f"{name}={value}" for name, value in TRUE.items())
    same = planted(task(rounds=1, text=PLAN.replace("lead=0.2 energy=0.3 turn=0", good)))
    assert abs(same.share.estimate.value - 0.5) < 0.05
    assert not same.better


def test_no_stream_is_used_twice():
    kernel, wanted = FitKernel(), task(rounds=3, pairs=2, test_pairs=2)
    planted(wanted, kernel=kernel)
    by_plan = [{cell.stream_key for cell in cells_of(wanted, number)} for number in range(4)]
    assert len(set.union(*by_plan)) == sum(map(len, by_plan))
    assert {key for key, _ in kernel.played} == set.union(*by_plan)


def cells_of(wanted, number):
    from balance.play.cells import expand

    plan = trial_plan(wanted, wanted.old) if number == 3 else round_plan(wanted, number, wanted.old)
    cells = expand(plan)
    # ordered matchups of the same two teams are set-ups of their own in the test
    assert len({(cell.arena, cell.rosters) for cell in cells}) == len(cells)
    return cells


@pytest.mark.parametrize("executor", [Threads(2), Threads(3), Shuffled(4)])
def test_who_does_the_work_changes_nothing(executor):
    wanted = task(pairs=12, test_pairs=7)
    one, other = planted(wanted), planted(wanted, executor)
    assert one.rounds == other.rounds
    assert one.share == other.share


def test_the_seed_decides():
    assert planted(task(pairs=12, seed=1)).weights != planted(task(pairs=12, seed=2)).weights


def test_weights_that_are_not_named_stay():
    found = planted(task(names=("turn",), rounds=1, pairs=40))
    assert set(found.weights) == {"turn"}
    assert dict(parse_agent(agent_text(found)).settings)["lead"] == 0.2


def test_another_agent_plays_the_rounds_with_the_weights_of_the_one_that_is_fitted():
    own, by = load_plan_text(PLAN), load_plan_text(PLAN, agent="greedy:0.5 horizon=ply")
    wanted = task_of(own, ("turn",), 2, 3, 4, by)
    player = dict(round_plan(wanted, 1, {"turn": 0.7}).levels[0][1].settings)
    assert (player["horizon"], player["lead"], player["turn"]) == ("ply", 0.2, 0.7)
    assert player["hill_own"] == own.ruleset.weights["hill_own"]
    new, old = trial_plan(wanted, {"turn": 0.7}).levels[0]
    assert (dict(new.settings)["turn"], dict(old.settings)["turn"]) == (0.7, 0.0)
    assert new.number == old.number == 0.1


def test_a_signal_leaves_the_finished_rounds():
    wanted = task(rounds=3, pairs=10)
    first = len(list(round_plan(wanted, 0, wanted.old).arenas)) * 3 * 2  # pieces of the first round

    def ring(number):
        if number == first + 2:
            signal.raise_signal(signal.SIGINT)

    whole, cut = planted(wanted), planted(wanted, kernel=FitKernel(on_part=ring))
    assert cut.signal == signal.SIGINT
    assert cut.rounds == whole.rounds[:1]
    assert cut.share is None
    assert not cut.better


def test_progress_counts_every_game():
    shown = Recorder()
    found = planted(task(rounds=2, pairs=7, test_pairs=3), progress=shown)
    started = [call for call in shown.calls if call[0] == "start"]
    assert started == [("start", found.games, 0)]
    assert sum(call[1] for call in shown.calls if call[0] == "advance") == found.games
    assert shown.calls[-1] == ("finish",)


@pytest.mark.parametrize(
    ("agent", "names", "message"),
    [
        ("random", (), "random has no weights"),
        ("greedy", ("tempo",), "no weight 'tempo'"),
        ("mcts:4", ("turn", "turn"), "named twice"),
    ],
)
def test_what_cannot_be_fitted(agent, names, message):
    with pytest.raises(UsageError, match=message):
        task_of(load_plan_text(PLAN, agent=agent), names, 1, 1, 1)


def test_a_game_without_weights(monkeypatch):
    loaded = load_plan_text(PLAN)
    object.__setattr__(loaded, "ruleset", type(loaded.ruleset)("jump_masters", {}, {}, {}, {}))
    with pytest.raises(UsageError, match="has no weights to fit"):
        task_of(loaded, (), 1, 1, 1)


def test_the_file_is_read_back(found, tmp_path):
    game = get_game("jump_masters")
    for name in ("cards", "arenas", "rules"):
        (tmp_path / f"{name}.yaml").write_bytes((game.configs / f"{name}.yaml").read_bytes())
    (tmp_path / "agents.yaml").write_text(agents_yaml(found, "balance agents fit PLAN"))
    read = game.part("schema").load_ruleset(tmp_path)
    shipped = found.task.plan.ruleset
    assert read.weights == shipped.weights
    assert read.agents["greedy"] == {**shipped.agents.get("greedy", {}), **found.weights}
    assert read.agents["mcts"] == shipped.agents["mcts"]
    assert "source: fitted" in (tmp_path / "agents.yaml").read_text()


def test_an_agent_keeps_its_other_settings():
    agent = with_weights(parse_agent("mcts:16 exploration=0.2 turn=1 without=action:run"), {"turn": 2.5})
    assert agent.label == "mcts:16 exploration=0.2 turn=2.5 without=action:run"


def test_three_sides_have_one_half_when_equal():
    text = PLAN.replace("arenas", "mode: ffa3\narenas")
    wanted = task_of(load_plan_text(text), ("turn",), 1, 4, 4)
    kernel = FitKernel()
    kernel.result = lambda random, facts, seats, part: thirds()
    found = fit(wanted, Serial(), Silent(), kernel=kernel, estimates=three)
    assert found.share.estimate.value == pytest.approx(0.5)


def thirds():
    from balance.store.schema import RESULT

    row = np.zeros(1, RESULT)[0]
    row["score"], row["weight"] = [1 / 3, 1 / 3, 1 / 3, np.nan], 1
    return row


def three(game, tables, states, names, weights, sides):
    first = estimates(game, tables, states, names, weights, 2)[..., :1]
    return np.concatenate([first, (1 - first) / 2, (1 - first) / 2], axis=2)


def test_a_faulty_plan_is_a_fault_of_the_plan():
    with pytest.raises(ConfigError, match="unknown agent"):
        load_plan_text(PLAN, agent="gredy")
