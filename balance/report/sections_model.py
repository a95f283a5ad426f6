"""Sections beyond single heroes and mean scores: pairs of heroes, the model's check, cycles, best mixes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from balance.report.matrices import pair_chart
from balance.report.names import Context
from balance.report.view import Block, Chart, Section, Table
from balance.report.words import count, listed, number, p_value, percent, points, points_range, share_range
from balance.stats.best_mix import METHOD as MIX
from balance.stats.best_mix import BestMix
from balance.stats.cycles import METHOD as HODGE
from balance.stats.cycles import Cycles
from balance.stats.estimate import Refusal
from balance.stats.holdout import METHOD as JACKKNIFE
from balance.stats.holdout import Holdout
from balance.stats.pair_effects import METHOD, PairTable

SHOWN = 10  # pairs of heroes of each kind
LEAD = (
    "What two heroes are worth together, or against each other, beyond their strengths. The largest of many "
    "noisy numbers is too large; the shrunk column says what to expect in new games."
)
FOUND = "found with 80 % power"
# (1.960 + 0.842) standard errors, in half-widths of 1.960 of them.
RULE = f"True differences of 1.43 times an interval's half-width are {FOUND}."
KINDS = (("synergies", "Synergy", "And"), ("counters", "Counters", "Against"))


def power_note(effect: float) -> str:
    """The minimum detectable effect in a caption's words."""
    return f"True effects of {points(effect, 2).lstrip('+')} are {FOUND}."


def with_power(section: Section) -> Section:
    """The same with the minimum detectable effect in the caption of every table of intervals."""
    return replace(section, blocks=tuple(_noted(block) for block in section.blocks))


def _noted(block: Block) -> Block:
    words = f"{block.caption} {' '.join(block.table.head) if block.table else ''}"
    words = words.replace("without interval", "")
    if not block.table or "interval" not in words or FOUND in block.caption:
        return block
    return replace(block, caption=f"{block.caption.rstrip()} {RULE}")


def pairs_section(context: Context) -> Section:
    """Synergies, counters, and whether the sum of strengths is enough."""
    title, models = "Synergy and counters", [context.analysis.rosters[level] for level in context.played]
    if not context.analysis.design.heroes:
        return Section("pairs", title, refusal=("This game has no heroes.",))
    blocks, refusals = [], []
    for model in reversed(models):
        for attribute, name, word in KINDS:
            found = getattr(model, attribute)
            if isinstance(found, PairTable):
                blocks.append(_pairs(context, name, word, found, model.level))
            else:
                refusals.append(f"{found.reason} {found.instead}".strip())
        if isinstance(model.check, Holdout):
            blocks.append(_check(context, model.level, model.check))
        else:
            refusals.append(f"{model.check.reason} {model.check.instead}".strip())
    return Section("pairs", title, LEAD, tuple(blocks), tuple(dict.fromkeys(refusals)))


def _pairs(context: Context, title: str, word: str, found: PairTable, at: int) -> Block:
    rows = tuple(
        (
            context.hero(pair.first),
            context.hero(pair.second),
            points(pair.shrunk.value),
            points_range(pair.shrunk),
            points(pair.effect.value),
            points_range(pair.effect),
            p_value(pair.p),
        )
        for pair in found.pairs[:SHOWN]
    )
    head = ("Hero", word, "Shrunk", "95 % range", "As fitted", "95 % interval", "p")
    caption = "pp of score a pair of copies. The picture shows all pairs, shrunk, the row's hero with or "
    caption += f"against the column's; the table the {min(SHOWN, len(found.pairs))} largest of "
    caption += f"{len(found.pairs)}. {count(found.n)} {context.unit}. Method: {METHOD}; shrunk: empirical "
    caption += (
        f"Bayes, spread of the true effects {points(found.spread, 2).lstrip('+')} (standard deviation), "
    )
    caption += f"median factor {number(found.shrinkage, 2)}; p: Benjamini-Hochberg over the pairs. "
    level = context.level(at)
    chart = pair_chart(context, found, title, word == "Against", level)
    table = Table(head, rows, text=2)
    return Block(f"{title}: {level} play", caption + power_note(found.detectable), table, chart)


def _check(context: Context, level: int, check: Holdout) -> Block:
    """Whether adding up strengths is enough, on matchups that were not fitted."""
    rows = [
        (
            "Calibration slope (1 is right)",
            number(check.slope.value, 2),
            _plain(check.slope.low, check.slope.high),
        ),
        ("Brier score", number(check.brier.value, 4), _plain(check.brier.low, check.brier.high, 4)),
        (
            "Better than even, Brier",
            number(check.skill.value, 4, True),
            _plain(check.skill.low, check.skill.high, 4),
        ),
    ]
    if not isinstance(check.gain, Refusal):
        rows.append(
            (
                "Pairs of heroes better still",
                number(check.gain.value, 4, True),
                _plain(check.gain.low, check.gain.high, 4),
            )
        )
    if not isinstance(check.explained, Refusal):
        rows.append(
            (
                "Explained of what rosters decide",
                percent(min(check.explained.value, 1.0)),
                share_range(check.explained),
            )
        )
    caption = f"{count(check.matchups)} matchups ({count(check.n)} {context.unit}) that the fit of "
    caption += (
        f"{count(check.fitted)} {context.unit} had not seen. Method: {JACKKNIFE}; noise of the fit and of "
    )
    caption += "the games taken out of slope and share. "
    caption += f"A slope {number(2.8 * check.slope.se, 2)} off 1 is found with 80 % power."
    title = f"Is the sum of strengths enough? {context.level(level)} play"
    text = f"{check.verdict.capitalize()}. {check.reason}"
    return Block(title, caption, Table(("Check", "Value", "95 % interval"), tuple(rows)), text=text)


def _plain(low: float, high: float, digits: int = 2) -> str:
    return f"{number(low, digits)} to {number(high, digits)}"


def team_blocks(context: Context) -> tuple[list[Block], tuple[str, ...]]:
    """Cycles and best mixes of the teams at every level, and why there are none."""
    blocks, refusals = [], []
    for level in reversed(context.played):
        mix, around = context.analysis.mixes[level], context.analysis.cycles[level]
        if isinstance(mix, BestMix):
            blocks.append(_mix(context, level, mix))
        if isinstance(around, Cycles):
            blocks.append(_cycles(context, level, around))
        refusals += [f"{f.reason} {f.instead}".strip() for f in (mix, around) if isinstance(f, Refusal)]
    return blocks, tuple(dict.fromkeys(refusals))


def _mix(context: Context, level: int, mix: BestMix) -> Block:
    rows = tuple(
        (
            context.team(entry.team),
            percent(entry.weight.value),
            share_range(entry.weight),
            points(entry.against.value),
            points_range(entry.against),
            percent(entry.included, 0),
        )
        for entry in mix.teams
    )
    head = ("Team", "Share", "95 % interval", "Against the mix", "95 % interval", "In it, of draws")
    held = [context.team(entry.team) for entry in mix.teams if entry.weight.value > 0.005]
    text = f"Two players who know these matchups would bring {listed(held)}." if len(held) > 1 else ""
    text = text or f"No mix does better than {held[0]} alone."
    caption = f"{count(mix.n)} {context.unit}, {mix.draws} bootstrap draws. Method: {MIX}. It describes and "
    caption += "tests nothing. " + power_note(mix.detectable)[:-1] + " in one matchup."
    data = {
        "labels": [context.team(entry.team) for entry in reversed(mix.teams)],
        "values": [100 * entry.weight.value for entry in reversed(mix.teams)],
        "lows": [100 * entry.weight.low for entry in reversed(mix.teams)],
        "highs": [100 * entry.weight.high for entry in reversed(mix.teams)],
        "unit": "% of the mix",
    }
    # One bar of 100 % shows nothing that its name does not say.
    several = sum(entry.weight.high > 0.005 for entry in mix.teams) > 1
    shares = "; ".join(f"{context.team(e.team)} {percent(e.weight.value)}" for e in mix.teams)
    chart = Chart("bars", data, f"Best mix of teams at {context.level(level)} play: {shares}.")
    return Block(
        f"Best mix: {context.level(level)} play",
        caption,
        Table(head, rows),
        chart if several else None,
        text=text,
    )


def _cycles(context: Context, level: int, found: Cycles) -> Block:
    rows = tuple(
        (
            _turn(context, cycle.teams),
            points(cycle.weakest),
            points(cycle.curl.value),
            points_range(cycle.curl),
            p_value(cycle.p),
            count(cycle.curl.n),
        )
        for cycle in found.strongest
    )
    head = ("Cycle", "Weakest link", "Around", "95 % interval", "p", context.unit.title())
    sure = found.p < 0.05
    text = (
        f"{percent(found.share, 0)} of who beats whom goes round in circles, noise taken out; "
        if sure
        else ""
    )
    text += (
        f"no ranking explains all matchups (p {p_value(found.p)})."
        if sure
        else f"A ranking explains all matchups within noise (p {p_value(found.p)})."
    )
    caption = f"{count(found.n)} {context.unit}. Method: {HODGE}; chi-square {number(found.q)} with "
    caption += (
        f"{found.freedom} degrees of freedom; cycles of three teams, each beating the next: p that one of "
    )
    caption += "the links is not there, Holm over all triples. " + power_note(found.detectable)[:-1]
    title = f"Rock, paper, scissors: {context.level(level)} play"
    return Block(title, caption + " in one matchup.", Table(head, rows) if rows else None, text=text)


def _turn(context: Context, teams: Sequence[str]) -> str:
    return " > ".join(context.team(name) for name in (*teams, teams[0]))
