"""The greedy agent's view of a position, written from section 15 of the rules specification alone.

Slow and exact (fractions); stands on the slow engine and knows nothing of the kernels.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.naive import jump_masters as naive

HILL_OURS, HILL_THEIRS = Fraction(6, 10), Fraction(-3, 10)
ENERGY, WAY, EXPOSED, THREAT = Fraction(1, 4), Fraction(-1, 20), Fraction(-6, 10), Fraction(15, 100)


def value(pos: Any, side: str) -> Fraction:
    """What a position is worth to a side."""
    if pos.phase == "over":
        return Fraction(0 if pos.winner is None else 1000 if pos.winner == side else -1000)
    others = [other for other in pos.sides if other != side]
    total = Fraction(pos.vp[side] - max(pos.vp[other] for other in others))
    total += hill(pos, side)
    for hero in pos.on_board():
        if pos.side_of[hero.seat] == side:
            total += ENERGY * hero.energy
            total += WAY * min(naive.distance(hero.node, node) for node in pos.arena.hill)
            if any(removes(pos, hunter, hero) for hunter in pos.on_board()):
                total += EXPOSED * pos.maximum(hero)
        else:
            total -= ENERGY * hero.energy / len(others)
            if any(removes(pos, ours, hero) for ours in pos.on_board() if pos.side_of[ours.seat] == side):
                total += THREAT * pos.maximum(hero)
    return total


def hill(pos: Any, side: str) -> Fraction:
    """Who would get the Hill VP were its turn to begin now."""
    team = pos.rules["team_hill"] == "team"
    sums: dict[str, int] = {}
    for hero in pos.on_board():
        if hero.node in pos.arena.hill:
            unit = pos.side_of[hero.seat] if team else hero.seat
            sums[unit] = sums.get(unit, 0) + hero.energy
    top = [unit for unit, energy in sums.items() if energy == max(sums.values())]
    if len(top) != 1:
        return Fraction(0)
    owner = top[0] if team else pos.side_of[top[0]]
    return HILL_OURS if owner == side else HILL_THEIRS


def removes(pos: Any, hunter: Any, prey: Any) -> bool:
    """Whether `hunter` could remove `prey`, and live, by one plain jump from where it stands."""
    if pos.friends(hunter, prey) or naive.distance(hunter.node, prey.node) != 1:
        return False
    if pos.sheltered(hunter) or pos.sheltered(prey):
        return False
    landing = tuple(2 * there - here for here, there in zip(hunter.node, prey.node, strict=True))
    if not naive.may_enter(pos, hunter.seat, landing, hunter.node) or pos.hero_at(landing) is not None:
        return False
    if landing in pos.zone_owner and not pos.rules["end_in_zone"]:
        return False
    energy = hunter.energy
    if pos.has_ability(hunter, "parena") and energy < pos.maximum(hunter):
        energy += pos.rules["windstorm_gain"]
    return energy > prey.energy


def best_ends(pos: Any) -> set[str]:
    """Canonical texts of the ends of this turn that are worth most to the side to move."""
    side = pos.side_of[pos.to_move]
    worth = {naive.canonical(end): value(end, side) for end in naive.turn_end_positions(pos)}
    return {text for text, points in worth.items() if points == max(worth.values())}
