"""The bundle of rule functions: what it refuses, and that it crosses into a kernel and back."""

from __future__ import annotations

import numpy as np
import pytest

from balance.kernel import jit
from balance.kernel.contract import CLASHING, OVER, Rules, bundle
from tests.kernel import toygame


@pytest.fixture(scope="module")
def full():
    made = toygame.contract()
    for function in toygame.FUNCTIONS:
        made.rule(function)
    return made


def play(functions, state, tables, actions, stream):
    rules = bundle(functions)
    while state.status != OVER:
        rules.step(state, tables, rules.sample(state, tables, actions, stream), stream)
    return state.ply


def played(contract):
    """`play` for a game, as the house instantiates its loops."""
    if jit.PURE_PYTHON:
        return play
    t, record = jit.types, jit.record_type
    arrays = t.int64[::1], t.uint64[::1]
    return jit.compiled(
        play, t.int64(contract.rules_type(), record(toygame.STATE), record(toygame.TABLES), *arrays)
    )


def test_an_unknown_name_is_refused_with_the_known_ones():
    def legall(state, tables, actions):
        return 0

    with pytest.raises(ValueError, match=r"legall is no rule function; known: setup, legal"):
        toygame.contract().rule(legall)


def test_missing_functions_are_named():
    made = toygame.contract()
    made.rule(toygame.tag)
    with pytest.raises(ValueError, match="missing") as error:
        made.rules()
    named = str(error.value).split(": ")[1].split(", ")
    assert named == [name for name in Rules._fields if name != "tag"]


def test_functions_stand_in_the_order_of_the_bundle(full):
    assert [function.__name__ for function in full.rules()] == list(Rules._fields)


def test_a_function_of_other_arguments_does_not_fit(full):
    if jit.PURE_PYTHON:
        pytest.skip("pure Python checks no signature")

    def tag(state):
        return np.uint64(0)

    with pytest.raises(Exception, match="(?i)signature|argument"):
        toygame.contract().rule(tag)


def test_the_bundle_plays_inside_a_kernel(full):
    state, tables = jit.new_record(toygame.STATE), jit.new_record(toygame.TABLES)
    tables.limit = 7
    actions, stream = np.array([2, 1], np.int64), np.zeros(1, np.uint64)
    assert played(full)(full.rules(), state, tables, actions, stream) == 4
    assert (state.total, state.status, state.to_move) == (8, OVER, -1)


def test_fields_of_records_reach_through_nested_arrays(full):
    before, after = jit.new_records(2, toygame.STATE)
    before.to_move = 1
    tally = jit.new_record(toygame.TALLY)
    full.functions["observe"](before, 2, after, jit.new_record(toygame.TABLES), tally)
    assert tally.game.raised.tolist() == [0, 2, 0, 0]


def test_names_that_records_use_themselves_are_known_to_clash():
    assert {"max", "min", "round", "size", "copy", "item", "sum", "data", "shape"} <= CLASHING
    names = [name for dtype in (toygame.STATE, toygame.TABLES, toygame.SETUP) for name in dtype.names]
    assert CLASHING.isdisjoint(names)
