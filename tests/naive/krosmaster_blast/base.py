"""What every part of the slow engine needs: its one error, small readers of values, cells."""

from __future__ import annotations

import re


class RuleError(Exception):
    """An illegal action or a faulty document."""


def need(condition, message):
    if not condition:
        raise RuleError(message)


# ---------------------------------------------------------------- values


def whole(value, low, high, what):
    need(type(value) is int, f"{what} is no integer")
    need(low is None or value >= low, f"{what} too small")
    need(high is None or value <= high, f"{what} too large")
    return value


def word(value, words, what):
    need(type(value) is str and value in words, f"{what}: {value!r} is none of {sorted(words)}")
    return value


def truth(value, what):
    need(type(value) is bool, f"{what} is neither true nor false")
    return value


def mapping(value, keys, what):
    """A mapping without its null entries; `keys` None allows all texts as keys."""
    need(type(value) is dict, f"{what} is no mapping")
    for key in value:
        need(type(key) is str and (keys is None or key in keys), f"{what}: unknown key {key!r}")
    return {key: content for key, content in value.items() if content is not None}


def listing(value, what):
    need(type(value) is list, f"{what} is no list")
    return value


def distinct(values, what):
    need(len(set(values)) == len(values), f"{what}: something stands twice")
    return values


# ---------------------------------------------------------------- cells

# A cell is a pair (column, row), both from 1, rows counted from the bottom: pairs sort as
# canonical texts want it.
LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIRECTIONS = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}


def cell_name(cell):
    return LETTERS[cell[0] - 1] + str(cell[1])


def read_cell(text):
    need(type(text) is str and re.fullmatch("[a-z][1-9][0-9]?", text), f"{text!r} is no cell")
    return (LETTERS.index(text[0]) + 1, int(text[1:]))


def step(cell, direction):
    return (cell[0] + direction[0], cell[1] + direction[1])


def distance(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def sign(n):
    return (n > 0) - (n < 0)


def other(seat):
    return "B" if seat == "A" else "A"
