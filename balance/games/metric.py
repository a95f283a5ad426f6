"""How a game describes the columns that it adds to the tables of a run."""

from __future__ import annotations

from dataclasses import dataclass


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
        ``label`` (a code, never averaged), ``full`` (only at recording level full), ``pick``.
    """

    label: str
    unit: str
    text: str
    role: str
