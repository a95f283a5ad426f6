"""Draft formats: the factorial by hand, equivalence, signs, refusals."""

import math

import numpy as np
import pytest

from balance.stats.estimate import Refusal
from balance.stats.fairness import DraftFairness, draft_fairness
from balance.stats.verdicts import FAIL, INCONCLUSIVE, PASS


def drafts(n, draft, turn, seed=0):
    """Scores of the first drafter in both seatings."""
    random = np.random.default_rng(seed)
    first = random.random(n) < 0.5 + (draft + turn) / 2
    second = random.random(n) < 0.5 + (draft - turn) / 2
    return first.astype(float), second.astype(float)


def test_the_factorial_by_hand():
    found = draft_fairness([1.0, 0.5, 1.0], [0.0, 0.5, 1.0], "greedy")
    assert isinstance(found, DraftFairness)
    assert found.draft.value == pytest.approx(1 / 3)
    assert found.turn.value == pytest.approx(1 / 3)
    assert found.moving_first.value == pytest.approx(2.5 / 3) and found.moving_second.value == 0.5
    assert found.agent == "greedy" and "greedy" in found.verdict.metric and found.n == 3


def test_a_fair_format_is_shown_to_be_fair_only_with_enough_drafts():
    assert draft_fairness(*drafts(20_000, 0.0, 0.1), "random").verdict.verdict == PASS
    few = draft_fairness(*drafts(300, 0.0, 0.1), "random")
    assert few.verdict.verdict == INCONCLUSIVE and not few.fair


def test_an_unfair_format_fails():
    found = draft_fairness(*drafts(20_000, 0.06, 0.0), "random")
    assert found.verdict.verdict == FAIL and found.draft.low < 0.06 < found.draft.high


def test_moving_first_is_not_drafting_first():
    found = draft_fairness(*drafts(20_000, 0.0, 0.2), "random")
    assert abs(found.draft.value) < 0.02 and found.turn.value == pytest.approx(0.2, abs=0.02)


def test_on_the_margin_it_passes_in_one_of_twenty():
    passed = [draft_fairness(*drafts(4000, 0.02, 0.0, seed), "x").fair for seed in range(400)]
    assert np.mean(passed) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)


def test_swapping_the_drafters_flips_the_sign():
    one, two = drafts(500, 0.05, 0.1)
    found, other = draft_fairness(one, two, "x"), draft_fairness(1 - two, 1 - one, "x")
    assert other.draft.value == pytest.approx(-found.draft.value)
    assert other.turn.value == pytest.approx(found.turn.value)


def test_refusals():
    assert isinstance(draft_fairness([1.0], [0.0], "x"), Refusal)
    assert "drafters" in draft_fairness([1.0, 0.5], [0.0, 0.5], "").reason
    with pytest.raises(ValueError, match="both seatings"):
        draft_fairness([1.0, 0.5], [0.0], "x")


def test_all_drawn_is_no_proof_of_fairness_with_few_drafts():
    few, many = (draft_fairness(np.full(n, 0.5), np.full(n, 0.5), "x") for n in (10, 10_000))
    assert few.verdict.verdict == INCONCLUSIVE and few.draft.low < 0 < few.draft.high
    assert many.verdict.verdict == PASS
