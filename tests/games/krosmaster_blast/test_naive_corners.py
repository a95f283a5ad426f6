"""Corners of the rules that no handed case reaches, as the slow reference engine answers them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.naive import krosmaster_blast as naive


def spell(**row: Any) -> dict[str, Any]:
    """A surveyor with one spell."""
    card = {"mp": 2, "hp": 5, "ap": 3, "spells": {"probe": row}}
    return {"krosmasters": {"surveyor": card}}


def table(data: dict[str, Any], own: str, enemy: str, **parts: Any) -> Any:
    """Turn 9 on the west field, the surveyor active; Fighters as `name cell injuries`."""
    teams = {}
    for seat, text in (("A", own), ("B", enemy)):
        words = [entry.split() for entry in text.split(", ")]
        teams[seat] = [{"name": name, "cell": cell, "injuries": int(hurt)} for name, cell, hurt in words]
    for entry in teams["A"]:
        entry["state"] = "active" if entry["name"] == "surveyor" else "ready"
    document = {"game": "krosmaster_blast", "turn": 9, "unseen": ["precision"], "data": data}
    return naive.load(document | {"fighters": teams} | parts)


FAR = "oone i6 0, ronimo i3 0"


def part(pos: Any, name: str) -> str:
    """One field of the canonical text."""
    return dict(word.split("=", 1) for word in naive.canonical(pos).split()[1:])[name]


@pytest.mark.parametrize("verb", [{"do": "shove", "amount": 2}, {"do": "swap"}])
def test_moving_oneself_does_nothing(verb: dict[str, Any]) -> None:
    row = spell(target="ally", range=[0, 1], effects=[verb])
    pos = table(row, "surveyor c5 0, mender b8 0", FAR)
    assert [action for action in naive.legal(pos) if action.startswith("cast")] == ["cast probe c5"]
    assert part(naive.after(pos, "cast probe c5"), "A") == part(pos, "A")


def test_a_swap_is_finished_though_its_caster_burns() -> None:
    row = spell(target="fighter", range=[1, 2], effects=[{"do": "swap"}, {"do": "injure", "amount": 9}])
    pos = table(
        row,
        "surveyor c5 4, mender b8 0",
        "oone b5 0, ronimo i3 0",
        tiles={"b5": "fire"},
        rules={"kos_to_win": 2},
    )
    after = naive.after(pos, "cast probe b5")
    assert (part(after, "A"), part(after, "B")) == (
        "mender@b8:0:0:0:ready",
        "oone@c5:0:0:0:ready,ronimo@i3:0:0:0:ready",
    )
    assert part(after, "act") == "-"


@pytest.mark.parametrize(("double", "winner"), [("draw", "-"), ("active_wins", "A"), ("active_loses", "B")])
def test_both_seats_fall_in_one_effect(double: str, winner: str) -> None:
    row = spell(effects=[{"do": "injure", "amount": 2, "who": "around", "dist": [1, 3]}])
    own, enemy = "surveyor c5 0, mender c4 11", "oone b5 11, ronimo i3 0"
    pos = table(row, own, enemy, rules={"double_ko": double})
    text = naive.canonical(naive.after(pos, "cast probe"))
    assert text == f"krosmaster_blast over winner={winner} by=double_ko"


def test_one_effect_after_the_other_is_no_double_ko() -> None:
    effects = [
        {"do": "injure", "amount": 2, "who": "own_krosmasters"},
        {"do": "injure", "amount": 2, "who": "enemy_krosmasters"},
    ]
    pos = table(spell(effects=effects), "surveyor c5 0, mender c4 11", "oone b5 11, ronimo i3 0")
    assert naive.canonical(naive.after(pos, "cast probe")) == "krosmaster_blast over winner=B by=ko"


def test_friendly_fire_off_spares_own_fighters_from_harm_only() -> None:
    harm = spell(target="fighter", range=[1, 2], effects=[{"do": "injure", "amount": 1, "if": {"glyphs": 3}}])
    push = spell(target="fighter", range=[1, 2], effects=[{"do": "shove", "amount": 1}])
    rules = {"friendly_fire": False}
    own, enemy = "surveyor c5 0, mender c4 0", "oone b5 0, ronimo i3 0"
    casts = [action for action in naive.legal(table(harm, own, enemy, rules=rules)) if "cast" in action]
    assert casts == ["cast probe b5"]
    casts = [action for action in naive.legal(table(push, own, enemy, rules=rules)) if "cast" in action]
    assert casts == ["cast probe b5", "cast probe c4"]


def test_memory_about_the_dead_is_dropped_and_follows_the_living() -> None:
    row = spell(target="fighter", range=[1, 2], damage=1, per_turn=3, per_target=2, max_run=2)
    pos = table(row, "surveyor c5 0, mender c4 0", "oone b5 0, ronimo i3 0, black_tiwabbit d5 1")
    texts = naive.outcomes(pos, "cast probe d5")
    memories = {text.split("act=")[1].split(":")[2]: chance for text, chance in texts.items()}
    assert memories == {
        "probe=1;probe>d5*1;probe>d5=1": Fraction(1, 6),  # the shield
        "probe=1": Fraction(5, 6),
    }


def test_a_negative_run_bonus_leaves_no_target() -> None:
    row = spell(target="fighter", range=[1, 2], max_run=1)
    row["krosmasters"]["surveyor"]["powers"] = {"dizzy": {"run_bonus": {"spell": "probe", "amount": -1}}}
    pos = table(row, "surveyor c5 0, mender c4 0", "oone b5 0, ronimo i3 0")
    assert not [action for action in naive.legal(pos) if action.startswith("cast")]


def test_an_enemy_captures_when_moved_if_the_rules_say_always() -> None:
    row = spell(target="fighter", range=[1, 2], effects=[{"do": "shove", "amount": 1}])
    row["krosmasters"]["ronimo"] = {"powers": {"territorial": {"on_capture_mp": 2}}}
    own, enemy = "surveyor c5 0, mender b8 0", "ronimo c4 0, oone i6 0"
    pos = table(row, own, enemy, rules={"capture_forced": "always"}, dofus="A")
    after = naive.after(pos, "cast probe c4")
    assert part(after, "glyphs") == "c3:B" and part(after, "dofus") == "B"
    assert part(after, "B").startswith("oone@i6:0:0:0:ready,ronimo@c3:0:0:2:ready")
    after = naive.after(table(row, own, enemy, dofus="none"), "cast probe c4")
    assert part(after, "glyphs") == "-" and part(after, "dofus") == "-"


def test_entry_takes_the_dofus_without_a_capture() -> None:
    row = spell(target="free_cell", range=[1, 3], effects=[{"do": "leap"}])
    pos = table(row, "surveyor c5 0, mender b8 0", FAR, glyphs={"c3": "A"}, rules={"dofus_on": "entry"})
    assert part(naive.after(pos, "cast probe c3"), "dofus") == "A"


def test_a_spell_may_boost_the_next_one() -> None:
    effects = [{"do": "next_range", "amount": 2}, {"do": "ignore_los"}]
    pos = table(spell(effects=effects), "surveyor c5 0, mender b8 0", FAR, active={"next_damage": 1})
    once = naive.after(pos, "cast probe")
    assert part(once, "act") == "2:2:-:r2d1s1:-"  # no damage: the boost of damage waits
    assert part(naive.after(once, "cast probe"), "act") == "1:2:-:r2d1s1:-"


def test_a_lifted_tile_must_come_back_if_it_can() -> None:
    tiles = dict.fromkeys(("a1", "b1", "c1", "d1"), "ice")
    own = "surveyor c5 0, mender b8 0"
    pos = table(spell(), own, FAR, tiles=tiles, pending={"tile": "ice", "left": 1})
    lifted = naive.after(pos, "lift b1")
    assert "skip" not in naive.legal(lifted) and "place b1" in naive.legal(lifted)
    assert part(naive.after(lifted, "place b1"), "pend") == "-"
    near = table(spell(), own, FAR, tiles=tiles, pending={"tile": "ice", "left": 2}, rules={"tile_reach": 1})
    assert naive.legal(naive.after(near, "lift b1")) == ["place b5", "place c4"]


def test_a_played_minion_that_is_summoned_for_the_next_turn_waits() -> None:
    row = spell(
        target="free_cell", range=[1, 1], effects=[{"do": "summon", "minion": "fleeflee", "limit": 1}]
    )
    pos = table(row, "surveyor c5 0", FAR, rules={"summon_acts": "next_turn", "kos_to_win": 2})
    pos = naive.after(naive.after(pos, "cast probe b5"), "done")
    assert part(pos, "A") == "surveyor@c5:0:0:0:done,fleeflee@b5:0:0:0:done"
    assert naive.legal(pos) == ["end"]


def test_null_leaves_the_tables_alone() -> None:
    plain = {"game": "krosmaster_blast", "fighters": {"A": [{"name": "agate", "cell": "c5"}]}}
    plain["fighters"]["B"] = [{"name": "oone", "cell": "i6"}]
    plain["rules"] = {"kos_to_win": 2}
    data = {"krosmasters": None, "favors": {"haste": None, "bolt": {"effects": None}}}
    assert naive.canonical(naive.load(plain | {"data": data})) == naive.canonical(naive.load(plain))
