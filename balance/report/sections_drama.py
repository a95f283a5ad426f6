"""Section on drama: how often the lead changes, how far winners were behind, when games are decided."""

from __future__ import annotations

from collections.abc import Sequence

from balance.report.names import Context
from balance.report.sections_pace import measured, methods, refused
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import NONE, count, number, percent, plain, share_range, value_range
from balance.stats.drama import Drama, Winners
from balance.stats.estimate import Estimate
from balance.stats.play_sums import STEPS, SWINGS
from balance.store.schema import LEAD_BAND

LEAD = (
    "Whether games stay open, judged at the end of every turn by the game's own evaluation of the position, "
    "whatever the players think of it; the result is the last word. It is a rule of thumb, not the chance to "
    "win: compare these numbers between arenas, skill levels and versions of the rules, not with other games."
)


def drama_section(context: Context) -> Section:
    """Lead changes, drama, comebacks and decisiveness; says why when nobody judged."""
    found = [entry for entry in context.analysis.drama if isinstance(entry, Drama)]
    missing = [*context.analysis.drama, *(entry.winners for entry in found)]
    if not found:
        return Section("drama", "Drama", LEAD, (), refused(missing))
    blocks = [_changes(context, found), _measures(context, found)]
    won = [(entry.level, entry.winners) for entry in found if isinstance(entry.winners, Winners)]
    if won:
        blocks += [_decided(context, won), _deficits(context, won)]
    if context.analysis.arena_drama:
        blocks.append(_by_arena(context))
    return Section("drama", "Drama", LEAD, tuple(blocks), refused(missing))


def _band(context: Context) -> str:
    """The dead band in words, of the evaluation that all sides share."""
    return f"{number(100 / (LEAD_BAND * context.analysis.design.sides), 0)} points of 100"


def _judged(context: Context, found: Sequence[tuple[int, Estimate]]) -> str:
    """Sizes of the judged samples."""
    sizes = [f"{context.level(level)}: {count(estimate.n)} {context.unit}" for level, estimate in found]
    return "Judged " + "; ".join(sizes)


def _changes(context: Context, found: Sequence[Drama]) -> Block:
    last = max(k for entry in found for k, share in enumerate(entry.swings_by) if share.value > 0)
    series = [
        {
            "name": context.level(entry.level),
            "x": list(range(last + 1)),
            "y": [100 * share.value for share in entry.swings_by[: last + 1]],
        }
        for entry in found
    ]
    means = "; ".join(f"{context.level(e.level)} mean {plain(e.swings.value)}" for e in found)
    data = {"series": series, "x": "lead changes", "y": "% of games", "width": 1}
    chart = Chart("histogram", data, f"Distribution of the number of lead changes: {means}.")
    rows = tuple((_times(k), *(_share(entry.swings_by[k]) for entry in found)) for k in range(last + 1))
    head = ("Lead changes", *(context.level(entry.level).capitalize() for entry in found))
    caption = "Share of games by how often another side took the lead (95 % interval). "
    caption += f"The last step: {_times(last)}. " if last == SWINGS - 1 else ""
    caption += f"{_judged(context, [(e.level, e.swings) for e in found])}. "
    caption += f"Method: {methods([s for e in found for s in e.swings_by[: last + 1]])}."
    text = f"A side leads when its share of the evaluation is more than {_band(context)} above that of every "
    text += "other side; less is jitter, and who led before still does. Many changes: an open fight. None: "
    text += "whoever gets ahead first wins."
    return Block("Lead changes", caption, Table(head, rows), chart, text=text)


def _times(changes: int) -> str:
    return f"{changes} or more" if changes == SWINGS - 1 else count(changes)


def _share(share: Estimate) -> str:
    return f"{percent(share.value)} ({share_range(share)})"


def _measures(context: Context, found: Sequence[Drama]) -> Block:
    named: list[tuple[str, int, Estimate, bool]] = []
    named += [("Lead changes a game", entry.level, entry.swings, False) for entry in found]
    won = [(entry.level, entry.winners) for entry in found if isinstance(entry.winners, Winners)]
    for label, name in (
        ("Drama", "behind"),
        ("Comebacks", "comeback"),
        ("Largest deficit of the winner", "trailed"),
        ("Played when decided", "sealed"),
    ):
        named += [(label, level, getattr(winners, name), True) for level, winners in won]
    rows = tuple(
        (label, context.level(level), *measured(estimate, share), count(estimate.n))
        for label, level, estimate, share in named
    )
    caption = (
        f"95 % intervals. {_judged(context, [(e.level, e.swings) for e in found])}; all but lead changes: "
    )
    caption += f"of games with a winner. Method: {methods([entry[2] for entry in named])}."
    head = ("Quantity", "Skill", "Value", "95 % interval", context.unit.title())
    return Block("Drama, comebacks, decisiveness", caption, Table(head, rows, text=2), text=_meaning(context))


def _meaning(context: Context) -> str:
    return (
        "Drama: how far behind the leader the later winner was, in points of 100, mean over the turns; 0 if "
        "winners lead from the start. Comebacks: share of games whose winner had been behind by more than "
        f"{_band(context)}. Played when decided: how much of the game was over when its winner took the lead "
        "for good; low means that the rest only confirms it, near 100 % that the last turn decides."
    )


def _steps(
    context: Context, won: Sequence[tuple[int, Winners]], name: str, axis: str, alt: str
) -> tuple[Table, Chart, str]:
    """Table, chart and end of a caption of shares by tenths."""
    shares = [(level, getattr(winners, f"{name}_by")) for level, winners in won]
    width = 100 // STEPS
    series = [
        {
            "name": context.level(level),
            "x": [width * k for k in range(STEPS)],
            "y": [100 * share.value for share in tenths],
        }
        for level, tenths in shares
    ]
    rows = tuple(
        (f"{width * k} to {width * (k + 1)} %", *(_share(tenths[k]) for _, tenths in shares))
        for k in range(STEPS)
    )
    table = Table((axis.capitalize(), *(context.level(level).capitalize() for level, _ in shares)), rows)
    chart = Chart("histogram", {"series": series, "x": f"% {axis}", "y": "% of games", "width": width}, alt)
    sizes = _judged(context, [(level, tenths[0]) for level, tenths in shares])
    return table, chart, f"{sizes}. Method: {methods([s for _, tenths in shares for s in tenths])}."


def _decided(context: Context, won: Sequence[tuple[int, Winners]]) -> Block:
    means = "; ".join(f"{context.level(level)} mean {percent(w.sealed.value, 0)}" for level, w in won)
    alt = f"When winners took the lead for good, as a share of the game: {means}."
    table, chart, end = _steps(context, won, "sealed", "of the game played", alt)
    caption = "Share of games by how much had been played when the later winner took the lead for good "
    caption += f"(95 % interval); each step holds its upper end. {end}"
    return Block("When games are decided", caption, table, chart)


def _deficits(context: Context, won: Sequence[tuple[int, Winners]]) -> Block:
    means = "; ".join(f"{context.level(level)} mean {percent(w.trailed.value, 0)}" for level, w in won)
    alt = f"How far winners had been behind at worst, in points of 100 of the evaluation: {means}."
    table, chart, end = _steps(context, won, "trailed", "behind at worst", alt)
    caption = (
        "Share of games by the largest deficit of the later winner (95 % interval); each step holds its "
    )
    caption += f"upper end, the first also winners that never were behind. {end}"
    return Block("What winners came back from", caption, table, chart)


def _by_arena(context: Context) -> Block:
    """The same in every arena, at the highest level."""
    places = [entry for entry in context.analysis.arena_drama if entry.level == context.top]
    rows = tuple(
        (
            context.arena(entry.arena),
            f"{plain(entry.swings.value)} ({value_range(entry.swings)})",
            *_of(entry),
        )
        for entry in places
    )
    head = ("Arena", "Lead changes", "Drama", "Comebacks", "Played when decided", context.unit.title())
    caption = (
        f"At {context.level(context.top)} play, with 95 % intervals; {context.unit}: those that were judged. "
    )
    caption += f"Method: {methods([entry.swings for entry in places])}."
    return Block("Drama by arena", caption, Table(head, rows))


def _of(entry: Drama) -> tuple[str, ...]:
    won = entry.winners
    if not isinstance(won, Winners):
        return NONE, NONE, NONE, count(entry.swings.n)
    return *map(_share, (won.behind, won.comeback, won.sealed)), count(entry.swings.n)
