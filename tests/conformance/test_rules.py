"""What the house expects of every game's rule functions (ARCHITECTURE, conformance)."""

from __future__ import annotations

import numpy as np
import pytest

from balance.games import get_game
from balance.games.position import Position
from balance.kernel.contract import CLASHING, HEADER, NONE, OVER, ROSTER, SETUP_HEADER
from balance.kernel.jit import new_record
from balance.kernel.rng import new_stream
from balance.study import oracle
from tests.conformance.playing import CASES, GAMES, begin, spread, visited, walk

UNTOUCHED = -7


def scores_of(position: Position, name: str) -> list[float]:
    scores = np.full(8, np.nan)
    oracle.rule(position.game, name)(position.state, position.tables, scores)
    sides = position.mode.sides
    assert np.isnan(scores[sides:]).all(), "scores written beyond the sides"
    return scores[:sides].tolist()


def sampled(position: Position, stream: np.ndarray) -> int:
    buffer = np.zeros(position.game.max_actions, np.int64)
    return int(oracle.rule(position.game, "sample")(position.state, position.tables, buffer, stream))


def field_names(dtype: np.dtype) -> list[str]:
    base = dtype.subdtype[0] if dtype.subdtype else dtype
    names = list(base.names or ())
    return names + [name for field in names for name in field_names(base.fields[field][0])]


@pytest.mark.parametrize("slug", GAMES)
def test_fields_do_not_hide_behind_record_methods(slug: str) -> None:
    contract = get_game(slug).part("rules").CONTRACT
    for dtype in (contract.state, contract.tables, contract.setup, contract.tally):
        assert CLASHING.isdisjoint(field_names(dtype))


@pytest.mark.parametrize("slug", GAMES)
def test_records_begin_with_the_common_header(slug: str) -> None:
    contract = get_game(slug).part("rules").CONTRACT
    assert contract.state.descr[: len(HEADER)] == np.dtype(HEADER).descr
    assert contract.setup.descr[: len(SETUP_HEADER)] == np.dtype(SETUP_HEADER).descr
    assert contract.tally.names[:3] == ("game", "hero", "node")


@pytest.mark.parametrize("slug", GAMES)
def test_every_rule_function_is_there(slug: str) -> None:
    assert len(get_game(slug).part("rules").CONTRACT.rules()) == 11


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_legal_fills_the_buffer_without_duplicates(slug: str, mode: str, draft: str) -> None:
    game = get_game(slug)
    for position in visited(slug, mode, draft)[:-1]:
        buffer = np.full(game.max_actions + 64, UNTOUCHED, np.int64)
        count = oracle.rule(game, "legal")(position.state, position.tables, buffer)
        assert 1 <= count <= game.max_actions
        assert len(set(buffer[:count].tolist())) == count
        assert (buffer[count:] >= UNTOUCHED).all()
        assert (buffer[game.max_actions :] == UNTOUCHED).all()


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_sample_is_uniform_over_legal(slug: str, mode: str, draft: str) -> None:
    from scipy.stats import chi2

    stream, statistic, freedom = new_stream(5), 0.0, 0
    for position in spread(slug, mode, draft, 12):
        legal = oracle.actions(position)
        draws = [sampled(position, stream) for _ in range(30 * len(legal))]
        counts = np.array([draws.count(action) for action in legal])
        assert counts.sum() == len(draws), "sample drew an action that is not legal"
        assert counts.all(), "sample never drew a legal action in thirty times as many draws"
        statistic += float(((counts - 30.0) ** 2 / 30.0).sum())
        freedom += len(legal) - 1
    assert freedom == 0 or 1e-5 < chi2.sf(statistic, freedom) < 1 - 1e-5


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_questions_change_nothing(slug: str, mode: str, draft: str) -> None:
    for position in [*spread(slug, mode, draft, 20), visited(slug, mode, draft)[-1]]:
        before = (position.state.tobytes(), position.tables.tobytes())
        for action in oracle.actions(position)[:5]:
            oracle.rule(position.game, "tag")(position.state, position.tables, action)
        oracle.key(position)
        scores_of(position, "score" if oracle.is_over(position) else "evaluate")
        oracle.rule(position.game, "rosters")(
            position.state, position.tables, np.zeros((4, ROSTER), np.int32)
        )
        if not oracle.is_over(position):
            sampled(position, new_stream(1))
        assert (position.state.tobytes(), position.tables.tobytes()) == before


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_observing_changes_nothing_but_the_tally(slug: str, mode: str, draft: str) -> None:
    tally = new_record(get_game(slug).part("rules").CONTRACT.tally)
    untouched = tally.tobytes()
    for position, action in walk(begin(slug, mode, draft, 3), 3):
        if action == NONE:
            break
        result = oracle.play(position, action)
        before = (position.state.tobytes(), result.state.tobytes(), position.tables.tobytes())
        oracle.rule(position.game, "observe")(position.state, action, result.state, position.tables, tally)
        assert (position.state.tobytes(), result.state.tobytes(), position.tables.tobytes()) == before
    assert tally.tobytes() != untouched


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_a_copy_steps_identically(slug: str, mode: str, draft: str) -> None:
    for position in spread(slug, mode, draft, 20):
        for action in oracle.actions(position)[:4]:
            one, two = oracle.copied(position.state), oracle.copied(position.state)
            oracle.rule(position.game, "step")(one, position.tables, action, new_stream(9))
            oracle.rule(position.game, "step")(two, position.tables, action, new_stream(9))
            assert one.tobytes() == two.tobytes() != position.state.tobytes()


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_games_end_and_scores_add_up(slug: str, mode: str, draft: str) -> None:
    for seed in range(1, 4):
        final = visited(slug, mode, draft, seed)[-1]
        assert final.state["status"] == OVER
        assert final.state["to_move"] == NONE
        assert 0 < final.state["termination"] < len(final.game.terminations)
        scores = scores_of(final, "score")
        assert sum(scores) == pytest.approx(1.0)
        assert min(scores) >= 0.0


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_header_counts_plies_and_seats(slug: str, mode: str, draft: str) -> None:
    places = visited(slug, mode, draft)
    seats = get_game(slug).mode(mode).seats
    assert [int(place.state["ply"]) for place in places] == list(range(len(places)))
    for position in places[:-1]:
        assert position.state["seats"] == seats
        assert 0 <= position.state["to_move"] < seats
        assert 0 <= position.state["phase"] < len(position.game.phases)
    segments = [int(place.state["segment"]) for place in places]
    assert segments == sorted(segments), "segment falls"


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_estimates_lie_between_nought_and_one(slug: str, mode: str, draft: str) -> None:
    for position in visited(slug, mode, draft)[:-1]:
        assert all(0.0 <= value <= 1.0 for value in scores_of(position, "evaluate"))


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_same_streams_same_game(slug: str, mode: str, draft: str) -> None:
    again = [position.text() for position, _ in walk(begin(slug, mode, draft, 1), 1)]
    assert again == [position.text() for position in visited(slug, mode, draft)]
    other = [position.text() for position, _ in walk(begin(slug, mode, draft, 1), 2)]
    assert other != again


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_keys_are_equal_where_texts_are(slug: str, mode: str, draft: str) -> None:
    keys: dict[str, int] = {}
    for position in spread(slug, mode, draft, 30):
        for action in oracle.actions(position):
            result = oracle.play(position, action)
            assert keys.setdefault(result.text(), oracle.key(result)) == oracle.key(result), result.text()
    assert len(set(keys.values())) == len(keys), "two texts share a key"


@pytest.mark.parametrize(("slug", "mode", "draft"), CASES)
def test_conceal_keeps_what_the_seat_sees(slug: str, mode: str, draft: str) -> None:
    view = get_game(slug).part("notation").view
    for index, position in enumerate(spread(slug, mode, draft, 24)):
        for seat in range(position.mode.seats):
            state = oracle.copied(position.state)
            oracle.rule(position.game, "conceal")(state, position.tables, seat, new_stream(index))
            seen = view(position.state, position.tables, seat)
            assert view(state, position.tables, seat) == seen
            if seat == position.state["to_move"]:
                assert oracle.actions(position.with_state(state)) == oracle.actions(position)
