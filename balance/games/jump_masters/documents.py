"""Position documents of Jump Masters: validated and turned into states (section 11).

Every breach of the section raises a :class:`DocumentError` with the path of the faulty value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from balance.config.words import as_text, did_you_mean, listed
from balance.games.jump_masters import GAME
from balance.games.jump_masters.frames import Frame, read_frame, read_phase
from balance.games.jump_masters.layout import HERO_NAMES, TEAM, Draft, Hero, Mode, Phase, node_name
from balance.games.jump_masters.states import (
    blank_state,
    draft_order,
    hero_kind,
    next_off_board,
    put_hero,
    seats_from,
    set_zones,
)
from balance.games.jump_masters.texts import (
    CORNER_NAMES,
    SEATS,
    legal_texts,
    piece,
    pieces,
    seat_name,
    side_names,
)
from balance.games.position import Position
from balance.games.reading import fault, read_list, read_mapping, read_whole, read_word, require
from balance.kernel.contract import NONE

DRAFTED = (Draft.FREE, Draft.SNAKE, Draft.PASS)
STEP_HEROES = (Hero.HOPPER, Hero.KATULA)
JUMP_HEROES = (Hero.FREEDA, Hero.PARENA, Hero.PINKBEARY, Hero.ROARA, Hero.WUFFRYDER)
MARKS = ("fresh", "jumped")


def load_position(document: Any) -> Position:
    """A position from its document.

    Parameters
    ----------
    document : mapping
        Plain data as read from YAML.

    Raises
    ------
    DocumentError
        For every breach of section 11, with the path of the faulty value.
    """
    phase = read_phase(document)
    return place(document, phase, read_frame(document))


def place(document: Mapping[str, Any], phase: str, frame: Frame) -> Position:
    """The position that the phase-dependent part of a document describes, within `frame`."""
    state = blank_state(frame.tables)
    state["phase"] = Phase[phase.upper()]
    if phase == "draft":
        _read_draft(document, frame, state)
    else:
        _read_zones(document, frame, state)
        _read_heroes(document, frame, state)
    if state["phase"] >= Phase.TURN:
        _read_turn(document, frame, state)
    _read_mover(document, frame, state)
    if phase in ("stepped", "jumping"):
        _read_acting(document, frame, state)
    return Position(GAME, frame.mode, frame.ruleset, frame.arena, frame.tables, state)


# ---- draft


def _read_draft(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    names = [draft.name.lower() for draft in DRAFTED]
    draft = Draft[read_word(require(document, "draft"), names, ("draft",)).upper()]
    state["draft"] = draft
    picks = read_mapping(document.get("picks", {}), _seats(frame), ("picks",), "seats to hero names")
    for seat, letter in enumerate(_seats(frame)):
        for slot, name in enumerate(_read_names(picks.get(letter, []), ("picks", letter))):
            put_hero(state, frame.tables, seat * TEAM + slot, name)
    _check_order(frame, state)
    if draft == Draft.PASS:
        _read_hands(document, frame, state)
    elif "hands" in document:
        raise fault(("hands",), f"has no place in a {names[DRAFTED.index(draft)]} draft", at_key=True)
    _check_copies(frame, state, "picks" if draft != Draft.PASS else "hands")


def _read_names(value: Any, path: tuple[str | int, ...]) -> list[str]:
    names = read_list(value, path, "hero names")
    if len(names) > TEAM:
        raise fault(path, f"a seat has at most {TEAM} heroes, not {len(names)}")
    for place_, name in enumerate(names):
        if hero_kind(name) is None:
            raise fault((*path, place_), f"unknown hero {as_text(name)}", did_you_mean(name, HERO_NAMES))
        if names.count(name) > 1:
            raise fault(
                path, f"{name} stands twice", f"a seat's second copy is called {name.split('.')[0]}.2"
            )
        if name.endswith(".2") and name[:-2] not in names:
            raise fault((*path, place_), f"{name} stands without {name[:-2]}", "one copy has the plain name")
    return names


def _check_order(frame: Frame, state: Any) -> None:
    order = draft_order(frame.tables, Draft(int(state["draft"])))
    counts = state["count"].tolist()[: len(_seats(frame))]
    done = sum(counts)
    if done >= len(order):
        raise fault(("picks",), "nothing is left to pick", "a finished draft is phase zone")
    for seat, letter in enumerate(_seats(frame)):
        due = order[:done].count(seat)
        if counts[seat] != due:
            raise fault(
                ("picks",), f"seat {letter} would have {due} of the {done} picks made, not {counts[seat]}"
            )
    state["to_move"] = order[done]


def _read_hands(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    hands = read_mapping(require(document, "hands"), _seats(frame), ("hands",), "seats to hero names")
    for seat, letter in enumerate(_seats(frame)):
        path = ("hands", letter)
        cards = read_list(hands.get(letter, []), path, "hero names")
        for place_, name in enumerate(cards):
            if name not in HERO_NAMES:
                raise fault((*path, place_), f"unknown card {as_text(name)}", did_you_mean(name, HERO_NAMES))
            state["hand"][seat][HERO_NAMES.index(name)] += 1
        needed = int(frame.tables["team_size"]) - int(state["count"][seat])
        if len(cards) < needed:
            raise fault(
                path, f"must hold at least {needed} cards for the picks still to come, not {len(cards)}"
            )


def _check_copies(frame: Frame, state: Any, key: str) -> None:
    copies = Counter(hero.kind for seat in range(len(_seats(frame))) for hero in pieces(state, seat))
    in_hands = state["hand"].sum(axis=0).tolist()
    for kind, name in enumerate(HERO_NAMES):
        if copies[kind] + in_hands[kind] > 2:
            raise fault((key,), f"there are only two copies of {name}, not {copies[kind] + in_hands[kind]}")
        if state["draft"] in (Draft.FREE, Draft.SNAKE):
            state["pool"][kind] = 2 - copies[kind]


# ---- zones and heroes


def _read_zones(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    choosing = state["phase"] == Phase.ZONE
    value = document.get("zones", {}) if choosing else require(document, "zones")
    given = read_mapping(value, _seats(frame), ("zones",), "seats to corners")
    zones = {letter: read_word(given[letter], CORNER_NAMES, ("zones", letter)) for letter in given}
    for letter, corner in zones.items():
        if list(zones.values()).count(corner) > 1:
            raise fault(("zones", letter), f"two seats have the corner {corner}")
    seats = _seats(frame)
    if choosing:
        _check_choosing(frame, zones)
        state["to_move"] = len(zones)
    elif len(zones) < len(seats):
        raise fault(("zones",), f"every seat needs a corner; missing: {listed(set(seats) - set(zones))}")
    _check_corners(
        frame, {SEATS.index(letter): CORNER_NAMES.index(corner) for letter, corner in zones.items()}
    )
    set_zones(
        state,
        frame.tables,
        [CORNER_NAMES.index(zones[letter]) if letter in zones else NONE for letter in seats],
    )


def _check_choosing(frame: Frame, zones: Mapping[str, str]) -> None:
    seats = _seats(frame)
    if set(zones) != set(seats[: len(zones)]):
        raise fault(
            ("zones",),
            "seats choose in the order " + ", ".join(seats),
            "give the zones of the first seats only",
        )
    if len(zones) == len(seats) or (zones and frame.tables["mode"] == Mode.DUEL):
        raise fault(("zones",), "nothing is left to choose", "with all zones chosen the phase is deploy")


def _check_corners(frame: Frame, zones: Mapping[int, int]) -> None:
    mode = Mode(int(frame.tables["mode"]))
    opposite = {seat: (corner + 2) % 4 for seat, corner in zones.items()}
    if mode == Mode.DUEL and zones and zones[1] != opposite[0]:
        raise fault(("zones",), "in a duel the zones are opposite corners")
    for seat, mate in ((0, 2), (1, 3)):
        if mode == Mode.TEAM and seat in zones and mate in zones and zones[mate] == opposite[seat]:
            raise fault(
                ("zones", SEATS[mate]), f"team-mates {SEATS[seat]} and {SEATS[mate]} sit at adjacent corners"
            )


def _read_heroes(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    seats = _seats(frame)
    heroes = read_mapping(require(document, "heroes"), seats, ("heroes",), "seats to heroes")
    for seat, letter in enumerate(seats):
        if letter not in heroes:
            raise fault(("heroes",), f"seat {letter} is missing", "every seat has one to four heroes")
        _read_seat(heroes[letter], frame, state, seat)
    copies = Counter(hero.kind for seat in range(len(seats)) for hero in pieces(state, seat))
    for kind, count in copies.items():
        if count > 2:
            raise fault(("heroes",), f"there are only two copies of {HERO_NAMES[kind]}, not {count}")
    if state["phase"] == Phase.DEPLOY:
        _check_deployment(frame, state)


def _read_seat(value: Any, frame: Frame, state: Any, seat: int) -> None:
    path = ("heroes", SEATS[seat])
    entries = read_list(value, path, "hero entries")
    if not entries:
        raise fault(path, f"a seat has one to {TEAM} heroes")
    for place_, entry in enumerate(entries):
        if not entry.split():
            raise fault((*path, place_), "is empty; write NAME or NAME NODE ENERGY")
    _read_names([entry.split()[0] for entry in entries], path)
    # Slots are in name order, as heroes are deployed and redeployed (section 3, JM71).
    for slot, place_ in enumerate(sorted(range(len(entries)), key=lambda at: entries[at].split()[0])):
        _read_hero(entries[place_].split(), frame, state, seat * TEAM + slot, (*path, place_))


def _read_hero(words: list[str], frame: Frame, state: Any, slot: int, path: tuple[str | int, ...]) -> None:
    phase, tables, name = Phase(int(state["phase"])), frame.tables, words[0]
    if len(words) == 1:
        if phase == Phase.TURN:
            raise fault(
                path, f"{name} is off the board", "all heroes are on the board when a turn begins (JM13)"
            )
        put_hero(state, tables, slot, name)
        return
    if phase == Phase.ZONE:
        raise fault(path, "nobody is on the board in phase zone", f"write only {name}")
    node = _read_node(words[1], frame, state, slot // TEAM, path)
    if phase == Phase.DEPLOY:
        own = tables["corner"][node] == state["zone"][slot // TEAM]
        if len(words) > 2 or not own:
            raise fault(path, "a deployed hero stands in its own zone", "write NAME NODE in phase deploy")
        put_hero(state, tables, slot, name, node, int(tables["lowest"][hero_kind(name)]), True, False)
        return
    energy, marks = _read_numbers(words, frame, state, slot, node, path)
    put_hero(state, tables, slot, name, node, energy, "fresh" in marks, "jumped" in marks)


def _read_node(text: str, frame: Frame, state: Any, seat: int, path: tuple[str | int, ...]) -> int:
    width, height = int(frame.tables["width"]), int(frame.tables["height"])
    names = _node_numbers(width, height)
    if text not in names:
        raise fault(path, f"no node {as_text(text)} on a board of {width} x {height}")
    node = names[text]
    if frame.tables["blocked"][node]:
        raise fault(path, f"{text} is blocked by a pillar or a wall")
    if state["at"][node] != NONE:
        raise fault(path, f"two heroes stand on {text}")
    corner = int(frame.tables["corner"][node])
    holder = int(state["holder"][corner]) if corner != NONE else NONE
    if holder != NONE and frame.tables["side_of"][holder] != frame.tables["side_of"][seat]:
        raise fault(path, f"{text} lies in the zone of the opposing seat {SEATS[holder]}")
    return node


@cache
def _node_numbers(width: int, height: int) -> dict[str, int]:
    return {node_name(node, height): node for node in range(width * height)}


def _read_numbers(
    words: list[str], frame: Frame, state: Any, slot: int, node: int, path: tuple[str | int, ...]
) -> tuple[int, list[str]]:
    name, marks = words[0], words[3:]
    maximum = int(frame.tables["maximum"][hero_kind(name)])
    if len(words) < 3 or words[2] not in [str(number) for number in range(1, maximum + 1)]:
        given = as_text(words[2]) if len(words) > 2 else "nothing"
        raise fault(path, f"the energy of {name} must be a whole number from 1 to {maximum}, not {given}")
    for mark in marks:
        if mark not in MARKS or marks.count(mark) > 1:
            raise fault(
                path, f"the mark {as_text(mark)} is unknown or repeated", "marks are fresh and jumped"
            )
    if "fresh" in marks and frame.tables["corner"][node] != state["zone"][slot // TEAM]:
        raise fault(path, f"{name} cannot be fresh outside its own zone (JM40)")
    if "jumped" in marks and state["phase"] != Phase.JUMPING:
        raise fault(path, "the mark jumped belongs to phase jumping")
    return int(words[2]), marks


def _check_deployment(frame: Frame, state: Any) -> None:
    order = state["order"].tolist()[: len(_seats(frame))]
    queue = [hero for seat in order for hero in pieces(state, seat)]
    waiting = [hero.node == NONE for hero in queue]
    if True not in waiting:
        raise fault(("heroes",), "all heroes are deployed", "the next phase is turn")
    if not all(waiting[waiting.index(True) :]):
        turns = " ".join(SEATS[seat] for seat in order)
        raise fault(("heroes",), f"heroes are deployed in name order, seats in the order {turns}")
    state["to_move"] = next(seat for seat in order if next_off_board(state, seat) != NONE)


# ---- turn


def _read_turn(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    redeploying = state["phase"] == Phase.REDEPLOY
    last = int(frame.tables["turn_cap"]) - int(redeploying)
    if last < 1:
        raise fault(("phase",), "with turn_cap 1 nobody is redeployed: the game ends with turn 1")
    state["turn"] = read_whole(document.get("turn", 1), 1, last, ("turn",))
    sides = side_names(frame.tables)
    points = read_mapping(document.get("vp", {}), sides, ("vp",), "sides to VP")
    for side, name in enumerate(sides):
        state["vp"][side] = read_whole(points.get(name, 0), 0, int(frame.tables["target"]) - 1, ("vp", name))
    if redeploying:
        active = SEATS.index(read_word(require(document, "active"), _seats(frame), ("active",)))
        state["active"] = active
        waiting = [
            seat for seat in seats_from(state, frame.tables, active) if next_off_board(state, seat) != NONE
        ]
        if not waiting:
            raise fault(("heroes",), "nobody is off the board: nothing to redeploy", "the next phase is turn")
        state["to_move"] = waiting[0]
    else:
        state["segment"] = 1  # odd: a turn is being played


def _read_mover(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    in_turn = state["segment"] == 1
    if "to_move" not in document and not in_turn:
        return
    seat = SEATS.index(read_word(require(document, "to_move"), _seats(frame), ("to_move",)))
    if in_turn:
        state["to_move"] = state["active"] = seat
    elif seat != state["to_move"]:
        mover = seat_name(int(state["to_move"]))
        raise fault(("to_move",), f"it is {mover} that decides here, not {SEATS[seat]}")


def _read_acting(document: Mapping[str, Any], frame: Frame, state: Any) -> None:
    seat, jumping = int(state["to_move"]), state["phase"] == Phase.JUMPING
    names = [hero.name for hero in pieces(state, seat)]
    name = read_word(require(document, "hero"), names, ("hero",))
    slot = seat * TEAM + names.index(name)
    hero = piece(state, slot)
    if hero.node == NONE:
        raise fault(("hero",), f"{name} is off the board and cannot act")
    if jumping and (hero.fresh or hero.jumped):
        raise fault(("hero",), f"{name} has jumped: it is neither fresh nor jumped over")
    if not jumping and hero.kind not in STEP_HEROES:
        raise fault(
            ("hero",), f"{name} has no ability after a step", "phase stepped is for hopper and katula"
        )
    used = document.get("used", False)
    if not isinstance(used, bool):
        raise fault(("used",), f"must be true or false, not {as_text(used)}")
    if used and hero.kind not in JUMP_HEROES:
        raise fault(("used",), f"{name} has no ability that can be used during a jump sequence")
    state["acting"], state["used"] = slot, int(used)
    if set(legal_texts(state, frame.tables)) <= {"end"}:
        raise fault((), f"nothing but `end` is possible for {name}", "then the turn has ended by itself")


def _seats(frame: Frame) -> list[str]:
    return list(SEATS[: int(frame.tables["seats"])])
