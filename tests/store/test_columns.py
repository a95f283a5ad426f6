"""Structured rows become plain columns with the names of the schema."""

from __future__ import annotations

import numpy as np
import pytest

from balance.store import schema
from balance.store.schema import (
    HERO_KEY,
    QUALITY,
    RESULT,
    board_columns,
    flatten,
    games_columns,
    heroes_columns,
)

GAME = np.dtype([("vp", "i4", (4,)), ("drama", "f8"), ("lead_changes", "i4")])


def results(count=3):
    rows = np.zeros(count, RESULT)
    rows["pair"], rows["weight"] = np.arange(count), 1
    rows["score"] = np.arange(count * 4).reshape(count, 4)
    return rows


def test_sub_arrays_become_one_column_a_seat():
    rows = np.zeros(2, GAME)
    rows["vp"] = [[1, 2, 3, 4], [5, 6, 7, 8]]
    columns = flatten(rows, seats=3)
    assert list(columns) == ["vp_a", "vp_b", "vp_c", "drama", "lead_changes"]
    assert columns["vp_c"].tolist() == [3, 7]
    assert all(values.flags.c_contiguous for values in columns.values())


def test_deeper_fields_are_a_fault_of_the_game():
    with pytest.raises(ValueError, match="2 dimensions"):
        flatten(np.zeros(2, [("grid", "i4", (2, 2))]))


def test_games_have_the_documented_columns_and_dtypes():
    columns = games_columns(7, results(), np.zeros(3, GAME), seats=2)
    assert list(columns)[: len(schema.GAMES)] == list(schema.GAMES)
    assert list(columns)[len(schema.GAMES) :] == ["vp_a", "vp_b", "drama", "lead_changes"]
    for name, text in schema.GAMES.items():
        assert columns[name].dtype == text.split(";")[0], name
    assert columns["cell"].tolist() == [7, 7, 7]
    assert columns["score_b"].tolist() == [1, 5, 9]


def test_a_game_that_was_judged_has_more_columns():
    rows = np.zeros(2, RESULT + QUALITY)
    columns = games_columns(7, rows, np.zeros(2, GAME), seats=2)
    assert list(columns)[len(schema.GAMES) :] == [*schema.GAMES_FULL, "vp_a", "vp_b", "drama", "lead_changes"]
    for name, text in schema.GAMES_FULL.items():
        assert columns[name].dtype == text.split(";")[0], name


def test_a_column_of_the_game_cannot_take_a_common_name():
    for name in ("turns", "place_b", "judged"):
        with pytest.raises(ValueError, match=f"'{name}' has the name of a common column"):
            games_columns(7, results(), np.zeros(3, [(name, "i4")]), seats=2)


def test_hero_rows_take_keys_and_score_from_their_game():
    rows = np.zeros(4, [*HERO_KEY, ("chances", "i4"), ("pick", "i4"), ("steps", "i4")])
    rows["row"], rows["seat"], rows["steps"] = [0, 0, 2, 2], [0, 1, 0, 1], [5, 6, 7, 8]
    columns = heroes_columns(7, results(), rows, seats=2)
    assert list(columns) == [*schema.HEROES, "steps"]
    assert columns["pair"].tolist() == [0, 0, 2, 2]
    assert columns["score"].tolist() == [0, 1, 8, 9]
    for name, text in schema.HEROES.items():
        assert columns[name].dtype == text.split(";")[0], name


def test_boards_count_in_whole_numbers():
    columns = board_columns(7, np.ones(3, [("visits", "i4")]), seats=2)
    assert list(columns) == [*schema.BOARD, "visits"]
    assert (columns["visits"].dtype, columns["node"].tolist()) == (np.int64, [0, 1, 2])
    with pytest.raises(ValueError, match="whole numbers"):
        board_columns(7, np.ones(3, [("heat", "f8")]), seats=2)


@pytest.mark.parametrize("table", schema.TABLES)
def test_an_empty_table_has_its_columns(table):
    columns = schema.no_rows(table)
    assert list(columns) == list(schema.COMMON[table])
    assert all(len(values) == 0 for values in columns.values())
