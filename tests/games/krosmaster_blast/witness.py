"""What the slow reference does in one action, written down while it does it.

Positions before and after do not show everything that section 12 counts (an injury and its healing, a cell
that was slid over), so the slow engine's own verbs are watched.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest import mock

from tests.naive.krosmaster_blast import actions, resolve


class Happening(NamedTuple):
    """One thing that happened to a Fighter."""

    what: str  # injured, healed, killed, captured, entered, summoned
    seat: str
    name: str
    minion: bool
    number: int  # of the Fighter in the slow engine
    cell: Any
    amount: int = 0
    source: str = ""  # of an injury or KO: roll, effect, fire; of a capture: whose cell it was


class Witness:
    """Stands in for verbs of the slow engine and notes what they do."""

    def __init__(self) -> None:
        self.seen: list[Happening] = []
        self.source = "fire"  # what injures, unless an effect or a roll does

    def note(self, what: str, pos: Any, number: int, fighter: Any, **more: Any) -> None:
        """Write down one happening."""
        minion = pos.is_minion(fighter)
        self.seen.append(Happening(what, fighter.seat, fighter.name, minion, number, fighter.cell, **more))

    def injure(self, source: str) -> Any:
        """``injure`` as it is called by rolls, or by effects and fire."""
        real = resolve.injure

        def watched(pos: Any, number: int, amount: int) -> None:
            why = source or self.source
            fighter = pos.fighters[number]
            self.note("injured", pos, number, fighter, amount=amount, source=why)
            real(pos, number, amount)
            if number not in pos.fighters:
                self.note("killed", pos, number, fighter, source=why)

        return watched

    def effect(self, real: Any) -> Any:
        """An ``injure`` effect: what it injures is no fire."""

        def watched(*arguments: Any) -> None:
            self.source = "effect"
            real(*arguments)
            self.source = "fire"

        return watched

    def heal(self, real: Any) -> Any:
        """A ``heal`` effect: injuries before and after."""

        def watched(pos: Any, *arguments: Any) -> None:
            before = dict(pos.fighters)
            real(pos, *arguments)
            for number, old in before.items():
                gone = old.injuries - pos.fighters[number].injuries
                self.note("healed", pos, number, old, amount=gone)

        return watched

    def summon(self, real: Any) -> Any:
        """A ``summon`` effect: the last Fighter that was born."""

        def watched(pos: Any, effect: Any, caster: int, *arguments: Any) -> None:
            seat, count = pos.fighters[caster].seat, pos.born
            real(pos, effect, caster, *arguments)
            if pos.born > count:
                self.seen.append(Happening("summoned", seat, effect.minion, True, pos.born, None))

        return watched

    def enter(self) -> Any:
        """``enter``, slides too."""
        real = resolve.enter

        def watched(pos: Any, number: int, cell: Any, direction: Any) -> None:
            self.note("entered", pos, number, pos.fighters[number]._replace(cell=cell))
            real(pos, number, cell, direction)

        return watched

    def capture(self) -> Any:
        """``capture``, where it is one."""
        real = resolve.capture

        def watched(pos: Any, number: int, cell: Any) -> None:
            before, fighter = pos.glyphs.get(cell, "nobody"), pos.fighters[number]
            real(pos, number, cell)
            if before != fighter.seat:
                self.note("captured", pos, number, fighter, source=before)

        return watched


@contextmanager
def watching() -> Iterator[list[Happening]]:
    """What the slow engine does inside the block."""
    one = Witness()
    effects = {
        verb: watch(resolve.EFFECTS[verb])
        for verb, watch in (("injure", one.effect), ("heal", one.heal), ("summon", one.summon))
    }
    rolled, hurt, enter = one.injure("roll"), one.injure(""), one.enter()
    with (
        mock.patch.multiple(resolve, injure=hurt, enter=enter, capture=one.capture()),
        mock.patch.multiple(actions, injure=rolled, enter=enter),
        mock.patch.dict(resolve.EFFECTS, effects),
    ):
        yield one.seen
