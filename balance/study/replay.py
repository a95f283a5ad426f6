"""A stored game again, ply by ply: played from its seed, then stepped through, and compared with its row.

No action is stored. The playout loop plays the pair once more and keeps the actions of one seating; the
rule function ``step`` leads through them on the game's stream of chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.config.agents import AgentSpec
from balance.errors import RunError, UsageError
from balance.games.position import Position
from balance.kernel import cache
from balance.kernel.contract import NONE
from balance.play.cells import Cell
from balance.play.chunk import Task
from balance.play.resume import Restore, restored
from balance.play.run import Progress, Silent, loaded_kernel
from balance.play.verify import Names, game_id, table_differences
from balance.play.worker import Worker
from balance.store import manifest as manifests
from balance.store.read import read_part
from balance.store.schema import Columns
from balance.store.write import part_columns, shell_name
from balance.study.stepping import SEATS, Ply, step_differences, stepped

if TYPE_CHECKING:
    from balance.games.game import Mode
    from balance.play.plan import LoadedPlan

ROOM = 4096  # actions that are kept at first; a longer game is played once more
GAME_ID = re.compile(r"c(\d{1,9})-p(\d{1,9})-s(\d{1,9})")


@dataclass(frozen=True, order=True)
class GameId:
    """Which game of a run: cell, pair and seating, each from 0."""

    cell: int
    pair: int
    seating: int

    def __str__(self) -> str:
        return game_id(self.cell, self.pair, self.seating)


def parse_id(text: str) -> GameId:
    """The game of an id such as ``c3-p120-s1``.

    Raises
    ------
    UsageError
        No such form.
    """
    match = GAME_ID.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is no game id", "an id names cell, pair and seating: c3-p120-s1")
    return GameId(*(int(number) for number in match.groups()))


@dataclass(frozen=True)
class Player:
    """Who sat on a seat: the agent, the heroes in the order of the roster, the team's name or nothing."""

    seat: str
    side: int
    agent: str
    team: str
    heroes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Replay:
    """A game of a run, played again.

    Attributes
    ----------
    id, asked : GameId
        The game that was played, and the one asked for: another where a seating repeats an earlier one.
    players : tuple of Player
        By seat.
    start : Position
    plies : tuple of Ply
    result : mapping
        The row of ``games`` as it came out now.
    differences : tuple of str
        What the stored rows say otherwise; empty when the game ended as stored.
    notes : tuple of str
        What else the user should know.
    drafted : bool
        The rosters are the picks of a draft, in the order of picks.
    """

    id: GameId
    asked: GameId
    plan: LoadedPlan
    cell: Cell
    players: tuple[Player, ...]
    start: Position
    plies: tuple[Ply, ...]
    result: Mapping[str, Any]
    differences: tuple[str, ...]
    notes: tuple[str, ...]
    drafted: bool

    @property
    def mode(self) -> Mode:
        """How the players are seated."""
        return self.plan.mode

    @property
    def end(self) -> Position:
        """The last position."""
        return self.plies[-1].after if self.plies else self.start

    def before(self, index: int) -> Position:
        """The position in which ply `index` (from 0) was decided."""
        return self.plies[index - 1].after if index else self.start

    def turns(self) -> Iterator[tuple[int, range]]:
        """Number of each turn and the indices of its plies; 0 for what stands before the first."""
        first = 0
        for index, ply in enumerate(self.plies):
            if ply.turn != self.plies[first].turn:
                yield self.plies[first].turn, range(first, index)
                first = index
        if self.plies:
            yield self.plies[first].turn, range(first, len(self.plies))


class Replayer:
    """Plays games of one run again.

    Parameters
    ----------
    folder : Path
    progress : Progress, optional
        Told when rules have to be compiled.
    kernel, restore : optional
        Fakes for ``agents.playout`` and ``LoadedPlan.from_resolved``.

    Raises
    ------
    RunError, UsageError
        No run there, or its game is not installed.
    """

    def __init__(
        self,
        folder: Path,
        progress: Progress | None = None,
        kernel: Any = None,
        restore: Restore | None = None,
    ) -> None:
        self.manifest = manifests.load(Path(folder))
        self.plan, self.cells = restored(self.manifest, restore)
        self.progress = progress or Silent()
        self.given = kernel
        self.worker: Worker | None = None

    @cached_property
    def other_kernel(self) -> bool:
        """Whether the run was played under another kernel than the present one."""
        return bool(self.manifest.head["kernel_hash"] != cache.source_hash())

    def play(self, wanted: GameId) -> Replay:
        """One game again.

        Raises
        ------
        UsageError
            The run has no such game.
        RunError
            It has not been played yet.
        EnvironmentFault
            Its part cannot be read.
        """
        entry = self.entry(wanted)
        rows, seating = self.rows(wanted)
        found = GameId(wanted.cell, wanted.pair, seating)
        cell, game = self.cells[found.cell], self.plan.game
        fresh = rows_of(part_columns(cell.number, rows, self.plan.mode.seats), found)
        start = self.position(cell, rows.trace.origin[0])
        plies = tuple(stepped(start, rows.trace.actions.tolist(), cell.stream_key, found.pair))
        result = {name: values[0].item() for name, values in fresh["games"].items()}
        differences, missing = self.compared(entry, found, fresh)
        differences += step_differences(str(found), plies[-1].after if plies else start, result)
        notes = self.notes(wanted, found, missing)
        players = seated(self, found, fresh["heroes"])
        drafted = cell.rosters is None and bool(players[0].heroes) and game.roster_size > 0
        return Replay(
            found, wanted, self.plan, cell, players, start, plies, result, tuple(differences), notes,
            drafted,
        )  # fmt: skip

    def entry(self, wanted: GameId) -> dict[str, Any]:
        """The manifest's entry of the part that holds a game; see :meth:`play` for errors."""
        cells, seatings = len(self.cells), len(self.plan.mode.seatings)
        folder = self.manifest.folder
        if wanted.cell >= cells:
            raise UsageError(f"there is no game {wanted}", f"{folder} has the cells c0 to c{cells - 1}")
        if wanted.seating >= seatings:
            hint = f"mode {self.plan.mode.name} has the seatings s0 to s{seatings - 1}"
            raise UsageError(f"there is no game {wanted}", hint)
        pairs = self.cells[wanted.cell].pairs
        if wanted.pair >= pairs:
            hint = f"cell c{wanted.cell} has the pairs p0 to p{pairs - 1}"
            raise UsageError(f"there is no game {wanted}", hint)
        for entry in self.manifest.parts.values():
            first = entry["first_pair"]
            if entry["cell"] == wanted.cell and first <= wanted.pair < first + entry["pairs"]:
                return entry
        hint = f"go on with the run: balance resume {shell_name(folder)}"
        raise RunError(f"{wanted} has not been played yet: {folder} is not complete", hint)

    def rows(self, wanted: GameId) -> tuple[Any, int]:
        """Rows of the pair with the trace of a seating, and which seating that is."""
        seating, room = wanted.seating, ROOM
        rows = self.pair_again(wanted, seating, room)
        if rows.trace.stands_for[seating] != NONE:
            seating = rows.trace.stands_for[seating]
            rows = self.pair_again(wanted, seating, room)
        if rows.trace.plies > room:
            rows = self.pair_again(wanted, seating, rows.trace.plies)
        return rows, seating

    def pair_again(self, wanted: GameId, seating: int, room: int) -> Any:
        """A pair in all its seatings, with the actions of one."""
        if self.worker is None:
            kernel = loaded_kernel(self.plan, self.given, self.progress)
            self.worker = Worker(self.plan, self.cells, kernel)
        return self.worker.rows(Task(wanted.cell, 0, wanted.pair, 1), trace=seating, room=room)

    def position(self, cell: Cell, state: Any) -> Position:
        """A state of a cell with its frame."""
        assert self.worker is not None  # whoever has a state has played
        tables, _ = self.worker.records(cell)
        ruleset = self.plan.ruleset
        return Position(self.plan.game, self.plan.mode, ruleset, ruleset.arenas[cell.arena], tables, state)

    def compared(
        self, entry: dict[str, Any], game: GameId, fresh: Mapping[str, Columns]
    ) -> tuple[list[str], list[str]]:
        """What the stored rows of a game say otherwise, and the columns that only one of them has."""
        names = Names(self.manifest, self.cells[game.cell])
        found, missing = list[str](), list[str]()
        for table in ("games", "heroes"):
            stored = rows_of({table: read_part(self.manifest.folder, entry, table)}, game)[table]
            both = [column for column in fresh[table] if column in stored]
            missing += sorted(set(fresh[table]) ^ set(stored)) if stored else []
            now = {column: fresh[table][column] for column in both} if stored else fresh[table]
            found += table_differences(table, {column: stored[column] for column in both}, now, names)
        return found, missing

    def notes(self, wanted: GameId, found: GameId, missing: Sequence[str]) -> tuple[str, ...]:
        """What is to be said beside the game."""
        head, notes = self.manifest.head, []
        if found != wanted:
            notes.append(f"{wanted} was not played: the same players sit on the same seats as in {found}")
        if self.other_kernel:
            notes.append(
                f"this run was played under another kernel ({head['kernel_hash']}, now "
                f"{cache.source_hash()}): rules code, Python, NumPy, Numba or processor differ"
            )
        if (was := head.get("game_version", "")) != self.plan.game.version:
            notes.append(f"it was played under version {was} of the rules, now {self.plan.game.version}")
        if missing:
            notes.append(f"not compared, as only one side has them: {', '.join(missing)}")
        return tuple(notes)


def rows_of(tables: Mapping[str, Columns], game: GameId) -> dict[str, Columns]:
    """The rows of one game of every table that has rows by game."""
    found = {}
    for table, columns in tables.items():
        if "seating" in columns:
            at = (columns["pair"] == game.pair) & (columns["seating"] == game.seating)
            columns = {name: values[at] for name, values in columns.items()}
        found[table] = columns
    return found


def seated(replayer: Replayer, game: GameId, heroes: Columns) -> tuple[Player, ...]:
    """Who sat where in a game."""
    cell, mode = replayer.cells[game.cell], replayer.plan.mode
    names = replayer.manifest.head["heroes"]
    player_at = {seat: player for player, seat in enumerate(mode.seatings[game.seating])}
    players = []
    for seat in range(mode.seats):
        agent: AgentSpec = cell.agents[player_at[seat]]
        rows = np.flatnonzero(heroes["seat"] == seat)
        order = sorted(rows.tolist(), key=lambda row: (heroes["pick"][row], heroes["slot"][row]))
        held = tuple(str(names[heroes["hero"][row]]) for row in order)
        team = cell.teams[player_at[seat]] if cell.teams else ""
        players.append(Player(SEATS[seat], mode.side_of_seat[seat], agent.label, team, held))
    return tuple(players)


def replay(folder: Path, game: str, progress: Progress | None = None) -> Replay:
    """A stored game by its id; see :class:`Replayer`."""
    return Replayer(folder, progress).play(parse_id(game))
