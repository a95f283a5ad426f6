"""Column names and dtypes of the three tables of a run: the only place where the common ones stand.

A game adds columns of its own through the dtypes of its tally (``metrics.py``):
``TALLY = {"game": GAME, "hero": (HERO, n), "node": (NODE, m), ...}``. The fields of ``game`` are appended to
a row of ``games``, those of ``hero`` to a row of ``heroes``, those of ``node`` to a row of ``board``;
seat- or side-wise sub-arrays become one column an entry with the suffix ``_a``, ``_b``, ...
"""

from __future__ import annotations

# What a playout writes for every game of every ruleset, in this order.
RESULT = [
    ("pair", "i4"),  # index of the pair in its cell
    ("seating", "i4"),  # index into Mode.seatings
    ("weight", "i4"),  # games of the pair that this row stands for (mirror matches are played once)
    ("stream", "u8"),  # key of the pair's random streams
    ("winner", "i4"),  # winning side by seat order, -1 when nobody won
    ("score", "f8", (4,)),  # per seat (its side's score); NaN beyond the seats -> score_a..score_d
    ("termination", "i4"),
    ("turns", "i4"),
    ("plies", "i4"),
]

GAMES = {
    "cell": "int32; number of the cell in the manifest",
    "pair": "int32; the sampling unit: same rosters and streams in every seating",
    "seating": "int32; which of the mode's seatings",
    "weight": "int32; games of the pair that this row stands for",
    "stream": "uint64; key of the pair's random streams",
    "winner": "int32; winning side (0 = the side of seat A), -1 nobody",
    "score_a": "float64; score of seat A's side, 0-1 (score_b.. likewise, absent beyond the mode's seats is NaN)",
    "termination": "int32; why it ended, label in the manifest",
    "turns": "int32; number of the last turn",
    "plies": "int32; decisions taken",
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
}

BOARD = {
    "cell": "int32",
    "node": "int32; index into the manifest's node names of the cell's arena",
}
