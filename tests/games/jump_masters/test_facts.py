"""Section 16 of the rules specification: what every correct simulation shows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from balance.games.position import Position
from balance.study import oracle
from tests.conformance.playing import begin, walk
from tests.games.jump_masters import random_table
from tests.games.jump_masters.plain_play import GAME, TEAMS, part_rows, plain_rows
from tests.games.jump_masters.random_table import MATCHES
from tests.naive import jump_masters as naive

ARENAS = ["pillars", "pillars_b", "ruins", "divide", "mill"]
FIRST_TURNS = {"pillars": 38, "pillars_b": 35, "ruins": 21, "divide": 32, "mill": 25}
ZONES = {
    "nw": ["a7", "a8", "b7", "b8"],
    "ne": ["g7", "g8", "h7", "h8"],
    "se": ["g1", "g2", "h1", "h2"],
    "sw": ["a1", "a2", "b1", "b2"],
}
OPPOSITE = {"nw": "se", "se": "nw", "ne": "sw", "sw": "ne"}
HEROES = list(GAME.part("layout").HERO_NAMES)
NO_ENERGY = {"energize_gain": 0, "power_gain": 0, "disabled_abilities": HEROES}
MODES = [("duel", "fixed"), ("duel", "blind"), ("team", "blind"), ("ffa3", "free"), ("ffa4", "pass")]


def deployed(
    arena: str, zones: dict[str, str], teams: list[list[str]], nodes: dict[str, list[str]]
) -> Position:
    """Turn 1 after a full deployment: each team in name order on its seat's nodes, everybody fresh."""
    heroes = {
        seat: [f"{name} {node} 1 fresh" for name, node in zip(sorted(team), nodes[seat], strict=True)]
        for seat, team in zip("AB", teams, strict=True)
    }
    document = {"game": "jump_masters", "arena": arena, "zones": zones, "to_move": "A", "heroes": heroes}
    return oracle.load(document)


def dealt(dice: random.Random) -> list[list[str]]:
    """Two teams from the twenty cards."""
    deck = HEROES * 2
    dice.shuffle(deck)
    hands = deck[:4], deck[4:8]
    return [[name if name not in hand[:i] else f"{name}.2" for i, name in enumerate(hand)] for hand in hands]


def random_deployments(arena: str, corners: tuple[str, ...], count: int) -> Iterator[Position]:
    """Any teams in any arrangement, the first seat in one of `corners`, the other opposite."""
    dice = random.Random(f"{arena} {corners}")
    for _ in range(count):
        corner = dice.choice(corners)
        zones = {"A": corner, "B": OPPOSITE[corner]}
        nodes = {seat: dice.sample(ZONES[zones[seat]], 4) for seat in zones}
        yield deployed(arena, zones, dealt(dice), nodes)


# ---- 1, 2: the first turns


@pytest.mark.parametrize("arena", ARENAS)
def test_first_turns_of_any_teams(arena):
    counts = {len(oracle.turn_ends(position)) for position in random_deployments(arena, ("sw", "ne"), 25)}
    assert counts == {FIRST_TURNS[arena]}


@pytest.mark.parametrize("arena", ARENAS)
def test_first_turns_from_the_other_corners(arena):
    # The table speaks of sw and ne; on arenas without a quarter turn nw and se count for themselves.
    positions = list(random_deployments(arena, ("nw", "se"), 12))
    counts = {len(oracle.turn_ends(position)) for position in positions}
    slow = naive.load(GAME.part("notation").document(positions[0]))
    expected = {"pillars": 30, "divide": 33}.get(arena, FIRST_TURNS[arena])
    assert counts == {len(naive.turn_ends(slow))} == {expected}


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("arena", ARENAS)
def test_two_turns_of_ready_made_teams(arena, team):
    nodes = {"A": ["a1", "a2", "b1", "b2"], "B": ["h8", "h7", "g8", "g7"]}
    position = deployed(arena, {"A": "sw", "B": "ne"}, [TEAMS[team]] * 2, nodes)
    ends = FIRST_TURNS[arena]
    assert (oracle.perft(position, 1), oracle.perft(position, 2)) == (ends, ends**2)


@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_nobody_scores_in_turn_one(mode, draft):
    # Every end of turn 1 of many set-ups, the next seat's Hill included.
    for seed in range(12):
        for position, _ in walk(begin("jump_masters", mode, draft, seed), seed):
            if position.state["turn"] == 1:
                break
        for end in oracle.turn_end_positions(position):
            assert end.state["vp"].tolist() == [0] * 4
            assert end.state["turn"] == 2  # nobody is off the board: no redeployment stands between
            assert GAME.phases[end.state["phase"]] == "turn"


def ruins_start(hunter: str) -> Position:
    teams = [["freeda", "katula", "roara", "unni"], [hunter, "parena", "pinkbeary", "wuffryder"]]
    nodes = {"A": ["a1", "a2", "b1", "b2"], "B": ["g7", "h7", "g8", "h8"]}
    return deployed("ruins", {"A": "sw", "B": "ne"}, teams, nodes)


def test_a_removal_in_turn_two():
    end = oracle.after(ruins_start("hopper"), "run unni c3 d4", "step hopper f6", "frog_bow d4")
    assert "phase=redeploy to_move=A active=B turn=2" in end.text()
    assert "vp=A:0,B:5" in end.text()
    assert "unni:-" in end.text()


def test_a_hill_point_at_the_start_of_turn_three():
    end = oracle.after(ruins_start("hopper"), "run unni c3 d4", "run parena g6 h5")
    assert "to_move=A turn=3 zones=A:sw,B:ne vp=A:1,B:0" in end.text()


# ---- 3: half a turn of the board


def turned(text: str) -> str:
    """The canonical text of a duel position seen from the other side of the table."""
    fields = dict(field.split("=") for field in text.split(" "))
    swap = {"A": "B", "B": "A"}
    new = {key: swap.get(value, value) for key, value in fields.items()}
    for key in ("zones", "vp") if "zones" in fields else ("vp",):
        entries = dict(entry.split(":") for entry in fields[key].split(","))
        other = {seat: OPPOSITE.get(entries[swap[seat]], entries[swap[seat]]) for seat in "AB"}
        new[key] = ",".join(f"{seat}:{entry}" for seat, entry in other.items())
    for seat in "AB":
        if seat in fields:
            new[seat] = ",".join(turned_hero(hero) for hero in fields[swap[seat]].split(","))
    return " ".join(f"{key}={new[key]}" for key in fields)


def turned_hero(entry: str) -> str:
    name, node, *rest = entry.split(":")
    if node != "-":
        node = f"{'hgfedcba'['abcdefgh'.index(node[0])]}{9 - int(node[1])}"
    return ":".join([name, node, *rest])


@pytest.mark.parametrize("arena", ARENAS)
def test_half_a_turn_changes_nothing(arena):
    notation, dice, checked = GAME.part("notation"), random.Random(arena), {"turn": 0, "redeploy": 0}
    for seed in range(6):
        first = oracle.start(GAME, "duel", arena, "blind", None, seed)
        for position, _ in walk(first, seed):
            phase = GAME.phases[position.state["phase"]]
            in_turn = phase in ("turn", "stepped", "jumping")
            if not (in_turn and dice.random() < 0.15 or phase == "redeploy"):
                continue
            other = notation.parse_canonical(turned(position.text()), position)
            assert len(oracle.actions(other)) == len(oracle.actions(position))
            if phase == "redeploy":
                checked["redeploy"] += 1
                continue
            checked["turn"] += 1
            assert sorted(turned(end) for end in oracle.turn_ends(position)) == oracle.turn_ends(other)
    assert checked["turn"] > 50
    assert checked["redeploy"] > 2


# ---- 4: no energy, no glory


@pytest.mark.parametrize(("mode", "draft"), [("duel", "blind"), ("team", "blind"), ("ffa4", "pass")])
def test_without_energy_no_attacker_survives(mode, draft):
    rows = part_rows(mode, "pillars", draft, 4, 60, overrides={"rules": NO_ENERGY})
    sources = ["attack", "fire_step", "frog_bow", "blood_boon", "missile_go"]
    assert [int(rows.game[f"vp_{source}"].sum()) for source in sources] == [0] * 5
    assert (rows.game["vp"] == rows.game["vp_hill"] + rows.game["vp_lost_attack"]).all()
    assert (rows.game["double_removals"] == rows.game["attackers_lost"]).all()
    assert rows.game["vp_lost_attack"].sum() > 0
    assert rows.hero["energy_gained"].sum() + rows.hero["ability_uses"].sum() == 0


def test_without_energy_everybody_stays_at_one():
    for seed in range(6):
        first = oracle.start(GAME, "duel", "divide", "blind", None, seed, {"rules": NO_ENERGY})
        for position, _ in walk(first, seed):
            if position.state["turn"] >= 1:
                heroes = position.state["hero"]
                assert set(heroes["energy"][heroes["node"] >= 0].tolist()) <= {1}


# ---- 5: book-keeping


@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_every_turn_begins_in_order(mode, draft):
    for seed in range(4):
        before = np.zeros(4, np.int32)
        for position, _ in walk(begin("jump_masters", mode, draft, seed), seed):
            state, tables = position.state, position.tables
            assert (state["vp"] >= before).all()
            before = state["vp"].copy()
            if GAME.phases[state["phase"]] == "turn":
                heroes = state["hero"][state["hero"]["kind"] >= 0]
                assert len(heroes) == 4 * len(position.mode.side_of_seat)
                assert (heroes["node"] >= 0).all()
                assert (heroes["energy"] >= 1).all()
                assert (heroes["energy"] <= tables["maximum"][heroes["kind"]]).all()
                assert not heroes["jumped"].any()


@cache
def recorded(mode, draft):
    """Many random games at record level basic."""
    return part_rows(mode, "pillars_b", "starters" if draft == "fixed" else draft, 5, 150)


def by_side(rows, mode, name):
    """A hero column summed per game and side, shape (games, 4)."""
    total = np.zeros((len(rows.results), 4), np.int64)
    side = np.array(GAME.mode(mode).side_of_seat)[rows.hero["seat"]]
    np.add.at(total, (rows.hero["row"], side), rows.hero[name])
    return total


@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_points_have_sources(mode, draft):
    rows = recorded(mode, draft)
    game, sides = rows.game, GAME.mode(mode).sides
    removed = ["attack", "lost_attack", "fire_step", "frog_bow", "blood_boon", "missile_go"]
    earned = sum(game[f"vp_{source}"] for source in removed)
    assert (game["vp"] == game["vp_hill"] + earned).all()
    assert (by_side(rows, mode, "vp_earned") == earned).all()
    assert (by_side(rows, mode, "vp_conceded").sum(axis=1) == earned.sum(axis=1)).all()
    assert (game["vp"][:, sides:] == 0).all()
    held = np.zeros_like(game["vp"])
    for seat, side in enumerate(GAME.mode(mode).side_of_seat):
        held[:, side] += game["hill_turns"][:, seat]
    assert (game["vp_hill"] == held).all()
    winners = rows.results["winner"]
    target = 30 if mode == "team" else 20
    assert (game["vp"][np.arange(len(game)), winners] >= target).all()
    assert ((game["vp"] >= target).sum(axis=1) == 1).all()
    assert (rows.results["termination"] == GAME.terminations.index("vp")).all()


@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_removals_agree_everywhere(mode, draft):
    rows = recorded(mode, draft)
    suffered = by_side(rows, mode, "removals_suffered").sum(axis=1)
    made = by_side(rows, mode, "removals_made").sum(axis=1)
    assert (suffered == made + rows.game["friends_removed"]).all()
    assert rows.node["removals"].sum() == suffered.sum() > 0
    waiting = suffered - rows.game["redeployments"]  # those off the board when the game ended
    heroes = 4 * GAME.mode(mode).seats
    assert ((waiting >= 0) & (waiting <= heroes)).all()
    assert (waiting[rows.game["win_by"] == 1] == 0).all()  # the Hill counts with everybody on the board
    assert (waiting[rows.game["win_by"] != 1] > 0).all()
    assert (rows.game["attackers_lost"] >= rows.game["double_removals"]).all()


@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_turns_and_energy_add_up(mode, draft):
    rows = recorded(mode, draft)
    game, heroes = rows.game, GAME.mode(mode).seats * 4
    assert (game["turns_begun"].sum(axis=1) == rows.results["turns"]).all()
    by_hill = (game["win_by"] == 1).astype(int)
    acted = by_side(rows, mode, "turns_acted").sum(axis=1)
    assert (acted + game["passes"] + by_hill == rows.results["turns"]).all()
    assert (by_side(rows, mode, "jumps").sum(axis=1) == game["jumps"]).all()
    assert (game["jump_turns"] <= game["jumps"]).all()
    gained = np.zeros((len(game), 4), np.int64)
    np.add.at(gained, (rows.hero["row"], rows.hero["seat"]), rows.hero["energy_gained"])
    sources = ["energized", "first_jump_energy", "power_energy", "ability_energy"]
    assert (gained == sum(game[name] for name in sources)).all()
    begun = game["turns_begun"][rows.hero["row"], rows.hero["seat"]]
    assert (rows.hero["starts_in_zone"] + rows.hero["starts_off_zone"] == begun).all()
    assert (rows.hero["starts_on_hill"] <= rows.hero["starts_off_zone"]).all()
    assert rows.node["occupied"].sum() == heroes * rows.results["turns"].sum()


@pytest.mark.parametrize(("mode", "draft"), MODES)
def test_nodes_agree_with_the_arena(mode, draft):
    rows = recorded(mode, draft)
    tables = begin_tables(mode)
    nodes = int(tables.nodes)
    power, blocked, hill = (tables[name][:nodes] == 1 for name in ("power", "blocked", "hill"))
    assert (rows.node["power_entries"] == np.where(power, rows.node["visits"], 0)).all()
    assert (rows.node["energy"][~power] == 0).all()
    assert rows.node["energy"].sum() == rows.game["power_energy"].sum() > 0
    for name in ("visits", "occupied", "removals"):
        assert (rows.node[name][blocked] == 0).all()
        assert (rows.node[name][~blocked] > 0).all() or name == "removals"
    assert (rows.node["hill_vp"][~hill] == 0).all()
    assert rows.node["hill_vp"].sum() >= rows.game["vp_hill"].sum() > 0


def begin_tables(mode):
    return oracle.start(GAME, mode, "pillars_b", "blind").tables


# ---- 6: uniformly random play


@pytest.mark.parametrize("number", range(len(MATCHES)), ids=[match.label for match in MATCHES])
def test_the_loop_plays_what_a_plain_loop_plays(number):
    match = MATCHES[number]
    plain = plain_rows(match.mode, match.arena, match.draft, random_table.SEED + number, 60)
    rows = part_rows(match.mode, match.arena, match.draft, random_table.SEED + number, 60)
    first = rows.results["seating"] == 0
    for name in ("turns", "winner"):
        assert rows.results[name][first].tolist() == plain[name].tolist()
    assert (rows.results["plies"][first] + plain["picks"]).tolist() == plain["plies"].tolist()
    assert rows.game["vp"][first].sum(axis=1).tolist() == plain["vp"].tolist()


def table(games):
    return [
        one
        for number, match in enumerate(MATCHES)
        for one in random_table.compare(match, random_table.sample(number, games))
    ]


def check_table(games):
    differences = table(games)
    assert len(differences) == 66
    wrong = random_table.refuted(differences)
    assert not wrong, "\n".join(map(random_table.line, wrong))


def test_random_play_is_as_in_the_spec():
    check_table(2_000)


@pytest.mark.slow
@pytest.mark.sample
def test_random_play_is_as_in_the_spec_at_full_size():
    check_table(20_000)


@pytest.mark.parametrize(
    "change", [{"hill_vp": 2}, {"power_gain": 0}, {"vp_to_win": 22}, {"run_end": "distance"}]
)
def test_the_table_would_notice_another_rule(change):
    rows = random_table.sample(0, 2_000, {"rules": change})
    assert random_table.refuted(random_table.compare(MATCHES[0], rows), random_table.FAMILY / len(MATCHES))
