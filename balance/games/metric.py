"""How a game describes the columns that it adds to the tables of a run.

One column is known by its name where a game has it: ``ability_uses`` of ``heroes``, which reports set beside
the common ``chances``, the counted turns in which the ability was possible.
"""

from __future__ import annotations

from dataclasses import dataclass

#: What reports call each hero's share of its side's removals; the `whole` of a column that counts them.
KILLS = "Kill participation"


@dataclass(frozen=True)
class Column:
    """One recorded column, for labels in reports.

    Attributes
    ----------
    label : str
        A few words for a table head.
    unit : str
        What one means: ``VP``, ``turn``, ``per game``.
    text : str
        One line that says what is counted.
    role : str
        ``mean`` (averaged per row), ``side`` and ``seat`` (one column a side or seat, suffix ``_a`` ..),
        ``label`` (a code, never averaged; one a seat or side with suffixes too), ``full`` (only at
        recording level full), ``pick`` (number of the pick, 0 when it was not drafted),
        ``kept`` (stored and never averaged: 0 does not mean none of it).
    codes : tuple of str
        What the codes of a ``label`` column are called, from 0.
    whole : str
        Name of what columns of role ``side`` or ``seat`` with the same `whole` add up to (``Sources of VP``):
        reports show each as a share of their sum. A column of ``heroes`` with a `whole` is shown as each
        hero's share of its side's sum, under this name; what counts removals made says :data:`KILLS`.
    ability : int
        For columns of ``heroes`` that count one ability of each hero: its number, from 1, among the hero's
        ``abilities``. Columns of one label and several abilities make one column of a table of abilities.
    """

    label: str
    unit: str
    text: str
    role: str
    codes: tuple[str, ...] = ()
    whole: str = ""
    ability: int = 0
