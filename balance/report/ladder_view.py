"""The page of a ladder as frozen data."""

from __future__ import annotations

from typing import Any

from balance.report.build import plan_text
from balance.report.ladder_context import LadderContext
from balance.report.ladder_shares import arenas_section, contests_section, steps_section
from balance.report.ladder_words import READING, seconds
from balance.report.sections_method import agent_lines, notices_of, provenance_of
from balance.report.view import Block, Chart, Section, Table, View
from balance.report.words import NONE, count, listed, number, plain, value_range
from balance.study.ladder import Ladder

PARTIAL = (
    "This ladder is not complete: {done} of {planned} games were played. Go on with: balance resume {folder}"
)
ASSUMPTIONS = (
    "Every two agents meet in the same cells on the same streams, with the teams and the seats exchanged "
    "between them: {design}",
    "The sampling unit is the {unit}; its games are never treated as independent. Cells count alike.",
    "A draw counts one half. At least: lower one-sided 95 % bound; intervals are two-sided, 95 %, each for "
    "itself.",
    "Strengths are log-odds of decided games under {model}; their sum is zero. Errors are clustered by "
    "{unit} over all encounters, because these share their deals.",
    "Time is processor time of one thread of the machine that played; it is in no row and no digest.",
    "Results hold for these agents, teams, arenas and rules.",
)
TWO_SIDES = "a pair is one deal played from both seats, and every two teams are held both ways round."
MORE_SIDES = (
    "one seat against the rest, and the rest against one, in every rotation; an agent's share is the score "
    "of all its seats, and equal agents have one half over both."
)


def ladder_view(context: LadderContext) -> View:
    """All words and tables of a ladder's page."""
    manifest, ladder = context.manifest, context.ladder
    option = " --neighbours" if _neighbours(context) else ""
    return View(
        str(manifest.get("title") or manifest["game"]),
        str(manifest.get("name") or "ladder"),
        _facts(context),
        notices_of(manifest, ladder.design.arenas),
        context.words.findings(context.claims),
        (
            strength_section(context),
            contests_section(context),
            steps_section(context),
            arenas_section(context),
            pace_section(context),
            method_section(context),
        ),
        (),
        provenance_of(manifest),
        f"balance report {context.folder}",
        f"balance verify {context.folder}",
        f"balance ladder plan.yaml{option} -o {context.folder}-again",
        _plan(context),
        _partial(context),
        kind="Ladder of agents",
        reading=READING,
    )


def _facts(context: LadderContext) -> tuple[tuple[str, str], ...]:
    ladder = context.ladder
    teams = {team for cell in ladder.design.cells for team in cell.teams}
    return (
        ("Games", count(ladder.games)),
        (ladder.unit.capitalize(), count(ladder.pairs)),
        ("Mode", str(context.manifest["mode"]["name"])),
        ("Agents", str(len(ladder.agents))),
        ("Arenas", str(len(ladder.design.arenas))),
        ("Teams", str(len(teams)) if teams else "drafted"),
    )


def _neighbours(context: LadderContext) -> bool:
    """Whether only agents that stand beside each other were to meet."""
    agents = context.ladder.agents
    meetings = {frozenset(cell.agents) for cell in context.ladder.design.cells}
    return len(agents) > 2 and len(meetings) == len(agents) - 1


def _plan(context: LadderContext) -> str:
    from balance.play.ladder import load_ladder_text

    near = _neighbours(context)
    return plan_text(context.manifest, lambda text: load_ladder_text(text, neighbours=near))


def _partial(context: LadderContext) -> str:
    if context.manifest.get("complete"):
        return ""
    seatings = len(context.ladder.design.seatings)
    planned = sum(int(cell["pairs"]) for cell in context.manifest["cells"]) * seatings
    return PARTIAL.format(done=count(context.ladder.games), planned=count(planned), folder=context.folder)


def strength_section(context: LadderContext) -> Section:
    """Strengths on one scale, or on one a group."""
    ladder, words = context.ladder, context.words
    rows = []
    for one in ladder.scale.strengths:
        own = one.estimate
        numbers = (number(own.value, 2, True), value_range(own), count(own.n)) if own else (NONE, NONE, NONE)
        group = (str(one.group + 1),) if ladder.scale.separated else ()
        rows.append((context.name(ladder.agents[one.agent]), *group, *numbers, one.note))
    group_head = ("Group",) if ladder.scale.separated else ()
    head = ("Agent", *group_head, "Strength", "95 % interval", ladder.unit.capitalize(), "Note")
    table = Table(head, tuple(rows), text=1, words=(len(head) - 1,))
    caption = (
        "Dots: strength in log-odds, bars: 95 % intervals. One more is a share of 73 % of the decided games. "
    )
    caption += (
        f"{context.sample()}. Method: {_model(ladder)}, sum zero{' in each group' * ladder.scale.separated}."
    )
    block = Block("Strength of each agent", caption, table, _forest(context), text=words.groups())
    lead = "How strong each agent is against all that it met, on one scale."
    return Section("strength", "Strength", lead, (block,))


def _model(ladder: Ladder) -> str:
    own = next((one.estimate for one in ladder.scale.strengths if one.estimate), None)
    return own.method if own else "Davidson Bradley-Terry with ties, which has no finite estimate here"


def _forest(context: LadderContext) -> Chart | None:
    """Strengths with intervals, a series a group."""
    ladder = context.ladder
    series: dict[int, list[dict[str, Any]]] = {}
    for one in reversed(ladder.scale.strengths):
        if one.estimate:
            own, label = one.estimate, context.name(ladder.agents[one.agent])
            point = {"label": label, "x": own.value, "low": own.low, "high": own.high}
            series.setdefault(one.group, []).append(point)
    if not series:
        return None
    data = [{"name": f"group {group + 1}", "points": points} for group, points in sorted(series.items())]
    best = max((point for points in series.values() for point in points), key=lambda point: point["x"])
    alt = f"Strengths of the agents; {best['label']} has {number(best['x'], 2, True)}."
    return Chart("forest", {"series": data, "zero": 0.0, "unit": "strength (log-odds)", "digits": 2}, alt)


def pace_section(context: LadderContext) -> Section:
    """Turns and plies of each encounter, and what the agents cost."""
    ladder = context.ladder
    rows = tuple(
        (
            context.words.over(met),
            plain(met.turns.value),
            value_range(met.turns),
            plain(met.plies.value),
            value_range(met.plies),
            count(met.pairs),
        )
        for met in reversed(ladder.encounters)
    )
    blocks = []
    if rows:
        head = ("Encounter", "Turns", "95 % interval", "Plies", "95 % interval", ladder.unit.capitalize())
        caption = f"Means a game. {context.sample()}. Method: {ladder.encounters[0].turns.method}."
        blocks.append(Block("Length of games", caption, Table(head, rows)))
    refusal = (
        ()
        if context.costs
        else ("The cost of the agents was not measured in this folder: `balance ladder` does it.",)
    )
    if context.costs:
        blocks.append(cost_block(context))
    return Section(
        "pace",
        "Length and cost",
        "How long the games are, and what an agent's play costs.",
        tuple(blocks),
        refusal,
    )


def cost_block(context: LadderContext) -> Block:
    """Processor time of each agent playing against itself."""
    rows = tuple(
        (
            context.name(cost.agent),
            seconds(cost.per_decision),
            seconds(cost.per_game),
            number(1 / cost.per_game, 0 if cost.per_game < 0.1 else 2),
            count(cost.games),
        )
        for cost in reversed(context.costs)
    )
    head = ("Agent", "CPU a decision", "CPU a game", "Games/s of a core", "Games measured")
    caption = "Processor time of one thread while the agent played all seats, on the first arena and teams; "
    caption += "measured once, without an interval, and a busy machine counts more. A decision is one ply."
    return Block("Cost of each agent", caption, Table(head, rows))


def method_section(context: LadderContext) -> Section:
    """Agents, design, what is assumed."""
    ladder = context.ladder
    design = TWO_SIDES if ladder.design.sides == 2 else MORE_SIDES
    words = {"unit": ladder.unit.removesuffix("s"), "design": design, "model": _model(ladder).split(",")[0]}
    text = "\n".join(line.format(**words) for line in ASSUMPTIONS)
    arenas = listed([context.arena(arena) for arena in ladder.design.arenas])
    lead = (
        f"Mode {context.manifest['mode']['name']}. Agents: {listed(list(ladder.agents))}. Arenas: {arenas}."
    )
    blocks = (
        *agent_lines(" ".join(ladder.agents), context.manifest),
        Block("What is assumed", "", text=text),
    )
    return Section("method", "Method", lead, blocks)
