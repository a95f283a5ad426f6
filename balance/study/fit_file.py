"""Fitted weights as an ``agents.yaml`` that the game reads, with where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from balance.config.agents import SETTINGS
from balance.errors import EnvironmentFault
from balance.study.fit import Fit, with_weights

SOURCE = "fitted"


def agents_yaml(fit: Fit, command: str) -> str:
    """The game's whole file with the new weights under the agent's kind.

    Parameters
    ----------
    fit : Fit
    command : str
        What was typed, for whoever reads the file.
    """
    return "\n".join([*_head(fit, command), *_body(fit)]) + "\n"


def _head(fit: Fit, command: str) -> Iterator[str]:
    task = fit.task
    yield f"# Weights of {task.agent.kind}, fitted by self-play, tested as {task.agent.label}:"
    yield f"#   {command}"
    yield f"# {fit.games:,} games, seed {task.plan.plan.seed}; {tested(fit)}."
    yield ""


def tested(fit: Fit) -> str:
    """What the test has shown, in words."""
    if fit.share is None:
        return "not tested"
    value, lower = fit.share.estimate.value, fit.share.lower
    pairs = fit.share.estimate.n
    return f"share {value:.3f} against the weights before, at least {lower:.3f} (95 %, {pairs} pairs)"


def _body(fit: Fit) -> Iterator[str]:
    ruleset, kind = fit.task.plan.ruleset, fit.task.agent.kind
    yield f"game: {ruleset.game}"
    yield ""
    yield "weights:"
    for name, value in ruleset.weights.items():
        yield f"  {name}: {value!r}"
    yield ""
    yield "agents:"
    for name in dict.fromkeys([*ruleset.agents, kind]):
        yield f"  {name}:"
        yield from _table(ruleset.agents.get(name, {}), fit.weights if name == kind else {})


def _table(given: Mapping[str, str | float], fitted: Mapping[str, float]) -> Iterator[str]:
    for name, value in given.items():
        if name not in fitted:
            yield f"    {name}: {_plain(name, value)}"
    for name, number in fitted.items():
        yield f"    {name}: {{value: {number!r}, source: {SOURCE}}}"


def _plain(name: str, value: str | float) -> str:
    known = SETTINGS.get(name)
    whole = known is not None and not isinstance(known, tuple) and known.whole
    return str(int(value)) if whole else str(value)


def write(fit: Fit, path: Path, command: str) -> None:
    """Write the file; EnvironmentFault when the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(agents_yaml(fit, command), encoding="utf-8")
    except OSError as error:
        message = f"cannot write {path}: {error.strerror}"
        raise EnvironmentFault(message, "choose another with --write") from None


def agent_text(fit: Fit) -> str:
    """The agent with its new weights, as plans name it."""
    return with_weights(fit.task.agent, fit.weights).label
