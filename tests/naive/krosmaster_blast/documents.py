"""Position documents: reading them, writing them, and reading canonical texts (section 10)."""

from __future__ import annotations

from .actions import next_to_deploy
from .base import cell_name, distinct, listing, mapping, need, read_cell, truth, whole, word
from .position import Fighter, Frame, Position
from .rows import TILES

KEYS = {
    "game", "rules", "data", "arena", "challenges", "phase", "turn", "to_move", "dofus", "glyphs", "tiles",
    "favors", "revealed", "unseen", "fighters", "active", "pending",
}  # fmt: skip
PHASES = ("draft", "deploy", "favor", "play")
SETUP = ("draft", "deploy")
ACTIVE_KEYS = {
    "ap", "mp", "casts", "targets", "last", "next_range", "next_damage", "ignore_los", "bonuses",
}  # fmt: skip

# ---------------------------------------------------------------- reading


FRAMES = {}  # repr of a frame's parts -> the frame; frames are slow to make and never change


def frame_of(doc, book):
    parts = [
        doc.get("rules", {}),
        doc.get("data", {}),
        doc.get("arena", "fields_west"),
        doc.get("challenges", []),
    ]
    key = repr((parts, None if book is None else id(book)))
    if key not in FRAMES:
        if len(FRAMES) > 500:
            FRAMES.clear()
        FRAMES[key] = Frame(*parts, book)
    return FRAMES[key]


def load(doc, book=None):
    """The position of a document; `book` holds other tables than the specification's."""
    doc = mapping(doc, KEYS, "document")
    need(doc.get("game") == "krosmaster_blast", "game")
    pos = Position(frame_of(doc, book))
    pos.phase = word(doc.get("phase", "play"), PHASES, "phase")
    setup = pos.phase in SETUP
    first, last = (0, 0) if setup else (1, pos.frame.last_turn)
    pos.turn = whole(doc.get("turn", first), first, last, "turn")
    pos.dofus = word(doc.get("dofus", pos.rules["dofus_start"]), ("A", "B", "none"), "dofus")
    pos.to_move = "A" if pos.turn % 2 else "B"
    load_cells(pos, doc)
    load_favors(pos, doc)
    load_fighters(pos, doc)
    if setup:
        load_setup(pos, doc)
    else:
        load_active(pos, doc)
    need("to_move" not in doc or doc["to_move"] == pos.to_move, "to_move does not agree")
    return pos


def load_cells(pos, doc):
    for name, seat in mapping(doc.get("glyphs", {}), None, "glyphs").items():
        need(read_cell(name) in pos.field.glyph_cells, "a Glyph Tile beside the Glyph cells")
        pos.glyphs[read_cell(name)] = word(seat, "AB", "seat")
    for name, kind in mapping(doc.get("tiles", {}), None, "tiles").items():
        need(read_cell(name) in pos.field.open - pos.field.glyph_cells, "a tile where none may lie")
        pos.tiles[read_cell(name)] = word(kind, TILES, "tile")
    for kind in TILES:
        need(list(pos.tiles.values()).count(kind) <= pos.rules["tile_limit"], "too many tiles")


def load_favors(pos, doc):
    favors = mapping(doc.get("favors", {}), {"left", "right", "used"}, "favors")
    known = pos.frame.library.favors
    for slot in pos.slots:
        if slot in favors:
            pos.slots[slot] = word(favors[slot], known, slot)
    used = [word(slot, pos.slots, "used") for slot in listing(favors.get("used", []), "used")]
    pos.used = set(distinct(used, "used"))
    need(all(pos.slots[slot] for slot in pos.used), "an empty slot is used")
    need(pos.phase == "play" or not pos.used, "a favor used too early")
    need((pos.phase == "favor") == ("revealed" in doc), "revealed belongs to the phase favor")
    if "revealed" in doc:
        pos.revealed = word(doc["revealed"], known, "revealed")
    visible = [name for name in (*pos.slots.values(), pos.revealed) if name]
    distinct(visible, "visible favors")
    unseen = doc.get("unseen")
    if unseen is None:
        pos.unseen = pos.frame.pool - set(visible)
    else:
        names = [word(name, pos.frame.pool, "unseen") for name in listing(unseen, "unseen")]
        pos.unseen = set(distinct(names, "unseen"))
    need(not pos.unseen & set(visible), "a visible favor is unseen")
    need(len(pos.unseen) >= pos.frame.last_turn - pos.turn, "too few unseen favors")


def load_fighters(pos, doc):
    teams = mapping(doc.get("fighters", {}), "AB", "fighters")
    for seat in "AB":
        for entry in listing(teams.get(seat, []), "fighters"):
            pos.add(read_fighter(pos, seat, entry))
        names = [pos.fighters[n].name for n in pos.krosmasters(seat)]
        distinct(names, "a team")
        need(len(names) <= pos.rules["team_size"], "too many Krosmasters")
        need(pos.phase in SETUP or pos.losses(seat) < pos.frame.kos, "the game is over")
    cells = [fighter.cell for fighter in pos.fighters.values() if fighter.cell]
    distinct(cells, "cells of Fighters")


def read_fighter(pos, seat, entry):
    entry = mapping(entry, {"name", "cell", "injuries", "ap", "mp", "state"}, "Fighter")
    cards = pos.frame.library.krosmasters if pos.phase in SETUP else pos.frame.library.cards
    card = cards[word(entry.get("name"), cards, "Fighter")]
    fighter = Fighter(
        seat,
        card.name,
        read_cell(entry["cell"]) if "cell" in entry else None,
        whole(entry.get("injuries", 0), 0, card.hp - 1, "injuries"),
        whole(entry.get("ap", 0), None, None, "ap"),
        whole(entry.get("mp", 0), None, None, "mp"),
        word(entry.get("state", "ready"), ("ready", "active", "done"), "state"),
    )
    need(fighter.cell is None or fighter.cell in pos.field.open, "a Fighter off the board or on an obstacle")
    need(pos.tiles.get(fighter.cell) != "fog", "a Fighter on fog")
    need(fighter.cell or pos.phase in SETUP, "a Fighter without a cell")
    need(fighter.state == "ready" or (pos.phase == "play" and seat == pos.to_move), "state")
    return fighter


def load_setup(pos, doc):
    size = pos.rules["team_size"]
    need(all(len(pos.field.starts[seat]) >= size for seat in "AB"), "too few start cells")
    for fighter in pos.fighters.values():
        need(fighter == Fighter(fighter.seat, fighter.name, fighter.cell), "not a fresh Krosmaster")
    need(not pos.glyphs and not pos.tiles and not any(pos.slots.values()), "something on the table")
    need("active" not in doc and "pending" not in doc, "nobody is active")
    if pos.phase == "draft":
        load_draft(pos)
        return
    need(all(len(pos.of_seat(seat)) == size for seat in "AB"), "incomplete teams")
    for fighter in pos.fighters.values():
        need(fighter.cell is None or fighter.cell in pos.field.starts[fighter.seat], "not on a start cell")
    first = next_to_deploy(pos)
    need(first is not None, "all are deployed")
    in_order = [pos.fighters[n].cell for seat in "AB" for n in pos.in_order(pos.of_seat(seat))]
    need(not any(in_order[in_order.index(None) :]), "deployed out of order")
    pos.to_move = pos.fighters[first].seat


def load_draft(pos):
    order, roster = pos.frame.draft_order(), pos.rules["roster"]
    names = distinct([fighter.name for fighter in pos.fighters.values()], "picks")
    need(len(roster) >= len(order), "the roster is too small")
    need(set(names) <= set(roster), "a pick off the roster")
    need(all(fighter.cell is None for fighter in pos.fighters.values()), "a cell in the draft")
    need(len(names) < len(order), "nothing left to pick")
    for seat in "AB":
        need(len(pos.of_seat(seat)) == order[: len(names)].count(seat), "picked out of order")
    pos.to_move = order[len(names)]


def load_active(pos, doc):
    active = [n for n, fighter in pos.fighters.items() if fighter.state == "active"]
    need(len(active) <= 1, "two active Fighters")
    need(active or ("active" not in doc and "pending" not in doc), "nobody is active")
    if not active:
        return
    waiting = any(pos.fighters[n].state == "ready" for n in pos.krosmasters(pos.to_move))
    need(not (waiting and pos.is_minion(pos.fighters[active[0]])), "a minion before a Krosmaster")
    pos.activate(active[0])
    load_activation(pos, mapping(doc.get("active", {}), ACTIVE_KEYS, "active"))
    if "pending" in doc:
        load_pending(pos, mapping(doc["pending"], {"tile", "left", "lifted"}, "pending"))


def load_activation(pos, given):
    act, spells = pos.act, pos.card(pos.fighters[pos.active]).spells
    for key in ("ap", "mp", "next_range", "next_damage"):
        if key in given:
            setattr(act, key, whole(given[key], 0, None, key))
    act.ignore_los = truth(given.get("ignore_los", False), "ignore_los")
    for spell, n in mapping(given.get("casts", {}), spells, "casts").items():
        need(spells[spell].per_turn, "casts of a spell without that limit")
        act.casts[spell] = whole(n, 1, None, "casts")
    for spell, counts in mapping(given.get("targets", {}), spells, "targets").items():
        need(spells[spell].per_target, "targets of a spell without that limit")
        for cell, n in mapping(counts, None, "targets").items():
            act.targets[spell, who_is_at(pos, cell)] = whole(n, 1, None, "targets")
    for spell, entry in mapping(given.get("last", {}), spells, "last").items():
        need(spells[spell].max_run, "last of a spell without that limit")
        need(len(listing(entry, "last")) == 2, "last is no pair")
        act.last[spell] = (who_is_at(pos, entry[0]), whole(entry[1], 1, None, "run"))
    names = [word(name, pos.frame.bonuses, "bonus") for name in listing(given.get("bonuses", []), "bonuses")]
    act.bonuses = set(distinct(names, "bonuses"))


def who_is_at(pos, name):
    number = pos.at(read_cell(name))
    need(number is not None, "nobody stands there")
    return number


def load_pending(pos, given):
    kind = word(given.get("tile"), TILES, "tile")
    lifted = truth(given.get("lifted", False), "lifted")
    full = list(pos.tiles.values()).count(kind) >= pos.rules["tile_limit"]
    need(not (lifted and full), "lifted, and still as many tiles as there may be")
    pos.pending = (kind, whole(given.get("left", 1), 1, None, "left"), lifted)


# ---------------------------------------------------------------- writing


def document(pos):
    need(pos.phase != "over", "a game that is over has no document")
    doc = {"game": "krosmaster_blast", **pos.frame.given, "phase": pos.phase, "turn": pos.turn}
    doc |= {"to_move": pos.to_move, "dofus": pos.dofus}
    doc["glyphs"] = {cell_name(cell): seat for cell, seat in sorted(pos.glyphs.items())}
    doc["tiles"] = {cell_name(cell): kind for cell, kind in sorted(pos.tiles.items())}
    doc["favors"] = {slot: name for slot, name in pos.slots.items() if name}
    doc["favors"]["used"] = sorted(pos.used)
    if pos.revealed:
        doc["revealed"] = pos.revealed
    doc["unseen"] = sorted(pos.unseen) if pos.turn < pos.frame.last_turn else []
    doc["fighters"] = {
        seat: [fighter_entry(pos.fighters[n]) for n in pos.in_order(pos.of_seat(seat))] for seat in "AB"
    }
    if pos.act:
        doc["active"] = activation_entry(pos)
    if pos.pending:
        doc["pending"] = dict(zip(("tile", "left", "lifted"), pos.pending))
    return doc


def fighter_entry(fighter):
    entry = {"name": fighter.name}
    if fighter.cell:
        entry["cell"] = cell_name(fighter.cell)
    entry |= {key: getattr(fighter, key) for key in ("injuries", "ap", "mp") if getattr(fighter, key)}
    if fighter.state != "ready":
        entry["state"] = fighter.state
    return entry


def activation_entry(pos):
    act = pos.act
    entry = {"ap": act.ap, "mp": act.mp, "casts": dict(act.casts), "targets": {}, "last": {}}
    for (spell, number), n in act.targets.items():
        entry["targets"].setdefault(spell, {})[cell_name(pos.fighters[number].cell)] = n
    for spell, (number, run) in act.last.items():
        entry["last"][spell] = [cell_name(pos.fighters[number].cell), run]
    entry |= {"next_range": act.next_range, "next_damage": act.next_damage, "ignore_los": act.ignore_los}
    entry["bonuses"] = sorted(act.bonuses)
    return entry


# ---------------------------------------------------------------- canonical texts


def document_of_text(text, frame):
    """The document that a canonical text speaks of, under a frame; by the text alone."""
    head, *parts = text.split(" ")
    need(head == "krosmaster_blast" and len(parts) == 12, "not a text of a running game")
    value = dict(part.split("=", 1) for part in parts)
    several = lambda key, mark: [] if value[key] == "-" else value[key].split(mark)
    doc = {"game": head, **frame.given, "phase": value["phase"], "turn": int(value["turn"])}
    doc["dofus"] = value["dofus"].replace("-", "none")
    doc |= {key: dict(entry.split(":") for entry in several(key, ",")) for key in ("glyphs", "tiles")}
    slots = dict(zip(("left", "right"), value["favors"].split(",")))
    doc["favors"] = {slot: name.rstrip("*") for slot, name in slots.items() if name != "-"}
    doc["favors"]["used"] = [slot for slot, name in slots.items() if name.endswith("*")]
    if value["revealed"] != "-":
        doc["revealed"] = value["revealed"]
    doc["unseen"] = several("unseen", ",")
    doc["fighters"] = {seat: [fighter_of_text(entry) for entry in several(seat, ",")] for seat in "AB"}
    if value["act"] != "-":
        doc["active"] = activation_of_text(value["act"])
    if value["pend"] != "-":
        kind, left, lifted = value["pend"].split(":")
        doc["pending"] = {"tile": kind, "left": int(left), "lifted": lifted == "1"}
    return doc


def fighter_of_text(text):
    name, rest = text.split("@")
    cell, injuries, ap, mp, state = rest.split(":")
    entry = {"name": name, "injuries": int(injuries), "ap": int(ap), "mp": int(mp), "state": state}
    return entry if cell == "?" else {**entry, "cell": cell}


def activation_of_text(text):
    ap, mp, memory, boosts, bonuses = text.split(":")
    doc = {"ap": int(ap), "mp": int(mp), "casts": {}, "targets": {}, "last": {}}
    for entry in memory.split(";") if memory != "-" else []:
        if "*" in entry:
            spell, cell, run = entry.replace("*", ">").split(">")
            doc["last"][spell] = [cell, int(run)]
        elif ">" in entry:
            place, n = entry.split("=")
            spell, cell = place.split(">")
            doc["targets"].setdefault(spell, {})[cell] = int(n)
        else:
            spell, n = entry.split("=")
            doc["casts"][spell] = int(n)
    doc["next_range"], rest = boosts[1:].split("d")
    doc["next_damage"], sighted = rest.split("s")
    doc |= {key: int(doc[key]) for key in ("next_range", "next_damage")}
    doc["ignore_los"] = sighted == "1"
    doc["bonuses"] = bonuses.split(";") if bonuses != "-" else []
    return doc


def position_of_text(text, frame):
    return load(document_of_text(text, frame), frame.book)
