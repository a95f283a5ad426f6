"""Records and action packing of Krosmaster: Blast. Sections are those of our rules specification."""

from __future__ import annotations

import numpy as np

from balance.games.krosmaster_blast.parameters import WEIGHTS
from balance.kernel.contract import HEADER, SETUP_HEADER
from balance.kernel.jit import kernel, typed

PLAYERS = 2  # seats of the game; seat 0 is A
TEAM = 3  # most Krosmasters of a seat
ROOM = 20  # fighter slots of a seat: Krosmasters first, then minions; slot // ROOM is the seat
SLOTS = PLAYERS * ROOM
WIDTH, HEIGHT = 26, 20  # largest board
CELLS = WIDTH * HEIGHT
TURNS = 14  # most turns of a game
CHOSEN = 3  # most divine challenges in one game
EVENTS = 40  # most things that one ply can do
FIGURES = 64  # most Krosmasters and minions that a ruleset knows
SPELLS = 16  # most spells of one of them
FAVORS = 64
BONUSES = 64  # most active bonuses
CHALLENGES = 64
ROWS = 512  # most spells, favors and active bonuses together
EFFECTS = 1024
PASSIVES = 256
AIMED = 16  # most (spell, target) pairs that an activation remembers
FACES = 20


FIGHTER = np.dtype(
    [
        ("figure", "i4"),  # index into tables.figure, NONE for an empty slot
        ("cell", "i4"),  # where it stands, NONE off the board
        ("injuries", "i4"),
        ("ap", "i4"),  # sum of the AP markers on its card, AP
        ("mp", "i4"),  # sum of the MP markers on its card, MP
        ("stage", "i4"),  # Stage
    ]
)

AIM = np.dtype([("spell", "i4"), ("target", "i4"), ("casts", "i4")])
EVENT = np.dtype([("what", "i4"), ("who", "i4"), ("whom", "i4"), ("amount", "i4"), ("cell", "i4")])

STATE = np.dtype(
    [
        *HEADER,
        ("draft", "i4"),  # Draft
        ("winner", "i4"),  # seat, NONE for nobody or not yet
        ("challenge", "i4", (CHOSEN,)),  # divine challenges of this game, NONE beyond
        ("dofus", "i4"),  # seat that holds the Dofus, NONE for nobody
        ("glyphs", "i4", (PLAYERS,)),  # Glyph cells that carry the seat's tile
        ("favor", "i4", (2,)),  # face-up favors left and right, NONE for an empty slot
        ("used", "i4", (2,)),  # 1 once the seat to move has used it this turn (KB11)
        ("revealed", "i4"),  # favor to be put left or right, else NONE
        ("unseen", "u8"),  # favors that may still be revealed, as a set; empty from the last turn on
        ("count", "i4", (PLAYERS,)),  # Krosmasters of each seat (picks so far in the draft)
        ("top", "i4", (PLAYERS,)),  # slots of each seat in use: a Fighter's place is below it
        ("lost", "i4", (PLAYERS,)),  # Krosmasters knocked out
        ("active", "i4"),  # slot of the active Fighter, NONE
        ("ap", "i4"),  # AP of the active Fighter
        ("mp", "i4"),  # MP of the active Fighter
        ("next_range", "i4"),  # boosts of its next spell
        ("next_damage", "i4"),
        ("ignore_los", "i4"),
        ("bonuses", "u8"),  # active bonuses used in this activation, as a set
        ("casts", "i4", (SPELLS,)),  # casts of spells with per_turn
        ("last", "i4", (SPELLS,)),  # slot of the last target of spells with max_run, NONE
        ("run", "i4", (SPELLS,)),  # how often in a row
        ("aimed", "i4"),  # entries of `aim`
        ("aim", AIM, (AIMED,)),  # casts of spells with per_target
        ("pending", "i4"),  # Tile that is being placed, BARE for none
        ("pending_left", "i4"),
        ("lifted", "i4"),  # 1 when a place is due
        ("lying", "i4", (4,)),  # tiles of each kind on the board
        # Small numbers: a state is copied by every search, and the compiler's time grows with its size.
        ("at", "i2", (CELLS,)),  # slot of the Fighter on a cell, NONE
        ("owner", "i1", (CELLS,)),  # seat whose Glyph Tile lies there, NONE
        ("tile", "i1", (CELLS,)),  # Tile
        ("fighter", FIGHTER, (SLOTS,)),
        ("events", "i4"),  # entries of `event` that the last ply made
        ("event", EVENT, (EVENTS,)),
    ]
)

FIGURE = np.dtype(
    [
        ("mp", "i4"),  # MP of the card
        ("hp", "i4"),  # HP
        ("ap", "i4"),  # AP
        ("minion", "i4"),
        ("first_spell", "i4"),  # its spells are rows first_spell .. first_spell + spells - 1
        ("spells", "i4"),
        ("first_passive", "i4"),
        ("passives", "i4"),
        ("measured", "i4"),  # place among the minions of the metrics
        ("tag", "u8"),  # bits of its actions for restrictions
    ]
)

ROW = np.dtype(
    [
        ("name", "i4"),  # number of its name: equal for equal names
        ("target", "i4"),  # Target
        ("low", "i4"),  # shortest range, cells
        ("high", "i4"),  # longest range, cells
        ("los", "i4"),  # 1: needs a line of sight
        ("damage", "i4"),
        ("per_turn", "i4"),  # 0: no limit
        ("per_target", "i4"),
        ("max_run", "i4"),
        ("glyphs", "i4"),  # Glyph cells that an active bonus needs
        ("number", "i4"),  # of a favor or of an active bonus
        ("shoves", "i4"),  # 1: has a shove, so a direction may have to be named
        ("harms", "i4"),  # 1: has damage or injures its target
        ("summons", "i4"),  # figure that it summons, NONE
        ("limit", "i4"),  # most living minions of that name, 0 for no limit
        ("first_effect", "i4"),
        ("effects", "i4"),
        ("measured", "i4"),  # place among the favors of the metrics
        ("tag", "u8"),
    ]
)

EFFECT = np.dtype(
    [
        ("verb", "i4"),  # Verb
        ("amount", "i4"),  # or the figure of a summon, the Tile of a tile
        ("who", "i4"),  # Who
        ("low", "i4"),  # nearest of AROUND, cells
        ("high", "i4"),  # farthest
        ("tiles", "i4"),  # tiles to place
        ("if_glyphs", "i4"),  # Glyph cells that the seat must control, 0 for no condition
        ("if_ally", "i4"),  # 1: an own Fighter beside the target
        ("if_bush", "i4"),  # 1: a bush beside the target
    ]
)

PASSIVE = np.dtype(
    [
        ("glyphs", "i4"),  # Glyph cells needed
        ("whom", "i4"),  # Of
        ("damage", "i4"),
        ("max_range", "i4"),
        ("on_capture_mp", "i4"),
        ("run_name", "i4"),  # name of the spell of a run bonus, NONE
        ("run_amount", "i4"),
    ]
)

CHALLENGE = np.dtype(
    [
        ("first_passive", "i4"),
        ("passives", "i4"),
        ("first_bonus", "i4"),  # its active bonuses are rows first_bonus .. first_bonus + bonuses - 1
        ("bonuses", "i4"),
        ("measured", "i4"),
    ]
)

PARAMETERS = [
    "tackle_zones",
    "jokers",
    "challenge_count",
    "team_size",
    "alternate",  # 1: draft_order is alternate
    "turns",  # 2 x rounds
    "kos",  # Krosmasters that must be knocked out
    "double_ko",  # Double
    "crit_bonus",
    "shield_block",
    "dodge_dice_cap",
    "spell_ap",
    "favor_ap",
    "favor_ap_dofus",
    "bonus_ap",
    "move_mp",
    "fire_damage",
    "tile_limit",
    "tile_reach",
    "dofus_start",  # seat or NONE
    "dofus_lock_turns",
    "dofus_entry",  # 1: dofus_on is entry
    "capture_always",  # 1: capture_forced is always
    "friendly_fire",
    "los_corner",  # Corner
    "fighter_blocks",  # 1: Fighters block lines of sight
    "fog_blocks",
    "tree_blocks",
    "bush_blocks",
    "summon_waits",  # 1: summon_acts is next_turn
    "action_cap",
]

TABLES = np.dtype(
    [
        ("weights", [(name, "f8") for name in WEIGHTS]),  # of the evaluation
        ("book", "i8"),  # key of the names of all cards, see books
        ("seats", "i4"),
        *[(name, "i4") for name in PARAMETERS],
        ("faces", "i4"),  # faces of the die
        ("die", "i4", (FACES,)),  # Face
        ("roster", "i4", (FIGURES,)),  # Krosmasters for random teams and drafts
        ("rostered", "i4"),
        ("offered", "i4", (CHALLENGES,)),  # challenges that are drawn from
        ("offers", "i4"),
        ("pool", "u8"),  # favors of the deck, as a set
        ("figure", FIGURE, (FIGURES,)),
        ("figures", "i4"),
        ("row", ROW, (ROWS,)),
        ("effect", EFFECT, (EFFECTS,)),
        ("passive", PASSIVE, (PASSIVES,)),
        ("challenge", CHALLENGE, (CHALLENGES,)),
        ("first_favor", "i4"),  # favor f is row first_favor + f
        ("favors", "i4"),
        ("first_bonus", "i4"),  # active bonus b is row first_bonus + b
        ("width", "i4"),
        ("height", "i4"),
        ("nodes", "i4"),
        ("column", "i4", (CELLS,)),
        ("level", "i4", (CELLS,)),  # row number from the bottom, from 0
        ("ground", "i4", (CELLS,)),  # Ground
        ("opaque", "i4", (CELLS,)),  # 1: blocks lines of sight whoever stands there
        ("beside", "i4", (CELLS, 4)),  # the next cell in each Direction, NONE off the board
        ("bushes", "i4", (CELLS,)),  # bushes beside the cell
        ("start", "i4", (PLAYERS, CELLS)),  # start cells of each seat in cell order
        ("starts", "i4", (PLAYERS,)),
        ("glyph", "i4", (CELLS,)),  # Glyph cells in cell order
        ("glyph_cells", "i4"),
    ]
)

SETUP = np.dtype(SETUP_HEADER)

# An action is an int64: kind 4 bits, which 8 (slot, spell, favor slot, bonus, figure), cell 10, direction 3.
WHICH_SHIFT, CELL_SHIFT, DIRECTION_SHIFT = 4, 12, 22
NO_CELL = 1023  # cell bits of an action without a cell
NO_DIRECTION = 4


@typed(lambda types: types.int64(types.int64, types.int64, types.int64, types.int64))
def pack(kind, which, cell, direction):
    """An action; `cell` NO_CELL and `direction` NO_DIRECTION where it has none."""
    word = np.int64(kind) | (np.int64(which) << WHICH_SHIFT) | (np.int64(cell) << CELL_SHIFT)
    return word | (np.int64(direction) << DIRECTION_SHIFT)


@kernel
def kind_of(action):
    return action & 15


@kernel
def which_of(action):
    return (action >> WHICH_SHIFT) & 255


@kernel
def cell_of(action):
    return (action >> CELL_SHIFT) & 1023


@kernel
def direction_of(action):
    return (action >> DIRECTION_SHIFT) & 7


def cell_name(cell: int, height: int) -> str:
    """``a1`` for cell 0: column letter, row number from the bottom."""
    return f"{chr(ord('a') + cell // height)}{cell % height + 1}"
