"""Fighters of position documents: teams, places, what stands on their cards (section 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.config.words import as_text, did_you_mean
from balance.games.krosmaster_blast.books import book_of
from balance.games.krosmaster_blast.enums import Ground, Phase, Stage, Tile
from balance.games.krosmaster_blast.frames import Frame, without_nulls
from balance.games.krosmaster_blast.layout import ROOM, TEAM
from balance.games.krosmaster_blast.states import cell_number, draft_order, put_fighter
from balance.games.reading import fault, read_mapping, read_whole, read_word
from balance.kernel.contract import NONE

KEYS = ("name", "cell", "injuries", "ap", "mp", "state")
STAGES = tuple(stage.name.lower() for stage in Stage)
SEATS = ("A", "B")
MARKERS = 10_000  # most markers, up and down
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Entry:
    """One Fighter as a document has it."""

    path: Path
    figure: int
    minion: bool
    cell: int
    injuries: int
    ap: int
    mp: int
    stage: int

    @property
    def plain(self) -> bool:
        """A Krosmaster with nothing on its card."""
        return not self.minion and (self.injuries, self.ap, self.mp, self.stage) == (0, 0, 0, Stage.READY)


def read_fighters(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    """Read both teams, put them into the state and check them against the phase."""
    given = without_nulls(
        read_mapping(document.get("fighters", {}), SEATS, ("fighters",), "seats to Fighters")
    )
    for seat, letter in enumerate(SEATS):
        entries = _entries(given.get(letter, []), frame, letter)
        _seat(entries, frame, state, seat)
    phase = int(state["phase"])
    if phase == Phase.DRAFT:
        _check_draft(frame, state)
    elif phase == Phase.DEPLOY:
        _check_deployment(frame, state)
    else:
        _check_turn(frame, state)


def _entries(value: Any, frame: Frame, letter: str) -> list[Entry]:
    path: Path = ("fighters", letter)
    if not isinstance(value, list | tuple):
        raise fault(path, f"must be a list of Fighters, not {as_text(value)}")
    return [_entry(item, frame, (*path, place)) for place, item in enumerate(value)]


def _entry(item: Any, frame: Frame, path: Path) -> Entry:
    given = without_nulls(read_mapping(item, KEYS, path, "a Fighter's values"))
    book, tables = book_of(frame.tables), frame.tables
    if "name" not in given:
        raise fault(path, "the key 'name' is missing")
    name = given["name"]
    if not isinstance(name, str) or name not in book.figures:
        hint = did_you_mean(name, book.figures) if isinstance(name, str) else ""
        raise fault((*path, "name"), f"unknown Fighter {as_text(name)}", hint)
    figure = book.figures.index(name)
    hp = int(tables["figure"][figure]["hp"])
    stage = read_word(given.get("state", "ready"), STAGES, (*path, "state"))
    return Entry(
        path,
        figure,
        figure >= book.krosmasters,
        cell_number(given["cell"], tables, (*path, "cell")) if "cell" in given else NONE,
        read_whole(given.get("injuries", 0), 0, hp - 1, (*path, "injuries")),
        read_whole(given.get("ap", 0), -MARKERS, MARKERS, (*path, "ap")),
        read_whole(given.get("mp", 0), -MARKERS, MARKERS, (*path, "mp")),
        STAGES.index(stage),
    )


def _seat(entries: list[Entry], frame: Frame, state: Any, seat: int) -> None:
    """Put the Fighters of a seat into its slots: Krosmasters by name, minions by name and cell."""
    size = int(frame.tables["team_size"])
    team = sorted((entry for entry in entries if not entry.minion), key=lambda entry: entry.figure)
    minions = sorted(
        (entry for entry in entries if entry.minion), key=lambda entry: (entry.figure, entry.cell)
    )
    path = ("fighters", SEATS[seat])
    if len(team) > size:
        raise fault(path, f"a team has {size} Krosmasters, not {len(team)}", "rules.team_size")
    if len(minions) > ROOM - TEAM:
        raise fault(path, f"there is room for {ROOM - TEAM} minions, not for {len(minions)}")
    for one, other in zip(team, team[1:], strict=False):
        if one.figure == other.figure:
            raise fault(other.path, f"{book_of(frame.tables).figures[one.figure]} stands twice in a team")
    for first, group in ((0, team), (TEAM, minions)):
        for place, entry in enumerate(group):
            _put(entry, frame, state, seat * ROOM + first + place)


def _put(entry: Entry, frame: Frame, state: Any, slot: int) -> None:
    tables, phase = frame.tables, int(state["phase"])
    if phase <= Phase.DEPLOY:
        if not entry.plain:
            raise fault(entry.path, "before turn 1 there are only Krosmasters with nothing on their cards")
        if phase == Phase.DRAFT and entry.cell != NONE:
            raise fault((*entry.path, "cell"), "nobody is on the board in phase draft")
    elif entry.cell == NONE:
        raise fault(entry.path, "the key 'cell' is missing")
    if entry.cell != NONE:
        _check_cell(entry, tables, state)
    if entry.stage != Stage.READY:
        _check_stage(entry, state, slot)
    put_fighter(state, slot, entry.figure, entry.cell, entry.injuries, entry.ap, entry.mp, entry.stage)


def _check_cell(entry: Entry, tables: Any, state: Any) -> None:
    path = (*entry.path, "cell")
    if tables["ground"][entry.cell] >= Ground.TREE:
        raise fault(path, "a tree or a bush stands on this cell")
    if state["at"][entry.cell] != NONE:
        raise fault(path, "two Fighters stand on this cell")
    if state["tile"][entry.cell] == Tile.FOG:
        raise fault(path, "a fog tile goes away when a Fighter comes")


def _check_stage(entry: Entry, state: Any, slot: int) -> None:
    path = (*entry.path, "state")
    if int(state["phase"]) != Phase.PLAY or slot // ROOM != state["to_move"]:
        raise fault(path, "only Fighters of the seat to move are active or done, and only in phase play")
    if entry.stage == Stage.ACTIVE:
        if state["active"] != NONE:
            raise fault(path, "two Fighters are active")
        state["active"] = slot


# ---- against the phase


def _check_starts(frame: Frame) -> None:
    size = int(frame.tables["team_size"])
    for seat, letter in enumerate(SEATS):
        count = int(frame.tables["starts"][seat])
        if count < size:
            raise fault(("arena",), f"seat {letter} has {count} start cells for {size} Krosmasters")


def _check_draft(frame: Frame, state: Any) -> None:
    _check_starts(frame)
    roster, size = frame.ruleset.values["roster"], int(frame.tables["team_size"])
    if len(roster) < 2 * size:
        raise fault(
            ("rules", "roster"), f"a draft of {2 * size} needs as many Krosmasters, not {len(roster)}"
        )
    figures = book_of(frame.tables).figures
    picked = [figures[figure] for figure in state["fighter"]["figure"].tolist() if figure != NONE]
    for name in picked:
        if name not in roster:
            raise fault(("fighters",), f"{name} is not on the roster")
        if picked.count(name) > 1:
            raise fault(("fighters",), f"{name} is picked twice")
    order = draft_order(frame.tables)
    if len(picked) >= len(order):
        raise fault(("fighters",), "nothing is left to pick", "a finished draft is phase deploy")
    for seat, letter in enumerate(SEATS):
        due = order[: len(picked)].count(seat)
        if state["count"][seat] != due:
            raise fault(("fighters",), f"seat {letter} would have {due} of {len(picked)} picks")
    state["to_move"] = order[len(picked)]


def _check_deployment(frame: Frame, state: Any) -> None:
    _check_starts(frame)
    size, tables = int(frame.tables["team_size"]), frame.tables
    placed = []
    for seat, letter in enumerate(SEATS):
        if state["count"][seat] != size:
            raise fault(("fighters", letter), f"the team has {size} Krosmasters before it is deployed")
        starts = tables["start"][seat][: int(tables["starts"][seat])].tolist()
        for slot in range(seat * ROOM, seat * ROOM + size):
            cell = int(state["fighter"][slot]["cell"])
            if cell != NONE and cell not in starts:
                raise fault(("fighters", letter), "a deployed Krosmaster stands on an own start cell")
            placed.append(cell != NONE)
    if all(placed):
        raise fault(("fighters",), "nobody is left to deploy", "then turn 1 has begun: phase favor")
    first = placed.index(False)
    if any(placed[first:]):
        raise fault(("fighters",), "A deploys first, and each seat in the order of names")
    state["to_move"] = first // size


def _check_turn(frame: Frame, state: Any) -> None:
    size, kos = int(frame.tables["team_size"]), int(frame.tables["kos"])
    for seat, letter in enumerate(SEATS):
        state["lost"][seat] = size - state["count"][seat]
        if state["lost"][seat] >= kos:
            raise fault(("fighters", letter), "with so few Krosmasters the game is over")
    active = int(state["active"])
    if active == NONE or active % ROOM < TEAM:
        return
    first = active // ROOM * ROOM
    for slot in range(first, first + TEAM):
        fighter = state["fighter"][slot]
        if fighter["cell"] != NONE and fighter["stage"] == Stage.READY:
            raise fault(("fighters",), "minions are played after all Krosmasters")
