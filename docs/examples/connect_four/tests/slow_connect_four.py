"""Connect Four once more, from its rules alone: columns of letters, no bits, no kernels."""

from __future__ import annotations

from typing import NamedTuple

WIDTH, HEIGHT = 7, 6


class Board(NamedTuple):
    """Stones by column from the bottom up; `end` once the game is over, `winner` A, B or -."""

    columns: tuple[str, ...]
    mover: str
    winner: str = ""
    end: str = ""


def start() -> Board:
    """The first position."""
    return Board(("",) * WIDTH, "A")


def moves(board: Board) -> list[str]:
    """Letters of the columns that a stone can fall into."""
    if board.end:
        return []
    return [letter for letter, column in zip("abcdefg", board.columns, strict=True) if len(column) < HEIGHT]


def stone(columns: tuple[str, ...], x: int, y: int) -> str:
    """Who lies on a node; empty text for nobody, and beyond the board."""
    return columns[x][y] if 0 <= x < WIDTH and 0 <= y < len(columns[x]) else ""


def has_line(columns: tuple[str, ...], seat: str, length: int) -> bool:
    """Whether a seat has a line, looked for from every node in every direction."""
    return any(
        all(stone(columns, x + dx * far, y + dy * far) == seat for far in range(length))
        for x in range(WIDTH)
        for y in range(HEIGHT)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def after(board: Board, letter: str, length: int = 4, full: str = "-") -> Board:
    """The position after a stone; `full` is who wins on a full board."""
    x = "abcdefg".index(letter)
    columns = tuple(col + board.mover if place == x else col for place, col in enumerate(board.columns))
    if has_line(columns, board.mover, length):
        return Board(columns, "", board.mover, "line")
    if all(len(column) == HEIGHT for column in columns):
        return Board(columns, "", full, "full")
    return Board(columns, "B" if board.mover == "A" else "A")


def text(board: Board) -> str:
    """The line that the game writes for a position."""
    sides = []
    for seat in "AB":
        names = [
            f"{letter}{y + 1}"
            for letter, column in zip("abcdefg", board.columns, strict=True)
            for y, owner in enumerate(column)
            if owner == seat
        ]
        sides.append(f"{seat}={','.join(names) or '-'}")
    if board.end:
        return " ".join(["phase=over", f"winner={board.winner}", f"end={board.end}", *sides])
    return " ".join(["phase=turn", f"to_move={board.mover}", *sides])
