"""Random parameters, fields and card rows: the frame of a random position.

Everything here is valid by itself; parts may still not fit together (a deck larger than its pool), then
loading refuses the document and another one is drawn.
"""

from __future__ import annotations

from .position import BOOK
from .rows import TILES
from .rules import FACES, PARAMETERS, SIX

# ---------------------------------------------------------------- parameters


def random_rules(rng):
    """Overrides: mostly none, sometimes a few, seldom many."""
    share = rng.choices((0, 0.06, 0.25, 0.6), (45, 30, 18, 7))[0]
    rules = {name: random_value(rng, name) for name in PARAMETERS if rng.random() < share}
    rules["level"] = rng.choice(("basic", "advanced"))
    if rng.random() < 0.25:
        rules["team_size"] = 3
    if rng.random() < 0.9:
        rules.pop("roster", None)
    if rng.random() < 0.7:
        rules.pop("rounds", None)
    if rng.random() < 0.15:
        rules["double_ko"] = random_value(rng, "double_ko")
    return rules


def random_value(rng, name):
    _, allowed = PARAMETERS[name]
    if allowed is bool:
        return rng.random() < 0.5
    if allowed == "faces":
        return [rng.choice(FACES) for _ in range(rng.choice((1, 2, 3, 6, 6, 6, 20)))]
    if allowed == "names":
        return rng.sample(SIX, rng.randint(4, 6))
    if type(allowed) is list:
        return rng.sample(allowed, rng.randint(0, len(allowed)))
    if type(allowed[0]) is int:
        return rng.randint(*allowed)
    return rng.choice(allowed)


# ---------------------------------------------------------------- fields


def random_arena(rng):
    if rng.random() < 0.65:
        name = rng.choice(sorted(BOOK["fields"]))
        return name if rng.random() < 0.8 else list(BOOK["fields"][name])
    small = rng.random() < 0.8
    columns = rng.randint(3, 8) if small else rng.randint(3, 26)
    rows = rng.randint(3, 7) if small else rng.randint(3, 20)
    weights = rng.choice(((8, 1, 1, 1, 1, 1), (20, 1, 1, 4, 1, 1), (4, 2, 2, 2, 1, 1), (9, 3, 0, 0, 1, 1)))
    if not small:
        weights = (100, 4, 4, 5, 3, 3)
    return ["".join(rng.choices(".TBGab", weights, k=columns)) for _ in range(rows)]


# ---------------------------------------------------------------- card rows

BY_TARGET = {  # verbs that go with every target, and those of one kind of target only
    "any": ("ap", "mp", "heal", "injure", "next_range", "next_damage", "ignore_los"),
    "fighter": ("bonus", "bonus", "shove", "shove", "swap", "ap", "mp", "injure", "heal"),
    "free_cell": ("leap", "leap", "summon", "summon"),
    "enemy_glyph": ("flip_glyph", "flip_glyph"),
}


def random_row(rng, kind, minions):
    target = rng.choices(
        ("none", "fighter", "enemy", "ally", "free_cell", "enemy_glyph"), (2, 6, 3, 2, 3, 1)
    )[0]
    row = {"target": target} if target != "none" or rng.random() < 0.5 else {}
    fighters = target in ("fighter", "enemy", "ally")
    if target != "none":
        low = rng.choice((0, 0, 0, 1) if target == "ally" else (0, 1, 1, 1, 2, 3))
        row["range"] = [low, low + rng.choice((0, 1, 2, 3, 5))]
        if rng.random() < 0.3:
            row["los"] = rng.random() < 0.5
    if kind == "spell" and fighters and rng.random() < 0.6:
        row["damage"] = rng.choice((1, 1, 2, 3))
    row["effects"] = random_effects(rng, "fighter" if fighters else target, minions)
    if row.get("damage", 0) == 0 and rng.random() < 0.12:
        row["effects"].append({"do": "tile", "kind": rng.choice(TILES)})
        if rng.random() < 0.4:
            row["effects"][-1]["count"] = rng.randint(1, 3)
    if kind == "spell":
        limits = {"per_turn": 0.3, "per_target": 0.25 * fighters, "max_run": 0.25 * fighters}
        row |= {key: rng.randint(1, 2) for key, share in limits.items() if rng.random() < share}
    if kind == "favor" and rng.random() < 0.3:
        row["superior"] = True
    if kind == "bonus" and rng.random() < 0.7:
        row["glyphs"] = rng.randint(0, 3)
    return row


def random_effects(rng, target, minions):
    effects, moved = [], False
    for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3))):
        verbs = BY_TARGET.get(target, ()) + BY_TARGET["any"][: 4 if rng.random() < 0.7 else 7]
        verb = rng.choice(verbs if verbs else BY_TARGET["any"])
        if verb in ("leap", "summon"):
            if moved:
                continue
            moved = True
        effects.append(random_effect(rng, verb, target, minions))
    return effects


def random_effect(rng, verb, target, minions):
    effect = {"do": verb}
    if verb in ("ap", "mp"):
        effect["amount"] = rng.choice((-3, -2, -1, -1, 1, 1, 2))
    elif verb in ("bonus", "heal", "injure", "shove", "next_range", "next_damage"):
        effect["amount"] = rng.choice((0, 1, 1, 2, 2, 3))
    if verb in ("ap", "mp", "heal", "injure"):
        words = ["caster", "around", "enemy_krosmasters", "own_krosmasters"]
        effect["who"] = rng.choice(words + ["target"] * 4 * (target == "fighter"))
        if effect["who"] == "around":
            low = rng.choice((0, 1, 1, 2))
            effect["dist"] = [low, low + rng.randint(0, 2)]
        if effect["who"] == "target" and rng.random() < 0.5:
            del effect["who"]
    if verb == "summon":
        effect["minion"] = rng.choice(minions)
        if rng.random() < 0.8:
            effect["limit"] = rng.choice((1, 1, 2))
    if rng.random() < 0.25:
        effect["if"] = {"glyphs": rng.randint(0, 3)} if rng.random() < 0.6 or target != "fighter" else {}
        if target == "fighter" and rng.random() < 0.6:
            effect["if"][rng.choice(("ally_adjacent", "bush_adjacent"))] = True
    return effect


def random_passive(rng, spells, of_challenge):
    passive = {"glyphs": rng.randint(0, 3)} if rng.random() < 0.7 else {}
    if of_challenge or rng.random() < 0.5:
        passive["of"] = rng.choice(("krosmasters", "all") if of_challenge else ("self", "krosmasters", "all"))
    what = rng.choice(("damage", "max_range", "on_capture_mp", "run_bonus"))
    # A capture never takes MP here: adding up before or after the floor of 0 would differ (notes, 6).
    passive[what] = rng.choice((1, 1, 2) if what == "on_capture_mp" else (1, 1, 2, -1))
    if what == "run_bonus":
        passive[what] = {"spell": rng.choice(spells), "amount": rng.choice((1, 1, 2))}
    return passive


def random_card(rng, name, minion, minions):
    hp = rng.randint(1, 5) if minion else rng.randint(6, 18)
    card = {"mp": rng.randint(0, 4), "hp": hp, "ap": rng.randint(0, 3)}
    spells = [f"{name}_spell_{i}" for i in range(rng.randint(0, 1) if minion else rng.randint(1, 3))]
    if spells:
        card["spells"] = {spell: random_row(rng, "spell", minions) for spell in spells}
    if rng.random() < 0.4:
        card["powers"] = {f"{name}_power": random_passive(rng, spells or ["catroulette"], False)}
    return card


def random_data(rng):
    """Sections of new rows and changes of shipped ones; mostly nothing."""
    if rng.random() < 0.5:
        return {}
    minions = list(BOOK["minions"])
    data = {}
    if rng.random() < 0.5:
        data["minions"] = {"imp": random_card(rng, "imp", True, minions)}
        minions.append("imp")
    new = [name for name in ("surveyor", "tinker") if rng.random() < 0.7]
    data["krosmasters"] = {name: random_card(rng, name, False, minions) for name in new}
    if rng.random() < 0.2:
        data["krosmasters"][rng.choice(SIX)] = {"hp": rng.randint(5, 15), "mp": rng.randint(0, 4)}
    if rng.random() < 0.5:
        names = rng.sample(("gift", "boon", "omen"), rng.randint(1, 3))
        data["favors"] = {name: random_row(rng, "favor", minions) for name in names}
    if rng.random() < 0.5:
        spell = rng.choice(("catroulette", "pressure"))
        data["challenges"] = {
            "trial": {
                "passive": {
                    f"trial_{i}": random_passive(rng, [spell], True) for i in range(rng.randint(0, 2))
                },
                "active": {f"feat_{i}": random_row(rng, "bonus", minions) for i in range(rng.randint(0, 2))},
            }
        }
    return data
