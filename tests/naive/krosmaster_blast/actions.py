"""What may be done, and what comes of it (sections 3, 4, 5 and 7).

Legal actions are a dict from text to (function, arguments...).  The function gets a fresh copy of the
position and gives all that may come of it as a list of (probability, position).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from .base import DIRECTIONS, RuleError, cell_name, distance, other, sign, step
from .position import Fighter, canonical
from .resolve import check_end, count_glyphs, enter, injure, resolve

SURE = Fraction(1)


def actions_of(pos):
    if pos._actions is None:
        pos._actions = {} if pos.phase == "over" else STATES[state_of(pos)](pos)
    return pos._actions


def state_of(pos):
    if pos.phase != "play":
        return pos.phase
    if pos.pending:
        return "tiles"
    return "idle" if pos.active is None else "active"


# ---------------------------------------------------------------- which actions there are


def draft_actions(pos):
    taken = {fighter.name for fighter in pos.fighters.values()}
    return {f"pick {name}": (do_pick, name) for name in pos.rules["roster"] if name not in taken}


def next_to_deploy(pos):
    for seat in "AB":  # KB49, KB74
        for number in pos.in_order(pos.of_seat(seat)):
            if pos.fighters[number].cell is None:
                return number
    return None


def deploy_actions(pos):
    number = next_to_deploy(pos)
    fighter = pos.fighters[number]
    free = [cell for cell in pos.field.starts[fighter.seat] if pos.free(cell)]
    return {f"deploy {fighter.name} {cell_name(cell)}": (do_deploy, number, cell) for cell in free}


def favor_actions(pos):
    return {f"favor {slot}": (do_favor, slot) for slot in pos.slots}


def idle_actions(pos):
    ready = [n for n in pos.of_seat(pos.to_move) if pos.fighters[n].state == "ready"]
    krosmasters = [n for n in ready if not pos.is_minion(pos.fighters[n])]
    actions = {}
    for number in krosmasters or ready:  # KB58
        fighter = pos.fighters[number]
        actions[f"activate {fighter.name} {cell_name(fighter.cell)}"] = (do_activate, number)
    if not krosmasters:
        actions["end"] = (do_end,)
    return actions


def active_actions(pos):
    fighter = pos.fighters[pos.active]
    actions = {"done": (do_done,)}
    for direction in DIRECTIONS.values():
        cell = step(fighter.cell, direction)
        if pos.act.mp >= pos.rules["move_mp"] and pos.free(cell):
            actions[f"move {cell_name(cell)}"] = (do_move, cell, direction)
    for spell in pos.card(fighter).spells.values():
        if pos.act.ap >= pos.rules["spell_ap"] and spell_available(pos, spell):
            high = spell.high + pos.passive_sum(pos.active, "max_range") + pos.act.next_range  # KB46
            los = spell.los and not pos.act.ignore_los
            for aim in aims(pos, spell, high, los):
                if spell_allows(pos, spell, aim[0]):
                    actions[text_of("cast", spell, aim)] = (do_cast, spell, *aim)
    if not pos.is_minion(fighter):
        for row, cost, do in usable_rows(pos):
            if pos.act.ap >= cost:
                for aim in aims(pos, row, row.high, row.los):
                    actions[text_of("use", row, aim)] = (do, row, cost, *aim)
    return actions


def usable_rows(pos):
    """Favors and active bonuses that this Krosmaster may still use: (row, cost in AP, function)."""
    rules, rows = pos.rules, []
    favor_cost = rules["favor_ap_dofus" if pos.dofus == pos.to_move else "favor_ap"]  # KB10
    for slot, name in pos.slots.items():
        if name and slot not in pos.used:  # KB11
            rows.append((pos.frame.library.favors[name], favor_cost, do_use_favor))
    for name, row in pos.frame.bonuses.items():
        if name not in pos.act.bonuses and pos.glyph_count(pos.to_move) >= row.glyphs:  # KB47
            rows.append((row, rules["bonus_ap"], do_use_bonus))
    return rows


def spell_available(pos, spell):
    return spell.per_turn == 0 or pos.act.casts.get(spell.name, 0) < spell.per_turn


def spell_allows(pos, spell, cell):
    """Limits about the target."""
    if spell.per_target and pos.act.targets.get((spell.name, pos.at(cell)), 0) >= spell.per_target:
        return False
    if spell.max_run:  # KB37
        last, run = pos.act.last.get(spell.name, (None, 0))
        run = run + 1 if last == pos.at(cell) else 1
        return run <= pos.run_limit(pos.active, spell)
    return True


def aims(pos, row, high, los):
    """All (cell, way of the shove, direction word) that the row may be aimed at; None = has none."""
    for effect in row.effects:
        if effect.do == "summon" and effect.limit:  # KB35
            minions = [n for n in pos.of_seat(pos.to_move) if pos.fighters[n].name == effect.minion]
            if len(minions) >= effect.limit:
                return []
    if row.target == "none":
        return [(None, None, None)]
    here, found = pos.fighters[pos.active].cell, []
    for cell in pos.field.cells:
        in_range = row.low <= distance(here, cell) <= high  # KB15
        if in_range and right_kind(pos, row, cell) and (not los or pos.sees(here, cell)):
            found += [(cell, way, said) for way, said in shove_ways(row, here, cell)]
    return found


def right_kind(pos, row, cell):
    if row.target == "free_cell":
        return pos.free(cell)
    if row.target == "enemy_glyph":
        return cell in pos.glyphs and pos.glyphs[cell] != pos.to_move
    number = pos.at(cell)
    if number is None:
        return False
    own = pos.fighters[number].seat == pos.to_move
    if row.target == "fighter":
        harms = row.damage > 0 or any(e.do == "injure" and e.who == "target" for e in row.effects)
        spared = own and harms and not pos.rules["friendly_fire"]  # KB18
        return number != pos.active and not spared
    return own if row.target == "ally" else not own


def shove_ways(row, here, cell):
    """(direction of the shove, word to be said) for every way away from the caster (KB28)."""
    dx, dy = cell[0] - here[0], cell[1] - here[1]
    if not row.has("shove") or (dx, dy) == (0, 0):
        return [(None, None)]
    across, along = (sign(dx), 0), (0, sign(dy))
    if abs(dx) != abs(dy):
        return [(across if abs(dx) > abs(dy) else along, None)]
    return [(way, name) for name, way in DIRECTIONS.items() if way in (across, along)]


def text_of(verb, row, aim):
    cell, _, said = aim
    words = [verb, row.name] + ([cell_name(cell)] if cell else []) + ([said] if said else [])
    return " ".join(words)


def tile_actions(pos):
    kind, _, lifted = pos.pending
    places = tile_places(pos, kind)
    actions = {f"place {cell_name(cell)}": (do_place, cell) for cell in places}
    if list(pos.tiles.values()).count(kind) >= pos.rules["tile_limit"]:
        lying = [cell for cell, other_kind in pos.tiles.items() if other_kind == kind]
        actions |= {f"lift {cell_name(cell)}": (do_lift, cell) for cell in lying}
    if not (lifted and places):  # KB61
        actions["skip"] = (do_skip,)
    return actions


def tile_places(pos, kind):
    if list(pos.tiles.values()).count(kind) >= pos.rules["tile_limit"]:
        return []
    here, reach = pos.fighters[pos.active].cell, pos.rules["tile_reach"]
    return [
        cell
        for cell in pos.field.open - pos.field.glyph_cells
        if cell not in pos.tiles and pos.free(cell) and (reach == 0 or distance(here, cell) <= reach)  # KB33
    ]


STATES = {
    "draft": draft_actions,
    "deploy": deploy_actions,
    "favor": favor_actions,
    "idle": idle_actions,
    "active": active_actions,
    "tiles": tile_actions,
}


# ---------------------------------------------------------------- doing them


def do_pick(pos, name):
    pos.add(Fighter(pos.to_move, name, None))
    order = pos.frame.draft_order()
    if len(pos.fighters) == len(order):
        pos.phase, pos.to_move = "deploy", "A"
    else:
        pos.to_move = order[len(pos.fighters)]
    return [(SURE, pos)]


def do_deploy(pos, number, cell):
    pos.change(number, cell=cell)
    following = next_to_deploy(pos)
    if following is None:
        pos.turn, pos.to_move = 1, "A"
        return drawn(pos)
    pos.to_move = pos.fighters[following].seat
    return [(SURE, pos)]


def drawn(pos):
    """The start of a turn: one of the favors not yet seen, all equally likely (KB68)."""
    found = []
    for name in sorted(pos.unseen):
        new = pos.copy()
        new.phase, new.revealed = "favor", name
        new.unseen.remove(name)
        found.append((Fraction(1, len(pos.unseen)), new))
    return found


def do_favor(pos, slot):
    pos.slots[slot], pos.revealed, pos.phase = pos.revealed, None, "play"  # KB9
    return [(SURE, pos)]


def do_activate(pos, number):
    pos.activate(number)
    return [(SURE, pos)]


def do_done(pos):
    pos.change(pos.active, state="done")
    pos.active = pos.act = None
    return [(SURE, pos)]


def do_end(pos):
    for number in pos.of_seat(pos.to_move):
        if pos.fighters[number].state == "ready":
            pos.change(number, ap=0, mp=0)  # KB52
        pos.change(number, state="ready")
    pos.used = set()
    if pos.turn == pos.frame.last_turn:
        count_glyphs(pos)
        return [(SURE, pos)]
    pos.turn, pos.to_move = pos.turn + 1, other(pos.to_move)
    return drawn(pos)


def do_move(pos, cell, direction):
    fighter = pos.fighters[pos.active]
    dice = 0
    if pos.rules["tackle_zones"]:
        dice = min(pos.zones_around(fighter.cell, fighter.seat), pos.rules["dodge_dice_cap"])  # KB39
    found = []
    for result, chance in dodges(pos.rules, dice).items():
        new = pos.copy()
        if result == "free":
            new.act.mp -= pos.rules["move_mp"]
            enter(new, new.active, cell, direction)
            check_end(new)
        else:
            new.act.mp = 0
            new.act.ap = 0 if result == "tackled" else new.act.ap  # KB42
        found.append((chance, new))
    return found


def dodges(rules, dice):
    """What a dodge with so many dice comes to: result -> probability."""
    faces = {
        "burst": "caught",
        "shield": "caught",
        "boot": "free",
        "magnet": "tackled",
        "dofus": "free" if rules["jokers"] else "caught",  # KB43
        "burst_boot": "free",
    }
    die = Counter(faces[face] for face in rules["die"])
    chances = Counter()
    for roll in product(die, repeat=dice):
        result = "tackled" if "tackled" in roll else "caught" if "caught" in roll else "free"
        chance = SURE
        for face in roll:
            chance *= Fraction(die[face], len(rules["die"]))
        chances[result] += chance
    return chances


def modifiers(rules, own_target):
    """What the combat die adds to the damage: amount -> probability (KB64)."""
    crit, block = rules["crit_bonus"], -rules["shield_block"]
    if not rules["jokers"]:
        joker, joint = 0, crit
    elif own_target:
        joker, joint = block, 0
    else:
        joker, joint = crit, crit
    faces = {"burst": crit, "shield": block, "boot": 0, "magnet": 0, "dofus": joker, "burst_boot": joint}
    die = Counter(faces[face] for face in rules["die"])
    return {amount: Fraction(n, len(rules["die"])) for amount, n in die.items()}


def do_cast(pos, spell, cell, direction, _said):
    caster, act = pos.active, pos.act
    act.ap -= pos.rules["spell_ap"]
    damage = spell.damage + pos.passive_sum(caster, "damage") + act.next_damage
    target = None if cell is None else pos.at(cell)
    record_cast(act, spell, target)
    act.next_range, act.ignore_los = 0, False  # KB59
    if spell.damage:
        act.next_damage = 0
    damage += resolve(pos, spell, caster, cell, direction)
    who = pos.fighters
    if not spell.damage or pos.phase == "over" or caster not in who or target not in who:
        return [(SURE, pos)]  # KB21, KB71
    found = []
    for modifier, chance in modifiers(pos.rules, who[target].seat == who[caster].seat).items():
        new = pos.copy()
        injure(new, target, max(0, damage + modifier))  # KB22
        check_end(new)
        found.append((chance, new))
    return found


def record_cast(act, spell, target):
    if spell.per_turn:
        act.casts[spell.name] = act.casts.get(spell.name, 0) + 1
    if spell.per_target:
        key = (spell.name, target)
        act.targets[key] = act.targets.get(key, 0) + 1
    if spell.max_run:
        last, run = act.last.get(spell.name, (None, 0))
        act.last[spell.name] = (target, run + 1 if last == target else 1)


def do_use_favor(pos, row, cost, cell, direction, _said):
    pos.act.ap -= cost
    pos.used |= {slot for slot, name in pos.slots.items() if name == row.name}
    resolve(pos, row, pos.active, cell, direction)
    return [(SURE, pos)]


def do_use_bonus(pos, row, cost, cell, direction, _said):
    pos.act.ap -= cost
    pos.act.bonuses.add(row.name)
    resolve(pos, row, pos.active, cell, direction)
    return [(SURE, pos)]


def do_place(pos, cell):
    kind, left, _ = pos.pending
    pos.tiles[cell] = kind
    pos.pending = (kind, left - 1, False) if left > 1 else None
    return [(SURE, pos)]


def do_lift(pos, cell):
    kind, left, _ = pos.pending
    del pos.tiles[cell]
    pos.pending = (kind, left, True)
    return [(SURE, pos)]


def do_skip(pos):
    pos.pending = None
    return [(SURE, pos)]


# ---------------------------------------------------------------- questions


def legal(pos):
    return sorted(actions_of(pos))


def branches(pos, action):
    """All that may come of an action: (probability, position); equal texts are not joined."""
    actions = actions_of(pos)
    if not isinstance(action, str) or action not in actions:
        raise RuleError(f"illegal: {action}")
    do, *arguments = actions[action]
    return do(pos.copy(), *arguments)


def outcomes(pos, action):
    """text -> exact probability, sorted by text."""
    chances = Counter()
    for chance, new in branches(pos, action):
        chances[canonical(new)] += chance
    return dict(sorted(chances.items()))


def after(pos, action):
    """The position after an action that has one outcome."""
    found = branches(pos, action)
    if len({canonical(new) for _, new in found}) != 1:
        raise RuleError(f"{action} has several outcomes")
    return found[0][1]


def play(pos, action, rng):
    """The position after an action, dice and draw by `rng`."""
    found = branches(pos, action)
    return rng.choices([new for _, new in found], [chance for chance, _ in found])[0]
