"""Breakthrough once more, from its rules alone: a dictionary of squares, no bits, no kernels."""

from __future__ import annotations

from typing import NamedTuple

FILES, RANKS = "abcdefgh", "12345678"


class Board(NamedTuple):
    """Who stands where, and who is to move; `winner` and `end` once the game is over."""

    pieces: dict[str, str]  # square -> A or B
    mover: str
    winner: str = ""
    end: str = ""


def start(rows: int = 2) -> Board:
    """The first position."""
    pieces = {}
    for file in FILES:
        for rank in RANKS[:rows]:
            pieces[file + rank] = "A"
        for rank in RANKS[-rows:]:
            pieces[file + rank] = "B"
    return Board(pieces, "A")


def moves(board: Board, straight_captures: bool = False) -> list[str]:
    """Texts of all moves."""
    if board.winner:
        return []
    found = []
    ahead = 1 if board.mover == "A" else -1
    for square, owner in board.pieces.items():
        if owner != board.mover:
            continue
        for side in (-1, 0, 1):
            file, rank = FILES.index(square[0]) + side, RANKS.index(square[1]) + ahead
            if not 0 <= file < 8:
                continue
            target = FILES[file] + RANKS[rank]
            there = board.pieces.get(target)
            if there is None:
                found.append(f"{square}-{target}")
            elif there != board.mover and (side != 0 or straight_captures):
                found.append(f"{square}x{target}")
    return found


def after(board: Board, move: str) -> Board:
    """The position after a move."""
    origin, target = move[:2], move[3:]
    pieces = {square: owner for square, owner in board.pieces.items() if square != origin}
    pieces[target] = board.mover
    other = "B" if board.mover == "A" else "A"
    if target[1] == ("8" if board.mover == "A" else "1"):
        return Board(pieces, "", board.mover, "home")
    if other not in pieces.values():
        return Board(pieces, "", board.mover, "captured")
    return Board(pieces, other)


def text(board: Board) -> str:
    """The line that the game writes for a position."""
    order = sorted(board.pieces, key=lambda square: (square[1], square[0]))
    sides = [f"{seat}={','.join(s for s in order if board.pieces[s] == seat) or '-'}" for seat in "AB"]
    if board.winner:
        return " ".join(["phase=over", f"winner={board.winner}", f"end={board.end}", *sides])
    return " ".join(["phase=turn", f"to_move={board.mover}", *sides])
