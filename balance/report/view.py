"""The report as frozen data: every number already in words, no HTML, no figure library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

READING = (
    "pp: percentage points, of the score out of 100 %. Ordered by the size that is sure: the end of the 95 % "
    "interval nearest to no effect. Robust: the sign is shown at the neighbouring skill levels too. "
    "Skill-dependent: a neighbour shows the opposite or clearly less. Open: a neighbour neither shows nor "
    "contradicts it. Strong and weak are said of what is robust, helps and hurts of the rest."
)


@dataclass(frozen=True)
class Table:
    """Rows of text.

    Attributes
    ----------
    head : tuple of str
    rows : tuple of tuple of str
    text : int
        How many of the first columns are words; the others are numbers, set to the right.
    words : tuple of int
        Later columns that are words all the same.
    bars : dict of int to tuple of float
        Column to shares of its largest value, drawn behind the numbers.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text: int = 1
    words: tuple[int, ...] = ()
    bars: Mapping[int, tuple[float, ...]] = field(default_factory=dict)

    def is_text(self, column: int) -> bool:
        """Whether a column holds words."""
        return column < self.text or column in self.words


@dataclass(frozen=True)
class Chart:
    """What a figure shows.

    Attributes
    ----------
    kind : str
        A function of ``report.figures``.
    data : dict
        Its arguments.
    alt : str
        The figure in one sentence, for those who cannot see it.
    """

    kind: str
    data: Mapping[str, Any]
    alt: str


@dataclass(frozen=True)
class Board:
    """One board picture: an arena with the counts of one column on its nodes.

    Attributes
    ----------
    title, alt : str
    rows : tuple of str
        Legend characters without blanks, top row first.
    values : tuple of tuple of float
        Count per game on each node, shaped as `rows`; NaN where the node holds no count.
    labels : tuple of tuple of str
        Node names.
    """

    title: str
    alt: str
    rows: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    labels: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Block:
    """One exhibit: a chart or boards, the table behind it, and a caption with n, interval and method."""

    title: str
    caption: str
    table: Table | None = None
    chart: Chart | None = None
    boards: tuple[Board, ...] = ()
    text: str = ""
    replay: Any = None  # a ``replay_view.Replay``


@dataclass(frozen=True)
class Section:
    """A chapter; `refusal` says why a run cannot carry it, or what is missing; `need` what narrows it."""

    slug: str
    title: str
    lead: str = ""
    blocks: tuple[Block, ...] = ()
    refusal: tuple[str, ...] = ()
    need: str = ""


@dataclass(frozen=True)
class Page:
    """Sections that are shown together; the first page of a report holds the findings and no section."""

    slug: str
    title: str
    sections: tuple[str, ...] = ()


@dataclass(frozen=True)
class Portrait:
    """A hero's picture: initials on a colour.

    Attributes
    ----------
    initials : str
        One or two characters that no other hero of the run has.
    tone : int
        Which of the page's colours.
    """

    initials: str
    tone: int


@dataclass(frozen=True)
class Finding:
    """One thing that came out.

    Attributes
    ----------
    topic : str
        ``seats``, ``heroes``, ``arenas``, ``teams``, ``length``.
    text : str
    tag : str
        ``robust``, ``skill-dependent``, ``open: not clear at random play``, ``one skill level only``,
        ``not shown``; empty where the text itself says how sure it is.
    level : str
        Skill level of the number.
    sure : float
        End of the interval nearest to no effect, in score; 0 when the interval holds no effect.
    rests : str
        The assumed numbers that it rests on, as a sentence; empty when there are none.
    section : str
        Slug of the section that shows more; empty when there is none.
    """

    topic: str
    text: str
    tag: str
    level: str
    sure: float
    rests: str = ""
    section: str = ""


@dataclass(frozen=True)
class Notice:
    """Numbers with the same provenance: ``20 numbers of heroes are assumed``, and each of them."""

    text: str
    items: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """The whole report.

    Attributes
    ----------
    title, name : str
        Game and run.
    facts : tuple of (str, str)
        The run in a few figures.
    notices : tuple of Notice
        Assumed and changed numbers.
    findings : tuple of Finding
        Surest and largest first.
    sections : tuple of Section
    legend : tuple of (str, str, str)
        Legend character, label and look of the board pictures.
    provenance : tuple of (str, str)
    command, check, again : str
        Commands that make the page from the stored rows, check the rows, and play them again from `plan`.
    plan : str
        The plan as a plan file; empty when it alone does not give the same configuration.
    partial : str
        Warning that the run is not complete; empty when it is.
    more : str
        Where the findings stand that the list has no room for; empty when there are none.
    kind : str
        What sort of page this is.
    reading : str
        How the findings are to be read.
    pages : tuple of Page
        How the sections are put together; empty when all stand on one page.
    portraits : dict of str to Portrait
        By a hero's title.
    """

    title: str
    name: str
    facts: tuple[tuple[str, str], ...]
    notices: tuple[Notice, ...]
    findings: tuple[Finding, ...]
    sections: tuple[Section, ...]
    legend: tuple[tuple[str, str, str], ...]
    provenance: tuple[tuple[str, str], ...]
    command: str
    check: str
    again: str = ""
    plan: str = ""
    partial: str = ""
    more: str = ""
    kind: str = "Balance report"
    reading: str = READING
    pages: tuple[Page, ...] = ()
    portraits: Mapping[str, Portrait] = field(default_factory=dict)
