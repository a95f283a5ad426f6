"""The same throw for both engines: every action draws once at most, one of equally many faces or favors."""

from __future__ import annotations

from typing import Any

from balance.games import get_game
from balance.games.position import Position
from balance.study import oracle, scripted
from tests.naive.krosmaster_blast.actions import branches, dodges, modifiers

NOTATION = get_game("krosmaster_blast").part("notation")
WORST_FIRST = ("tackled", "caught", "free")


def throws(slow: Any, action: str) -> int:
    """How many equally likely throws an action has, by the slow engine's position."""
    verb, faces = action.split()[0], len(slow.rules["die"])
    if verb == "move":
        return faces ** zone_dice(slow)
    if verb == "cast":
        spell = slow.card(slow.fighters[slow.active]).spells[action.split()[1]]
        return faces if spell.damage else 1
    deployed = verb == "deploy" and [f.cell for f in slow.fighters.values()].count(None) == 1
    if deployed or (verb == "end" and slow.turn < slow.frame.last_turn):
        return len(slow.unseen)
    return 1


def zone_dice(slow: Any) -> int:
    """Dice of a step of the active Fighter (KB39)."""
    fighter = slow.fighters[slow.active]
    zones = slow.zones_around(fighter.cell, fighter.seat) if slow.rules["tackle_zones"] else 0
    return min(zones, slow.rules["dodge_dice_cap"])


def faces_of(slow: Any, throw: int, dice: int) -> list[str]:
    """The faces of one throw; the order of the dice does not matter."""
    die = slow.rules["die"]
    return [die[throw // len(die) ** place % len(die)] for place in range(dice)]


def dodge_of(slow: Any, faces: list[str]) -> str:
    """What a dodge with these faces comes to."""
    results = [next(iter(dodges({**slow.rules, "die": [face]}, 1))) for face in faces]
    return next(result for result in WORST_FIRST if result in results)


def modifier_of(slow: Any, face: str, own_target: bool) -> int:
    """What a face adds to the damage."""
    return next(iter(modifiers({**slow.rules, "die": [face]}, own_target)))


def slow_after(slow: Any, action: str, throw: int) -> Any:
    """The slow engine's position after an action and its throw: a die of one face leaves nothing open."""
    found = branches(with_die(slow, shown_face(slow, action, throw)), action)
    result = found[throw if len(found) > 1 else 0][1]
    result.rules = slow.rules
    return result


def shown_face(slow: Any, action: str, throw: int) -> str | None:
    """The one face that stands for a throw, None for actions without dice."""
    verb = action.split()[0]
    if verb == "cast" and throws(slow, action) > 1:
        return faces_of(slow, throw, 1)[0]
    if verb == "move" and zone_dice(slow):
        faces = faces_of(slow, throw, zone_dice(slow))
        result = dodge_of(slow, faces)
        return next(face for face in faces if dodge_of(slow, [face]) == result)
    return None


def with_die(slow: Any, face: str | None) -> Any:
    """The same position with a die that shows one face only."""
    if face is None:
        return slow
    new = slow.copy()
    new.rules = {**slow.rules, "die": [face]}
    return new


def fast_after(fast: Position, action: str, throw: int, bound: int) -> Position:
    """The compiled engine's position after the same action and throw."""
    packed = NOTATION.parse_action(fast.state, fast.tables, action)
    return oracle.play(fast, packed, scripted.scripted(throw, bound))
