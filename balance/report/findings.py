"""The verdict: what came out, in plain words, surest and largest first, each with its reach over skill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from balance.report.assumed import arena_numbers, hero_numbers, rests_on, team_numbers
from balance.report.fairest import fairest_arena
from balance.report.names import Context
from balance.report.view import Finding
from balance.report.words import listed, number, p_value, percent, plain, points, points_range, share_range
from balance.stats.estimate import LEVEL, Estimate, Refusal, normal_quantile
from balance.stats.heroes import HeroStrength, StrengthTable
from balance.stats.interaction import Interaction
from balance.stats.reach import ALPHA, ROBUST, SINGLE, UNCLEAR, Effect, Reach, effect_of, reach
from balance.stats.seats import SeatResult, arena_tests
from balance.stats.teams import TeamTable

MOST_HEROES = 3  # strongest and weakest that are put into words
MOST_OPEN = 0.25  # an effect of this size that cannot be ruled out is no answer
SLIGHT = 0.05  # an effect on the score below this is called slight
SHOWN_IN = {
    "seats": "seats",
    "heroes": "heroes",
    "arenas": "heroes-arenas",
    "teams": "teams",
    "length": "pace",
}
SEEN = "would have been found in four runs of five."


def findings(context: Context) -> tuple[Finding, ...]:
    """All findings of a run: significant ones by the sure size of their effect, then the rest."""
    found = [
        *_seats(context),
        *_first_by_arena(context),
        *fairest_arena(context),
        *_heroes(context),
        *_arenas(context),
        *_teams(context),
    ]
    found.sort(key=lambda finding: -finding.sure)
    return tuple(replace(one, section=SHOWN_IN[one.topic]) for one in (*found, *_length(context)))


def cut_findings(context: Context) -> str:
    """Where the significant effects stand that the list has no room for; empty when it holds them all."""
    tables = context.strengths
    told = tables and not isinstance(context.analysis.skill, Refusal)
    signs = [h.effect.value > 0 for h in tables[-1].heroes if h.p < ALPHA] if told else []
    heroes = sum(max(0, signs.count(sign) - MOST_HEROES) for sign in (True, False))
    entries = [entry for entry in context.analysis.arenas if not isinstance(entry, Refusal)]
    arenas = sum(entry.p < ALPHA for entry in entries[-1]) - 1 if entries else 0
    places = ((heroes, "Hero strength"), (arenas, "Heroes by arena"))
    cut = [f"{n} more in {title}" for n, title in places if n > 0]
    return f"{listed(cut)}." if cut else ""


def sure_size(estimate: Estimate, even: float = 0.0) -> float:
    """Distance from `even` to the near end of the interval; 0 when the interval holds `even`."""
    return max(0.0, estimate.low - even, even - estimate.high)


def _seats(context: Context) -> Iterable[Finding]:
    """The first seat at the highest level, and where it matters if it does not matter there."""
    seats, even = context.analysis.seats, 1 / context.analysis.design.sides
    label = context.reach(reach([effect_of(seat.level, seat.places[0], seat.p, even) for seat in seats]))
    top, surest = seats[-1], min(seats, key=lambda seat: seat.p)
    if top.p < ALPHA:
        yield _seat_effect(context, top, even, label)
        return
    if surest.p < ALPHA:
        yield _seat_effect(context, surest, even, label)
    first, level = top.places[0], context.level(top.level)
    if sure_size(first, even) > 0:
        yield _seat_doubt(context, top, even)
        return
    word, limit = ("advantage", first.high) if first.value >= even else ("disadvantage", first.low)
    if not abs(limit - even) < MOST_OPEN:
        text = f"{context.sample(top.level)} at {level} play are too few to say whether moving first matters."
        yield Finding("seats", text, UNCLEAR, level, 0.0)
        return
    text = f"No first-seat {word} larger than {points(abs(limit - even)).lstrip('+')} found at {level} play: "
    text += f"{_seat_score(context, top)}; even is {percent(even)}."
    yield Finding("seats", text, UNCLEAR, level, 0.0)


def _seat_effect(context: Context, seat: SeatResult, even: float, label: str) -> Finding:
    first, level = seat.places[0], context.level(seat.level)
    word = "an advantage" if first.value > even else "a disadvantage"
    text = f"Moving first is {word} at {level} play: {_seat_score(context, seat)}; even is {percent(even)}."
    rests = rests_on(arena_numbers(context, context.analysis.design.arenas))
    return Finding("seats", text, label, level, sure_size(first, even), rests)


def _first_by_arena(context: Context) -> Iterable[Finding]:
    """The arena that moves the first seat furthest from even at the highest level, if any does."""
    seats, even = context.analysis.seats, 1 / context.analysis.design.sides
    top, tests = seats[-1], [arena_tests(seat, even) for seat in seats]
    shown = [arena for arena, p in tests[-1].items() if p < ALPHA]
    if len(top.by_arena) < 2 or not shown:
        return
    widest = max(shown, key=lambda arena: sure_size(top.by_arena[arena], even))
    first, level = top.by_arena[widest], context.level(top.level)
    verb = "favours the first seat most" if first.value > even else "is worst for the first seat"
    text = (
        f"{context.arena(widest)} {verb}: it scores {percent(first.value)} ({share_range(first)}) there at "
    )
    text += f"{level} play"
    others = [
        f"{percent(seat.by_arena[widest].value)} at {context.level(seat.level)}"
        for seat in seats[:-1]
        if widest in seat.by_arena
    ]
    text += f", {listed(others)}" if others else ""
    also = [f"{context.arena(a)} ({percent(top.by_arena[a].value)})" for a in shown if a != widest]
    text += (
        f"; beyond noise also {listed(also)}."
        if also
        else f"; once {len(top.by_arena)} arenas are allowed for, nowhere else beyond noise."
    )
    effects = [
        effect_of(seat.level, seat.by_arena[widest], p[widest], even)
        for seat, p in zip(seats, tests, strict=True)
        if widest in p
    ]
    rests = rests_on(arena_numbers(context, [widest]))
    yield Finding("seats", text, context.reach(reach(effects)), level, sure_size(first, even), rests)


def _seat_doubt(context: Context, seat: SeatResult, even: float) -> Finding:
    """The interval leaves even out, but not once every level that was asked is allowed for."""
    first, level = seat.places[0], context.level(seat.level)
    word = "advantage" if first.value > even else "disadvantage"
    article = "a slight" if abs(first.value - even) < SLIGHT else "an" if word == "advantage" else "a"
    text = f"Moving first may be {article} {word}: "
    text += f"{percent(first.value)} ({share_range(first)}) at {level} play"
    others, levels = _other_levels(context, seat), len(context.analysis.seats)
    text += f" ({listed(others)})" if others else ""
    allowed = f" once {levels} skill levels are allowed for" if levels > 1 else ""
    text += f", not certain{allowed} (p = {p_value(seat.p)}); even is {percent(even)}."
    # Nothing is sure, so it stands with the findings that are not significant.
    return Finding("seats", text, "", level, 0.0)


def _other_levels(context: Context, seat: SeatResult) -> list[str]:
    return [
        f"{percent(other.places[0].value)} at {context.level(other.level)}"
        for other in context.analysis.seats
        if other.level != seat.level
    ]


def _seat_score(context: Context, seat: SeatResult) -> str:
    """What the first seat scores at one level, and at the others."""
    first, others = seat.places[0], _other_levels(context, seat)
    score = f"the first seat scores {percent(first.value)} ({share_range(first)})"
    return f"{score}, {listed(others)}" if others else score


def _heroes(context: Context) -> Iterable[Finding]:
    tables = context.strengths
    if not tables or isinstance(context.analysis.skill, Refusal):
        return
    top, level = tables[-1], context.level(tables[-1].level)
    labels = {entry.hero: entry.reach for entry in context.analysis.skill}
    strong = [h for h in top.heroes if h.p < ALPHA and h.effect.value > 0][:MOST_HEROES]
    weak = [h for h in reversed(top.heroes) if h.p < ALPHA and h.effect.value < 0][:MOST_HEROES]
    for hero in (*strong, *weak):
        label = labels.get(hero.hero, Reach(SINGLE))
        text = _hero_text(context, hero, label.label, level, tables)
        rests = rests_on(hero_numbers(context, [hero.hero]))
        yield Finding("heroes", text, context.reach(label), level, sure_size(hero.effect), rests)
    if not strong and not weak:
        limit = points(top.detectable).lstrip("+")
        text = f"No hero was told apart from the average at {level} play; an effect of {limit} "
        text += SEEN
        yield Finding("heroes", text, UNCLEAR, level, 0.0)


def _hero_text(
    context: Context, hero: HeroStrength, tag: str, level: str, tables: list[StrengthTable]
) -> str:
    name, effect = context.hero(hero.hero), hero.effect
    # "strong" and "weak" are said only where the sign holds at the adjacent skill levels.
    sure, unsure = ("is strong", "helps") if effect.value > 0 else ("is weak", "hurts")
    verb = sure if tag in (ROBUST, SINGLE) else unsure
    size = f"{points(effect.value)} ({points_range(effect)}) on the side's score per copy at {level} play"
    others = [
        f"{points(entry.effect.value)} at {context.level(table.level)}"
        for table in tables[:-1]
        if (entry := table.of(hero.hero))
    ]
    return f"{name} {verb}: {size}" + (f", {listed(others)}." if others else ".")


def _arenas(context: Context) -> Iterable[Finding]:
    """The hero that depends most surely on the arena at the highest level that was fitted."""
    tables = {k: e for k, e in enumerate(context.analysis.arenas) if not isinstance(e, Refusal)}
    if not tables:
        return
    top = max(tables)
    entry = min(tables[top], key=lambda entry: entry.p)
    if entry.p >= ALPHA:
        return
    low = min(entry.effects, key=lambda arena: entry.effects[arena].value)
    high = max(entry.effects, key=lambda arena: entry.effects[arena].value)
    up, down = entry.effects[high], entry.effects[low]
    gaps = [_gap(level, entries, entry.hero, low, high) for level, entries in sorted(tables.items())]
    text = (
        f"{context.hero(entry.hero)} depends on the arena: {points(up.value)} in {context.arena(high)}, "
        f"{points(down.value)} in {context.arena(low)} at {context.level(top)} play."
    )
    tag = context.reach(reach([gap for gap in gaps if gap]))
    rests = rests_on([*hero_numbers(context, [entry.hero]), *arena_numbers(context, [high, low])])
    yield Finding("arenas", text, tag, context.level(top), max(0.0, up.low - down.high), rests)


def _gap(level: int, entries: Sequence[Interaction], hero: str, low: str, high: str) -> Effect | None:
    """Difference between two arenas at one level, with the hero's p-value there."""
    for entry in entries:
        if entry.hero == hero and low in entry.effects and high in entry.effects:
            up, down = entry.effects[high], entry.effects[low]
            gap, se = up.value - down.value, (up.se**2 + down.se**2) ** 0.5
            wide = normal_quantile(0.5 + LEVEL / 2) * se
            return Effect(level, gap, gap - wide, gap + wide, entry.p)
    return None


def _teams(context: Context) -> Iterable[Finding]:
    tables, even = context.analysis.teams, 1 / context.analysis.design.sides
    if isinstance(tables, Refusal):
        return
    top = tables[-1]
    level, best, worst = context.level(top.level), top.teams[0], top.teams[-1]
    if best.p < ALPHA:
        also = [context.team(name) for name in top.best[1:]]
        within = f"; {listed(also)} {'is' if len(also) == 1 else 'are'} within noise of it" if also else ""
        text = f"{context.team(best.team)} leads the teams: it scores {percent(best.score.value)} "
        text += f"({share_range(best.score)}) at {level} play{within}. {_hardest(context, top, best.team)}"
        tag, rests = _team_tag(context, tables, best.team, even), rests_on(team_numbers(context, best.team))
        yield Finding("teams", text, tag, level, sure_size(best.score, even), rests)
    if worst.p < ALPHA and worst.score.value < even:
        text = f"{context.team(worst.team)} is the weakest team: {percent(worst.score.value)} "
        text += f"({share_range(worst.score)}) at {level} play."
        tag, rests = _team_tag(context, tables, worst.team, even), rests_on(team_numbers(context, worst.team))
        yield Finding("teams", text, tag, level, sure_size(worst.score, even), rests)
    if best.p >= ALPHA and worst.p >= ALPHA:
        limit = points(top.detectable).lstrip("+")
        text = f"No team stands out at {level} play; a mean score {limit} off even {SEEN}"
        yield Finding("teams", text, UNCLEAR, level, 0.0)


def _hardest(context: Context, table: TeamTable, team: str) -> str:
    """Against whom a team scores least; whether that is a loss is said only beyond its interval."""
    met = {other: score for (one, other), score in table.matchups.items() if one == team}
    if not met:
        return ""
    worst = min(met, key=lambda other: met[other].value)
    score, name = met[worst], context.team(worst)
    size = f"{percent(score.value)} ({share_range(score)})"
    if score.high < 0.5:
        return f"It loses to {name}: {size}."
    if score.low > 0.5:
        return f"It loses to nobody; {name} is hardest: {size}."
    return f"Its hardest opponent is {name}: {size}."


def _team_tag(context: Context, tables: tuple[TeamTable, ...], name: str, even: float) -> str:
    rows = [(table.level, team) for table in tables for team in table.teams if team.team == name]
    return context.reach(reach([effect_of(level, team.score, team.p, even) for level, team in rows]))


def _length(context: Context) -> Iterable[Finding]:
    turns = {metric.level: metric for metric in context.analysis.metrics if metric.name == "turns"}
    top = turns.get(context.top)
    if not top:
        return
    others = [f"{plain(turns[level].mean.value)} at {context.level(level)}" for level in context.played[:-1]]
    text = f"A game lasts {plain(top.mean.value)} turns on average at {context.level(context.top)} play"
    text += f" ({listed(others)})" if others else ""
    if top.quantiles:
        text += f"; nine in ten take {number(top.quantiles[0], 0)} to {number(top.quantiles[-1], 0)}"
    nobody = context.analysis.seats[-1].nobody.value
    text += f", and {'none' if nobody == 0 else percent(nobody)} {'ends' if nobody == 0 else 'end'} "
    text += "without a winner."
    yield Finding("length", text, "", context.level(context.top), 0.0)
