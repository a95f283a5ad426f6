"""Column names and dtypes of the three tables of a run: the only place where the common ones stand.

A game adds columns of its own through the dtypes of its tally (``metrics.py``):
``TALLY = {"game": GAME, "hero": (HERO, n), "node": (NODE, m), ...}``. The fields of ``game`` are appended to
a row of ``games``, those of ``hero`` to a row of ``heroes``, those of ``node`` to a row of ``board``;
seat- or side-wise sub-arrays become one column an entry with the suffix ``_a``, ``_b``, ... as far as the
mode has seats.
"""

from __future__ import annotations

import numpy as np

Columns = dict[str, np.ndarray]

SUFFIXES = "abcdefghijklmnop"
TABLES = ("games", "heroes", "board")

# What a playout writes for every game of every ruleset, in this order.
RESULT = [
    ("pair", "i4"),  # index of the pair in its cell
    ("seating", "i4"),  # index into Mode.seatings
    ("weight", "i4"),  # games of the pair that this row stands for (mirror matches are played once)
    ("stream", "u8"),  # key of the pair's random streams
    ("winner", "i4"),  # winning side by seat order, -1 when nobody won
    ("score", "f8", (4,)),  # per seat (its side's score); NaN beyond the seats -> score_a ..
    ("termination", "i4"),
    ("turns", "i4"),
    ("plies", "i4"),
    ("place", "i4", (4,)),  # place of each seat in the turn order (0 = first), -1 for seats that never acted
    ("counted", "i4", (4,)),  # turns of each seat whose possible ends were counted (recording level full)
    ("ends", "i4", (4,)),  # distinct ends of those turns, summed
]

# Evaluations are judged on a grid of one millionth, in whole numbers: no sum depends on an order. A side
# leads when its share is larger than every other by more than one part in LEAD_BAND of an even share.
JUDGE_GRID = 1_000_000
LEAD_BAND = 5

# What a playout adds to it at recording level full; told in the pairs whose turns are counted.
QUALITY = [
    ("decisions", "i4"),  # all decisions of the game when it was counted, else 0
    ("forced", "i4"),  # those with one legal action
    ("options", "i8"),  # legal actions, summed over the decisions
    ("judged", "i4"),  # values: one at each turn's end, the result as the last; 0 when nobody judged
    ("swings", "i4"),  # changes of the lead by those values, -1 when nobody judged
    ("behind", "f8"),  # mean over the values of how far the later winner was behind; NaN without a winner
    ("trailed", "f8"),  # the largest of those deficits
    ("sealed", "f8"),  # share of the values that had been seen when the winner took the lead for good
]

# What every row of a hero begins with; `row` is an index into the results of the same part.
HERO_KEY = [("row", "i4"), ("seat", "i4"), ("player", "i4"), ("hero", "i4"), ("slot", "i4")]

GAMES = {
    "cell": "int32; number of the cell in the manifest",
    "pair": "int32; the sampling unit: same rosters and streams in every seating",
    "seating": "int32; which of the mode's seatings",
    "weight": "int32; games of the pair that this row stands for",
    "stream": "uint64; key of the pair's random streams",
    "winner": "int32; winning side (0 = the side of seat A), -1 nobody",
    "score_a": "float64; score of seat A's side, 0-1",
    "score_b": "float64; likewise, as all columns of this kind, for as many seats as the mode has",
    "termination": "int32; why it ended, label in the manifest",
    "turns": "int32; number of the last turn",
    "plies": "int32; decisions taken",
    "place_a": "int32; place of seat A in the turn order, 0 = first, -1 when it never acted",
    "place_b": "int32; likewise",
    "counted_a": "int32; turns of seat A whose possible ends were counted (recording level full)",
    "counted_b": "int32; likewise",
    "ends_a": "int32; distinct ends of those turns, summed",
    "ends_b": "int32; likewise",
}

#: More columns of ``games``, at recording level full only.
GAMES_FULL = {
    "decisions": "int32; decisions whose legal actions were counted: all of a counted game, else 0",
    "forced": "int32; those with a single legal action",
    "options": "int64; legal actions, summed over the decisions",
    "judged": "int32; values of the game: one at each turn's end, its result as the last; 0 when not judged",
    "swings": "int32; changes of the lead by those values, -1 when not judged",
    "behind": "float64; mean deficit of the later winner over the values; NaN when not judged or not won",
    "trailed": "float64; the largest of those deficits; NaN likewise",
    "sealed": "float64; share of the values seen when the winner took the lead for good; NaN likewise",
}

HEROES = {
    "cell": "int32",
    "pair": "int32",
    "seating": "int32",
    "weight": "int32",
    "seat": "int32; 0 = A",
    "player": "int32; which roster of the setup sat there (0 = first named)",
    "hero": "int32; index into the manifest's list of heroes",
    "slot": "int32; place in the seat's roster in name order",
    "score": "float64; score of the seat's side",
    "chances": "int32; counted turns in which the hero's ability was possible (recording level full)",
    "pick": "int32; which pick of the draft it was, from 1; 0 when it was dealt or given",
}

BOARD = {
    "cell": "int32",
    "node": "int32; index into the manifest's node names of the cell's arena",
}

COMMON = {"games": GAMES, "heroes": HEROES, "board": BOARD}


def flatten(rows: np.ndarray, seats: int | None = None, skip: tuple[str, ...] = ()) -> Columns:
    """One plain array a column from a structured array.

    Parameters
    ----------
    rows : numpy.ndarray
        Structured, shape (n,).
    seats : int, optional
        Entries of sub-arrays that are kept; all of them by default.
    skip : tuple of str
        Fields left out.

    Returns
    -------
    dict of str to numpy.ndarray
        Each contiguous, shape (n,), in the order of the fields.

    Raises
    ------
    ValueError
        A field of more than one dimension: a fault of the game's ``metrics.py``.
    """
    columns: Columns = {}
    for name in rows.dtype.names or ():
        values = rows[name]
        if name in skip:
            continue
        if values.ndim == 1:
            columns[name] = np.ascontiguousarray(values)
        elif values.ndim == 2:
            for entry in range(values.shape[1] if seats is None else min(seats, values.shape[1])):
                columns[f"{name}_{SUFFIXES[entry]}"] = np.ascontiguousarray(values[:, entry])
        else:
            raise ValueError(f"field {name!r} has {values.ndim - 1} dimensions; a column needs one at most")
    return columns


def games_columns(cell: int, results: np.ndarray, game: np.ndarray | None, seats: int) -> Columns:
    """Columns of ``games``, one row a game: the common ones, then the game's own.

    Raises
    ------
    ValueError
        A column of the game has the name of a common one: a fault of its ``metrics.py``.
    """
    columns = {"cell": np.full(len(results), cell, np.int32)} | flatten(results, seats)
    own = flatten(game, seats) if game is not None else {}
    if clash := sorted((GAMES.keys() | GAMES_FULL.keys()) & own.keys()):
        raise ValueError(f"the game's column {clash[0]!r} has the name of a common column")
    return columns | own


def heroes_columns(cell: int, results: np.ndarray, hero: np.ndarray, seats: int) -> Columns:
    """Columns of ``heroes``, one row a hero a game: keys and score from its game, then the game's own."""
    at = hero["row"]
    columns = {"cell": np.full(len(hero), cell, np.int32)}
    columns |= {name: results[name][at] for name in ("pair", "seating", "weight")}
    columns |= {name: np.ascontiguousarray(hero[name]) for name in ("seat", "player", "hero", "slot")}
    columns["score"] = results["score"][at, hero["seat"]]
    return columns | flatten(hero, seats, skip=tuple(name for name, _ in HERO_KEY))


def board_columns(cell: int, node: np.ndarray, seats: int) -> Columns:
    """Columns of ``board``, one row a node: the counts of one part, to be summed over the parts of a cell.

    Raises
    ------
    ValueError
        Counts that are not whole numbers: their sum would depend on how a cell is cut into parts.
    """
    columns = {"cell": np.full(len(node), cell, np.int32), "node": np.arange(len(node), dtype=np.int32)}
    counts = flatten(node, seats)
    for name, values in counts.items():
        if values.dtype.kind not in "iu":
            raise ValueError(f"board column {name!r} must hold whole numbers, not {values.dtype}")
    return columns | {name: values.astype(np.int64) for name, values in counts.items()}


def no_rows(table: str) -> Columns:
    """The common columns of a table without a row, with their dtypes."""
    return {name: np.zeros(0, text.split(";")[0]) for name, text in COMMON[table].items()}
