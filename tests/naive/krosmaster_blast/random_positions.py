"""Random valid positions, drawn as documents or met in random play."""

from __future__ import annotations

from .actions import legal, play
from .base import RuleError, cell_name, distance, need
from .documents import frame_of, load
from .position import BOOK
from .random_cards import random_arena, random_data, random_rules
from .rows import TILES
from .start import start


def random_position(rng):
    """A random valid position that is not over."""
    while True:
        try:
            return load(random_document(rng))
        except RuleError:
            continue


def random_document(rng):
    """A document, mostly a valid one; RuleError where the field drawn is too small for one."""
    return random_document_within(rng, random_frame(rng))


def random_frame(rng):
    """The parts of a document that never change within a game."""
    doc = {"game": "krosmaster_blast", "rules": random_rules(rng), "data": random_data(rng)}
    doc["arena"] = random_arena(rng)
    challenges = sorted({**BOOK["challenges"], **doc["data"].get("challenges", {})})
    number = min(len(challenges), rng.choice((0, 0, 1, 1, 1, 2, 3)))
    doc["challenges"] = rng.sample(challenges, number)
    return doc


def random_document_within(rng, parts):
    """A document with these rules, cards, field and challenges; RuleError as above."""
    doc = dict(parts)
    try:
        frame = frame_of(doc, None)
    except RuleError:
        return doc  # loading will refuse it too
    doc["phase"] = rng.choices(("draft", "deploy", "favor", "play"), (4, 5, 9, 82))[0]
    if doc["phase"] == "draft":
        random_draft(rng, doc, frame)
    elif doc["phase"] == "deploy":
        random_deployment(rng, doc, frame)
    else:
        random_middle(rng, doc, frame)
    return doc


def random_draft(rng, doc, frame):
    order = frame.draft_order()
    order = order[: rng.randrange(len(order))]
    names = rng.sample(frame.rules["roster"], len(order))
    teams = {"A": [], "B": []}
    for seat, name in zip(order, names):
        teams[seat].append({"name": name})
    doc["fighters"] = teams


def random_team(rng, frame, size):
    """Names of a team; new cards are wanted most."""
    known = sorted(frame.library.krosmasters)
    new = [name for name in known if name not in BOOK["krosmasters"]]
    return rng.sample(sorted({*rng.sample(known, size), *new}), size)


def random_deployment(rng, doc, frame):
    size = frame.rules["team_size"]
    teams = {seat: sorted(random_team(rng, frame, size)) for seat in "AB"}
    deployed = rng.randrange(2 * size)
    doc["fighters"] = {}
    for seat in "AB":
        cells = rng.sample(sorted(frame.field.starts[seat]), min(size, len(frame.field.starts[seat])))
        entries = [{"name": name} for name in teams[seat]]
        for entry, cell in list(zip(entries, cells))[: max(0, deployed)]:
            entry["cell"] = cell_name(cell)
        deployed -= size
        doc["fighters"][seat] = entries


# ---------------------------------------------------------------- the middle of a game


def random_middle(rng, doc, frame):
    last = frame.last_turn
    doc["turn"] = rng.choice((1, 2, last, last)) if rng.random() < 0.3 else rng.randint(1, last)
    doc["dofus"] = rng.choice(("A", "B", "A", "B", "none"))
    share = rng.choice((0.1, 0.4, 0.7, 1))
    doc["glyphs"] = {
        cell_name(cell): rng.choice("AB") for cell in sorted(frame.field.glyph_cells) if rng.random() < share
    }
    hurt = rng.choice((0.1, 0.4, 0.9))
    if rng.random() < 0.2:  # everybody can fall at once, and every bonus can be used
        hurt = 1
        doc["glyphs"] = dict.fromkeys(map(cell_name, frame.field.glyph_cells), "BA"[doc["turn"] % 2])
    random_favors(rng, doc, frame)
    crowd = random_crowd(rng, frame, hurt)
    random_tiles(rng, doc, frame, crowd)
    doc["fighters"] = {seat: [entry for s, entry in crowd if s == seat] for seat in "AB"}
    if doc["phase"] == "play":
        random_states(rng, doc, frame)


def random_favors(rng, doc, frame):
    names = rng.sample(sorted(frame.library.favors), 3)
    if frame.pool and rng.random() < 0.5:
        names = rng.sample(sorted(frame.pool), min(3, len(frame.pool)))
    favors = {slot: name for slot, name in zip(("left", "right"), names) if rng.random() < 0.8}
    if doc["phase"] == "favor":
        doc["revealed"] = names[-1]
    else:
        favors["used"] = [slot for slot in ("left", "right") if slot in favors and rng.random() < 0.2]
    doc["favors"] = favors
    visible = {*favors.values()} if "used" not in favors else {favors.get("left"), favors.get("right")}
    unseen = sorted(frame.pool - visible - {doc.get("revealed")})
    needed = max(0, frame.last_turn - doc["turn"])
    if rng.random() < 0.8 and needed <= len(unseen):
        doc["unseen"] = rng.sample(unseen, rng.randint(needed, len(unseen)) if rng.random() < 0.5 else needed)


def random_crowd(rng, frame, hurt):
    """(seat, entry) of all Fighters, most of them close together and often badly hurt."""
    size, cells = frame.rules["team_size"], sorted(frame.field.open)
    need(len(cells) >= 4 * size, "no room")
    centre, reach = rng.choice(cells), rng.choice((2, 2, 3, 3, 4, 6, 50))
    crowd, taken = [], set()
    for seat in "AB":
        count = size if rng.random() < 0.8 else rng.randint(size - frame.kos + 1, size)
        names = random_team(rng, frame, count)
        minions = sorted(frame.library.minions)
        names += [rng.choice(minions) for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3)))]
        for name in names:
            free = [cell for cell in cells if cell not in taken]
            near = [cell for cell in free if distance(cell, centre) <= reach]
            if not free:
                continue
            cell = rng.choice(near or free)
            taken.add(cell)
            entry = {"name": name, "cell": cell_name(cell)}
            hp = frame.library.cards[name].hp
            if rng.random() < hurt:
                dying = hurt == 1 or rng.random() < 0.7
                left = rng.randint(1, 2 if hurt == 1 else 4)
                entry["injuries"] = hp - min(hp, left) if dying else rng.randrange(hp)
            for points in ("ap", "mp"):
                if rng.random() < 0.15:
                    entry[points] = rng.choice((-2, -1, -1, 1, 1, 2))
            crowd.append((seat, entry))
    rng.shuffle(crowd)
    return crowd


def random_tiles(rng, doc, frame, crowd):
    taken = {entry["cell"] for _, entry in crowd}
    most = rng.choice((0, 0, 3, 6, 12, 30))
    cells = sorted(frame.field.open - frame.field.glyph_cells)
    doc["tiles"], lying = {}, dict.fromkeys(TILES, 0)
    for cell in rng.sample(cells, min(most, len(cells))):
        kind = rng.choice(TILES)
        fits = lying[kind] < frame.rules["tile_limit"]
        if fits and not (kind == "fog" and cell_name(cell) in taken):
            doc["tiles"][cell_name(cell)] = kind
            lying[kind] += 1


def random_states(rng, doc, frame):
    """Who is ready, active and done; memory and pending tiles of the active Fighter."""
    seat = "A" if doc["turn"] % 2 else "B"
    own = doc["fighters"][seat]
    minions = [entry for entry in own if entry["name"] in frame.library.minions]
    krosmasters = [entry for entry in own if entry not in minions]
    for entry in own:
        if rng.random() < 0.35:
            entry["state"] = "done"
    kind = rng.choices(("krosmaster", "minion", "nobody"), (66, 14, 20))[0]
    if not krosmasters or kind == "nobody" or (kind == "minion" and not minions):
        for entry in krosmasters:
            if rng.random() < 0.4:
                entry["state"] = "done"
        return
    active = rng.choice(krosmasters if kind == "krosmaster" else minions)
    if kind == "minion":
        for entry in krosmasters:
            entry["state"] = "done"
    active["state"] = "active"
    if rng.random() < 0.85:
        doc["active"] = random_activation(rng, doc, frame, active)
    if rng.random() < 0.15:
        doc["pending"] = {"tile": rng.choice(TILES), "left": rng.randint(1, 3)}
        full = list(doc["tiles"].values()).count(doc["pending"]["tile"]) >= frame.rules["tile_limit"]
        if not full and rng.random() < 0.3:
            doc["pending"]["lifted"] = True


def random_activation(rng, doc, frame, entry):
    card = frame.library.cards[entry["name"]]
    active = {key: rng.choice((0, 1, 1, 2, 2, 3)) for key in ("ap", "mp") if rng.random() < 0.8}
    for key in ("next_range", "next_damage"):
        if rng.random() < 0.15:
            active[key] = rng.randint(1, 2)
    if rng.random() < 0.15:
        active["ignore_los"] = True
    cells = [one["cell"] for seat in "AB" for one in doc["fighters"][seat]]
    active |= {"casts": {}, "targets": {}, "last": {}}
    for name, spell in card.spells.items():
        if spell.per_turn and rng.random() < 0.4:
            active["casts"][name] = rng.randint(1, 2)
        if spell.per_target and rng.random() < 0.5:
            some = rng.sample(cells, min(len(cells), rng.randint(1, 2)))
            active["targets"][name] = {cell: rng.randint(1, 2) for cell in some}
        if spell.max_run and rng.random() < 0.6:
            active["last"][name] = [rng.choice(cells), rng.randint(1, 2)]
    if not card.minion:
        active["bonuses"] = [name for name in frame.bonuses if rng.random() < 0.2]
    return active


# ---------------------------------------------------------------- random play


def random_start(rng, plain=False):
    """A game's first position: random frame and teams; `plain` leaves rules and cards as printed."""
    while True:
        rules = {"level": rng.choice(("basic", "advanced")), "team_size": rng.choice((2, 2, 3))}
        arena, data = rng.choice(sorted(BOOK["fields"])), {}
        if not plain:
            rules, arena, data = random_rules(rng), random_arena(rng), random_data(rng)
        try:
            if data and rng.random() < 0.8:
                frame = frame_of({"rules": rules, "data": data, "arena": arena}, None)
                teams = {seat: random_team(rng, frame, frame.rules["team_size"]) for seat in "AB"}
            else:
                teams = rng.choice(("random", "draft"))
            return start(arena, rules, teams, rng, data=data)
        except RuleError:
            continue


def random_playout_positions(rng, n, plain=False):
    """n positions met by uniformly random play, game after game; none of them over."""
    given = 0
    while given < n:
        pos, decisions = random_start(rng, plain), 0
        while pos.phase != "over" and given < n and decisions < 2000:
            yield pos
            given, decisions = given + 1, decisions + 1
            pos = play(pos, rng.choice(legal(pos)), rng)
