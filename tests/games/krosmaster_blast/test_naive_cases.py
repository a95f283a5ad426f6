"""The slow reference engine of Krosmaster: Blast: the handed cases, printed facts, invariants, symmetry."""

from __future__ import annotations

import ast
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.naive import krosmaster_blast as naive
from tests.naive.krosmaster_blast import actions, facts, invariants, rules
from tests.naive.krosmaster_blast.board import sight

FOLDER = Path(__file__).resolve().parents[2] / "cases" / "krosmaster_blast"
ENGINE = Path(naive.__file__).resolve().parent
CASES = naive.read_cases(sorted(FOLDER.glob("*.yaml")))
HALF = Fraction(1, 2)


def a_document(**parts: Any) -> dict[str, Any]:
    """A quiet table at turn 9: Agate active on c5, everybody else far away."""
    own = [{"name": "agate", "cell": "c5", "state": "active"}, {"name": "mender", "cell": "b8"}]
    far = [{"name": "oone", "cell": "i6"}, {"name": "ronimo", "cell": "i3"}]
    document = {"game": "krosmaster_blast", "turn": 9, "unseen": ["precision"]}
    return document | {"fighters": {"A": own, "B": far}} | parts


def test_there_are_as_many_cases_as_were_handed() -> None:
    assert len(CASES) == len({case["id"] for case in CASES}) == 73


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    passed, got = naive.run_case(case)
    assert passed, got


def test_the_engine_knows_nothing_of_the_fast_one() -> None:
    for path in ENGINE.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        }
        froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0]
        names |= {node.module for node in froms}
        roots = {name.split(".")[0] for name in names}
        assert not roots & {"balance", "numpy", "numba"}, path.name


# ---------------------------------------------------------------- printed facts (section 14)


@pytest.mark.parametrize(
    ("level", "own", "chances"),
    [
        ("advanced", False, {0: "1/6", 1: "1/3", 2: "1/2"}),
        ("basic", False, {0: "1/6", 1: "1/2", 2: "1/3"}),
        ("advanced", True, {0: "1/3", 1: "1/2", 2: "1/6"}),
        ("basic", True, {0: "1/6", 1: "1/2", 2: "1/3"}),
    ],
)
def test_damage_of_a_spell_of_one(level: str, own: bool, chances: dict[int, str]) -> None:
    die = actions.modifiers(rules.read_rules({"level": level}, rules.SIX), own)
    assert {1 + amount: chance for amount, chance in die.items()} == {
        n: Fraction(share) for n, share in chances.items()
    }


@pytest.mark.parametrize(
    ("dice", "free", "caught", "tackled"),
    [(1, "1/2", "1/3", "1/6"), (2, "1/4", "4/9", "11/36"), (3, "1/8", "98/216", "91/216")],
)
def test_dodges(dice: int, free: str, caught: str, tackled: str) -> None:
    got = actions.dodges(rules.read_rules({}, rules.SIX), dice)
    assert got == {"free": Fraction(free), "caught": Fraction(caught), "tackled": Fraction(tackled)}
    assert sum(got.values()) == 1


@pytest.mark.parametrize(
    ("field", "pair", "free", "block"),
    [
        ("fields_west", 3244, 3244, 2826),
        ("fields_north", 3244, 3244, 2826),
        ("grove_west", 3232, 3256, 2884),
        ("grove_north", 3232, 3256, 2884),
    ],
)
def test_pairs_of_cells_with_sight(field: str, pair: int, free: int, block: int) -> None:
    counts = [facts.sighted_pairs(field, corner) for corner in ("pair", "free", "block")]
    assert counts == [pair, free, block]


def inside(a: tuple[int, int], z: tuple[int, int], p: tuple[int, int]) -> Any:
    """Where the segment between two middles runs within cell p: "through", a point of touch, or None."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        start, delta = a[axis] - p[axis], z[axis] - a[axis]
        if delta == 0:
            if abs(start) >= HALF:
                return None
            continue
        ends = sorted([(-HALF - start) / delta, (HALF - start) / delta])
        low, high = max(low, ends[0]), min(high, ends[1])
    if low == high:
        return (a[0] + low * (z[0] - a[0]), a[1] + low * (z[1] - a[1]))
    return "through" if low < high else None


def test_sight_is_the_geometry_of_the_drawn_line() -> None:
    # Two blockers on a 6 x 5 board against clipping in exact fractions.
    cells = [(x, y) for x in range(1, 7) for y in range(1, 6)]
    rng, pairs = random.Random(3), 0
    for _ in range(4000):
        a, z, p = rng.sample(cells, 3)
        diagonal = [(p[0] + dx, p[1] + dy) for dx in (-1, 1) for dy in (-1, 1)]
        near = [q for q in diagonal if q in cells and q not in (a, z)]
        blockers = [p, rng.choice(near or [p])]
        found = [inside(a, z, p) for p in blockers]
        crossed = "through" in found
        touched = [place for place in found if place not in (None, "through")]
        twice = len(touched) == 2 and touched[0] == touched[1] and blockers[0] != blockers[1]
        pairs += twice and not crossed
        blocks = blockers.__contains__
        assert sight(a, z, blocks, "free") == (not crossed)
        assert sight(a, z, blocks, "block") == (not crossed and not touched)
        assert sight(a, z, blocks, "pair") == (not crossed and not twice)
    assert pairs > 20


@pytest.mark.parametrize("name", sorted(naive.BOOK["fields"]))
def test_fields_map_onto_themselves_under_a_half_turn(name: str) -> None:
    rows = naive.BOOK["fields"][name]
    turned = [row[::-1].translate(str.maketrans("ab", "ba")) for row in rows[::-1]]
    assert turned == rows
    text = "".join(rows)
    assert [text.count(mark) for mark in "TBG"] == [4, 4, 8]


def test_random_and_greedy_play_look_as_printed() -> None:
    rng = random.Random(5)
    fields = sorted(naive.BOOK["fields"])
    games = [facts.game(rng, "advanced", fields[i % 4], 2, facts.uniform) for i in range(12)]
    assert 130 < sum(game["decisions"] for game in games) / 12 < 154  # printed: 142
    assert all(game["turn"] == 10 or game["label"] == "ko" for game in games)
    games = [facts.game(rng, "advanced", fields[i % 4], 2, facts.greedy) for i in range(12)]
    assert 0.4 < sum(game["label"] == "ko" for game in games) / 12 < 0.95  # printed: 0.73


# ---------------------------------------------------------------- invariants


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("plain", [True, False], ids=["plain", "wild"])
def test_random_games_keep_the_invariants(plain: bool, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(3):
        invariants.check_game(rng, naive.random_start(rng, plain), every=30)


@pytest.mark.parametrize("seed", range(3))
def test_random_positions_keep_the_invariants(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        pos = naive.random_position(rng)
        invariants.check(pos)
        invariants.check_texts(pos)
        invariants.check_chances(pos)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_games_keep_the_invariants(seed: int) -> None:
    rng = random.Random(seed)
    for i in range(200):
        invariants.check_game(rng, naive.random_start(rng, plain=i % 2 == 0), every=30)


# ---------------------------------------------------------------- symmetry

MIRROR = str.maketrans("ew", "we")
SWAP = str.maketrans("nesw", "enws")


def mirrored(cell: tuple[int, int], width: int) -> tuple[int, int]:
    return (width + 1 - cell[0], cell[1])


def swapped(cell: tuple[int, int], width: int) -> tuple[int, int]:
    return (cell[1], cell[0])


def moved_position(pos: Any, arena: list[str], where: Any) -> Any:
    """The same position on another drawing of its field."""
    move = lambda cell: cell and where(cell, pos.field.width)  # noqa: E731
    new = pos.copy()
    given = pos.frame.given
    new.frame = naive.Frame(given["rules"], given["data"], arena, given["challenges"])
    new.field = new.frame.field
    new.glyphs = {move(cell): seat for cell, seat in pos.glyphs.items()}
    new.tiles = {move(cell): kind for cell, kind in pos.tiles.items()}
    new.fighters = {n: fighter._replace(cell=move(fighter.cell)) for n, fighter in pos.fighters.items()}
    return new


def moved_action(action: str, move: Any, directions: dict[int, int]) -> str:
    words = action.split()
    for i, word in enumerate(words[1:], 1):
        if len(word) == 1 and word in "nesw":
            words[i] = word.translate(directions)
        elif word[0].isalpha() and word[1:].isdigit() and i == len(words) - 1 - (words[-1] in "nesw"):
            cell = move(("abcdefghijklmnopqrstuvwxyz".index(word[0]) + 1, int(word[1:])))
            words[i] = "abcdefghijklmnopqrstuvwxyz"[cell[0] - 1] + str(cell[1])
    return " ".join(words)


@pytest.mark.parametrize("kind", ["mirror", "swap"])
def test_another_drawing_of_the_field_changes_nothing(kind: str) -> None:
    where, directions = {"mirror": (mirrored, MIRROR), "swap": (swapped, SWAP)}[kind]
    rng, done = random.Random(9), 0
    while done < 60:
        pos = naive.random_position(rng)
        rows = pos.field.rows
        arena = [row[::-1] for row in rows]
        if kind == "swap":  # columns and rows change places, counted from the lower left corner
            if pos.field.width > 20 or pos.field.height > 26:
                continue
            arena = ["".join(column) for column in zip(*rows[::-1], strict=True)][::-1]
        done += 1
        other = moved_position(pos, arena, where)
        move = lambda cell, width=pos.field.width: where(cell, width)  # noqa: E731
        actions = {action: moved_action(action, move, directions) for action in naive.legal(pos)}
        assert sorted(actions.values()) == naive.legal(other)
        for action, theirs in actions.items():
            expected: dict[str, Fraction] = {}
            for chance, new in naive.branches(pos, action):
                text = naive.canonical(moved_position(new, arena, where))
                expected[text] = expected.get(text, Fraction(0)) + chance
            assert naive.outcomes(other, theirs) == expected


# ---------------------------------------------------------------- refusals

OBSTACLE = {"A": [{"name": "agate", "cell": "e7"}], "B": [{"name": "oone", "cell": "i6"}]}
WRONG = [
    {"turn": 11},
    {"turn": 0},
    {"turn": True},
    {"to_move": "B"},
    {"phase": "over"},
    {"dofus": "C"},
    {"colour": "blue"},
    {"glyphs": {"c5": "A"}},
    {"tiles": {"c7": "fire"}},
    {"tiles": {"c5": "fog"}},
    {"tiles": {"c05": "fire"}},
    {"tiles": {"a1": "fire", "a2": "fire", "a3": "fire", "a4": "fire", "a5": "fire"}},
    {"favors": {"left": "haste", "right": "haste"}},
    {"favors": {"left": "precision"}},
    {"favors": {"used": ["left"]}},
    {"revealed": "haste"},
    {"phase": "favor"},
    {"unseen": []},
    {"unseen": ["precision", "precision"]},
    {"rules": {"rounds": 8}},
    {"rules": {"die": []}},
    {"rules": {"jokers": 1}},
    {"rules": {"kos_to_win": 3}},
    {"rules": {"level": "basic", "rounds": 6}},
    {"fighters": OBSTACLE},
    {"active": {"casts": {"arrow": 1}}},
    {"active": {"ap": -1}},
    {"active": {"targets": {"arrow": {"c5": 1}}}},
    {"active": {"bonuses": ["iops_wrath"]}},
    {"pending": {"tile": "mud"}},
    {"pending": {"tile": "fire", "left": 0}},
    {"pending": {"left": 1}},
    {"arena": "nowhere"},
    {"arena": ["..", "..", ".."]},
    {"arena": ["...", "..", "..."]},
    {"challenges": ["iops_brawl_for_all", "iops_brawl_for_all"]},
    {"data": {"krosmasters": {"fleeflee": {"mp": 1, "hp": 1, "ap": 1}}}},
    {"data": {"krosmasters": {"agate": {"hp": 0}}}},
    {"data": {"favors": {"iops_wrath": {}}}},
]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_bad_documents_are_refused(wrong: dict[str, Any]) -> None:
    naive.load(a_document())
    with pytest.raises(naive.RuleError):
        naive.load(a_document(**wrong))


WRONG_ROWS = [
    {"target": "none", "effects": [{"do": "injure", "amount": 1}]},
    {"target": "none", "effects": [{"do": "heal", "amount": -1, "who": "caster"}]},
    {"target": "free_cell", "effects": [{"do": "leap"}]},
    {"target": "free_cell", "range": [1, 1], "effects": [{"do": "leap"}, {"do": "leap"}]},
    {"target": "fighter", "range": [2, 1]},
    {"target": "fighter", "range": [1, 1], "effects": [{"do": "flip_glyph"}]},
    {"target": "fighter", "range": [1, 1], "effects": [{"do": "shove"}]},
    {"target": "fighter", "range": [1, 1], "effects": [{"do": "swap", "if": {"bush_adjacent": False}}]},
    {"target": "none", "effects": [{"do": "tile", "kind": "ice"}, {"do": "ignore_los"}]},
    {"target": "none", "effects": [{"do": "tile", "kind": "ice", "count": 0}]},
    {"target": "none", "effects": [{"do": "mp", "amount": 1, "who": "around"}]},
    {"target": "free_cell", "range": [1, 1], "effects": [{"do": "summon", "minion": "agate"}]},
    {"damage": 1, "range": [1, 1], "target": "fighter"},
    {"target": "none", "per_turn": 1},
]


@pytest.mark.parametrize("row", WRONG_ROWS, ids=repr)
def test_bad_rows_are_refused(row: dict[str, Any]) -> None:
    with pytest.raises(naive.RuleError):
        naive.load(a_document(data={"favors": {"gift": row}}))


def test_a_new_card_is_data_only() -> None:
    gift = {"target": "enemy", "range": [1, 9], "effects": [{"do": "injure", "amount": 3}]}
    pos = naive.load(a_document(data={"favors": {"gift": gift}}, favors={"left": "gift"}))
    assert "oone@i6:3:0:0:ready" in naive.canonical(naive.after(pos, "use gift i6"))
    book = {**naive.BOOK, "favors": {**naive.BOOK["favors"], "gift": gift}}
    again = naive.load(a_document(favors={"left": "gift"}), book)
    assert naive.legal(again) == naive.legal(pos)
