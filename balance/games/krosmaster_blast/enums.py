"""Numbers with names of Krosmaster: Blast. Sections are those of our rules specification."""

from __future__ import annotations

from enum import IntEnum


class Draft(IntEnum):
    FIXED = 0
    RANDOM = 1
    DRAFT = 2


class Phase(IntEnum):
    DRAFT = 0
    DEPLOY = 1
    FAVOR = 2
    PLAY = 3
    OVER = 4


class Termination(IntEnum):
    RUNNING = 0
    KO = 1
    DOUBLE_KO = 2
    GLYPHS = 3
    CAP = 4


class Kind(IntEnum):
    """Kinds of actions (section 5)."""

    PICK = 0
    DEPLOY = 1
    FAVOR = 2
    ACTIVATE = 3
    MOVE = 4
    CAST = 5
    USE = 6
    BONUS = 7
    PLACE = 8
    LIFT = 9
    SKIP = 10
    DONE = 11
    END = 12


class Direction(IntEnum):
    """Sides of a cell, clockwise; rows are numbered upwards."""

    N = 0
    E = 1
    S = 2
    W = 3


class Ground(IntEnum):
    """What a cell is; from TREE on impassable."""

    PLAIN = 0
    GLYPH = 1
    TREE = 2
    BUSH = 3


class Tile(IntEnum):
    BARE = 0
    FIRE = 1
    FOG = 2
    ICE = 3


class Stage(IntEnum):
    """State of a Fighter in its seat's turn (section 4)."""

    READY = 0
    ACTIVE = 1
    DONE = 2


class Target(IntEnum):
    """What a row may aim at (section 2)."""

    NO_CELL = 0
    FIGHTER = 1
    ENEMY = 2
    ALLY = 3
    FREE_CELL = 4
    ENEMY_GLYPH = 5


class Verb(IntEnum):
    """Effects of cards (section 2)."""

    BONUS = 0
    AP = 1
    MP = 2
    HEAL = 3
    INJURE = 4
    SHOVE = 5
    LEAP = 6
    SWAP = 7
    SUMMON = 8
    TILE = 9
    FLIP_GLYPH = 10
    NEXT_RANGE = 11
    NEXT_DAMAGE = 12
    IGNORE_LOS = 13


class Who(IntEnum):
    TARGET = 0
    CASTER = 1
    AROUND = 2
    ENEMY_KROSMASTERS = 3
    OWN_KROSMASTERS = 4


class Of(IntEnum):
    """Whom a passive row serves."""

    SELF = 0
    KROSMASTERS = 1
    ALL = 2


class Gain(IntEnum):
    """What a passive row gives."""

    DAMAGE = 0
    RANGE = 1
    CAPTURE_MP = 2
    RUN = 3


class Face(IntEnum):
    BURST = 0
    SHIELD = 1
    BOOT = 2
    MAGNET = 3
    DOFUS = 4
    BURST_BOOT = 5


class Dodge(IntEnum):
    """Results of a dodge roll, the better first."""

    FREE = 0
    CAUGHT = 1
    TACKLED = 2


class Corner(IntEnum):
    """Words of `los_corner`."""

    PAIR = 0
    FREE = 1
    BLOCK = 2


class Double(IntEnum):
    """Words of `double_ko`."""

    DRAW = 0
    ACTIVE_LOSES = 1
    ACTIVE_WINS = 2


class Source(IntEnum):
    """Where an injury comes from; read by the metrics only."""

    SPELL = 0
    FIRE = 1
    FAVOR = 2
    BONUS = 3


class Event(IntEnum):
    """What a ply did, one entry a happening; read by the metrics only."""

    ENTERED = 0  # who stands on cell; amount 1 if by a step of its own
    INJURED = 1  # who took amount by whom (NONE: a tile); cell is the Source
    KNOCKED_OUT = 2  # who left the board by whom at cell
    HEALED = 3  # who lost amount injuries by whom
    CAPTURED = 4  # who captured cell; amount 1 if it was the other seat's
    ROLLED = 5  # who rolled amount in a combat roll
    DODGED = 6  # who rolled amount dice; cell is the Dodge
    SUMMONED = 7  # who appeared on cell
    PLACED = 8  # tile of kind amount on cell
    REVEALED = 9  # favor amount
    TURN_ENDED = 10  # turn amount of seat who
    TURN_BEGAN = 11  # seat who
