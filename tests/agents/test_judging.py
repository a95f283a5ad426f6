"""Games judged by the house: planted values by hand, then whole games against a reference in plain Python."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from balance.agents.judging import JUDGE, begin_judging, blank_judging, finish_judging, judge_values
from balance.agents.playout import RESULT_ROW, Part, play_part
from balance.config.agents import parse_agent
from balance.games import discover, get_game
from balance.kernel import jit
from balance.kernel.contract import NONE, OVER
from balance.kernel.rng import AGENT, DEAL, DICE, seed_stream
from balance.store.schema import JUDGE_GRID, LEAD_BAND

GAME = get_game("jump_masters")
TEAMS = (("burnny", "hopper", "pinkbeary", "torturn"), ("katula", "parena", "roara", "unni"))
WORDS = ("judged", "swings", "behind", "trailed", "sealed")


def judge_game(judges, results, rows):
    """Judge a game with these values, a row each, the result last."""
    begin_judging(judges[0], 1)
    blank_judging(results[0])
    for index in range(rows.shape[0] - 1):
        judge_values(judges[0], rows[index], rows.shape[1])
    finish_judging(results[0], judges[0], rows[-1], rows.shape[1])


@cache
def compiled_judge():
    """The loop above."""
    if jit.PURE_PYTHON:
        return judge_game
    record, t = jit.record_type, jit.types
    return jit.compiled(judge_game, t.void(record(JUDGE)[::1], record(RESULT_ROW)[::1], t.float64[:, ::1]))


def judged(values, final):
    """What the kernel writes of a game with these evaluations at its turn ends, by side, and this result."""
    judges, results = jit.new_records(1, JUDGE), jit.new_records(1, RESULT_ROW)
    rows = np.array([*values, final], float).reshape(-1, len(final))
    results["winner"] = rows[-1].argmax() if rows[-1].max() == 1 else NONE
    compiled_judge()(judges, results, rows)
    return {name: results[name][0].item() for name in WORDS}


def two(*first):
    """Evaluations of two sides from those of the first."""
    return [(value, 1 - value) for value in first]


def same(found, **wanted):
    for name, value in wanted.items():
        assert found[name] == pytest.approx(value, abs=1e-6, nan_ok=True), name


def test_the_winner_who_always_led_has_no_drama():
    same(judged(two(0.6, 0.7, 0.8), (1, 0)), judged=4, swings=0, behind=0, trailed=0, sealed=1 / 4)


def test_a_comeback():
    """The winner is 40 behind, then 20, then ahead: 60 over four values, and the lead comes third."""
    same(judged(two(0.3, 0.4, 0.7), (1, 0)), judged=4, swings=1, behind=0.15, trailed=0.4, sealed=3 / 4)


def test_the_last_turn_may_decide():
    same(judged(two(0.7, 0.3, 0.7), (0, 1)), swings=3, behind=0.2, trailed=0.4, sealed=1)


def test_small_changes_are_jitter():
    """The band is 10 points of 100 with two sides: 54 to 46 leads nobody, and takes no lead away."""
    same(judged(two(0.54, 0.46, 0.53), (1, 0)), swings=0, sealed=1, trailed=0.08)
    same(judged(two(0.6, 0.46, 0.6, 0.48), (1, 0)), swings=0, sealed=1 / 5, trailed=0.08)


def test_a_lead_is_more_than_the_band():
    edge = (1 + 1 / (LEAD_BAND * 2)) / 2
    assert judged(two(edge), (0, 1))["swings"] == 0
    assert judged(two(edge + 1e-5), (0, 1))["swings"] == 1


def test_a_draw_has_changes_of_the_lead_but_no_winner():
    same(
        judged(two(0.7, 0.3), (0.5, 0.5)),
        judged=3,
        swings=1,
        behind=math.nan,
        trailed=math.nan,
        sealed=math.nan,
    )


def test_a_game_without_turns_is_its_result():
    same(judged([], (0, 1)), judged=1, swings=0, behind=0, trailed=0, sealed=1)


def test_evaluations_count_by_their_share():
    """Three sides at .2, .2, .4 stand as a quarter, a quarter and a half; the band is 6.7 points of 100."""
    found = judged([(0.2, 0.2, 0.4), (0.5, 0.25, 0.25)], (0, 1, 0))
    same(found, judged=3, swings=2, behind=(0.25 + 0.25 + 0) / 3, trailed=0.25, sealed=1)


def test_evaluations_of_nothing_are_even():
    same(judged([(0.0, 0.0)], (1, 0)), judged=2, swings=0, behind=0, sealed=1)


def reference(values, winner):
    """The same from the definitions, with whole lists and no state."""
    shares = [
        [round(v / sum(row) * JUDGE_GRID) if sum(row) else JUDGE_GRID // len(row) for v in row]
        for row in values
    ]
    leaders = []
    for row in shares:
        ahead = max(range(len(row)), key=lambda side: row[side])
        lead = row[ahead] - max(row[:ahead] + row[ahead + 1 :])
        leads = lead * LEAD_BAND * len(row) > JUDGE_GRID
        leaders.append(ahead if leads else leaders[-1] if leaders else None)
    known = [leader for leader in leaders if leader is not None]
    changes = sum(one != two for one, two in zip(known, known[1:], strict=False))
    if winner == NONE:
        return len(values), changes, math.nan, math.nan, math.nan
    deficits = [(max(row) - row[winner]) / JUDGE_GRID for row in shares]
    last = max([k for k, leader in enumerate(leaders) if leader != winner], default=-1)
    return len(values), changes, sum(deficits) / len(deficits), max(deficits), (last + 2) / len(values)


def test_random_values_agree_with_the_reference():
    random = np.random.default_rng(5)
    for sides in (2, 3, 4):
        for _ in range(150):
            values = [
                list(random.random(sides) ** random.choice([0.2, 1])) for _ in range(random.integers(1, 25))
            ]
            winner = int(random.integers(-1, sides))
            final = [float(side == winner) for side in range(sides)] if winner >= 0 else [1 / sides] * sides
            found, wanted = judged(values, final), reference([*values, final], winner)
            same(found, **dict(zip(WORDS, wanted, strict=True)))


def records(game, mode, arena=None):
    make, ruleset = game.part("tables"), game.part("schema").load_ruleset(None, {}, mode)
    tables = make.compile_tables(ruleset, mode, arena or next(iter(ruleset.arenas)))
    seats = game.mode(mode).seats
    rosters = [list(TEAMS[seat % 2]) for seat in range(seats)]
    if game is not GAME:
        heroes, size = sorted(ruleset.heroes), game.roster_size if ruleset.heroes else 0
        rosters = [heroes[size * seat : size * (seat + 1)] for seat in range(seats)]
    return tables, make.make_setup(ruleset, mode, "fixed", rosters)


def played(mode, agent, record=2, every=1, pairs=3, weights=""):
    tables, setup = records(GAME, mode, "pillars")
    seats = GAME.mode(mode).seats
    part = Part(99, 0, pairs, record, every, [parse_agent(agent + weights)] * seats, keep_every=1)
    return play_part(GAME, GAME.mode(mode), tables, setup, part), tables


@pytest.mark.parametrize(
    ("mode", "agent"), [("duel", "greedy"), ("team", "greedy"), ("ffa3", "greedy"), ("ffa4", "greedy")]
)
def test_whole_games_agree_with_the_reference(mode, agent):
    """The positions that the loop keeps at turn ends, evaluated one by one from Python."""
    rows, tables = played(mode, agent)
    rules, sides = GAME.part("rules").CONTRACT.functions, GAME.mode(mode).sides
    seen = 0
    for number, row in enumerate(rows.results):
        mine = np.flatnonzero(rows.owners == number)
        if len(mine) >= 100:  # no more are kept of one game
            continue
        values, scores = [], np.zeros(4)
        for place in mine:
            rules["evaluate"](rows.states[place], tables, scores)
            values.append(list(scores[:sides]))
        side = GAME.mode(mode).side_of_seat
        final = [row["score"][side.index(k)] for k in range(sides)]
        wanted = reference([*values, final], row["winner"])
        same({name: row[name].item() for name in WORDS}, **dict(zip(WORDS, wanted, strict=True)))
        seen += 1
    assert seen >= len(rows.results) - 1
    assert len({row["swings"] for row in rows.results}) > 1


def replayed(game, mode, tables, setup, key, pair):
    """One game of random agents, played again step by step from Python; counts what was legal."""
    rules, contract = game.part("rules").CONTRACT.functions, game.part("rules").CONTRACT
    state, streams = jit.new_record(contract.state), np.zeros((6, 1), np.uint64)
    for place, purpose in enumerate((DEAL, DICE, *(AGENT + seat for seat in range(4)))):
        seed_stream(streams[place], key, pair, purpose)
    actions, counts = np.zeros(game.max_actions, np.int64), []
    rules["setup"](state, tables, setup, streams[0])
    while state.status != OVER:
        seat = int(state.to_move)
        counts.append(int(rules["legal"](state, tables, actions)))
        action = rules["sample"](state, tables, actions, streams[2 + seat])
        rules["step"](state, tables, action, streams[1])
    return counts


@pytest.mark.parametrize("slug", list(discover()))
def test_choices_agree_with_a_game_played_again(slug):
    game = get_game(slug)
    mode = game.modes[0]
    tables, setup = records(game, mode.name)
    part = Part(7, 0, 4, 2, 2, [parse_agent("random")] * mode.seats)
    rows = play_part(game, mode, tables, setup, part).results
    assert set(rows["pair"][rows["decisions"] > 0]) == {0, 2}
    for row in rows[(rows["seating"] == 0) & (rows["pair"] % 2 == 0)]:
        counts = replayed(game, mode, tables, setup, np.uint64(7), int(row["pair"]))
        assert row["decisions"] == row["plies"] == len(counts)
        assert (row["options"], row["forced"]) == (sum(counts), counts.count(1))


def test_pairs_that_are_not_counted_say_so():
    rows = played("duel", "random", every=2, pairs=4)[0].results
    others = rows[rows["pair"] % 2 == 1]
    assert len(others) == 4
    assert (
        (others["decisions"] == 0).all() and (others["judged"] == 0).all() and (others["swings"] == -1).all()
    )
    assert all(np.isnan(others[name]).all() for name in ("behind", "trailed", "sealed"))
    assert (rows["judged"][rows["pair"] % 2 == 0] > 0).all()


def test_judging_changes_no_game_and_is_left_out_below_full():
    full, basic = played("duel", "greedy")[0], played("duel", "greedy", record=1)[0]
    assert "judged" in full.results.dtype.names
    assert "judged" not in basic.results.dtype.names
    for name in basic.results.dtype.names:
        if name not in ("counted", "ends"):
            assert np.array_equal(full.results[name], basic.results[name], equal_nan=name == "score"), name
    assert full.game.tobytes() == basic.game.tobytes()


def test_the_judge_does_not_ask_what_agents_believe():
    """Weights of the agents change how they play, and not what a random game of theirs is worth."""
    tables, setup = records(GAME, "duel", "pillars")
    found = []
    for weights in ({}, {"random": {"lead": -5.0, "scale": 60.0}}):
        part = Part(99, 0, 3, 2, 1, [parse_agent("random")] * 2, defaults=weights)
        found.append(play_part(GAME, GAME.mode("duel"), tables, setup, part).results.tobytes())
    assert found[0] == found[1]
