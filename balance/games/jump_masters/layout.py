"""Records, enums and action packing of Jump Masters. Section numbers point to the rules specification."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from balance.games.jump_masters.parameters import WEIGHTS
from balance.kernel.contract import HEADER, SEATS, SETUP_HEADER
from balance.kernel.jit import kernel, typed

TEAM = 4  # most heroes a seat has
SLOTS = SEATS * TEAM  # hero slots; slot // TEAM is the seat
NODES = 100  # most nodes of a board (10 x 10)
CELLS = 128  # nodes rounded up to whole words
WORDS = 2  # 64-bit words of a set of nodes
EVENTS = 48  # most things that one ply can do
HAND = 10  # most cards of a pass hand
CORNERS = 4


class Mode(IntEnum):
    DUEL = 0
    TEAM = 1
    FFA3 = 2
    FFA4 = 3


class Draft(IntEnum):
    FIXED = 0
    FREE = 1
    SNAKE = 2
    BLIND = 3
    PASS = 4


class Phase(IntEnum):
    DRAFT = 0
    ZONE = 1
    DEPLOY = 2
    TURN = 3
    STEPPED = 4
    JUMPING = 5
    REDEPLOY = 6
    OVER = 7


class Termination(IntEnum):
    RUNNING = 0
    VP = 1
    CAP = 2


class Hero(IntEnum):
    """Heroes in text order, which is the order of deployment (section 3)."""

    BURNNY = 0
    FREEDA = 1
    HOPPER = 2
    KATULA = 3
    PARENA = 4
    PINKBEARY = 5
    ROARA = 6
    TORTURN = 7
    UNNI = 8
    WUFFRYDER = 9


HERO_NAMES = tuple(hero.name.lower() for hero in Hero)
HEROES = len(HERO_NAMES)
COPIES = 2  # cards of each hero


class Corner(IntEnum):
    """Corners clockwise (JM67)."""

    NW = 0
    NE = 1
    SE = 2
    SW = 3


class Kind(IntEnum):
    """Kinds of action atoms (section 10)."""

    PICK = 0
    ZONE = 1
    DEPLOY = 2
    STEP = 3
    RUN = 4
    FIRE_STEP = 5
    MISSILE_GO = 6
    JUMP = 7
    PASS = 8
    FROG_BOW = 9
    BLOOD_BOON = 10
    ENSNARE = 11
    END = 12
    REDEPLOY = 13


class Extra(IntEnum):
    """What a jump may carry."""

    PLAIN = 0
    AURA = 1
    WINDSTORM = 2
    SWIPE_OUT = 3


class Event(IntEnum):
    """What a ply did, one entry a happening; read by the metrics only."""

    ENTERED = 0  # who was put on node
    ENERGIZED = 1  # who gained amount by a jump over a friend
    FIRST_JUMP = 2  # who gained amount by a first jump
    POWERED = 3  # who gained amount on a power node
    ABILITY_GAIN = 4  # who gained amount by an ability
    ATTACK_LOSS = 5  # who lost amount in an attack
    ABILITY_LOSS = 6  # who lost amount to an ability of whom
    PAID = 7  # who spent amount on an ability
    JUMPED = 8  # who jumped
    USED = 9  # who used its ability
    REMOVED = 10  # who was removed by whom on node; amount is the VP given (0 for none)
    ATTACKER_LOST = 11  # who was removed by its own attack on whom; amount is the VP given
    HILL = 12  # seat who gained amount at the start of its turn
    REDEPLOYED = 13  # who came back on node
    TURN_BEGAN = 14  # seat who begins its turn; amount 1 if it controls the Hill


class WinBy(IntEnum):
    """Kind of the winning VP (section 14)."""

    NONE = 0
    HILL = 1
    ATTACK = 2
    ABILITY = 3
    LOST_ATTACK = 4


HERO = np.dtype(
    [
        ("kind", "i4"),  # Hero, NONE for an empty slot
        ("second", "i4"),  # 1 for the second copy on one seat (NAME.2)
        ("node", "i4"),  # where it stands, NONE off the board
        ("energy", "i4"),  # current energy, 0 off the board
        ("fresh", "i4"),  # 1 until it leaves its own zone (JM40)
        ("jumped", "i4"),  # 1 once jumped over in this turn (JM25)
    ]
)

EVENT = np.dtype([("what", "i4"), ("who", "i4"), ("whom", "i4"), ("amount", "i4"), ("node", "i4")])

STATE = np.dtype(
    [
        *HEADER,
        ("draft", "i4"),  # Draft
        ("active", "i4"),  # seat whose turn it is (or has just ended, in redeploy); NONE before turn 1
        ("acting", "i4"),  # slot of the acting hero in stepped and jumping, else NONE
        ("used", "i4"),  # 1 once the acting hero has used its ability this turn
        ("winner", "i4"),  # side, NONE for nobody or not yet
        ("order", "i4", (SEATS,)),  # seats in turn order
        ("count", "i4", (SEATS,)),  # heroes of each seat (picks so far in the draft)
        ("zone", "i4", (SEATS,)),  # corner of each seat, NONE before it is chosen
        ("holder", "i4", (CORNERS,)),  # seat that uses the corner, NONE for an ordinary one (JM6)
        ("vp", "i4", (SEATS,)),  # victory points per side
        ("pool", "i4", (HEROES,)),  # cards left in a free or snake draft
        ("hand", "i4", (SEATS, HEROES)),  # cards in each seat's hand in a pass draft, by hero
        ("at", "i4", (CELLS,)),  # slot of the hero on a node, NONE for an empty one
        ("occupied", "u8", (WORDS,)),  # nodes with a hero, as a set
        ("hero", HERO, (SLOTS,)),
        ("events", "i4"),  # entries of `event` that the last ply made
        ("event", EVENT, (EVENTS,)),
    ]
)

PARAMETERS = [
    "vp_to_win",
    "vp_to_win_team",
    "hill_vp",
    "team_hill",  # 1: the Hill is counted per side (JM65)
    "team_size",
    "both_copies",
    "pass_hand",
    "energize_gain",
    "power_gain",
    "fire_step_cost",
    "fire_step_steps",
    "fire_step_min_steps",
    "fire_step_damage",
    "fire_step_bent",  # 1: fire_step_path is bent (JM48)
    "aura_gain",
    "frog_bow_range",
    "frog_bow_damage",
    "friendly_fire",
    "blood_boon_steal",
    "windstorm_gain",
    "ensnare_range",
    "missile_go_cost",
    "missile_go_range",
    "missile_go_damage",
    "swipe_out_steal",
    "stalwart_prevention",
    "stalwart_blocks",  # 1: stalwart_mode is blocks (JM46)
    "run_distance",  # 1: run_end is distance (JM16)
    "end_in_zone",
    "return_to_zone",
    "allow_pass",
    "corner_order",  # 1: ffa_turn_order is corners (JM67)
    "turn_cap",
    "cap_draw",  # 1: cap_result is draw
]

TABLES = np.dtype(
    [
        ("weights", [(name, "f8") for name in WEIGHTS]),  # of the evaluation
        ("mode", "i4"),
        ("seats", "i4"),
        ("sides", "i4"),
        ("side_of", "i4", (SEATS,)),  # side of each seat
        ("target", "i4"),  # VP to win in this mode
        *[(name, "i4") for name in PARAMETERS],
        ("maximum", "i4", (HEROES,)),  # highest energy = VP worth
        ("lowest", "i4", (HEROES,)),  # energy when (re)deployed
        ("able", "i4", (HEROES,)),  # 0 for a hero in disabled_abilities
        ("width", "i4"),
        ("height", "i4"),
        ("nodes", "i4"),
        ("column", "i4", (CELLS,)),
        ("row", "i4", (CELLS,)),
        ("blocked", "i4", (CELLS,)),  # pillar or wall
        ("power", "i4", (CELLS,)),
        ("hill", "i4", (CELLS,)),
        ("corner", "i4", (CELLS,)),  # Corner the node belongs to, NONE for others
        ("corner_node", "i4", (CORNERS, 4)),  # its four nodes in node order
        ("hill_node", "i4", (4,)),
        ("hill_steps", "i4", (CELLS,)),  # king steps to the nearest Hill node
        ("beside", "i4", (CELLS, 8)),  # the node one step on in each Direction, NONE off the board
        ("around", "u8", (CELLS, WORDS)),  # the open nodes among the eight neighbours
        ("open", "u8", (WORDS,)),  # nodes that are not blocked
        ("powers", "u8", (WORDS,)),  # power nodes
        ("corner_set", "u8", (CORNERS, WORDS)),
        ("bit", "u8", (CELLS, WORDS)),  # the set of one node
        ("hills", "u8", (WORDS,)),  # Hill nodes
        ("not_low", "u8", (WORDS,)),  # nodes that are not in the lowest row
        ("not_high", "u8", (WORDS,)),  # nodes that are not in the highest row
    ]
)

SETUP = np.dtype(SETUP_HEADER)

# Directions: column step and row step, in an order that puts neighbours in node order.
STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
DIRECTIONS = len(STEPS)

# An action is an int64: kind 4 bits, slot 5, node 7, via 7, extra 2, length 3, then 3 bits a direction.
SLOT_SHIFT, NODE_SHIFT, VIA_SHIFT, EXTRA_SHIFT, LENGTH_SHIFT, PATH_SHIFT = 4, 9, 16, 23, 25, 28
NOBODY = 31  # slot bits of an action without a hero


@typed(lambda types: types.int64(types.int64, types.int64, types.int64))
def pack(kind, slot, node):
    """An action of one hero (or NOBODY) on one node; other parts are added with ``|``."""
    return np.int64(kind) | (np.int64(slot) << SLOT_SHIFT) | (np.int64(node) << NODE_SHIFT)


@kernel
def kind_of(action):
    return action & 15


@kernel
def slot_of(action):
    return (action >> SLOT_SHIFT) & 31


@kernel
def node_of(action):
    """Target, landing or end node; the hero for PICK, the corner for ZONE."""
    return (action >> NODE_SHIFT) & 127


@kernel
def via_of(action):
    return (action >> VIA_SHIFT) & 127


@kernel
def extra_of(action):
    return (action >> EXTRA_SHIFT) & 3


@kernel
def length_of(action):
    """Nodes of a Fire Step path; nodes a jump moves on (2, or 3 for Off the Top Rope)."""
    return (action >> LENGTH_SHIFT) & 7


@kernel
def direction_of(action, index):
    """Direction of step `index` of a path; of the jump at index 0."""
    return (action >> (PATH_SHIFT + 3 * index)) & 7


def node_name(node: int, height: int) -> str:
    """``a1`` for node 0: column letter, row number from the bottom."""
    return f"{chr(ord('a') + node // height)}{node % height + 1}"


def node_index(name: str, width: int, height: int) -> int:
    """The inverse of :func:`node_name`; ValueError when there is no such node."""
    column, row = ord(name[:1] or " ") - ord("a"), name[1:]
    if not (0 <= column < width and row.isascii() and row.isdigit() and row[0] != "0" and int(row) <= height):
        raise ValueError(f"no node {name!r} on a board of {width} x {height}")
    return column * height + int(row) - 1
