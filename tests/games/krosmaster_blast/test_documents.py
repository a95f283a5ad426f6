"""Every breach of section 10 is refused, at its place; what is allowed is not."""

from __future__ import annotations

from typing import Any

import pytest

from balance.games.position import DocumentError
from balance.study import oracle
from tests.games.krosmaster_blast.forcing import NOTATION
from tests.games.krosmaster_blast.placing import A, B, document, fields, position

ACTIVE = {"name": "agate", "cell": "b5", "state": "active"}
MENDER, OONE, RONIMO = {"name": "mender", "cell": "b8"}, {"name": "oone", "cell": "i6"}, B[1]
MARTINE = {"name": "martine_gale", "cell": "b5", "state": "active"}
SUMMONED = {"name": "fleeflee", "cell": "a1"}
TWO = [{"name": "agate"}, {"name": "ronimo"}]
THREE = {"team_size": 3}


def teams(a: list[Any], b: list[Any] | None = None) -> dict[str, Any]:
    return {"fighters": {"A": a, "B": B if b is None else b}}


def before(phase: str, a: list[Any], b: list[Any], **changes: Any) -> dict[str, Any]:
    return {"phase": phase, "turn": None, "unseen": None, "fighters": {"A": a, "B": b}} | changes


#: Changes to a sound document, and the path that is blamed.
BREACHES: dict[str, tuple[dict[str, Any], str]] = {
    "no game": ({"game": None}, ""),
    "unknown key": ({"turns": 3}, "turns"),
    "unknown rule": ({"rules": {"spel_ap": 1}}, "rules.spel_ap"),
    "a rule of ours": ({"rules": {"action_cap": 100}}, "rules.action_cap"),
    "rule out of range": ({"rules": {"move_mp": 4}}, "rules.move_mp"),
    "rule of the wrong type": ({"rules": {"jokers": 1}}, "rules.jokers"),
    "kos above the team": ({"rules": {"kos_to_win": 3}}, "rules.kos_to_win"),
    "unknown face": ({"rules": {"die": ["burst", "heart"]}}, "rules.die"),
    "no faces": ({"rules": {"die": []}}, "rules.die"),
    "unknown arena": ({"arena": "meadow"}, "arena"),
    "uneven field": ({"arena": ["....", "...", "...."]}, "arena.1"),
    "unknown ground": ({"arena": ["....", ".x..", "...."]}, "arena.1"),
    "low field": ({"arena": ["....", "...."]}, "arena"),
    "narrow field": ({"arena": ["..", "..", ".."]}, "arena.0"),
    "unknown challenge": ({"challenges": ["joust"]}, "challenges.0"),
    "challenge twice": ({"challenges": ["cras_field_of_fire"] * 2}, "challenges.0"),
    "unknown phase": ({"phase": "over"}, "phase"),
    "turn 0 in play": ({"turn": 0}, "turn"),
    "turn 11 of 10": ({"turn": 11}, "turn"),
    "turn as text": ({"turn": "9"}, "turn"),
    "wrong seat": ({"to_move": "B"}, "to_move"),
    "no seat": ({"to_move": "C"}, "to_move"),
    "dofus of nobody known": ({"dofus": "C"}, "dofus"),
    "glyph on a plain cell": ({"glyphs": {"a1": "A"}}, "glyphs.a1"),
    "glyph of nobody": ({"glyphs": {"c7": "none"}}, "glyphs.c7"),
    "glyph off the board": ({"glyphs": {"k1": "A"}}, "glyphs.k1"),
    "tile on a Glyph cell": ({"tiles": {"c7": "fire"}}, "tiles.c7"),
    "tile on a tree": ({"tiles": {"e7": "fire"}}, "tiles.e7"),
    "unknown tile": ({"tiles": {"a1": "mud"}}, "tiles.a1"),
    "five tiles": ({"tiles": dict.fromkeys(("a1", "b1", "c1", "d1", "e1"), "ice")}, "tiles.e1"),
    "unknown favor": ({"favors": {"left": "hast"}}, "favors.left"),
    "unknown slot": ({"favors": {"middle": "haste"}}, "favors.middle"),
    "used but empty": ({"favors": {"used": ["left"]}}, "favors.used.0"),
    "favor twice": ({"favors": {"left": "precision"}}, "unseen"),
    "revealed in play": ({"revealed": "snare"}, "revealed"),
    "nothing revealed": (
        {"phase": "favor", **teams([{"name": "agate", "cell": "b5"}, MENDER])},
        "",
    ),
    "unseen out of the pool": ({"rules": {"level": "basic"}, "unseen": ["surge"]}, "unseen.0"),
    "too few unseen": ({"turn": 8, **teams(A[1:] + [OONE], [RONIMO])}, "unseen"),
    "no Fighters": ({"fighters": {}}, "fighters.A"),
    "unknown seat": ({"fighters": {"A": A, "B": B, "C": []}}, "fighters.C"),
    "unknown name": (teams([ACTIVE, {"name": "bob", "cell": "b8"}]), "fighters.A.1.name"),
    "no name": (teams([ACTIVE, {"cell": "b8"}]), "fighters.A.1"),
    "no cell": (teams([ACTIVE, {"name": "mender"}]), "fighters.A.1"),
    "unknown value": (teams([ACTIVE, MENDER | {"hp": 3}]), "fighters.A.1.hp"),
    "off the board": (teams([ACTIVE, MENDER | {"cell": "b9"}]), "fighters.A.1.cell"),
    "on a tree": (teams([ACTIVE, MENDER | {"cell": "e7"}]), "fighters.A.1.cell"),
    "on a bush": (teams([ACTIVE, MENDER | {"cell": "b2"}]), "fighters.A.1.cell"),
    "on one cell": (teams([ACTIVE, MENDER | {"cell": "b5"}]), "fighters.A.1.cell"),
    "on fog": ({"tiles": {"b8": "fog"}}, "fighters.A.1.cell"),
    "as many injuries as HP": (teams([ACTIVE, MENDER | {"injuries": 12}]), "fighters.A.1.injuries"),
    "negative injuries": (teams([ACTIVE, MENDER | {"injuries": -1}]), "fighters.A.1.injuries"),
    "unknown state": (teams([ACTIVE, MENDER | {"state": "asleep"}]), "fighters.A.1.state"),
    "the waiting seat is done": (teams(A, [OONE | {"state": "done"}, RONIMO]), "fighters.B.0.state"),
    "two active": (teams([ACTIVE, MENDER | {"state": "active"}]), "fighters.A.1.state"),
    "too many Krosmasters": (teams([*A, {"name": "ronimo", "cell": "a1"}]), "fighters.A"),
    "a name twice": (teams([ACTIVE, {"name": "agate", "cell": "a1"}]), "fighters.A.1"),
    "the game would be over": (teams([ACTIVE]), "fighters.A"),
    "active without a Fighter": (
        {"active": {"ap": 1}, **teams([{"name": "agate", "cell": "b5"}, MENDER])},
        "active",
    ),
    "pending without a Fighter": (
        {"pending": {"tile": "fire"}, **teams([{"name": "agate", "cell": "b5"}, MENDER])},
        "pending",
    ),
    "an eager minion": (
        teams([{"name": "agate", "cell": "b5"}, MENDER, SUMMONED | {"state": "active"}]),
        "fighters",
    ),
    "casts without a limit": ({"active": {"casts": {"arrow": 1}}}, "active.casts.arrow"),
    "casts of another": ({"active": {"casts": {"wings": 1}}}, "active.casts.wings"),
    "no casts": ({"active": {"casts": {"capitol_punishment": 0}}}, "active.casts.capitol_punishment"),
    "targets without a limit": ({"active": {"targets": {"arrow": {"i6": 1}}}}, "active.targets.arrow"),
    "last at an empty cell": (
        {"active": {"last": {"catroulette": ["a1", 1]}}, **teams([MARTINE, MENDER])},
        "active.last.catroulette.0",
    ),
    "negative AP": ({"active": {"ap": -1}}, "active.ap"),
    "a flag as a number": ({"active": {"ignore_los": 1}}, "active.ignore_los"),
    "unknown bonus": ({"active": {"bonuses": ["haste"]}}, "active.bonuses.0"),
    "pending without a tile": ({"pending": {"left": 1}}, "pending"),
    "pending nothing": ({"pending": {"tile": "fire", "left": 0}}, "pending.left"),
    "lifted among four": (
        {
            "tiles": dict.fromkeys(("a1", "b1", "c1", "d1"), "ice"),
            "pending": {"tile": "ice", "lifted": True},
        },
        "pending.lifted",
    ),
    "draft out of order": (before("draft", [], [{"name": "oone"}]), "fighters"),
    "draft over": (before("draft", TWO, [{"name": "oone"}, {"name": "mender"}]), "fighters"),
    "drafted twice": (before("draft", [{"name": "oone"}], [{"name": "oone"}]), "fighters"),
    "off the roster": (
        before("draft", TWO[:1], [], rules={"roster": ["oone", "mender", "ronimo", "fern_sockem"]}),
        "fighters",
    ),
    "short roster": (before("draft", [], [], rules={"roster": ["agate", "mender"]}), "rules.roster"),
    "drafted on the board": (before("draft", [{"name": "oone", "cell": "a5"}], []), "fighters.A.0.cell"),
    "turn 1 in the draft": (before("draft", [], [], turn=1), "turn"),
    "glyphs in the draft": (before("draft", [], [], glyphs={"c7": "A"}), "glyphs"),
    "a favor in deploy": (before("deploy", TWO, TWO, favors={"left": "haste"}), "favors"),
    "a minion in deploy": (before("deploy", [*TWO, {"name": "fleeflee"}], TWO), "fighters.A.2"),
    "injured in deploy": (before("deploy", [TWO[0] | {"injuries": 1}, TWO[1]], TWO), "fighters.A.0"),
    "half a team in deploy": (before("deploy", TWO[:1], TWO), "fighters.A"),
    "deployed out of order": (before("deploy", [TWO[0], TWO[1] | {"cell": "a5"}], TWO), "fighters"),
    "B before A": (before("deploy", TWO, [TWO[0] | {"cell": "j4"}, TWO[1]]), "fighters"),
    "off the start cells": (before("deploy", [TWO[0] | {"cell": "a1"}, TWO[1]], TWO), "fighters.A"),
    "all deployed": (
        before(
            "deploy",
            [TWO[0] | {"cell": "a5"}, TWO[1] | {"cell": "b3"}],
            [TWO[0] | {"cell": "j4"}, TWO[1] | {"cell": "i3"}],
        ),
        "fighters",
    ),
    "too few start cells": (before("deploy", TWO, TWO, arena=["a..b", "...b", "...."]), "arena"),
    "too small a deck": (before("deploy", TWO, TWO, rules={"rounds": 7, "level": "basic"}), "rules.rounds"),
}  # fmt: skip


def test_the_document_itself_is_sound() -> None:
    assert fields(position())["A"].startswith("agate@b5:0:0:0:active")


@pytest.mark.parametrize("name", BREACHES)
def test_breaches_are_refused_at_their_place(name: str) -> None:
    changes, path = BREACHES[name]
    with pytest.raises(DocumentError) as caught:
        oracle.load(document(**changes))
    assert ".".join(map(str, caught.value.path)) == path, caught.value.message


def test_null_is_absent() -> None:
    nothing = dict.fromkeys(
        ("rules", "data", "challenges", "to_move", "dofus", "glyphs", "active", "pending")
    )
    whole = document() | nothing
    assert oracle.load(whole).text() == position().text()


def test_markers_of_the_active_fighter_count_only_there() -> None:
    marked = teams([ACTIVE | {"ap": -5, "mp": 1}, MENDER])
    assert fields(position(**marked))["act"].startswith("0:4:")
    assert fields(position(**marked, active={"ap": 2}))["act"].startswith("2:4:")
    assert "agate@b5:0:0:0:active" in position(**marked).text()


def test_slots_hold_favors_from_outside_the_pool() -> None:
    place = position(rules={"level": "basic"}, favors={"left": "surge"})
    assert fields(place)["favors"] == "surge,-"
    assert "use surge" in oracle.legal(place)


def test_data_is_merged_row_by_row() -> None:
    longer = {"krosmasters": {"agate": {"spells": {"arrow": {"range": [1, 9]}}}}}
    assert "cast arrow i6" in oracle.legal(position(data=longer))
    assert "cast arrow i6" not in oracle.legal(position())


@pytest.mark.parametrize("rules", [{"superior_favors": True}, {"jokers": True, "crit_bonus": 2}, {}])
def test_written_documents_name_what_a_level_does_not_say(rules: dict[str, Any]) -> None:
    # Values that the other level has, too: they were left out once, and the document said something else.
    place = position(rules={"level": "basic"} | rules, unseen=["balm", "bolt"])
    written = NOTATION.document(place)
    assert written["rules"] == {"level": "basic"} | rules
    assert oracle.load(written).ruleset.values == place.ruleset.values


def test_fields_of_the_document_have_names() -> None:
    rows = ["a...b", ".....", "a...b"]
    crowd = {
        "A": [{"name": "agate", "cell": "a1"}, {"name": "mender", "cell": "a3"}],
        "B": [{"name": "oone", "cell": "e1"}, {"name": "ronimo", "cell": "e3"}],
    }
    place = position(data={"fields": {"lane": rows}}, arena="lane", fighters=crowd)
    assert place.arena.rows == tuple(rows)


def test_teams_of_three_survive_one_knock_out() -> None:
    place = position(rules=THREE, unseen=None)
    assert place.state["lost"].tolist() == [1, 1]


def test_nothing_is_unseen_in_the_last_turn() -> None:
    team = [MENDER, {"name": "agate", "cell": "b5"}]
    last = position(turn=10, unseen=["haste", "precision"], fighters={"A": team, "B": B})
    assert fields(last)["unseen"] == "-"
