"""The ladder: agents against each other, from the rows of a run to shares, strengths, steps and claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from balance.config.agents import parse_agent
from balance.errors import UsageError
from balance.stats import contests as c
from balance.stats.design import Design, read_design
from balance.stats.estimate import Estimate
from balance.stats.ladder import Scale, scale_of
from balance.store.read import Run

EVEN = 0.5
AHEAD, BEHIND, OPEN = "ahead", "behind", "not told apart"
SIGNS = '"AGENT>AGENT>=SHARE", for example "greedy>random>=0.95"'


@dataclass(frozen=True)
class Claim:
    """What a user requires: `one` has at least the share `least` against `other`, by the lower bound."""

    one: str
    other: str
    least: float


@dataclass(frozen=True)
class Encounter:
    """What came of two agents meeting.

    Attributes
    ----------
    one, other : str
        Labels; `one` is listed later in the plan. All shares are of `one`.
    games, pairs : int
        `pairs` are the sampling units (rotations both ways, with three or four sides).
    share : Share
        Score per game, a draw counting one half.
    draws : Share
        Games that neither won.
    turns, plies : Estimate
        Means a game.
    arenas : mapping of str to Share
    fitted : float or None
        The share that the strengths imply; None across groups.
    unanimous : str
        ``won`` or ``lost`` when every game ended so for `one`; else empty.
    """

    one: str
    other: str
    games: int
    pairs: int
    share: c.Share
    draws: c.Share
    turns: Estimate
    plies: Estimate
    arenas: Mapping[str, c.Share]
    fitted: float | None
    unanimous: str

    @property
    def verdict(self) -> str:
        """Whether `one` is ahead, behind, or not told apart, by one-sided 95 % bounds."""
        return AHEAD if self.share.lower > EVEN else BEHIND if self.share.upper < EVEN else OPEN


@dataclass(frozen=True)
class Checked:
    """A claim with its answer; `share`, `lower` and `upper` are of the claim's first agent."""

    claim: Claim
    share: float
    lower: float
    upper: float

    @property
    def holds(self) -> bool:
        """Whether the lower bound reaches what is required."""
        return self.lower >= self.claim.least


@dataclass(frozen=True)
class Ladder:
    """Every number of a ladder.

    Attributes
    ----------
    design : Design
    agents : tuple of str
        In the order of the plan.
    encounters : tuple of Encounter
        Those that have been played.
    scale : Scale
    unit : str
        What a sampling unit is called.
    """

    design: Design
    agents: tuple[str, ...]
    encounters: tuple[Encounter, ...]
    scale: Scale
    unit: str

    @property
    def games(self) -> int:
        """Games in all; mirror matches by weight."""
        return sum(one.games for one in self.encounters)

    @property
    def pairs(self) -> int:
        """Sampling units in all."""
        return sum(one.pairs for one in self.encounters)

    def between(self, one: str, other: str) -> Encounter | None:
        """The encounter of two agents, whichever is listed later."""
        return next((e for e in self.encounters if {e.one, e.other} == {one, other}), None)

    def steps(self) -> tuple[Encounter, ...]:
        """Encounters of agents that stand beside each other in the plan, from below."""
        found = [self.between(one, other) for other, one in pairwise(self.agents)]
        return tuple(step for step in found if step)


def ladder_of(run: Run) -> Ladder:
    """Read a ladder's run once and compute its numbers."""
    design = read_design(run.manifest)
    agents = tuple(run.manifest["plan"]["ladder"])
    contests = c.contests_of(design, agents)
    return from_units(design, agents, c.collect_units(run, design, agents, contests))


def from_units(design: Design, agents: tuple[str, ...], units: Mapping[c.Contest, c.Units]) -> Ladder:
    """The numbers of a ladder from the units of its contests."""
    rounds = 1 if design.sides == 2 else 2
    scale = scale_of(units, len(agents), float(rounds * len(design.seatings)), design.unit)
    encounters = [
        _encounter(design, agents, contest, own, scale.fitted.get(contest)) for contest, own in units.items()
    ]
    return Ladder(design, agents, tuple(encounters), scale, design.unit)


def _encounter(
    design: Design, agents: Sequence[str], contest: c.Contest, units: c.Units, fitted: float | None
) -> Encounter:
    unit = design.unit
    counts = units.values[:, c.WON : c.LOST + 1].sum(axis=0)
    ends = [name for name, count in zip(("won", "drawn", "lost"), counts, strict=True) if count]
    return Encounter(
        agents[contest.one],
        agents[contest.other],
        units.games,
        len(units.key),
        c.share_of(units, unit),
        c.draws_of(units, unit),
        c.mean_per_game(units, c.TURNS, unit),
        c.mean_per_game(units, c.PLIES, unit),
        {name: c.share_of(own, unit) for name, own in c.by_arena(units, design.arenas).items()},
        fitted,
        ends[0] if ends in (["won"], ["lost"]) else "",
    )


def read_claim(text: str, agents: Sequence[str], meetings: Sequence[frozenset[str]]) -> Claim:
    """A requirement such as ``mcts:64>greedy>=0.6``.

    Parameters
    ----------
    text : str
        The share as a number from 0 to 1, or in per cent with the sign.
    agents : sequence of str
        Labels of the ladder's agents.
    meetings : sequence of frozenset of str
        Who meets whom.

    Raises
    ------
    UsageError
        It cannot be read, or speaks of agents that do not meet.
    """
    pair, at_least, share = text.rpartition(">=")
    one, beats, other = pair.partition(">")
    if not (at_least and beats and one.strip() and other.strip()):
        raise UsageError(f"cannot read the requirement {text!r}", f"write {SIGNS}")
    claim = Claim(_agent(one, agents, text), _agent(other, agents, text), _share(share, text))
    if frozenset((claim.one, claim.other)) not in meetings:
        raise UsageError(
            f"the requirement {text!r} speaks of agents that do not meet",
            "with --neighbours only agents that stand beside each other in the plan meet",
        )
    return claim


def _agent(text: str, agents: Sequence[str], whole: str) -> str:
    """The label of an agent that the ladder has; its settings may be left out where that is clear."""
    try:
        label = parse_agent(text.strip()).label
    except ValueError:  # of pydantic: no agent at all
        label = ""
    found = [agent for agent in agents if agent == label] or [a for a in agents if a.split()[0] == label]
    if len(found) != 1:
        what = "means several agents" if found else "is no agent"
        hint = f"the agents: {', '.join(found or agents)}"
        raise UsageError(f"{text.strip()!r} in the requirement {whole!r} {what} of this ladder", hint)
    return found[0]


def _share(text: str, whole: str) -> float:
    number, per_cent = text.strip().removesuffix("%").strip(), text.strip().endswith("%")
    try:
        share = float(number) / (100 if per_cent else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UsageError(f"the share in the requirement {whole!r} must be from 0 to 1", f"write {SIGNS}")
    return share


def meetings_of(levels: Sequence[Sequence[str]]) -> tuple[frozenset[str], ...]:
    """Which agents meet, from the labels of a ladder's levels."""
    return tuple(dict.fromkeys(frozenset(level) for level in levels))


def check_claims(ladder: Ladder, claims: Sequence[Claim]) -> tuple[Checked, ...]:
    """Answers to requirements; of agents that have not met yet nothing is known."""
    return tuple(_checked(ladder.between(claim.one, claim.other), claim) for claim in claims)


def _checked(met: Encounter | None, claim: Claim) -> Checked:
    if met is None:
        return Checked(claim, float("nan"), 0.0, 1.0)
    share, value = met.share, met.share.estimate.value
    if met.one == claim.one:
        return Checked(claim, value, share.lower, share.upper)
    return Checked(claim, 1 - value, 1 - share.upper, 1 - share.lower)
