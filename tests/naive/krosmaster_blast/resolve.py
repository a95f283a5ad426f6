"""Moving onto cells, effects, KOs and the end of a game (sections 5, 6 and 8)."""

from __future__ import annotations

from .base import distance, other, step
from .position import Fighter, neighbours

# ---------------------------------------------------------------- the end


def finish(pos, winner, label):
    pos.phase, pos.winner, pos.label = "over", winner, label


def check_end(pos):
    """The end by KO; several KOs before one check are simultaneous (KB25)."""
    lost = {seat: pos.losses(seat) >= pos.frame.kos for seat in "AB"}
    if lost["A"] and lost["B"]:
        double = pos.rules["double_ko"]
        winners = {"draw": None, "active_wins": pos.to_move, "active_loses": other(pos.to_move)}
        finish(pos, winners[double], "double_ko")
    elif lost["A"] or lost["B"]:
        finish(pos, "B" if lost["A"] else "A", "ko")


def count_glyphs(pos):
    """The end after the last turn (KB27)."""
    a, b = pos.glyph_count("A"), pos.glyph_count("B")
    finish(pos, None if a == b else "A" if a > b else "B", "glyphs")


# ---------------------------------------------------------------- injuries and cells


def injure(pos, number, amount):
    fighter = pos.fighters[number]
    pos.change(number, injuries=fighter.injuries + amount)
    if fighter.injuries + amount >= pos.card(fighter).hp:
        take_off(pos, number)


def take_off(pos, number):
    """KO: the Fighter leaves, its Glyph Tiles and minions stay (KB7, KB53)."""
    del pos.fighters[number]
    if number == pos.active:
        pos.active = pos.act = None
    elif pos.act:
        pos.act.forget(number)


def enter(pos, number, cell, direction):
    """A Fighter comes onto a cell; `direction` of travel, None when it does not slide."""
    pos.change(number, cell=cell)
    fighter = pos.fighters[number]
    own_turn = fighter.seat == pos.to_move or pos.rules["capture_forced"] == "always"  # KB6
    if cell in pos.field.glyph_cells and own_turn and not pos.is_minion(fighter):
        capture(pos, number, cell)
    tile = pos.tiles.get(cell)
    if tile == "fire":
        injure(pos, number, pos.rules["fire_damage"])
    elif tile == "fog":
        del pos.tiles[cell]
    elif tile == "ice" and direction:
        following = step(cell, direction)
        if pos.free(following):  # KB30
            enter(pos, number, following, direction)


def capture(pos, number, cell):
    seat = pos.fighters[number].seat
    if pos.glyphs.get(cell) == seat:
        if pos.rules["dofus_on"] == "entry":  # KB5
            take_dofus(pos, seat)
        return
    before = pos.glyph_count(seat)  # KB55
    pos.glyphs[cell] = seat
    take_dofus(pos, seat)
    pos.marker(number, "mp", pos.passive_sum(number, "on_capture_mp", before))  # KB65


def take_dofus(pos, seat):
    if pos.turn > pos.rules["dofus_lock_turns"]:  # KB3
        pos.dofus = seat


# ---------------------------------------------------------------- effects


def conditions_hold(pos, effect, caster, target):
    """Conditions are asked once, before the first effect (KB60)."""
    who = pos.fighters
    for key, value in effect.conditions.items():
        if key == "glyphs":
            good = pos.glyph_count(who[caster].seat) >= value
        elif key == "ally_adjacent":
            good = any(
                who[n].seat == who[caster].seat and distance(who[n].cell, who[target].cell) == 1
                for n in who
                if n not in (caster, target)
            )
        else:
            good = any(cell in pos.field.bushes for cell in neighbours(who[target].cell))
        if not good:
            return False
    return True


def resolve(pos, row, caster, cell, direction):
    """All effects of a row in order; gives what its `bonus` effects add to the damage.

    `cell` is the target cell or None, `direction` the way of a shove.
    """
    target = pos.at(cell) if row.target in ("fighter", "enemy", "ally") else None
    holding = [conditions_hold(pos, effect, caster, target) for effect in row.effects]
    bonus = 0
    for effect, holds in zip(row.effects, holding):
        if pos.phase == "over" or caster not in pos.fighters:
            break  # KB71
        if not holds:
            continue
        if effect.do == "bonus":
            bonus += effect.amount
        else:
            EFFECTS[effect.do](pos, effect, caster, target, cell, direction)
        check_end(pos)
    return bonus


def receivers(pos, effect, caster, target):
    here = pos.fighters[caster]
    if effect.who == "caster":
        return [caster]
    if effect.who == "target":
        return [target] if target in pos.fighters else []
    if effect.who == "around":  # KB66
        low, high = effect.dist
        others = [n for n in pos.fighters if n != caster]
        return [n for n in others if low <= distance(here.cell, pos.fighters[n].cell) <= high]
    if effect.who == "own_krosmasters":
        return pos.krosmasters(here.seat)
    return pos.krosmasters(other(here.seat))


def do_marker(pos, effect, caster, target, cell, direction):
    for number in receivers(pos, effect, caster, target):
        pos.marker(number, effect.do, effect.amount)


def do_heal(pos, effect, caster, target, cell, direction):
    for number in receivers(pos, effect, caster, target):
        pos.change(number, injuries=max(0, pos.fighters[number].injuries - effect.amount))


def do_injure(pos, effect, caster, target, cell, direction):
    for number in receivers(pos, effect, caster, target):
        injure(pos, number, effect.amount)


def do_shove(pos, effect, caster, target, cell, direction):
    """Cell by cell (KB69)."""
    if target == caster:
        return
    for _ in range(effect.amount):
        if target not in pos.fighters:
            return
        following = step(pos.fighters[target].cell, direction)
        if not pos.free(following):
            return
        enter(pos, target, following, direction)


def do_leap(pos, effect, caster, target, cell, direction):
    start = pos.fighters[caster].cell
    near = distance(start, cell) == 1  # KB67
    enter(pos, caster, cell, (cell[0] - start[0], cell[1] - start[1]) if near else None)


def do_swap(pos, effect, caster, target, cell, direction):
    if target == caster or target not in pos.fighters:
        return
    here, there = pos.fighters[caster].cell, pos.fighters[target].cell
    pos.change(caster, cell=there)
    pos.change(target, cell=here)
    enter(pos, caster, there, None)  # KB54
    enter(pos, target, here, None)


def do_summon(pos, effect, caster, target, cell, direction):
    state = "ready" if pos.rules["summon_acts"] == "same_turn" else "done"  # KB34
    number = pos.add(Fighter(pos.fighters[caster].seat, effect.minion, cell, state=state))
    enter(pos, number, cell, None)  # KB62


def do_tile(pos, effect, caster, target, cell, direction):
    count = pos.rules["tiles_per_favor"] if effect.count is None else effect.count
    pos.pending = (effect.kind, count, False)


def do_flip_glyph(pos, effect, caster, target, cell, direction):
    pos.glyphs[cell] = pos.fighters[caster].seat  # KB70


def do_boost(pos, effect, caster, target, cell, direction):
    setattr(pos.act, effect.do, getattr(pos.act, effect.do) + effect.amount)


def do_ignore_los(pos, effect, caster, target, cell, direction):
    pos.act.ignore_los = True


EFFECTS = {
    "ap": do_marker,
    "mp": do_marker,
    "heal": do_heal,
    "injure": do_injure,
    "shove": do_shove,
    "leap": do_leap,
    "swap": do_swap,
    "summon": do_summon,
    "tile": do_tile,
    "flip_glyph": do_flip_glyph,
    "next_range": do_boost,
    "next_damage": do_boost,
    "ignore_los": do_ignore_los,
}
