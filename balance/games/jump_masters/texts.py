"""States and actions of Jump Masters as text (sections 10 and 11 of the rules specification).

Everything here reads one state record; nothing is changed. Actions are unpacked in plain Python, as
calling a kernel for each field would cost a compilation.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from balance.errors import RuleError
from balance.games.actions import find_legal, near_legal, texts_of_legal
from balance.games.jump_masters import GAME
from balance.games.jump_masters.layout import (
    EXTRA_SHIFT,
    HERO_NAMES,
    LENGTH_SHIFT,
    NODE_SHIFT,
    NODES,
    PATH_SHIFT,
    SLOT_SHIFT,
    STEPS,
    TEAM,
    VIA_SHIFT,
    Corner,
    Draft,
    Extra,
    Kind,
    Phase,
    Termination,
    node_name,
)
from balance.kernel.contract import NONE

SEATS = "ABCD"
CORNER_NAMES = tuple(corner.name.lower() for corner in Corner)

# The phases in which each kind of atom may be played (table of section 10).
PHASES_OF = {
    "pick": (Phase.DRAFT,),
    "zone": (Phase.ZONE,),
    "deploy": (Phase.DEPLOY,),
    "step": (Phase.TURN,),
    "run": (Phase.TURN,),
    "fire_step": (Phase.TURN,),
    "missile_go": (Phase.TURN,),
    "jump": (Phase.TURN, Phase.JUMPING),
    "pass": (Phase.TURN,),
    "frog_bow": (Phase.STEPPED,),
    "blood_boon": (Phase.STEPPED,),
    "ensnare": (Phase.JUMPING,),
    "end": (Phase.STEPPED, Phase.JUMPING),
    "redeploy": (Phase.REDEPLOY,),
}
FORMS = {
    "pick": "pick HERO",
    "zone": "zone CORNER",
    "deploy": "deploy HERO NODE",
    "step": "step HERO NODE",
    "run": "run HERO VIA NODE",
    "fire_step": "fire_step HERO NODE [NODE ...]",
    "missile_go": "missile_go HERO NODE",
    "jump": "jump HERO NODE [aura|windstorm|swipe_out]",
    "pass": "pass",
    "frog_bow": "frog_bow NODE",
    "blood_boon": "blood_boon NODE",
    "ensnare": "ensnare NODE",
    "end": "end",
    "redeploy": "redeploy HERO NODE",
}


@cache
def names_of_nodes(height: int) -> tuple[str, ...]:
    """Names of all nodes of a board of this height, by node number."""
    return tuple(node_name(node, height) for node in range(NODES))


class Piece(NamedTuple):
    """One hero slot of a state as plain integers, in the order of ``layout.HERO``."""

    kind: int
    second: int
    node: int
    energy: int
    fresh: int
    jumped: int

    @property
    def name(self) -> str:
        """``burnny``, or ``burnny.2`` for a seat's second copy."""
        return HERO_NAMES[self.kind] + (".2" if self.second else "")


def pieces(state: Any, seat: int) -> list[Piece]:
    """The heroes of a seat in slot order: pick order in the draft, name order afterwards."""
    count = int(state["count"][seat])
    return [Piece(*row) for row in state["hero"][seat * TEAM : seat * TEAM + count].tolist()]


def piece(state: Any, slot: int) -> Piece:
    """The hero of one slot."""
    return Piece(*state["hero"][slot].tolist())


def side_names(tables: Any) -> list[str]:
    """Sides in printing order: ``A B``, or ``AC BD`` in team mode."""
    sides = tables["side_of"].tolist()[: int(tables["seats"])]
    return [
        "".join(SEATS[seat] for seat, own in enumerate(sides) if own == side)
        for side in range(max(sides) + 1)
    ]


def seat_name(seat: int) -> str:
    """``A`` for seat 0, ``-`` for none."""
    return "-" if seat == NONE else SEATS[seat]


# ---- canonical text


def canonical(state: Any, tables: Any) -> str:
    """The position as one line: equal texts, equal positions within one frame (section 11).

    Parameters
    ----------
    state, tables : numpy.record
        Of dtypes ``layout.STATE`` and ``layout.TABLES``.
    """
    phase = Phase(int(state["phase"]))
    fields = [("phase", phase.name.lower())]
    if phase == Phase.OVER:
        return _joined(fields + _result_fields(state, tables))
    fields.append(("to_move", seat_name(int(state["to_move"]))))
    if phase == Phase.DRAFT:
        return _joined(fields + _draft_fields(state, tables))
    fields += _turn_fields(state, phase)
    fields.append(("zones", _zones_text(state, tables)))
    if phase >= Phase.TURN:
        fields.append(("vp", _vp_text(state, tables)))
    return _joined(fields + _hero_fields(state, tables))


def _joined(fields: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{key}={value}" for key, value in fields)


def _result_fields(state: Any, tables: Any) -> list[tuple[str, str]]:
    winner = int(state["winner"])
    end = Termination(int(state["termination"])).name.lower()
    name = "-" if winner == NONE else side_names(tables)[winner]
    return [("winner", name), ("end", end), ("vp", _vp_text(state, tables))]


def _draft_fields(state: Any, tables: Any) -> list[tuple[str, str]]:
    seats, draft = range(int(tables["seats"])), Draft(int(state["draft"]))
    fields = [("draft", draft.name.lower())]
    fields += [(SEATS[seat], names_text(hero.name for hero in pieces(state, seat))) for seat in seats]
    if draft == Draft.PASS:
        fields += [(f"hand_{SEATS[seat]}", names_text(hand_names(state, seat))) for seat in seats]
    return fields


def hand_names(state: Any, seat: int) -> list[str]:
    """Cards in a seat's hand, sorted, equal ones repeated."""
    return [
        name
        for name, count in zip(HERO_NAMES, state["hand"][seat].tolist(), strict=True)
        for _ in range(count)
    ]


def names_text(names: Iterable[str]) -> str:
    """Sorted, comma-separated; ``-`` for none."""
    return ",".join(sorted(names)) or "-"


def _turn_fields(state: Any, phase: Phase) -> list[tuple[str, str]]:
    fields = []
    if phase in (Phase.STEPPED, Phase.JUMPING):
        fields.append(("hero", piece(state, int(state["acting"])).name))
    if phase == Phase.JUMPING:
        fields.append(("used", str(int(state["used"]))))
    if phase == Phase.REDEPLOY:
        fields.append(("active", seat_name(int(state["active"]))))
    if phase >= Phase.TURN:
        fields.append(("turn", str(int(state["turn"]))))
    return fields


def _zones_text(state: Any, tables: Any) -> str:
    zones = state["zone"].tolist()[: int(tables["seats"])]
    return ",".join(f"{SEATS[seat]}:{corner_name(corner)}" for seat, corner in enumerate(zones))


def corner_name(corner: int) -> str:
    """``nw`` .. ``sw``, ``-`` for none."""
    return "-" if corner == NONE else CORNER_NAMES[corner]


def _vp_text(state: Any, tables: Any) -> str:
    return ",".join(
        f"{name}:{vp}" for name, vp in zip(side_names(tables), state["vp"].tolist(), strict=False)
    )


def _hero_fields(state: Any, tables: Any) -> list[tuple[str, str]]:
    height = int(tables["height"])
    return [
        (SEATS[seat], ",".join(hero_text(hero, height) for hero in pieces(state, seat)))
        for seat in range(int(tables["seats"]))
    ]


def hero_text(hero: Piece, height: int) -> str:
    """``NAME:-`` or ``NAME:NODE:ENERGY`` with its marks."""
    if hero.node == NONE:
        return f"{hero.name}:-"
    marks = (":fresh" if hero.fresh else "") + (":jumped" if hero.jumped else "")
    return f"{hero.name}:{names_of_nodes(height)[hero.node]}:{hero.energy}{marks}"


# ---- actions


def format_action(state: Any, tables: Any, action: int) -> str:
    """The text of a packed action in the state in which it is played (table of section 10)."""
    action = int(action)
    kind, slot = Kind(action & 15), (action >> SLOT_SHIFT) & 31
    node, verb = (action >> NODE_SHIFT) & 127, Kind(action & 15).name.lower()
    if kind == Kind.PICK:
        return f"{verb} {HERO_NAMES[node]}"
    if kind == Kind.ZONE:
        return f"{verb} {CORNER_NAMES[node]}"
    if kind in (Kind.PASS, Kind.END):
        return verb
    names = names_of_nodes(int(tables["height"]))
    target = names[node]
    if kind in (Kind.FROG_BOW, Kind.BLOOD_BOON, Kind.ENSNARE):
        return f"{verb} {target}"
    hero = piece(state, slot)
    if kind == Kind.RUN:
        return f"{verb} {hero.name} {names[(action >> VIA_SHIFT) & 127]} {target}"
    if kind == Kind.FIRE_STEP:
        return f"{verb} {hero.name} {' '.join(path_names(action, hero.node, int(tables['height'])))}"
    extra = Extra((action >> EXTRA_SHIFT) & 3) if kind == Kind.JUMP else Extra.PLAIN
    return f"{verb} {hero.name} {target}" + (f" {extra.name.lower()}" if extra else "")


def path_names(action: int, start: int, height: int) -> list[str]:
    """The nodes of a Fire Step, start not named."""
    names, (column, row) = [], divmod(start, height)
    for index in range((action >> LENGTH_SHIFT) & 7):
        right, up = STEPS[(action >> (PATH_SHIFT + 3 * index)) & 7]
        column, row = column + right, row + up
        names.append(names_of_nodes(height)[column * height + row])
    return names


def legal_texts(state: Any, tables: Any) -> dict[str, int]:
    """Every legal action by its text, sorted by text; empty when the game is over."""
    return texts_of_legal(GAME, state, tables, format_action)


def parse_action(state: Any, tables: Any, text: str) -> int:
    """The packed action of a text that is legal now.

    Raises
    ------
    RuleError
        The text is not understood, or is not legal in this state; the hint names near legal atoms.
    """
    words = text.split() if isinstance(text, str) else []
    legal = legal_texts(state, tables)
    action = find_legal(text, legal)
    if action is not None:
        return action
    raise _refusal(state, text, words, list(legal))


def _refusal(state: Any, text: Any, words: list[str], legal: list[str]) -> RuleError:
    phase = Phase(int(state["phase"]))
    if phase == Phase.OVER:
        return RuleError(f"the action {text!r} comes too late: the game is over")
    verb = words[0] if words else ""
    if verb not in PHASES_OF:
        return RuleError(
            f"the action {text!r} is not understood", f"{near_legal(text, legal)}; {_forms(phase)}"
        )
    if phase not in PHASES_OF[verb]:
        home = " and ".join(one.name.lower() for one in PHASES_OF[verb])
        return RuleError(
            f"{text!r} is not legal: {verb!r} belongs to phase {home}, not {phase.name.lower()}",
            near_legal(text, legal),
        )
    fits = _fits_form(verb, len(words))
    reason = "is not legal now" if fits else f"does not fit the form {FORMS[verb]!r}"
    return RuleError(f"{text!r} {reason}", near_legal(text, legal))


def _fits_form(verb: str, words: int) -> bool:
    form = FORMS[verb]
    least = len(form.split("[")[0].split())
    most = 99 if "..." in form else least + form.count("[")
    return least <= words <= most


def _forms(phase: Phase) -> str:
    forms = [FORMS[verb] for verb, phases in PHASES_OF.items() if phase in phases]
    return f"the actions of phase {phase.name.lower()}: {', '.join(forms)}"
