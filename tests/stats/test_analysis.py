"""All questions put to whole runs: every mode, degenerate runs, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from balance.stats.analysis import analyse_sums
from balance.stats.best_mix import BestMix
from balance.stats.cycles import Cycles
from balance.stats.estimate import Refusal
from balance.stats.holdout import Holdout
from balance.stats.interaction import Interactions
from balance.stats.matchups import level_matchups
from balance.stats.pair_effects import PairTable
from balance.stats.rotations import Places
from tests.stats.planted import Truth, planted_sums

GIVEN = {"x": (0, 1, 2, 3), "y": (4, 5, 6, 7), "z": (0, 2, 4, 6), "w": (1, 3, 5, 7)}


def test_a_drafted_duel_answers_everything_about_rosters():
    found = analyse_sums(planted_sums(Truth(levels=("low", "high"), scale=(0.5, 1.0), size=2), 1500, 1))
    for level in (0, 1):
        model = found.rosters[level]
        assert isinstance(model.synergies, PairTable) and isinstance(model.counters, PairTable)
        assert isinstance(model.check, Holdout) and model.check.verdict != "not enough"
        assert isinstance(found.interactions[level], Interactions)
        assert isinstance(found.cycles[level], Refusal) and isinstance(found.mixes[level], Refusal)
        assert isinstance(found.places[level], Refusal)
    assert found.arenas[0] == found.interactions[0].heroes


def test_given_teams_answer_everything_about_teams():
    found = analyse_sums(planted_sums(Truth(teams=GIVEN), 300, 1))
    assert isinstance(found.cycles[0], Cycles) and found.cycles[0].freedom == 3
    assert isinstance(found.mixes[0], BestMix)
    assert {entry.team for entry in found.mixes[0].teams} == set(GIVEN)
    assert isinstance(found.rosters[0].check, Refusal) and isinstance(found.interactions[0], Refusal)


@pytest.mark.parametrize("mode", ["ffa3", "ffa4"])
def test_more_sides_have_places_and_no_mix(mode):
    truth = Truth(mode=mode, size=2, seat=0.05, draws=0.0, arena={"field": 0.0})
    found = analyse_sums(planted_sums(truth, 400, 1))
    places = found.places[0]
    sides = int(mode[-1])
    assert isinstance(places, Places) and places.n == 400
    assert places.places[0].low < 1 / sides + 0.05 < places.places[0].high
    assert sum(place.value for place in places.places) == pytest.approx(1) and places.p < 0.01
    assert "two sides" in found.mixes[0].reason


def test_places_are_those_of_the_seats_and_stratified():
    found = analyse_sums(planted_sums(Truth(mode="ffa3", size=2), 300, 1))
    for place, seat in zip(found.places[0].places, found.seats[0].places, strict=True):
        assert place.value == pytest.approx(seat.value)
        assert place.se == pytest.approx(seat.se, rel=1e-9)


def test_matchups_are_those_of_the_table_whatever_the_order_of_the_sides():
    sums = planted_sums(Truth(teams=GIVEN), 200, 2)
    found, table = level_matchups(sums, 0), analyse_sums(sums).teams[0].matchups
    for one, two, effect, error in zip(found.first, found.second, found.effect, found.error, strict=True):
        score = table[found.names[one], found.names[two]]
        assert effect + 0.5 == pytest.approx(score.value) and error == pytest.approx(score.se)
    assert found.pairs.sum() == sum(cell.moments.n for cell in sums.cells)


def test_all_drawn_is_a_defined_result():
    found = analyse_sums(planted_sums(Truth(teams=GIVEN, draws=1.0), 60, 1))
    assert found.cycles[0].q == 0 and found.cycles[0].share == 0
    assert [e.weight.value for e in found.mixes[0].teams] == pytest.approx([0.25] * 4)
    drafted = analyse_sums(planted_sums(Truth(draws=1.0, size=2, levels=("a", "b"), scale=(1, 1)), 400, 1))
    assert isinstance(drafted.skill, Refusal)  # nothing varied, so nothing can be compared
    assert "ended alike" in drafted.strengths[0].reason and isinstance(drafted.interactions[0], Refusal)


def test_when_one_agent_wins_every_game_heroes_are_not_told_apart():
    def beaten(cell, rosters, scores):
        return rosters, np.tile([1.0, 0.0], (len(scores), 1))

    sums = planted_sums(Truth(size=2), 400, 1, beaten)
    sums = replace(sums, cells=[replace(c, cell=replace(c.cell, agents=("x", "y"))) for c in sums.cells])
    found = analyse_sums(sums)
    assert "ended alike" in found.strengths[0].reason and isinstance(found.skill, Refusal)
    assert found.met[0].stronger == "x" and found.met[0].decided.value == 1.0


def test_a_handful_of_pairs_is_refused_and_not_guessed():
    found = analyse_sums(planted_sums(Truth(), 5, 1))
    model = found.rosters[0]
    assert all(isinstance(part, Refusal) for part in (model.synergies, model.counters, model.check))
    assert isinstance(found.interactions[0], Refusal)


def test_two_heroes_and_games_without_heroes():
    pair = Truth(heroes=("a", "b"), strength=(0.05, -0.05), size=1)
    found = analyse_sums(planted_sums(pair, 300, 1))
    assert isinstance(found.rosters[0].synergies, Refusal) and isinstance(found.rosters[0].check, Refusal)
    none = analyse_sums(planted_sums(Truth(heroes=(), strength=(), size=0), 50, 1))
    assert isinstance(none.rosters[0].check, Refusal) and isinstance(none.skill, Refusal)


def test_forty_heroes_get_strengths_and_a_check_but_no_pairs():
    many = Truth(heroes=tuple(f"h{k}" for k in range(40)), strength=tuple(np.linspace(-0.05, 0.05, 40)))
    found = analyse_sums(planted_sums(many, 1000, 1))
    assert len(found.strengths[0].heroes) == 40
    assert (
        isinstance(found.rosters[0].synergies, Refusal) and "24 heroes" in found.rosters[0].synergies.reason
    )
    assert isinstance(found.rosters[0].check, Holdout)


def test_a_hero_that_never_played_is_left_out_of_pairs():
    def without(cell, counts, scores):
        kept = counts.copy()
        kept[:, :, 3] = 0
        return kept, scores

    found = analyse_sums(planted_sums(Truth(size=2), 1500, 1, without))
    names = {pair.first for pair in found.rosters[0].synergies.pairs}
    assert "d" not in names and len(found.rosters[0].synergies.pairs) == 21


def test_a_column_that_older_rows_lack_shifts_no_other():
    whole = analyse_sums(planted_sums(Truth(size=2), 300, 1, hero=("steps", "vp_earned")))
    older = analyse_sums(planted_sums(Truth(size=2), 300, 1, hero=("added_later", "steps", "vp_earned")))
    assert set(older.usage[0].metrics) == {"steps", "vp_earned"}
    assert older.usage[0].metrics == whole.usage[0].metrics
    assert whole.usage[0].metrics["steps"] != whole.usage[0].metrics["vp_earned"]


def test_no_games_at_all():
    found = analyse_sums(planted_sums(Truth(teams=GIVEN), 0, 1))
    assert isinstance(found.cycles[0], Refusal) and isinstance(found.mixes[0], Refusal)
    assert isinstance(found.rosters[0].check, Refusal)
