"""The numbers of Krosmaster: Blast compiled into one record for the kernels, and set-up records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from balance.errors import RuleError
from balance.games.game import Ruleset
from balance.games.krosmaster_blast import layout
from balance.games.krosmaster_blast.books import make_book
from balance.games.krosmaster_blast.cards import pool_of
from balance.games.krosmaster_blast.cardtables import fill_cards
from balance.games.krosmaster_blast.enums import Corner, Double, Draft, Face, Ground
from balance.kernel.contract import NONE
from balance.kernel.jit import new_record

GROUND = {".": Ground.PLAIN, "a": Ground.PLAIN, "b": Ground.PLAIN}
GROUND |= {"G": Ground.GLYPH, "T": Ground.TREE, "B": Ground.BUSH}
SEATS = {"A": 0, "B": 1, "none": NONE}
SAME = (
    "tackle_zones", "jokers", "challenge_count", "team_size", "crit_bonus", "shield_block", "dodge_dice_cap",
    "spell_ap", "favor_ap", "favor_ap_dofus", "bonus_ap", "move_mp", "fire_damage", "tile_limit",
    "tile_reach", "dofus_lock_turns", "friendly_fire", "action_cap",
)  # fmt: skip


def compile_tables(ruleset: Ruleset, mode: str, arena: str | Sequence[str]) -> Any:
    """One tables record for a field.

    Parameters
    ----------
    ruleset : Ruleset
    mode : str
        There is only one.
    arena : str or sequence of str
        A field of the ruleset, or its rows, top row first.

    Returns
    -------
    numpy.record
        Of dtype ``layout.TABLES``.
    """
    rows = ruleset.arenas[arena].rows if isinstance(arena, str) else arena
    tables = new_record(layout.TABLES)
    tables.seats = layout.PLAYERS
    for name, weight in ruleset.weights.items():
        tables["weights"][name] = weight
    book = make_book(ruleset.values)
    tables["book"] = book.key
    fill_cards(tables, ruleset.values, book)
    _fill_parameters(tables, ruleset, book)
    _fill_board(tables, list(rows))
    return tables


def make_setup(
    ruleset: Ruleset, mode: str, draft: str, rosters: Sequence[Sequence[str]] | None = None
) -> Any:
    """A set-up record; `rosters` (a list of names per seat) only with the draft ``fixed``.

    Raises
    ------
    RuleError
        A team without exactly team_size different Krosmasters (section 3).
    """
    setup = new_record(layout.SETUP)
    setup.draft = Draft[draft.upper()]
    setup.roster[:] = NONE
    known, size = list(ruleset.heroes), ruleset.values["team_size"]
    for seat, names in enumerate(rosters or ()):
        if len(names) != size or len(set(names)) != size:
            message = f"the team {', '.join(names)} is none of {size} different Krosmasters"
            raise RuleError(message, f"rules.team_size is {size}, and each figure stands in a team once")
        setup.given[seat] = size
        setup.roster[seat, :size] = sorted(known.index(name) for name in names)
    return setup


def _fill_parameters(tables: Any, ruleset: Ruleset, book: Any) -> None:
    values = ruleset.values
    for name in SAME:
        tables[name] = int(values[name])
    size = values["team_size"]
    tables.kos = values["kos_to_win"] or (size + 1) // 2
    tables.turns = 2 * values["rounds"]
    tables.alternate = int(values["draft_order"] == "alternate")
    tables.double_ko = Double[values["double_ko"].upper()]
    tables.dofus_start = SEATS[values["dofus_start"]]
    tables.dofus_entry = int(values["dofus_on"] == "entry")
    tables.capture_always = int(values["capture_forced"] == "always")
    tables.los_corner = Corner[values["los_corner"].upper()]
    tables.fighter_blocks = int("fighter" in values["los_blockers"])
    tables.fog_blocks = int("fog" in values["los_blockers"])
    tables.tree_blocks = int("tree" in values["los_blockers"])
    tables.bush_blocks = int("bush" in values["los_blockers"])
    tables.summon_waits = int(values["summon_acts"] == "next_turn")
    tables.faces = len(values["die"])
    tables.die[: tables.faces] = [Face[face.upper()] for face in values["die"]]
    _fill_list(tables, "roster", "rostered", sorted(map(book.figures.index, values["roster"])))
    offered = values["challenge_pool"] or book.challenges
    _fill_list(tables, "offered", "offers", sorted(map(book.challenges.index, offered)))
    pool = sum(1 << book.favors.index(name) for name in pool_of(values, values))
    tables["pool"] = np.uint64(pool)


def _fill_list(tables: Any, name: str, count: str, numbers: Iterable[int]) -> None:
    filled = list(numbers)
    tables[name][: len(filled)] = filled
    tables[count] = len(filled)


def _fill_board(tables: Any, rows: list[str]) -> None:
    width, height = len(rows[0]), len(rows)
    nodes = width * height
    tables.width, tables.height, tables.nodes = width, height, nodes
    # Cells run up the columns: turn the rows over, then read column by column.
    marks = np.array([list(row) for row in reversed(rows)]).T.reshape(-1)
    column, level = np.divmod(np.arange(nodes), height)
    tables["column"][:nodes], tables["level"][:nodes] = column, level
    ground = np.array([GROUND[mark] for mark in marks])
    tables["ground"][:nodes] = ground
    opaque = (ground == Ground.TREE) & bool(tables.tree_blocks)
    opaque |= (ground == Ground.BUSH) & bool(tables.bush_blocks)
    tables["opaque"][:nodes] = opaque
    _fill_neighbours(tables, column, level, ground)
    for seat, mark in enumerate("ab"):
        starts = np.flatnonzero(marks == mark)
        tables["start"][seat, : len(starts)] = starts
        tables["starts"][seat] = len(starts)
    _fill_list(tables, "glyph", "glyph_cells", np.flatnonzero(ground == Ground.GLYPH).tolist())


def _fill_neighbours(tables: Any, column: np.ndarray, level: np.ndarray, ground: np.ndarray) -> None:
    """The next cell in every direction, shape (nodes, 4), and the bushes among them."""
    width, height, nodes = int(tables.width), int(tables.height), int(tables.nodes)
    tables["beside"][:] = NONE
    for direction, (right, up) in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0))):
        x, y = column + right, level + up
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        near = np.where(inside, x * height + y, NONE)
        tables["beside"][:nodes, direction] = near
        bush = inside & (ground[np.where(inside, near, 0)] == Ground.BUSH)
        tables["bushes"][:nodes] += bush
