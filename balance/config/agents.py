"""Agents as plans name them: a kind, its number, and settings after it.

``random`` · ``greedy`` · ``greedy:0.1`` · ``flat:200`` · ``mcts:256 exploration=0.5 rollout=random``
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.config.fields import NAMES, Kind, refusal
from balance.config.words import as_text, did_you_mean, listed

MOST_SIMULATIONS = 1_000_000


@dataclass(frozen=True)
class Range:
    """A number that an agent takes: its meaning, its range, its value when none is written."""

    meaning: str
    low: float
    high: float
    default: float
    whole: bool = False

    def read(self, text: str) -> float:
        """The number in a text; ValueError when it is none or out of range."""
        value = float(text)
        if not self.low <= value <= self.high or (self.whole and value != int(value)):
            raise ValueError(text)
        return value + 0.0  # -0 is 0

    def words(self) -> str:
        """The range for people."""
        return f"{'a whole number ' if self.whole else ''}from {_plain(self.low)} to {_plain(self.high)}"


def _plain(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:g}"


SIMULATIONS = Range("the number of simulations", 1, MOST_SIMULATIONS, 256, whole=True)

#: Kinds of agents with the number after the colon; None: takes no number.
AGENTS: dict[str, Range | None] = {
    "random": None,
    "greedy": Range("the share of random moves", 0.0, 1.0, 0.05),
    "flat": SIMULATIONS,
    "mcts": SIMULATIONS,
}
SEARCHERS = ("flat", "mcts")

#: Settings of agents: a range, or the words that are allowed.
SETTINGS: dict[str, Range | tuple[str, ...]] = {
    "tree": ("atoms", "turns"),  # what an edge of the search tree is
    "rollout": ("random", "greedy"),  # who plays on beyond the tree
    "depth": Range("turns of a rollout before the position is estimated", 0, 10_000, 10_000, whole=True),
    "exploration": Range("the weight of trying what was seldom tried", 0.0, 100.0, 1.0),
    "candidates": Range("turns kept at a position", 1, 64, 16, whole=True),
    "caution": Range("the weight of the best reply against the mean of all", 0.0, 1.0, 0.0),
    "beam": Range("positions kept at each ply of a turn with too many ends", 1, 64, 16, whole=True),
    "horizon": ("turn", "ply"),  # how far greedy looks; others first look for a win as far as a turn, or not
}
SETTINGS_OF: dict[str, tuple[str, ...]] = {
    "random": (),
    "greedy": ("horizon", "beam"),
    "flat": ("rollout", "depth", "beam", "horizon"),
    "mcts": ("tree", "rollout", "depth", "exploration", "candidates", "caution", "beam", "horizon"),
}
#: What holds for a setting that neither the plan nor the game's ``agents.yaml`` names.
DEFAULTS: dict[str, str | float] = {
    "tree": "atoms",
    "rollout": "random",
    "depth": 10_000.0,
    "exploration": 1.0,
    "candidates": 16.0,
    "caution": 0.0,
    "beam": 16.0,
    "horizon": "turn",
}
WEIGHT = Range("a weight of the evaluation", -1e6, 1e6, 0.0)
SCALE_NAME = "scale"  # in every game the weight of this name is what the others are divided by
SCALE = Range("what the weights are divided by", 1e-3, 1e6, 1.0)


@dataclass(frozen=True)
class AgentSpec:
    """An agent as a plan names it.

    Attributes
    ----------
    kind : str
        ``random``, ``greedy``, ``flat`` or ``mcts``.
    number : float
        The share of random moves (0-1) of ``greedy``, the simulations a decision of ``flat`` and ``mcts``;
        0 when it has none.
    settings : tuple of (str, str or float)
        What was written after it, in name order: settings of the search and weights of the evaluation
        (these begin with the game's own names).
    restrict : tuple of str
        What it must not do, in the game's words: ``ability:frog_bow``.
    """

    kind: str
    number: float = 0.0
    settings: tuple[tuple[str, str | float], ...] = ()
    restrict: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The text that :func:`parse_agent` reads back to the same agent: ``greedy:0.05``."""
        words = [self.kind if AGENTS.get(self.kind) is None else f"{self.kind}:{self.number:.12g}"]
        words += [f"{name}={_text(value)}" for name, value in self.settings]
        if self.restrict:
            words.append(f"without={','.join(self.restrict)}")
        return " ".join(words)


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def parse_agent(text: Any) -> AgentSpec:
    """An agent from its text: ``random``, ``greedy:0.1``, ``mcts:256 rollout=greedy``.

    Names that are no setting are taken for weights of the game's evaluation, which only a game knows.

    Raises
    ------
    PydanticCustomError
        (a ValueError) with message and hint in its context.
    """
    if not isinstance(text, str) or not text.strip():
        raise refusal(f"must be an agent such as random or greedy:0.1, not {as_text(text)}")
    head, *rest = text.split()
    kind, number = _head(head)
    settings: dict[str, str | float] = {}
    restrict: tuple[str, ...] = ()
    for word in rest:
        name, equals, value = word.partition("=")
        if not equals or not value:
            raise refusal(f"{as_text(word)} in an agent is no setting", "write NAME=VALUE after the agent")
        if name in settings or (name == "without" and restrict):
            raise refusal(f"the setting {name} stands twice in {as_text(text)}")
        if name == "without":
            restrict = tuple(sorted(set(value.split(","))))
        else:
            settings[name] = setting(kind, name, value)
    return AgentSpec(kind, number, tuple(sorted(settings.items())), restrict)


def _head(head: str) -> tuple[str, float]:
    """Kind and number of an agent."""
    kind, colon, number = head.partition(":")
    if kind not in AGENTS:
        raise refusal(f"unknown agent {as_text(head)}", did_you_mean(kind, AGENTS))
    taken = AGENTS[kind]
    if taken is None:
        if colon:
            raise refusal(f"the agent {kind} takes no number", f"write {kind}")
        return kind, 0.0
    if not colon:
        return kind, taken.default
    try:
        return kind, taken.read(number)
    except ValueError:
        message = f"{taken.meaning} in {kind}:NUMBER must be {taken.words()}, not {as_text(number)}"
        raise refusal(message, f"for example {kind}:{taken.default:g}") from None


def setting(kind: str, name: str, value: str) -> str | float:
    """The value of one setting."""
    known = SETTINGS.get(name)
    if known is not None and name not in SETTINGS_OF[kind]:
        has = listed(SETTINGS_OF[kind]) if SETTINGS_OF[kind] else "no settings"
        raise refusal(f"the agent {kind} has no setting {name}", f"it has {has}")
    if isinstance(known, tuple):
        if value not in known:
            raise refusal(f"{name} must be {' or '.join(known)}, not {as_text(value)}")
        return value
    if known is None and kind == "random":
        raise refusal(f"the agent random has no setting {name}", "it plays without thinking")
    taken = known or (SCALE if name == SCALE_NAME else WEIGHT)
    try:
        return taken.read(value)
    except ValueError:
        if known is None and (hint := did_you_mean(name, SETTINGS_OF[kind])).startswith("did you mean"):
            raise refusal(f"unknown setting '{name}' of the agent {kind}", hint) from None
        message = f"{name} ({taken.meaning}) must be {taken.words()}, not {as_text(value)}"
        raise refusal(message) from None


@dataclass(frozen=True)
class AgentText(Kind):
    """The text of an agent; stored with its number written out."""

    def check(self, value: Any) -> str:
        """See :class:`Kind`."""
        return parse_agent(value).label

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        numbered = "|".join(kind for kind, taken in AGENTS.items() if taken)
        settings = "( +[A-Za-z_.]+=[^ =]+)*"
        pattern = f"^({numbered})(:[0-9.eE+-]+)?{settings}$"
        return {"anyOf": [{"enum": list(AGENTS)}, {"type": "string", "pattern": pattern}]}


RESTRICTION = re.compile(r"[a-z]+:[a-z0-9_]+")


@dataclass(frozen=True)
class RestrictionText(Kind):
    """The name of something that an agent can be forbidden; which there are, only the game knows."""

    def check(self, value: Any) -> str:
        """See :class:`Kind`."""
        if not isinstance(value, str):
            hint = "write it without a blank after the colon" if isinstance(value, dict) else ""
            raise refusal(f"must be text such as ability:NAME, not {as_text(value)}", hint)
        if not RESTRICTION.fullmatch(value):
            raise refusal(
                f"{as_text(value)} is no restriction", "write action:NAME, ability:NAME or power:HERO"
            )
        return value

    def schema(self) -> dict[str, Any]:
        """See :class:`Kind`."""
        return {"type": "string", "pattern": f"^{RESTRICTION.pattern}$", NAMES: "restriction"}


def with_defaults(spec: AgentSpec, given: Mapping[str, Mapping[str, str | float]]) -> dict[str, str | float]:
    """All settings and weights of an agent: the house, then the game (by kind), then the plan."""
    return {**DEFAULTS, **given.get(spec.kind, {}), **dict(spec.settings)}
